//! What analyses of values and of memory find, as text.

use std::fmt::Write as _;

use ptxasw::emulator;
use ptxasw::emulator::domains::alias::Assumptions;
use ptxasw::ir::analyses::Analyses;
use ptxasw::ir::cfg::Cfg;
use ptxasw::ir::divergence::{Divergence, Level};
use ptxasw::ir::function::{BlockId, Function, Value, ValueDef};
use ptxasw::ir::liveness::Liveness;
use ptxasw::ir::redundant_params::prune_parameters;
use ptxasw::ir::verify::verify;

/// Values that are live where each block begins and ends.
pub fn liveness(function: &Function) -> String {
    let liveness = Liveness::new(function, &Cfg::new(function));
    let list = |values: &[Value]| match values.is_empty() {
        true => "nothing".into(),
        false => names(function, values),
    };
    let line = |block| {
        let (before, after) = (liveness.live_in(block), liveness.live_out(block));
        format!("{block}: in {}, out {}\n", list(before), list(after))
    };
    function.block_ids().map(line).collect()
}

/// What is not uniform: values, branches, joins, exits of loops, and values as blocks after their loops read them.
pub fn divergence(function: &Function) -> String {
    let analyses = Analyses::new(function);
    let found = &analyses.divergence;
    let mut out = String::new();
    for block in function.block_ids() {
        let mut parts = Vec::new();
        let mut note = |what: &str, level| {
            if level != Level::Uniform {
                parts.push(format!("{what} {}", word(level)));
            }
        };
        note("threads meet", found.joined(block));
        for value in defined(function, block) {
            note(&value.to_string(), found.value(value));
        }
        note("branch", found.branch(block));
        parts.extend(read_outside(function, &analyses, block));
        if !parts.is_empty() {
            let _ = writeln!(out, "{block}: {}", parts.join(", "));
        }
    }
    for id in analyses.loops.ids() {
        let (header, exits) = (analyses.loops.get(id).header, found.loop_exits(id));
        if exits != Level::Uniform {
            let _ = writeln!(out, "loop at {header}: left {}", word(exits));
        }
    }
    match out.is_empty() {
        true => "all is uniform\n".into(),
        false => out,
    }
}

/// Values that are less uniform for a block than where they are defined.
fn read_outside(function: &Function, analyses: &Analyses, block: BlockId) -> Vec<String> {
    let found: &Divergence = &analyses.divergence;
    let body = function.block(block);
    let mut values: Vec<Value> = body.terminator.decision().into_iter().collect();
    for &id in &body.insts {
        let inst = function.inst(id);
        values.extend(&inst.args);
        values.extend(inst.guard.map(|guard| guard.0));
    }
    for target in body.terminator.targets() {
        values.extend(&target.args);
    }
    values.sort_unstable();
    values.dedup();
    let mut parts = Vec::new();
    for value in values {
        let here = found.value_at(&analyses.loops, value, block);
        if here != found.value(value) {
            parts.push(format!("reads {value} as {}", word(here)));
        }
    }
    parts
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Uniform => "uniform",
        Level::Row => "by row",
        Level::Divergent => "divergent",
    }
}

/// Parameters of a block, and results of its instructions.
fn defined(function: &Function, block: BlockId) -> Vec<Value> {
    let body = function.block(block);
    let results = body
        .insts
        .iter()
        .flat_map(|&id| function.inst(id).results.to_vec());
    body.params.iter().copied().chain(results).collect()
}

/// Of each block parameter what it gets on the edges, which value it always is, or else the emulator's term of it.
pub fn phis(function: &Function) -> String {
    let mut pruned = function.clone();
    let renaming = prune_parameters(&mut pruned);
    let violations = verify(&pruned);
    assert!(violations.is_empty(), "{violations:?} in\n{pruned}");
    let emulation = emulator::emulate(function, &Analyses::new(function));
    let mut out = String::new();
    for block in function.block_ids() {
        for (index, &param) in function.block(block).params.iter().enumerate() {
            let _ = write!(
                out,
                "{block}: {param} = {}",
                arguments(function, block, index)
            );
            let same = renaming.old[renaming.new[param.index()].index()];
            let meaning = match (same == param, emulation.value(param)) {
                (false, _) => format!("always {}", name(function, same)),
                (true, Some(term)) => emulation.terms.display(term).to_string(),
                (true, None) => "unknown".into(),
            };
            let _ = writeln!(out, "; {meaning}");
        }
    }
    out
}

/// What all edges pass for a parameter.
fn arguments(function: &Function, block: BlockId, index: usize) -> String {
    let mut passed = Vec::new();
    for from in function.block_ids() {
        let targets = function.block(from).terminator.targets();
        for target in targets.iter().filter(|target| target.block == block) {
            passed.push(format!(
                "{} from {from}",
                name(function, target.args[index])
            ));
        }
    }
    passed.join(", ")
}

/// The memory trace, and branches that always take the same edge.
pub fn trace(function: &Function) -> String {
    let mut emulation = emulator::emulate(function, &Analyses::new(function));
    let mut out = emulator::trace::print(
        function,
        &mut emulation.terms,
        &emulation.trace,
        &emulation.conditions,
        Assumptions::default(),
    );
    for branch in &emulation.pruned {
        let _ = writeln!(
            out,
            "{}: the branch is always {}",
            branch.block, branch.always
        );
    }
    out
}

/// A value as operands print, but without a width.
fn name(function: &Function, value: Value) -> String {
    match function.value(value).def {
        ValueDef::Constant(bits) => bits.to_string(),
        ValueDef::Special(special) => special.to_string(),
        ValueDef::Undefined => format!("undefined.{value}"),
        _ => value.to_string(),
    }
}

fn names(function: &Function, values: &[Value]) -> String {
    let names: Vec<String> = values.iter().map(|&value| name(function, value)).collect();
    names.join(" ")
}
