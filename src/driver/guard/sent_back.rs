//! Kernels that lost in a build, and what was tried with them next.

use super::goes_back;
use ptxasw_base::kernel_filter::Selection;
use ptxasw_base::named::Named;
use ptxasw_passes::memory::Loads;

/// A kernel that lost at a level of loads, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SentBack {
    /// The kernel.
    pub kernel: String,
    /// The level; [`Loads::Off`] where the memory pass does not run.
    pub loads: Loads,
    /// With its figures.
    pub why: String,
}

/// The next try for a function that lost: one level of loads less, and where there is none it is left out.
pub fn step_back(kernels: &mut Selection, loads: Loads, name: &str) {
    let steps = kernels.steps_back(name) + 1;
    kernels.step_back(name, steps);
    if loads.below(steps) == Loads::Off {
        kernels.leave_out(name);
    }
}

/// Takes one step back with all changed functions that go back with the kernels that lost. The result names those functions,
/// and has the messages about the kernels. `loads` is the level at which a function was tried first.
pub fn step_all_back<'n>(
    kernels: &mut Selection,
    loads: impl Fn(&str) -> Loads,
    lost: Vec<(String, String)>,
    changed: impl Iterator<Item = (&'n str, bool)>,
) -> (Vec<&'n str>, Vec<SentBack>) {
    let sent = lost.iter().map(|(kernel, why)| SentBack {
        kernel: kernel.clone(),
        loads: loads(kernel).below(kernels.steps_back(kernel)),
        why: why.clone(),
    });
    let sent = sent.collect();
    let back = changed.filter(|(name, is_kernel)| goes_back(&lost, name, *is_kernel));
    let back: Vec<&str> = back.map(|(name, _)| name).collect();
    for name in &back {
        step_back(kernels, loads(name), name);
    }
    (back, sent)
}

/// What users read of them: each level that was not taken where the kernel is still changed, else why its original is kept.
pub fn messages(sent: &[SentBack], is_changed: impl Fn(&str) -> bool) -> Vec<(&str, String)> {
    let mut messages: Vec<(&str, String)> = Vec::new();
    for one in sent {
        let kernel = &*one.kernel;
        let why = &one.why;
        if is_changed(kernel) {
            let level = one.loads.name();
            messages.push((kernel, format!("the level `{level}` is not taken: {why}")));
        } else if !messages.iter().any(|(known, _)| *known == kernel) {
            messages.push((kernel, format!("the original is kept: {why}")));
        }
    }
    messages
}
