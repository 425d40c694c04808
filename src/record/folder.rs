//! The folder that `PTXASW_LAUNCHES` names: images and buffers as files, and `launches.jsonl`, to which every process appends lines.

use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The output folder; none if the variable is not set.
pub fn root() -> Option<&'static Path> {
    static ROOT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let named = || std::env::var_os("PTXASW_LAUNCHES").filter(|value| !value.is_empty());
    ROOT.get_or_init(|| named().map(PathBuf::from)).as_deref()
}

/// Identifies this process: its ID and start time, since IDs are reused and survive `exec`.
pub fn process() -> String {
    static START: OnceLock<u128> = OnceLock::new();
    let start = START.get_or_init(|| {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        since.map_or(0, |since| since.as_nanos())
    });
    format!("{}-{start:x}", std::process::id())
}

/// Creates the file that shows that the library was loaded.
pub fn mark() {
    if let Some(root) = root() {
        let _ = File::create(root.join("loaded"));
    }
}

/// Appends a line in a single write, so that lines of concurrent processes do not interleave.
pub fn append(line: &Value) {
    let Some(root) = root() else {
        return;
    };
    let file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(root.join("launches.jsonl"));
    // An I/O error of the recorder must not fail the program.
    let _ = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
}

/// A file under construction, which is named by a hash of its contents: equal buffers are stored once.
pub struct PartialFile {
    path: PathBuf,
    file: File,
    hasher: DefaultHasher,
}

impl PartialFile {
    /// Creates an empty temporary file in the folder.
    pub fn new() -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let root = root().ok_or(io::ErrorKind::NotFound)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = root.join(format!("{}-{number}.part", process()));
        Ok(PartialFile {
            file: File::create(&path)?,
            path,
            hasher: DefaultHasher::new(),
        })
    }

    /// Appends bytes, and adds them to the hash.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.write(bytes);
        self.file.write_all(bytes)
    }

    /// Renames the file to its hash with this extension; returns the name.
    pub fn finish(self, ending: &str) -> io::Result<String> {
        let name = format!("{:016x}.{ending}", self.hasher.finish());
        fs::rename(&self.path, self.path.with_file_name(&name))?;
        Ok(name)
    }
}
