//! What can be computed at the kernel's entry: sums and products of what the entry block has in registers and all threads of the
//! block agree on, first of all the kernel's parameters.

use super::region::Region;
use crate::Session;
use ptxasw_emulator::term::{Binary, Node, TermId, Terms, Unary, mask};
use ptxasw_emulator::trace::{Event, Provenance};
use ptxasw_ir::function::{Function, Inst, InstId, Value, ValueData, ValueDef};
use ptxasw_ir::op::{Comparison, Op, Product};
use ptxasw_ir::opcode::{Opcode, ShuffleMode};
use ptxasw_ir::patch::{Cursor, Positions, Readable, Ref};
use ptxasw_ir::types::{Kind, Space, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// Operations that one term may take.
const MAX_NODES: usize = 32;
/// Operations that a bound of a loop may take.
const MAX_BOUND_NODES: usize = 128;

/// The pointers that the addresses of a function are made of.
#[derive(Debug, Default)]
pub struct Roots {
    /// Terms that parameters hold.
    pub pointers: FxHashSet<TermId>,
    /// Those that are declared to be multiples of so many bytes.
    pub aligned: FxHashMap<TermId, u64>,
}

impl Roots {
    /// Of the addresses of some events.
    pub fn new(function: &Function, events: &[Event]) -> Self {
        let mut roots = Roots::default();
        for event in events {
            let Provenance::Pointer {
                value, parameter, ..
            } = event.provenance
            else {
                continue;
            };
            roots.pointers.insert(value);
            let declared = parameter.and_then(|index| function.params.get(index as usize));
            if let Some(declared) = declared {
                roots.aligned.insert(value, declared.pointee_align.into());
            }
        }
        roots
    }

    /// The pointer that an atom is, or whose lower bits it is.
    pub fn of(&self, terms: &Terms, atom: TermId) -> Option<TermId> {
        let root = match *terms.node(atom) {
            Node::Unary(Unary::Extract(0), whole) => whole,
            _ => atom,
        };
        self.pointers.contains(&root).then_some(root)
    }
}

/// The values of the entry block, by their terms.
#[derive(Clone)]
pub struct Entry<'s> {
    session: &'s Session<'s>,
    /// The earliest value with a term.
    known: FxHashMap<TermId, Known>,
}

/// Where tests are written.
pub struct Writing<'c, 'a> {
    /// Where the steps go.
    pub at: &'c mut Cursor<'a>,
    /// Numbers are computed once.
    pub remembers: bool,
    /// Those that were computed.
    written: FxHashMap<TermId, Ref>,
}

impl<'c, 'a> Writing<'c, 'a> {
    /// Nothing is written yet.
    pub fn new(at: &'c mut Cursor<'a>, remembers: bool) -> Self {
        Writing {
            at,
            remembers,
            written: FxHashMap::default(),
        }
    }
}

impl<'a> std::ops::Deref for Writing<'_, 'a> {
    type Target = Cursor<'a>;

    fn deref(&self) -> &Cursor<'a> {
        self.at
    }
}

impl std::ops::DerefMut for Writing<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.at
    }
}

/// Whether the threads of a block share one test, which decides what values it may read (M8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tester {
    /// All threads of a block test the same.
    Block,
    /// Each thread tests for itself: lanes of a warp may be in different copies.
    Thread,
}

/// How a part of a term is had.
enum Parts {
    /// It is computed from its own parts.
    All,
    /// It is a value of the entry.
    Known,
}

/// A value that can be had in the entry block.
#[derive(Clone, Copy)]
struct Known {
    value: Value,
    /// After how many instructions of the block it can be read.
    after: usize,
    /// It is read further down, from a parameter that can be read here as well.
    parameter: Option<InstId>,
}

