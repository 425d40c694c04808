//! Files that appear whole or not at all.

use crate::interrupt;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag};
use nix::sys::stat::Mode;
use nix::unistd::linkat;
use std::fs::{self, File, OpenOptions};
use std::io::{self, IoSlice, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What a new file may be used for, before the system takes away what the process's mask forbids.
const NEW_FILE: u32 = 0o666;

/// Writes a whole file or nothing: a reader sees the old bytes or the new ones. A link stays a link, its target is
/// replaced; one that leads nowhere becomes the file. What is no regular file (a pipe, `/dev/null`) is written directly.
///
/// # Errors
/// What the system says: the folder is missing or read-only, the disk is full, the path is a directory.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_pieces(path, &[bytes])
}

/// As [`write()`], of bytes that lie in several places.
///
/// # Errors
/// See [`write()`].
pub fn write_pieces(path: &Path, pieces: &[&[u8]]) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let existing = fs::metadata(&target).ok();
    match &existing {
        Some(data) if data.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Some(data) if !data.is_file() => {
            return OpenOptions::new()
                .write(true)
                .open(&target)
                .and_then(|mut file| write_to(&mut file, pieces));
        }
        Some(data) if data.permissions().readonly() => {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        _ => {}
    }
    let folder = match target.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    interrupt::held(|| {
        // Where neither can be made, the first error says why; the other one's names a file that is not the user's.
        let mut file = nameless(&folder).or_else(|error| named(&folder).map_err(|_| error))?;
        write_to(file.file(), pieces)?;
        if let Some(data) = &existing {
            file.file().set_permissions(data.permissions())?;
        }
        file.take_place(&folder, &target)
    })
}

/// What the system says of a temporary file, without the file's name: it is none that a user knows.
pub fn without_name(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((what, _)) => io::Error::new(error.kind(), what.to_owned()),
        None => error,
    }
}

/// Writes all pieces, with as few calls of the system as it takes.
///
/// # Errors
/// What the system says.
pub fn write_to(file: &mut impl Write, pieces: &[&[u8]]) -> io::Result<()> {
    // A call that gets nothing but empty ones would look like a file that takes no more.
    let pieces = pieces.iter().filter(|piece| !piece.is_empty());
    let mut slices: Vec<IoSlice> = pieces.map(|piece| IoSlice::new(piece)).collect();
    let mut rest = &mut slices[..];
    while !rest.is_empty() {
        match file.write_vectored(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut rest, written),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A file in the folder of its target that is not there yet under the target's name.
enum Unborn {
    /// It has no name at all: a kill leaves nothing.
    Nameless(File),
    /// Where the file system has no such files.
    Named(tempfile::NamedTempFile),
}

fn nameless(folder: &Path) -> io::Result<Unborn> {
    let flags = OFlag::O_TMPFILE | OFlag::O_WRONLY | OFlag::O_CLOEXEC;
    let mode = Mode::from_bits_truncate(NEW_FILE);
    Ok(Unborn::Nameless(
        nix::fcntl::open(folder, flags, mode)?.into(),
    ))
}

fn named(folder: &Path) -> io::Result<Unborn> {
    let file = tempfile::Builder::new()
        .prefix(".ptxasw-")
        .permissions(fs::Permissions::from_mode(NEW_FILE))
        .tempfile_in(folder)?;
    Ok(Unborn::Named(file))
}

impl Unborn {
    fn file(&mut self) -> &mut File {
        match self {
            Unborn::Nameless(file) => file,
            Unborn::Named(file) => file.as_file_mut(),
        }
    }

    fn take_place(self, folder: &Path, target: &Path) -> io::Result<()> {
        let file = match self {
            Unborn::Named(file) => return file.persist(target).map(drop).map_err(|e| e.error),
            Unborn::Nameless(file) => file,
        };
        let link = |path: &Path| {
            let this = format!("/proc/self/fd/{}", file.as_raw_fd());
            linkat(
                AT_FDCWD,
                this.as_str(),
                AT_FDCWD,
                path,
                AtFlags::AT_SYMLINK_FOLLOW,
            )
        };
        match link(target) {
            Ok(()) => Ok(()),
            // Nothing can be linked over a file; a second name can be moved over it.
            Err(Errno::EEXIST) => {
                let second = folder.join(format!(".ptxasw-{}", std::process::id()));
                link(&second)?;
                fs::rename(&second, target).inspect_err(|_| {
                    let _ = fs::remove_file(&second);
                })
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Adds whole lines to a file that other processes add to at the same time.
///
/// # Errors
/// What the system says.
pub fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file: File = OpenOptions::new().create(true).append(true).open(path)?;
    // One call of the system, so that the pieces of parallel writers do not mix.
    file.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        // More than one call of the system takes, empty ones at both ends and between.
        let lines: Vec<String> = (0..5000).map(|line| format!("{line}\n")).collect();
        let mut pieces: Vec<&[u8]> = vec![b""; 2000];
        pieces.extend(lines.iter().flat_map(|line| [line.as_bytes(), b""]));
        write_pieces(&path, &pieces).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), lines.concat());
        for nothing in [&[][..], &[&b""[..], b""]] {
            write_pieces(&path, nothing).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"");
        }
    }
}
