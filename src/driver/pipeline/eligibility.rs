//! Kernels that are left as they are before anything is tried.

use super::{Module, Options};
use ptxasw_base::snippet::sentence;
use ptxasw_passes::shuffle::refusal::{Refusal, limit};
use ptxasw_ptx::ast;
use ptxasw_ptx::decode::{form, unknown_word};

/// `shfl.sync` needs PTX 6.0, `activemask` 6.2 (PTX ISA, "Release Notes").
const LEAST_VERSION: (u16, u16) = (6, 2);
/// The oldest version that is raised: since then the grammar has only grown, and all targets with shuffles are known.
const OLDEST_RAISED: (u16, u16) = (3, 0);
/// The first target with warp shuffles.
const LEAST_TARGET: u32 = 30;

/// Why the text of a function can't have shuffles, or must stay as it is.
pub(super) fn why(module: &Module, function: usize, options: &Options) -> Option<Refusal> {
    let unsupported = module
        .unit(function)
        .and_then(|unit| unsupported(unit, options));
    unsupported.or_else(|| misspelled(module.tree(), module.header(function)))
}

/// Why a module's header rules out shuffles.
fn unsupported(unit: &form::Unit, options: &Options) -> Option<Refusal> {
    let target = options.arch.unwrap_or(unit.target.sm);
    // A debugger shows registers and memory as the source has them; ptxas does not optimise such a module either.
    if unit.target.debug {
        return Some(Refusal::new(&limit::DEBUG).with(unit.target.name.to_string()));
    }
    if unit.version < LEAST_VERSION {
        let (major, minor) = unit.version;
        let version = format!("{major}.{minor}");
        if unit.version < OLDEST_RAISED {
            return Some(Refusal::new(&limit::OLD_VERSION).with(version));
        }
        if !options.raise_version {
            return Some(Refusal::new(&limit::VERSION).with(version));
        }
    }
    if target < LEAST_TARGET {
        return Some(Refusal::new(&limit::TARGET).with(target.to_string()));
    }
    None
}

/// `ptxas` refuses an instruction that it does not know, or knows more than this program: nothing is reported of the function then.
fn misspelled(module: &ast::Module, header: &form::Function) -> Option<Refusal> {
    let word = unknown_word(module, header.item)?;
    let message = sentence(&word.message).into_owned();
    Some(Refusal::new(&limit::UNKNOWN_INSTRUCTION).with(message))
}
