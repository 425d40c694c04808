//! Tests of the provers.

use super::smtlib::{Part, print};
use super::statement::{self, Claim, Hypothesis, Statement};
use super::*;
use crate::term::{Function, Node, Symbol, TermId, Terms, Variance};
use ptxasw_ir::divergence::Level;

fn symbol(terms: &mut Terms, name: &str, width: u8) -> TermId {
    terms.symbol(Symbol::new(name, width, Variance::Of(Level::Uniform)))
}

fn query(hypotheses: &[TermId], goal: TermId) -> Query {
    Query {
        name: "test".into(),
        hypotheses: hypotheses.to_vec(),
        goal,
    }
}

/// `i < n` signed gives `sext(i + 1) = sext(i) + 1`, but not for `i + 2`.
fn guarded(terms: &mut Terms, distance: u64) -> Query {
    let (i, n) = (symbol(terms, "i", 32), symbol(terms, "n", 32));
    let guard = terms.sless(i, n);
    let next = terms.offset(i, distance);
    let (next, wide) = (terms.sext(next, 64), terms.sext(i, 64));
    let expected = terms.offset(wide, distance);
    let goal = terms.equal(next, expected);
    query(&[guard], goal)
}

#[test]
fn a_guard_excludes_one_wrap() {
    let mut terms = Terms::new();
    let mut solver = Chain::new(Z3Solver::default());
    let claim = guarded(&mut terms, 1);
    assert_eq!(
        solver.prove(&terms, &claim),
        Verdict::Proved(Proof::Solver(Reading::Abstract))
    );
    assert!(solver.prove(&terms, &claim).proved());
    assert_eq!((solver.asked().queries, solver.solved().queries), (2, 1));
    let wrong = guarded(&mut terms, 2);
    let Verdict::Refuted(model) = solver.prove(&terms, &wrong) else {
        panic!("i + 2 may wrap");
    };
    let i = symbol(&mut terms, "i", 32);
    let Node::Symbol(i) = *terms.node(i) else {
        panic!("a symbol");
    };
    assert!(model.contains(&(i, 0x7fff_fffe)));
}

#[test]
fn contradicting_hypotheses_prove_nothing() {
    let mut terms = Terms::new();
    let (x, y) = (symbol(&mut terms, "x", 32), symbol(&mut terms, "y", 32));
    let (less, more) = (terms.uless(x, y), terms.uless(y, x));
    let goal = terms.equal(x, y);
    let mut solver = Z3Solver::default();
    let verdict = solver.prove(&terms, &query(&[less, more], goal));
    assert_eq!(verdict, Verdict::Unknown(Unknown::Vacuous));
    let never = terms.boolean(false);
    assert!(solver.prove(&terms, &query(&[less, more], never)).proved());
}

#[test]
fn products_are_atoms_until_they_matter() {
    let mut terms = Terms::new();
    let (x, y) = (symbol(&mut terms, "x", 16), symbol(&mut terms, "y", 16));
    let product = terms.mul(x, y);
    let one = terms.constant(16, 1);
    let mut solver = Z3Solver::default();
    let (four, five) = (terms.constant(16, 4), terms.constant(16, 5));
    let below = terms.uless(product, four);
    let goal = terms.uless(product, five);
    let abstracted = solver.prove(&terms, &query(&[below], goal));
    assert_eq!(
        abstracted,
        Verdict::Proved(Proof::Solver(Reading::Abstract))
    );
    // x = 1 gives x * y = y: true of products only.
    let x_is_one = terms.equal(x, one);
    let goal = terms.equal(product, y);
    let exact = solver.prove(&terms, &query(&[x_is_one], goal));
    assert_eq!(exact, Verdict::Proved(Proof::Solver(Reading::Exact)));
}

