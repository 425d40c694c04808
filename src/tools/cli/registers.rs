//! The register guard on the command line.

use super::files;
use clap::Args;
use ptxasw_driver::guard::Checked;
use ptxasw_machine::cache;
use ptxasw_machine::toolchain::{Arch, ToolchainError};
use std::path::Path;

/// Whether the registers of what was rewritten are looked at.
#[derive(Args)]
pub struct RegisterArguments {
    /// Keeps rewritten kernels that lose warps by their registers, or spill. Else `ptxas`, where there is one, assembles what
    /// was rewritten, and the original of such kernels is kept.
    #[arg(long, help_heading = "Checks")]
    no_register_check: bool,
    /// Runs `ptxas` even where the cache in `~/.cache/ptxasw` has what it makes.
    #[arg(long, help_heading = "Checks", hide_short_help = true)]
    no_cache: bool,
}

impl RegisterArguments {
    /// Whether they are. Lets this process use the cache, where the user does not mind.
    pub fn is_wanted(&self) -> bool {
        cache::switch(!self.no_cache);
        !self.no_register_check
    }
}

/// The target that machine code is made for: that of the command line, else the module's own.
///
/// # Errors
/// In words.
pub fn arch(given: Option<&str>, text: &[u8]) -> Result<Arch, String> {
    match given {
        Some(arch) => arch
            .parse()
            .map_err(|error: ToolchainError| error.to_string()),
        None => Arch::of_module(&String::from_utf8_lossy(text))
            .ok_or_else(|| "the module has no `.target`".to_string()),
    }
}

/// Prints why shuffles of kernels were taken back, or that the registers are not known, and which kernels stay rewritten with lower
/// occupancy. Of other passes their remarks say so.
pub fn say(checked: &Checked, path: &Path, quiet: bool) {
    if quiet {
        return;
    }
    for line in checked.reverted() {
        ptxasw_base::say!("ptxasw: warning: {line}");
    }
    for line in checked.failures() {
        ptxasw_base::say!("ptxasw: warning: `{}`: {line}", files::display(path));
    }
    for line in checked.accepted() {
        ptxasw_base::say!("ptxasw: {line}");
    }
}
