//! Targets that this program has not heard of.

use super::{Diagnostic, files};
use ptxasw_base::snippet::{Label, Level, Snippet};
use ptxasw_machine::cost::arch::Gpu;
use ptxasw_machine::toolchain::{Arch, Assembler, ToolchainError};
use ptxasw_ptx::ast::{Item, Module, Operand, Span};
use std::borrow::Cow;
use std::path::Path;

/// For which GPUs choices are made where nobody says it, and times estimated where the module does not say it either.
pub const ESTIMATED: [Arch; 2] = [Arch::new(80), Arch::new(90)];

/// There are figures of a GPU of it, so that times can be estimated.
pub fn has_figures(arch: Arch) -> bool {
    Gpu::of(arch.number.into()).is_some()
}

/// The targets for which times are estimated: those that a user gives; without any the module's own if there are figures of its GPU, else
/// the nearest of which there are. With the text to assemble for them: where code for the module's target runs on none of these, it is
/// taken as code for the nearest. Places in both texts are the same.
pub fn estimated<'t>(given: &[Arch], text: &'t [u8]) -> (Vec<Arch>, Cow<'t, [u8]>) {
    if !given.is_empty() {
        return (given.to_vec(), Cow::Borrowed(text));
    }
    let Some(own) = Arch::of_module(&String::from_utf8_lossy(text)) else {
        return (ESTIMATED.to_vec(), Cow::Borrowed(text));
    };
    let nearest = nearest(own);
    (vec![nearest], as_code_for(nearest, text))
}

/// Itself if there are figures of a GPU of it, else the nearest of which there are: one on which its code runs, if there is any.
pub fn nearest(own: Arch) -> Arch {
    if has_figures(own) {
        return own;
    }
    let nearest = |runs: bool| {
        let known = Gpu::targets().filter_map(|one| Some(Arch::new(u16::try_from(one).ok()?)));
        let known = known.filter(|&one| !runs || own.runs_on(one));
        known.min_by_key(|one| one.number.abs_diff(own.number))
    };
    nearest(true).or_else(|| nearest(false)).unwrap_or(own)
}

/// A text, taken as code for a target on which it does not run otherwise. Places in both are the same.
pub fn as_code_for(arch: Arch, text: &[u8]) -> Cow<'_, [u8]> {
    match Arch::of_module(&String::from_utf8_lossy(text)) {
        Some(own) if !own.runs_on(arch) => Cow::Owned(retargeted(text, own, arch)),
        _ => Cow::Borrowed(text),
    }
}

/// A text with another target in place of its own, of the same length.
fn retargeted(text: &[u8], own: Arch, other: Arch) -> Vec<u8> {
    let (own, other) = (own.to_string(), other.to_string());
    let other = format!("{other:<width$}", width = own.len());
    let mut out = text.to_vec();
    let directive = text.windows(7).position(|word| word == b".target");
    let at = directive.and_then(|at| {
        let rest = &text[at..];
        let word = rest
            .windows(own.len())
            .position(|one| one == own.as_bytes());
        word.map(|word| at + word)
    });
    if let Some(at) = at.filter(|_| other.len() == own.len()) {
        out[at..at + own.len()].copy_from_slice(other.as_bytes());
    }
    out
}

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
    if !all.contains(&own) && (has_figures(own) || all.is_empty()) {
        all.push(own);
        all.sort();
    }
    all
}

/// As [`chosen`], with the target of [`estimated`] where there are figures of no other.
pub fn shown(given: &[Arch], usual: &[Arch], module: &[u8]) -> Vec<Arch> {
    let mut all = chosen(given, usual, module);
    if given.is_empty() && !all.iter().copied().any(has_figures) {
        all.extend(estimated(&[], module).0);
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
    fn the_nearest_target_with_figures() {
        for (own, wanted) in [
            ("sm_80", "sm_80"),
            ("sm_52", "sm_70"),
            ("sm_75", "sm_75"),
            ("sm_86", "sm_89"),
            ("sm_89", "sm_89"),
            ("sm_90a", "sm_90a"),
            ("sm_100a", "sm_90"),
            ("sm_120", "sm_90"),
        ] {
            let module = format!(".version 8.0\n.target {own}, debug\n");
            let (archs, text) = estimated(&[], module.as_bytes());
            let all: Vec<String> = archs.iter().map(Arch::to_string).collect();
            assert_eq!(all.join(" "), wanted, "{own}");
            assert_eq!(text.len(), module.len());
            let own = Arch::of_module(&String::from_utf8_lossy(&text)).unwrap();
            assert!(own.runs_on(archs[0]), "{own}");
        }
        let given = [Arch::new(70)];
        assert_eq!(estimated(&given, b"").0, given);
        assert_eq!(estimated(&[], b"").0, ESTIMATED);
    }

    #[test]
    fn the_module_s_own_target_belongs_to_the_default() {
        let usual = &ESTIMATED;
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
            let all = chosen(&[], usual, module.as_bytes());
            let all: Vec<String> = all.iter().map(Arch::to_string).collect();
            assert_eq!(all.join(" "), wanted, "{own}");
        }
        assert_eq!(chosen(&[Arch::new(70)], usual, b""), [Arch::new(70)]);
        assert_eq!(chosen(&[], usual, b""), ESTIMATED);
    }
}
