//! Every rule of the table holds, at every width at which it is used.
//!
//! Rules on integers are proved: by the normal form of terms, by that of polynomials modulo 2^w, or by Z3. Those on floating-point
//! numbers are tried in `permissions`.

use super::super::flavour::Flavour;
use super::super::language::Node;
use super::super::rules::{pattern, power_of};
use super::super::table::{Over, RULES, Rule, When, rule};
use egg::{ENodeOrVar, Language, PatternAst};
use ptxasw_emulator::solver::{Chain, Limits, Query, Solver, Z3Solver};
use ptxasw_emulator::term::{Symbol, TermId, Terms, Variance};
use ptxasw_ir::divergence::Level;
use ptxasw_ir::fast_math::FastMath;
use ptxasw_ir::op::{Op, Product};
use ptxasw_ir::semantics::{apply, operand_widths};
use std::collections::BTreeMap;

/// The constants that a rule is instantiated with: `?k` and `?m`, each with its width.
type Numbers = BTreeMap<String, (u8, u64)>;

/// All types at which the pass uses a rule on integers, and such with 8 bits.
fn types(over: Over) -> Vec<Flavour> {
    let signs = [false, true];
    match over {
        Over::Integers => [8, 16, 32, 64].map(Flavour::Integers).to_vec(),
        Over::Wide => [8, 16, 32]
            .into_iter()
            .flat_map(|from| signs.map(|signed| Flavour::Wide { from, signed }))
            .collect(),
        Over::Logic => [1, 8, 16, 32, 64].map(Flavour::Logic).to_vec(),
        Over::Choices => [1, 8, 16, 32, 64].map(Flavour::Choices).to_vec(),
        Over::Extremes => [8, 16, 32, 64]
            .into_iter()
            .flat_map(|width| signs.map(|signed| Flavour::Extremes { width, signed }))
            .collect(),
        Over::Floats => Vec::new(),
    }
}

/// The cases of a rule: one, or one for each number that it holds for.
fn cases(rule: &Rule, flavour: Flavour) -> Vec<Numbers> {
    // What holds for a number holds for all values.
    if matches!(
        rule.when,
        When::Always | When::Number | When::Invertible | When::Unflushed
    ) {
        return vec![Numbers::new()];
    }
    let width = flavour.width();
    let amounts = (0..64).filter_map(|k| Some((k, power_of(rule.when, flavour, k)?)));
    // The logarithm of 1 is no amount that a rule makes.
    let amounts = amounts.filter(|(k, _)| rule.when != When::Power || *k > 0);
    let case = |(k, m)| {
        let amount = ("?k".to_owned(), (32, k));
        let power = ("?m".to_owned(), (width, m));
        Numbers::from([amount, power])
    };
    amounts.map(case).collect()
}

/// The widths of a side's variables.
fn variables(side: &PatternAst<Node>, widths: &mut BTreeMap<String, u8>) {
    for node in side.as_ref() {
        if let ENodeOrVar::ENode(Node::Op(op, _, args)) = node {
            for (arg, width) in args.iter().zip(operand_widths(op)) {
                if let ENodeOrVar::Var(var) = &side[*arg] {
                    widths.insert(var.to_string(), width);
                }
            }
        }
    }
}

/// A side as a term.
fn term(
    terms: &mut Terms,
    side: &PatternAst<Node>,
    variables: &BTreeMap<String, TermId>,
) -> TermId {
    let mut all: Vec<TermId> = Vec::new();
    for node in side.as_ref() {
        let made = match node {
            ENodeOrVar::Var(var) => variables[&var.to_string()],
            ENodeOrVar::ENode(Node::Constant(width, bits)) => terms.constant(*width, *bits),
            ENodeOrVar::ENode(node) => {
                let Node::Op(op, ..) = node else {
                    panic!("rules have no leaves")
                };
                let args: Vec<TermId> = node
                    .children()
                    .iter()
                    .map(|&id| all[usize::from(id)])
                    .collect();
                apply(terms, op, &args)[0]
            }
        };
        all.push(made);
    }
    all[all.len() - 1]
}

/// A polynomial: the coefficient of each product of variables.
type Polynomial = BTreeMap<Vec<String>, u64>;

/// The normal form of a side modulo 2^width; none if it has anything but sums and products.
fn polynomial(side: &PatternAst<Node>, width: u8, numbers: &Numbers) -> Option<Polynomial> {
    let mut all: Vec<Polynomial> = Vec::new();
    for node in side.as_ref() {
        let number = |bits| Polynomial::from([(Vec::new(), bits)]);
        let made = match node {
            ENodeOrVar::Var(var) => match numbers.get(&var.to_string()) {
                Some((_, bits)) => number(*bits),
                None => Polynomial::from([(vec![var.to_string()], 1)]),
            },
            ENodeOrVar::ENode(Node::Constant(_, bits)) => number(*bits),
            ENodeOrVar::ENode(Node::Op(op, _, args)) => {
                let arg = |at: usize| &all[usize::from(args[at])];
                match *op {
                    Op::Add { .. } => sum(arg(0), arg(1), 1),
                    Op::Sub { .. } => sum(arg(0), arg(1), u64::MAX),
                    Op::Neg { .. } => sum(&Polynomial::new(), arg(0), u64::MAX),
                    Op::Mul {
                        product: Product::Low,
                        ..
                    } => times(arg(0), arg(1)),
                    Op::MulAdd {
                        product: Product::Low,
                        ..
                    } => sum(&times(arg(0), arg(1)), arg(2), 1),
                    _ => return None,
                }
            }
            ENodeOrVar::ENode(Node::Leaf(..) | Node::Instead(..)) => return None,
        };
        all.push(made);
    }
    let cut = u64::MAX >> (64 - u32::from(width));
    let mut last = all.pop()?;
    last.values_mut()
        .for_each(|coefficient| *coefficient &= cut);
    last.retain(|_, coefficient| *coefficient != 0);
    Some(last)
}

