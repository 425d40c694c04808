//! Every rule on floating-point numbers is used with its permissions alone, and changes no more than they allow.
//!
//! Both sides of a rule are computed for signed zeros, infinities, NaNs, subnormal numbers, the largest ones and others, in each type,
//! with `.ftz` and without. Where they differ, a permission must account for it; each permission that a rule names accounts for
//! something.

use super::super::facts::{Facts, Graph};
use super::super::flavour::Flavour;
use super::super::language::{Node, Rounded};
use super::super::rules::{pattern, rewrites};
use super::super::table::{Over, RULES, Rule, When, rule};
use super::sides::{F16, Side, differ};
use super::table::equal_at;
use egg::Runner;
use ptxasw_ir::fast_math::FastMath;
use ptxasw_ir::function::Value;
use ptxasw_ir::op::{FloatMode, FloatOp, Op, Rounding};
use ptxasw_ir::types::Type;
use std::collections::BTreeSet;

const ALL: FastMath = FastMath::of_bits(u8::MAX);

fn floats() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().filter(|rule| rule.over == Over::Floats)
}

fn at(ty: Type, ftz: bool, [sum, product]: [FastMath; 2]) -> Flavour {
    let mode = FloatMode {
        rounding: Rounding::Contractible,
        ftz,
        ..FloatMode::NEAREST
    };
    let [sum, product] = [sum, product].map(|allowed| Rounded { mode, allowed });
    Flavour::Floats { ty, sum, product }
}

/// The types that have rules, with `.ftz` and without.
const TYPES: [(Type, bool); 5] = [
    (F16, false),
    (F16, true),
    (Type::F32, false),
    (Type::F32, true),
    (Type::F64, false),
];

/// Where both sides of a rule differ by more than permissions allow; the first such case.
fn breach(rule: &Rule, allowed: FastMath) -> Option<String> {
    for (ty, ftz) in TYPES {
        if ftz && rule.when == When::Unflushed {
            continue;
        }
        let flavour = at(ty, ftz, [ALL; 2]);
        let [left, right] = [rule.left, rule.right].map(|side| {
            Side::new(
                pattern(side, flavour).expect("its words are known"),
                ty,
                ftz,
            )
        });
        let used = ["?a", "?b", "?c"].map(|name| rule.left.contains(name));
        for numbers in super::sides::samples(ty, used) {
            let [one, other] = [left.run(numbers), right.run(numbers)];
            if differ(ty, allowed, &one, &other) {
                let numbers = numbers.map(|bits| format!("{bits:#x}"));
                return Some(format!(
                    "{}: {ty:?}, ftz {ftz}, of {numbers:?}: {one:?}, {other:?}",
                    rule.name
                ));
            }
        }
    }
    None
}

#[test]
fn rules_change_no_more_than_they_may() {
    for rule in floats() {
        assert_eq!(breach(rule, rule.needs), None, "{}", rule.needs);
    }
}

/// But for those that LLVM asks for where another one implies them.
#[test]
fn each_permission_accounts_for_a_difference() {
    let implied = [("fdiv-abs", FastMath::NINF)];
    for rule in floats() {
        let needed = FastMath::NAMES.into_iter();
        for (name, one) in needed.filter(|(_, one)| rule.needs.has(*one)) {
            let found = breach(rule, rule.needs.without(one)).is_some();
            let expected = !implied.contains(&(rule.name, one));
            assert_eq!(found, expected, "{} without {name}", rule.name);
        }
    }
}

