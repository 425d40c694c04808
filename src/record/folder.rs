//! The folder that `PTXASW_RECORD` names: images and buffers as files, and `launches.jsonl`, to which every process appends lines.

use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Where everything is written; none where nothing is to be.
pub fn root() -> Option<&'static Path> {
    static ROOT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let named = || std::env::var_os("PTXASW_RECORD").filter(|value| !value.is_empty());
    ROOT.get_or_init(|| named().map(PathBuf::from)).as_deref()
}

/// Appends a line. Lines of several processes do not mix: each is one write.
pub fn append(line: &Value) {
    let Some(root) = root() else {
        return;
    };
    let file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(root.join("launches.jsonl"));
    // A program must not fail because its record does.
    let _ = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
}

/// Writes a file of the folder at once, or not at all.
pub fn write(name: &str, bytes: &[u8]) -> io::Result<()> {
    let root = root().ok_or(io::ErrorKind::NotFound)?;
    let path = root.join(name);
    let part = root.join(format!("{name}.{}", std::process::id()));
    fs::write(&part, bytes)?;
    fs::rename(part, path)
}

/// Whether a file of the folder is there.
pub fn has(name: &str) -> bool {
    root().is_some_and(|root| root.join(name).is_file())
}
