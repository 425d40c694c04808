//! Each rule does something that no other does at once.

use super::super::facts::{Facts, Graph};
use super::super::flavour::Flavour;
use super::super::language::{Node, Rounded};
use super::super::rules::{pattern, rewrites};
use super::super::table::{Over, RULES, Rule, When};
use egg::{ENodeOrVar, Id, PatternAst, Runner};
use ptxasw_ir::fast_math::FastMath;
use ptxasw_ir::function::Value;
use ptxasw_ir::op::{FloatMode, Rounding};
use ptxasw_ir::semantics::operand_widths;
use ptxasw_ir::types::Type;
use std::collections::BTreeMap;

/// All rules: one that is taken away is missed.
const NAMES: [&str; 77] = [
    "comm-add",
    "comm-mul",
    "assoc-add1",
    "assoc-add2",
    "assoc-mul1",
    "assoc-mul2",
    "factor",
    "factor-one",
    "distribute",
    "double",
    "shift-to-product",
    "product-to-shift",
    "sub-to-add",
    "add-to-sub",
    "neg-of-product",
    "neg-of-sum",
    "neg-of-neg",
    "sub-same",
    "add-zero",
    "add-neg",
    "mul-zero",
    "mul-one",
    "comm-mul-wide",
    "narrow-factors",
    "narrow-shift",
    "comm-and",
    "comm-or",
    "comm-xor",
    "assoc-and",
    "assoc-or",
    "assoc-xor",
    "factor-and",
    "factor-or",
    "absorb-and",
    "absorb-or",
    "and-same",
    "or-same",
    "xor-same",
    "and-zero",
    "and-ones",
    "or-zero",
    "xor-zero",
    "not-of-not",
    "not-of-and",
    "not-of-or",
    "choice-of-same",
    "choice-by-not",
    "comm-min",
    "comm-max",
    "assoc-min",
    "assoc-max",
    "min-same",
    "max-same",
    "min-of-max",
    "max-of-min",
    "comm-fadd",
    "comm-fmul",
    "comm-fma",
    "fsub-to-fadd",
    "fadd-to-fsub",
    "fneg-of-fneg",
    "fneg-of-fmul",
    "fma1",
    "fma2",
    "fma3",
    "assoc-fadd1",
    "assoc-fadd2",
    "assoc-fmul1",
    "assoc-fmul2",
    "ffactor",
    "ffactor-one",
    "fadd-zero",
    "fsub-same",
    "fmul-zero",
    "reciprocal",
    "fdiv-same",
    "fdiv-abs",
];

/// A type at which a rule is used.
fn flavour(over: Over) -> Flavour {
    let sum = Rounded {
        mode: FloatMode {
            rounding: Rounding::Contractible,
            ..FloatMode::NEAREST
        },
        allowed: FastMath::of_bits(u8::MAX),
    };
    match over {
        Over::Integers => Flavour::Integers(32),
        Over::Wide => Flavour::Wide {
            from: 32,
            signed: true,
        },
        Over::Logic => Flavour::Logic(32),
        Over::Choices => Flavour::Choices(32),
        Over::Extremes => Flavour::Extremes {
            width: 32,
            signed: false,
        },
        Over::Floats => Flavour::Floats {
            ty: Type::F32,
            sum,
            product: sum,
        },
    }
}

/// A side in an e-graph; its variables are leaves, but for numbers.
pub(super) fn add(
    graph: &mut Graph,
    side: &PatternAst<Node>,
    leaves: &mut BTreeMap<String, Id>,
) -> Id {
    let mut widths = BTreeMap::new();
    for node in side.as_ref() {
        if let ENodeOrVar::ENode(Node::Op(op, _, args)) = node {
            for (arg, width) in args.iter().zip(operand_widths(op)) {
                if let ENodeOrVar::Var(var) = &side[*arg] {
                    widths.insert(var.to_string(), width);
                }
            }
        }
    }
    let mut ids: Vec<Id> = Vec::new();
    for node in side.as_ref() {
        let id = match node {
            ENodeOrVar::Var(var) => {
                let name = var.to_string();
                let width = widths.get(&name).copied().unwrap_or(32);
                let number = leaves.len() as u32;
                let leaf = match &*name {
                    "?k" => Node::Constant(32, 3),
                    "?m" => Node::Constant(width, 8),
                    _ => Node::Leaf(Value(number), width),
                };
                *leaves.entry(name).or_insert_with(|| graph.add(leaf))
            }
            ENodeOrVar::ENode(node) => {
                use egg::Language;
                let node = node.clone();
                graph.add(node.map_children(|child| ids[usize::from(child)]))
            }
        };
        ids.push(id);
    }
    ids[ids.len() - 1]
}

/// Whether both sides of a rule are equal after all rules but some have been applied once.
fn equal(rule: &Rule, left_out: &[&str]) -> bool {
    let flavour = flavour(rule.over);
    equal_at(rule, flavour, left_out)
}

/// As [`equal`], at one type; it is enough that the right side may be read in place of the left one.
pub(super) fn equal_at(rule: &Rule, flavour: Flavour, left_out: &[&str]) -> bool {
    let sides = [(rule.left, flavour), (rule.right, flavour.made())];
    let [left, right] =
        sides.map(|(side, flavour)| pattern(side, flavour).expect("its words are known"));
    let mut graph = Graph::new(Facts::default());
    let mut leaves = BTreeMap::new();
    let one = add(&mut graph, &left, &mut leaves);
    graph.rebuild();
    let rules = rewrites(&[flavour], left_out);
    let mut graph = Runner::<Node, Facts>::new(Facts::default())
        .with_egraph(graph)
        .with_iter_limit(1)
        .run(&rules)
        .egraph;
    let other = add(&mut graph, &right, &mut leaves);
    graph.rebuild();
    assert!(!graph.analysis.contradiction);
    let other = graph.find(other);
    let instead = |node: &Node| matches!(node, Node::Instead(.., [id]) if graph.find(*id) == other);
    graph.find(one) == other || graph[one].nodes.iter().any(instead)
}

#[test]
fn each_rule_is_needed() {
    for name in NAMES {
        let rule = RULES.iter().find(|rule| rule.name == name);
        let rule = rule.unwrap_or_else(|| panic!("there is no rule `{name}`"));
        assert!(equal(rule, &[]), "{name} does nothing");
        assert!(!equal(rule, &[name]), "other rules do what {name} does");
    }
}

#[test]
fn names_are_unique_and_known() {
    let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RULES.len());
    let unknown = names.iter().filter(|name| !NAMES.contains(name));
    assert_eq!(unknown.count(), 0);
}

/// The numbers of a rule are used only where they are such.
#[test]
fn conditions_hold() {
    let of = |when: When| RULES.iter().filter(move |rule| rule.when == when).count();
    assert_eq!(
        [
            When::Shift,
            When::Power,
            When::NarrowShift,
            When::Number,
            When::Invertible,
            When::Unflushed
        ]
        .map(of),
        [1; 6]
    );
}
