//! What analyses of the control flow graph find, as text.

use std::fmt::Write as _;

use ptxasw::ir::cfg::Cfg;
use ptxasw::ir::control::ControlDependence;
use ptxasw::ir::dominators::DominatorTree;
use ptxasw::ir::function::{BlockId, Function};
use ptxasw::ir::loops::{LoopId, LoopNest};
use ptxasw::ir::verify::verify;

/// Of each block its immediate dominator and post-dominator, and the branches that decide whether it is executed.
pub fn dominators(function: &Function) -> String {
    let cfg = Cfg::new(function);
    let dominators = DominatorTree::dominators(&cfg);
    let post_dominators = DominatorTree::post_dominators(function, &cfg);
    let control = ControlDependence::new(function, &cfg, &post_dominators);
    let name = |block: Option<BlockId>| block.map_or("none".into(), |block| block.to_string());
    let mut out = String::new();
    for block in function.block_ids() {
        let (dominator, post) = (
            dominators.immediate(block),
            post_dominators.immediate(block),
        );
        let (dominator, post) = (name(dominator), name(post));
        let _ = write!(out, "{block}: dominator {dominator}, post-dominator {post}");
        let mut branches = control.branches(block).to_vec();
        branches.sort_unstable();
        if !branches.is_empty() {
            let _ = write!(out, ", decided by {}", list(&branches));
        }
        out.push('\n');
    }
    out
}

/// The loop nest: of each loop its blocks, and the edges into, around and out of it.
pub fn loops(function: &Function) -> String {
    let cfg = Cfg::new(function);
    let nest = LoopNest::new(&cfg, &DominatorTree::dominators(&cfg));
    let mut out = String::new();
    for id in nest.ids() {
        one_loop(&mut out, &nest, id);
    }
    if nest.loops.is_empty() {
        out.push_str("no loops\n");
    }
    let blocks = function.block_ids();
    let irreducible: Vec<BlockId> = blocks.filter(|&block| nest.irreducible(block)).collect();
    if !irreducible.is_empty() {
        let _ = writeln!(out, "irreducible: {}", list(&irreducible));
    }
    out
}

fn one_loop(out: &mut String, nest: &LoopNest, id: LoopId) {
    let one = nest.get(id);
    let _ = write!(out, "loop {} at {}, depth {}", id.0, one.header, one.depth);
    if let Some(parent) = one.parent {
        let _ = write!(out, ", in loop {}", parent.0);
    }
    let irreducible = if one.irreducible { ", irreducible" } else { "" };
    let _ = writeln!(out, "{irreducible}");
    let _ = writeln!(out, "  blocks {}", list(nest.blocks(id)));
    let _ = writeln!(out, "  entered from {}", list(&one.entries));
    let _ = writeln!(out, "  repeated from {}", list(&one.latches));
    let exits = nest.exits(id);
    let exits: Vec<String> = exits.iter().map(|(a, b)| format!("{a} -> {b}")).collect();
    let exits = match exits.is_empty() {
        true => "never left".into(),
        false => format!("left by {}", exits.join(", ")),
    };
    let _ = writeln!(out, "  {exits}");
}

/// What is wrong with a function.
pub fn violations(function: &Function) -> String {
    let found = verify(function);
    if found.is_empty() {
        return "well formed\n".into();
    }
    let lines = found.iter().map(|violation| format!("{violation}\n"));
    lines.collect()
}

fn list(blocks: &[BlockId]) -> String {
    let names: Vec<String> = blocks.iter().map(BlockId::to_string).collect();
    names.join(" ")
}
