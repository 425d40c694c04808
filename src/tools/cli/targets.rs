//! Targets that this program has not heard of.

use super::{Diagnostic, files};
use ptxasw_base::snippet::{Label, Level, Snippet};
use ptxasw_machine::cost::arch::Gpu;
use ptxasw_machine::toolchain::{Arch, Assembler, ToolchainError};
use ptxasw_ptx::ast::{Item, Module, Operand, Span};
use std::path::Path;

/// For which GPUs times are estimated where nobody says it.
pub const ESTIMATED: [Arch; 2] = [Arch::new(80), Arch::new(90)];

/// The targets that a user gives; without any the usual ones on which the module runs, and its own if times are known there or
/// it runs on no other.
pub fn chosen(given: &[Arch], usual: &[Arch], module: &[u8]) -> Vec<Arch> {
    if !given.is_empty() {
        return given.to_vec();
    }
    let Some(own) = Arch::of_module(&String::from_utf8_lossy(module)) else {
        return usual.to_vec();
    };
    let runs = usual.iter().copied().filter(|&arch| own.runs_on(arch));
    let mut all: Vec<Arch> = runs.collect();
    let is_estimated = Gpu::of(own.number.into()).is_some();
    if !all.contains(&own) && (is_estimated || all.is_empty()) {
        all.push(own);
        all.sort();
    }
    all
}

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
    for span in first_words(module, ".target") {
        any = true;
        match warning(module.str(span)) {
            Ok(None) => {}
            Ok(Some(words)) if !quiet => {
                let snippet = snippet(module.text(), path, Level::Warning, words, span);
                ptxasw_base::say!("{}", snippet.render());
            }
            Ok(Some(_)) => {}
            Err(error) => {
                let mut snippet =
                    snippet(module.text(), path, Level::Error, error.to_string(), span);
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
        ptxasw_base::say!("ptxasw: warning: {words}");
    }
    Ok(())
}

/// The first word of each directive of a name: a text may hold several modules.
pub fn first_words<'m>(module: &'m Module, name: &'static str) -> impl Iterator<Item = Span> + 'm {
    let directives = module.items.iter().filter_map(move |item| match item {
        Item::Directive(directive) if module.str(directive.name) == name => Some(directive),
        _ => None,
    });
    directives.filter_map(|directive| {
        let words = module.list(directive.arguments);
        words.first().map(Operand::span)
    })
}

/// A message about one word of a text.
pub fn snippet<'t>(
    text: &'t [u8],
    path: &Path,
    level: Level,
    title: String,
    span: Span,
) -> Snippet<'t> {
    Snippet {
        level,
        title,
        path: files::display(path),
        text,
        labels: vec![Label {
            span,
            text: String::new(),
            primary: true,
        }],
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_s_own_target_belongs_to_the_default() {
        for (own, wanted) in [
            ("sm_80", "sm_80 sm_90"),
            ("sm_52", "sm_80 sm_90"),
            ("sm_75", "sm_75 sm_80 sm_90"),
            ("sm_89", "sm_89 sm_90"),
            ("sm_90a", "sm_90a"),
            ("sm_100a", "sm_100a"),
            ("sm_120", "sm_120"),
        ] {
            let module = format!(".version 8.0\n.target {own}\n");
            let all = chosen(&[], &ESTIMATED, module.as_bytes());
            let all: Vec<String> = all.iter().map(Arch::to_string).collect();
            assert_eq!(all.join(" "), wanted, "{own}");
        }
        assert_eq!(chosen(&[Arch::new(70)], &ESTIMATED, b""), [Arch::new(70)]);
        assert_eq!(chosen(&[], &ESTIMATED, b""), ESTIMATED);
    }
}
