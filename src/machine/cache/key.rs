//! What a run of an assembler depends on: the program, its arguments, its inputs.

use super::is_on;
use super::store::Store;
use blake3::Hasher;
use std::fs::{self, File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Changes with the form of entries.
const FORM: &[u8] = b"ptxasw assembled 2";

/// The name of what a run made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// In hexadecimal digits.
    pub(super) name: String,
    program: Program,
}

impl Key {
    /// Of a run of `program` with these arguments, without the names of inputs and output, on these texts. `joined`: both of its
    /// streams go to one. None where the cache is switched off or cannot be used, and where the program is not NVIDIA's assembler
    /// itself but something that may start any other one.
    pub fn new<'a>(
        program: &Path,
        arguments: impl IntoIterator<Item = &'a [u8]>,
        texts: impl IntoIterator<Item = &'a [u8]>,
        joined: bool,
    ) -> Option<Key> {
        let program = is_on().then(|| Program::of(program))??;
        let content = Store::open().ok()?.assembler(&program).ok()?;
        let mut hash = Hasher::new();
        let mut add = |part: &[u8]| {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part);
        };
        add(FORM);
        add(content.as_bytes());
        add(&[u8::from(joined)]);
        arguments.into_iter().for_each(&mut add);
        // No argument has such bytes.
        add(&[0]);
        texts.into_iter().for_each(&mut add);
        Some(Key {
            name: hash.finalize().to_hex().to_string(),
            program,
        })
    }

    /// Whether the program is still the file that it was: another one may have taken its place before it was started.
    pub(super) fn is_current(&self) -> bool {
        Program::of(&self.program.given).as_ref() == Some(&self.program)
    }
}

/// An assembler, by the path that was given and the file that it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Program {
    given: PathBuf,
    /// Canonical: all symbolic links are resolved.
    pub(super) path: PathBuf,
    /// What changes with every change of the file, and is another one for every file.
    pub(super) identity: String,
}

impl Program {
    /// Of a path. A bare name is none: the system searches it elsewhere than here.
    fn of(given: &Path) -> Option<Program> {
        let is_path = given.components().count() > 1;
        let path = is_path.then(|| fs::canonicalize(given).ok())??;
        let data = File::open(&path).ok()?.metadata().ok()?;
        Some(Program {
            given: given.to_owned(),
            identity: identity(&data),
            path,
        })
    }
}

/// As a file's name; the note on a bundle's part, which is in the part's folder, needs no device.
fn identity(data: &Metadata) -> String {
    format!(
        "{:x}-{:x}-{:x}-{:x}.{:x}-{:x}.{:x}",
        data.dev(),
        data.ino(),
        data.len(),
        data.mtime(),
        data.mtime_nsec(),
        data.ctime(),
        data.ctime_nsec()
    )
}
