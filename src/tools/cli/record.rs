//! `ptxasw record`: what a program launches.

use super::files;
use crate::recording::{self, Recording};
use anyhow::{Context, ensure};
use clap::Args;
use ptxasw_base::names::shown;
use ptxasw_base::table::{Table, row};
use ptxasw_machine::toolchain::{self, Search};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

/// The library that is preloaded into the program.
const LIBRARY: &str = "libptxasw_record.so";

/// Runs a program, and writes down its kernels with one launch of each.
///
/// The folder gets the PTX of each module of which a kernel was launched, `module-1.ptx`, and `module-1.launch.json` with the first launch
/// of each of its kernels: grid, block, parameters, and all allocations that parameters point into, as they were before it. Other commands
/// take both: `ptxasw tune DIR/module-1.ptx --launch DIR/module-1.launch.json`, and so do `verify`, `time`, `cost` and `run`.
///
/// The program runs on its GPU as usual; in front of each launch that is recorded, its stream is synchronized and memory is copied. A module that has no PTX in it (`-arch=sm_90`
/// alone keeps it, `code=sm_90` does not), launches within graphs, and what a kernel reaches by pointers in memory are not written down.
#[derive(Args)]
pub struct Arguments {
    /// The folder, which must be new or empty.
    #[arg(short, long, value_name = "DIR", default_value = "ptxasw-record")]
    output: PathBuf,
    /// A kernel that reaches more bytes is left out.
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 30)]
    most: u64,
    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (name, words) = arguments.command.split_first().context("no command")?;
    let mut command = Command::new(name);
    command
        .args(words)
        .env("PTXASW_LAUNCHES_BYTES", arguments.most.to_string());
    let (recording, status) = record(&arguments.output, &mut command)?;
    files::print(&table(&recording))?;
    Ok(code(status))
}

/// Runs a program with the library in it. What it launched, and how it ended.
pub fn record(folder: &Path, command: &mut Command) -> anyhow::Result<(Recording, ExitStatus)> {
    let temporary = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut preload = library(temporary.path())?;
    let shown = || format!("`{}`", folder.display());
    fs::create_dir_all(folder).with_context(shown)?;
    let absolute = folder.canonicalize().with_context(shown)?;
    let is_empty = folder.read_dir().with_context(shown)?.next().is_none();
    ensure!(
        is_empty,
        "{} is not empty: a record needs a folder of its own",
        shown()
    );
    if let Some(others) = env::var_os("LD_PRELOAD").filter(|value| !value.is_empty()) {
        preload.push(":");
        preload.push(others);
    }
    let program = command.get_program().to_string_lossy().into_owned();
    command.env("LD_PRELOAD", preload);
    let status = command.env("PTXASW_LAUNCHES", absolute).status();
    let status = status.with_context(|| format!("cannot run `{program}`"))?;
    if !folder.join("loaded").is_file() {
        ptxasw_base::say!(
            "ptxasw: warning: `{program}` did not take `{LIBRARY}`: it is linked statically, or has rights of its own"
        );
    }
    if !status.success() {
        ptxasw_base::say!("ptxasw: warning: `{program}` failed: {status}");
    }
    let recording = recording::finish(folder, &Search::from_environment())?;
    Ok((recording, status))
}

/// The path for `LD_PRELOAD`. Blanks and colons separate its entries, so a library whose path has one is copied.
fn library(temporary: &Path) -> anyhow::Result<OsString> {
    let own = env::current_exe().context("cannot find this program")?;
    let library = toolchain::library(&own, LIBRARY);
    let library = library.with_context(|| format!("no `{LIBRARY}` beside `{}`", own.display()))?;
    let bytes = library.as_os_str().as_encoded_bytes();
    if !bytes.iter().any(|byte| b" :".contains(byte)) {
        return Ok(library.into_os_string());
    }
    let copy = temporary.join(LIBRARY);
    fs::copy(&library, &copy).with_context(|| format!("cannot copy `{}`", library.display()))?;
    Ok(copy.into_os_string())
}

/// The exit code that a shell would report for a program.
pub fn code(status: ExitStatus) -> ExitCode {
    use std::os::unix::process::ExitStatusExt;
    let signal = || status.signal().map_or(1, |signal| 128 + signal);
    ExitCode::from(status.code().unwrap_or_else(signal) as u8)
}

/// The kernels as a table, most threads first.
pub fn table(recording: &Recording) -> String {
    if recording.kernels.is_empty() {
        return "no kernel was launched through NVIDIA's driver\n".to_owned();
    }
    let mut table = Table::headed(">><", "launches  of all threads  kernel");
    for kernel in &recording.kernels {
        let what = match &kernel.module {
            Ok(module) => recording.modules[*module].text.display().to_string(),
            Err(reason) => format!("left out, {reason}"),
        };
        let share = format!("{:.1} %", 100.0 * kernel.share);
        let kernel_and_what = format!("{}: {what}", shown(&kernel.name));
        table.row(row!(kernel.launches, share, kernel_and_what));
    }
    table.to_string()
}
