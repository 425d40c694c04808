//! Answers of programs that are not under test (`ptxas`, solvers), kept from one test run to the next.
//!
//! What an assembler says of a text depends on the text, its own file and its arguments alone. So an answer is kept under a
//! digest of these, one file each, below `target/tmp`: a fresh clone asks everything, a developer only what a change has
//! changed. A soak test asks everything anew. `cargo clean` forgets all.

use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// A question whose answer may be known.
pub struct Question {
    place: Option<PathBuf>,
}

impl Question {
    /// Inputs in the order in which a program takes them; the first ones identify the program, as [`file`] does.
    pub fn new<'a>(inputs: impl IntoIterator<Item = &'a [u8]>) -> Self {
        if std::env::var_os("PTXASW_SOAK").is_some() {
            return Question { place: None };
        }
        let mut hash = Xxh3::new();
        for input in inputs {
            hash.update(&(input.len() as u64).to_le_bytes());
            hash.update(input);
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("answers");
        Question {
            place: Some(folder.join(format!("{:032x}", hash.digest128()))),
        }
    }

    /// The answer of an earlier run.
    pub fn known(&self) -> Option<String> {
        fs::read_to_string(self.place.as_ref()?).ok()
    }

    /// Keeps an answer. Where that fails, it is asked again.
    pub fn keep(&self, answer: &str) {
        let Some(place) = &self.place else { return };
        let folder = place.parent().unwrap_or(Path::new("."));
        // Other processes may write the same answer at this moment.
        let written = fs::create_dir_all(folder)
            .and_then(|()| tempfile::NamedTempFile::new_in(folder))
            .and_then(|file| fs::write(file.path(), answer).map(|()| file));
        if let Ok(file) = written {
            let _ = file.persist(place);
        }
    }
}

/// Identifies a program by its file: another version has another length or another time.
pub fn file(program: &Path) -> Vec<u8> {
    let state = fs::metadata(program).map(|file| (file.len(), file.modified().ok()));
    format!("{} {state:?}", program.display()).into_bytes()
}
