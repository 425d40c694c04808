//! Values as sums of earlier ones.
//!
//! The affine terms of a value and of an earlier one are compared: without their constants, or without one of their atoms. What
//! the earlier value lacks is a constant, or a multiple of that atom, which some value has, or which is computed once.

use super::plan::Form;
use super::scope::{Key, Known, MAX_ATOMS, hash, hash_all};
use super::{Straight, cost};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::{Atoms, TermId, mask, signed};
use ptxasw_ir::function::{InstId, Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use smallvec::SmallVec;

/// Constants that an access has room for: 24 bits with a sign (`LDG [R2.64+0x7ffffc]`; `ptxas` takes a larger one out of it).
const RANGE: std::ops::Range<i64> = -(1 << 23)..1 << 23;

/// What is added to an earlier value, besides a constant.
#[derive(Clone, Copy)]
enum Addend {
    Nothing,
    /// A value, subtracted if so.
    Value(Value, bool),
    /// A multiple of a value, subtracted if so.
    Multiple(Value, u64, bool),
}

/// A value as a sum.
#[derive(Clone, Copy)]
struct Sum {
    base: Value,
    plus: Addend,
    constant: u64,
}

/// A value that is looked for.
struct Wanted {
    id: InstId,
    term: TermId,
    width: u8,
    constant: u64,
    atoms: Atoms,
    /// All who read it access memory there: they take a constant at no cost.
    address: bool,
}

impl Straight<'_> {
    /// The sum that saves the most, if one costs less than the statement that gives the value.
    pub(super) fn sum(&mut self, id: InstId, value: Value) -> Option<Form> {
        let term = self.emulation.value(value)?;
        let width = self.emulation.terms.width(term);
        if !matches!(width, 32 | 64) || self.is_offset(id) {
            return None;
        }
        let (constant, atoms) = self.emulation.terms.affine(term);
        let wanted = Wanted {
            id,
            term,
            width,
            constant,
            atoms,
            address: self.plan.uses.is_address(value),
        };
        let mut best: Option<((u32, bool, bool), Sum)> = None;
        for sum in self.sums(&wanted) {
            let (price, saved) = (wanted.price(&sum), self.plan.saved(id, &sum.reads()));
            let offset = matches!(sum.plus, Addend::Nothing);
            // The next value at this stride finds the multiple computed. In 32 bits a product and a sum are one instruction.
            let shared = matches!(sum.plus, Addend::Multiple(..)) && wanted.width > 32;
            let least = u32::from(!shared);
            let Some(gain) = saved.checked_sub(price).filter(|&gain| gain >= least) else {
                continue;
            };
            let rank = (gain, offset, sum.constant == 0);
            // Of values at constant offsets the first serves all others; of values at strides the nearest is a stride away.
            let better = |&(other, _): &((u32, bool, bool), Sum)| match offset {
                true => rank > other,
                false => rank >= other,
            };
            if best.as_ref().is_none_or(better) {
                best = Some((rank, sum));
            }
        }
        best.map(|(_, sum)| self.form(&wanted, sum))
    }

    /// Whether a statement adds a constant to a value: the assembler sees that by itself.
    fn is_offset(&self, id: InstId) -> bool {
        let inst = self.session.function.inst(id);
        let number = |&value: &Value| {
            let def = &self.session.function.value(value).def;
            matches!(def, ValueDef::Constant(_))
        };
        matches!(inst.opcode, Opcode::Op(Op::Add { .. } | Op::Sub { .. }))
            && inst.args.iter().any(number)
    }

    /// The sums of earlier values that a value is.
    fn sums(&mut self, wanted: &Wanted) -> SmallVec<[Sum; 8]> {
        let mut sums = SmallVec::new();
        let all = hash_all(&wanted.atoms);
        for known in self.serving(Key::Atoms(wanted.width, all), wanted) {
            let terms = &self.emulation.terms;
            let constant = terms.constant_apart(known.term, wanted.term);
            let constant = constant.filter(|&bits| in_range(wanted.width, bits));
            sums.extend(constant.map(|constant| Sum {
                base: known.value,
                plus: Addend::Nothing,
                constant: dropped(constant),
            }));
        }
        if wanted.atoms.len() > MAX_ATOMS {
            return sums;
        }
        for &one in &wanted.atoms {
            let others = all.wrapping_sub(hash(one));
            let without = self.serving(Key::Atoms(wanted.width, others), wanted);
            let with = self.serving(Key::Others(wanted.width, others, one.0), wanted);
            for known in without.into_iter().chain(with) {
                sums.extend(self.stride(wanted, known, one));
            }
        }
        sums
    }

    /// The earlier values with a key that may serve.
    fn serving(&self, key: Key, wanted: &Wanted) -> SmallVec<[Known; 2]> {
        let block = self.session.function.inst(wanted.id).block;
        let found = self.scope.of(key);
        found.filter(|known| self.serves(known, block)).collect()
    }

    /// A value as an earlier one plus what that lacks of an atom.
    fn stride(
        &mut self,
        wanted: &Wanted,
        known: Known,
        (atom, coefficient): (TermId, u64),
    ) -> Option<Sum> {
        let (less, own) = self.emulation.terms.affine(known.term);
        let other = |one: &&(TermId, u64)| one.0 != atom;
        let alike = own
            .iter()
            .filter(other)
            .eq(wanted.atoms.iter().filter(other));
        if !alike {
            return None;
        }
        let has = own.iter().find(|one| one.0 == atom);
        let step = coefficient.wrapping_sub(has.map_or(0, |one| one.1)) & mask(wanted.width);
        let constant = wanted.constant.wrapping_sub(less) & mask(wanted.width);
        if step == 0 || !in_range(wanted.width, constant) {
            return None;
        }
        let (plus, constant) = self.addend(wanted, atom, step, constant)?;
        Some(Sum {
            base: known.value,
            plus,
            constant: dropped(constant),
        })
    }

    /// What is `step` times an atom plus a constant, and the constant that is left of it.
    fn addend(
        &mut self,
        wanted: &Wanted,
        atom: TermId,
        step: u64,
        constant: u64,
    ) -> Option<(Addend, u64)> {
        let (width, block) = (wanted.width, self.session.function.inst(wanted.id).block);
        let negated = step.wrapping_neg() & mask(width);
        let terms = &mut self.emulation.terms;
        let exact = terms.sum(width, constant, &[(atom, step)]);
        let [plus, minus] = [step, negated].map(|step| terms.scale(atom, step));
        let turned = active(Mutation::ScalarStrideNegated);
        if let Some(value) = self.named(exact, block) {
            return Some((Addend::Value(value, turned), 0));
        }
        if let Some(value) = self.named(plus, block) {
            return Some((Addend::Value(value, turned), constant));
        }
        if let Some(value) = self.named(minus, block) {
            return Some((Addend::Value(value, !turned), constant));
        }
        let of = self.named(atom, block)?;
        let (factor, subtract) = match signed(width, step) < 0 {
            true => (negated, true),
            false => (step, false),
        };
        Some((Addend::Multiple(of, factor, subtract), constant))
    }

    /// A sum as a form: a multiple that it needs is computed once, for all sums that follow.
    fn form(&mut self, wanted: &Wanted, sum: Sum) -> Form {
        let plus = match sum.plus {
            Addend::Nothing => None,
            Addend::Value(value, subtract) => Some((value, subtract)),
            Addend::Multiple(of, factor, subtract) => {
                let value = self.plan.add_multiple(wanted.id, wanted.width, of, factor);
                let term = self.emulation.value(of);
                if let Some(atom) = term {
                    let term = self.emulation.terms.scale(atom, factor);
                    let block = self.session.function.inst(wanted.id).block;
                    let known = Known { value, block, term };
                    self.scope.push(Key::Term(term), known);
                }
                Some((value, subtract))
            }
        };
        Form::Sum {
            base: sum.base,
            plus,
            constant: sum.constant,
        }
    }
}

impl Wanted {
    /// What a sum costs.
    fn price(&self, sum: &Sum) -> u32 {
        let addition = cost::addition(self.width);
        let plus = match sum.plus {
            Addend::Nothing => 0,
            Addend::Value(..) => addition,
            Addend::Multiple(_, factor, _) => addition + cost::multiple(self.width, factor),
        };
        match self.address || sum.constant == 0 {
            true => plus,
            false => plus + addition,
        }
    }
}

impl Sum {
    fn reads(&self) -> SmallVec<[Value; 2]> {
        let plus = match self.plus {
            Addend::Nothing => None,
            Addend::Value(value, _) | Addend::Multiple(value, ..) => Some(value),
        };
        std::iter::once(self.base).chain(plus).collect()
    }
}

fn in_range(width: u8, bits: u64) -> bool {
    RANGE.contains(&signed(width, bits))
}

/// The constant itself, unless the tool is broken.
fn dropped(constant: u64) -> u64 {
    match active(Mutation::ScalarConstantDropped) {
        true => 0,
        false => constant,
    }
}
