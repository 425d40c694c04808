//! `ptxasw report`: all that is known of modules in one page, which needs no network and no other file.
//!
//! | file | what |
//! | --- | --- |
//! | [`data`] | what a page shows; the same is printed as JSON |
//! | `subject` | a module with all that the report asks about it |
//! | `module` | a module as a whole |
//! | `texts` | lines of its texts, its sources, its compiler |
//! | `kernel` | what became of one kernel |
//! | `loads` | counts of loads, and from where each takes its value |
//! | `reasons` | remarks, and reasons for which loads stay |
//! | `evidence` | what changes rest on |
//! | `access` | loads and stores in the order of the text |
//! | `lanes`, `warps` | pictures of what lanes load and take, as an execution shows it |
//! | `target` | machine code, registers, and times by the clock |
//! | `html`, `html/` | the page itself |

mod access;
pub mod data;
mod evidence;
mod html;
mod kernel;
mod lanes;
mod loads;
mod module;
mod reasons;
mod subject;
mod target;
#[cfg(test)]
mod tests;

mod texts;
mod warps;

pub use html::page;
pub use module::module;
pub use subject::{Stage, Subject, Wanted};

use data::{Kernel, Verdict};
use ptxasw_driver::report::fates::counted;
use ptxasw_driver::report::verdict::{Word, named_counts};

/// Kernels by their verdicts on an architecture, and the sentence about it.
pub fn verdict<'k>(kernels: impl Iterator<Item = &'k Kernel>, arch: Option<&str>) -> Verdict {
    let words: Vec<Word> = kernels.map(|kernel| kernel.verdict_on(arch)).collect();
    let count = |word| words.iter().filter(|one| **one == word).count() as u32;
    let kernels = counted(words.len() as u64, "kernel");
    let counts = named_counts(words.iter().copied());
    Verdict {
        kernels: words.len() as u32,
        faster: count(Word::Faster),
        changed: count(Word::Changed),
        unchanged: count(Word::Unchanged),
        declined: count(Word::Declined),
        line: match words.is_empty() {
            true => kernels,
            false => format!("{kernels}: {counts}"),
        },
    }
}

/// The architecture that a page opens on: one of which there are figures, if there is any.
pub fn shown_first(modules: &[data::Module]) -> Option<&str> {
    let kernels = modules.iter().flat_map(|module| &module.kernels);
    let targets = kernels.flat_map(|kernel| &kernel.targets);
    let is_known = |target: &&data::Target| {
        let before = target.before.as_ref();
        before.is_some_and(|version| version.cycles.is_some())
    };
    let known = targets.clone().find(is_known);
    known.or(targets.clone().next()).map(|target| &*target.arch)
}
