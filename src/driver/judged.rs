//! After a rewriting: what does not compare equal goes back to the original.

use indexmap::IndexMap;
use ptxasw_executor::callable;
use ptxasw_ptx::error::Unreadable;
use ptxasw_verify::{Kernel, KernelReport, Module, Options, Reason, Verdict, verify_kernel};
use rustc_hash::FxHashSet;

/// Why a function went back, for statistics and remarks.
pub const NOT_EQUAL: &str = "its results were not found equal";

/// A rewritten kernel and what became of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What the comparison found.
    pub report: KernelReport,
    /// The kernel stays rewritten.
    pub kept: bool,
}

/// Compares every kernel that was changed, or calls what was, with its original in `rewritten`, a text of the same module:
/// what was found, and the functions that go back. Those are the ones that differ or have undefined behaviour of their own, or
/// could only be compared where the original has a data race; with `strict`, all without a verdict, or with a verdict that has
/// reserves ([`KernelReport::without_reserve`]). With a kernel go the functions that it may call. If the rewritten text is no
/// module, all go back, and so does what has another name there. `changed` are names.
pub fn compare<'n>(
    original: &Module,
    rewritten: &[u8],
    changed: impl Iterator<Item = &'n str>,
    options: &Options,
    strict: bool,
) -> (Vec<Judged>, Vec<&'n str>) {
    let mut named: IndexMap<&str, FxHashSet<u32>> =
        changed.map(|name| (name, FxHashSet::default())).collect();
    for function in original.form.functions.iter().filter(|one| one.defined) {
        if let Some(items) = named.get_mut(&*function.name) {
            items.insert(function.item);
        }
    }
    let items = named.values().flatten().copied().collect();
    let (judged, dropped) = match Module::read(rewritten) {
        Ok(rewritten) => judge(original, &rewritten, &items, options, strict),
        Err(error) => (unreadable(original, &items, &error), items),
    };
    named.retain(|_, items| items.is_empty() || !items.is_disjoint(&dropped));
    (judged, named.into_keys().collect())
}

/// The report on kernels of which the rewritten text is no module.
fn unreadable(original: &Module, changed: &FxHashSet<u32>, error: &Unreadable) -> Vec<Judged> {
    let kernels = original.kernels();
    let touched = kernels.filter(|&kernel| {
        let items = items(original, kernel);
        items.iter().any(|item| changed.contains(item))
    });
    touched
        .map(|kernel| Judged {
            report: KernelReport::new(&kernel.function.name, Reason::Unreadable(error.to_string())),
            kept: false,
        })
        .collect()
}

/// As [`compare`]; `changed` are items of the original, and so are those that go back.
fn judge(
    original: &Module,
    rewritten: &Module,
    changed: &FxHashSet<u32>,
    options: &Options,
    strict: bool,
) -> (Vec<Judged>, FxHashSet<u32>) {
    // A kernel is judged for its own shuffles and for those of the functions that it may call.
    let touched: Vec<(Kernel, Vec<u32>)> = original
        .kernels()
        .map(|kernel| (kernel, items(original, kernel)))
        .filter(|(_, items)| items.iter().any(|item| changed.contains(item)))
        .collect();
    let share = Options {
        steps: options.steps / touched.len().max(1) as u64,
        ..options.clone()
    };
    let mut judged = Vec::new();
    let mut dropped: FxHashSet<u32> = FxHashSet::default();
    let mut reached: FxHashSet<u32> = FxHashSet::default();
    for (before, items) in touched {
        let Some(after) = rewritten.kernel(&before.function.name) else {
            continue;
        };
        let report = verify_kernel(before, after, &share);
        let kept = match report.verdict {
            Verdict::Equal => !strict || report.without_reserve(),
            Verdict::Different(_) | Verdict::UndefinedBehaviour(_) => false,
            // There the kernels did differ, or may have.
            Verdict::CouldNotRun(Reason::Race { .. } | Reason::MayNotEnd { .. }) => false,
            Verdict::CouldNotRun(_) => !strict,
        };
        if !kept {
            dropped.extend(&items);
        }
        reached.extend(items);
        judged.push(Judged { report, kept });
    }
    // Of a function that no kernel of the module calls nothing is known.
    if strict {
        dropped.extend(changed.difference(&reached));
    }
    dropped.retain(|item| changed.contains(item));
    (judged, dropped)
}

/// The items of a kernel and of all functions that it may call.
fn items(module: &Module, kernel: Kernel) -> Vec<u32> {
    let functions = callable(&module.form, kernel.function);
    let called = functions
        .into_iter()
        .filter_map(|index| module.form.functions.get(index as usize));
    std::iter::once(kernel.function)
        .chain(called)
        .map(|function| function.item)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STENCIL: &str = include_str!("../../ptx-tests/mutations/stencil.ptx");

    #[test]
    fn a_rewritten_text_that_is_no_module_goes_back() {
        let mut options = crate::pipeline::Options::default();
        options.synthesis.profit = ptxasw_passes::shuffle::profit::Profit::Always;
        let output = crate::pipeline::optimize(STENCIL.as_bytes(), &options).expect("a module");
        assert_ne!(output.text, STENCIL.as_bytes());
        let original = Module::read(STENCIL.as_bytes()).expect("a module");
        let how = Options::default();
        let changed = output.passes.iter().map(|report| &*report.function);
        let (judged, back) = compare(&original, b"nonsense", changed, &how, false);
        assert_eq!(back.len(), 1);
        let verdicts: Vec<_> = judged.iter().map(|one| &one.report.verdict).collect();
        assert!(matches!(
            verdicts[..],
            [Verdict::CouldNotRun(Reason::Unreadable(_))]
        ));
    }
}
