//! The schema of `cost --json`, with types of other crates as they come out.

use super::Row;
use crate::json::{self, Kernels};
use ptxasw_machine::cost::estimate;
use schemars::JsonSchema;
use serde::Deserialize;

/// What a kernel costs in a launch.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code)]
pub struct Estimate {
    /// Cycles of a warp.
    cycles: f64,
    /// Microseconds of the launch.
    time: f64,
    /// Of these, what a launch that does nothing takes.
    launch: f64,
    /// Shares of the warp's cycles by what it waits for: the schedule of instructions, memory beyond L2, L2, L1, shared memory and
    /// shuffles, other results, pipes, barriers.
    shares: [f64; 8],
    /// What bounds it.
    limiter: Limiter,
    /// Instructions of a warp.
    instructions: f64,
    /// Warps that the launch keeps on a multiprocessor.
    warps: u64,
    /// Not all of the blocks were executed that a multiprocessor holds.
    cut: bool,
}

/// What a kernel's time is bound by.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Limiter {
    /// Warps wait for results, and there are too few of them.
    Latency,
    /// Memory's bytes in a second.
    Memory,
    /// Pipes and schedulers.
    Pipes,
    /// The start of blocks.
    Blocks,
}

/// How large a launch is that is made up.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// It fills the GPU.
    Full,
    /// About a block for each multiprocessor.
    Few,
}

#[test]
fn the_schema_is_that_of_the_manual() {
    json::assert_schema::<Kernels<Vec<Row>>>("cost");
}

#[test]
fn the_types_are_those_that_are_written() {
    let written = estimate::Estimate {
        cycles: 1.0,
        time: 1.0,
        launch: 1.0,
        shares: [0.0; 8],
        limiter: estimate::Limiter::Latency,
        instructions: 1.0,
        warps: 1,
        cut: false,
        busy: Vec::new(),
    };
    let written = serde_json::to_value(written).unwrap();
    serde_json::from_value::<Estimate>(written).unwrap();
    for size in [ptxasw_verify::Size::Full, ptxasw_verify::Size::Few] {
        let written = serde_json::to_value(size).unwrap();
        serde_json::from_value::<Size>(written).unwrap();
    }
}
