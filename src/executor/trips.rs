//! Trip counts of loops: zero, one, many.
//!
//! Only natural loops of the kernel itself are counted, not those of functions that it calls. Each lane counts from the time it enters
//! a loop.

use super::fixed_trips::Definitions;
use super::reconvergence::control_flow;
use petgraph::Direction::Incoming;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use ptxasw_ptx::decode::form::{Action, Instruction};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The least trip count that is reported as many: one more than the largest unroll factor that compilers choose by default.
pub const MANY: u32 = 9;

/// The guard of a loop is looked for among so many dominators of its header.
const FARTHEST: usize = 256;

type Graph = DiGraph<(), (), u32>;
type Node = NodeIndex<u32>;

/// What a lane's choice at a branch means for a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The back edge.
    Again,
    /// An exit at the header, before the iteration.
    LeaveAtHead,
    /// An exit at some other place, within the iteration.
    Leave,
    /// The guard: the lane does not enter the loop.
    Skip,
}

/// A loop, and what was seen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The first instruction of its header.
    pub head: u32,
    /// The last instruction of its body, in the order of the text.
    pub last: u32,
    /// Some path leads around it.
    is_guarded: bool,
    /// Some path leaves it before the first iteration.
    leaves_at_head: bool,
    /// Its trip count is a constant.
    is_fixed: bool,
    /// A lane executed no iteration of it.
    none: bool,
    /// A lane left it within or after the first iteration: one trip.
    once: bool,
    /// A lane executed at least [`MANY`] iterations.
    many: bool,
    /// A lane executed at least two iterations.
    again: bool,
}

impl Loop {
    /// Some launch may skip it, and no lane did.
    pub fn never_skipped(&self) -> bool {
        let may_be = self.is_guarded || self.leaves_at_head && !self.is_fixed;
        may_be && !self.none
    }

    /// No lane executed exactly one iteration, and the trip count is no constant.
    pub fn never_once(&self) -> bool {
        !self.is_fixed && !self.once
    }

    /// No lane executed a second iteration, and the trip count is no constant.
    pub fn never_again(&self) -> bool {
        !self.is_fixed && !self.again
    }

    /// No lane executed [`MANY`] iterations, and the trip count is no constant.
    pub fn never_many(&self) -> bool {
        !self.is_fixed && !self.many
    }
}

/// Counts the trips of one execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Trips {
    pub(super) loops: Vec<Loop>,
    /// By branch: what it means to take it, and not to.
    steps: FxHashMap<u32, [Vec<(usize, Step)>; 2]>,
    /// By loop and warp: iterations that each lane has come to the end of.
    counts: FxHashMap<(usize, u64), [u32; 32]>,
}

impl Trips {
    /// Of a kernel, nothing seen yet.
    pub(super) fn of(code: &[Instruction]) -> Self {
        let graph = control_flow(code);
        let tree = simple_fast(&graph, Node::new(0));
        let definitions = Definitions::of(code);
        let mut trips = Trips::default();
        for (head, latches) in latches(&graph, &tree) {
            let body = body(&graph, head, &latches);
            let is_fixed = definitions.is_fixed(code, &tree, head, &latches, &body);
            let mut found = trips.add(code, &tree, head, &latches, &body);
            found.is_fixed = is_fixed;
            trips.loops.push(found);
        }
        trips
    }

    fn add(
        &mut self,
        code: &[Instruction],
        tree: &Dominators<Node>,
        head: Node,
        latches: &[Node],
        body: &BTreeSet<Node>,
    ) -> Loop {
        let number = self.loops.len();
        let first = first_branch(code, head.index());
        let mut leaves_at_head = false;
        for &node in body {
            let Some(edges) = edges(code, node.index()) else {
                continue;
            };
            for (taken, target) in edges {
                let step = match () {
                    _ if target == head.index() => Step::Again,
                    _ if body.contains(&Node::new(target)) => continue,
                    _ if node.index() == first && !latches.contains(&node) => Step::LeaveAtHead,
                    _ => Step::Leave,
                };
                leaves_at_head |= step == Step::LeaveAtHead;
                self.step(node.index(), taken, number, step);
            }
        }
        let guard = guard(code, tree, head);
        if let Some((node, taken)) = guard {
            self.step(node, taken, number, Step::Skip);
        }
        Loop {
            head: head.index() as u32,
            last: body.last().unwrap_or(&head).index() as u32,
            is_guarded: guard.is_some(),
            leaves_at_head,
            is_fixed: false,
            none: false,
            once: false,
            many: false,
            again: false,
        }
    }

