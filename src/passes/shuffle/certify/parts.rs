//! What obligations are made of: hypotheses that the emitted code guarantees, claims, and words.

use crate::shuffle::model::proved::{Basis, ProvedPart};
use crate::shuffle::plan::Check;
use crate::shuffle::prove::memory::Reason;
use ptxasw_emulator::domains::alias::Harmless;
use ptxasw_emulator::solver::Reading;
use ptxasw_emulator::solver::disjoint::{Apart, Under};
use ptxasw_emulator::solver::statement::{Claim, Hypothesis};
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_emulator::trace::Event;
use ptxasw_ir::lanes::LaneMap;
use std::rc::Rc;

/// A run-time check as it is emitted, with the term that it tests.
#[derive(Clone, Debug)]
pub(in crate::shuffle) struct Emitted {
    pub check: Check,
    /// `register - minus`, as the emulator has the values in those registers.
    pub tested: TermId,
}

/// The evidence for one part of a planned shuffle.
pub(in crate::shuffle) struct Evidence<'e> {
    pub part: &'e ProvedPart,
    pub basis: &'e Basis,
    pub source: &'e Event,
    /// The emitted form of each run-time check that the proof asks for, in the order of [`ProvedPart::wanted`].
    pub checks: Vec<Rc<Emitted>>,
    /// The check of the addresses' distance.
    pub distance: Option<Emitted>,
}

/// C5, which the corner predicate of every wrapping guarantees: the other thread is one of this row and this warp.
pub(super) fn neighbour(terms: &mut Terms, map: LaneMap) -> Vec<Hypothesis> {
    let numbers: Vec<TermId> = terms.lane_numbers().collect();
    numbers
        .into_iter()
        .map(|number| {
            let (_, greatest) = terms.unsigned_range(number);
            let greatest = terms.constant(terms.width(number), greatest);
            let moved = terms.map_lane(number, map);
            let above = terms.less(false, greatest, moved);
            Hypothesis {
                term: terms.not(above),
                why: format!("clamp: lane {map} is in this row and warp"),
            }
        })
        .collect()
}

/// A run-time check as a hypothesis: where it fails, the lane loads for itself.
pub(super) fn hypothesis(terms: &mut Terms, emitted: &Emitted) -> Hypothesis {
    let check = &emitted.check;
    let sum = terms.offset(emitted.tested, check.offset);
    let limit = terms.constant(check.width, check.limit);
    let above = terms.less(false, limit, sum);
    let minus = check.minus.as_ref();
    Hypothesis {
        term: terms.not(above),
        why: format!(
            "checked at run time in lane t: {}{} + {:#x} <= {:#x}, unsigned",
            check.register,
            minus.map_or_else(String::new, |minus| format!(" - {minus}")),
            check.offset,
            check.limit
        ),
    }
}

/// So many bytes from an address are none that a load reads.
pub(super) fn apart(address: TermId, bytes: u32, load: &Event) -> Option<Claim> {
    Some(Claim::Apart {
        address,
        bytes,
        other: load.address?,
        other_bytes: load.bytes,
    })
}

/// Two terms `left`, `right` and a factor with `from - to = factor * (left - right)`: what both have in common cancels out,
/// which saves solvers most of the work. They are the terms themselves if nothing would be left.
pub(super) fn reduced(terms: &mut Terms, from: TermId, to: TermId) -> (TermId, TermId, u64) {
    let difference = terms.sub(from, to);
    if terms.as_const(difference).is_some() {
        return (from, to, 1);
    }
    let width = terms.width(difference);
    let (constant, atoms) = terms.affine(difference);
    let shift = atoms
        .iter()
        .map(|(_, coefficient)| coefficient.trailing_zeros())
        .fold(constant.trailing_zeros().min(63), u32::min);
    let (mut left, mut right) = (terms.constant(width, 0), terms.constant(width, 0));
    let parts = atoms
        .into_iter()
        .map(|(atom, coefficient)| (Some(atom), coefficient));
    for (atom, coefficient) in parts.chain([(None, constant)]) {
        let coefficient = (coefficient as i64) >> shift;
        let side = if coefficient < 0 {
            &mut right
        } else {
            &mut left
        };
        *side = match atom {
            Some(atom) => {
                let part = terms.scale(atom, coefficient.unsigned_abs());
                terms.add(*side, part)
            }
            None => terms.offset(*side, coefficient.unsigned_abs()),
        };
    }
    (left, right, 1 << shift)
}

/// A structural reason of C3 in words.
pub(super) fn words(reason: Reason, before: bool) -> String {
    let place = if before {
        "before the source"
    } else {
        "between source and destination"
    };
    let what = match reason {
        Reason::Harmless(_, Harmless::NoWrite) => "writes no memory",
        Reason::Harmless(_, Harmless::Spaces) => "writes another state space",
        Reason::Harmless(_, Harmless::Variables) => "writes another variable",
        Reason::Harmless(_, Harmless::Parameters) => {
            "writes what another parameter points to: assumed not to overlap, by choice of the user"
        }
        Reason::Harmless(_, Harmless::Declared) => {
            "writes what another parameter points to: one of the two is declared `noalias`"
        }
        Reason::Harmless(_, Harmless::Distance) | Reason::Apart(..) => "writes other bytes",
        Reason::OtherPointer => "writes by another pointer: assumed free of data races",
        Reason::OrderedByAll => "orders memory for all lanes",
    };
    format!("{place}: {what}")
}

/// Claims about one store, and what they rest on together.
#[derive(Default)]
pub(super) struct Claims {
    pub claims: Vec<Claim>,
    /// Some claim needs products spelled out.
    pub exact: bool,
    /// Path conditions of the destination.
    pub at_destination: bool,
    /// Path conditions of the store.
    pub at_store: bool,
}

impl Claims {
    pub fn add(&mut self, how: Apart, claim: Option<Claim>) {
        self.claims.extend(claim);
        self.exact |= how.reading == Reading::Exact;
        self.at_destination |= how.under != Under::Nothing;
        self.at_store |= how.under == Under::Both;
    }
}
