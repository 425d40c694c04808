//! How large a query is for a solver, counted before it is asked.
//!
//! A solver turns bit-vectors into a circuit before it searches, and its resource limit does not hold it up there. So the
//! gates of that circuit are counted first, about as Z3 builds it, and a query with too many of them is not asked.

use super::query::{Query, Reading};
use super::smtlib::Printer;
use crate::term::{Binary, FunctionId, Node, TermId, Terms, Unary};
use rustc_hash::{FxHashMap, FxHashSet};

/// Gates of a divider for each pair of bits.
const DIVISION: u64 = 8;

/// How many gates a circuit for a query has in a reading, or more than `limit` if it has more. What the reading leaves
/// open has none.
pub fn gates(terms: &Terms, query: &Query, reading: Reading, limit: u64) -> u64 {
    let printer = Printer::new(terms, reading);
    let roots = query.hypotheses.iter().chain([&query.goal]);
    let mut seen: FxHashSet<TermId> = roots.copied().collect();
    let mut pending: Vec<TermId> = seen.iter().copied().collect();
    let mut applications: FxHashMap<FunctionId, u64> = FxHashMap::default();
    let mut total = 0u64;
    while let Some(t) = pending.pop() {
        if printer.left_open(t) {
            total = total.saturating_add(u64::from(terms.width(t)));
            continue;
        }
        let mut own = gates_of(terms, t);
        if let Node::Uninterpreted { function, .. } = terms.node(t) {
            // Equal arguments give equal results: that is stated for each pair.
            let before = applications.entry(*function).or_default();
            *before += 1;
            own = own.saturating_mul(*before);
        }
        total = total.saturating_add(own);
        if total > limit {
            break;
        }
        terms.node(t).for_each_operand(|operand| {
            if seen.insert(operand) {
                pending.push(operand);
            }
        });
    }
    total
}

/// Gates of one operation. The least is one: every term has a line of text.
fn gates_of(terms: &Terms, t: TermId) -> u64 {
    let width = u64::from(terms.width(t));
    match terms.node(t) {
        Node::Const(_) => 1,
        Node::Symbol(_) => width,
        Node::Affine { terms: sum, .. } => {
            let multiplied = sum
                .iter()
                .map(|&(_, coefficient)| adders(width, coefficient));
            width * multiplied.sum::<u64>()
        }
        Node::Product(factors) => width * width * (factors.len() as u64 - 1).max(1),
        Node::Unary(Unary::Popc | Unary::Clz, a) => width * u64::from(terms.width(*a)),
        Node::Unary(..) => width,
        Node::Ite(..) => 2 * width,
        Node::Binary(op, a, b) => gates_of_binary(terms, *op, *a, *b),
        Node::Uninterpreted { args, .. } => {
            width
                + args
                    .iter()
                    .map(|&arg| u64::from(terms.width(arg)))
                    .sum::<u64>()
        }
    }
}

fn gates_of_binary(terms: &Terms, op: Binary, a: TermId, b: TermId) -> u64 {
    let width = u64::from(terms.width(a));
    let constant = [a, b].into_iter().find_map(|t| terms.as_const(t));
    match op {
        Binary::And | Binary::Or | Binary::Xor => width,
        Binary::Equal | Binary::ULess | Binary::SLess => width,
        Binary::Shl | Binary::Lshr | Binary::Ashr => width * u64::from(width.ilog2() + 1),
        // The product is twice as wide.
        Binary::UMulHigh | Binary::SMulHigh => match constant {
            Some(factor) => 2 * width * adders(width, factor),
            None => 2 * width * width,
        },
        Binary::UDiv | Binary::URem | Binary::SDiv | Binary::SRem => DIVISION * width * width,
    }
}

/// Adders of a product with a constant, or with its negation.
fn adders(width: u64, factor: u64) -> u64 {
    let ones = |bits: u64| u64::from((bits & (u64::MAX >> (64 - width))).count_ones());
    ones(factor).min(ones(factor.wrapping_neg()) + 1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Symbol, Variance};
    use ptxasw_ir::divergence::Level;

    fn query(goal: TermId) -> Query {
        Query {
            name: "size".into(),
            hypotheses: Vec::new(),
            goal,
        }
    }

    #[test]
    fn quotients_cost_more_than_products_and_those_more_than_sums() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"]
            .map(|name| terms.symbol(Symbol::new(name, 32, Variance::Of(Level::Uniform))));
        let zero = terms.constant(32, 0);
        let of = |terms: &mut Terms, t: TermId, reading: Reading| {
            let goal = terms.equal(t, zero);
            gates(terms, &query(goal), reading, u64::MAX)
        };
        let (sum, product, quotient) = (terms.add(x, y), terms.mul(x, y), terms.div(false, x, y));
        let exact = [sum, product, quotient].map(|t| of(&mut terms, t, Reading::Exact));
        assert!(
            exact[0] * 4 < exact[1] && exact[1] * 4 < exact[2],
            "{exact:?}"
        );
        let open = [product, quotient].map(|t| of(&mut terms, t, Reading::Abstract));
        assert!(
            open.iter().all(|&gates| gates < exact[0]),
            "{open:?} {exact:?}"
        );
    }

    #[test]
    fn what_is_shared_counts_once_and_counting_ends_at_the_limit() {
        let mut terms = Terms::new();
        let mut t = terms.symbol(Symbol::new("x", 64, Variance::Of(Level::Uniform)));
        let mut before = 0;
        for _ in 0..200 {
            let shifted = terms.symbol(Symbol::new("s", 64, Variance::Of(Level::Uniform)));
            let shifted = terms.shl(t, shifted);
            t = terms.xor(t, shifted);
            let size = gates(&terms, &query(t), Reading::Exact, u64::MAX);
            assert!(size - before < 1000, "{size} {before}");
            before = size;
        }
        let cut = gates(&terms, &query(t), Reading::Exact, 1000);
        assert!((1001..2000).contains(&cut), "{cut}");
    }
}