    fn step(&mut self, branch: usize, taken: bool, number: usize, step: Step) {
        let steps = self.steps.entry(branch as u32).or_default();
        steps[usize::from(!taken)].push((number, step));
    }

    /// Lanes of a warp come to a branch; `on` take it.
    #[inline]
    pub(super) fn decided(&mut self, warp: u64, pc: u32, on: u32, group: u32) {
        let Some(steps) = self.steps.get(&pc) else {
            return;
        };
        for (steps, lanes) in steps.iter().zip([on, group & !on]) {
            if lanes == 0 {
                continue;
            }
            for &(number, step) in steps {
                let seen = &mut self.loops[number];
                if step == Step::Skip {
                    seen.none = true;
                    continue;
                }
                let counts = self.counts.entry((number, warp)).or_insert([0; 32]);
                for (lane, count) in counts.iter_mut().enumerate() {
                    if lanes >> lane & 1 == 0 {
                        continue;
                    }
                    let done = *count + u32::from(step != Step::LeaveAtHead);
                    seen.none |= step == Step::LeaveAtHead && done == 0;
                    seen.once |= step != Step::Again && done == 1;
                    seen.many |= done >= MANY;
                    seen.again |= done >= 2;
                    *count = if step == Step::Again { done } else { 0 };
                }
            }
        }
    }

    /// Adds what another execution of the same kernel has shown.
    pub(super) fn merge(&mut self, other: &Trips) {
        if self.loops.is_empty() {
            self.loops.clone_from(&other.loops);
        }
        for (own, other) in self.loops.iter_mut().zip(&other.loops) {
            own.none |= other.none;
            own.once |= other.once;
            own.many |= other.many;
            own.again |= other.again;
        }
    }
}

/// The heads of loops, each with the instructions that lead back to it.
fn latches(graph: &Graph, tree: &Dominators<Node>) -> BTreeMap<Node, Vec<Node>> {
    let mut found: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for edge in graph.raw_edges() {
        let (from, to) = (edge.source(), edge.target());
        // Only a jump back is worth a look at the tree.
        let back = to <= from
            && tree
                .dominators(from)
                .is_some_and(|mut all| all.any(|n| n == to));
        if back {
            found.entry(to).or_default().push(from);
        }
    }
    found
}

/// The instructions of a loop.
fn body(graph: &Graph, head: Node, latches: &[Node]) -> BTreeSet<Node> {
    let mut body = BTreeSet::from([head]);
    let mut open = latches.to_vec();
    while let Some(node) = open.pop() {
        if body.insert(node) {
            open.extend(graph.neighbors_directed(node, Incoming));
        }
    }
    body
}

/// The first branch from an instruction on.
fn first_branch(code: &[Instruction], from: usize) -> usize {
    let branches = code[from.min(code.len())..].iter();
    let passed = branches.take_while(|one| matches!(one.action, Action::Do(_)));
    from + passed.count()
}

/// Where a branch leads: taken, then not.
fn edges(code: &[Instruction], number: usize) -> Option<Vec<(bool, usize)>> {
    let instruction = code.get(number)?;
    let Action::Branch { target, .. } = instruction.action else {
        return None;
    };
    let mut edges = vec![(true, target as usize)];
    if instruction.guard.is_some() {
        edges.push((false, number + 1));
    }
    Some(edges)
}

