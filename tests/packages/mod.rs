//! What is installed without a checkout: the archive, the Python wheel, the Debian packages. Each is made of the program that these tests are
//! built with, installed into an environment that has nothing else, and called there.

mod archive;
mod debian;
mod wheel;

use ptxasw::toolchain::Search;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder with maturin, Numba and CuPy.
fn toolchain() -> Option<PathBuf> {
    Search::from_environment().toolchain
}

fn skipped(what: &str) {
    println!("skipped: no {what}");
    assert!(std::env::var_os("CI").is_none(), "on CI nothing is skipped");
}

/// What a command says on its standard output, if it succeeds.
fn output(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The one file of a folder with this ending.
fn made(folder: &Path, pattern: &str) -> PathBuf {
    let pattern = folder.join(pattern);
    let mut files = glob::glob(pattern.to_str().unwrap()).unwrap();
    let file = files
        .next()
        .unwrap_or_else(|| panic!("no {}", pattern.display()));
    assert!(
        files.next().is_none(),
        "more than one {}",
        pattern.display()
    );
    file.unwrap()
}

/// Calls a packing script with the folder of these programs.
fn pack(script: &str, folder: &Path, words: &[&str]) {
    let programs = Path::new(env!("CARGO_BIN_EXE_ptxasw")).parent().unwrap();
    let mut command = Command::new(root().join(script));
    command.arg(programs).arg(folder).args(words);
    if let Some(toolchain) = toolchain() {
        command.env("PTXASW_TOOLCHAIN", toolchain);
    }
    output(&mut command);
}
