//! Data flows one way: the order of the folders, which unit tests keep to as well, and no large knots of files.
//!
//! What breaks a rule today is in `exceptions.txt`, a list that may only shrink: a line that is not needed any more
//! fails the test, too.

use super::sources::{self, Module, Scope};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

/// Folders and single files from the ground up: each may import itself and what comes before it.
const ORDER: &[&str] = &[
    // What every stage may use.
    "base",
    "cache",
    // The judge knows these two alone.
    "ir",
    "ptx",
    "executor",
    "emulator",
    "passes",
    "pipeline",
    "toolchain",
    "cost",
    "guard",
    "verify",
    "driver",
    "report",
    "dropin",
    "clang",
    "corpus",
    "doctor",
    "recording",
    "tune",
    "cli",
    "main",
    "llvm",
    // A library for programs of others.
    "record",
];

/// What writes text knows no pass, and the judge nothing of what it judges.
const WRITERS: [&str; 4] = [
    "src/ptx/",
    "src/llvm/write/",
    "src/executor/",
    "src/verify/",
];

/// Files that may import each other in a ring.
const LARGEST_CYCLE: usize = 3;

const EXCEPTIONS: &str = include_str!("exceptions.txt");

/// The place of a file in the order.
fn floor(path: &str) -> usize {
    let first = path["src/".len()..].split('/').next().unwrap();
    let name = first.trim_end_matches(".rs");
    let found = ORDER.iter().position(|&folder| folder == name);
    found.unwrap_or_else(|| panic!("{path}: `{name}` has no place in the order of folders"))
}

struct Graph {
    scope: Scope,
    files: BTreeMap<Module, String>,
}

impl Graph {
    fn new(scope: Scope) -> Self {
        let files = sources::files(scope).into_iter();
        Graph {
            scope,
            files: files.map(|path| (sources::module(&path), path)).collect(),
        }
    }

    /// All pairs of a file and another that it imports; `inline`: or that it names by a path in its code.
    fn edges(&self, inline: bool) -> BTreeSet<(&str, &str)> {
        let mut edges = BTreeSet::new();
        for (module, file) in &self.files {
            let paths = sources::paths(file, self.scope);
            let inline = paths.inline.iter().filter(|_| inline);
            for path in paths.imports.iter().chain(inline) {
                if let Some(target) = sources::resolve(&self.files, module, path)
                    && target != file
                {
                    edges.insert((file.as_str(), target));
                }
            }
        }
        edges
    }
}

/// Compares what breaks a rule with the exceptions that begin with a word.
fn compare(kind: &str, found: BTreeSet<String>) {
    let lines = EXCEPTIONS.lines().map(str::trim);
    let known: BTreeSet<String> = lines
        .filter_map(|line| line.strip_prefix(kind))
        .map(str::to_owned)
        .collect();
    let new: Vec<_> = found.difference(&known).collect();
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(new.is_empty(), "not allowed:\n{kind}{}", join(&new, kind));
    assert!(
        gone.is_empty(),
        "no exception any more, strike it out:\n{kind}{}",
        join(&gone, kind)
    );
}

fn join(lines: &[&String], kind: &str) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.as_str()).collect();
    lines.join(&format!("\n{kind}"))
}

#[test]
fn no_folder_imports_one_above_it() {
    let graph = Graph::new(Scope::CodeAndTests);
    let upward = graph
        .edges(true)
        .into_iter()
        .filter(|(from, to)| floor(from) < floor(to));
    compare(
        "import ",
        upward.map(|(from, to)| format!("{from} -> {to}")).collect(),
    );
}

#[test]
fn writers_and_the_judge_know_no_pass() {
    let graph = Graph::new(Scope::Code);
    let edges = graph.edges(true).into_iter();
    let known = edges.filter(|(from, to)| {
        WRITERS.iter().any(|writer| from.starts_with(writer))
            && to.starts_with("src/passes/")
            && floor(from) > floor(to)
    });
    compare(
        "pass ",
        known.map(|(from, to)| format!("{from} -> {to}")).collect(),
    );
}

#[test]
fn cycles_of_files_are_small() {
    let graph = Graph::new(Scope::Code);
    let names: Vec<&str> = graph.files.values().map(String::as_str).collect();
    let node = |path| {
        names
            .iter()
            .position(|&name| name == path)
            .map(NodeIndex::<u32>::new)
    };
    let edges = graph.edges(false).into_iter();
    let edges =
        DiGraph::<(), ()>::from_edges(edges.filter_map(|(a, b)| Some((node(a)?, node(b)?))));
    let cycles = tarjan_scc(&edges)
        .into_iter()
        .filter(|cycle| cycle.len() > LARGEST_CYCLE);
    let cycles = cycles.map(|cycle| {
        let mut cycle: Vec<&str> = cycle.into_iter().map(|file| names[file.index()]).collect();
        cycle.sort_unstable();
        cycle.join(" ")
    });
    compare("cycle ", cycles.collect());
}
