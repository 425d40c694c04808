//! Versions of the PTX ISA that this program has not heard of.

use super::targets::{first_words, snippet};
use super::{Diagnostic, files};
use ptxasw_base::snippet::Level;
use ptxasw_machine::toolchain::{Arch, Assembler, IsaVersion, ToolchainError};
use ptxasw_ptx::ast::Module;
use std::path::Path;

/// Warns of a `.version` that is later than those known, and that `ptxas` takes.
///
/// # Errors
/// One that no `ptxas` takes, or there is none at all.
pub fn check(module: &Module, path: &Path, quiet: bool) -> anyhow::Result<()> {
    let mut any = false;
    for span in first_words(module, ".version") {
        any = true;
        let text = module.str(span);
        let version: Option<IsaVersion> = text.parse().ok();
        if version.is_some_and(IsaVersion::is_known) {
            continue;
        }
        let asked = match version {
            Some(_) => asked(module, text),
            None => Err("expected a version such as `8.5`".to_owned()),
        };
        if let Err(reason) = asked {
            let newest = IsaVersion::NEWEST;
            let title = format!(
                "unsupported `.version {text}`: {reason}; ptxasw knows versions up to {newest}"
            );
            let snippet = snippet(module.text(), path, Level::Error, title, span);
            return Err(Diagnostic(snippet.render()).into());
        }
        if !quiet {
            let title = format!(
                "`.version {text}` is newer than this ptxasw: instructions that it does not know are left as they are"
            );
            let snippet = snippet(module.text(), path, Level::Warning, title, span);
            ptxasw_base::say!("{}", snippet.render());
        }
    }
    anyhow::ensure!(any, "`{}` has no `.version`", files::display(path));
    Ok(())
}

/// Whether the `ptxas` for the module's target takes a version.
fn asked(module: &Module, version: &str) -> Result<(), String> {
    let targets = first_words(module, ".target");
    let mut known = targets.filter_map(|span| module.str(span).parse().ok());
    let arch = known.find(|arch: &Arch| arch.is_known());
    let arch = arch.unwrap_or(Arch::OLDEST_OF_CUDA_13);
    let tried = Assembler::find(arch).and_then(|ptxas| ptxas.try_version(version, arch));
    tried.map_err(|error| match error {
        ToolchainError::Failed { program, .. } => format!("{program} does not take it"),
        ToolchainError::NotFound(_) => {
            "no `ptxas` was found that could say whether it takes it".to_owned()
        }
        other => other.to_string(),
    })
}
