//! Exit tests of loops: conditions under which a loop goes on, as conditions of a number that grows by one step in each iteration.

use super::ranges::{Advance, Integer, Ready, Relation, Tested};
use ptxasw_emulator::conditions::PathConditions;
use ptxasw_emulator::term::{Binary, Node, TermId, Terms, Unary};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Function, Terminator};
use ptxasw_ir::loops::LoopId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Exit tests of a loop that are looked at.
const MAX_TESTS: usize = 16;

/// What is known of the loops of a function.
#[derive(Clone, Copy)]
pub struct Loops<'s> {
    /// The function that has them.
    pub function: &'s Function,
    /// Its loops and dominators.
    pub analyses: &'s Analyses,
    /// What holds in its blocks.
    pub conditions: &'s PathConditions,
    /// The blocks that symbols are defined in.
    pub defining_blocks: &'s FxHashMap<TermId, BlockId>,
    /// The symbols that count iterations.
    pub counters: &'s FxHashMap<TermId, LoopId>,
    /// The terms of values.
    pub values: &'s [Option<TermId>],
}

impl<'s> Loops<'s> {
    /// How far numbers of a loop get, as far as the entry can compute it; the sharpest first.
    pub fn advances(&self, terms: &mut Terms, ready: Ready, counter: TermId) -> Vec<Advance> {
        let Some(&id) = self.counters.get(&counter) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (condition, always) in self.tests(terms, id) {
            if let Some(tested) = self.tested(terms, (id, counter), condition, always) {
                found.extend(tested.advance(terms, ready));
            }
        }
        found
    }

    /// Whether it could be known how far a loop gets that begins in some blocks, wherever what its bounds are made of is there.
    pub fn any_ends(&self, terms: &mut Terms, inside: impl Fn(BlockId) -> bool) -> bool {
        let header = |id: LoopId| self.analyses.loops.get(id).header;
        let counters = self.counters.iter();
        let counters = counters.filter(|&(_, &id)| inside(header(id)));
        let mut counters: Vec<TermId> = counters.map(|(&counter, _)| counter).collect();
        counters.sort_unstable();
        let mut all = counters.into_iter();
        all.any(|counter| !self.advances(terms, &|_, _| true, counter).is_empty())
    }

    /// Conditions that hold in each iteration of a loop, and whether in the last one, too: those of its header first.
    fn tests(&self, terms: &mut Terms, id: LoopId) -> Vec<(TermId, bool)> {
        let data = self.analyses.loops.get(id);
        let Some((&first, others)) = data.latches.split_first() else {
            return Vec::new();
        };
        // What holds at each back edge held in each iteration but the last.
        let of_latch = |latch| {
            let facts = self.conditions.facts(latch);
            facts.filter(|fact| self.analyses.loops.innermost(fact.block) == Some(id))
        };
        let mut all: Vec<(TermId, bool)> = of_latch(first)
            .filter(|fact| {
                others
                    .iter()
                    .all(|&other| of_latch(other).any(|own| own == *fact))
            })
            // What is promised need not have been reached in the last iteration.
            .map(|fact| (fact.term, fact.block == data.header && !fact.promised))
            .collect();
        if others.is_empty()
            && let Terminator::Branch {
                condition,
                then,
                otherwise,
                ..
            } = &self.function.block(first).terminator
            && then.block != otherwise.block
            && let Some(term) = self.values[condition.index()]
        {
            let term = match then.block == data.header {
                true => term,
                false => terms.not(term),
            };
            all.push((term, false));
        }
        all.sort_by_key(|one| !one.1);
        let mut conjuncts = Vec::new();
        for (term, always) in all {
            let mut work = vec![term];
            while let Some(term) = work.pop().filter(|_| conjuncts.len() < MAX_TESTS) {
                match *terms.node(term) {
                    Node::Binary(Binary::And, a, b) => work.extend([a, b]),
                    _ => conjuncts.push((term, always)),
                }
            }
        }
        conjuncts
    }

