//! Wrapping `early`: corner loads behind the source, so that nothing waits for them at the destination.

use super::code::Code;
use super::exchange::Exchange;
use super::load::Load;
use super::region::{self, Corner, Setup};
use super::registers::{Class, Registers};
use super::source::Ready;
use super::{Error, Variant, Writer, halo};
use crate::mutation::{Mutation, active};
use crate::ptx::ast::{Body, Module, Operand, StatementKind};
use crate::shuffle::plan::{Plan, Shuffle, Source};
use rustc_hash::FxHashMap;

/// A corner load that stands behind the source.
#[derive(Clone, Debug)]
pub struct Early {
    /// The predicate of lanes that the shuffle covers.
    covered: String,
    /// Holds what the others loaded.
    value: String,
}

impl Early {
    /// The destination's load into a new register, in lanes that the shuffle does not cover.
    pub fn load(
        module: &Module,
        body: &Body,
        statement: u32,
        exchange: &Exchange,
        code: &mut Code,
        registers: &mut Registers,
    ) -> Option<Early> {
        let covered = exchange.reached(code, registers)?;
        let value = registers.fresh(Class::Word);
        let load = Text::of(module, body, statement)?;
        code.push(format!(
            "@!{covered} {} {value}, {}{};",
            load.opcode, load.address, load.rest
        ));
        Some(Early { covered, value })
    }

    /// Behind the shuffle: what it brought, or what was loaded early.
    pub fn select(&self, target: &str) -> String {
        let Early { covered, value } = self;
        format!("selp.b32 {target}, {target}, {value}, {covered};")
    }
}

/// The parts of a load's text.
pub(super) struct Text<'t> {
    /// With its modifiers.
    pub opcode: &'t str,
    /// With its brackets.
    pub address: &'t str,
    /// The base and the offset of the address.
    pub base: &'t str,
    pub offset: i64,
    /// What follows the address: a cache policy.
    pub rest: String,
}

impl<'t> Text<'t> {
    /// Reads a load into one register.
    pub fn of(module: &Module<'t>, body: &Body, statement: u32) -> Option<Self> {
        let statement = body.statements.get(statement as usize)?;
        let StatementKind::Instruction(instruction) = &statement.kind else {
            return None;
        };
        let [
            to,
            Operand::Address {
                span, base, offset, ..
            },
            rest @ ..,
        ] = module.operands(instruction)
        else {
            return None;
        };
        // Triton puts single registers in braces.
        let one = match to {
            Operand::Vector { elements, .. } => module.list(*elements),
            other => std::slice::from_ref(other),
        };
        let [Operand::Name { .. }] = one else {
            return None;
        };
        let rest = rest.iter().map(|operand| module.str(operand.span()));
        Some(Text {
            opcode: module.str(instruction.opcode),
            address: module.str(*span),
            base: base.map_or("", |base| module.str(base)),
            offset: *offset,
            rest: rest.map(|operand| format!(", {operand}")).collect(),
        })
    }
}

impl region::Writer<'_, '_, '_> {
    /// How many lanes above and below me are usable: to the end of the warp or of my row, none if the warp is not here.
    pub(super) fn early(&mut self) -> Setup {
        let mask = self.active_mask();
        let lane = self.lane();
        let tid = self.special("%tid.x");
        let ok = self.whole_warp(&mask);
        let down = self.region.down.then(|| {
            let width = self.special("%ntid.x");
            let of_row = self.rest_of_row(&width, &tid);
            let of_warp = self.word(|new| format!("sub.s32 {new}, 32, {lane};"));
            let rest = self.word(|new| format!("min.s32 {new}, {of_row}, {of_warp};"));
            self.word(|new| format!("selp.b32 {new}, {rest}, 0, {ok};"))
        });
        let up = self.region.up.then(|| {
            let below = match active(Mutation::RowCheckDropped) {
                true => lane.clone(),
                false => self.word(|new| format!("min.s32 {new}, {lane}, {tid};")),
            };
            self.word(|new| format!("selp.b32 {new}, {below}, 0, {ok};"))
        });
        Setup::shifts(mask, lane, Corner::Reach { down, up })
    }
}

/// Indices of the shuffles of each source whose corner loads move up.
pub(super) fn by_source(plan: &Plan) -> FxHashMap<u32, Vec<usize>> {
    let mut found: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (index, shuffle) in plan.shuffles.iter().enumerate() {
        if let ([part], true) = (&*shuffle.parts, shuffle.upward) {
            found.entry(part.source).or_default().push(index);
        }
    }
    found
}

impl Writer<'_, '_, '_> {
    /// What corner lanes load behind source `number`.
    pub(super) fn load_upward(
        &mut self,
        source: &Source,
        number: u32,
        ready: &mut Ready,
        code: &mut Code,
    ) -> Result<(), Error> {
        let indices = self.upward.remove(&number).unwrap_or_default();
        let inconsistent = Error::Inconsistent(source.statement);
        let Some(setup) = ready
            .setup
            .as_ref()
            .filter(|_| self.variant == Variant::Normal && !indices.is_empty())
        else {
            return Ok(());
        };
        if let (Some(halo), Some(ring)) = (&source.halo, &setup.ring) {
            let (module, body) = (self.module, self.body);
            let value = halo::load(
                module,
                body,
                source.statement,
                halo,
                ring,
                code,
                &mut self.registers,
            );
            ready.halo = Some(value.ok_or(inconsistent)?);
            return Ok(());
        }
        for index in indices {
            let shuffle = &self.plan.shuffles[index];
            let exchange = Exchange {
                lanes: shuffle.lanes,
                value: ready.value().ok_or(inconsistent.clone())?,
                target: "",
                setup,
            };
            let (module, body) = (self.module, self.body);
            let early = Early::load(
                module,
                body,
                shuffle.destination,
                &exchange,
                code,
                &mut self.registers,
            );
            ready
                .early
                .insert(shuffle.destination, early.ok_or(inconsistent.clone())?);
        }
        Ok(())
    }

    /// What stands at a destination whose corner load moved up: in its place, for `halo` outside of a copy before it.
    pub(super) fn take_upward(
        &mut self,
        shuffle: &Shuffle,
        source: &Ready,
        setup: &Setup,
        load: &Load,
    ) -> Option<Vec<String>> {
        let mut code = Code::default();
        if let (Some(halo), Some(ring)) = (&source.halo, &setup.ring) {
            // Where the destination's own load follows, its address must stay.
            let alone = ring.whole.is_none();
            let target = load.word().filter(|_| alone || !load.writes_base())?;
            let exchange = Exchange {
                lanes: shuffle.lanes,
                value: source.value()?,
                target,
                setup,
            };
            ring.exchange(&exchange, halo, &mut code, &mut self.registers)?;
            return Some(code.lines);
        }
        let early = source.early.get(&shuffle.destination)?;
        let target = load.word()?;
        let exchange = Exchange {
            lanes: shuffle.lanes,
            value: source.value()?,
            target,
            setup,
        };
        code.push(exchange.bare()?);
        code.push(early.select(target));
        Some(code.lines)
    }
}