impl<'s> Entry<'s> {
    /// Looks at all values once.
    pub fn new(
        session: &'s Session<'s>,
        values: &[Option<TermId>],
        terms: &Terms,
        region: &Region,
        tester: Tester,
    ) -> Self {
        let function = session.function;
        let dominators = &session.analyses().dominators;
        let positions = Positions::new(function);
        let mut known: FxHashMap<TermId, Known> = FxHashMap::default();
        for (number, data) in (0..).zip(&function.values) {
            let value = Value(number);
            let Some(term) = values[number as usize] else {
                continue;
            };
            let mut parameter = None;
            let after = match data.def {
                ValueDef::Special(_) => 0,
                ValueDef::Parameter(block, _) if dominators.dominates(block, region.block) => 0,
                ValueDef::Result(id, number) => {
                    let inst = function.inst(id);
                    if inst.block == region.block {
                        let statement = positions.statement(id).unwrap_or_default();
                        let last = statement.last().map(|&last| positions.index(last));
                        last.map_or(0, |last| last + 1)
                    } else if dominators.dominates(inst.block, region.block) {
                        0
                    } else if number == 0 && is_parameter(inst) {
                        parameter = Some(id);
                        0
                    } else {
                        continue;
                    }
                }
                _ => continue,
            };
            let usable = matches!(data.width, 16 | 32 | 64)
                && (tester == Tester::Thread
                    || terms.is_uniform(term)
                    || !region.together && alike(function, values, terms, data))
                && terms.width(term) == data.width
                && session.text.readable(value) != Readable::No;
            let key = (parameter.is_some(), after);
            let earlier = known
                .get(&term)
                .is_none_or(|one| key < (one.parameter.is_some(), one.after));
            if usable && earlier {
                known.insert(
                    term,
                    Known {
                        value,
                        after,
                        parameter,
                    },
                );
            }
        }
        Entry { session, known }
    }

    /// After how many instructions of the entry block a term can be computed; none if it can't.
    pub fn ready(&self, terms: &Terms, term: TermId) -> Option<usize> {
        self.available(terms, term, MAX_NODES, parts_of_sum)
    }

    /// As [`Entry::ready`], with the comparisons and choices that bounds are made of.
    pub fn computable(&self, terms: &Terms, term: TermId) -> Option<usize> {
        self.available(terms, term, MAX_BOUND_NODES, |terms, term| {
            if self.ready(terms, term).is_some() {
                return parts_of_sum(terms, term);
            }
            if self.known.contains_key(&term) {
                return Some(Parts::Known);
            }
            match *terms.node(term) {
                Node::Unary(Unary::Sext, inner) => {
                    matches!(terms.width(inner), 16 | 32).then_some(Parts::All)
                }
                Node::Unary(Unary::Zext, inner) => (terms.width(inner) > 1).then_some(Parts::All),
                Node::Unary(Unary::Not | Unary::Extract(_), _)
                | Node::Affine { .. }
                | Node::Product(_)
                | Node::Ite(..)
                | Node::Binary(Binary::And | Binary::Equal | Binary::ULess | Binary::SLess, ..) => {
                    Some(Parts::All)
                }
                _ => None,
            }
        })
    }

    /// After how many instructions all that a term is made of is there: of each part, `parts` says how it is had.
    fn available(
        &self,
        terms: &Terms,
        term: TermId,
        most: usize,
        parts: impl Fn(&Terms, TermId) -> Option<Parts>,
    ) -> Option<usize> {
        let (mut last, mut work, mut seen) = (0, vec![term], 0);
        while let Some(term) = work.pop() {
            seen += 1;
            if seen > most {
                return None;
            }
            if terms.as_const(term).is_some() {
                continue;
            }
            match parts(terms, term)? {
                Parts::All => terms.node(term).for_each_operand(|part| work.push(part)),
                Parts::Known => last = last.max(self.known.get(&term)?.after),
            }
        }
        Some(last)
    }

    /// Computes a number of 64 bits that is congruent to a term modulo 2 to its width. None if [`Entry::ready`] has none.
    pub fn write(&self, terms: &Terms, term: TermId, at: &mut Writing) -> Option<Ref> {
        if let Some(&written) = at.written.get(&term) {
            return Some(written);
        }
        let number = self.write_anew(terms, term, at)?;
        if at.remembers {
            at.written.insert(term, number);
        }
        Some(number)
    }

