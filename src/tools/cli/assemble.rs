//! `ptxasw as`: the drop-in assembler under our own name.

use super::options::by_name;
use crate::dropin::{self, tool::Tool};
use clap::Args;
use std::ffi::OsString;
use std::process::ExitCode;

#[derive(Args)]
pub struct Arguments {
    /// The assembler that is stood in for.
    #[arg(long, value_parser = by_name::<Tool>(), default_value = "ptxas")]
    tool: Tool,
    /// Its arguments, and settings of ptxasw among them: `--ptxasw-scheme=R`.
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<OsString>,
}

pub fn run(arguments: Arguments) -> ExitCode {
    let program = std::env::args_os().next().unwrap_or_default();
    dropin::run(arguments.tool, &program, arguments.arguments)
}
