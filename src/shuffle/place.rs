//! Where a region's set-up goes, and which registers still hold the values that run-time checks need.

use super::plan::Check;
use super::refusal::{Refusal, c4};
use crate::emulator::term::{TermId, Terms};
use crate::emulator::trace::Event;
use crate::ir::analyses::Analyses;
use crate::ir::function::{BlockId, Function, Value, ValueDef};
use crate::ir::patch::Site;
use crate::ir::types::Type;
use crate::support::mutation::{Mutation, active};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::ops::Range;

/// What the front end knows of the registers of its text.
pub trait Registers {
    /// The register that an instruction wrote `value` to, if it is exactly as wide.
    fn held(&self, value: Value) -> Option<Held<'_>>;
    /// What a load's statement says of its registers; none if it is no load of scalar registers.
    fn loaded(&self, statement: u32) -> Option<Loaded>;
    /// The register that a block's parameter is in at the start of the block, if its name means this register everywhere, and
    /// the back end can take values of this type out of it.
    fn carrier(&self, parameter: Value, ty: Type) -> Option<Carrier>;
    /// The register of integers or bits that holds a block's parameter right behind a statement of that block, as the text
    /// names it: nothing from the start of the block on has written to it.
    fn kept(&self, _parameter: Value, _statement: u32) -> Option<Box<str>> {
        None
    }
    /// The first instruction of a block.
    fn first_statement(&self, block: BlockId) -> Option<u32>;
    /// The first statement of the front end at which new instructions that belong to the end of `block` can stand, in
    /// front of its last one.
    fn last_statement(&self, block: BlockId) -> Option<u32>;
    /// The line and text of a statement, for reports.
    fn site(&self, statement: u32) -> Site;
    /// Where a block stands in the text.
    fn text(&self, block: BlockId) -> BlockText;
    /// Of the instructions that are counted on a way through the code, the share that become machine instructions for sure:
    /// numerator and denominator.
    fn machine_share(&self) -> (u32, u32) {
        (4, 5)
    }
    /// Instructions that each access to memory in a loop may take in a copy of the loop, beside those that it takes in the
    /// original.
    fn copied_access(&self) -> u32 {
        0
    }
    /// Whether what both ways of a branch begin with stays on both: a mask may be read there.
    fn keeps_arms_apart(&self) -> bool {
        true
    }
    /// Why statements can't be duplicated in front of the statement `before`, if so: the statement that prevents it, and what
    /// it is.
    fn uncopyable(
        &self,
        before: u32,
        statements: Range<u32>,
        leaves: &[u32],
    ) -> Option<(u32, &'static str)>;
}

/// The statements of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockText {
    /// All of them, with labels in front and the branch at the end.
    pub statements: Range<u32>,
    /// The branch, return or the like at its end.
    pub branch: Option<u32>,
    /// Where a branch goes that is taken.
    pub taken: Option<BlockId>,
    /// Where a branch goes that is not taken.
    pub otherwise: Option<BlockId>,
    /// The block that it runs into where no branch is taken, if what stands between the two is passed on the way.
    pub next: Option<BlockId>,
}

/// The register of a block's parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carrier {
    /// As the text names it.
    pub name: Box<str>,
    /// As it is declared.
    pub ty: Type,
}

/// The registers of a load.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// One for each element; none where the value is dropped.
    pub elements: SmallVec<[Option<Element>; 1]>,
    /// The bytes that are defined (bit 0 the first), if not all are.
    pub used_bytes: Option<u64>,
}

/// The register of one element.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// The back end can take values of this kind out of the register and put them into it.
    pub movable: bool,
    /// As [`Held::stable`].
    pub stable: bool,
    /// A narrower element is not extended in it.
    pub exact: bool,
}

/// A register that a value was written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held<'r> {
    /// As the text names it.
    pub name: Cow<'r, str>,
    /// It holds the value for as long as the value dominates: written by this unguarded statement alone, declared in the
    /// function's own scope, its name hidden in no inner one.
    pub stable: bool,
    /// Of an integer or untyped type.
    pub integer: bool,
}

