//! Targets that this program has not heard of.

use super::{Diagnostic, files};
use crate::ptx::ast::{Item, Module, Operand, Span};
use crate::support::snippet::{Label, Level, Snippet};
use crate::toolchain::{Arch, Assembler, ToolchainError};
use std::path::Path;

/// Why a target is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown target `{name}`: {reason}")]
pub struct Unknown {
    name: String,
    reason: String,
}

impl Unknown {
    fn new(name: &str, reason: impl Into<String>) -> Self {
        Unknown {
            name: name.to_owned(),
            reason: reason.into(),
        }
    }

    /// What the user can do.
    const LIFT: &str = "`--arch sm_90` rewrites a module for another target than its own";
}

/// A known target, or a later one that `ptxas` takes: what is done for it then is what is done for the nearest that is
/// known, and the answer is the warning that says so.
///
/// # Errors
/// Nobody knows it.
pub fn warning(name: &str) -> Result<Option<String>, Unknown> {
    let arch: Arch = name
        .parse()
        .map_err(|_| Unknown::new(name, "expected a name such as `sm_80`"))?;
    if arch.is_known() {
        return Ok(None);
    }
    let Some(nearest) = arch.nearest_known() else {
        return Err(Unknown::new(name, "no GPU has that number"));
    };
    let tried = Assembler::find(arch).and_then(|ptxas| {
        let tried = ptxas.try_out(arch);
        tried.map_err(|error| match error {
            // What it prints about an empty kernel is that it does not know the target.
            ToolchainError::Failed { program, .. } => ToolchainError::NoTarget(program, arch),
            other => other,
        })
    });
    match tried {
        Ok(()) => Ok(Some(format!(
            "`{name}` is newer than this ptxasw; what holds for `{nearest}`, the nearest target that it knows, is taken to hold"
        ))),
        Err(ToolchainError::NotFound(_)) => Err(Unknown::new(
            name,
            "no `ptxas` was found that could say whether it accepts the target",
        )),
        Err(error) => Err(Unknown::new(name, error.to_string())),
    }
}

/// Warns of targets of a module that are later than those known.
///
/// # Errors
/// One that nobody knows, or there is none at all.
pub fn check(module: &Module, path: &Path, quiet: bool) -> anyhow::Result<()> {
    let mut any = false;
    for span in named(module) {
        any = true;
        match warning(module.str(span)) {
            Ok(None) => {}
            Ok(Some(words)) if !quiet => {
                let snippet = snippet(module, path, Level::Warning, words, span);
                crate::say!("{}", snippet.render());
            }
            Ok(Some(_)) => {}
            Err(error) => {
                let mut snippet = snippet(module, path, Level::Error, error.to_string(), span);
                snippet.notes.push(Unknown::LIFT.to_owned());
                return Err(Diagnostic(snippet.render()).into());
            }
        }
    }
    anyhow::ensure!(any, "`{}` has no `.target`", files::display(path));
    Ok(())
}

/// Warns of a target that the user gives, if it is later than those known.
///
/// # Errors
/// Nobody knows it.
pub fn check_option(name: &str, quiet: bool) -> anyhow::Result<()> {
    let words = warning(name)?;
    if let Some(words) = words.filter(|_| !quiet) {
        crate::say!("ptxasw: warning: {words}");
    }
    Ok(())
}

/// The architectures of all modules of a text.
fn named<'m>(module: &'m Module) -> impl Iterator<Item = Span> + 'm {
    let directives = module.items.iter().filter_map(|item| match item {
        Item::Directive(directive) if module.str(directive.name) == ".target" => Some(directive),
        _ => None,
    });
    directives.filter_map(|directive| {
        let words = module.list(directive.arguments);
        words.first().map(Operand::span)
    })
}

fn snippet<'m>(
    module: &Module<'m>,
    path: &Path,
    level: Level,
    title: String,
    span: Span,
) -> Snippet<'m> {
    Snippet {
        level,
        title,
        path: files::display(path),
        text: module.text,
        labels: vec![Label {
            span,
            text: String::new(),
            primary: true,
        }],
        notes: Vec::new(),
    }
}