    fn write_anew(&self, terms: &Terms, term: TermId, at: &mut Writing) -> Option<Ref> {
        if let Some(known) = self.known.get(&term)
            && self.ready(terms, term).is_none()
        {
            return self.read(known, terms.width(term), at);
        }
        Some(match terms.node(term) {
            Node::Const(bits) => Ref::Constant(64, *bits),
            &Node::Unary(Unary::Extract(0), inner) => self.write(terms, inner, at)?,
            &Node::Unary(op @ (Unary::Zext | Unary::Sext), inner)
                if matches!(terms.width(inner), 16 | 32) =>
            {
                let whole = self.write(terms, inner, at)?;
                let bits = terms.width(inner);
                let low = resized(at, whole, 64, bits, false);
                resized(at, low, bits, 64, op == Unary::Sext)
            }
            Node::Affine {
                constant,
                terms: atoms,
            } => {
                let mut sum = None;
                for &(atom, factor) in atoms {
                    let one = self.write(terms, atom, at)?;
                    let above = 64 - u32::from(terms.width(term));
                    let scaled = times(at, one, ((factor << above) as i64 >> above) as u64);
                    sum = Some(plus(at, sum, scaled));
                }
                match constant {
                    0 => sum?,
                    _ => plus(at, sum, Ref::Constant(64, *constant)),
                }
            }
            Node::Product(factors) => {
                let mut product = None;
                for &factor in factors {
                    let one = self.write(terms, factor, at)?;
                    product = Some(match product {
                        None => one,
                        Some(product) => at.single(LOW_PRODUCT, &[product, one]),
                    });
                }
                product?
            }
            _ => match self.known.get(&term) {
                Some(known) => self.read(known, terms.width(term), at)?,
                None => self.write_bound(terms, term, at)?,
            },
        })
    }

    /// A value of the entry, 64 bits.
    fn read(&self, known: &Known, width: u8, at: &mut Writing) -> Option<Ref> {
        let value = match known.parameter {
            None => Ref::Value(known.value),
            Some(id) => {
                let inst = self.session.function.inst(id);
                let address = Ref::Value(*inst.args.first()?);
                match inst.opcode {
                    Opcode::Load(access) => at.load(access, address, width),
                    _ => return None,
                }
            }
        };
        Some(resized(at, value, width, 64, false))
    }

    /// What [`Entry::computable`] allows and [`Entry::ready`] does not.
    fn write_bound(&self, terms: &Terms, term: TermId, at: &mut Writing) -> Option<Ref> {
        let width = 64;
        match *terms.node(term) {
            Node::Unary(Unary::Zext, inner) => self.exact(terms, inner, false, at),
            Node::Unary(Unary::Extract(low), whole) => {
                let whole = self.write(terms, whole, at)?;
                let signed = false;
                let amount = Ref::Constant(32, low.into());
                Some(at.single(Op::Shr { width, signed }, &[whole, amount]))
            }
            Node::Ite(condition, one, other) => {
                let one = self.write(terms, one, at)?;
                let other = self.write(terms, other, at)?;
                let condition = self.holds(terms, condition, at)?;
                Some(at.single(Op::Select { width }, &[one, other, condition]))
            }
            Node::Binary(Binary::And, one, other) => {
                let one = self.write(terms, one, at)?;
                let other = self.write(terms, other, at)?;
                Some(at.single(Op::And { width }, &[one, other]))
            }
            _ => None,
        }
    }

    /// Computes a term of one bit.
    pub fn holds(&self, terms: &Terms, term: TermId, at: &mut Writing) -> Option<Ref> {
        let (comparison, signed, one, other) = match *terms.node(term) {
            Node::Unary(Unary::Not, inner) => {
                let inner = self.holds(terms, inner, at)?;
                return Some(at.single(Op::Not { width: 1 }, &[inner]));
            }
            Node::Binary(Binary::And, one, other) => {
                let one = self.holds(terms, one, at)?;
                let other = self.holds(terms, other, at)?;
                return Some(at.single(Op::And { width: 1 }, &[one, other]));
            }
            Node::Binary(Binary::Equal, one, other) => (Comparison::Eq, false, one, other),
            Node::Binary(Binary::ULess, one, other) => (Comparison::Lt, false, one, other),
            Node::Binary(Binary::SLess, one, other) => (Comparison::Lt, true, one, other),
            _ => return None,
        };
        let kind = match signed {
            true => Kind::Signed,
            false => Kind::Unsigned,
        };
        let (one, other) = (
            self.exact(terms, one, signed, at)?,
            self.exact(terms, other, signed, at)?,
        );
        let compare = Op::Compare {
            comparison,
            ty: Type::new(kind, 64),
            logic: None,
            ftz: false,
        };
        Some(at.single(compare, &[one, other]))
    }

