//! Entries in files of the user's cache folder: `ptxasw/assembled/D/NAME`, where `D` is the first digit of the name.
//!
//! A file appears by renaming and is never changed, so builds may run at the same time; who makes an entry twice makes the same bytes.
//! Each of the 16 folders keeps [`FOLDER_BYTES`]: beyond that, entries go that were not used for longest.

use super::entry::Entry;
use super::folder::{self, is_private, refused};
use super::key::{Key, Program};
use memchr::memmem;
use nix::fcntl::{OFlag, openat, renameat};
use nix::sys::stat::Mode;
use nix::unistd::{UnlinkatFlags, unlinkat};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

/// In the user's cache folder.
const FOLDER: &str = "assembled";
/// Assemblers that were looked at.
const PROGRAMS: &str = "assemblers";
/// Bytes of the entries of one of 16 folders.
const FOLDER_BYTES: u64 = 32 << 20;
/// A larger entry is not kept.
const MAX_ENTRY: usize = 8 << 20;
/// What the name of a file that is not complete begins with.
const NEW: &str = "new-";
/// A program that has this in it is a stand-in: what it starts is not known by its own file.
const STAND_IN: &[u8] = b"PTXASW_CHAIN";

/// The cache folder, open.
pub struct Store {
    own: File,
}

impl Store {
    /// Opens it; it is made if it is not there.
    pub fn open() -> io::Result<Self> {
        folder::make_root()?;
        Ok(Store {
            own: folder::own()?,
        })
    }

    /// The entry of that name.
    pub fn get(&self, key: &Key) -> io::Result<Entry> {
        let mut file = folder::open(&self.shard(key)?, &key.name)?;
        let data = file.metadata()?;
        if !data.is_file() || !is_private(&data) {
            return Err(refused("another user can have written the entry"));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let entry = Entry::of_bytes(&bytes).ok_or(io::ErrorKind::InvalidData)?;
        // When it was used last.
        let _ = file.set_modified(SystemTime::now());
        Ok(entry)
    }

    /// Adds an entry; another one of that name goes.
    pub fn put(&self, key: &Key, entry: &Entry) -> io::Result<()> {
        let bytes = entry.to_bytes();
        if bytes.len() > MAX_ENTRY {
            return Ok(());
        }
        self.look_at(&key.program)?;
        let shard = self.shard(key)?;
        write(&shard, &key.name, &bytes)?;
        // One of 16 has a look at the whole folder.
        match key.name.as_bytes().get(1) {
            Some(b'0') => tidy(&shard, FOLDER_BYTES),
            _ => Ok(()),
        }
    }

    fn shard(&self, key: &Key) -> io::Result<File> {
        let all = folder::private(&self.own, FOLDER)?;
        folder::private(&all, key.name.get(..1).ok_or(io::ErrorKind::InvalidInput)?)
    }

    /// Refuses an assembler that only stands in for another one. The answer is noted: its file is large.
    fn look_at(&self, program: &Program) -> io::Result<()> {
        let programs = folder::private(&self.own, PROGRAMS)?;
        if folder::open(&programs, &program.identity).is_ok() {
            return Ok(());
        }
        let bytes = fs::read(&program.path)?;
        match memmem::find(&bytes, STAND_IN) {
            None => write(&programs, &program.identity, &[]),
            Some(_) => Err(refused("the assembler is a stand-in")),
        }
    }
}

/// Writes a file whole or not at all.
fn write(folder: &File, name: &str, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let new = format!("{NEW}{}-{count}", std::process::id());
    let new = new.as_str();
    let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_TRUNC | OFlag::O_NOFOLLOW;
    let mode = Mode::S_IRUSR | Mode::S_IWUSR;
    let mut file = File::from(openat(folder, new, flags | OFlag::O_CLOEXEC, mode)?);
    let written = file.write_all(bytes);
    let named = written.and_then(|()| Ok(renameat(folder, new, folder, name)?));
    named.inspect_err(|_| {
        let _ = unlinkat(folder, new, UnlinkatFlags::NoRemoveDir);
    })
}

/// Removes what was not used for longest, until the rest takes three quarters of `most` bytes, if all takes more than that.
fn tidy(folder: &File, most: u64) -> io::Result<()> {
    let mut files = Vec::new();
    for file in fs::read_dir(folder::path(folder))? {
        let file = file?;
        // Another process may have removed it.
        if let Ok(data) = file.metadata() {
            files.push((data.modified()?, data.len(), file.path()));
        }
    }
    let mut sum: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
    if sum <= most {
        return Ok(());
    }
    files.sort();
    for (_, bytes, path) in files {
        if sum <= most / 4 * 3 {
            break;
        }
        let _ = fs::remove_file(path);
        sum -= bytes;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_was_not_used_for_longest_goes() {
        let place = tempfile::tempdir().unwrap();
        let folder = File::open(place.path()).unwrap();
        for (number, name) in ["c", "a", "d", "b"].iter().enumerate() {
            write(&folder, name, &[0; 100]).unwrap();
            let used = SystemTime::UNIX_EPOCH + Duration::from_secs(number as u64);
            let file = File::open(place.path().join(name)).unwrap();
            file.set_modified(used).unwrap();
        }
        let names = || {
            let files = fs::read_dir(place.path()).unwrap();
            let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
            names.sort();
            names
        };
        tidy(&folder, 400).unwrap();
        assert_eq!(names(), ["a", "b", "c", "d"]);
        // 400 bytes are too many; at most 225 stay.
        tidy(&folder, 300).unwrap();
        assert_eq!(names(), ["b", "d"]);
    }
}
