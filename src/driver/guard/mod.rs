//! The register guard: a rewritten kernel goes back to its original where `ptxas` gives it so many more registers that fewer
//! warps fit on a multiprocessor, or that a launch would fail which was legal, and where it spills. Fewer warps are no loss where
//! the machine code shows that they wait for memory so much less often that they do more ([`worth`]), and the memory pass has
//! shown that no block waits for another, which might no longer be resident. A kernel that loses by the memory pass is tried at
//! the next lower level first.
//!
//! Passes over the arithmetic stay only where the machine code gains by them ([`arithmetic`]).
//!
//! `registers` compares, for every entry point of the program, and whoever changed the kernel. The drop-in and `ptxasw clang`
//! run the build's own assembler, with its options, and compare what it made: a kernel that loses goes back with all that was
//! done to it. [`examine_pending`] and [`examine_passes`] are for those that write a text: `ptxasw opt` and the plugin. There
//! the passes within lanes and that across lanes are examined one after the other, each against what it had before it: a kernel
//! that loses by the former goes back to its original, in which shuffles are looked for; one that loses by its shuffles goes
//! back to what the others made of it, which lost nothing. They run the `ptxas` that [`Assembler::find`] finds, and run it on
//! the original only if the registers of the rewritten text may matter. The library's
//! [`optimize`](crate::pipeline::optimize) starts no process.

pub mod arithmetic;
pub mod launch;
mod passed;
mod pending;
pub mod registers;
mod sent_back;
pub mod worth;

pub use passed::{changed, examine_passes};
pub use pending::examine_pending;
pub use sent_back::{SentBack, messages, step_all_back, step_back};

use crate::pipeline::FrontEnd;
use crate::pipeline::ssa::Reverted;
use launch::Blocks;
use ptxasw_machine::toolchain::{Arch, Assembler};
use registers::{Independent, Original};
use std::borrow::Cow;
use worth::{Codes, judge};

/// Rounds of taking back kernels that lose, step by step; then all go back.
pub const MAX_ROUNDS: usize = 5;

/// Why a kernel went back, for statistics and remarks.
pub const REVERTED: &str = "it lost warps by its registers, or spilled";
/// Why a kernel went back where there is no machine code to compare.
const REJECTED: &str = "`ptxas` does not take the rewritten text";

/// What [`examine_pending`] or [`examine_passes`] found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Kernels whose shuffles were dropped, and why. What passes did is taken back in their reports, which say why.
    pub lost: Vec<(String, String)>,
    /// Kernels that stay rewritten with fewer warps, and why.
    pub accepted: Vec<(String, String)>,
    /// Why the whole module went back: `ptxas` takes the original only.
    pub rejected: Option<String>,
    /// Why the registers of rewritten kernels are not known.
    pub unknown: Option<String>,
}

impl Checked {
    /// Adds what a later check of the same module found.
    pub fn add(&mut self, later: Checked) {
        self.lost.extend(later.lost);
        self.accepted.extend(later.accepted);
        self.rejected = self.rejected.take().or(later.rejected);
        self.unknown = self.unknown.take().or(later.unknown);
    }

    /// A line for each kernel that went back.
    pub fn reverted(&self) -> impl Iterator<Item = String> {
        let lost = self.lost.iter();
        lost.map(|(kernel, how)| format!("kernel `{kernel}`: {how}; the original is kept"))
    }

