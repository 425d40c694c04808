//! The modules that are assembled.

use crate::measure::Tools;
use crate::process::run;
use ptxasw::toolchain::Arch;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A module that `ptxas` takes.
pub struct Module {
    pub path: PathBuf,
    /// As `-arch` has it.
    pub target: String,
}

/// Each so manieth module below a folder that has a kernel and that the assembler takes by itself: no part of a program.
pub fn below(folder: &Path, every: usize, tools: &Tools) -> Vec<Module> {
    let files = ptxasw::corpus::files(folder).unwrap_or_default();
    let modules = files.into_iter().step_by(every).filter_map(|path| {
        let text = fs::read_to_string(&path).ok()?;
        let target = Arch::of_module(&text)?.to_string();
        let is_whole = text.contains(".entry") && !text.contains(".extern .func");
        let module = Module { path, target };
        (is_whole && takes(tools, &module)).then_some(module)
    });
    modules.collect()
}

/// Whether the assembler takes it; it has run once then, and the file is in memory.
fn takes(tools: &Tools, module: &Module) -> bool {
    let mut command: Command = tools.plain(module);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let is_taken = command.status().is_ok_and(|status| status.success());
    is_taken && run(&mut tools.plain(module)).wall.as_secs() < 10
}
