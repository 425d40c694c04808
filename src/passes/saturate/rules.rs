//! Rules of the table as rewritings of an e-graph.

use super::facts::{Facts, Graph, folded};
use super::flavour::Flavour;
use super::language::Node;
use super::table::{RULES, Rule, When};
use egg::{
    Applier, ENodeOrVar, Id, Language, Pattern, PatternAst, RecExpr, Rewrite, SearchMatches,
    Searcher, Subst, Symbol, SymbolLang, Var,
};
use ptxasw_ir::fast_math::FastMath;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The rules of a flavour that it has permission for, each with its name in the table.
type Rules = Vec<(&'static str, Rewrite<Node, Facts>)>;

/// The rules at each of the types, but for those whose names are left out. They are compiled once in a process.
pub fn rewrites(flavours: &[Flavour], left_out: &[&str]) -> Vec<Rewrite<Node, Facts>> {
    static COMPILED: Mutex<BTreeMap<Flavour, Rules>> = Mutex::new(BTreeMap::new());
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut all = Vec::new();
    for &flavour in flavours {
        let rules = compiled.entry(flavour).or_insert_with(|| compile(flavour));
        let used = rules.iter().filter(|(name, _)| !left_out.contains(name));
        all.extend(used.map(|(_, rewrite)| rewrite.clone()));
    }
    all
}

fn compile(flavour: Flavour) -> Rules {
    let rules = RULES.iter().zip(0..);
    let served = rules.filter(|(rule, _)| rule.over == flavour.over() && flavour.allows(rule));
    served
        .filter_map(|(rule, index)| Some((rule.name, rewrite(rule, index, flavour)?)))
        .collect()
}

fn rewrite(rule: &'static Rule, index: usize, flavour: Flavour) -> Option<Rewrite<Node, Facts>> {
    let left = Pattern::new(pattern(rule.left, flavour)?);
    let right = pattern(rule.right, flavour.made())?;
    let applier = Apply {
        rule: index,
        instead: is_instead(rule, flavour),
        flavour,
        right,
    };
    let name = format!("{} {flavour:?}", rule.name);
    match rule.needs {
        FastMath::NONE => Rewrite::new(name, left, applier).ok(),
        _ => Rewrite::new(name, Unfolded(left), applier).ok(),
    }
}

/// Whether a rule replaces in one direction only: its right side has fewer or other flags than its left side, which must not be
/// computed in its place. Reassociation of operations with equal flags is valid in both directions.
fn is_instead(rule: &Rule, flavour: Flavour) -> bool {
    let Flavour::Floats { sum, product, .. } = flavour else {
        return false;
    };
    let orders = rule.needs.has(FastMath::REASSOC) && sum == product;
    rule.needs != FastMath::NONE && !orders
}

/// A pattern that doesn't match an operation folded to a constant. The e-class of a constant holds every operation that folds to it and
/// every literal of that value, so a rule that needs fast-math flags would change operations whose flags don't allow it.
struct Unfolded(Pattern<Node>);

impl Unfolded {
    fn folds(&self, graph: &Graph, found: &Subst) -> bool {
        let mut classes: Vec<Id> = Vec::new();
        for node in self.0.ast.as_ref() {
            let class = match node {
                ENodeOrVar::Var(var) => found.get(*var).copied(),
                ENodeOrVar::ENode(node) => {
                    let args = |id| classes[usize::from(id)];
                    let class = graph.lookup(node.clone().map_children(args));
                    let is_number = |id: Id| graph[id].data.constant.is_some();
                    class.filter(|&id| !matches!(node, Node::Op(..)) || !is_number(id))
                }
            };
            let Some(class) = class else {
                return true;
            };
            classes.push(class);
        }
        false
    }
}

impl Searcher<Node, Facts> for Unfolded {
    fn search_eclass_with_limit(
        &self,
        graph: &Graph,
        class: Id,
        limit: usize,
    ) -> Option<SearchMatches<'_, Node>> {
        let mut matches = self.0.search_eclass_with_limit(graph, class, limit)?;
        matches.substs.retain(|found| !self.folds(graph, found));
        (!matches.substs.is_empty()).then_some(matches)
    }

    fn search_with_limit(&self, graph: &Graph, limit: usize) -> Vec<SearchMatches<'_, Node>> {
        let mut all = self.0.search_with_limit(graph, limit);
        for matches in &mut all {
            matches.substs.retain(|found| !self.folds(graph, found));
        }
        all.retain(|matches| !matches.substs.is_empty());
        all
    }

    fn vars(&self) -> Vec<Var> {
        self.0.vars()
    }
}

