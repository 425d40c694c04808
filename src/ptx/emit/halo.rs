//! Wrapping `halo`: one more load behind the source serves the corner lanes of all its destinations, in a copy of what follows
//! a guard. Warps that are not there as a whole, or whose rows are not whole warps, stay in the original. Where there is no
//! copy, every destination keeps its load for them.

use super::code::Code;
use super::exchange::Exchange;
use super::region::Writer;
use super::registers::{Class, Registers};
use super::setup::{Ring, Setup};
use crate::ptx::ast::{Body, Module, Operand, StatementKind};
use crate::shuffle::plan::Halo;
use crate::support::mutation::{Mutation, active};

/// Threads of a warp.
const WARP: i64 = 32;

/// The parts of a load's text.
struct Text<'t> {
    /// With its modifiers.
    opcode: &'t str,
    /// The base and the offset of the address.
    base: &'t str,
    offset: i64,
    /// What follows the address: a cache policy.
    rest: String,
}

impl<'t> Text<'t> {
    /// Reads a load into one register.
    fn of(module: &Module<'t>, body: &Body, statement: u32) -> Option<Self> {
        let statement = body.statements.get(statement as usize)?;
        let StatementKind::Instruction(instruction) = &statement.kind else {
            return None;
        };
        let [to, Operand::Address { base, offset, .. }, rest @ ..] = module.operands(instruction)
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
            base: base.map_or("", |base| module.str(base)),
            offset: *offset,
            rest: rest.map(|operand| format!(", {operand}")).collect(),
        })
    }
}

/// The halo load of a source, into a new register.
pub fn load(
    module: &Module,
    body: &Body,
    statement: u32,
    halo: &Halo,
    ring: &Ring,
    code: &mut Code,
    registers: &mut Registers,
) -> Option<String> {
    let text = Text::of(module, body, statement)?;
    let lane = &ring.lane;
    let far = halo.stride.checked_mul(WARP)?;
    let loads = registers.fresh(Class::Predicate);
    let (down, up) = (i64::from(halo.down), i64::from(halo.up));
    let first = WARP - up;
    let address = match (down > 0, up > 0) {
        (true, true) => {
            let turned = code.word(registers, |new| format!("add.s32 {new}, {lane}, {up};"));
            code.push(format!("and.b32 {turned}, {turned}, 31;"));
            code.push(ring.compare("lt", &loads, &turned, down + up));
            let low = registers.fresh(Class::Predicate);
            code.push(format!("setp.lt.u32 {low}, {lane}, {down};"));
            let sum = registers.fresh(Class::Double);
            code.push(format!(
                "selp.b64 {sum}, {far}, {}, {low};",
                far.checked_neg()?
            ));
            code.push(format!("add.s64 {sum}, {sum}, {};", text.base));
            address(&sum, text.offset)
        }
        (true, false) => {
            code.push(ring.compare("lt", &loads, lane, down));
            address(text.base, text.offset.checked_add(far)?)
        }
        (false, _) => {
            code.push(ring.compare("ge", &loads, lane, first));
            address(text.base, text.offset.checked_sub(far)?)
        }
    };
    let value = registers.fresh(Class::Word);
    code.push(format!(
        "@{loads} {} {value}, {address}{};",
        text.opcode, text.rest
    ));
    Some(value)
}

fn address(base: &str, offset: i64) -> String {
    match offset {
        0 => format!("[{base}]"),
        _ => format!("[{base}+{offset}]"),
    }
}

impl Ring {
    /// The predicate of a comparison, in whole warps.
    fn compare(&self, how: &str, predicate: &str, one: &str, other: i64) -> String {
        match &self.whole {
            Some(whole) => format!("setp.{how}.and.u32 {predicate}, {one}, {other}, {whole};"),
            None => format!("setp.{how}.u32 {predicate}, {one}, {other};"),
        }
    }

    /// The exchange of a destination: its target receives the value that lane `lane + delta` loaded at the source, or the
    /// `halo` of the lane that many behind the warp's other end.
    pub fn exchange(
        &self,
        exchange: &Exchange,
        halo: &str,
        code: &mut Code,
        registers: &mut Registers,
    ) -> Option<()> {
        let delta = exchange.lanes.shift()?;
        let (value, target) = (exchange.value, exchange.target);
        let mask = &exchange.setup.mask;
        let beyond = if delta > 0 { &self.down } else { &self.up };
        let beyond = beyond.as_ref()?;
        let bit = 1u32.checked_shl(delta.unsigned_abs().into())?;
        let gives = registers.fresh(Class::Predicate);
        let one = code.word(registers, |new| {
            format!("and.b32 {new}, {beyond}, {bit:#x};")
        });
        code.push(format!("setp.ne.s32 {gives}, {one}, 0;"));
        let given = code.word(registers, |new| {
            format!("selp.b32 {new}, {halo}, {value}, {gives};")
        });
        let lane = &self.lane;
        let from = code.word(registers, |new| format!("add.s32 {new}, {lane}, {delta};"));
        code.push(format!(
            "shfl.sync.idx.b32 {target}, {given}, {from}, 31, {mask};"
        ));
        Some(())
    }
}

impl Writer<'_, '_, '_> {
    /// The clamps of F31 for destinations that are not served, rows checked; and the bits of the others. Checks are made by
    /// all lanes for all: a chain of neighbours leads from the halo to the lane that it stands for.
    pub(super) fn halo(&mut self) -> (Setup, Ring) {
        let mask = self.active_mask();
        let lane = self.lane();
        let mut whole = self.whole_warp(&mask);
        if !self.region.whole_rows {
            let groups = self.whole_groups(WARP as u8, Some(whole));
            whole = groups.unwrap_or_default();
        }
        if !self.region.checks.is_empty() {
            self.push(format!("vote.sync.all.pred {whole}, {whole}, {mask};"));
        }
        let ok = Some(whole.clone());
        let corner = self.clamps(
            |w| w.select("31", &lane, &ok),
            |w| w.select("0", &lane, &ok),
        );
        let ring = self.ring(Some(whole), &lane);
        (Setup::shifts(mask, lane, corner), ring)
    }

    /// What a warp must meet to enter a copy: rows are whole warps, and the checks of the region hold.
    pub(super) fn halo_condition(&mut self) -> Option<String> {
        let unchecked = active(Mutation::HaloChecksDropped);
        let holds = match unchecked {
            true => None,
            false => self.checked(),
        };
        match self.region.whole_rows {
            true => holds,
            false => self.whole_groups(WARP as u8, holds),
        }
    }

    /// In a copy nothing is left to ask.
    pub(super) fn halo_in_copy(&mut self) -> (Setup, Ring) {
        let lane = self.lane();
        let corner = self.clamps(|_| "31".to_string(), |_| "0".to_string());
        let ring = self.ring(None, &lane);
        (Setup::shifts("-1".to_string(), lane, corner), ring)
    }

    fn ring(&mut self, whole: Option<String>, lane: &str) -> Ring {
        // A shift by 32 gives 0.
        let down = self
            .region
            .down
            .then(|| self.word(|new| format!("shl.b32 {new}, -2, {lane};")));
        let up = self.region.up.then(|| {
            let left = self.word(|new| format!("sub.s32 {new}, 32, {lane};"));
            self.word(|new| format!("shl.b32 {new}, -1, {left};"))
        });
        Ring {
            whole,
            lane: lane.to_string(),
            down,
            up,
        }
    }
}
