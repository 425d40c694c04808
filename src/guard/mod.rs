//! The register guard: a rewritten kernel goes back to its original where `ptxas` gives it so many more registers that fewer
//! warps fit on a multiprocessor, or where it spills.
//!
//! `registers` compares, for every way into the program. The drop-in and `ptxasw clang` run the build's own assembler, with
//! its options, and compare what it made. [`check`] is for those that write a text: `ptxasw opt` and the plugin. It runs
//! the `ptxas` that [`Assembler::find`] finds, and runs it on the original only if the registers of the rewritten text may
//! matter. The library's [`optimize`](crate::optimize) starts no process.

pub mod registers;

use crate::pipeline::Kernel;
use crate::toolchain::{Arch, Assembler};
use registers::ByName;
use std::fmt::Display;

/// Rounds of leaving out kernels that lose; then all go back.
pub const MAX_ROUNDS: usize = 2;

/// Why a plan was dropped, for statistics and remarks.
pub const REVERTED: &str = "it lost warps by its registers, or spilled";
/// The same, where there is no machine code to compare.
const REJECTED: &str = "`ptxas` does not take the rewritten text";

/// What [`check`] found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Kernels that went back, and why.
    pub lost: Vec<(String, String)>,
    /// Why the whole module went back: `ptxas` takes the original only.
    pub rejected: Option<String>,
    /// Why the registers of rewritten kernels are not known.
    pub unknown: Option<String>,
}

impl Checked {
    /// Whether the original of anything is kept.
    pub fn went_back(&self) -> bool {
        !self.lost.is_empty() || self.rejected.is_some()
    }

    /// A line for each kernel that went back.
    pub fn reverted(&self) -> impl Iterator<Item = String> {
        let lost = self.lost.iter();
        lost.map(|(kernel, how)| format!("kernel `{kernel}`: {how}; the original is kept"))
    }

    /// A line for what went wrong.
    pub fn failures(&self) -> impl Iterator<Item = String> {
        let rejected = self.rejected.iter().map(|error| {
            format!("ptxas does not take the rewritten text; the original is kept: {error}")
        });
        let unknown = self
            .unknown
            .iter()
            .map(|why| format!("the registers of rewritten kernels were not checked: {why}"));
        rejected.chain(unknown)
    }
}

/// Whether a rewritten function goes back with the kernels that lost: one that is called may be what costs its kernel the
/// registers.
pub fn goes_back(lost: &[(String, String)], name: &str, is_kernel: bool) -> bool {
    !is_kernel || lost.iter().any(|(one, _)| one == name)
}

/// Drops the plans of kernels that lose by their registers, or spill. `ptx` writes the module with the plans of some
/// functions; with those of none it is the original.
pub fn check<E: Display>(
    kernels: &mut [Kernel],
    arch: Result<Arch, String>,
    ptx: impl Fn(&[Kernel]) -> Result<Vec<u8>, E>,
) -> Checked {
    let mut checked = Checked::default();
    if kernels.iter().any(Kernel::is_rewritten)
        && let Err(why) = rounds(kernels, arch, &ptx, &mut checked)
    {
        checked.unknown = Some(why);
    }
    checked
}

fn rounds<E: Display>(
    kernels: &mut [Kernel],
    arch: Result<Arch, String>,
    ptx: &impl Fn(&[Kernel]) -> Result<Vec<u8>, E>,
    checked: &mut Checked,
) -> Result<(), String> {
    let arch = arch?.assembled_as();
    let assembler = Assembler::find(arch).map_err(|error| error.to_string())?;
    let resources = |kernels: &[Kernel]| {
        let text = ptx(kernels).map_err(|error| error.to_string())?;
        let found = assembler.resources(&text, arch);
        found.map_err(|error| error.in_one_line())
    };
    let mut original: Option<ByName> = None;
    for _ in 0..MAX_ROUNDS {
        let after = match resources(kernels) {
            Ok(after) => after,
            Err(error) => {
                // An assembler that takes neither says nothing about the rewriting.
                resources(&[])?;
                checked.rejected = Some(error);
                break;
            }
        };
        if registers::harmless(&after) {
            return Ok(());
        }
        let before = match original.take() {
            Some(before) => before,
            None => resources(&[])?,
        };
        let lost = registers::compared(arch.number.into(), &before, &after);
        original = Some(before);
        let mut dropped = 0;
        for kernel in kernels.iter_mut().filter(|one| one.is_rewritten()) {
            if !lost.is_empty() && goes_back(&lost, &kernel.name, kernel.entry) {
                kernel.drop_plan(REVERTED);
                dropped += 1;
            }
        }
        // Else the rewriting is not the reason.
        if dropped > 0 {
            checked.lost.extend(lost);
        }
        if dropped == 0 || !kernels.iter().any(Kernel::is_rewritten) {
            return Ok(());
        }
    }
    let why = match checked.rejected {
        Some(_) => REJECTED,
        None => REVERTED,
    };
    for kernel in kernels.iter_mut().filter(|one| one.is_rewritten()) {
        kernel.drop_plan(why);
    }
    Ok(())
}
