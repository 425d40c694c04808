//! The folder that `PTXASW_RECORD` names: images and buffers as files, and `launches.jsonl`, to which every process appends lines.

use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// Where everything is written; none where nothing is to be.
pub fn root() -> Option<&'static Path> {
    static ROOT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let named = || std::env::var_os("PTXASW_RECORD").filter(|value| !value.is_empty());
    ROOT.get_or_init(|| named().map(PathBuf::from)).as_deref()
}

/// This process among all that write into the folder. Its number alone comes again: another program may be executed in it.
pub fn process() -> String {
    static START: OnceLock<u128> = OnceLock::new();
    let start = START.get_or_init(|| {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        since.map_or(0, |since| since.as_nanos())
    });
    format!("{}-{start:x}", std::process::id())
}

/// Says that a program has the library in it.
pub fn mark() {
    if let Some(root) = root() {
        let _ = File::create(root.join("loaded"));
    }
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

/// A file that is being written. Its name is a digest of its contents, so equal ones are there once.
pub struct Part {
    path: PathBuf,
    file: File,
    hasher: DefaultHasher,
}

impl Part {
    /// An empty one.
    pub fn new() -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let root = root().ok_or(io::ErrorKind::NotFound)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = root.join(format!("{}-{number}.part", process()));
        Ok(Part {
            file: File::create(&path)?,
            path,
            hasher: DefaultHasher::new(),
        })
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.write(bytes);
        self.file.write_all(bytes)
    }

    /// Gives it its name, which ends so.
    pub fn finish(self, ending: &str) -> io::Result<String> {
        let name = format!("{:016x}.{ending}", self.hasher.finish());
        fs::rename(&self.path, self.path.with_file_name(&name))?;
        Ok(name)
    }
}
