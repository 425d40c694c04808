//! A choice gets better where values are shared: greedy extraction looks at each class by itself, and does not see that an operand is
//! computed for another one anyway.
//!
//! Each class that is computed tries its other nodes: what its node alone needs is given back, what the other one needs in addition
//! is taken. That is exact for one class while all others stay (in technology mapping: area recovery; Mishchenko, Chatterjee and
//! Brayton, "Improvements to Technology Mapping for LUT-Based FPGAs", 2007).

use super::cost::Cost;
use super::extract::Choice;
use super::facts::Graph;
use super::language::Node;
use egg::{Id, Language};
use rustc_hash::{FxHashMap, FxHashSet};

/// How often all classes are visited.
const ROUNDS: usize = 2;
/// Classes below a node that are looked at for a cycle, at most.
const DEPTH: usize = 400;

struct Shared<'g> {
    graph: &'g Graph,
    cost: Cost,
    choice: Choice,
    /// How often a class is read by what is computed.
    readers: FxHashMap<Id, u32>,
}

/// A choice for the roots that costs no more than `found`, of which the nodes in `own` are the function's.
pub fn share(
    graph: &Graph,
    cost: Cost,
    roots: &[Id],
    found: Choice,
    own: &FxHashSet<Node>,
) -> Choice {
    let mut shared = Shared {
        graph,
        cost,
        choice: found,
        readers: FxHashMap::default(),
    };
    for &root in roots {
        shared.take(root);
    }
    for _ in 0..ROUNDS {
        let mut improved = false;
        for class in shared.order(roots) {
            improved |= shared.improve(class, own);
        }
        if !improved {
            break;
        }
    }
    shared.choice
}

impl Shared<'_> {
    /// The operands of a node, each once.
    fn operands(node: &Node) -> Vec<Id> {
        let mut all: Vec<Id> = node.children().to_vec();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Reads a class once more; what is computed for that alone.
    fn take(&mut self, class: Id) -> u64 {
        let readers = self.readers.entry(class).or_default();
        *readers += 1;
        if *readers > 1 {
            return 0;
        }
        let Some(node) = self.choice.get(&class).cloned() else {
            return 0;
        };
        self.cost.of(self.graph, &node) + self.take_operands(&node)
    }

    fn take_operands(&mut self, node: &Node) -> u64 {
        let operands = Self::operands(node);
        operands.into_iter().map(|child| self.take(child)).sum()
    }

    /// Reads a class once less; what is computed no more.
    fn give(&mut self, class: Id) -> u64 {
        let readers = self.readers.entry(class).or_default();
        *readers = readers.saturating_sub(1);
        if *readers > 0 {
            return 0;
        }
        let Some(node) = self.choice.get(&class).cloned() else {
            return 0;
        };
        self.cost.of(self.graph, &node) + self.give_operands(&node)
    }

    fn give_operands(&mut self, node: &Node) -> u64 {
        let operands = Self::operands(node);
        operands.into_iter().map(|child| self.give(child)).sum()
    }

    /// Whether another node of a class costs less; then it is chosen.
    fn improve(&mut self, class: Id, own: &FxHashSet<Node>) -> bool {
        let (Some(current), true) = (
            self.choice.get(&class).cloned(),
            self.readers.get(&class).is_some_and(|&readers| readers > 0),
        ) else {
            return false;
        };
        let graph = self.graph;
        // What is cheapest so far; the function's own node wins a tie.
        let key = |cost: u64, node: &Node| (cost, u8::from(!own.contains(node)));
        let given = self.cost.of(self.graph, &current) + self.give_operands(&current);
        let mut best = (key(given, &current), current.clone());
        for node in &graph[class].nodes {
            let node = node.clone().map_children(|child| graph.find(child));
            let alone = self.cost.of(self.graph, &node);
            if node == current || key(alone, &node) >= best.0 {
                continue;
            }
            // The class itself is being read: a node that leads to it finds it there, and is refused below.
            let taken = alone + self.take_operands(&node);
            self.give_operands(&node);
            if key(taken, &node) < best.0 && !self.leads_to(&node, class) {
                best = (key(taken, &node), node);
            }
        }
        let improved = best.1 != current;
        self.take_operands(&best.1);
        self.choice.insert(class, best.1);
        improved
    }

    /// Whether computing a node needs a class, or what is not known: then it is no candidate.
    fn leads_to(&self, node: &Node, class: Id) -> bool {
        let mut work: Vec<Id> = node.children().to_vec();
        let mut seen = FxHashSet::default();
        while let Some(child) = work.pop() {
            if child == class || seen.len() > DEPTH {
                return true;
            }
            if seen.insert(child) {
                let Some(chosen) = self.choice.get(&child) else {
                    return true;
                };
                work.extend(chosen.children());
            }
        }
        false
    }

    /// The classes that are computed, operands before their readers.
    fn order(&self, roots: &[Id]) -> Vec<Id> {
        let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
        let mut work: Vec<(Id, bool)> = roots.iter().map(|&root| (root, false)).collect();
        while let Some((class, done)) = work.pop() {
            if done {
                order.push(class);
            } else if seen.insert(class) {
                work.push((class, true));
                let node = self.choice.get(&class);
                let children = node.into_iter().flat_map(|node| node.children());
                work.extend(children.map(|&child| (child, false)));
            }
        }
        order
    }
}
