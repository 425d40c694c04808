//! Refutation by simulation: a counterexample that is found by trying values is as good as one of a solver's, and costs
//! microseconds.

use super::edges;
use super::query::{Query, Solver, Verdict};
use crate::term::{Node, Order, SymbolId, TermId, Terms, mix};

/// Assignments tried for one query.
const TRIALS: u64 = 256;

/// Terms and operands that are evaluated for one query at most, and as many again at [`edges`]: large ones are tried less often.
const MAX_WORK: u64 = 1_000_000;
/// Assignments that edges are looked for from: of those under which the claim holds.
const BASES: usize = 4;

/// Tries pseudo-random values and asks the next prover where none of them is a counterexample. The values are the same in
/// every run.
#[derive(Debug, Default)]
pub struct Sampling<S> {
    /// Asked for what no assignment refutes.
    pub next: S,
    /// Refuted so far.
    pub refuted: u64,
}

impl<S> Sampling<S> {
    /// In front of `next`.
    pub fn new(next: S) -> Self {
        Sampling { next, refuted: 0 }
    }
}

impl<S: Solver> Solver for Sampling<S> {
    fn prove(&mut self, terms: &Terms, query: &Query) -> Verdict {
        match counterexample(terms, query) {
            Some(values) => {
                self.refuted += 1;
                Verdict::Refuted(values)
            }
            None => self.next.prove(terms, query),
        }
    }
}

/// Values of symbols.
pub(super) type Values = Vec<(SymbolId, u64)>;

/// What an assignment shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// Some hypothesis does not hold.
    Outside,
    /// The goal holds, too.
    Holds,
    /// The hypotheses hold and the goal does not.
    Refuted,
}

/// A query to be evaluated.
pub(super) struct Trial<'t> {
    pub terms: &'t Terms,
    /// Hypotheses and goal, and what they are made of.
    pub order: &'t Order,
    /// Of all terms of the order, in the last evaluation.
    pub values: Vec<u64>,
}

impl Trial<'_> {
    /// Evaluates under `values`, which are those of all symbols.
    pub fn evaluate(&mut self, values: &Values) -> Outcome {
        let value = |id| {
            let known = values.iter().find(|(other, _)| *other == id);
            known.map_or(0, |(_, value)| *value)
        };
        self.evaluate_by(&value)
    }

    fn evaluate_by(&mut self, value: &dyn Fn(SymbolId) -> u64) -> Outcome {
        let results = self.terms.evaluate_in(self.order, value, &mut self.values);
        match results.split_last() {
            Some((goal, hypotheses)) if hypotheses.iter().all(|&bit| bit == 1) => match goal {
                0 => Outcome::Refuted,
                _ => Outcome::Holds,
            },
            _ => Outcome::Outside,
        }
    }

    /// The values of all symbols in a pseudo-random trial.
    fn values_of(&self, number: u64) -> Values {
        let symbol = |&t: &TermId| match *self.terms.node(t) {
            Node::Symbol(id) => Some((id, value(self.terms, id, number))),
            _ => None,
        };
        self.order.terms().iter().filter_map(symbol).collect()
    }
}

/// Values of the query's symbols under which its hypotheses hold and its goal does not.
fn counterexample(terms: &Terms, query: &Query) -> Option<Values> {
    let mut roots = query.hypotheses.clone();
    roots.push(query.goal);
    let order = Order::new(terms, &roots);
    let evaluations = (MAX_WORK / order.work() as u64).min(TRIALS);
    let mut trial = Trial {
        terms,
        order: &order,
        values: Vec::with_capacity(order.terms().len()),
    };
    let mut bases = Vec::new();
    for number in 0..evaluations {
        match trial.evaluate_by(&|id| value(terms, id, number)) {
            Outcome::Refuted => return Some(trial.values_of(number)),
            Outcome::Holds if bases.len() < BASES => bases.push(trial.values_of(number)),
            Outcome::Holds | Outcome::Outside => {}
        }
    }
    edges::counterexample(&mut trial, &bases, evaluations)
}

