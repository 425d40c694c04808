//! After a rewriting: what does not compare equal goes back to the original.

use super::{KernelReport, Module, Options, Reason, Verdict, verify_kernel};
use crate::pipeline::{self, Output};
use crate::ptx::emit::Variant;
use crate::shuffle::plan::Plan;

/// A rewritten kernel and what became of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What the comparison found.
    pub report: KernelReport,
    /// The kernel stays rewritten.
    pub kept: bool,
}

/// Compares every kernel that has shuffles with its original in `text`, and drops the plans of those that differ or have
/// undefined behaviour of their own, or could only be compared where the original has a data race; with `strict`, of all
/// about which nothing, or not everything, can be said ([`KernelReport::without_reserve`]).
///
/// # Errors
/// A text is no module or a plan does not fit: faults of ours, after a successful rewriting.
pub fn keep_equal(
    text: &[u8],
    mut output: Output,
    options: &Options,
    strict: bool,
) -> Result<(Output, Vec<Judged>), pipeline::Error> {
    let original = Module::read(text)?;
    let rewritten = Module::read(&output.text)?;
    let changed = output
        .kernels
        .iter()
        .filter(|k| !k.plan.shuffles.is_empty());
    let share = Options {
        steps: options.steps / changed.count().max(1) as u64,
        ..options.clone()
    };
    let mut judged = Vec::new();
    let mut dropped = false;
    for kernel in &mut output.kernels {
        let both = original
            .kernel(&kernel.name)
            .zip(rewritten.kernel(&kernel.name));
        let Some((before, after)) = both.filter(|_| !kernel.plan.shuffles.is_empty()) else {
            continue;
        };
        let report = verify_kernel(before, after, &share);
        let kept = match report.verdict {
            Verdict::Equal => !strict || report.without_reserve(),
            Verdict::Different(_) | Verdict::UndefinedBehaviour(_) => false,
            // There the kernels did differ, or may have.
            Verdict::CouldNotRun(Reason::Race { .. }) => false,
            Verdict::CouldNotRun(_) => !strict,
        };
        if !kept {
            dropped = true;
            kernel.plan = Plan {
                item: kernel.plan.item,
                ..Plan::default()
            };
        }
        judged.push(Judged { report, kept });
    }
    if dropped {
        output.text = pipeline::write(&original.tree, &output.kernels, Variant::Normal)?;
    }
    Ok((output, judged))
}
