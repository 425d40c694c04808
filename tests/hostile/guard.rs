//! Commands in a folder of their own, under limits of memory and processor time.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use nix::sys::resource::{Resource, setrlimit};
use tempfile::TempDir;

/// Bytes of memory that a command may ask for.
const MEMORY: u64 = 2 << 30;
/// Seconds of processor time; more than any command here needs in an unoptimised build.
const SECONDS: u64 = 20;
/// Bytes that a message may have.
const MESSAGE: usize = 32 << 10;

/// The head of a module.
pub const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// A module that gets shuffles.
pub const SHUFFLED: &str = include_str!("../../ptx-tests/participation/guard.ptx");

/// Proves `a.ptx` and writes certificates to `proofs`.
pub const CERTIFY: [&str; 7] = [
    "opt",
    "a.ptx",
    "-o",
    "/dev/null",
    "--profit=always",
    "--no-register-check",
    "--certificates=proofs",
];

/// A module of one kernel with this body.
pub fn kernel(body: &str) -> String {
    format!(
        "{HEAD}.visible .entry k(.param .u64 p)\n{{\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n\
         .reg .f32 %f<9>;\n{body}\nret;\n}}\n"
    )
}

/// A folder, inside one whose other files must stay as they are.
pub struct Sandbox {
    around: TempDir,
}

/// What came of a command.
pub struct Answer {
    pub code: i32,
    pub out: String,
    pub message: String,
}

impl Sandbox {
    pub fn new() -> Self {
        let around = tempfile::tempdir().unwrap();
        fs::create_dir(around.path().join("inside")).unwrap();
        fs::write(around.path().join("outside"), "as before").unwrap();
        Sandbox { around }
    }

    pub fn folder(&self) -> PathBuf {
        self.around.path().join("inside")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Everything below the outer folder, with what files hold. Links are not followed.
    pub fn listing(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.around.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                let kind = entry.file_type().unwrap();
                let bytes = kind.is_file().then(|| fs::read(entry.path()).unwrap());
                if kind.is_dir() {
                    folders.push(entry.path());
                }
                found.insert(entry.path(), bytes);
            }
        }
        found
    }

    /// Runs a command in the folder. It may make or change the files in `outputs`, and no other.
    pub fn run(&self, words: &[&str], outputs: &[&str]) -> Answer {
        self.run_as(Command::new(env!("CARGO_BIN_EXE_ptxasw")), words, outputs)
    }

    pub fn run_as(&self, mut command: Command, words: &[&str], outputs: &[&str]) -> Answer {
        let before = self.listing();
        command.args(words).current_dir(self.folder());
        command.env_remove("RUST_BACKTRACE");
        let output = bounded(&mut command);
        let mut after = self.listing();
        let mut expected = before;
        for name in outputs {
            after.remove(&self.path(name));
            expected.remove(&self.path(name));
        }
        let shown = words.join(" ");
        let names = |files: &BTreeMap<PathBuf, _>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&expected), names(&after), "{shown}");
        assert!(expected == after, "{shown}: a file changed");
        answer(&shown, output)
    }

    /// The command fails with these words, and writes nothing.
    pub fn refused(&self, arguments: &[&str], words: &[&str]) -> String {
        let answer = self.run(arguments, &[]);
        assert_eq!(answer.code, 1, "{arguments:?}: {}", answer.message);
        for word in words {
            let message = &answer.message;
            assert!(
                message.contains(word),
                "{arguments:?}: no `{word}` in: {message}"
            );
        }
        answer.message
    }
}

/// A message must be of a size that can be read, and no panic's.
fn answer(shown: &str, output: Output) -> Answer {
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let start: String = message.chars().take(2000).collect();
    let signal = output.status.signal();
    assert_eq!(signal, None, "{shown}: {start}");
    let code = output.status.code().unwrap();
    assert!((0..=4).contains(&code), "{shown}: {code}, {start}");
    assert!(!message.contains("panicked"), "{shown}: {start}");
    assert!(
        message.len() <= MESSAGE,
        "{shown}: {} bytes, {start}",
        message.len()
    );
    Answer {
        code,
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        message,
    }
}

fn bounded(command: &mut Command) -> Output {
    command.stdin(Stdio::null());
    // SAFETY: between fork and exec only two calls of the system are made.
    unsafe {
        command.pre_exec(|| {
            setrlimit(Resource::RLIMIT_AS, MEMORY, MEMORY)?;
            setrlimit(Resource::RLIMIT_CPU, SECONDS, SECONDS)?;
            Ok(())
        });
    }
    command.output().unwrap()
}

/// The name of a path, for a command line.
pub fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}
