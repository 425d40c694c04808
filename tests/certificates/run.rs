//! Runs the command, and finds the second solver.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ptxasw::certificate::index::Index;
use ptxasw::certificate::read_index;
use ptxasw::certificates::{Second, Solver};
use ptxasw::toolchain::Search;
use tempfile::TempDir;

/// The name of the installed second solver. Without one a test says that it is skipped; with `CI` set it fails.
pub fn second() -> Option<&'static str> {
    let search = Search::from_environment();
    let known = [(Solver::Bitwuzla, "bitwuzla"), (Solver::Cvc5, "cvc5")];
    let found = known
        .into_iter()
        .find(|&(solver, _)| Second::find(solver, &search).is_some());
    if found.is_none() {
        println!("skipped: no second solver");
        assert!(
            env::var_os("CI").is_none(),
            "CI is set, and there is no second solver (setup.sh installs bitwuzla)"
        );
    }
    found.map(|(_, name)| name)
}

/// Options in the header of a file that decide which loads are covered.
const CHOICES: [&str; 2] = ["--space=shared", "--assume=noalias"];

/// The memory pass alone, and all that it can do.
pub const MEMORY: [&str; 4] = ["--passes", "memory", "--loads", "always"];

/// A folder for the files of one test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The certificates of a module of `ptx-tests`, in a folder of their own.
    pub fn certify(&self, name: &str, more: &[&str]) -> PathBuf {
        let input = ptx_tests().join(name);
        let output = self.certify_file(&input, more);
        output.unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The certificates of a module, or what the command says.
    pub fn certify_file(&self, input: &Path, more: &[&str]) -> Result<PathBuf, String> {
        let name = input.to_string_lossy().replace(['/', '\\'], "-");
        let folder = self.path(&name);
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
        // Lines and claims are those of shuffles alone, where no other pass is asked for.
        if !more.contains(&"--passes") {
            command.args(["opt", "--passes", "shuffle"]);
        } else {
            command.arg("opt");
        }
        command
            .arg(input)
            .args(["-q", "--profit", "always", "--no-register-check", "-o"]);
        command.arg(self.path("out.ptx"));
        let text = fs::read_to_string(input).unwrap_or_default();
        let words = text.lines().next().unwrap_or_default().split_whitespace();
        // The file's own choice of loads.
        command.args(words.filter(|word| CHOICES.contains(word)));
        let output = command
            .arg("--certificates")
            .arg(&folder)
            .args(more)
            .output();
        let output = output.unwrap();
        match output.status.success() {
            true => Ok(folder),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }
}

pub fn ptx_tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests")
}

/// The modules of a folder of `ptx-tests`.
pub fn modules(folder: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(ptx_tests().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ptx"))
        .collect();
    found.sort();
    found
}

pub fn check(folders: &[PathBuf], more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
    command.arg("check").args(folders).args(more);
    command.output().unwrap()
}

pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

pub fn index(folder: &Path) -> Index {
    read_index(folder).unwrap()
}