/// A side of a rule, its words at their types; none if a word has no meaning there.
pub fn pattern(side: &str, flavour: Flavour) -> Option<PatternAst<Node>> {
    let words: PatternAst<SymbolLang> = side.parse().ok()?;
    let mut nodes = RecExpr::default();
    for word in words.as_ref() {
        nodes.add(match word {
            ENodeOrVar::Var(var) => ENodeOrVar::Var(*var),
            ENodeOrVar::ENode(word) => ENodeOrVar::ENode(node(word, flavour)?),
        });
    }
    Some(nodes)
}

fn node(word: &SymbolLang, flavour: Flavour) -> Option<Node> {
    let (name, args) = (word.op.as_str(), word.children());
    if let Some(bits) = flavour.number(name) {
        let number = Node::Constant(flavour.width(), bits);
        return args.is_empty().then_some(number);
    }
    let (op, allowed) = flavour.op(name)?;
    Some(Node::Op(op, allowed, args.iter().copied().collect()))
}

/// The right side of a rule.
struct Apply {
    rule: usize,
    flavour: Flavour,
    instead: bool,
    right: PatternAst<Node>,
}

/// The variable of a shift's amount.
fn amount() -> Var {
    Var::from(Symbol::from("?k"))
}

/// The variable of a power of two.
fn power() -> Var {
    Var::from(Symbol::from("?m"))
}

/// The variable of a divisor.
fn divisor() -> Var {
    Var::from(Symbol::from("?b"))
}

impl Apply {
    /// The number that the right side has besides what is found; none where the rule does not hold.
    fn derived(&self, graph: &Graph, found: &Subst) -> Option<Option<(Var, Node)>> {
        let number = |var: Var| graph[*found.get(var)?].data.constant;
        let (when, width) = (RULES[self.rule].when, self.flavour.width());
        match when {
            When::Always | When::Unflushed => Some(None),
            When::Number => number(power()).map(|_| None),
            When::Invertible => match number(divisor()) {
                Some(bits) => {
                    let (reciprocal, _) = self.flavour.op("rcp")?;
                    folded(&reciprocal, &[bits]).map(|_| None)
                }
                None if self.flavour.flushes() => None,
                None => Some(None),
            },
            When::Shift | When::NarrowShift => {
                let k = number(amount())?;
                let m = power_of(when, self.flavour, k)?;
                Some(Some((power(), Node::Constant(width, m))))
            }
            When::Power => {
                let m = number(power())?;
                let holds = m.is_power_of_two() && m > 1;
                let k = u64::from(m.trailing_zeros());
                holds.then_some(Some((amount(), Node::Constant(32, k))))
            }
        }
    }
}

/// 2^k, where a rule holds for a shift by k.
pub fn power_of(when: When, flavour: Flavour, k: u64) -> Option<u64> {
    let signed = matches!(flavour, Flavour::Wide { signed: true, .. });
    let below = match when {
        When::NarrowShift if signed => flavour.width() - 1,
        _ => flavour.width(),
    };
    (k < u64::from(below)).then(|| 1 << k)
}

impl Applier<Node, Facts> for Apply {
    fn apply_one(
        &self,
        graph: &mut Graph,
        class: Id,
        found: &Subst,
        _: Option<&PatternAst<Node>>,
        _: Symbol,
    ) -> Vec<Id> {
        let Some(derived) = self.derived(graph, found) else {
            return Vec::new();
        };
        let mut found = found.clone();
        if let Some((var, number)) = derived {
            let id = graph.add(number);
            found.insert(var, id);
        }
        graph.analysis.rule = Some(self.rule);
        let mut made = graph.add_instantiation(&self.right, &found);
        if self.instead {
            let width = graph[class].data.width;
            made = graph.add(Node::Instead(graph.find(class), width, [made]));
        }
        graph.analysis.rule = None;
        match graph.union(class, made) {
            true => vec![class],
            false => Vec::new(),
        }
    }
}
