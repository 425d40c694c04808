//! File tests of analyses: every `tests/ir/cases/ANALYSIS/NAME.ir` is a case.
//!
//! A case is a function in the textual form of the IR, so that an analysis is tested without a front end in front of it:
//!
//! ```text
//! ; test: dominators                  what is run, the name of the folder
//! ; What the case is about.
//! kernel f() {
//! ...
//! }
//! ; expect:
//! ; block0: ...
//! ```
//!
//! A case of `patch` has between the two a patch of the function, as JSON after `; patch:`; what is expected is the function
//! that it makes, or why it makes none.
//!
//! `PTXASW_BLESS=1` writes the block at the end anew. Of every case it is also checked that it is written as the function
//! prints, that this reads back, and, but for those of `verify`, that the function is well formed.
//!
//! | file | what |
//! | --- | --- |
//! | `case` | a file: its header, the function, what is expected |
//! | `blocks` | analyses of the graph: dominators, loops, and whether a function is well formed |
//! | `values` | analyses of values: liveness, divergence, parameters of blocks, the trace |
//! | `patches` | functions that patches make |

mod blocks;
mod case;
mod patches;
mod values;

use std::path::{Path, PathBuf};

use crate::times::trial;
use case::Case;
use libtest_mimic::{Failed, Trial};
use ptxasw::ir::function::Function;
use ptxasw::ir::text::parse;
use ptxasw::ir::verify::verify;

/// What prints the result of an analysis.
type Print = fn(&Case, &Function) -> String;

/// The analysis whose cases may be wrong.
const VERIFY: &str = "verify";

const ANALYSES: [(&str, Print); 8] = [
    ("divergence", |_, function| values::divergence(function)),
    ("dominators", |_, function| blocks::dominators(function)),
    ("liveness", |_, function| values::liveness(function)),
    ("loops", |_, function| blocks::loops(function)),
    ("patch", patches::patched),
    ("phis", |_, function| values::phis(function)),
    ("trace", |_, function| values::trace(function)),
    (VERIFY, |_, function| blocks::violations(function)),
];

/// All cases, and that each analysis has some.
pub fn trials() -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir/cases");
    let mut trials = Vec::new();
    let paths = cases(&folder);
    for (analysis, _) in ANALYSES {
        let found = paths
            .iter()
            .any(|path| path.parent() == Some(&folder.join(analysis)));
        trials.push(trial(
            format!("ir::folder::{analysis}"),
            move || match found {
                true => Ok(()),
                false => Err(format!("no case of {analysis}").into()),
            },
        ));
    }
    for path in paths {
        let below = path
            .strip_prefix(&folder)
            .unwrap_or(&path)
            .with_extension("");
        let name = format!("ir::{}", below.to_string_lossy().replace('/', "::"));
        trials.push(trial(name, move || check(&path).map_err(Failed::from)));
    }
    trials
}

/// All cases, sorted.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let pattern = folder.join("*/*.ir");
    let found = glob::glob(&pattern.to_string_lossy()).expect("the pattern is one");
    found.filter_map(Result::ok).collect()
}

fn check(path: &Path) -> Result<(), String> {
    let case = Case::load(path)?;
    let (_, print) = ANALYSES
        .iter()
        .find(|(name, _)| *name == case.analysis)
        .ok_or_else(|| format!("there is no analysis `{}`", case.analysis))?;
    let function = parse(&case.text).map_err(|error| error.to_string())?;
    reads_back(&case, &function)?;
    let violations = verify(&function);
    if case.analysis != VERIFY && !violations.is_empty() {
        return Err(blocks::violations(&function));
    }
    case.compare(&print(&case, &function))
}

/// The case is written as its function prints, and what is printed is read as the same function.
fn reads_back(case: &Case, function: &Function) -> Result<(), String> {
    let printed = function.to_string();
    if case.code() != printed {
        return Err(format!("the function prints as\n{printed}"));
    }
    let again = parse(&printed).map_err(|error| format!("what is printed: {error}"))?;
    match again.to_string() == printed {
        true => Ok(()),
        false => Err(format!("what is printed\n{printed}\nis read as\n{again}")),
    }
}
