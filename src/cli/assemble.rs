//! `ptxasw as`: the drop-in assembler under our own name.

use crate::dropin::{self, tool::Tool};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::process::ExitCode;

#[derive(Args)]
pub struct Arguments {
    /// The assembler that is stood in for.
    #[arg(long, value_enum, default_value_t = ToolChoice::Ptxas)]
    tool: ToolChoice,
    /// Its arguments, and settings of ptxasw among them: `--ptxasw-wrapping=R`.
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<OsString>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ToolChoice {
    /// NVIDIA's assembler.
    Ptxas,
    /// The assembler of GCC's nvptx tools.
    NvptxNoneAs,
}

pub fn run(arguments: Arguments) -> ExitCode {
    let tool = match arguments.tool {
        ToolChoice::Ptxas => Tool::Ptxas,
        ToolChoice::NvptxNoneAs => Tool::NvptxAs,
    };
    let program = std::env::args_os().next().unwrap_or_default();
    dropin::run(tool, &program, arguments.arguments)
}
