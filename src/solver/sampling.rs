//! Refutation by simulation: a counterexample that is found by trying values is as good as one of a solver's, and costs
//! microseconds.

use super::{Query, Solver, Verdict};
use crate::emulator::term::{Node, Order, SymbolId, TermId, Terms, mix};

/// Assignments tried for one query.
const TRIALS: u64 = 256;

/// Terms and operands that are evaluated for one query at most: large ones are tried less often.
const MAX_WORK: u64 = 1_000_000;

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

/// Values of the query's symbols under which its hypotheses hold and its goal does not.
fn counterexample(terms: &Terms, query: &Query) -> Option<Vec<(SymbolId, u64)>> {
    let mut roots = query.hypotheses.clone();
    roots.push(query.goal);
    let order = Order::new(terms, &roots);
    let trials = (MAX_WORK / order.work() as u64).min(TRIALS);
    let mut values = Vec::with_capacity(order.terms().len());
    let trial = (0..trials).find(|&trial| {
        let results = terms.evaluate_in(&order, &|id| value(terms, id, trial), &mut values);
        match results.split_last() {
            Some((goal, hypotheses)) => *goal == 0 && hypotheses.iter().all(|&bit| bit == 1),
            None => false,
        }
    })?;
    let symbol = |&t: &TermId| match *terms.node(t) {
        Node::Symbol(id) => Some((id, value(terms, id, trial))),
        _ => None,
    };
    Some(order.terms().iter().filter_map(symbol).collect())
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
    use crate::emulator::term::{Symbol, Variance};
    use crate::solver::{NoSolver, Unknown};

    fn symbol(terms: &mut Terms, name: &str) -> TermId {
        terms.symbol(Symbol::new(name, 32, Variance::Uniform))
    }

    fn verdict(terms: &Terms, hypotheses: &[TermId], goal: TermId) -> Verdict {
        let query = Query {
            name: "test".into(),
            hypotheses: hypotheses.to_vec(),
            goal,
        };
        Sampling::new(NoSolver).prove(terms, &query)
    }

    /// `sext(a + b) = sext(a) + sext(b)` fails where the sum wraps, also behind a guard that does not exclude it.
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
        let narrow = terms.symbol(Symbol::new("n", 32, Variance::Uniform).within(5, 9));
        let Node::Symbol(id) = *terms.node(narrow) else {
            panic!("a symbol");
        };
        let mut seen: Vec<u64> = (0..1000).map(|trial| value(&terms, id, trial)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [5, 6, 7, 8, 9]);
    }
}
