//! A folder in which commands run.

use ptxasw::toolchain::{Arch, Search};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A kernel in which one of two loads becomes a shuffle.
pub const GUARD: &str = include_str!("../../ptx-tests/participation/guard.ptx");

/// A folder, and one for temporary files in it.
pub struct Sandbox(tempfile::TempDir);

impl Sandbox {
    pub fn new() -> Self {
        let sandbox = Sandbox(tempfile::tempdir().unwrap());
        fs::create_dir(sandbox.path("tmp")).unwrap();
        sandbox
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.path(name)).ok()
    }

    /// A shell script.
    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The command, in the folder, without settings of the environment.
    pub fn plain(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
        command.args(words).current_dir(self.0.path());
        command.env("TMPDIR", self.path("tmp"));
        command
    }

    /// The command, in the folder.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
        command.args(words).current_dir(self.0.path());
        if matches!(words, ["opt" | "explain" | "corpus", ..]) {
            command.args(["--profit", "always"]);
        }
        command.env("TMPDIR", self.path("tmp"));
        command
    }

    pub fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    /// The command fails with exit code 1, a message that holds all `parts`, and nothing on standard output.
    pub fn fails(&self, words: &[&str], parts: &[&str]) {
        let output = self.run(words);
        let message = said(&output);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {message}");
        assert!(output.stdout.is_empty(), "{words:?}");
        for part in parts {
            assert!(message.contains(part), "no `{part}` in: {message}");
        }
        assert!(!message.contains("panicked"), "{message}");
    }

    /// The files there are, in order, without the temporary folder, which is empty.
    pub fn files(&self) -> Vec<String> {
        assert!(fs::read_dir(self.path("tmp")).unwrap().next().is_none());
        let entries = fs::read_dir(self.0.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name != "tmp").collect();
        names.sort();
        names
    }
}

/// Standard error as text.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The `ptxas` of CUDA 13, or a note that a test is skipped; with `CI` set that is a failure.
pub fn ptxas() -> Option<PathBuf> {
    let found = Search::from_environment().ptxas(Arch::new(80)).ok();
    if found.is_none() {
        println!("skipped: no ptxas");
        assert!(std::env::var_os("CI").is_none(), "on CI nothing is skipped");
    }
    found.map(|(path, _)| path)
}
