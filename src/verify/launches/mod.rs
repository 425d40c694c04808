//! Launches to compare kernels with: those of the user, or made up from what can be known of a kernel's parameters.
//!
//! | file | what |
//! | --- | --- |
//! | `usage`, `flow`, `operations`, `facts`, `field` | how parameters and thread indices are used, by the flow of values |
//! | `counters` | which of them say where loops begin, how far they step and where they end |
//! | `callees` | what device functions do with pointers that they are given |
//! | `blocks` | which blocks the code speaks of, tried out |
//! | `shapes`, `corners` | blocks, sizes and values, the most telling first; what is equal in ordinary launches alone |
//! | `overlap` | buffers that overlap, pointers that are barely aligned, strides at which addresses wrap |
//! | `iterations` | buffers that overlap in one iteration of a loop |
//! | `build`, `contents` | a shape becomes a launch |
//! | `repair` | a launch that turns out too small grows |
//! | `filling` | a launch that fills a GPU, of which some blocks are executed |
//! | `text` | a launch in words that a launch file can hold |

mod blocks;
mod build;
mod callees;
mod contents;
mod corners;
mod counters;
mod facts;
mod field;
mod filling;
mod flow;
mod iterations;
mod operations;
mod overlap;
mod repair;
mod shapes;
#[cfg(test)]
mod tests;
mod text;
mod usage;

use super::runs::Job;
use super::session::Ran;
use super::{Kernel, NamedLaunch};
use ptxasw_executor::ExecutionError;
use ptxasw_executor::launch::LaunchSpec;
use shapes::Shape;
use std::borrow::Cow;
use std::sync::Arc;
use usage::Usage;

/// Bytes of all parameters; what is declared can be anything, what a device takes is 32,764.
const MAX_PARAMETERS: u64 = 1 << 16;

/// A launch to try.
pub(super) enum Candidate<'a> {
    /// Of the user.
    Given(&'a NamedLaunch),
    /// Made up.
    Made(Made),
}

/// A made-up launch.
pub(super) struct Made {
    usage: Arc<Usage>,
    shape: Shape,
}

/// The user's launches for a kernel.
pub(super) fn given<'a>(kernel: &str, launches: &'a [NamedLaunch]) -> Vec<Candidate<'a>> {
    let fitting = launches.iter().filter(|launch| {
        let name = launch.kernel.as_deref();
        name.is_none_or(|name| name == kernel)
    });
    fitting.map(Candidate::Given).collect()
}

/// Parameters that no launch can be made for.
fn has_too_much(kernel: Kernel) -> bool {
    let parameters = kernel.function.parameters.iter();
    let bytes = parameters.fold(0u64, |sum, one| sum.saturating_add(one.bytes));
    bytes > MAX_PARAMETERS
}

/// Launches made up for a kernel, the most telling first.
pub(super) fn made(kernel: Kernel, seed: u64) -> Vec<Candidate<'static>> {
    if has_too_much(kernel) {
        return Vec::new();
    }
    let usage = Arc::new(Usage::of(kernel.module, kernel.function));
    let blocks = blocks::blocks(kernel, &usage, seed);
    let shapes = shapes::shapes(kernel.function, &usage, &blocks, seed);
    let made = shapes.into_iter().map(|shape| {
        Candidate::Made(Made {
            usage: Arc::clone(&usage),
            shape,
        })
    });
    made.collect()
}

/// Most launches that are made up for one kernel alone.
const FOR_ONE: usize = 8;
/// Of their contents.
const SEED: u64 = 1;

/// Launches that are made up for a kernel, with several block shapes. Each of them terminates within so many steps, or there is
/// the reason why it does not.
pub fn made_up_launches(
    kernel: Kernel,
    steps: u64,
) -> impl Iterator<Item = Result<LaunchSpec, ExecutionError>> {
    let candidates = made(kernel, SEED).into_iter().take(FOR_ONE);
    candidates.filter_map(move |candidate| match candidate {
        Candidate::Made(made) => Some(repair::runnable(kernel, &made, steps)),
        Candidate::Given(_) => None,
    })
}

pub(super) use filling::filling;

/// Runs a launch of both kernels; a made-up one grows until the original can run.
pub(super) fn run<'a>(job: &Job, candidate: &Candidate<'a>) -> Ran<'a> {
    match candidate {
        Candidate::Given(given) => Ran {
            text: given.name.clone(),
            pairs: job.run(&given.launch, None),
            launch: Some(Cow::Borrowed(&given.launch)),
            block: given.launch.block,
            wasted: 0,
            adversarial: false,
        },
        Candidate::Made(made) => repair::run(job, made),
    }
}
