//! Lists of rewritings, which `ptxasw bisect` reads: one file for each module, with the module's text beside it.

use super::Decisions;
use super::limit;
use ptxasw_base::atomic_file;
use ptxasw_base::lines::LineIndex;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The variable that names the folder.
pub const VARIABLE: &str = "PTXASW_RECORD_DIR";

/// What was rewritten in a module.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// How limits name the module.
    pub digest: u64,
    /// The file in the same folder that has its text.
    pub text: String,
    /// In the order in which limits count.
    pub rewritings: Vec<Rewriting>,
}

/// A place that a pass changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rewriting {
    /// Its kernel.
    pub kernel: String,
    /// The pass.
    pub pass: String,
    /// Its line in the text, from 1.
    pub line: u32,
}

/// The folder that the environment names.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
    folder.map(PathBuf::from)
}

/// The records of a folder, in the order of their digests; none if there is no folder.
///
/// # Errors
/// A file can't be read, or is no record.
pub fn read(folder: &Path) -> io::Result<Vec<Record>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut records: Vec<Record> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|name| name == "json") {
            records.push(serde_json::from_slice(&fs::read(path)?)?);
        }
    }
    records.sort_by_key(|record| record.digest);
    Ok(records)
}

/// Leaves the record of a module in a folder; nothing if nothing is rewritten. `extension` is that of its text.
///
/// A folder that can't be written is no error: whoever reads the records misses the module.
pub fn write(folder: &Path, text: &[u8], extension: &str, found: Decisions) {
    let lines = LineIndex::new(text);
    let actions = limit::actions(found).into_iter();
    let rewritings: Vec<Rewriting> = actions
        .map(|action| Rewriting {
            kernel: action.function.to_owned(),
            pass: action.pass.to_owned(),
            line: lines.line(action.at),
        })
        .collect();
    if rewritings.is_empty() {
        return;
    }
    let digest = limit::digest(text);
    let record = Record {
        digest,
        text: format!("{digest:016x}.{extension}"),
        rewritings,
    };
    let json = serde_json::to_vec(&record).unwrap_or_default();
    let _ = fs::create_dir_all(folder);
    let _ = atomic_file::write(&folder.join(&record.text), text);
    let _ = atomic_file::write(&folder.join(format!("{digest:016x}.json")), &json);
}
