//! The compilers and assemblers that `ptxasw` runs: where they are, how they are
//! called, what they report.
//!
//! `ptxas` is taken from the first of these places that has it:
//! 1. the path that the user gives (`--ptxas`),
//! 2. the environment variable `PTXASW_PTXAS`,
//! 3. the wheels that the set-up script installs, in `PTXASW_TOOLCHAIN` or the
//!    folder `toolchain` beside the build folder; targets below sm_75 take
//!    CUDA 12.9's from there,
//! 4. `CUDA_HOME/bin`,
//! 5. `PATH`.
//!
//! Machine code for targets below sm_75 is read by the `nvdisasm` that `PTXASW_NVDISASM_12` names.

mod arch;
mod assembler;
pub mod cubin;
pub mod cuda;
mod find;
mod isa;
pub mod occupancy;
mod offload;
mod python;
pub(crate) mod usage;

use std::io;
use std::process::ExitStatus;

pub use arch::Arch;
pub use assembler::{Assembled, Assembler, is_part};
pub use find::{Origin, Search, library};
pub use isa::IsaVersion;
pub use offload::offload_compilers;
pub use python::Python;
pub use usage::KernelUsage;

impl ToolchainError {
    /// In one line: of what a program printed, the line with its error.
    pub fn in_one_line(&self) -> String {
        match self {
            ToolchainError::Failed { program, log, .. } => {
                let errors = ["error", "fatal"];
                let mut lines = log.lines();
                let line = lines.find(|line| errors.iter().any(|word| line.contains(word)));
                let line = line.or_else(|| log.lines().next()).unwrap_or_default();
                format!("{program}: {}", line.trim())
            }
            other => other.to_string(),
        }
    }
}

/// Why a tool gave no result.
#[derive(Debug, thiserror::Error)]
pub enum ToolchainError {
    /// None of the places has the program.
    #[error("no {0} in PTXASW_TOOLCHAIN, CUDA_HOME or PATH")]
    NotFound(String),
    /// Not an architecture's name.
    #[error("unknown architecture '{0}', expected a name such as sm_80")]
    UnknownArch(String),
    /// The program could not be started.
    #[error("cannot run {program}: {source}")]
    Start {
        /// The path that was tried.
        program: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The program ended with an error.
    #[error("{program}: {status}\n{log}")]
    Failed {
        /// The path of the program.
        program: String,
        /// How it ended.
        status: ExitStatus,
        /// What it printed.
        log: String,
    },
    /// What the program wrote is no machine code of a known form.
    #[error("{0}: no machine code of a known form")]
    UnknownOutput(String),
    /// It works, but does not know a target.
    #[error("{0} does not take `{1}`")]
    NoTarget(String, Arch),
    /// A temporary file could not be made or written.
    #[error("temporary file: {0}")]
    Temporary(#[from] io::Error),
}
