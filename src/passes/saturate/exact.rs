//! Exact extraction, as the paper has it (section 4.2): an integer program over the nodes of a small e-graph.
//!
//! A variable for each node shows whether it is computed. A root's class has one node that is; a node's operands have one, each.
//! Cycles are forbidden where one is found: a program without cycles in its solution needs no constraint against them. The solver
//! has a limit of nodes of its search, which is the same on every machine, and no limit of time.

use super::cost::Cost;
use super::extract::Choice;
use super::facts::Graph;
use super::language::Node;
use egg::{Id, Language};
use microlp::{
    ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOptions, SolveOutcome, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Nodes of the largest e-graph that is solved.
const NODES: usize = 600;
/// Nodes of the solver's search.
const SEARCH: u64 = 2000;
/// Programs that are solved, each without the cycles of those before.
const PROGRAMS: usize = 8;

/// A node of the graph and its variable.
struct Candidate {
    class: Id,
    node: Node,
    variable: Variable,
}

/// The choice that costs least; none if the graph is too large, the solver comes to no end, or nothing is better than `found`.
pub fn exact(graph: &Graph, cost: Cost, roots: &[Id], found: &Choice) -> Option<Choice> {
    let classes = reachable(graph, roots)?;
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let mut candidates: Vec<Candidate> = Vec::new();
    for &class in &classes {
        for node in &graph[class].nodes {
            let node = node.clone().map_children(|child| graph.find(child));
            if !node.children().contains(&class) {
                let variable = problem.add_binary_var(cost.of(graph, &node) as f64);
                candidates.push(Candidate {
                    class,
                    node,
                    variable,
                });
            }
        }
    }
    let mut members: FxHashMap<Id, Vec<usize>> = FxHashMap::default();
    for (index, candidate) in candidates.iter().enumerate() {
        members.entry(candidate.class).or_default().push(index);
    }
    let sum = |class: Id| {
        let mut sum = LinearExpr::empty();
        for &index in members.get(&class).into_iter().flatten() {
            sum.add(candidates[index].variable, 1.0);
        }
        sum
    };
    for &root in roots {
        problem.add_constraint(sum(root), ComparisonOp::Ge, 1.0);
    }
    for candidate in &candidates {
        let children: FxHashSet<Id> = candidate.node.children().iter().copied().collect();
        let mut children: Vec<Id> = children.into_iter().collect();
        children.sort_unstable();
        for child in children {
            let mut there = sum(child);
            there.add(candidate.variable, -1.0);
            problem.add_constraint(there, ComparisonOp::Ge, 0.0);
        }
    }
    let hint = candidates.iter().map(|one| {
        let is_chosen = found.get(&one.class) == Some(&one.node);
        (one.variable, f64::from(u8::from(is_chosen)))
    });
    let hint: Vec<(Variable, f64)> = hint.collect();
    for _ in 0..PROGRAMS {
        let choice = solved(&problem, &candidates, &hint)?;
        match cycle(&choice, roots) {
            Some(cycle) => {
                let mut all = LinearExpr::empty();
                for class in &cycle {
                    let of_class =
                        |one: &&Candidate| one.class == *class && choice[class] == one.node;
                    all.add(candidates.iter().find(of_class)?.variable, 1.0);
                }
                problem.add_constraint(all, ComparisonOp::Le, cycle.len() as f64 - 1.0);
            }
            None => {
                let better =
                    total(graph, &choice, cost, roots)? < total(graph, found, cost, roots)?;
                return better.then_some(choice);
            }
        }
    }
    None
}

/// The classes below the roots, in the order of their numbers; none if they have too many nodes.
fn reachable(graph: &Graph, roots: &[Id]) -> Option<Vec<Id>> {
    let mut work = roots.to_vec();
    let mut seen = FxHashSet::default();
    let mut nodes = 0;
    while let Some(class) = work.pop() {
        if seen.insert(class) {
            nodes += graph[class].nodes.len();
            let children = graph[class].nodes.iter().flat_map(|node| node.children());
            work.extend(children.map(|&child| graph.find(child)));
        }
        if nodes > NODES {
            return None;
        }
    }
    let mut classes: Vec<Id> = seen.into_iter().collect();
    classes.sort_unstable();
    Some(classes)
}

/// What the solver chooses.
fn solved(problem: &Problem, candidates: &[Candidate], hint: &[(Variable, f64)]) -> Option<Choice> {
    let mut options = SolveOptions::default();
    options.node_limit = Some(SEARCH);
    options.warm_start = Some(hint.to_vec());
    let Ok(SolveOutcome::Solution(solution)) = problem.solve_with(options) else {
        return None;
    };
    let mut choice = Choice::default();
    for candidate in candidates {
        if solution.var_value(candidate.variable) > 0.5 {
            let node = || candidate.node.clone();
            choice.entry(candidate.class).or_insert_with(node);
        }
    }
    Some(choice)
}

/// Classes of which each is an operand of the one before, and the first one of the last.
fn cycle(choice: &Choice, roots: &[Id]) -> Option<Vec<Id>> {
    let mut done = FxHashSet::default();
    for &root in roots {
        // The path to a class, each with the number of its next operand.
        let mut path: Vec<(Id, usize)> = vec![(root, 0)];
        while let Some(top) = path.last_mut() {
            let (class, next) = *top;
            top.1 += 1;
            let child = choice
                .get(&class)
                .and_then(|node| node.children().get(next));
            match child {
                None => {
                    done.insert(class);
                    path.pop();
                }
                Some(child) if done.contains(child) => {}
                Some(child) => match path.iter().position(|(class, _)| class == child) {
                    Some(first) => return Some(path[first..].iter().map(|one| one.0).collect()),
                    None => path.push((*child, 0)),
                },
            }
        }
    }
    None
}

/// What a choice costs, each class counted once; none if it is not complete.
pub fn total(graph: &Graph, choice: &Choice, cost: Cost, roots: &[Id]) -> Option<u64> {
    let (mut work, mut seen, mut total) = (roots.to_vec(), FxHashSet::default(), 0);
    while let Some(class) = work.pop() {
        if seen.insert(class) {
            let node = choice.get(&class)?;
            total += cost.of(graph, node);
            work.extend(node.children());
        }
    }
    Some(total)
}