/// The tests above would find them.
#[test]
fn wrong_rules_change_more() {
    use FastMath as F;
    let of = |left, right, needs| rule("wrong", Over::Floats, left, right).needs(needs);
    let most = ALL.without(F::NNAN.or(F::NINF));
    for (left, right, needs) in [
        ("(add ?a ?b)", "(sub ?a ?b)", ALL),
        ("(add ?a (mul ?b ?c))", "(fma ?b ?c (neg ?a))", ALL),
        ("(add ?a (add ?b ?c))", "(add ?a ?b)", ALL),
        ("(mul ?a (mul ?b ?c))", "(mul ?a ?b)", ALL),
        ("(mul ?a (mul ?b ?c))", "(neg (mul (mul ?a ?b) ?c))", ALL),
        ("(div ?a ?b)", "(mul ?a ?b)", ALL),
        ("(mul ?a 0)", "0", most),
        ("(sub ?a ?a)", "0", most),
        ("(neg (sub ?a ?b))", "(sub ?b ?a)", most.without(F::NSZ)),
        ("(sub 0 ?a)", "(neg ?a)", most.without(F::NSZ)),
        ("(mul ?a 1)", "?a", F::NONE),
        ("(add ?a 0)", "?a", F::NSZ),
        ("(div ?a ?b)", "(mul ?a (rcp ?b))", F::NSZ.or(F::NNAN)),
    ] {
        let wrong = of(left, right, needs);
        assert!(breach(&wrong, needs).is_some(), "{left} -> {right}");
    }
}

/// With every set of permissions, of all operations and of one kind alone.
#[test]
fn rules_are_used_with_their_permissions_alone() {
    for rule in floats() {
        let names = RULES.iter().map(|rule| rule.name);
        let others: Vec<&str> = names.filter(|name| *name != rule.name).collect();
        let used = |sets| equal_at(rule, at(Type::F32, false, sets), &others);
        for bits in 0..64 {
            let set = FastMath::of_bits(bits);
            assert_eq!(
                used([set; 2]),
                set.has(rule.needs),
                "{} with {set}",
                rule.name
            );
        }
        let has = |word| rule.left.contains(word);
        let mixed = has("(mul") && (has("(add") || has("(sub"));
        for (name, one) in FastMath::NAMES {
            let sets = [ALL, ALL.without(one)];
            for sets in [sets, [sets[1], sets[0]]] {
                let expected = mixed && !rule.needs.has(one);
                assert_eq!(used(sets), expected, "{} without {name}", rule.name);
            }
        }
    }
}

/// Only those that have a condition on it ask for it; the divisor here is no number.
#[test]
fn flushing_forbids_what_keeps_subnormal_numbers() {
    for rule in floats() {
        let used = equal_at(rule, at(Type::F32, true, [ALL; 2]), &[]);
        let refused = matches!(rule.when, When::Unflushed | When::Invertible);
        assert_eq!(used, !refused, "{}", rule.name);
    }
}

/// All operations of a class permit the same: none is computed as one that its author has not allowed.
#[test]
fn permissions_do_not_spread() {
    use FastMath as F;
    let sets = [F::NONE, F::CONTRACT, F::REASSOC.or(F::NSZ), ALL];
    let mut graph = Graph::new(Facts::default());
    let leaves: Vec<_> = (0..3)
        .map(|number| graph.add(Node::Leaf(Value(number), 32)))
        .collect();
    let zero = graph.add(Node::Constant(32, 0));
    let mut flavours = BTreeSet::new();
    for sum in sets {
        for product in sets {
            let flavour = at(Type::F32, false, [sum, product]);
            flavours.insert(flavour);
            flavours.insert(flavour.made());
            let mut add = |word: &str, args: &[egg::Id]| {
                let (op, allowed) = flavour.op(word).expect("a word");
                graph.add(Node::Op(op, allowed, args.iter().copied().collect()))
            };
            let [a, b, c] = [leaves[0], leaves[1], leaves[2]];
            let products = [add("mul", &[a, b]), add("mul", &[a, c])];
            let total = add("add", &[products[0], products[1]]);
            let partial = add("add", &[b, c]);
            add("mul", &[a, partial]);
            add("add", &[c, products[0]]);
            add("fma", &[a, b, c]);
            add("fma", &[a, b, zero]);
            add("add", &[total, zero]);
            add("add", &[products[0], zero]);
            add("sub", &[c, products[1]]);
            let reciprocal = add("rcp", &[b]);
            add("mul", &[a, reciprocal]);
            add("div", &[a, b]);
            let magnitude = add("abs", &[a]);
            add("div", &[a, magnitude]);
        }
    }
    graph.rebuild();
    let flavours: Vec<Flavour> = flavours.into_iter().collect();
    let before = graph.number_of_classes();
    let graph = Runner::<Node, Facts>::new(Facts::default())
        .with_egraph(graph)
        .with_iter_limit(3)
        .with_node_limit(100_000)
        .run(&rewrites(&flavours, &[]))
        .egraph;
    assert!(!graph.analysis.contradiction);
    assert!(graph.number_of_classes() > before);
    for class in graph.classes() {
        let mut found = BTreeSet::new();
        for node in &class.nodes {
            if let Node::Op(op, allowed, _) = node {
                let signs = [FloatOp::Neg, FloatOp::Abs];
                // These round nothing, and have no permissions.
                if !matches!(op, Op::Float { op, .. } if signs.contains(op)) {
                    found.insert(*allowed);
                }
            }
        }
        assert!(found.len() <= 1, "{found:?}: {:?}", class.nodes);
    }
}