    /// Computes a term as a number of 64 bits, extended.
    fn exact(&self, terms: &Terms, term: TermId, signed: bool, at: &mut Writing) -> Option<Ref> {
        let number = self.write(terms, term, at)?;
        let bits = terms.width(term);
        match bits {
            64 => Some(number),
            16 | 32 => {
                let low = resized(at, number, 64, bits, false);
                Some(resized(at, low, bits, 64, signed))
            }
            _ if signed => None,
            _ => {
                let mask = Ref::Constant(64, mask(bits));
                Some(at.single(Op::And { width: 64 }, &[number, mask]))
            }
        }
    }

    /// Computes a term of 64 bits, or one of 16 or 32 bits with its sign.
    pub fn number(&self, terms: &Terms, term: TermId, at: &mut Writing) -> Option<Ref> {
        let number = self.write(terms, term, at)?;
        let from = terms.width(term);
        Some(match from {
            64 => number,
            _ => {
                let low = resized(at, number, 64, from, false);
                resized(at, low, from, 64, true)
            }
        })
    }
}

/// Whether all lanes of a warp have the same value although it is not known to be uniform: what one lane hands to all, and what
/// all load from one place. A test of anything else would send the lanes of a warp to both copies.
fn alike(function: &Function, values: &[Option<TermId>], terms: &Terms, data: &ValueData) -> bool {
    let ValueDef::Result(id, 0) = data.def else {
        return false;
    };
    let inst = function.inst(id);
    let uniform = |value: &Value| {
        let term = values.get(value.index()).copied().flatten();
        term.is_some_and(|term| terms.is_uniform(term))
    };
    match inst.opcode {
        Opcode::Shuffle {
            mode: ShuffleMode::Index,
            ..
        } => inst.args.get(1).is_some_and(uniform),
        Opcode::Load(_) => inst.guard.is_none() && inst.args.iter().all(uniform),
        _ => false,
    }
}

/// How sums and products are had.
fn parts_of_sum(terms: &Terms, term: TermId) -> Option<Parts> {
    match terms.node(term) {
        &Node::Unary(Unary::Zext | Unary::Sext, inner) => {
            matches!(terms.width(inner), 16 | 32).then_some(Parts::All)
        }
        Node::Unary(Unary::Extract(0), _) | Node::Affine { .. } | Node::Product(_) => {
            Some(Parts::All)
        }
        _ => Some(Parts::Known),
    }
}

/// Whether an instruction reads one number from a parameter of the kernel.
fn is_parameter(inst: &Inst) -> bool {
    match inst.opcode {
        Opcode::Load(access) => {
            access.space == Space::ParamEntry && access.elements == 1 && inst.guard.is_none()
        }
        _ => false,
    }
}

const LOW_PRODUCT: Op = Op::Mul {
    product: Product::Low,
    width: 64,
    signed: false,
};

/// A number times a constant, 64 bits.
pub fn times(at: &mut Cursor, value: Ref, factor: u64) -> Ref {
    let width = 64;
    match factor {
        1 => value,
        u64::MAX => at.single(Op::Neg { width }, &[value]),
        _ => at.single(LOW_PRODUCT, &[value, Ref::Constant(64, factor)]),
    }
}

/// A sum, 64 bits.
pub fn plus(at: &mut Cursor, sum: Option<Ref>, more: Ref) -> Ref {
    match sum {
        None => more,
        Some(sum) => at.single(Op::Add { width: 64 }, &[sum, more]),
    }
}

fn resized(at: &mut Cursor, value: Ref, from: u8, to: u8, signed: bool) -> Ref {
    match from == to {
        true => value,
        false => at.single(Op::Extend { from, to, signed }, &[value]),
    }
}
