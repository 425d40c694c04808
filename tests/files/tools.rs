//! The real compilers that the checks use.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use ptxasw::toolchain::{Arch, Assembler, Search};

/// What was found of `ptxas` and `nvcc`.
pub struct Tools {
    /// The assembler for sm_75 and later.
    pub ptxas: Option<Assembler>,
    /// The assembler for older targets.
    pub old_ptxas: Option<Assembler>,
    /// The version that made the committed PTX, or none.
    pub nvcc: Option<PathBuf>,
}

/// The release of `nvcc` whose output is committed.
const NVCC_RELEASE: &str = "release 13.5";

impl Tools {
    /// Looks for all tools.
    pub fn find() -> Self {
        Tools {
            ptxas: Assembler::find(Arch::new(80)).ok(),
            old_ptxas: Assembler::find(Arch::OLDEST_OF_CUDA_12).ok(),
            nvcc: Search::from_environment()
                .program("nvcc")
                .ok()
                .map(|(path, _)| path)
                .filter(|path| version(path).is_some_and(|text| text.contains(NVCC_RELEASE))),
        }
    }

    /// The assembler for an architecture.
    pub fn assembler(&self, arch: Arch) -> Option<&Assembler> {
        if arch < Arch::OLDEST_OF_CUDA_13 {
            self.old_ptxas.as_ref()
        } else {
            self.ptxas.as_ref()
        }
    }

    /// Says which tools the checks use.
    pub fn print(&self) {
        match &self.ptxas {
            Some(ptxas) => println!("ptxas: {} ({:?})", ptxas.path().display(), ptxas.origin()),
            None => println!("skipped: no ptxas"),
        }
        match &self.nvcc {
            Some(nvcc) => println!("nvcc: {}", nvcc.display()),
            None => println!("skipped: no nvcc of {NVCC_RELEASE}"),
        }
    }

    /// Whether nothing is skipped; on CI nothing may be.
    pub fn complete(&self) -> Result<(), String> {
        if env::var_os("CI").is_none() {
            return Ok(());
        }
        match (&self.ptxas, &self.old_ptxas, &self.nvcc) {
            (Some(_), Some(_), Some(_)) => Ok(()),
            _ => Err("CI is set, and a tool is missing (setup.sh installs them)".into()),
        }
    }
}

fn version(program: &PathBuf) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
