//! What a run of an assembler depends on: the program, its arguments, its inputs.

use super::is_on;
use blake3::Hasher;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Changes with the form of entries.
const FORM: &[u8] = b"ptxasw assembled 1";
/// What a program begins with. A script may start anything.
const ELF: [u8; 4] = *b"\x7fELF";

/// The name of what a run made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// In hexadecimal digits.
    pub(super) name: String,
    /// The assembler's file, and what tells it from all other ones.
    pub(super) program: Program,
}

/// An assembler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) identity: String,
}

impl Key {
    /// Of a run of `program` with these arguments, without the names of inputs and output, on these texts. `joined`: both of its
    /// streams go to one. None where the cache is switched off, or the program is a script.
    pub fn new<'a>(
        program: &Path,
        arguments: impl IntoIterator<Item = &'a [u8]>,
        texts: impl IntoIterator<Item = &'a [u8]>,
        joined: bool,
    ) -> Option<Key> {
        let program = is_on().then(|| Program::of(program))??;
        let mut hash = Hasher::new();
        let mut add = |part: &[u8]| {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part);
        };
        add(FORM);
        add(program.identity.as_bytes());
        add(&[u8::from(joined)]);
        arguments.into_iter().for_each(&mut add);
        // No argument is as long.
        add(&[0; 1 << 10]);
        texts.into_iter().for_each(&mut add);
        Some(Key {
            name: hash.finalize().to_hex().to_string(),
            program,
        })
    }
}

impl Program {
    /// Of a machine's program; nobody sets back the time at which a file changed.
    fn of(path: &Path) -> Option<Program> {
        let path = fs::canonicalize(path).ok()?;
        let mut file = File::open(&path).ok()?;
        let mut begin = [0; 4];
        file.read_exact(&mut begin).ok()?;
        let data = file.metadata().ok()?;
        let identity = format!(
            "{:x}-{:x}-{:x}-{:x}.{:x}-{:x}.{:x}",
            data.dev(),
            data.ino(),
            data.len(),
            data.mtime(),
            data.mtime_nsec(),
            data.ctime(),
            data.ctime_nsec()
        );
        (begin == ELF).then_some(Program { path, identity })
    }
}
