//! `nvcc` makes from the CUDA sources the very PTX that is committed.
//!
//! What it made once is noted in `ptx-tests/generated.txt`: a digest of all that it depends on (nvcc's version, the script, the
//! source and the headers beside it), and for each file its length and digest. As long as these agree nvcc need not run again;
//! where anything differs, and in a soak test, it does. `make bless` writes the notes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::files::compare::soak;

/// Where the notes are.
const NOTES: &str = "ptx-tests/generated.txt";
/// The script that runs nvcc.
const SCRIPT: &str = "ptx-tests/generate.sh";

/// The notes, by the path of the source.
pub struct Generated {
    root: PathBuf,
    nvcc: PathBuf,
    notes: Mutex<BTreeMap<String, String>>,
    version: OnceLock<Vec<u8>>,
}

impl Generated {
    /// Reads the notes; `nvcc` is the compiler.
    pub fn new(root: &Path, nvcc: &Path) -> Self {
        let text = fs::read_to_string(root.join(NOTES)).unwrap_or_default();
        let notes = text.lines().filter_map(|line| line.split_once(' '));
        let notes = notes.map(|(name, note)| (name.to_owned(), note.to_owned()));
        Generated {
            root: root.to_owned(),
            nvcc: nvcc.to_owned(),
            notes: Mutex::new(notes.collect()),
            version: OnceLock::new(),
        }
    }

    /// The committed files of a source are what nvcc makes of it.
    pub fn check(&self, source: &Path) -> Result<(), String> {
        let place = source.strip_prefix(&self.root).unwrap_or(source);
        let name = place.display().to_string();
        let key = self.key(source).map_err(|error| error.to_string())?;
        let noted = self.notes.lock().ok();
        let noted = noted.and_then(|notes| notes.get(&name).cloned());
        if !soak() && noted.is_some_and(|note| self.agrees(&note, key)) {
            return Ok(());
        }
        let note = self.compile(&crate::files::stem(source), key)?;
        match std::env::var_os("PTXASW_BLESS") {
            Some(_) => self.keep(name, note).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    /// Of all that the files depend on.
    fn key(&self, source: &Path) -> std::io::Result<u64> {
        let version = self.version.get_or_init(|| {
            let output = Command::new(&self.nvcc).arg("--version").output();
            output.map(|output| output.stdout).unwrap_or_default()
        });
        let mut hash = Xxh3::new();
        hash.update(version);
        hash.update(&fs::read(self.root.join(SCRIPT))?);
        hash.update(&fs::read(source)?);
        let folder = source.parent().unwrap_or(Path::new("."));
        for header in crate::files::files_below(folder, "h") {
            hash.update(&fs::read(header)?);
        }
        Ok(hash.digest())
    }

    fn agrees(&self, note: &str, key: u64) -> bool {
        let mut words = note.split(' ');
        let same = |word: &str| {
            let mut parts = word.rsplitn(3, ':');
            let (digest, length, path) = (parts.next()?, parts.next()?, parts.next()?);
            let text = fs::read(self.root.join(path)).ok()?;
            // The expectations follow the generated text.
            let made = text.get(..length.parse().ok()?)?;
            Some(format!("{:016x}", xxh3_64(made)) == digest)
        };
        words.next() == Some(&format!("{key:016x}")) && words.all(|word| same(word) == Some(true))
    }

    /// Runs nvcc, and compares; the note of what it made.
    fn compile(&self, name: &str, key: u64) -> Result<String, String> {
        let made = tempfile::tempdir().map_err(|error| error.to_string())?;
        let output = Command::new(self.root.join(SCRIPT))
            .arg("--nvcc-into")
            .arg(made.path())
            .arg(name)
            .output()
            .map_err(|error| format!("generate.sh: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let mut note = format!("{key:016x}");
        let files = crate::files::files_below(made.path(), "ptx");
        for path in &files {
            let place = path.strip_prefix(made.path()).unwrap_or(path);
            let committed = self.root.join(place);
            let new = fs::read(path).map_err(|error| error.to_string())?;
            let old = fs::read(&committed)
                .map_err(|error| format!("{}: {error}", committed.display()))?;
            if !old.starts_with(&new) {
                return Err(format!(
                    "{} is out of date ('make kernels')",
                    committed.display()
                ));
            }
            let (length, digest) = (new.len(), xxh3_64(&new));
            let _ = write!(note, " {}:{length}:{digest:016x}", place.display());
        }
        match files.is_empty() {
            true => Err(format!("nothing is generated from {name}.cu")),
            false => Ok(note),
        }
    }

    fn keep(&self, name: String, note: String) -> std::io::Result<()> {
        let Ok(mut notes) = self.notes.lock() else {
            return Ok(());
        };
        notes.insert(name, note);
        let lines = notes.iter().map(|(name, note)| format!("{name} {note}\n"));
        fs::write(self.root.join(NOTES), lines.collect::<String>())
    }
}
