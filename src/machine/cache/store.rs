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
use std::collections::hash_map::RandomState;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read, Write};
use std::time::{Duration, SystemTime};

/// In the user's cache folder.
const FOLDER: &str = "assembled";
/// Assemblers that were looked at, each with the digest of its file.
const ASSEMBLERS: &str = "assemblers";
/// Bytes of the entries of one of 16 folders.
const FOLDER_BYTES: u64 = 24 << 20;
/// A larger entry is not kept.
const MAX_ENTRY: usize = 4 << 20;
/// An entry of so many bytes has its folder looked at.
const LARGE_ENTRY: usize = 1 << 18;
/// Bytes of the notes on assemblers.
const NOTES: u64 = 1 << 16;
/// What the name of a file that is not complete begins with, and when nobody writes it any more.
const NEW: &str = "new-";
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);
/// What a program begins with. A script may start anything.
const ELF: &[u8] = b"\x7fELF";
/// NVIDIA's own programs have this in them; what only starts another program has not.
const NVIDIA: &[u8] = b"Cuda compilation tools, release ";
/// ptxasw has both: a bundle has the assembler in it.
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
        let (file, bytes) = read(&self.shard(key)?, &key.name)?;
        let entry = Entry::of_bytes(&key.name, &bytes).ok_or(io::ErrorKind::InvalidData)?;
        // When it was used last.
        let _ = file.set_modified(SystemTime::now());
        Ok(entry)
    }

    /// Adds an entry; another one of that name goes.
    pub fn put(&self, key: &Key, entry: &Entry) -> io::Result<()> {
        let bytes = entry.to_bytes(&key.name);
        if bytes.len() > MAX_ENTRY || !key.is_current() {
            return Ok(());
        }
        let shard = self.shard(key)?;
        write(&shard, &key.name, &bytes)?;
        // Of small ones one of 16 has a look at the whole folder.
        let is_turn = key.name.as_bytes().get(1) == Some(&b'0');
        match is_turn || bytes.len() > LARGE_ENTRY {
            true => tidy(&shard, FOLDER_BYTES),
            false => Ok(()),
        }
    }

    fn shard(&self, key: &Key) -> io::Result<File> {
        let all = folder::private(&self.own, FOLDER)?;
        folder::private(&all, key.name.get(..1).ok_or(io::ErrorKind::InvalidInput)?)
    }

    /// The digest of an assembler's file, which is noted: it is large.
    ///
    /// # Errors
    /// It is not NVIDIA's.
    pub fn assembler(&self, program: &Program) -> io::Result<String> {
        let notes = folder::private(&self.own, ASSEMBLERS)?;
        let name = &program.identity;
        if let Ok((_, bytes)) = read(&notes, name)
            && let Some(note) = Entry::of_bytes(name, &bytes)
        {
            return String::from_utf8(note.output).map_err(|_| io::ErrorKind::InvalidData.into());
        }
        let bytes = fs::read(&program.path)?;
        let has = |text: &[u8]| memmem::find(&bytes, text).is_some();
        if !bytes.starts_with(ELF) || !has(NVIDIA) || has(STAND_IN) {
            return Err(refused("the program may start another one"));
        }
        let digest = blake3::hash(&bytes).to_hex().to_string();
        let note = Entry {
            output: digest.clone().into_bytes(),
            ..Entry::default()
        };
        write(&notes, name, &note.to_bytes(name))?;
        let _ = tidy(&notes, NOTES);
        Ok(digest)
    }
}

/// A file of this user's own, and what is in it.
fn read(folder: &File, name: &str) -> io::Result<(File, Vec<u8>)> {
    let mut file = folder::open(folder, name)?;
    let data = file.metadata()?;
    if !data.is_file() || !is_private(&data) {
        return Err(refused("another user can have written the entry"));
    }
    if data.len() > MAX_ENTRY as u64 {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok((file, bytes))
}

/// Writes a file whole or not at all.
fn write(folder: &File, name: &str, bytes: &[u8]) -> io::Result<()> {
    // Processes in several containers have the same number.
    let random = RandomState::new().build_hasher().finish();
    let new = format!("{NEW}{}-{random:x}", std::process::id());
    let new = new.as_str();
    let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW;
    let mode = Mode::S_IRUSR | Mode::S_IWUSR;
    let mut file = File::from(openat(folder, new, flags | OFlag::O_CLOEXEC, mode)?);
    let written = file.write_all(bytes);
    let named = written.and_then(|()| Ok(renameat(folder, new, folder, name)?));
    named.inspect_err(|_| {
        let _ = unlinkat(folder, new, UnlinkatFlags::NoRemoveDir);
    })
}

/// Removes what nobody completes any more, and what was not used for longest, until the rest takes three quarters of `most` bytes, if all
/// takes more than that.
fn tidy(folder: &File, most: u64) -> io::Result<()> {
    let mut files = Vec::new();
    let now = SystemTime::now();
    for file in fs::read_dir(folder::path(folder))? {
        let file = file?;
        // Another process may have removed it.
        let Ok(data) = file.metadata() else { continue };
        let used = data.modified()?;
        let is_new = file.file_name().to_string_lossy().starts_with(NEW);
        let is_old = now.duration_since(used).is_ok_and(|age| age > ABANDONED);
        match is_new && is_old && fs::remove_file(file.path()).is_ok() {
            true => {}
            false => files.push((used, data.len(), file.path())),
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
        if fs::remove_file(path).is_ok() {
            sum -= bytes;
        }
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
