//! A part of a bundle as a file of its own, which the system can start or load.
//!
//! The system starts whole files only, so that a part must be copied out. A copy in memory costs 30 to 100 ms for an assembler
//! of 50 MB, at each call. Therefore a part is copied once into the user's cache folder, where all bundles share it by its
//! digest. A copy is used only if nobody else can have put it there:
//!
//! - `~/.cache` (`XDG_CACHE_HOME`), `ptxasw` in it, and the part's folder belong to this user, and nobody else may write the
//!   latter two;
//! - the file belongs to this user, nobody else may write it, and it is no link;
//! - it has the part's digest. The digest is computed when the file is made, and noted with the file's identity, size and times
//!   of change; as long as these agree it need not be computed again, which would take longer than many assemblies;
//! - it is opened once, by folders that are open themselves, and it is the open file that is started: nothing can be
//!   exchanged between the check and the start.
//!
//! A file appears by renaming, after its bytes are on the disk, under a lock. Who does not get the lock does not wait: that
//! call uses a copy in memory. So does every call where the folder can't be used: no home folder or no `~/.cache` (a build
//! server's sandbox, whose disk is thrown away after the call), a full disk, a file system that starts no programs.

use super::format::{self, BundledFile};
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg, OFlag, openat, renameat};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::stat::Mode;
use nix::sys::statvfs::{FsFlags, fstatvfs};
use nix::unistd::{UnlinkatFlags, unlinkat};
use ptxasw_machine::cache::folder::{is_private, open, own, private, refused};
use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use xxhash_rust::xxh3::Xxh3;

/// What was checked, in a part's folder.
const CHECKED: &str = "checked";
/// A file that is not complete.
const NEW: &str = "new";
/// Held by the process that writes.
const LOCK: &str = "lock";
/// A note that is longer is none.
const MAX_NOTE: u64 = 1 << 10;
/// Copied at once: it fits into the processor's cache, where the digest finds it.
const CHUNK: usize = 1 << 18;

/// A part as an open file: the copy in the cache folder, else one in memory.
pub(super) fn unpack(bundle: &File, part: &BundledFile) -> io::Result<File> {
    cached(bundle, part).or_else(|_| in_memory(bundle, part))
}

/// A copy that is gone with this process.
fn in_memory(bundle: &File, part: &BundledFile) -> io::Result<File> {
    let name = std::ffi::CString::new(part.name.as_str())?;
    let mut file = File::from(memfd_create(name.as_c_str(), MFdFlags::MFD_CLOEXEC)?);
    copy(bundle, part, &mut file)?;
    Ok(file)
}

/// The copy in the cache folder; it is made if it is not there.
///
/// # Errors
/// The folder can't be used, or another process is making the copy.
pub(super) fn cached(bundle: &File, part: &BundledFile) -> io::Result<File> {
    let folder = folder(&part.digest)?;
    if let Some(file) = checked(&folder, part)? {
        return Ok(file);
    }
    let flags = OFlag::O_RDWR | OFlag::O_CREAT | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let lock = File::from(openat(&folder, LOCK, flags, Mode::S_IRUSR | Mode::S_IWUSR)?);
    let _lock = Flock::lock(lock, FlockArg::LockExclusiveNonblock).map_err(|(_, errno)| errno)?;
    // The file may be there by now; or it was touched since it was checked.
    if let Some(file) = existing(&folder, part)?
        && digest(&file, part.length)? == part.digest
    {
        note(&folder, &file, part)?;
        return Ok(file);
    }
    publish(&folder, &part.name, Mode::S_IRUSR | Mode::S_IXUSR, |file| {
        copy(bundle, part, file)
    })?;
    let file = existing(&folder, part)?.ok_or(io::ErrorKind::NotFound)?;
    note(&folder, &file, part)?;
    Ok(file)
}

/// The folder of a part, open, after it was checked.
fn folder(digest: &str) -> io::Result<File> {
    let folder = private(&own()?, digest)?;
    if fstatvfs(&folder)?.flags().contains(FsFlags::ST_NOEXEC) {
        return Err(refused("the cache folder's file system starts no programs"));
    }
    Ok(folder)
}

/// A part's file, if it is this user's own and has the right size.
fn existing(folder: &File, part: &BundledFile) -> io::Result<Option<File>> {
    let file = match open(folder, &part.name) {
        Ok(file) => file,
        Err(error) if is_no_file(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    let data = file.metadata()?;
    let fits = data.is_file() && is_private(&data) && data.len() == part.length;
    Ok(fits.then_some(file))
}

/// There is nothing of that name, or a link.
fn is_no_file(error: &io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw);
    matches!(errno, Some(Errno::ENOENT | Errno::ELOOP))
}

/// A part's file as [`existing`] finds it, if it has not been touched since its digest was computed.
fn checked(folder: &File, part: &BundledFile) -> io::Result<Option<File>> {
    let Some(file) = existing(folder, part)? else {
        return Ok(None);
    };
    let mut noted = String::new();
    match open(folder, CHECKED) {
        Ok(note) => note.take(MAX_NOTE).read_to_string(&mut noted)?,
        Err(_) => return Ok(None),
    };
    let same = noted == identity(&file.metadata()?, part);
    Ok(same.then_some(file))
}

/// Notes that a file has its part's digest.
fn note(folder: &File, file: &File, part: &BundledFile) -> io::Result<()> {
    let identity = identity(&file.metadata()?, part);
    publish(folder, CHECKED, Mode::S_IRUSR | Mode::S_IWUSR, |note| {
        note.write_all(identity.as_bytes())
    })
}

/// What changes with every change of a file: nobody sets back its time of change.
fn identity(data: &Metadata, part: &BundledFile) -> String {
    format!(
        "{} {} {} {}.{:09} {}.{:09}\n",
        part.digest,
        data.ino(),
        data.len(),
        data.mtime(),
        data.mtime_nsec(),
        data.ctime(),
        data.ctime_nsec()
    )
}

/// A file in a folder, whole or not at all; to be called under the lock.
fn publish(
    folder: &File,
    name: &str,
    mode: Mode,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let _ = unlinkat(folder, NEW, UnlinkatFlags::NoRemoveDir);
    let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_CLOEXEC;
    let mut file = File::from(openat(folder, NEW, flags, mode)?);
    let written = write(&mut file).and_then(|()| file.sync_data());
    // A file that is open for writing can't be started.
    drop(file);
    let named = written.and_then(|()| Ok(renameat(folder, NEW, folder, name)?));
    named.inspect_err(|_| {
        let _ = unlinkat(folder, NEW, UnlinkatFlags::NoRemoveDir);
    })
}

/// Copies a part, and compares its digest.
fn copy(bundle: &File, part: &BundledFile, to: &mut File) -> io::Result<()> {
    let found = chunks(bundle, part.start, part.length, |chunk| to.write_all(chunk))?;
    match found == part.digest {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("the bytes of `{}` in it are damaged", part.name),
        )),
    }
}

fn digest(file: &File, length: u64) -> io::Result<String> {
    chunks(file, 0, length, |_| Ok(()))
}

/// Reads a stretch of a file in chunks, and gives its digest.
fn chunks(
    file: &File,
    start: u64,
    length: u64,
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<String> {
    let mut hash = Xxh3::new();
    let mut buffer = vec![0; CHUNK];
    let mut done = 0;
    while done < length {
        let size = CHUNK.min((length - done) as usize);
        let chunk = &mut buffer[..size];
        file.read_exact_at(chunk, start + done)?;
        hash.update(chunk);
        each(chunk)?;
        done += size as u64;
    }
    Ok(format::digest(hash.digest128()))
}
