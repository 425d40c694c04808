//! What `ptxasw clang` runs between the halves of a device step: as the plugin does, with a file in and a file out.

use crate::record;
use crate::stage;
use anyhow::Context as _;
use clap::Args;
use inkwell::context::Context;
use ptxasw::cli::files;
use ptxasw::dropin::settings::Settings;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

use super::input;

#[derive(Args)]
pub struct Arguments {
    /// The module.
    input: PathBuf,
    /// Where its bitcode goes if it is rewritten.
    output: PathBuf,
    /// How messages name the module.
    #[arg(long)]
    name: OsString,
    /// A kernel that is not looked at.
    #[arg(long, value_name = "KERNEL")]
    leave_out: Vec<String>,
    /// As among the assembler's arguments: `--ptxasw-wrapping=R`.
    #[arg(last = true)]
    settings: Vec<OsString>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (mut settings, _) = Settings::take(arguments.settings.clone(), env::vars_os())?;
    for name in &arguments.leave_out {
        settings.kernels.leave_out(name);
    }
    let context = Context::create();
    let module = input::read(&context, &arguments.input)?;
    let before = files::read(&arguments.input)?;
    let start = Instant::now();
    let result = stage::rewrite(&module, &settings.options(None, false));
    let kernels = result.as_deref().unwrap_or_default();
    record::figures(
        &settings,
        &before,
        kernels,
        result.is_err(),
        start.elapsed(),
    );
    let kernels = result.with_context(|| arguments.name.to_string_lossy().into_owned())?;
    if kernels
        .iter()
        .any(|kernel| !kernel.plan.shuffles.is_empty())
    {
        let bitcode = module.write_bitcode_to_memory();
        files::write(&arguments.output, bitcode.as_slice())?;
    }
    Ok(())
}
