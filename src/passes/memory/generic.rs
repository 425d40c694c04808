//! Generic accesses whose pointers are tested: the entry asks once for each pointer whether it is one of global memory.
//!
//! Which values of an address can be addresses themselves is a fixpoint over its definition, as in gpucc's inference of memory spaces
//! (Wu et al., section 4): sums, selects and loops pass them on, products and differences take none.

use super::accesses::AccessId;
use super::conflicts::Conflicts;
use super::entry::Entry;
use crate::rules::rules;
use ptxasw_emulator::term::TermId;
use ptxasw_ir::function::{BlockId, Function, InstId, Value, ValueDef};
use ptxasw_ir::op::{Op, Product};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Space;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Values of one address that are looked at.
const MAX_VALUES: usize = 256;
/// Values of one address that can be addresses: a pointer, and distances that look like one.
const MAX_POINTERS: usize = 4;
/// Factors from here on may make the upper half of an address.
const UPPER: u64 = 1 << 30;

/// Pointers that the entry tests.
#[derive(Clone, Debug, Default)]
pub struct Generic {
    /// The pointers.
    pub pointers: BTreeSet<TermId>,
    /// The accesses through them, which are of global memory.
    pub accesses: FxHashSet<AccessId>,
}

/// How a value goes into an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Contribution {
    Added,
    Subtracted,
    /// Times a constant.
    Multiplied(u64),
}

impl Contribution {
    fn of(self, inner: Contribution) -> Self {
        match (self, inner) {
            (Contribution::Multiplied(outer), Contribution::Multiplied(inner)) => {
                Contribution::Multiplied(outer.wrapping_mul(inner))
            }
            (Contribution::Multiplied(_), _) | (_, Contribution::Added) => self,
            (_, Contribution::Multiplied(_)) => inner,
            (Contribution::Added, Contribution::Subtracted) => Contribution::Subtracted,
            (Contribution::Subtracted, Contribution::Subtracted) => Contribution::Added,
        }
    }
}

impl Conflicts<'_> {
    /// Whether it is not known of an access of which space it is.
    pub fn is_generic(&self, id: AccessId) -> bool {
        let access = self.known.accesses.get(id);
        let event = &self.known.events[access.event as usize];
        event.space == Space::Generic
            && access.access.space == Space::Generic
            && event.unconverted.is_none()
    }

    /// The generic accesses of what is changed, where the entry has their pointers.
    pub fn generic(&mut self, entry: &Entry) -> Generic {
        let mut by_pointers: BTreeMap<BTreeSet<TermId>, Vec<AccessId>> = BTreeMap::new();
        for id in self.known.accesses.ids() {
            let access = self.known.accesses.get(id);
            if !self.is_generic(id) || !self.may_change(access) {
                continue;
            }
            let address = self.known.function.inst(access.inst).args.first();
            let pointers = address.and_then(|&address| self.pointers(address));
            let ready = |(value, factor): (Value, u64)| {
                let term = self.terms.scale(self.known.values[value.index()]?, factor);
                entry.ready(self.terms, term).map(|_| term)
            };
            let pointers = pointers.unwrap_or_default().into_iter().map(ready);
            let pointers: Option<BTreeSet<TermId>> = pointers.collect();
            if let Some(pointers) = pointers.filter(|pointers| !pointers.is_empty()) {
                by_pointers.entry(pointers).or_default().push(id);
            }
        }
        let often = by_pointers.iter();
        let often = often.filter(|(_, accesses)| accesses.len() >= rules().spaces.accesses);
        let pointers: BTreeSet<TermId> = often.flat_map(|(all, _)| all).copied().collect();
        by_pointers.retain(|own, _| own.is_subset(&pointers));
        Generic {
            pointers,
            accesses: by_pointers.into_values().flatten().collect(),
        }
    }

    /// The values of an address that can be addresses, each times a constant; none if something else may be one.
    fn pointers(&self, address: Value) -> Option<Vec<(Value, u64)>> {
        let mut pointers = BTreeSet::new();
        let mut work = vec![(address, Contribution::Added)];
        let mut seen: FxHashSet<(Value, Contribution)> = FxHashSet::default();
        while let Some((value, part)) = work.pop() {
            let data = self.known.function.value(value);
            if data.width < 64 || !seen.insert((value, part)) {
                continue;
            }
            if seen.len() > MAX_VALUES || pointers.len() > MAX_POINTERS {
                return None;
            }
            match data.def {
                // No address of a program that means something rests on an undefined value.
                ValueDef::Constant(_) | ValueDef::Undefined => {}
                ValueDef::Parameter(block, number) => {
                    self.enter(block, number, |value| work.push((value, part)))?;
                }
                ValueDef::Result(id, _) => match parts(self.known.function, id)? {
                    Parts::Leaf => match part {
                        Contribution::Added => drop(pointers.insert((value, 1))),
                        Contribution::Subtracted => {}
                        Contribution::Multiplied(factor) => drop(pointers.insert((value, factor))),
                    },
                    Parts::Of(parts) => {
                        let parts = parts.into_iter();
                        work.extend(parts.map(|(value, inner)| (value, part.of(inner))));
                    }
                },
                _ => return None,
            }
        }
        Some(pointers.into_iter().collect())
    }

    /// What comes into a parameter of a block; none if it is one of the function.
    fn enter(&self, block: BlockId, number: u16, mut visit: impl FnMut(Value)) -> Option<()> {
        let mut any = None;
        for before in self.known.analyses.cfg.predecessors(block) {
            for target in self.known.function.block(before).terminator.targets() {
                if target.block == block {
                    visit(*target.args.get(usize::from(number))?);
                    any = Some(());
                }
            }
        }
        any
    }
}

