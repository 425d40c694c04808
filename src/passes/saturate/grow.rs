//! The rules at work: each region's e-graph grows until nothing new comes, or a limit is reached.

use super::elaborate::{Chosen, canonical};
use super::exact::exact;
use super::extract::{Choice, greedy};
use super::facts::Facts;
use super::flavour::flavours;
use super::language::Node;
use super::options::{Extraction, SaturationOptions};
use super::region::{Region, Regions};
use super::rules::rewrites;
use super::share::share;
use super::table::RULES;
use egg::{BackoffScheduler, Id, Language, Runner, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::time::Duration;

/// Nodes of all e-graphs of a function together: what one region may take becomes less where there are many.
const NODES: usize = 200_000;
/// Matches of a rule in one iteration, above which it pauses for a while.
const MATCHES: usize = 500;

/// What an e-graph took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// Nodes at the end.
    pub nodes: usize,
    /// How often a rule found something new.
    pub matches: usize,
    /// How often all rules were applied.
    pub iterations: usize,
    /// Why it stopped growing.
    pub stop: Stop,
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Growth {
            nodes,
            matches,
            iterations,
            stop,
        } = self;
        let stop = match stop {
            Stop::Saturated => "saturated",
            Stop::Nodes => "limit of nodes",
            Stop::Iterations => "limit of iterations",
            Stop::Contradiction => "contradiction",
        };
        write!(
            f,
            "e-graph of {nodes} nodes, {matches} matches, {iterations} iterations, {stop}"
        )
    }
}

/// Why a region's e-graph does not grow any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No rule finds anything new.
    Saturated,
    /// As many nodes as are allowed.
    Nodes,
    /// All iterations are done.
    Iterations,
    /// A rule is wrong: nothing of the region is used.
    Contradiction,
}

/// Grows all e-graphs, and chooses.
pub fn choose(
    regions: &mut Regions,
    options: &SaturationOptions,
    left_out: &[&str],
) -> Vec<Chosen> {
    let count = regions.all.len().max(1);
    let nodes = options.nodes.min(NODES / count);
    let all = regions.all.iter_mut();
    all.map(|region| {
        let growth = grow(region, nodes, options.iterations, left_out);
        let failed = growth.stop == Stop::Contradiction;
        let own = region.own.values().map(|node| canonical(region, node));
        let own: FxHashSet<Node> = own.collect();
        Chosen {
            nodes: match failed {
                true => Choice::default(),
                false => chosen(region, options, &own),
            },
            rules: made(region),
            forced: FxHashSet::default(),
            plain: failed,
            untouched: false,
            growth,
        }
    })
    .collect()
}

/// Which node each class is.
fn chosen(region: &Region, options: &SaturationOptions, own: &FxHashSet<Node>) -> Choice {
    let (graph, cost) = (&region.graph, options.cost);
    let roots = region.roots.iter();
    let mut roots: Vec<Id> = roots
        .map(|value| graph.find(region.classes[value]))
        .collect();
    roots.sort_unstable();
    roots.dedup();
    let found = greedy(graph, cost, own);
    let found = share(graph, cost, &roots, found, own);
    match options.extraction {
        Extraction::Greedy => found,
        Extraction::Exact => exact(graph, cost, &roots, &found).unwrap_or(found),
    }
}

/// Applies the rules to the region's e-graph until it is saturated or a limit is reached.
fn grow(region: &mut Region, nodes: usize, iterations: usize, left_out: &[&str]) -> Growth {
    let heads: Vec<_> = region.own.values().map(Node::discriminant).collect();
    let rules = rewrites(&flavours(heads.iter()), left_out);
    let graph = std::mem::take(&mut region.graph);
    let runner = Runner::<Node, Facts>::new(Facts::default())
        .with_egraph(graph)
        .with_scheduler(BackoffScheduler::default().with_initial_match_limit(MATCHES))
        .with_node_limit(nodes)
        .with_iter_limit(iterations)
        // What is counted is the same on every machine; time is not.
        .with_time_limit(Duration::MAX)
        .run(&rules);
    let stop = match runner.stop_reason {
        _ if runner.egraph.analysis.contradiction => Stop::Contradiction,
        Some(StopReason::Saturated) => Stop::Saturated,
        Some(StopReason::NodeLimit(_)) => Stop::Nodes,
        _ => Stop::Iterations,
    };
    let applied = runner
        .iterations
        .iter()
        .flat_map(|one| one.applied.values());
    let growth = Growth {
        nodes: runner.egraph.total_number_of_nodes(),
        matches: applied.sum(),
        iterations: runner.iterations.len(),
        stop,
    };
    region.graph = runner.egraph;
    growth
}

/// The rule that made each node first.
fn made(region: &Region) -> FxHashMap<Node, &'static str> {
    let mut names = FxHashMap::default();
    for (node, rule) in &region.graph.analysis.made {
        let name = RULES[*rule].name;
        names.entry(canonical(region, node)).or_insert(name);
    }
    names
}
