//! Exit tests of loops: conditions under which a loop goes on, as conditions of a number that grows by one step in each iteration.

use super::ranges::{Advance, Integer, Ready, Relation, Tested};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::Counter;
use ptxasw_emulator::conditions::PathConditions;
use ptxasw_emulator::term::{Binary, Node, TermId, Terms, Unary};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Function, Terminator};
use ptxasw_ir::loops::LoopId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Exit tests of a loop that are looked at.
const MAX_TESTS: usize = 16;

/// A block by which it is known how far a loop gets whose back edges make different numbers of steps; none if there is no such loop.
pub type Place = Option<BlockId>;

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
    /// The symbols that count the steps of loops.
    pub counters: &'s FxHashMap<TermId, Counter>,
    /// The terms of values.
    pub values: &'s [Option<TermId>],
}

impl<'s> Loops<'s> {
    /// How far numbers of a loop get, in the iterations that come to a place, as far as the entry can compute it; the sharpest first.
    pub fn advances(
        &self,
        terms: &mut Terms,
        ready: Ready,
        (counter, at): (TermId, Place),
    ) -> Vec<Advance> {
        let Some(counted) = self.counters.get(&counter) else {
            return Vec::new();
        };
        let tests = match counted.of_iterations() {
            true => self.tests(terms, counted.inside),
            false => self.tests_of_steps(terms, counter, counted, at),
        };
        let of = (counted.inside, counter);
        let mut found = Vec::new();
        for (condition, always) in tests {
            if let Some(tested) = self.tested(terms, of, condition, always) {
                found.extend(tested.advance(terms, ready));
            }
        }
        found
    }

    /// The place of what two blocks do in one iteration.
    pub fn place(&self, one: BlockId, other: BlockId) -> Place {
        let block = self.analyses.dominators.common(one, other)?;
        let id = self.analyses.loops.innermost(block)?;
        let mut all = self.counters.values();
        let differs = all.any(|counted| counted.inside == id && !counted.of_iterations());
        differs.then_some(block)
    }

    /// Whether it could be known how far a loop gets that begins in some blocks, wherever what its bounds are made of is there.
    pub fn any_ends(&self, terms: &mut Terms, inside: impl Fn(BlockId) -> bool) -> bool {
        let header = |id: LoopId| self.analyses.loops.get(id).header;
        let counters = self.counters.iter();
        let counters = counters.filter(|(_, counted)| inside(header(counted.inside)));
        let mut counters: Vec<TermId> = counters.map(|(&counter, _)| counter).collect();
        counters.sort_unstable();
        let mut all = counters.into_iter();
        all.any(|counter| {
            let advances = self.advances(terms, &|_, _| true, (counter, None));
            !advances.is_empty()
        })
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
        if others.is_empty() {
            let asked = self.on_back_edge(terms, id, first);
            all.extend(asked.map(|term| (term, false)));
        }
        all.sort_by_key(|one| !one.1);
        let mut conjuncts = Vec::new();
        for (term, always) in all {
            let of_one = conjuncts_of(terms, term);
            conjuncts.extend(of_one.into_iter().map(|term| (term, always)));
        }
        conjuncts.truncate(MAX_TESTS);
        conjuncts
    }

    /// As [`Loops::tests`] where a back edge makes several steps: what holds at one that makes a single step, and at all others for each of
    /// their steps, was asked in every step in front of those that are executed now. Where the block states it for this step and later ones
    /// of the iteration, it holds for the last of those.
    fn tests_of_steps(
        &self,
        terms: &mut Terms,
        counter: TermId,
        counted: &Counter,
        at: Place,
    ) -> Vec<(TermId, bool)> {
        let single = counted.latches.iter().find(|&&(_, steps)| steps == 1);
        let Some(&(single, _)) = single else {
            return Vec::new();
        };
        let mut edges = Vec::new();
        for &(latch, steps) in &counted.latches {
            edges.push((self.asked(terms, counted.inside, latch, true), steps));
        }
        let here = match at.filter(|&at| self.analyses.loops.innermost(at) == Some(counted.inside))
        {
            Some(at) => self.asked(terms, counted.inside, at, false),
            None => Vec::new(),
        };
        let mut found = Vec::new();
        for condition in self.asked(terms, counted.inside, single, true) {
            let later = |terms: &mut Terms, steps: u32| {
                let counted = terms.offset(counter, steps.into());
                terms.replace(condition, &FxHashMap::from_iter([(counter, counted)]))
            };
            let asked = edges.iter().all(|(asked, steps)| {
                let mut steps = 0..*steps;
                steps.all(|step| asked.contains(&later(terms, step)))
            });
            if !asked && !active(Mutation::StepsUnasked) {
                continue;
            }
            let most = edges.iter().map(|edge| edge.1).max().unwrap_or(1);
            let mut last = None;
            for step in 0..most {
                let condition = later(terms, step);
                if !here.contains(&condition) && !active(Mutation::HullOfSeveral) {
                    break;
                }
                last = Some(condition);
            }
            found.push((last.unwrap_or(condition), last.is_some()));
        }
        found.sort_by_key(|one| !one.1);
        found.truncate(MAX_TESTS);
        found
    }

    /// What the branches of a loop have decided where a block is executed, and its own, where its back edge is taken.
    fn asked(&self, terms: &mut Terms, id: LoopId, block: BlockId, back_edge: bool) -> Vec<TermId> {
        let facts = self
            .conditions
            .facts(block)
            .filter(|fact| !fact.promised && self.analyses.loops.innermost(fact.block) == Some(id));
        let mut all: Vec<TermId> = facts.map(|fact| fact.term).collect();
        if back_edge {
            all.extend(self.on_back_edge(terms, id, block));
        }
        let mut conjuncts = Vec::new();
        for term in all {
            conjuncts.extend(conjuncts_of(terms, term));
        }
        conjuncts.truncate(MAX_TESTS);
        conjuncts
    }

    /// What holds where the branch of a latch goes back to the header.
    fn on_back_edge(&self, terms: &mut Terms, id: LoopId, latch: BlockId) -> Option<TermId> {
        let header = self.analyses.loops.get(id).header;
        let Terminator::Branch {
            condition,
            then,
            otherwise,
            ..
        } = &self.function.block(latch).terminator
        else {
            return None;
        };
        let term = self.values[condition.index()].filter(|_| then.block != otherwise.block)?;
        Some(match then.block == header {
            true => term,
            false => terms.not(term),
        })
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

/// Conditions that all hold where one does.
fn conjuncts_of(terms: &Terms, condition: TermId) -> SmallVec<[TermId; 4]> {
    let (mut work, mut conjuncts) = (vec![condition], SmallVec::new());
    while let Some(term) = work.pop().filter(|_| conjuncts.len() < MAX_TESTS) {
        match *terms.node(term) {
            Node::Binary(Binary::And, a, b) => work.extend([a, b]),
            _ => conjuncts.push(term),
        }
    }
    conjuncts
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
