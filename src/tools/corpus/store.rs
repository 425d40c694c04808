//! Records of earlier runs: one line of JSON each.

use super::{Options, Record, examine};
use rustc_hash::FxHashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A file of records can't be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use `{}` for records: {error}", path.display())]
pub struct StoreError {
    path: PathBuf,
    error: io::Error,
}

/// A file of records: those of earlier runs, then new ones.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    known: FxHashMap<String, Record>,
    file: Mutex<File>,
}

impl Store {
    /// Opens or makes it. A line that is no record, such as one that was cut off, does not count.
    ///
    /// # Errors
    /// It can't be read or written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |error| StoreError {
            path: path.into(),
            error,
        };
        // What is no file has no end, or none yet.
        if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            return Err(failed(io::Error::other("it is not a regular file")));
        }
        let mut options = OpenOptions::new();
        let options = options.read(true).append(true).create(true);
        let mut file = options.open(path).map_err(failed)?;
        let (mut known, mut cut) = (FxHashMap::default(), false);
        for line in BufReader::new(&file).split(b'\n') {
            let line = line.map_err(failed)?;
            let record: Option<Record> = serde_json::from_slice(&line).ok();
            cut = record.is_none();
            known.extend(record.map(|record| (record.path.clone(), record)));
        }
        // What follows must not become the rest of a line that was cut off.
        if cut {
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(Store {
            path: path.into(),
            known,
            file: Mutex::new(file),
        })
    }

    /// What is known of a text already.
    pub fn find(&self, path: &str, text: &[u8], options: &Options) -> Option<Record> {
        let record = self.known.get(path)?;
        (record.digest == examine::digest(text, options)).then(|| record.clone())
    }

    /// Adds a record.
    ///
    /// # Errors
    /// It can't be written.
    pub fn add(&self, record: &Record) -> Result<(), StoreError> {
        let failed = |error| StoreError {
            path: self.path.clone(),
            error,
        };
        let mut line = serde_json::to_vec(record).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        let mut file = self
            .file
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        file.write_all(&line).map_err(failed)
    }
}
