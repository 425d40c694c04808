//! Options of commands that apply to LLVM IR alone.

use clap::Args;

/// Passes of LLVM that run before ours. Of PTX they would say nothing: it comes from behind them.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct PassArguments {
    /// LLVM IR only: passes of LLVM that run before ptxasw: `straight-line` (gpucc's scalar optimizations), `expose`
    /// (inlining and unrolling), `gpucc` (both), or a pipeline as LLVM's `opt -passes` takes it.
    #[arg(
        long,
        value_name = "PIPELINE",
        help_heading = "LLVM IR",
        hide_short_help = true
    )]
    pub llvm_passes: Option<String>,
    /// LLVM IR only: how much code inlining may add for a call; without `--llvm-passes` runs `expose`.
    #[arg(
        long,
        value_name = "COST",
        help_heading = "LLVM IR",
        hide_short_help = true
    )]
    pub inline_threshold: Option<u32>,
    /// LLVM IR only: how much code unrolling may make of a loop; without `--llvm-passes` runs `expose`.
    #[arg(
        long,
        value_name = "COST",
        help_heading = "LLVM IR",
        hide_short_help = true
    )]
    pub unroll_threshold: Option<u32>,
}

impl PassArguments {
    /// Says that passes don't work on PTX, if some were asked for.
    ///
    /// # Errors
    /// Some were.
    pub(super) fn refuse_for_ptx(&self) -> anyhow::Result<()> {
        anyhow::ensure!(
            *self == Self::default(),
            "the input is PTX: passes of LLVM run on LLVM IR only"
        );
        Ok(())
    }
}