impl Held<'_> {
    /// Arithmetic on the value can read it anywhere below its definition.
    fn checkable(&self) -> bool {
        self.stable && self.integer
    }
}

/// A point in the text: in front of a statement of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The block.
    pub block: BlockId,
    /// The statement.
    pub statement: u32,
}

/// The place of a region's set-up: as late as possible, but in front of all `users` and outside of loops.
pub fn set_up(
    analyses: &Analyses,
    registers: &dyn Registers,
    head: BlockId,
    users: &[&Event],
) -> Result<Place, Refusal> {
    let refuse = || Refusal::new(&c4::NO_PLACE);
    let mut block = users.first().ok_or_else(refuse)?.block;
    for user in users {
        block = analyses
            .dominators
            .common(block, user.block)
            .ok_or_else(refuse)?;
    }
    loop {
        let first = users
            .iter()
            .filter(|user| user.block == block)
            .map(|user| user.origin);
        let first = match active(Mutation::SetUpTooLate) {
            true => first.max(),
            false => first.min(),
        };
        if outside_of_loops(analyses, block, users)
            && let Some(statement) = first.or_else(|| registers.last_statement(block))
        {
            return Ok(Place { block, statement });
        }
        if block == head {
            return Err(refuse());
        }
        block = analyses.dominators.immediate(block).ok_or_else(refuse)?;
    }
}

/// Whether a mask read in `block` names lanes of one iteration only.
fn outside_of_loops(analyses: &Analyses, block: BlockId, users: &[&Event]) -> bool {
    let depth = |block| analyses.loops.around(block).count();
    let inner = || users.iter().map(|user| depth(user.block)).min();
    analyses.loops.innermost(block).is_none()
        || active(Mutation::MaskInLoop)
        || active(Mutation::MaskInOuterLoop) && inner().is_some_and(|inner| depth(block) < inner)
}

/// Values by the shape of their term (without its constant), for those that a register keeps.
pub struct Holders {
    by_shape: FxHashMap<TermId, Vec<(Value, u64)>>,
}

impl Holders {
    /// Looks at all values of 32 and 64 bits.
    pub fn new(
        function: &Function,
        terms: &mut Terms,
        values: &[Option<TermId>],
        registers: &dyn Registers,
    ) -> Self {
        let mut by_shape: FxHashMap<TermId, Vec<(Value, u64)>> = FxHashMap::default();
        for index in 0..function.values.len() as u32 {
            let value = Value(index);
            if let Some(term) = values[value.index()]
                && matches!(function.value(value).width, 32 | 64)
                && registers.held(value).is_some_and(|held| held.checkable())
            {
                let (shape, constant) = split(terms, term);
                by_shape.entry(shape).or_default().push((value, constant));
            }
        }
        // Where nothing else holds a value, a register may that is written to again later.
        for &parameter in function.blocks.iter().flat_map(|block| &block.params) {
            if let Some(term) = values[parameter.index()]
                && matches!(function.value(parameter).width, 32 | 64)
            {
                let (shape, constant) = split(terms, term);
                by_shape
                    .entry(shape)
                    .or_default()
                    .push((parameter, constant));
            }
        }
        Holders { by_shape }
    }

