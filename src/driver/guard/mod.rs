//! What machine code says of rewritten kernels. One goes back to its original where `ptxas` gives it so many more registers that fewer
//! warps fit on a multiprocessor, or that a launch would fail which was legal, and where it spills. Fewer warps are no loss where
//! the machine code shows that they wait for memory so much less often that they do more ([`worth`]), and the memory pass has
//! shown that no block waits for another, which might no longer be resident. A kernel that loses by the memory pass gets the highest
//! of its lower levels at which it does not. Passes over the arithmetic stay only where the machine code gains by them
//! ([`arithmetic`]).
//!
//! | file | what |
//! | --- | --- |
//! | `arbiter`, `door` | the choice, in few runs of the assembler, for every entry point of the program ([`Door`]) |
//! | `lab`, `trial` | kernels as they came and as they could be, in one module for the assembler |
//! | [`registers`], [`launch`] | whether a kernel loses warps or spills, whether a launch would fail |
//! | [`worth`] | whether fewer warps pay |
//! | [`arithmetic`] | whether other arithmetic pays |
//! | `passed`, `pending` | the doors that write a text: `ptxasw opt` and the plugin |
//! | `sent_back` | what users read of it |
//!
//! The drop-in and `ptxasw clang` run the build's own assembler, with its options. Where a text is written, it is the `ptxas` that
//! [`Assembler::find`] finds; the passes within lanes and that across lanes are examined one after the other there, each against what
//! it had before it: a kernel that loses by its shuffles goes back to what the others made of it, which lost nothing. The library's
//! [`optimize`](crate::pipeline::optimize) starts no process.

mod arbiter;
pub mod arithmetic;
mod door;
mod lab;
pub mod launch;
mod passed;
mod pending;
pub mod registers;
mod sent_back;
mod trial;
pub mod worth;

pub use arbiter::choose;
pub use door::{Choice, Door, Purpose, Rewritten};
pub use lab::Code;
pub use passed::{changed, examine_passes};
pub use pending::examine_pending;
pub use sent_back::{SentBack, messages, sent_back, why};

use crate::pipeline::FrontEnd;
use ptxasw_machine::toolchain::{Arch, Assembler};
use std::borrow::Cow;

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

/// A module as PTX, with some functions changed besides.
fn ptx<M: FrontEnd>(module: &M, pending: &[(usize, M::Written)]) -> Result<Vec<u8>, String> {
    let ptx = module.as_ptx(pending).map(Cow::into_owned);
    ptx.map_err(|error| error.to_string())
}

/// The assembler for what is written as a text, and what it assembles for.
struct Machine {
    assembler: Assembler,
    arch: Arch,
}

impl Machine {
    /// For a target, or why that is not known.
    fn of(arch: Result<Arch, String>) -> Result<Self, String> {
        let arch = arch?.assembled_as();
        let assembler = Assembler::find(arch).map_err(|error| error.to_string())?;
        Ok(Machine { assembler, arch })
    }

    fn target(&self) -> u32 {
        self.arch.number.into()
    }

    fn assembled(&self, texts: &[Vec<u8>]) -> Result<Code, String> {
        let [text] = texts else {
            return Err("it is no single text".to_owned());
        };
        let made = self.assembler.code_and_resources(text, self.arch);
        let (cubin, resources) = made.map_err(|error| error.in_one_line())?;
        Ok(Code::of(cubin, resources))
    }
}
