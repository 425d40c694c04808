//! A folder for the files of one test, in which the command runs, so that reports have short paths.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, str};

use tempfile::TempDir;

/// What a command printed, and its exit code.
pub struct Ran {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// A temporary folder.
pub struct Folder(TempDir);

impl Folder {
    /// With `a.ptx` and `b.ptx`.
    pub fn new(a: &str, b: &str) -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write("a.ptx", a);
        folder.write("b.ptx", b);
        folder
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    /// Runs the command here.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
        command.args(arguments).current_dir(self.0.path());
        // All that is proved is to be seen.
        if let ["opt", ..] = arguments {
            command.args(["--profit", "always", "--no-register-check"]);
        }
        let output = command.output();
        let Output {
            status,
            stdout,
            stderr,
        } = output.unwrap();
        Ran {
            code: status.code().unwrap_or(-1),
            out: str::from_utf8(&stdout).unwrap().to_owned(),
            err: str::from_utf8(&stderr).unwrap().to_owned(),
        }
    }

    /// Compares `a.ptx` with `b.ptx`.
    pub fn verify(&self, more: &[&str]) -> Ran {
        let mut arguments = vec!["verify", "a.ptx", "b.ptx"];
        arguments.extend(more);
        self.run(&arguments)
    }
}

/// Compares with a file of `golden/`.
pub fn golden(name: &str, found: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify/golden");
    let path = folder.join(name);
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if found == expected {
        return;
    }
    if env::var_os("PTXASW_BLESS").is_some() {
        fs::write(&path, found).unwrap();
        return;
    }
    panic!("{name}: expected\n{expected}\nfound\n{found}\n('make bless' accepts what was found)");
}