fn sum(one: &Polynomial, other: &Polynomial, factor: u64) -> Polynomial {
    let mut all = one.clone();
    for (product, coefficient) in other {
        let sum = all.entry(product.clone()).or_default();
        *sum = sum.wrapping_add(coefficient.wrapping_mul(factor));
    }
    all
}

fn times(one: &Polynomial, other: &Polynomial) -> Polynomial {
    let mut all = Polynomial::new();
    for (left, by) in one {
        for (right, and) in other {
            let mut product: Vec<String> = left.iter().chain(right).cloned().collect();
            product.sort();
            let sum = all.entry(product).or_default();
            *sum = sum.wrapping_add(by.wrapping_mul(*and));
        }
    }
    all
}

/// Whether a rule is proved for one case of one type; none if it has no meaning at it.
fn holds(rule: &Rule, flavour: Flavour, numbers: &Numbers) -> Option<bool> {
    let sides = [rule.left, rule.right].map(|side| pattern(side, flavour));
    let [Some(left), Some(right)] = sides else {
        return None;
    };
    let polynomials = [&left, &right].map(|side| polynomial(side, flavour.width(), numbers));
    if let [Some(one), Some(other)] = &polynomials
        && one == other
    {
        return Some(true);
    }
    let mut widths = BTreeMap::new();
    variables(&left, &mut widths);
    variables(&right, &mut widths);
    let mut terms = Terms::new();
    let of_variable = |(name, width): (&String, &u8)| {
        let term = match numbers.get(name) {
            Some((width, bits)) => terms.constant(*width, *bits),
            None => terms.symbol(Symbol::new(name, *width, Variance::Of(Level::Uniform))),
        };
        (name.clone(), term)
    };
    let variables: BTreeMap<String, TermId> = widths.iter().map(of_variable).collect();
    let one = term(&mut terms, &left, &variables);
    let other = term(&mut terms, &right, &variables);
    if one == other {
        return Some(true);
    }
    let goal = terms.equal(one, other);
    let query = Query {
        name: rule.name.to_owned(),
        hypotheses: Vec::new(),
        goal,
    };
    let limits = Limits {
        rlimit: 40_000_000,
        ..Limits::of_gates(1 << 20)
    };
    let proved = Chain::new(Z3Solver::with_limits(limits)).prove(&terms, &query);
    Some(proved.proved())
}

/// Where a rule is not proved.
fn unproved(rule: &Rule) -> Vec<(Flavour, Numbers)> {
    let mut open = Vec::new();
    for flavour in types(rule.over) {
        let mut known = false;
        for numbers in cases(rule, flavour) {
            match holds(rule, flavour, &numbers) {
                Some(true) => known = true,
                Some(false) => open.push((flavour, numbers)),
                None => {}
            }
        }
        assert!(
            known || !open.is_empty(),
            "{}: no meaning at {flavour:?}",
            rule.name
        );
    }
    open
}

#[test]
fn rules_on_integers_are_proved() {
    let rules = RULES.iter().filter(|rule| rule.over != Over::Floats);
    for rule in rules {
        assert_eq!(rule.needs, FastMath::NONE, "{}", rule.name);
        assert_eq!(unproved(rule), [], "{}", rule.name);
    }
}

/// The test above would find them.
#[test]
fn wrong_rules_are_not_proved() {
    for wrong in [
        rule("sub-swapped", Over::Integers, "(sub ?a ?b)", "(sub ?b ?a)"),
        rule(
            "distribute-wrong",
            Over::Integers,
            "(mul ?a (add ?b ?c))",
            "(add (mul ?a ?b) ?c)",
        ),
        rule(
            "wide-of-low",
            Over::Wide,
            "(mulw ?a ?b)",
            "(ext (add ?a ?b))",
        ),
        rule("absorb-wrong", Over::Logic, "(and ?a (or ?a ?b))", "?b"),
        rule(
            "choice-wrong",
            Over::Choices,
            "(select ?a ?b (not ?c))",
            "(select ?a ?b ?c)",
        ),
        rule("min-is-max", Over::Extremes, "(min ?a ?b)", "(max ?a ?b)"),
    ] {
        assert_ne!(unproved(&wrong), [], "{}", wrong.name);
    }
    // 2^31 is no positive number of 32 bits.
    let shift = RULES
        .iter()
        .find(|rule| rule.name == "narrow-shift")
        .expect("it is there");
    let signed = Flavour::Wide {
        from: 32,
        signed: true,
    };
    let numbers =
        |k: u64| Numbers::from([("?k".to_owned(), (32, k)), ("?m".to_owned(), (32, 1 << k))]);
    assert_eq!(holds(shift, signed, &numbers(30)), Some(true));
    assert_eq!(holds(shift, signed, &numbers(31)), Some(false));
}

/// What LLVM calls undefined is another value at each use, so nothing but a number is used more often than before.
#[test]
fn no_rule_uses_a_value_more_often() {
    for rule in RULES {
        for variable in ["?a", "?b", "?c"] {
            let uses = |side: &str| side.matches(variable).count();
            assert!(uses(rule.right) <= uses(rule.left), "{}", rule.name);
        }
    }
}
