//! Modules that commands read.

use inkwell::context::Context;
use inkwell::module::Module;
use ptxasw_driver::pipeline::Options;
use ptxasw_llvm::kernels;
use ptxasw_llvm::passes;
use ptxasw_llvm::read;
use ptxasw_llvm::view::View;
use ptxasw_tools::cli::ir::PassArguments;
use ptxasw_tools::cli::{Diagnostic, files, modules, targets};
use std::path::Path;

/// How the triples of NVIDIA's GPUs begin.
const TRIPLE: &str = "nvptx";

/// Reads a module, or says with LLVM's words why not.
pub fn read<'ctx>(context: &'ctx Context, path: &Path) -> anyhow::Result<Module<'ctx>> {
    let bytes = files::read(path)?;
    let module = read::read(context, &bytes, &files::display(path));
    Ok(module.map_err(|error| Diagnostic(error.to_string()))?)
}

/// Runs the passes of LLVM that were asked for. `arch` is the target in place of the module's own.
pub fn run_passes(
    module: &Module,
    chosen: &PassArguments,
    arch: Option<&str>,
) -> anyhow::Result<()> {
    let chosen = passes::Chosen {
        pipeline: chosen.llvm_passes.as_deref(),
        inline_threshold: chosen.inline_threshold,
        unroll_threshold: chosen.unroll_threshold,
    };
    Ok(passes::run(module, &chosen, arch)?)
}

/// Reads a module for an NVIDIA GPU with a kernel or a function in it. `arch` is the target in place of its own; `quiet`:
/// no warnings.
pub fn device<'ctx>(
    context: &'ctx Context,
    path: &Path,
    arch: Option<&str>,
    quiet: bool,
) -> anyhow::Result<Module<'ctx>> {
    let module = device_any(context, path, arch, quiet)?;
    modules::not_empty(path, b"IR", has_function(&module))?;
    Ok(module)
}

/// Whether a module defines a kernel or a function.
pub fn has_function(module: &Module) -> bool {
    !kernels::functions(View::new(module)).is_empty()
}

/// As [`device()`], with or without a function.
pub fn device_any<'ctx>(
    context: &'ctx Context,
    path: &Path,
    arch: Option<&str>,
    quiet: bool,
) -> anyhow::Result<Module<'ctx>> {
    let module = read(context, path)?;
    let triple = module.get_triple();
    let triple = triple.as_str().to_string_lossy();
    let name = files::display(path);
    // A module without a triple is for any target.
    anyhow::ensure!(
        triple.is_empty() || triple.starts_with(TRIPLE),
        "the target of `{name}` is `{triple}`, not nvptx64: it is not code for an NVIDIA GPU \
         (clang: `--cuda-device-only`)"
    );
    let functions = kernels::functions(View::new(&module));
    let own = || {
        functions
            .iter()
            .find_map(|one| one.function.text_attribute("target-cpu"))
    };
    if let Some(target) = arch.map(str::to_owned).or_else(own) {
        targets::check_option(&target, quiet)?;
    }
    Ok(module)
}

/// Refuses a glob of `--kernel` that matches nothing, and warns of choices for kernels that are not there.
pub fn check_choices(
    module: &Module,
    path: &Path,
    options: &Options,
    quiet: bool,
) -> anyhow::Result<()> {
    let functions = kernels::functions(View::new(module));
    let names = functions.iter().map(|one| &*one.name);
    modules::check_choices(path, options, names, quiet)
}
