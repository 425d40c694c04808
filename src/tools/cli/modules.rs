//! Modules that commands work on: read, and with something in them.

use super::{files, misspelled, targets, versions};
use anyhow::{bail, ensure};
use ptxasw_base::kernel_filter::Selection;
use ptxasw_base::names::{demangled, forms};
use ptxasw_driver::pipeline::Options;
use ptxasw_ptx::ast::{Item, Module};
use std::path::Path;

/// Names of kernels that a message lists.
const LISTED: usize = 50;

/// A parsed module of PTX with a kernel or a function in it, for a target that is known. `arch` is the target in place of
/// its own; `quiet`: no warnings.
///
/// # Errors
/// It is no such module.
pub fn read<'t>(
    path: &Path,
    text: &'t [u8],
    jobs: usize,
    arch: Option<&str>,
    quiet: bool,
) -> anyhow::Result<Module<'t>> {
    let module = parse(path, text, jobs)?;
    check(&module, path, arch, quiet)?;
    Ok(module)
}

/// As [`read()`], for commands that hand a module on in which there is nothing to look at.
///
/// # Errors
/// It is no module.
pub fn read_any<'t>(
    path: &Path,
    text: &'t [u8],
    jobs: usize,
    arch: Option<&str>,
    quiet: bool,
) -> anyhow::Result<Module<'t>> {
    let module = parse_any(path, text, jobs)?;
    check(&module, path, arch, quiet)?;
    Ok(module)
}

/// What `ptxas` would refuse, or perhaps will.
fn check(module: &Module, path: &Path, arch: Option<&str>, quiet: bool) -> anyhow::Result<()> {
    versions::check(module, path, quiet)?;
    match arch {
        None => targets::check(module, path, quiet)?,
        Some(arch) => targets::check_option(arch, quiet)?,
    }
    if !quiet {
        misspelled::warn(module, path);
    }
    Ok(())
}

/// A parsed module of PTX with a kernel or a function in it.
///
/// # Errors
/// It is no such module.
pub fn parse<'t>(path: &Path, text: &'t [u8], jobs: usize) -> anyhow::Result<Module<'t>> {
    let module = parse_any(path, text, jobs)?;
    not_empty(path, text, has_function(&module))?;
    Ok(module)
}

/// A parsed module of PTX, with or without a function.
///
/// # Errors
/// It is not PTX, or empty.
pub fn parse_any<'t>(path: &Path, text: &'t [u8], jobs: usize) -> anyhow::Result<Module<'t>> {
    let module = ptxasw_ptx::parse_on(text, jobs);
    let module = module.map_err(|error| files::syntax_error(&error, path, text))?;
    not_empty(path, text, true)?;
    Ok(module)
}

/// Whether a module defines a kernel or a function.
pub fn has_function(module: &Module) -> bool {
    let mut items = module.items.iter();
    items.any(|item| matches!(item, Item::Function(function) if function.body.is_some()))
}

/// Refuses a module in which there is nothing to look at.
///
/// # Errors
/// `has_function` is false.
pub fn not_empty(path: &Path, text: &[u8], has_function: bool) -> anyhow::Result<()> {
    let name = files::display(path);
    let blank = |&byte: &u8| byte.is_ascii_whitespace() || byte == 0;
    ensure!(!text.iter().all(blank), "`{name}` is empty");
    ensure!(
        has_function,
        "`{name}` defines no kernel and no function: there is nothing to look at"
    );
    Ok(())
}

/// Names that are closer than this are taken for what was meant.
const CLOSE: f64 = 0.85;

/// Refuses a glob of `--kernel` that matches nothing.
///
/// # Errors
/// It names those that are there.
pub fn check_kernels<'n>(
    path: &Path,
    selection: &Selection,
    names: impl IntoIterator<Item = &'n str>,
) -> anyhow::Result<()> {
    let names: Vec<&str> = names.into_iter().collect();
    if let Some(glob) = selection.without_match(&names) {
        bail!(no_match(glob, &files::display(path), &names));
    }
    Ok(())
}

/// Refuses a glob of `--kernel` that matches nothing, and warns where choices for single kernels are for none of the module.
///
/// # Errors
/// As [`check_kernels`].
pub fn check_choices<'n>(
    path: &Path,
    options: &Options,
    names: impl IntoIterator<Item = &'n str>,
    quiet: bool,
) -> anyhow::Result<()> {
    let names: Vec<&str> = names.into_iter().collect();
    check_kernels(path, &options.kernels, names.iter().copied())?;
    let unmatched: Vec<&str> = options.tuned.unmatched(&names).collect();
    // A settings file speaks of all modules of a project.
    if quiet || names.is_empty() || unmatched.is_empty() || unmatched.len() < options.tuned.len() {
        return Ok(());
    }
    let module = files::display(path);
    let near = unmatched.iter().find_map(|glob| nearest(glob, &names));
    let near = near.map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
    let unmatched = unmatched.join("`, `");
    ptxasw_base::say!(
        "ptxasw: warning: `tuned`: no kernel of `{module}` matches `{unmatched}`{near}"
    );
    Ok(())
}

/// The name of a kernel that a glob which matches none may be meant for.
fn nearest<'n>(glob: &str, names: &[&'n str]) -> Option<&'n str> {
    let near = |name: &&&str| {
        let is_close = |form: &str| strsim::jaro_winkler(form, glob) > CLOSE;
        is_close(name) || forms(name).iter().any(|form| is_close(form))
    };
    names.iter().find(near).copied()
}

/// That no name matches, with all names.
pub fn no_match(glob: &str, module: &str, names: &[&str]) -> String {
    let mut message = format!("`--kernel {glob}` matches nothing in `{module}`");
    if names.is_empty() {
        return message + ", which defines no kernel";
    }
    if let Some(name) = nearest(glob, names) {
        message += &format!("; did you mean `{name}`? It");
    } else {
        message += ", which";
    }
    message += " has:";
    for name in names.iter().take(LISTED) {
        message += "\n  ";
        message += name;
        let source = demangled(name);
        if source != *name {
            message += &format!("  ({source})");
        }
    }
    if names.len() > LISTED {
        message += &format!("\n  and {} more", names.len() - LISTED);
    }
    message
}

/// The names of the kernels and functions that a module defines.
pub fn names<'m>(module: &'m Module) -> impl Iterator<Item = &'m str> {
    module.items.iter().filter_map(|item| match item {
        Item::Function(function) if function.body.is_some() => Some(module.str(function.name)),
        _ => None,
    })
}
