//! Path conditions: for each block, facts that hold whenever it is executed.
//!
//! A block inherits the facts of its immediate dominator; one that is entered over a single branch edge adds the branch
//! condition, split into its conjuncts. At a join the disjunction of the path conditions is lost. That only weakens hypotheses,
//! which is sound everywhere that facts are used.

use super::term::{Binary, Node, TermId, Terms, Unary};
use ptxasw_ir::function::BlockId;

/// Facts handed out for one block, the innermost first; a block under more guards loses the outermost.
pub const MAX_FACTS: usize = 64;
/// Conjuncts that one condition is split into.
const MAX_CONJUNCTS: usize = 16;

/// One fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// A one-bit term that is true.
    pub term: TermId,
    /// The conjunct of the branch condition that it is, or that it was derived from: what the code itself tests.
    pub stated: TermId,
    /// The block that is entered where the condition holds.
    pub block: BlockId,
    /// No branch decides it: the producer promises it of the block.
    pub promised: bool,
}

/// The facts of all blocks, linked along the dominator tree.
#[derive(Clone, Debug, Default)]
pub struct PathConditions {
    own: Vec<Vec<Fact>>,
    /// The nearest block above with facts of its own.
    above: Vec<Option<BlockId>>,
    /// What blocks of one part of the kernel say of each other, in place of their own facts.
    parts: Vec<Option<RegionFacts>>,
}

/// The facts of a block as the blocks of its part see them.
#[derive(Clone, Debug)]
struct RegionFacts {
    number: u32,
    facts: Vec<Fact>,
}

impl PathConditions {
    /// No facts for any of `blocks` blocks.
    pub(super) fn new(blocks: usize) -> Self {
        PathConditions {
            own: vec![Vec::new(); blocks],
            above: vec![None; blocks],
            parts: Vec::new(),
        }
    }

    /// Makes the blocks of part `number` of the kernel see each other's facts through `view`. Other blocks see them as
    /// they were.
    pub fn view(
        &mut self,
        number: u32,
        blocks: &[BlockId],
        mut view: impl FnMut(TermId) -> TermId,
    ) {
        self.parts.resize(self.own.len(), None);
        for block in blocks {
            let facts = self.own[block.index()].iter().map(|fact| Fact {
                term: view(fact.term),
                stated: view(fact.stated),
                block: fact.block,
                promised: fact.promised,
            });
            self.parts[block.index()] = Some(RegionFacts {
                number,
                facts: facts.collect(),
            });
        }
    }

    /// The part of a block with its facts.
    fn part(&self, block: BlockId) -> Option<&RegionFacts> {
        self.parts.get(block.index())?.as_ref()
    }

    /// Sets what holds in a block: its immediate dominator's facts, and its own.
    pub(super) fn set(&mut self, block: BlockId, above: Option<BlockId>, own: Vec<Fact>) {
        self.own[block.index()] = own;
        self.above[block.index()] = match above {
            Some(above) if self.own[above.index()].is_empty() => self.above[above.index()],
            _ => above,
        };
    }

    /// Adds what is promised of a block that has been [`PathConditions::set`], before the blocks that it dominates are.
    pub(super) fn promise(&mut self, block: BlockId, facts: Vec<Fact>) {
        let promised = facts.into_iter().map(|fact| Fact {
            promised: true,
            ..fact
        });
        self.own[block.index()].extend(promised);
    }

    /// One-bit terms that are true whenever the block is executed, the innermost first.
    pub fn of_block(&self, block: BlockId) -> impl Iterator<Item = TermId> + '_ {
        self.facts(block).map(|fact| fact.term)
    }

    /// As [`PathConditions::of_block`], with where each fact comes from.
    pub fn facts(&self, block: BlockId) -> impl Iterator<Item = Fact> + '_ {
        let part = self.part(block).map(|part| part.number);
        std::iter::successors(Some(block), |&block| self.above[block.index()])
            .flat_map(move |above| match self.part(above) {
                Some(seen) if Some(seen.number) == part => seen.facts.iter().copied(),
                _ => self.own[above.index()].iter().copied(),
            })
            .take(MAX_FACTS)
    }
}

/// Splits a one-bit term, true wherever `block` is executed, into facts; also those that a minimum or maximum implies for
/// its operands.
pub(super) fn conjuncts(terms: &mut Terms, block: BlockId, condition: TermId) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    // What is still to be split, with the conjunct that it was derived from, if it was.
    let mut work = vec![(condition, None)];
    while let Some((term, derived_from)) = work.pop() {
        if terms.as_const(term) == Some(1) || facts.iter().any(|fact| fact.term == term) {
            continue;
        }
        if facts.len() >= MAX_CONJUNCTS {
            break;
        }
        match *terms.node(term) {
            Node::Binary(Binary::And, a, b) => work.extend([(b, derived_from), (a, derived_from)]),
            _ => {
                let stated = derived_from.unwrap_or(term);
                facts.push(Fact {
                    term,
                    stated,
                    block,
                    promised: false,
                });
                let implied = implied_by_extremum(terms, term);
                work.extend(implied.into_iter().map(|term| (term, Some(stated))));
            }
        }
    }
    facts
}

/// `min(a, b) >= k` gives `a >= k` and `b >= k`; `max(a, b) < k` gives both, too.
fn implied_by_extremum(terms: &mut Terms, fact: TermId) -> Vec<TermId> {
    let (inner, negated) = match *terms.node(fact) {
        Node::Unary(Unary::Not, inner) => (inner, true),
        _ => (fact, false),
    };
    let Node::Binary(less @ (Binary::SLess | Binary::ULess), left, right) = *terms.node(inner)
    else {
        return Vec::new();
    };
    // `left < right`: a maximum on the left or a minimum on the right; negated the other way round.
    let mut facts = Vec::new();
    if let Some((a, b)) = extremum(terms, less, left, negated) {
        facts.extend([a, b].map(|x| (x, right)));
    }
    if let Some((a, b)) = extremum(terms, less, right, !negated) {
        facts.extend([a, b].map(|x| (left, x)));
    }
    facts
        .into_iter()
        .map(|(x, y)| {
            let signed = less == Binary::SLess;
            let less = terms.less(signed, x, y);
            if negated { terms.not(less) } else { less }
        })
        .collect()
}

/// The operands of `ite(a < b, a, b)` (a minimum) or `ite(a < b, b, a)` (a maximum).
fn extremum(terms: &Terms, less: Binary, term: TermId, minimum: bool) -> Option<(TermId, TermId)> {
    let Node::Ite(condition, mut a, mut b) = *terms.node(term) else {
        return None;
    };
    let condition = match *terms.node(condition) {
        Node::Unary(Unary::Not, inner) => {
            std::mem::swap(&mut a, &mut b);
            inner
        }
        _ => condition,
    };
    let Node::Binary(found, x, y) = *terms.node(condition) else {
        return None;
    };
    let matches = found == less
        && if minimum {
            (x, y) == (a, b)
        } else {
            (x, y) == (b, a)
        };
    matches.then_some((a, b))
}
