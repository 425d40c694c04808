//! Completions for shells, and man pages.

use super::Cli;
use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Args)]
pub struct CompletionArguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Args)]
pub struct ManArguments {
    /// The folder for `ptxasw.1` and a page for each command; it is made if it is not there.
    folder: PathBuf,
}

/// Prints what the shell's completion reads.
pub fn completions(arguments: &CompletionArguments) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "ptxasw", &mut text);
    super::files::write(std::path::Path::new("-"), &text)
}

/// Writes the man pages.
pub fn man(arguments: &ManArguments) -> anyhow::Result<()> {
    let folder = &arguments.folder;
    let place = || format!("cannot write man pages to `{}`", folder.display());
    let made = std::fs::create_dir_all(folder);
    made.with_context(place)?;
    // The date of a page would change its bytes.
    let command = Cli::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, folder).with_context(place)
}
