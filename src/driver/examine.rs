//! What is examined, and what was found: what does not compare equal with its original, and what loses by its registers.

use crate::guard::Checked;
use crate::judged::Judged;
use ptxasw_machine::toolchain::Arch;
use ptxasw_ptx::decode::form;

/// What is to be examined.
#[derive(Default)]
pub struct Wanted<'a> {
    /// Rewritten kernels are run beside their originals: what is not equal goes back.
    pub comparison: Option<Comparison<'a>>,
    /// Rewritten kernels are assembled beside their originals: what loses by its registers, or spills, goes back. The target
    /// that machine code is made for, or why it is not known.
    pub registers: Option<Result<Arch, String>>,
}

/// How kernels are compared.
#[derive(Clone, Copy)]
pub struct Comparison<'a> {
    /// What can't be compared goes back, too.
    pub strict: bool,
    /// Launches and schedules, for the original as PTX. Fails where launches of the user's do not fit.
    pub options: &'a dyn Fn(&form::Module) -> anyhow::Result<ptxasw_verify::Options>,
}

/// The outcome of the comparison and of the register guard, after one half or both.
#[derive(Default)]
pub struct Examination {
    /// A verdict for each kernel that was executed beside its original.
    pub judged: Vec<Judged>,
    /// Kernels that lose warps or spill, and why nothing is known of them.
    pub checked: Checked,
}
