//! The user's cache folder. What is started or assembled from it must not have been put there by another user: folders are opened one
//! within the other, and must be this user's own.

use nix::errno::Errno;
use nix::fcntl::{OFlag, openat};
use nix::sys::stat::{Mode, mkdirat};
use nix::unistd::geteuid;
use std::env;
use std::fs::{DirBuilder, File, Metadata};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Ours in the user's cache.
const NAME: &str = "ptxasw";

/// `XDG_CACHE_HOME` or `~/.cache`.
pub fn root() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    match variable("XDG_CACHE_HOME").map(PathBuf::from) {
        Some(root) if root.is_absolute() => Some(root),
        _ => Some(Path::new(&variable("HOME")?).join(".cache")),
    }
}

/// Makes the user's cache folder if it is missing and the folder above it belongs to this user: a home folder that must not
/// exist (`/nonexistent`) is not made, and root makes nothing in another user's. A bundle that runs makes none: in the sandbox
/// of a build server it leaves no folder.
///
/// # Errors
/// What the system says.
pub fn make_root() -> io::Result<()> {
    let root = root().ok_or(io::ErrorKind::NotFound)?;
    if root.is_dir() {
        return Ok(());
    }
    let parent = root.parent().filter(|parent| parent.is_absolute());
    let parent = parent.ok_or(io::ErrorKind::NotFound)?.metadata()?;
    if parent.uid() != geteuid().as_raw() {
        return Err(refused("the home folder belongs to another user"));
    }
    match DirBuilder::new().mode(0o700).create(root) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Our folder in the user's cache, open; it is made if it is not there.
///
/// # Errors
/// There is no cache folder, or it belongs to another user.
pub fn own() -> io::Result<File> {
    let root = root().ok_or(io::ErrorKind::NotFound)?;
    let root = File::open(root)?;
    let data = root.metadata()?;
    if !data.is_dir() || data.uid() != geteuid().as_raw() {
        return Err(refused("the cache folder belongs to another user"));
    }
    private(&root, NAME)
}

/// A folder that this user alone can write, in one that is open; it is made if it is not there.
///
/// # Errors
/// Somebody else can write it.
pub fn private(parent: &File, name: &str) -> io::Result<File> {
    match mkdirat(parent, name, Mode::S_IRWXU) {
        Ok(()) | Err(Errno::EEXIST) => {}
        Err(errno) => return Err(errno.into()),
    }
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let folder = File::from(openat(parent, name, flags, Mode::empty())?);
    match is_private(&folder.metadata()?) {
        true => Ok(folder),
        false => Err(refused("other users can write the cache folder")),
    }
}

/// Opens a file of a folder to read it. It may be any user's: see [`is_private`].
///
/// # Errors
/// It is not there, or a link.
pub fn open(folder: &File, name: &str) -> io::Result<File> {
    let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    Ok(File::from(openat(folder, name, flags, Mode::empty())?))
}

/// Whether this user owns a file or folder, and nobody else may write it.
pub fn is_private(data: &Metadata) -> bool {
    data.uid() == geteuid().as_raw() && data.mode() & 0o022 == 0
}

/// The path by which this process, and one that it starts, opens what it has open.
pub fn path(file: &File) -> PathBuf {
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

/// The error for a folder or file that is not trusted.
pub fn refused(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}
