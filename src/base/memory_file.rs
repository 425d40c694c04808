//! Files that only memory holds.

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::process::Stdio;

/// A file that only memory holds: it is gone with this process, however that ends.
#[derive(Debug)]
pub struct MemoryFile {
    file: File,
}

impl MemoryFile {
    /// With these bytes, to be read from their start.
    pub fn new(bytes: &[u8]) -> io::Result<Self> {
        let mut file = File::from(memfd_create(c"ptxasw", MFdFlags::MFD_CLOEXEC)?);
        file.write_all(bytes)?;
        file.rewind()?;
        Ok(MemoryFile { file })
    }

    /// A path by which other processes of this user open it, at its start.
    pub fn path(&self) -> OsString {
        format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd()).into()
    }

    /// As standard input of a child.
    pub fn stdin(&self) -> io::Result<Stdio> {
        Ok(self.file.try_clone()?.into())
    }

    /// Keeps it open in the program that this process becomes.
    pub fn survive_exec(&self) {
        // Without it the program finds no file, and says so.
        let _ = fcntl(&self.file, FcntlArg::F_SETFD(FdFlag::empty()));
    }

    /// All that it holds.
    pub fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_memory_are_read_by_others() {
        let mut file = MemoryFile::new(b"one").unwrap();
        assert_eq!(std::fs::read(file.path()).unwrap(), b"one");
        std::fs::write(file.path(), b"other").unwrap();
        assert_eq!(file.bytes().unwrap(), b"other");
    }
}
