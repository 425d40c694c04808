//! The texts that the inputs of a call name.

use super::arguments::{Arguments, InputSource};
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;

/// The text of one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// It came from a pipe, which is empty now: the real tool needs the bytes from us.
    pub used_up: bool,
}

/// Reads all inputs.
///
/// # Errors
/// One can't be read; the real tool has its own words for that.
pub fn read(arguments: &Arguments) -> io::Result<Vec<Text>> {
    let read = |source: &InputSource| match source {
        InputSource::Text(bytes) => Ok(Text {
            bytes: bytes.clone(),
            used_up: false,
        }),
        InputSource::Stdin => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            Ok(Text {
                bytes,
                used_up: true,
            })
        }
        InputSource::File(path) => {
            let data = fs::metadata(path)?;
            // It may have no end, as `/dev/zero`; what a terminal says can be read once.
            if data.file_type().is_char_device() {
                return Err(io::ErrorKind::Unsupported.into());
            }
            let used_up = !data.is_file();
            let bytes = fs::read(path)?;
            Ok(Text { bytes, used_up })
        }
    };
    arguments
        .inputs
        .iter()
        .map(|input| read(&input.source))
        .collect()
}

/// Whether a text is PTX: its first word is `.version`.
pub fn is_ptx(text: &[u8]) -> bool {
    let mut rest = text.trim_ascii_start();
    loop {
        let end = match rest {
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest),
            [b'/', b'*', ..] => memchr::memmem::find(&rest[2..], b"*/").map(|at| at + 3),
            _ => return rest.starts_with(b".version"),
        };
        match end {
            Some(end) => rest = rest[end + 1..].trim_ascii_start(),
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ptx_starts_with_its_version() {
        assert!(is_ptx(b"//\n// x\n /* y\n */ .version 8.0\n"));
        assert!(is_ptx(b".version 8.0") && is_ptx(b"/**/.version 8.0"));
        assert!(!is_ptx(b"\x7fELF") && !is_ptx(b"// .version 8.0") && !is_ptx(b"/* .version"));
        assert!(!is_ptx(b"") && !is_ptx(b"/"));
    }
}