/// What a value of 64 bits is made of.
enum Parts {
    /// It comes from memory or from other lanes.
    Leaf,
    /// Of these.
    Of(Vec<(Value, Contribution)>),
}

/// What the result of an instruction is made of; none if an address may be hidden in it.
fn parts(function: &Function, id: InstId) -> Option<Parts> {
    use Contribution::{Added, Multiplied, Subtracted};
    let inst = function.inst(id);
    let constant = |arg: usize| match function.value(*inst.args.get(arg)?).def {
        ValueDef::Constant(bits) => Some(bits.cast_signed().unsigned_abs()),
        _ => None,
    };
    let op = match inst.opcode {
        Opcode::Load(_) => return Some(Parts::Leaf),
        Opcode::Op(op) => op,
        _ => return None,
    };
    let how: Vec<Contribution> = match op {
        Op::Pack { .. } => return Some(Parts::Leaf),
        Op::Copy { .. } => vec![Added],
        Op::Add { .. } | Op::And { .. } | Op::Or { .. } | Op::Select { .. } => vec![Added, Added],
        Op::Sub { .. } => vec![Added, Subtracted],
        Op::Neg { .. } => vec![Subtracted],
        Op::Shl { .. } if constant(1)? < u64::from(UPPER.trailing_zeros()) => {
            vec![Multiplied(1 << constant(1)?)]
        }
        Op::Mul { product, .. } => match (product, constant(0).or(constant(1))) {
            (Product::Low, Some(factor)) if factor < UPPER => {
                vec![Multiplied(factor); 2]
            }
            (Product::Low, Some(_)) | (Product::High, _) => return None,
            // Of two unknown numbers, or of 32 bits each: no address.
            (Product::Low, None) | (Product::Wide, _) => Vec::new(),
        },
        // What is added is the third operand.
        Op::MulAdd { product, .. } => match (product, constant(0).or(constant(1))) {
            (Product::Low, Some(_)) | (Product::High, _) => return None,
            _ => return Some(Parts::Of(vec![(*inst.args.get(2)?, Added)])),
        },
        // Of at most 32 bits, extended.
        Op::Extend { from, .. } if from <= 32 => Vec::new(),
        Op::Convert { from, .. } if from.bits <= 32 => Vec::new(),
        _ => return None,
    };
    Some(Parts::Of(inst.args.iter().copied().zip(how).collect()))
}
