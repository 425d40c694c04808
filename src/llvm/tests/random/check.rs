//! Whether a module survives the memory pass.

use crate::random::case::Case;
pub use crate::random::compare::Verdict;
use crate::random::compare::compare;
use inkwell::context::Context;
use inkwell::module::Module;
use ptxasw::pipeline::ssa::Report;
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::{passes, read, stage};

/// What modules are compiled for.
const ARCH: &str = "sm_80";

/// Checks what the pass makes of a module, as PTX; a patch that is refused is wrong, too.
pub fn check(case: &Case, text: &str) -> Verdict {
    let context = Context::create();
    let Ok(module) = read::read(&context, text.as_bytes(), "random") else {
        return Verdict::Unfit;
    };
    // Registers are slots on the stack so far.
    let values = passes::Chosen {
        pipeline: Some("function(mem2reg)"),
        ..passes::Chosen::default()
    };
    if passes::run(&module, &values, Some(ARCH)).is_err() {
        return Verdict::Unfit;
    }
    let Some(before) = compiled(&module) else {
        return Verdict::Unfit;
    };
    let passed = match stage::rewrite_with(&module, &case.options, &stage::Extras::default()) {
        Ok(passed) => passed,
        Err(error) => return Verdict::Wrong(error.to_string(), String::new()),
    };
    if let Some(refusal) = passed.passes.iter().find_map(Report::refusal) {
        return Verdict::Wrong(refusal, String::new());
    }
    let remarks = passed.passes.iter().flat_map(|report| &report.remarks);
    let done = remarks.filter(|remark| remark.fate.is_done()).count();
    if done == 0 {
        return Verdict::Untouched;
    }
    match compiled(&module) {
        Some(after) => compare(&case.launches, &before, after.as_bytes(), done),
        None => Verdict::Wrong("it can't be compiled".into(), module.to_string()),
    }
}

fn compiled(module: &Module) -> Option<String> {
    let ptx = outputs::write(module, Kind::Ptx, Some(ARCH)).ok()?;
    String::from_utf8(ptx).ok()
}
