//! Every rule of the table holds, at every width at which it is used.
//!
//! Rules on integers are proved: by the normal form of terms, by that of polynomials modulo 2^w, or by Z3. Rules on floating-point
//! numbers that need no permission are tried with all pairs and triples of special numbers and with others; those that need one
//! change results, and what they may change is the user's decision.

use super::super::flavour::{Flavour, Rounded};
use super::super::language::Node;
use super::super::rules::{pattern, power_of};
use super::super::table::{Needs, Over, RULES, Rule, When, rule};
use crate::emulator::term::{Symbol, TermId, Terms, Variance};
use crate::ir::divergence::Level;
use crate::ir::function::FastMath;
use crate::ir::op::{FloatMode, FloatOp, Op, Product, Rounding};
use crate::ir::semantics::{apply, fold, operand_widths};
use crate::ir::types::Type;
use crate::solver::{Chain, Limits, Query, Solver, Z3Solver};
use egg::{ENodeOrVar, Language, PatternAst};
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
    if matches!(rule.when, When::Always | When::Number) {
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
            ENodeOrVar::ENode(Node::Leaf(..)) => return None,
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
        assert_eq!(rule.needs, Needs::Nothing, "{}", rule.name);
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

/// Numbers at which operations on floating-point numbers are peculiar.
fn peculiar(ty: Type) -> Vec<u64> {
    if ty.bits == 64 {
        let mut all = vec![
            1,
            0x000f_ffff_ffff_ffff,
            0x7ff0_0000_0000_0000,
            0x7ff8_0000_0000_0001,
        ];
        let plain = [
            0.0,
            1.0,
            1.5,
            3.0,
            f64::MAX,
            f64::MIN_POSITIVE,
            0.1,
            7e-30,
            1.0 + f64::EPSILON,
        ];
        all.extend(plain.map(f64::to_bits));
        let negative: Vec<u64> = all.iter().map(|bits| bits | 1 << 63).collect();
        return [all, negative].concat();
    }
    let mut all = vec![1, 0x007f_ffff, 0x7f80_0000, 0x7fc0_0001];
    let plain = [
        0.0,
        1.0,
        1.5,
        3.0,
        f32::MAX,
        f32::MIN_POSITIVE,
        0.1,
        7e-30,
        1.0 + f32::EPSILON,
    ];
    all.extend(plain.map(|number: f32| u64::from(number.to_bits())));
    let negative: Vec<u64> = all.iter().map(|bits| bits | 1 << 31).collect();
    [all, negative].concat()
}

/// A side's value.
fn value(side: &PatternAst<Node>, variables: &BTreeMap<String, u64>) -> u64 {
    let mut all: Vec<u64> = Vec::new();
    for node in side.as_ref() {
        all.push(match node {
            ENodeOrVar::Var(var) => variables[&var.to_string()],
            ENodeOrVar::ENode(Node::Op(op, _, args)) => {
                let args: Vec<u64> = args.iter().map(|&id| all[usize::from(id)]).collect();
                fold(op, &args)[0]
            }
            ENodeOrVar::ENode(_) => panic!("rules on floats have no numbers"),
        });
    }
    all[all.len() - 1]
}

fn same(ty: Type, one: u64, other: u64) -> bool {
    let nan = |bits: u64| match ty.bits {
        64 => f64::from_bits(bits).is_nan(),
        _ => f32::from_bits(bits as u32).is_nan(),
    };
    one == other || nan(one) && nan(other)
}

/// Flavours of floats with all permissions.
fn floats() -> Vec<Flavour> {
    let mut all = Vec::new();
    for (ty, ftz) in [(Type::F32, false), (Type::F32, true), (Type::F64, false)] {
        for rounding in [Rounding::Nearest, Rounding::Contractible] {
            let mode = FloatMode {
                rounding,
                ftz,
                ..FloatMode::NEAREST
            };
            let allowed = FastMath {
                contract: true,
                reassoc: true,
            };
            let sum = Rounded { mode, allowed };
            all.push(Flavour::Floats {
                ty,
                sum,
                product: sum,
            });
        }
    }
    all
}

#[test]
fn rules_on_floats_without_permission_keep_every_bit() {
    let rules = RULES
        .iter()
        .filter(|rule| rule.over == Over::Floats && rule.needs == Needs::Nothing);
    for rule in rules {
        for flavour in floats() {
            let Flavour::Floats { ty, .. } = flavour else {
                continue;
            };
            let [left, right] =
                [rule.left, rule.right].map(|side| pattern(side, flavour).expect("known words"));
            let all = peculiar(ty);
            for (a, b, c) in all.iter().flat_map(|&a| {
                let all = &all;
                all.iter()
                    .flat_map(move |&b| all.iter().map(move |&c| (a, b, c)))
            }) {
                let variables =
                    [("?a", a), ("?b", b), ("?c", c)].map(|(name, bits)| (name.to_owned(), bits));
                let variables = BTreeMap::from(variables);
                let [one, other] = [&left, &right].map(|side| value(side, &variables));
                assert!(
                    same(ty, one, other),
                    "{}: {a:x} {b:x} {c:x}: {one:x}, {other:x}",
                    rule.name
                );
            }
        }
    }
}

/// With an exact product both sides round once.
#[test]
fn contraction_changes_the_rounding_alone() {
    let mode = FloatMode::NEAREST;
    let (ty, op) = (Type::F32, FloatOp::Mul);
    let product = |a: f32, b: f32| {
        fold(
            &Op::Float { op, ty, mode },
            &[a.to_bits().into(), b.to_bits().into()],
        )[0]
    };
    let rules = RULES.iter().filter(|rule| rule.needs == Needs::Contract);
    for rule in rules {
        let [left, right] =
            [rule.left, rule.right].map(|side| pattern(side, floats()[0]).expect("known words"));
        for (a, b, c) in [
            (1.5f32, 3.0f32, -2.0f32),
            (0.1, 4.0, 0.3),
            (-7.25, -0.5, 1e-3),
            (0.0, -0.0, 1.0),
        ] {
            assert_eq!(product(b, c), u64::from((b * c).to_bits()));
            let variables = [("?a", a), ("?b", b), ("?c", c)]
                .map(|(name, x)| (name.to_owned(), u64::from(x.to_bits())));
            let variables = BTreeMap::from(variables);
            let exact = f64::from(b) * f64::from(c) == f64::from(b * c);
            let [one, other] = [&left, &right].map(|side| value(side, &variables));
            assert!(!exact || one == other, "{}: {a} {b} {c}", rule.name);
        }
    }
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
