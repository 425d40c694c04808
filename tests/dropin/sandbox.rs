//! A folder with a `ptxas` that is ptxasw, and with a real or a scripted one that it calls.

use ptxasw::toolchain::{Arch, Search};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A kernel with four shuffles, as nvcc makes it.
pub const COVERED: &str = include_str!("../../ptx-tests/kernelgen/wave13pt.sm_80.ptx");
/// One that loses warps by its registers when it is rewritten.
pub const LOSING: &str = include_str!("../../ptx-tests/kernelgen/tricubic.sm_80.ptx");
/// One without anything to cover.
pub const PLAIN: &str = include_str!("../../ptx-tests/kernelgen/vecadd.sm_80.ptx");

pub struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["bin", "tmp", "path"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let sandbox = Sandbox { folder };
        for name in ["bin/ptxas", "bin/as"] {
            symlink(env!("CARGO_BIN_EXE_ptxasw"), sandbox.path(name)).unwrap();
        }
        sandbox
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.path(name)).ok()
    }

    /// A shell script in place of the real tool.
    pub fn script(&self, text: &str) -> PathBuf {
        let path = self.file("path/ptxas", format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A command in the folder, with a temporary folder of its own, with a cache folder that is not there (bundles are unpacked
    /// into memory), and without variables of `ptxasw` but for one: all that is proved is emitted.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PTXASW_") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(self.folder.path())
            .env("TMPDIR", self.path("tmp"))
            .env("PTXASW_PROFIT", "always")
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env_remove("CUDA_HOME")
            .env_remove("CUDA_PATH");
        command
    }

    /// Our `ptxas` in front of the scripted one.
    pub fn scripted(&self, words: &[&str]) -> Output {
        let mut command = self.command(self.path("bin/ptxas"));
        let path = format!("{}:/usr/bin:/bin", self.path("path").display());
        command.args(words).env("PATH", path);
        command.output().unwrap()
    }

    /// Our `ptxas` in front of the real one, and the real one by itself.
    pub fn ours(&self, words: &[&str]) -> Output {
        let mut command = self.command(self.path("bin/ptxas"));
        command
            .args(words)
            .env("PTXASW_PTXAS", real_ptxas().unwrap());
        command.output().unwrap()
    }

    pub fn real(&self, words: &[&str]) -> Output {
        self.command(real_ptxas().unwrap())
            .args(words)
            .output()
            .unwrap()
    }

    /// That the temporary folder is as empty as it was.
    pub fn is_clean(&self) -> bool {
        fs::read_dir(self.path("tmp")).unwrap().next().is_none()
    }
}

/// The `ptxas` of CUDA 13, or a note that a test is skipped; with `CI` set that is a failure.
pub fn real_ptxas() -> Option<PathBuf> {
    let found = Search::from_environment().ptxas(Arch::new(80));
    present("ptxas", found.ok().map(|(path, _)| path))
}

/// A tool that a test needs.
pub fn present<T>(what: &str, tool: Option<T>) -> Option<T> {
    if tool.is_none() {
        println!("skipped: no {what}");
        assert!(std::env::var_os("CI").is_none(), "on CI nothing is skipped");
    }
    tool
}

/// Standard error as text.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
