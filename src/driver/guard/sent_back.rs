//! What users read of kernels that lost in a build.

use crate::pipeline::ssa::Reversions;
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

/// The kernels among what is taken back, level by level. `loads` is the level that a function had first.
pub fn sent_back(
    back: &Reversions,
    loads: impl Fn(&str) -> Loads,
    is_kernel: impl Fn(&str) -> bool,
) -> Vec<SentBack> {
    let mut sent = Vec::new();
    let mut names: Vec<&String> = back.levels.keys().chain(back.out.keys()).collect();
    names.sort();
    names.dedup();
    for kernel in names.into_iter().filter(|name| is_kernel(name)) {
        let tried = back.levels.get(kernel).into_iter().flatten();
        for (steps, why) in tried.chain(back.out.get(kernel)).enumerate() {
            sent.push(SentBack {
                kernel: kernel.clone(),
                loads: loads(kernel).below(steps),
                why: why.why.clone(),
            });
        }
    }
    sent
}

/// Why the original of a kernel is kept, by the highest level that was tried.
pub fn why(sent: &[SentBack], kernel: &str) -> Option<String> {
    let mut of_kernel = sent.iter().filter(|one| one.kernel == kernel);
    of_kernel.next().map(|one| one.why.clone())
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
