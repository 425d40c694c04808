//! Property tests: Z3 proves that what simplification returns equals what was written, and that text read back gives the
//! verdict of the query it was printed from.

use super::operations::{binary, literal, unary};
use super::smtlib::{Part, print};
use super::z3::{by_zero, satisfiable};
use super::*;
use crate::term::{Binary, Function, Symbol, TermId, Terms, Unary, Variance};
use proptest::prelude::*;
use ptxasw_ir::divergence::Level;
use std::fmt::Write;

/// Random operations, by number: what is applied to which earlier results, and a constant.
type RandomOperation = (u8, usize, usize, u64);

const BINARY: [Binary; 15] = [
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Shl,
    Binary::Lshr,
    Binary::Ashr,
    Binary::UDiv,
    Binary::URem,
    Binary::SDiv,
    Binary::SRem,
    Binary::UMulHigh,
    Binary::SMulHigh,
    Binary::Equal,
    Binary::ULess,
    Binary::SLess,
];

/// A program in two forms: as simplified terms, and as SMT-LIB text that no rewriting has seen.
struct Program {
    terms: Terms,
    text: String,
    stack: Vec<(TermId, String)>,
}

impl Program {
    fn new() -> Self {
        let mut terms = Terms::new();
        let mut stack = Vec::new();
        // Narrow, so that products and quotients are decided at once.
        for (name, width, greatest) in [("a", 5, 31), ("b", 5, 19), ("c", 8, 255), ("d", 1, 1)] {
            let symbol = Symbol::new(name, width, Variance::Of(Level::Uniform)).within(0, greatest);
            stack.push((terms.symbol(symbol), name.to_owned()));
        }
        Program {
            terms,
            text: String::new(),
            stack,
        }
    }

    fn define(&mut self, t: TermId, expression: &str) {
        let name = format!("raw{}", self.stack.len());
        let width = self.terms.width(t);
        let _ = writeln!(
            self.text,
            "(define-fun {name} () (_ BitVec {width}) {expression})"
        );
        self.stack.push((t, name));
    }

    fn pick(&self, position: usize) -> (TermId, String) {
        self.stack[self.stack.len() - 1 - position % self.stack.len()].clone()
    }

    /// An operand brought to `width` bits.
    fn operand(&mut self, position: usize, width: u8) -> (TermId, String) {
        let (t, text) = self.pick(position);
        let from = self.terms.width(t);
        let fitted = match from.cmp(&width) {
            std::cmp::Ordering::Equal => text,
            std::cmp::Ordering::Less => unary(Unary::Zext, width, from, &text),
            std::cmp::Ordering::Greater => unary(Unary::Extract(0), width, from, &text),
        };
        (self.terms.zext(t, width), fitted)
    }

    fn step(&mut self, &(op, first, second, number): &RandomOperation) {
        let (a, x) = self.pick(first);
        let width = self.terms.width(a);
        let bits = number & (u64::MAX >> (64 - u32::from(width)));
        let (b, y) = if number.is_multiple_of(3) {
            (self.terms.constant(width, bits), literal(width, bits))
        } else {
            self.operand(second, width)
        };
        let terms = &mut self.terms;
        let (t, expression) = match op {
            0 => (terms.add(a, b), format!("(bvadd {x} {y})")),
            1 => (terms.sub(a, b), format!("(bvsub {x} {y})")),
            2 => (terms.mul(a, b), format!("(bvmul {x} {y})")),
            3 => (terms.not(a), format!("(bvnot {x})")),
            4 | 5 if width <= 5 => {
                let op = if op == 4 { Unary::Zext } else { Unary::Sext };
                let wide = width + 3;
                (terms.apply_unary(op, wide, a), unary(op, wide, width, &x))
            }
            6 => {
                let low = (number % u64::from(width)) as u8;
                let bits = 1 + (number >> 8) as u8 % (width - low);
                let op = Unary::Extract(low);
                (terms.extract(a, low, bits), unary(op, bits, width, &x))
            }
            7 => {
                let op = [Unary::Popc, Unary::Clz, Unary::Brev][second % 3];
                (terms.apply_unary(op, width, a), unary(op, width, width, &x))
            }
            8 => {
                let (condition, p) = self.operand(first + second, 1);
                let t = self.terms.ite(condition, a, b);
                (t, format!("(ite (= {p} #b1) {x} {y})"))
            }
            _ => {
                let op = BINARY[usize::from(op) % BINARY.len()];
                (terms.apply_binary(op, a, b), binary(op, width, &x, &y))
            }
        };
        self.define(t, &expression);
    }
}

fn steps(length: usize) -> impl Strategy<Value = Vec<RandomOperation>> {
    let number = prop_oneof![
        any::<u64>(),
        0u64..20,
        (0u32..16).prop_map(|k| (1u64 << k).wrapping_neg()),
        (0u32..16).prop_map(|k| (1u64 << k) - 1),
    ];
    proptest::collection::vec((0u8..30, 0usize..6, 0usize..6, number), 1..length)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn simplified_terms_are_what_was_written(steps in steps(7)) {
        let mut program = Program::new();
        for step in &steps {
            program.step(step);
        }
        let (t, raw) = program.pick(0);
        let width = program.terms.width(t);
        let result = program.terms.symbol(Symbol::new("result", width, Variance::Of(Level::Uniform)));
        let goal = program.terms.equal(result, t);
        // A hypothesis about an unrelated function mentions all inputs, so that the text declares them.
        let function = program.terms.function(Function::Named("inputs".into()));
        let inputs: Vec<TermId> = program.stack[..4].iter().map(|&(t, _)| t).collect();
        let mention = program.terms.uninterpreted(8, function, &inputs);
        let again = program.terms.uninterpreted(8, function, &[mention]);
        let hypotheses = vec![program.terms.uless(again, mention)];
        let query = Query { name: "agreement".into(), hypotheses, goal };
        let text = print(&program.terms, &query, Reading::Exact, Part::Claim).smt;
        let text = text.replace(
            "(check-sat)",
            &format!("{}(assert (= result {raw}))\n(check-sat)", program.text),
        );
        prop_assert_eq!(satisfiable(&text), Some(false), "{}", text);
    }

    #[test]
    fn text_gives_the_verdict_of_its_query(steps in steps(7)) {
        let mut program = Program::new();
        for step in &steps {
            program.step(step);
        }
        let (a, _) = program.operand(0, 8);
        let (b, _) = program.operand(1, 8);
        let hypothesis = program.terms.uless(a, b);
        let goal = program.terms.sless(a, b);
        let query = Query { name: "claim".into(), hypotheses: vec![hypothesis], goal };
        let mut solver = Z3Solver::default();
        match solver.prove(&program.terms, &query) {
            Verdict::Proved(Proof::Solver(reading)) => {
                let text = print(&program.terms, &query, reading, Part::Claim);
                prop_assert_eq!(satisfiable(&text.smt), Some(false));
            }
            Verdict::Refuted(_) => {
                let text = print(&program.terms, &query, Reading::Exact, Part::Claim);
                prop_assert_eq!(satisfiable(&text.smt), Some(true));
            }
            Verdict::Unknown(Unknown::Vacuous) => {
                let text = print(&program.terms, &query, Reading::Exact, Part::Hypotheses);
                prop_assert_eq!(satisfiable(&text.smt), Some(false));
            }
            // No proof rests on what a quotient by 0 is to a solver.
            Verdict::Unknown(Unknown::Spurious) => {
                prop_assert!(by_zero(&program.terms, &query));
            }
            verdict => prop_assert!(false, "{:?}", verdict),
        }
    }
}
