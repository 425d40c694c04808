//! All that was decided about a module, function by function.

use super::accesses::InputFunction;
use super::ssa::Report;
use ptxasw_passes::shuffle::Search;
use rustc_hash::FxHashMap;

/// All decisions about a module.
#[derive(Clone, Copy)]
pub struct Decisions<'a> {
    /// Its functions as they came, in the order of the text.
    pub input: &'a [InputFunction],
    /// What the passes did.
    pub passes: &'a [Report],
}

impl<'a> Decisions<'a> {
    /// The reports on each function, in the order of the passes.
    pub fn by_function(self) -> impl Iterator<Item = (&'a InputFunction, Vec<&'a Report>)> {
        let mut reports: FxHashMap<&str, Vec<&Report>> = FxHashMap::default();
        for report in self.passes {
            reports.entry(&report.function).or_default().push(report);
        }
        self.input.iter().map(move |function| {
            let reports = reports.remove(&*function.name);
            (function, reports.unwrap_or_default())
        })
    }

    /// What was found for shuffles, by functions in the order of the text.
    pub fn searches(self) -> impl Iterator<Item = (&'a str, &'a Search)> {
        let reports = self.passes.iter();
        reports.filter_map(|report| Some((&*report.function, report.search.as_deref()?)))
    }
}