/// The value of a symbol in one trial, within its range: small numbers as often as large ones, and its ends.
fn value(terms: &Terms, id: SymbolId, trial: u64) -> u64 {
    let symbol = terms.symbol_data(id);
    let (least, greatest) = symbol.unsigned_range;
    let random = mix(mix(trial, 0x5eed), u64::from(id.0));
    let choice = mix(random, 1);
    let span = greatest - least;
    match choice % 8 {
        0 => least,
        1 => greatest,
        // Every number of bits is as likely as every other.
        _ => {
            let bits = (choice >> 8) as u32 % (65 - span.leading_zeros());
            let magnitude = random & u64::MAX.checked_shr(64 - bits).unwrap_or(0);
            least + magnitude.min(span)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{NoSolver, Unknown};
    use crate::term::{Symbol, Variance};
    use ptxasw_ir::divergence::Level;

    fn symbol(terms: &mut Terms, name: &str) -> TermId {
        terms.symbol(Symbol::new(name, 32, Variance::Of(Level::Uniform)))
    }

    fn verdict(terms: &Terms, hypotheses: &[TermId], goal: TermId) -> Verdict {
        let query = Query {
            name: "test".into(),
            hypotheses: hypotheses.to_vec(),
            goal,
        };
        Sampling::new(NoSolver).prove(terms, &query)
    }

    /// `sext(a + b) = sext(a) + sext(b)` fails where the sum wraps, also under a guard that does not exclude it.
    #[test]
    fn a_wrap_is_found_and_counts_as_checked() {
        let mut terms = Terms::new();
        let (a, b) = (symbol(&mut terms, "a"), symbol(&mut terms, "b"));
        let zero = terms.constant(32, 0);
        let guard = terms.sless(zero, b);
        let sum = terms.add(a, b);
        let [sum, wide_a, wide_b] = [sum, a, b].map(|t| terms.sext(t, 64));
        let expected = terms.add(wide_a, wide_b);
        let goal = terms.equal(sum, expected);
        let Verdict::Refuted(values) = verdict(&terms, &[guard], goal) else {
            panic!("a + b may wrap");
        };
        let of = |name: &str| {
            let known = values
                .iter()
                .find(|(id, _)| terms.symbol_data(*id).name == name);
            known.map(|&(_, bits)| bits as u32 as i32).unwrap()
        };
        assert!(of("b") > 0 && of("a").checked_add(of("b")).is_none());
    }

    /// `4 * i + 4 * (i + 1 < n)` is the neighbour's address in all threads but the one at the border, which pseudo-random
    /// numbers don't meet.
    #[test]
    fn the_only_thread_at_a_border_is_found() {
        let mut terms = Terms::new();
        let (i, n) = (symbol(&mut terms, "i"), symbol(&mut terms, "n"));
        let zero = terms.constant(32, 0);
        let inside = terms.less(true, i, n);
        let negative = terms.less(true, i, zero);
        let not_negative = terms.not(negative);
        let next = terms.offset(i, 1);
        let last = terms.equal(next, n);
        let clamped = terms.ite(last, i, next);
        let goal = terms.equal(clamped, next);
        let Verdict::Refuted(values) = verdict(&terms, &[inside, not_negative], goal) else {
            panic!("the last thread reads its own");
        };
        let of = |name: &str| {
            let known = values
                .iter()
                .find(|(id, _)| terms.symbol_data(*id).name == name);
            known.map(|&(_, bits)| bits).unwrap()
        };
        assert_eq!(of("i") + 1, of("n"));
    }

    /// What wraps in one value of 2^32 is found, with a factor in front, too.
    #[test]
    fn an_index_at_the_end_of_its_range_is_found() {
        let mut terms = Terms::new();
        let [i, n, m] = ["i", "n", "m"].map(|name| symbol(&mut terms, name));
        let row = terms.mul(n, m);
        let scaled = terms.scale(i, 12);
        let index = terms.add(row, scaled);
        let next = terms.offset(index, 1);
        let [index, next] = [index, next].map(|t| terms.sext(t, 64));
        let expected = terms.offset(index, 1);
        let goal = terms.equal(next, expected);
        assert!(matches!(verdict(&terms, &[], goal), Verdict::Refuted(_)));
    }

    #[test]
    fn what_holds_is_left_to_the_next_prover() {
        let mut terms = Terms::new();
        let (a, b) = (symbol(&mut terms, "a"), symbol(&mut terms, "b"));
        let less = terms.uless(a, b);
        let more = terms.uless(b, a);
        let goal = terms.not(more);
        let expected = Verdict::Unknown(Unknown::NotAsked);
        assert_eq!(verdict(&terms, &[less], goal), expected);
    }

    #[test]
    fn values_keep_to_their_ranges() {
        let mut terms = Terms::new();
        let narrow = terms.symbol(Symbol::new("n", 32, Variance::Of(Level::Uniform)).within(5, 9));
        let Node::Symbol(id) = *terms.node(narrow) else {
            panic!("a symbol");
        };
        let mut seen: Vec<u64> = (0..1000).map(|trial| value(&terms, id, trial)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [5, 6, 7, 8, 9]);
    }
}