#[test]
fn functions_are_congruent() {
    let mut terms = Terms::new();
    let (x, y) = (symbol(&mut terms, "x", 32), symbol(&mut terms, "y", 32));
    let f = terms.function(Function::Named("f".into()));
    let (fx, fy) = (
        terms.uninterpreted(32, f, &[x]),
        terms.uninterpreted(32, f, &[y]),
    );
    let same = terms.equal(x, y);
    let goal = terms.equal(fx, fy);
    let mut solver = Z3Solver::default();
    assert!(solver.prove(&terms, &query(&[same], goal)).proved());
    let text = print(
        &terms,
        &query(&[same], goal),
        Reading::Abstract,
        Part::Claim,
    );
    assert!(text.smt.contains("QF_UFBV") && text.smt.contains("(declare-fun ?f0"));
    let zero = terms.constant(32, 0);
    let goal = terms.equal(fx, zero);
    let text = print(&terms, &query(&[], goal), Reading::Abstract, Part::Claim);
    assert!(text.smt.contains("(set-logic QF_BV)"));
}

#[test]
fn the_text_is_the_same_in_every_arena() {
    let mut terms = Terms::new();
    let first = guarded(&mut terms, 1);
    let mut other = Terms::new();
    for number in 0..10 {
        symbol(&mut other, &format!("before{number}"), 32);
    }
    let second = guarded(&mut other, 1);
    let text = print(&terms, &first, Reading::Abstract, Part::Claim);
    assert_eq!(
        text.smt,
        print(&other, &second, Reading::Abstract, Part::Claim).smt
    );
    let expected = "\
; test
; the claim holds if this is unsatisfiable
(set-logic QF_BV)
(set-info :status unsat)
";
    assert!(text.smt.starts_with(expected), "{}", text.smt);
}

#[test]
fn strange_names_are_quoted() {
    let mut terms = Terms::new();
    let names = [
        "select", "a b", "%tid.x", "3x", "p|q", "bvadd", "p_q", "ld@2", "?t0",
    ];
    let symbols: Vec<TermId> = names
        .iter()
        .map(|name| symbol(&mut terms, name, 8))
        .collect();
    let hypotheses: Vec<TermId> = symbols
        .windows(2)
        .map(|pair| terms.uless(pair[0], pair[1]))
        .collect();
    let goal = terms.uless(symbols[0], *symbols.last().unwrap());
    let mut solver = Z3Solver::default();
    assert!(solver.prove(&terms, &query(&hypotheses, goal)).proved());
    let goal = terms.uless(*symbols.last().unwrap(), symbols[0]);
    assert!(matches!(
        solver.prove(&terms, &query(&hypotheses, goal)),
        Verdict::Refuted(_)
    ));
}

/// What is known of terms left open that cancel is not asserted, and need not be proved; of others it is.
#[test]
fn ranges_of_what_cancels_are_left_out() {
    let mut terms = Terms::new();
    let [i, n, m] = ["i", "n", "m"].map(|name| symbol(&mut terms, name, 32));
    let (wide_n, wide_m) = (terms.sext(n, 64), terms.sext(m, 64));
    let volume = terms.mul(wide_n, wide_m);
    let index = terms.sext(i, 64);
    let (a, b) = (terms.add(volume, index), terms.offset(index, 1));
    let b = terms.add(volume, b);
    let zero = terms.constant(64, 0);
    let positive = terms.sless(zero, volume);
    let known = |claim: Claim, hypotheses: &[TermId]| {
        let hypotheses = hypotheses.iter().map(|&term| Hypothesis {
            term,
            why: "a guard".into(),
        });
        let statement = Statement {
            title: Vec::new(),
            hypotheses: hypotheses.collect(),
            claims: vec![claim],
        };
        statement::print(&terms, &statement, Reading::Abstract, &|_| None).known
    };
    assert_eq!(known(Claim::Equal(a, b), &[]), []);
    assert_eq!(known(Claim::Equal(a, index), &[]), [volume]);
    assert_eq!(known(Claim::Equal(a, b), &[positive]), [volume]);
}