/// The nearest branch before a loop by which lanes can miss it, and which way they do.
fn guard(code: &[Instruction], tree: &Dominators<Node>, head: Node) -> Option<(usize, bool)> {
    // A successor of one of them that leads to the loop is another, between the two.
    let mut before: FxHashSet<Node> = FxHashSet::default();
    for node in tree.strict_dominators(head)?.take(FARTHEST) {
        before.insert(node);
        let Some(edges) = edges(code, node.index()) else {
            continue;
        };
        let leads = |target: usize| {
            let target = Node::new(target);
            target == head || before.contains(&target)
        };
        match edges[..] {
            [(_, to), (_, next)] if leads(to) && !leads(next) => {
                return Some((node.index(), false));
            }
            [(_, to), (_, next)] if leads(next) && !leads(to) => return Some((node.index(), true)),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Argument, Coverage, Launch, Options, Schedule, run_covered};
    use ptxasw_ptx as ptx;

    /// What is seen of the loops of a kernel in launches with these numbers.
    fn seen(body: &str, numbers: &[u64]) -> Vec<(bool, bool, bool, bool)> {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u32 n)\n{{\n\
            .reg .pred %p<4>;\n.reg .b32 %r<8>;\nld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\n{body}\nret;\n}}\n"
        );
        let tree = ptx::parse(text.as_bytes()).unwrap();
        let module = ptx::decode::decode(&tree).unwrap();
        let mut all = Trips::default();
        for &number in numbers {
            let mut launch = Launch::new([1; 3], [32, 1, 1]);
            launch.arguments.push(Argument::Scalar(number));
            let kernel = &module.functions[0];
            let options = Options::default();
            let coverage = Coverage::detailed(kernel);
            let schedule = Schedule::Lockstep;
            let ran = run_covered(&module, kernel, &launch, schedule, options, coverage);
            all.merge(&ran.unwrap().1.trips);
        }
        let loops = all.loops.iter();
        loops
            .map(|one| {
                let may_be_skipped = one.is_guarded || one.leaves_at_head;
                (may_be_skipped, one.none, one.once, one.many)
            })
            .collect()
    }

    #[test]
    fn a_guarded_loop_with_its_test_at_the_end() {
        let body = "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra END;\n\
            LOOP: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, %r1;\n@%p2 bra LOOP;\nEND:";
        assert_eq!(seen(body, &[3]), [(true, false, false, false)]);
        assert_eq!(seen(body, &[0]), [(true, true, false, false)]);
        assert_eq!(seen(body, &[1, 8]), [(true, false, true, false)]);
        assert_eq!(seen(body, &[9]), [(true, false, false, true)]);
    }

    #[test]
    fn a_loop_with_its_test_at_the_head() {
        let body = "LOOP: setp.ge.u32 %p1, %r2, %r1;\n@%p1 bra END;\nadd.u32 %r2, %r2, 1;\nbra LOOP;\nEND:";
        assert_eq!(seen(body, &[0]), [(true, true, false, false)]);
        assert_eq!(seen(body, &[1]), [(true, false, true, false)]);
        assert_eq!(seen(body, &[8]), [(true, false, false, false)]);
        assert_eq!(seen(body, &[9]), [(true, false, false, true)]);
    }

    #[test]
    fn a_nested_loop_begins_anew_each_time() {
        let body = "OUTER: mov.u32 %r3, 0;\n\
            INNER: add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, 3;\n@%p1 bra INNER;\n\
            add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, %r1;\n@%p2 bra OUTER;";
        // The outer loop goes round nine times, the inner one three times each.
        let all = seen(body, &[9]);
        assert_eq!(
            all,
            [(false, false, false, true), (false, false, false, false)]
        );
    }

    /// Whether each loop of a kernel has a constant trip count.
    fn fixed(body: &str) -> Vec<bool> {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u32 n)\n{{\n\
            .reg .pred %p<4>;\n.reg .b32 %r<8>;\nld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\n{body}\nret;\n}}\n"
        );
        let tree = ptx::parse(text.as_bytes()).unwrap();
        let module = ptx::decode::decode(&tree).unwrap();
        let loops = Trips::of(&module.functions[0].instructions).loops;
        loops.iter().map(|one| one.is_fixed).collect()
    }

    #[test]
    fn a_loop_that_counts_to_a_constant_is_fixed() {
        let counted = |bound: &str, step: &str| {
            format!("LOOP: {step}\nsetp.lt.u32 %p2, %r2, {bound};\n@%p2 bra LOOP;")
        };
        assert_eq!(fixed(&counted("32", "add.u32 %r2, %r2, 1;")), [true]);
        assert_eq!(fixed(&counted("%r1", "add.u32 %r2, %r2, 1;")), [false]);
        assert_eq!(fixed(&counted("32", "add.u32 %r2, %r2, %r1;")), [false]);
        // Some iterations do not count.
        let guarded = "setp.ne.u32 %p1, %r1, 3;\n@%p1 bra ON;\nadd.u32 %r2, %r2, 1;\nON:";
        assert_eq!(fixed(&counted("32", guarded)), [false]);
        // It begins at one of two numbers.
        let two = counted("32", "add.u32 %r2, %r2, 1;");
        let two = format!("setp.ne.u32 %p1, %r1, 3;\n@%p1 bra LOOP;\nmov.u32 %r2, 5;\n{two}");
        assert_eq!(fixed(&two), [false]);
    }
}
