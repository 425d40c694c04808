//! The driver for tests: `fake.c`, compiled once, and runs of the command that find it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use ptxasw::toolchain::{Arch, Assembler};
use tempfile::TempDir;

const LIBRARY: &str = "libcuda.so.1";

/// A folder for the files of one test, and the environment of its commands.
pub struct Driver {
    folder: std::rc::Rc<TempDir>,
    library: PathBuf,
    variables: Vec<(String, String)>,
}

/// What a command did.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    log: String,
}

/// The folder with the compiled driver; none where there is no C compiler.
fn compiled() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fake-driver");
            let empty = folder.join("empty");
            fs::create_dir_all(&empty).unwrap();
            fs::write(empty.join("empty.c"), "int nothing;\n").unwrap();
            let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gpu/fake.c");
            let all = [
                (PathBuf::from(source), folder.join(LIBRARY)),
                (empty.join("empty.c"), empty.join(LIBRARY)),
            ];
            for (source, library) in all {
                let status = Command::new("cc")
                    .args([
                        "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o",
                    ])
                    .arg(library)
                    .arg(source)
                    .status();
                match status {
                    Ok(status) => assert!(status.success(), "fake.c does not compile"),
                    Err(_) => return None,
                }
            }
            Some(folder)
        })
        .as_deref()
}

/// Whether `ptxas` is there for the fake device; on CI it must be.
pub fn ptxas() -> bool {
    let found = Assembler::find(Arch::new(90)).is_ok();
    skipped(found, "ptxas");
    found
}

fn skipped(found: bool, what: &str) {
    if !found {
        assert!(
            env::var_os("CI").is_none(),
            "CI is set, and there is no {what}"
        );
        println!("skipped: no {what}");
    }
}

/// A tool that a machine may lack.
pub fn present<T>(what: &str, found: Option<T>) -> Option<T> {
    skipped(found.is_some(), what);
    found
}

impl Driver {
    /// A driver with one device; none where there is no C compiler.
    pub fn new() -> Option<Driver> {
        let library = compiled();
        skipped(library.is_some(), "C compiler");
        Some(Driver {
            folder: tempfile::tempdir().unwrap().into(),
            library: library?.to_owned(),
            variables: Vec::new(),
        })
    }

    /// With a variable of the environment.
    pub fn set(mut self, name: &str, value: &str) -> Driver {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Another with a variable of the environment.
    pub fn with(&self, name: &str, value: &str) -> Driver {
        self.copy(self.library.clone()).set(name, value)
    }

    /// Another whose library is no library, so that the system's, if there is one, is not found.
    pub fn without_library(&self) -> Driver {
        fs::write(self.path(LIBRARY), "no library").unwrap();
        self.copy(self.folder.path().to_owned())
    }

    /// Another whose library has no function.
    pub fn with_empty_library(&self) -> Driver {
        self.copy(self.library.join("empty"))
    }

    /// `program.c`, linked with the driver or not; none where the library is missing that `ptxasw record` puts into it.
    pub fn program(&self, linked: bool) -> Option<String> {
        let own = Path::new(env!("CARGO_BIN_EXE_ptxasw"));
        present(
            "libptxasw_record.so",
            ptxasw::toolchain::library(own, "libptxasw_record.so"),
        )?;
        let output = self.path(if linked { "linked" } else { "asking" });
        let mut command = Command::new("cc");
        command.args(["-O1", "-Wall", "-Wextra", "-Werror", "-o", &output]);
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gpu/program.c"));
        if linked {
            command.arg("-DLINKED").arg(self.library.join(LIBRARY));
        }
        assert!(
            command.status().unwrap().success(),
            "program.c does not compile"
        );
        Some(output)
    }

    fn copy(&self, library: PathBuf) -> Driver {
        Driver {
            folder: self.folder.clone(),
            library,
            variables: self.variables.clone(),
        }
    }

    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file and gives its path.
    pub fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// Runs the command.
    pub fn run(&self, arguments: &[String]) -> Run {
        self.output(Command::new(env!("CARGO_BIN_EXE_ptxasw")).args(arguments))
    }

    /// Runs the benchmark's script.
    pub fn script(&self, variables: &[(&str, &str)], slices: &[&str]) -> Run {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/gpu/run.sh");
        self.output(
            Command::new("bash")
                .arg(script)
                .args(slices)
                .envs(variables.iter().copied()),
        )
    }

    fn output(&self, command: &mut Command) -> Run {
        let log = self.path("log");
        let _ = fs::remove_file(&log);
        let output = command
            .env("LD_LIBRARY_PATH", &self.library)
            .env("FAKE_LOG", &log)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .output()
            .unwrap();
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            log: fs::read_to_string(&log).unwrap_or_default(),
        }
    }
}

impl Run {
    #[track_caller]
    pub fn exits(&self, code: i32) {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
    }

    #[track_caller]
    pub fn prints(&self, text: &str) {
        assert!(
            self.stdout.contains(text),
            "no `{text}` in:\n{}",
            self.stdout
        );
    }

    #[track_caller]
    pub fn complains(&self, text: &str) {
        assert!(
            self.stderr.contains(text),
            "no `{text}` in:\n{}",
            self.stderr
        );
    }

    /// The words after a label in the table; of a file the name is enough.
    #[track_caller]
    pub fn row(&self, label: &str) -> Vec<String> {
        let line = self
            .stdout
            .lines()
            .find(|line| match label.ends_with(".ptx") {
                true => line
                    .split_whitespace()
                    .next()
                    .is_some_and(|w| w.ends_with(label)),
                false if label.contains(".ptx") => line.contains(label),
                false => line.starts_with(label),
            });
        let line = line.unwrap_or_else(|| panic!("no row `{label}` in:\n{}", self.stdout));
        let words = line.split_whitespace().map(str::to_owned);
        words.skip(1).collect()
    }

    /// The lines of the driver's log that begin so.
    pub fn log_lines(&self, start: &str) -> Vec<&str> {
        self.log
            .lines()
            .filter(|line| line.starts_with(start))
            .collect()
    }

    /// The addresses of what was allocated, in order.
    pub fn allocations(&self) -> Vec<u64> {
        let addresses = self.log_lines("allocate ").into_iter();
        let address = |line: &str| {
            let (_, address) = line.rsplit_once(' ').unwrap();
            u64::from_str_radix(address, 16).unwrap()
        };
        addresses.map(address).collect()
    }

    /// Nothing was misused, and all that was made was removed.
    #[track_caller]
    pub fn clean(&self) {
        assert_eq!(self.log_lines("misuse"), [""; 0]);
        for (made, removed) in [
            ("context", "end of context"),
            ("allocate ", "free "),
            ("load ", "unload"),
        ] {
            let counts = [made, removed].map(|start| self.log_lines(start).len());
            assert_eq!(counts[0], counts[1], "{made}\n{}", self.log);
            assert!(counts[0] > 0 || made != "context");
        }
    }
}
