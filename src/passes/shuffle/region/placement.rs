//! Where a region's set-up goes, and which registers still hold the values that run-time checks need.

use crate::shuffle::plan::Check;
use crate::shuffle::refusal::{Refusal, c4};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_emulator::trace::Event;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Function, Value, ValueDef};
use ptxasw_ir::patch::Point;
use ptxasw_ir::patch::Text;
use rustc_hash::FxHashMap;

/// A point in the text: in front of a statement of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The block.
    pub block: BlockId,
    /// The statement.
    pub statement: u32,
}

impl Place {
    /// The point in the function: before the first instruction of the statement or of a later one, else at the block's end.
    pub fn point(self, function: &Function) -> Point {
        let insts = &function.block(self.block).insts;
        let at = insts.partition_point(|&id| function.inst(id).origin < self.statement);
        insts
            .get(at)
            .map_or(Point::End(self.block), |&id| Point::Before(id))
    }
}

/// The place of a region's set-up: as late as possible, but in front of all `users` and outside of loops.
pub fn set_up(
    analyses: &Analyses,
    text: &dyn Text,
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
            && let Some(statement) = first.or_else(|| text.last_statement(block))
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
        text: &dyn Text,
    ) -> Self {
        let mut by_shape: FxHashMap<TermId, Vec<(Value, u64)>> = FxHashMap::default();
        for index in 0..function.values.len() as u32 {
            let value = Value(index);
            if let Some(term) = values[value.index()]
                && matches!(function.value(value).width, 32 | 64)
                && text.held(value).is_some_and(|held| held.checkable())
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
        text: &dyn Text,
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
                            text.kept(value, place.statement)?
                        }
                        _ if available(function, analyses, place, value) => {
                            text.held(value)?.name.into()
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
                return self.check(function, analyses, terms, text, place, &parts);
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
            values: (value, taken),
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

/// Whether a value is defined on every path to a place.
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