    /// A check of `term - minus + offset <= limit` at `place`, by registers that hold `term` and `minus` or those plus
    /// constants, and the values in those registers.
    #[allow(clippy::too_many_arguments)]
    pub fn check(
        &self,
        function: &Function,
        analyses: &Analyses,
        terms: &mut Terms,
        registers: &dyn Registers,
        place: Place,
        wanted: &Wanted,
    ) -> Option<(Check, Value, Option<Value>)> {
        let mut holder = |term: TermId| {
            let (shape, constant) = split(terms, term);
            self.by_shape
                .get(&shape)?
                .iter()
                .find_map(|&(value, held)| {
                    let register = match function.value(value).def {
                        ValueDef::Parameter(block, _) if block == place.block => {
                            registers.kept(value, place.statement)?
                        }
                        _ if available(function, analyses, place, value) => {
                            registers.held(value)?.name.into()
                        }
                        _ => return None,
                    };
                    Some((register, constant.wrapping_sub(held), value))
                })
        };
        let whole = match wanted.minus {
            None => {
                holder(wanted.term).map(|(register, more, value)| (register, more, value, None))
            }
            Some(minus) => {
                let (register, more, value) = holder(wanted.term)?;
                let (minus, less, taken) = holder(minus)?;
                Some((
                    register,
                    more.wrapping_sub(less),
                    value,
                    Some((minus, taken)),
                ))
            }
        };
        let (register, more, value, minus) = match whole {
            Some(whole) => whole,
            // A difference that no register holds, of two values that registers do hold.
            None => {
                let (left, right) = positive_and_negative(terms, wanted.term)?;
                let parts = Wanted {
                    term: left,
                    minus: Some(right),
                    ..*wanted
                };
                return self.check(function, analyses, terms, registers, place, &parts);
            }
        };
        let width = terms.width(wanted.term);
        let mask = u64::MAX >> (64 - width);
        let mut both = std::iter::once(wanted.term).chain(wanted.minus);
        let uniform = both.all(|term| terms.is_uniform(term));
        let meaning = wanted.meaning(terms);
        let (minus, taken) = minus.map_or((None, None), |(name, value)| (Some(name), Some(value)));
        let check = Check {
            register,
            minus,
            width,
            offset: wanted.offset.wrapping_add(more) & mask,
            limit: wanted.limit,
            uniform,
            meaning,
        };
        Some((check, value, taken))
    }
}

/// A sum as the difference of two sums without negative coefficients, if it has both kinds.
fn positive_and_negative(terms: &mut Terms, term: TermId) -> Option<(TermId, TermId)> {
    let width = terms.width(term);
    let (constant, atoms) = terms.affine(term);
    let (negative, positive): (Vec<_>, Vec<_>) = atoms
        .into_iter()
        .partition(|&(_, coefficient)| coefficient >> (width - 1) & 1 == 1);
    if negative.is_empty() || positive.is_empty() {
        return None;
    }
    let negative: Vec<_> = negative
        .into_iter()
        .map(|(atom, coefficient)| (atom, coefficient.wrapping_neg()))
        .collect();
    let left = terms.sum(width, constant, &positive);
    let right = terms.sum(width, 0, &negative);
    Some((left, right))
}

/// A run-time check that a proof asks for: `term - minus + offset <= limit`, unsigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// The term.
    pub term: TermId,
    /// Subtracted.
    pub minus: Option<TermId>,
    /// Added, modulo 2^width.
    pub offset: u64,
    /// Upper bound.
    pub limit: u64,
}

impl Wanted {
    fn meaning(&self, terms: &Terms) -> String {
        let term = terms.display(self.term);
        match self.minus {
            None if self.offset == 0 && self.limit == u64::MAX >> (65 - terms.width(self.term)) => {
                format!("{term} is not negative")
            }
            None => format!("{term} does not overflow"),
            Some(minus) => format!("{} is far enough below {term}", terms.display(minus)),
        }
    }
}

fn split(terms: &mut Terms, term: TermId) -> (TermId, u64) {
    let (constant, _) = terms.affine(term);
    (terms.offset(term, constant.wrapping_neg()), constant)
}

/// Whether a value is defined on every way to a place.
pub(super) fn available(
    function: &Function,
    analyses: &Analyses,
    place: Place,
    value: Value,
) -> bool {
    let ValueDef::Result(inst, _) = function.value(value).def else {
        return false;
    };
    let inst = function.inst(inst);
    if inst.block == place.block {
        inst.origin < place.statement
    } else {
        analyses.dominators.dominates(inst.block, place.block)
    }
}