    /// A line for each kernel that has fewer warps, which pays.
    pub fn accepted(&self) -> impl Iterator<Item = String> {
        let accepted = self.accepted.iter();
        accepted.map(|(kernel, why)| format!("kernel `{kernel}` stays rewritten: {why}"))
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

/// A function that goes back, and why.
type RevertedFunction = (String, Reverted);

/// A module of which some functions are changed, and can go back.
trait Revertible {
    /// The changed functions, each with whether it is a kernel.
    fn changed(&self) -> Vec<(String, bool)>;
    /// The module as PTX, with what is changed now.
    ///
    /// # Errors
    /// In words.
    fn rewritten(&self) -> Result<Vec<u8>, String>;
    /// The module as PTX, without any change.
    ///
    /// # Errors
    /// In words.
    fn original(&self) -> Result<Vec<u8>, String>;
    /// As [`Self::rewritten`], with tests at run time taken to hold; none where nothing rests on such tests.
    ///
    /// # Errors
    /// In words.
    fn fast(&self) -> Option<Result<Vec<u8>, String>> {
        None
    }
    /// The functions whose arithmetic passes changed, each with whether it is a kernel.
    fn arithmetic(&self) -> Vec<(String, bool)> {
        Vec::new()
    }
    /// As [`Self::rewritten`], without the passes over the arithmetic.
    ///
    /// # Errors
    /// In words.
    fn without_arithmetic(&self) -> Result<Vec<u8>, String> {
        self.rewritten()
    }
    /// Functions keep their arithmetic.
    ///
    /// # Errors
    /// An internal error, in words.
    fn drop_arithmetic(&mut self, _back: &[RevertedFunction]) -> Result<(), String> {
        Ok(())
    }
    /// The kernels of which it was shown that no block waits for another.
    fn independent(&self) -> Independent {
        Independent::default()
    }
    /// Functions go back a step, or to the original.
    ///
    /// # Errors
    /// An internal error, in words.
    fn send_back(&mut self, back: &[RevertedFunction]) -> Result<(), String>;
}

/// A module as PTX, with some functions changed besides.
fn ptx<M: FrontEnd>(module: &M, pending: &[(usize, M::Written)]) -> Result<Vec<u8>, String> {
    let ptx = module.as_ptx(pending).map(Cow::into_owned);
    ptx.map_err(|error| error.to_string())
}

/// What is wrong where there is nothing to compare with.
const ORIGINAL: &str = "`ptxas` does not take the original";

/// Sends functions back that lose by their registers, or spill.
fn examine(module: &mut impl Revertible, arch: Result<Arch, String>) -> Checked {
    let mut checked = Checked::default();
    if !module.changed().is_empty()
        && let Err(why) = rounds(module, arch, &mut checked)
    {
        checked.unknown = Some(why);
    }
    checked
}

fn rounds(
    module: &mut impl Revertible,
    arch: Result<Arch, String>,
    checked: &mut Checked,
) -> Result<(), String> {
    let arch = arch?.assembled_as();
    let assembler = Assembler::find(arch).map_err(|error| error.to_string())?;
    arithmetic::examine(module, &assembler, arch)?;
    let resources = |text: Result<Vec<u8>, String>| {
        let found = assembler.resources(&text?, arch);
        found.map_err(|error| error.in_one_line())
    };
    let mut original: Option<Original> = None;
    for _ in 0..MAX_ROUNDS {
        checked.accepted.clear();
        let after = match resources(module.rewritten()) {
            Ok(after) => after,
            Err(error) => {
                // An assembler that takes neither shows nothing about the rewriting.
                let original = resources(module.original());
                original.map_err(|error| format!("{ORIGINAL}: {error}"))?;
                checked.rejected = Some(error);
                break;
            }
        };
        if registers::harmless(&after) {
            return Ok(());
        }
        let before = match original.take() {
            Some(before) => before,
            None => {
                let text = module.original()?;
                Original {
                    blocks: Blocks::of(&text),
                    independent: module.independent(),
                    resources: resources(Ok(text))
                        .map_err(|error| format!("{ORIGINAL}: {error}"))?,
                }
            }
        };
        let code = |text: Vec<u8>| assembler.code(&text, arch).ok();
        let codes = || {
            Some(Codes {
                original: code(module.original().ok()?)?,
                fast: code(module.fast()?.ok()?)?,
            })
        };
        let found = registers::compared(arch.number.into(), &before, &after, judge(codes));
        let lost = found.lost;
        checked.accepted = found.accepted;
        original = Some(before);
        let back = to_send_back(module, &lost);
        // Else the rewriting is not the reason.
        if back.is_empty() {
            return Ok(());
        }
        module.send_back(&back)?;
        checked.lost.extend(lost);
        if module.changed().is_empty() {
            return Ok(());
        }
    }
    checked.accepted.clear();
    let reason = match checked.rejected {
        Some(_) => REJECTED,
        None => REVERTED,
    };
    // Each call lowers all functions by one level of the pass `memory`; below the last level is the original.
    for _ in 0..=MAX_ROUNDS {
        let all = module.changed().into_iter();
        let all: Vec<RevertedFunction> =
            all.map(|(name, _)| (name, Reverted::new(reason))).collect();
        if all.is_empty() {
            break;
        }
        module.send_back(&all)?;
    }
    Ok(())
}

/// The changed functions that go back where some kernels lost.
fn to_send_back(module: &impl Revertible, lost: &[(String, String)]) -> Vec<RevertedFunction> {
    let Some((first, why_first)) = lost.first() else {
        return Vec::new();
    };
    let changed = module.changed().into_iter();
    let back = changed.filter(|(name, is_kernel)| goes_back(lost, name, *is_kernel));
    let back = back.map(|(name, _)| {
        let own = lost.iter().find(|(one, _)| *one == name);
        // It is not known which kernel calls it.
        let why = own.map_or_else(
            || format!("kernel `{first}`: {why_first}"),
            |(_, why)| why.clone(),
        );
        let reason = REVERTED;
        (name, Reverted { reason, why })
    });
    back.collect()
}