    /// A condition as one of a number that grows by the same step in each iteration.
    fn tested(
        &self,
        terms: &mut Terms,
        of: (LoopId, TermId),
        condition: TermId,
        always: bool,
    ) -> Option<Tested> {
        let (inner, holds) = match *terms.node(condition) {
            Node::Unary(Unary::Not, inner) => (inner, false),
            _ => (condition, true),
        };
        let Node::Binary(op, a, b) = *terms.node(inner) else {
            return None;
        };
        let is_signed = match op {
            Binary::SLess => true,
            Binary::ULess | Binary::Equal => false,
            _ => return None,
        };
        let varies = |term| self.varies(terms, of.0, term);
        let (number, bound, left) = match (varies(a), varies(b)) {
            (true, false) => (a, b, true),
            (false, true) => (b, a, false),
            _ => return None,
        };
        let relation = match (op, holds, left) {
            (Binary::Equal, false, _) => Relation::Unequal,
            (Binary::Equal, true, _) => return None,
            (_, true, true) => Relation::Below { or_equal: false },
            (_, true, false) => Relation::Above { or_equal: false },
            (_, false, true) => Relation::Above { or_equal: true },
            (_, false, false) => Relation::Below { or_equal: true },
        };
        let bound = Integer {
            term: bound,
            signed: is_signed,
        };
        let number = match *terms.node(number) {
            Node::Unary(Unary::Sext, inner) if is_signed && relation != Relation::Unequal => {
                Integer {
                    term: inner,
                    signed: true,
                }
            }
            Node::Unary(Unary::Zext, inner) if relation != Relation::Unequal => Integer {
                term: inner,
                signed: false,
            },
            _ => Integer {
                term: number,
                signed: is_signed,
            },
        };
        let (first, step) = self.growing(terms, of, number.term)?;
        let first = Integer {
            term: first,
            signed: number.signed,
        };
        Some(Tested {
            first,
            step,
            bound,
            relation,
            always,
        })
    }

    /// A sum as its first value and what is added to it in each iteration.
    fn growing(
        &self,
        terms: &mut Terms,
        (id, counter): (LoopId, TermId),
        term: TermId,
    ) -> Option<(TermId, TermId)> {
        let width = terms.width(term);
        let (constant, atoms) = terms.affine(term);
        let (mut first, mut step) = (terms.constant(width, constant), terms.constant(width, 0));
        for &(atom, factor) in &atoms {
            if self.varies(terms, id, atom) {
                let others = times_counter(terms, atom, counter)?;
                if others.iter().any(|&other| self.varies(terms, id, other)) {
                    return None;
                }
                let mut product = terms.constant(width, factor);
                for other in others {
                    product = terms.mul(product, other);
                }
                step = terms.add(step, product);
            } else {
                let scaled = terms.scale(atom, factor);
                first = terms.add(first, scaled);
            }
        }
        Some((first, step))
    }

    /// Whether a term may be another number in another iteration.
    fn varies(&self, terms: &Terms, id: LoopId, term: TermId) -> bool {
        let mut known = FxHashMap::default();
        terms.any_part(term, &mut known, |part| {
            let defined_in = self.defining_blocks.get(&part);
            defined_in.is_some_and(|&block| self.analyses.loops.contains(id, block))
        })
    }
}

/// The other factors of a product of which one is a counter, or its lower bits; none if there is no such factor.
pub fn times_counter(
    terms: &Terms,
    product: TermId,
    counter: TermId,
) -> Option<SmallVec<[TermId; 4]>> {
    let whole = |term: TermId| match *terms.node(term) {
        Node::Unary(Unary::Extract(0), whole) => whole,
        _ => term,
    };
    if whole(product) == counter {
        return Some(SmallVec::new());
    }
    let Node::Product(factors) = terms.node(product) else {
        return None;
    };
    let at = factors.iter().position(|&one| whole(one) == counter)?;
    let mut others: SmallVec<[TermId; 4]> = factors.iter().copied().collect();
    others.remove(at);
    Some(others)
}