fn leaves(graph: &mut Graph) -> [egg::Id; 3] {
    [0, 1, 2].map(|number| graph.add(Node::Leaf(Value(number), 32)))
}

fn grown(mut graph: Graph, flavour: Flavour) -> Graph {
    graph.rebuild();
    let runner = Runner::<Node, Facts>::new(Facts::default()).with_egraph(graph);
    let grown = runner.run(&rewrites(&[flavour], &[])).egraph;
    assert!(!grown.analysis.contradiction);
    grown
}

/// What may be read in place of two values does not make them equal.
#[test]
fn values_that_may_be_read_alike_are_not_equal() {
    let flavour = at(Type::F32, false, [FastMath::NNAN.or(FastMath::NSZ); 2]);
    let mut graph = Graph::new(Facts::default());
    let [a, b, _] = leaves(&mut graph);
    let zero = graph.add(Node::Constant(32, 0));
    let mut add = |word, args: [egg::Id; 2]| {
        let (op, allowed) = flavour.op(word).expect("a word");
        graph.add(Node::Op(op, allowed, args.into_iter().collect()))
    };
    let all = [
        add("sub", [a, a]),
        add("sub", [b, b]),
        add("mul", [a, zero]),
        add("mul", [b, zero]),
    ];
    let graph = grown(graph, flavour);
    let classes: BTreeSet<_> = all.into_iter().map(|id| graph.find(id)).collect();
    assert_eq!(classes.len(), all.len());
    for class in classes {
        let reads = |node: &Node| matches!(node, Node::Instead(.., [id]) if graph.find(*id) == graph.find(zero));
        assert!(graph[class].nodes.iter().any(reads));
    }
}

/// The sum of 1e30 and -1e30 permits another order; who adds 0.0 to a number has not allowed one of those.
#[test]
fn a_number_is_no_operation_that_gives_it() {
    let flavour = at(Type::F32, false, [ALL; 2]);
    let mut graph = Graph::new(Facts::default());
    let [a, ..] = leaves(&mut graph);
    let large =
        [1e30f32, -1e30].map(|number| graph.add(Node::Constant(32, number.to_bits().into())));
    let two = graph.add(Node::Constant(32, 2f32.to_bits().into()));
    let mut add = |args: [egg::Id; 2]| {
        let (op, allowed) = flavour.op("add").expect("a word");
        graph.add(Node::Op(op, allowed, args.into_iter().collect()))
    };
    let difference = add(large);
    let twice = add([large[0], two]);
    let sums = [add([a, difference]), add([twice, a])];
    let graph = grown(graph, flavour);
    for sum in sums {
        for node in &graph[graph.find(sum)].nodes {
            let Node::Op(op, _, args) = node else {
                continue;
            };
            let parts = args.iter().flat_map(|&arg| &graph[arg].nodes);
            let mut deeper = parts.filter(|part| matches!(part, Node::Op(_, _, args) if args.iter().any(|&arg| graph.find(arg) == graph.find(a))));
            assert!(deeper.next().is_none(), "{op:?} {args:?}");
        }
    }
}
