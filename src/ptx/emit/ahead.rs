//! Shuffles that stand right behind their source, where lanes may part.
//!
//! Where the assembler can't tell that a warp is together, it writes each `shfl.sync` twice, for warps that are and for
//! others, and both ways meet again behind it. Shuffles side by side share that: k6 under F takes 60 instructions for 95 on
//! sm_80, k3 8 less in each iteration. From sm_90 on there is no gain.
//!
//! The shuffle does the same in both places: they are in one block, no branch or label is between them, source, clamp and mask
//! are ready at the first, and the destination's register, which is set earlier, is mentioned nowhere in front of its load.

use super::Writer;
use super::load::Load;
use crate::ptx::ast::{Body, Guard, Instruction, Module, Operand, StatementKind};
use crate::ptx::decode::target;
use crate::shuffle::plan::{Plan, Shuffle};
use crate::support::mutation::{Mutation, active};
use rustc_hash::FxHashMap;

/// The first target without a gain.
const NO_GAIN: u32 = 90;

/// What the text says of statements and registers.
#[derive(Debug, Default)]
pub struct Ahead<'t> {
    /// The first statement that mentions a name.
    first: FxHashMap<&'t str, u32>,
    /// Statements at which blocks or scopes begin or end, or names, in order.
    bounds: Vec<u32>,
    /// Statements in front of which values of the original are read by new instructions, in order.
    readings: Vec<u32>,
}

impl<'t> Ahead<'t> {
    /// None for a plan without masks that are tracked, and where nothing is gained.
    pub fn new(module: &Module<'t>, body: &Body, plan: &Plan) -> Option<Self> {
        if plan.masks.is_empty() || target(module) >= NO_GAIN {
            return None;
        }
        let mut ahead = Ahead {
            readings: readings(plan),
            ..Ahead::default()
        };
        for (number, statement) in (0..).zip(&body.statements) {
            match &statement.kind {
                StatementKind::Instruction(instruction) => {
                    if ends_block(module.str(instruction.opcode)) {
                        ahead.bounds.push(number);
                    }
                    ahead.mention(module, instruction, number);
                }
                // Behind a declaration a name may be that of another register.
                StatementKind::Label(_)
                | StatementKind::Open
                | StatementKind::Close
                | StatementKind::Variable(_) => ahead.bounds.push(number),
                StatementKind::Location(_) | StatementKind::Directive(_) => {}
            }
        }
        Some(ahead)
    }

    fn mention(&mut self, module: &Module<'t>, instruction: &Instruction, statement: u32) {
        let mut names = Vec::new();
        names.extend(instruction.guard.map(|Guard { register, .. }| register));
        let mut rest = vec![module.operands(instruction)];
        while let Some(operands) = rest.pop() {
            for operand in operands {
                match *operand {
                    Operand::Name { span, .. } => names.push(span),
                    Operand::Vector { elements, .. }
                    | Operand::Pair { elements, .. }
                    | Operand::Parenthesised { elements, .. } => rest.push(module.list(elements)),
                    Operand::Address {
                        base, rest: more, ..
                    } => {
                        names.extend(base);
                        rest.push(module.list(more));
                    }
                    Operand::Element { base, index, .. } => {
                        names.push(base);
                        rest.push(module.list(index));
                    }
                    Operand::Integer { .. }
                    | Operand::Float { .. }
                    | Operand::String(_)
                    | Operand::Sink(_) => {}
                }
            }
        }
        for name in names {
            // `%v.x` is a part of `%v`.
            let name = module.str(name);
            let whole = name.split('.').next().unwrap_or(name);
            self.first.entry(whole).or_insert(statement);
        }
    }

    /// Whether nothing keeps what sets the registers of `load`, a destination, from standing behind the statement `source`.
    fn free(&self, source: u32, destination: u32, load: &Load) -> bool {
        let none = |sorted: &[u32]| {
            let next = sorted.partition_point(|&at| at <= source);
            sorted.get(next).is_none_or(|&at| at > destination)
        };
        let mut held = load.elements.iter().flatten();
        let fresh = held.all(|held| self.first.get(held.name) == Some(&destination));
        source < destination
            && none(&self.bounds)
            && none(&self.readings)
            && (fresh || active(Mutation::AheadOfReader))
    }
}

impl Writer<'_, '_, '_> {
    /// The source behind which a shuffle can stand.
    pub(super) fn ahead(&self, shuffle: &Shuffle, load: &Load) -> Option<u32> {
        let ahead = self.ahead.as_ref()?;
        let [part] = shuffle.parts.as_slice() else {
            return None;
        };
        let source = self.plan.sources.get(part.source as usize)?;
        let region = self.plan.regions.get(source.region as usize)?;
        let plain = shuffle.checks.is_empty()
            && load.guard.is_none()
            && source.carried.is_none()
            && source.within == shuffle.within;
        let ready = region.mask.is_some() && region.before <= source.statement;
        let free = ahead.free(source.statement, shuffle.destination, load);
        (plain && ready && free).then_some(source.statement)
    }
}

/// Where checks and what a loop carries are read; the values of a source's checks are there behind it.
fn readings(plan: &Plan) -> Vec<u32> {
    let regions = plan.regions.iter().filter(|one| !one.checks.is_empty());
    let sources = plan.sources.iter();
    let carried = sources.clone().filter_map(|one| one.carried.as_ref());
    let checked = sources.filter(|one| !one.checks.is_empty());
    let narrowed = plan.shuffles.iter().filter(|one| !one.checks.is_empty());
    let mut found: Vec<u32> = regions
        .map(|one| one.before)
        .chain(carried.map(|one| one.before))
        .chain(checked.map(|one| one.statement))
        .chain(narrowed.map(|one| one.destination))
        .collect();
    found.sort_unstable();
    found
}

/// Whether an instruction is a branch or like one.
fn ends_block(opcode: &str) -> bool {
    let root = opcode.split('.').next().unwrap_or_default().trim_end();
    matches!(root, "bra" | "brx" | "call" | "ret" | "exit" | "trap")
}
