//! What the user chose for a module, and what of it holds for one kernel.

use super::limit;
use super::mark::Marks;
use super::tuned::Tuned;
use ptxasw_base::kernel_filter::Selection;
use ptxasw_emulator::solver::Limits;
use ptxasw_passes::loops::Batches;
use ptxasw_passes::memory::MemoryOptions;
use ptxasw_passes::saturate::SaturationOptions;
use ptxasw_passes::shuffle::profit::Profit;
use ptxasw_passes::shuffle::{Shuffle, synthesis};
use ptxasw_passes::{Pass, Passes};
use std::borrow::Cow;
use std::sync::Arc;

/// What the user chose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Detection, proof, wrapping.
    pub synthesis: synthesis::Options,
    /// Kernels to look at.
    pub kernels: Selection,
    /// Those of them whose arithmetic is looked at.
    pub arithmetic: Selection,
    /// The target in place of the module's own: the number of `sm_80`.
    pub arch: Option<u32>,
    /// A `.version` that is too old for what is added is raised to the least that will do.
    pub raise_version: bool,
    /// Threads; 0 for as many as there are processors.
    pub jobs: usize,
    /// What the solver may spend on a kernel.
    pub solver: Limits,
    /// The edits of a kernel stay apart, so that each line of the output can be led back ([`Origins`](super::Origins)); else they
    /// are one, which is faster to write.
    pub edits_apart: bool,
    /// A kernel whose analysis fails by an internal error is left as it is, and the others go on; else the fault is a panic.
    pub keep_going: bool,
    /// Only the first rewritings.
    pub limit: Option<limit::Limit>,
    /// The passes that run.
    pub passes: Passes,
    /// What the user lets the memory pass do.
    pub memory: MemoryOptions,
    /// What the user lets saturation do.
    pub saturation: SaturationOptions,
    /// The pass after which the IR of the chosen functions is printed.
    pub print_after: Option<&'static str>,
    /// Choices for single kernels, in place of these.
    pub tuned: Tuned,
    /// What the limit leaves of each function; set by the pipeline.
    pub shares: Option<Arc<limit::Shares>>,
    /// The options of which the limit counts the rewritings, where these are what examinations have left of them.
    pub counted: Option<Arc<Options>>,
    /// What the input records about earlier runs ([`Options::of_module`]); set by the pipeline.
    pub marks: Option<Arc<Marks>>,
}

impl Options {
    /// Those under which exactly these passes run.
    pub fn of_passes(list: &[&'static dyn Pass]) -> Self {
        Options {
            passes: Passes::of(list),
            ..Options::default()
        }
    }

    /// Those under which only shuffles are looked for.
    pub fn of_shuffles() -> Self {
        Options::of_passes(&[&Shuffle])
    }

    /// The passes that run on some function, in their order, as far as they do not cross lanes. Where shuffles are asked for, loops stay
    /// as they came: what lanes share is found in one iteration.
    pub fn within_lanes(&self) -> Vec<&'static dyn Pass> {
        let mut all = self.passes.clone();
        self.tuned.passes().for_each(|passes| all.add(&passes));
        let is_asked = all.has(&Shuffle) && self.asks_for_shuffles();
        all.leave_out(|name| is_asked && name == Batches.name());
        all.list.retain(|pass| !pass.crosses_lanes());
        all.list
    }

    /// Whether the user wants shuffles whether or not they are known to pay.
    fn asks_for_shuffles(&self) -> bool {
        self.synthesis.profit == Profit::Always || self.synthesis.wrapping.is_some()
    }

    /// Those for one function, by what is chosen for it on a target, of which this is the number, without passes of earlier runs.
    pub fn of_function(&self, name: &str, target: Option<u32>) -> Cow<'_, Self> {
        let mut options = Cow::Borrowed(self);
        if let Some(choice) = self.tuned.choice(name, target) {
            choice.apply(options.to_mut(), name);
        }
        if let Some(mark) = self.mark(name) {
            options.to_mut().passes.leave_out(|pass| mark.names(pass));
        }
        options
    }

    /// What the memory pass may do to a function.
    pub fn memory_of(&self, function: &str) -> MemoryOptions {
        self.memory.below(self.kernels.steps_back(function))
    }
}