/// Each step is written with all before it, and Z3 would copy those that are functions: with so many it took minutes.
fn steps(terms: &mut Terms, count: u32) -> Query {
    let [i, j] = ["i", "j"].map(|name| symbol(terms, name, 32));
    let zero = terms.constant(32, 0);
    let mut last = i;
    for _ in 0..count {
        let step = terms.sless(last, zero);
        let next = terms.add(last, j);
        last = terms.ite(step, next, last);
    }
    let negative = terms.sless(i, zero);
    let goal = terms.equal(last, i);
    let hypothesis = terms.not(negative);
    query(&[hypothesis], goal)
}

#[test]
fn the_largest_queries_that_are_asked_are_read_at_once() {
    let mut terms = Terms::new();
    let question = steps(&mut terms, 80);
    let size = size::gates(&terms, &question, Reading::Exact, u64::MAX);
    assert!((QUERY_GATES / 2..QUERY_GATES).contains(&size), "{size}");
    let mut solver = Z3Solver::default();
    assert!(solver.prove(&terms, &question).proved());
}

#[test]
fn queries_that_are_too_large_are_not_asked() {
    let mut terms = Terms::new();
    let question = steps(&mut terms, 20);
    let size = size::gates(&terms, &question, Reading::Exact, u64::MAX);
    let with = |gates, kernel_gates| {
        let limits = Limits {
            gates,
            kernel_gates,
            ..Limits::default()
        };
        Z3Solver::with_limits(limits)
    };
    let too_large = Verdict::Unknown(Unknown::TooLarge);
    let mut small = with(size - 1, u64::MAX);
    assert_eq!(small.prove(&terms, &question), too_large);
    assert_eq!(small.checks, 0);
    let mut twice = with(size, 2 * size);
    let verdicts = [0; 3].map(|_| twice.prove(&terms, &question));
    assert!(verdicts[0].proved() && verdicts[1].proved());
    assert_eq!(verdicts[2], too_large);
}

/// A claim that fails for few numbers, a different one for each `number`.
fn hardly_ever_false(terms: &mut Terms, number: u64) -> Query {
    let [x, y] = ["x", "y"].map(|name| symbol(terms, name, 16));
    let product = terms.mul(x, y);
    let number = terms.constant(16, 2 * number + 1);
    let equal = terms.equal(product, number);
    let goal = terms.not(equal);
    query(&[], goal)
}

#[test]
fn what_is_spent_in_vain_is_in_proportion_to_the_kernel() {
    for instructions in [100, 1_000, 10_000] {
        let limits = Limits::default().of_kernel(instructions);
        assert!(limits.vain < 130_000 + 130 * instructions as u64);
        let mut solver = Z3Solver::with_limits(Limits {
            vain: limits.vain / 100,
            ..limits
        });
        let mut terms = Terms::new();
        let mut most = 0;
        let last = (0..1_000).find(|&number| {
            let before = solver.spent;
            let question = hardly_ever_false(&mut terms, number);
            let verdict = solver.prove(&terms, &question);
            most = most.max(solver.spent - before);
            verdict == Verdict::Unknown(Unknown::Spent)
        });
        assert!(last.is_some_and(|last| last > 0), "{last:?}");
        let spent = solver.spent - most;
        assert!(spent <= limits.vain / 100 && most > 0, "{spent} {most}");
    }
}

#[test]
fn what_proves_something_is_not_spent_in_vain() {
    let mut terms = Terms::new();
    let question = steps(&mut terms, 4);
    let mut solver = Z3Solver::with_limits(Limits {
        vain: 1,
        ..Limits::default()
    });
    assert!((0..3).all(|_| solver.prove(&terms, &question).proved()));
    let wrong = hardly_ever_false(&mut terms, 0);
    assert!(matches!(
        solver.prove(&terms, &wrong),
        Verdict::Refuted(_) | Verdict::Unknown(_)
    ));
    let spent = Verdict::Unknown(Unknown::Spent);
    assert_eq!(solver.prove(&terms, &question), spent);
}
