//! New instructions in the words of set-ups and exchanges.

use ptxasw_ir::op::{Comparison, Logic, Op, Permute};
use ptxasw_ir::opcode::{Opcode, ShuffleMode, VoteMode};
use ptxasw_ir::patch::{Cursor, Location, Patch, Ref, Step};
use ptxasw_ir::types::{Special, Type};

/// A constant of 32 bits.
pub(super) const fn word(bits: u32) -> Ref {
    Ref::Constant(32, bits as u64)
}

/// Instructions at one place of a patch.
pub(super) struct Code<'a>(Cursor<'a>);

impl<'a> Code<'a> {
    /// They take the place of the statement `origin`; `next` numbers all new values of the patch.
    pub fn new(next: &'a mut u32, origin: u32) -> Self {
        Code(Cursor::new(next, origin))
    }

    /// Goes on after what other code wrote at the same place.
    pub fn after(next: &'a mut u32, origin: u32, steps: Vec<Step>) -> Self {
        Code(Cursor::after(next, origin, steps))
    }

    /// What is written, for code that goes on.
    pub fn steps(self) -> Vec<Step> {
        self.0.steps()
    }

    /// Puts them into the patch.
    pub fn done(self, patch: &mut Patch, at: impl Into<Location>) {
        if !self.0.is_empty() {
            self.0.done(patch, at);
        }
    }

    /// A pure operation with one result.
    pub fn op(&mut self, op: Op, args: &[Ref]) -> Ref {
        self.0.single(op, args)
    }

    /// All results of a pure operation.
    pub fn all(&mut self, op: Op, args: &[Ref]) -> Vec<Ref> {
        self.0.op(op, args).into_iter().map(Ref::New).collect()
    }

    /// A special register, read once.
    pub fn special(&mut self, special: Special) -> Ref {
        self.op(Op::Copy { width: 32 }, &[Ref::Special(32, special)])
    }

    pub fn add(&mut self, width: u8, a: Ref, b: Ref) -> Ref {
        self.op(Op::Add { width }, &[a, b])
    }

    pub fn sub(&mut self, width: u8, a: Ref, b: Ref) -> Ref {
        self.op(Op::Sub { width }, &[a, b])
    }

    pub fn and(&mut self, width: u8, a: Ref, b: Ref) -> Ref {
        self.op(Op::And { width }, &[a, b])
    }

    pub fn or(&mut self, width: u8, a: Ref, b: Ref) -> Ref {
        self.op(Op::Or { width }, &[a, b])
    }

    pub fn not(&mut self, width: u8, a: Ref) -> Ref {
        self.op(Op::Not { width }, &[a])
    }

    /// A word, shifted to the left; 32 and more give 0.
    pub fn shl(&mut self, a: Ref, by: Ref) -> Ref {
        self.op(Op::Shl { width: 32 }, &[a, by])
    }

    /// The smaller of two signed words.
    pub fn min(&mut self, a: Ref, b: Ref) -> Ref {
        let (width, signed, relu) = (32, true, false);
        self.op(
            Op::Min {
                width,
                signed,
                relu,
            },
            &[a, b],
        )
    }

    /// The larger of two signed words.
    pub fn max(&mut self, a: Ref, b: Ref) -> Ref {
        let (width, signed, relu) = (32, true, false);
        self.op(
            Op::Max {
                width,
                signed,
                relu,
            },
            &[a, b],
        )
    }

    /// `yes` where the predicate is true, else `no`.
    pub fn select(&mut self, width: u8, yes: Ref, no: Ref, predicate: Ref) -> Ref {
        self.op(Op::Select { width }, &[yes, no, predicate])
    }

    /// The bytes of two words that a selector names (`prmt`).
    pub fn permute(&mut self, low: Ref, high: Ref, selector: u32) -> Ref {
        let permute = Op::Prmt(Permute::Index);
        self.op(permute, &[low, high, word(selector)])
    }

    /// The lower bits of a value, or an extension of it; the value itself where there is nothing to do.
    pub fn extend(&mut self, value: Ref, from: u8, to: u8, signed: bool) -> Ref {
        match from == to {
            true => value,
            false => self.op(Op::Extend { from, to, signed }, &[value]),
        }
    }

    /// A comparison, and `held` where it is there.
    pub fn compare(
        &mut self,
        comparison: Comparison,
        ty: Type,
        (a, b): (Ref, Ref),
        held: Option<Ref>,
    ) -> Ref {
        self.compare_with(comparison, ty, (a, b), held.map(|held| (Logic::And, held)))
    }

    /// A comparison, or `other`.
    pub fn compare_or(
        &mut self,
        comparison: Comparison,
        ty: Type,
        (a, b): (Ref, Ref),
        other: Ref,
    ) -> Ref {
        self.compare_with(comparison, ty, (a, b), Some((Logic::Or, other)))
    }

    fn compare_with(
        &mut self,
        comparison: Comparison,
        ty: Type,
        (a, b): (Ref, Ref),
        other: Option<(Logic, Ref)>,
    ) -> Ref {
        let compare = Op::Compare {
            comparison,
            ty,
            logic: other.map(|(logic, _)| logic),
            ftz: false,
        };
        let mut args = vec![a, b];
        args.extend(other.map(|(_, other)| other));
        self.op(compare, &args)
    }

    /// Whether a word is this number, and `held` where it is there.
    pub fn equals(&mut self, a: Ref, number: u32, held: Option<Ref>) -> Ref {
        self.compare(Comparison::Eq, Type::S32, (a, word(number)), held)
    }

    /// The threads that are here together; under a guard, those of them that pass it read it.
    pub fn active_mask(&mut self, guard: Option<(Ref, bool)>) -> Ref {
        Ref::New(self.0.inst(Opcode::ActiveMask, &[], &[32], guard)[0])
    }

    /// Whether a predicate is true for all, or the same for all, threads of a mask.
    pub fn vote(&mut self, mode: VoteMode, predicate: Ref, mask: Ref) -> Ref {
        let opcode = Opcode::Vote { mode, sync: true };
        let width = if mode == VoteMode::Ballot { 32 } else { 1 };
        Ref::New(self.0.inst(opcode, &[predicate, mask], &[width], None)[0])
    }

    /// Whether a word is the same for all threads of a warp.
    pub fn all_same(&mut self, value: Ref) -> Ref {
        let (all, width) = (true, 32);
        let matched = Opcode::Match { all, width };
        let results = self
            .0
            .inst(matched, &[value, word(u32::MAX)], &[32, 1], None);
        Ref::New(results[1])
    }

    /// What another lane has, and whether it is within the clamp.
    pub fn shuffle(
        &mut self,
        mode: ShuffleMode,
        value: Ref,
        (lane, clamp): (Ref, Ref),
        mask: Ref,
    ) -> (Ref, Ref) {
        let opcode = Opcode::Shuffle { mode, sync: true };
        let args = [value, lane, clamp, mask];
        let results = self.0.inst(opcode, &args, &[32, 1], None);
        (Ref::New(results[0]), Ref::New(results[1]))
    }

    /// Any instruction with one result.
    pub fn inst(
        &mut self,
        opcode: Opcode,
        args: &[Ref],
        width: u8,
        guard: Option<(Ref, bool)>,
    ) -> Ref {
        Ref::New(self.0.inst(opcode, args, &[width], guard)[0])
    }

    /// A predicate with its sense, as one that is true where it holds.
    pub fn plain(&mut self, (predicate, negated): (Ref, bool)) -> Ref {
        match negated {
            true => self.not(1, predicate),
            false => predicate,
        }
    }
}
