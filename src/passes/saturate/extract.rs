//! Extraction: which node of each class is computed, so that all roots together cost least.
//!
//! Greedy over the DAG: the cost of a node is that of all classes below it, each counted once. Costs only fall, so the choice
//! settles; where two nodes cost the same, the one that the function has already stays, then the first in the order of nodes. So
//! the choice is the same on every machine.

use super::cost::Cost;
use super::facts::Graph;
use super::language::Node;
use egg::{Id, Language};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Which node of a class is computed, by the class's canonical number.
pub type Choice = FxHashMap<Id, Node>;

/// A class's best node so far.
struct Best {
    /// Index among the class's nodes.
    node: usize,
    /// Of all classes below, this one included.
    total: u64,
    /// 0 for what the function has.
    rank: u8,
    /// These classes with their own costs, by number.
    below: Vec<(u32, u64)>,
}

struct Extraction<'g> {
    graph: &'g Graph,
    cost: Cost,
    own: &'g FxHashSet<Node>,
    best: FxHashMap<Id, Best>,
}

/// How often a class may change its choice: a bound, not reached by graphs that settle.
const CHANGES: usize = 16;

/// The choice for all classes that can be computed. `own`: the nodes of the function, canonical.
pub fn greedy(graph: &Graph, cost: Cost, own: &FxHashSet<Node>) -> Choice {
    let mut classes: Vec<Id> = graph.classes().map(|class| class.id).collect();
    classes.sort_unstable();
    let mut readers: FxHashMap<Id, Vec<Id>> = FxHashMap::default();
    for class in graph.classes() {
        for child in class.nodes.iter().flat_map(|node| node.children()) {
            readers
                .entry(graph.find(*child))
                .or_default()
                .push(class.id);
        }
    }
    for all in readers.values_mut() {
        all.sort_unstable();
        all.dedup();
    }
    let mut extraction = Extraction {
        graph,
        cost,
        own,
        best: FxHashMap::default(),
    };
    let mut queued: FxHashSet<Id> = classes.iter().copied().collect();
    let mut work: VecDeque<Id> = classes.into();
    let mut changes: FxHashMap<Id, usize> = FxHashMap::default();
    while let Some(class) = work.pop_front() {
        queued.remove(&class);
        if !extraction.improve(class) {
            continue;
        }
        let changed = changes.entry(class).or_default();
        *changed += 1;
        if *changed > CHANGES {
            continue;
        }
        for &reader in readers.get(&class).into_iter().flatten() {
            if queued.insert(reader) {
                work.push_back(reader);
            }
        }
    }
    extraction.choice()
}

impl Extraction<'_> {
    /// Whether a better node was found.
    fn improve(&mut self, class: Id) -> bool {
        let mut improved = false;
        let graph = self.graph;
        for (index, node) in graph[class].nodes.iter().enumerate() {
            let Some(found) = self.candidate(class, index, node) else {
                continue;
            };
            let better = self.best.get(&class).is_none_or(|best| {
                let key = |best: &Best| (best.total, best.rank);
                key(&found) < key(best)
                    || key(&found) == key(best)
                        && found.node != best.node
                        && *node < graph[class].nodes[best.node]
            });
            if better {
                self.best.insert(class, found);
                improved = true;
            }
        }
        improved
    }

    /// A node with all that it needs; none if something of that cannot be computed yet, or needs the class itself.
    fn candidate(&self, class: Id, index: usize, node: &Node) -> Option<Best> {
        let number = usize::from(class) as u32;
        let own = self.cost.of(self.graph, node);
        if self.costs_more(class, own, node) {
            return None;
        }
        let mut below: Vec<(u32, u64)> = vec![(number, own)];
        for &child in node.children() {
            let child = self.graph.find(child);
            let best = self.best.get(&child)?;
            if child == class
                || best
                    .below
                    .binary_search_by_key(&number, |one| one.0)
                    .is_ok()
            {
                return None;
            }
            below = union(&below, &best.below);
        }
        Some(Best {
            node: index,
            total: below.iter().map(|(_, cost)| cost).sum(),
            rank: u8::from(!self.own.contains(node)),
            below,
        })
    }

    /// Whether a node that costs `own` and its dearest operand alone cost more than what the class is so far.
    fn costs_more(&self, class: Id, own: u64, node: &Node) -> bool {
        let Some(best) = self.best.get(&class) else {
            return false;
        };
        let operands = node.children().iter();
        let dearest = operands
            .filter_map(|&child| self.best.get(&self.graph.find(child)))
            .map(|child| child.total)
            .max();
        own + dearest.unwrap_or_default() > best.total
    }

    fn choice(self) -> Choice {
        let nodes = self.best.iter().map(|(&class, best)| {
            let node = self.graph[class].nodes[best.node].clone();
            (class, node.map_children(|child| self.graph.find(child)))
        });
        nodes.collect()
    }
}

/// Two lists by number, of which the first decides what a class costs.
fn union(one: &[(u32, u64)], other: &[(u32, u64)]) -> Vec<(u32, u64)> {
    let mut all = Vec::with_capacity(one.len() + other.len());
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (Some(a), Some(b)) if a.0 == b.0 => {
                all.push(**a);
                left.next();
                right.next();
            }
            (Some(a), Some(b)) if a.0 < b.0 => {
                all.push(**a);
                left.next();
            }
            (_, Some(b)) => {
                all.push(**b);
                right.next();
            }
            (Some(a), None) => {
                all.push(**a);
                left.next();
            }
            (None, None) => return all,
        }
    }
}
