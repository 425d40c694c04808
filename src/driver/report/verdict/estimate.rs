//! How much faster the machine code of a rewritten kernel is, and what that rests on.

use super::Variant;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Estimates by the mangled names of kernels.
#[derive(Clone, Default, Debug)]
pub struct Estimates {
    /// Of what kernels were rewritten to, or why there is none.
    pub kernels: FxHashMap<String, Result<Estimate, String>>,
    /// Of what they would be under other options.
    pub variants: FxHashMap<String, Vec<Variant>>,
}

/// An estimate of the original's time by that of the rewritten kernel.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The GPU that it is for: `sm_90`.
    pub arch: String,
    /// The ratio, above 1 where the rewritten kernel is faster, with the least and the largest by uncertain figures of the GPU.
    pub ratio: [f64; 3],
    /// The machine code of the original, and of what it was rewritten to.
    pub versions: [Version; 2],
}

/// Machine code, and what a launch of it waits for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Version {
    /// Times that a warp waits for memory on the path that is executed, every loop taken once; none where that is not known.
    pub waits: Option<u32>,
    /// Registers of a thread.
    pub registers: u32,
    /// Warps that these leave room for.
    pub warps: u32,
    /// What bounds the launch: "latency", "pipes".
    pub bound: String,
}

impl Estimate {
    /// What the machine code shows: `waits 27 -> 12, registers 40 -> 63, warps 48 -> 32; bound by latency`.
    pub fn reason(&self) -> String {
        let [before, after] = &self.versions;
        let change = |what: &str, before: u32, after: u32| match before == after {
            true => format!("{what} {before}"),
            false => format!("{what} {before} -> {after}"),
        };
        let waits = before.waits.zip(after.waits);
        let waits = waits.map(|(before, after)| change("waits for memory", before, after));
        let changes = [
            waits,
            Some(change("registers", before.registers, after.registers)),
            Some(change("warps", before.warps, after.warps)),
        ];
        let changes: Vec<String> = changes.into_iter().flatten().collect();
        let bound = match before.bound == after.bound {
            true => before.bound.clone(),
            false => format!("{}, then by {}", before.bound, after.bound),
        };
        format!("{}; bound by {bound}", changes.join(", "))
    }
}
