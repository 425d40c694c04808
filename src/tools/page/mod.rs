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

use data::{Kernel, State, Verdict};

/// Kernels by what became of them, and the sentence about it.
pub fn verdict<'k>(kernels: impl Iterator<Item = &'k Kernel>) -> Verdict {
    let mut verdict = Verdict::default();
    for kernel in kernels {
        verdict.kernels += 1;
        let count = match kernel.state {
            State::Rewritten => &mut verdict.rewritten,
            State::Declined | State::Reverted => &mut verdict.declined,
            State::Nothing | State::Skipped => &mut verdict.nothing,
        };
        *count += 1;
    }
    verdict.line = format!(
        "{} {}: {} rewritten, {} proved and declined, {} with nothing to do",
        verdict.kernels,
        if verdict.kernels == 1 {
            "kernel"
        } else {
            "kernels"
        },
        verdict.rewritten,
        verdict.declined,
        verdict.nothing
    );
    verdict
}
