//! The layout of a bundle.
//!
//! ```text
//! program | head | parts, one after the other | index (JSON) | trailer
//! ```
//!
//! The head directly after the program marks a file whose trailer was cut off: such a file must not start as a plain `ptxasw`
//! that assembles with other settings.

use super::BundleError;
use object::Endianness;
use object::elf::FileHeader64;
use object::read::elf::FileHeader;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// The head, and the end of the trailer.
const MAGIC: [u8; 16] = *b"\xffptxasw bundle\0\n";
/// Of this layout.
const VERSION: u32 = 1;
/// Length of the index, digest of the index, version, magic.
const TRAILER: usize = 8 + 16 + 4 + MAGIC.len();
/// Of an ELF file.
const HEADER: usize = size_of::<FileHeader64<Endianness>>();
/// An index that is longer is none.
const MAX_INDEX: u64 = 1 << 20;

/// What a bundle holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Index {
    /// The version of this program that made it.
    pub version: String,
    /// The digest of the program.
    pub program: String,
    /// Settings by the names of their variables.
    pub settings: BTreeMap<String, String>,
    /// The assembler.
    pub assembler: BundledFile,
    /// The solver's version; none without a solver.
    pub solver_version: Option<String>,
    /// The libraries that the solver's library needs, then itself; none without a solver.
    pub solver: Vec<BundledFile>,
}

impl Index {
    /// A digest of all: the parts are in it by their digests.
    pub fn identity(&self) -> u64 {
        xxh3_64(&serde_json::to_vec(self).unwrap_or_default())
    }
}

/// A file in a bundle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct BundledFile {
    /// The file name that it is unpacked under.
    pub name: String,
    /// Where it starts in the bundle.
    pub start: u64,
    /// Its length.
    pub length: u64,
    /// XXH3 of its bytes, 128 bits in hexadecimal digits.
    pub digest: String,
}

/// The digest of a part as text.
pub(super) fn digest(number: u128) -> String {
    format!("{number:032x}")
}

/// What a bundle has between its program and its files, and what follows the files: the index and the trailer.
pub(super) fn head_and_trailer(index: &Index) -> (Vec<u8>, Vec<u8>) {
    let mut end = serde_json::to_vec(index).unwrap_or_default();
    let (length, digest) = (end.len() as u64, xxh3_128(&end));
    end.extend_from_slice(&length.to_le_bytes());
    end.extend_from_slice(&digest.to_le_bytes());
    end.extend_from_slice(&VERSION.to_le_bytes());
    end.extend_from_slice(&MAGIC);
    (MAGIC.to_vec(), end)
}

/// The first part starts this many bytes after the end of the program.
pub(super) const HEAD: u64 = MAGIC.len() as u64;

/// The index of a file; nothing if it is no bundle.
///
/// # Errors
/// The file was a bundle and is cut or damaged, or another version of this program made it.
pub(super) fn index(file: &File) -> Result<Option<Index>, BundleError> {
    let length = file.metadata()?.len();
    let Some(program) = program_length(file)? else {
        return Ok(None);
    };
    if length < program {
        return Err(BundleError::Damaged("it is cut"));
    }
    let mut head = [0; MAGIC.len()];
    if length < program + HEAD {
        return Ok(None);
    }
    file.read_exact_at(&mut head, program)?;
    if head != MAGIC {
        return Ok(None);
    }
    trailer(file, length, program + HEAD).map(Some)
}

/// Reads the trailer and the index in front of it; the parts start at `from`.
fn trailer(file: &File, length: u64, from: u64) -> Result<Index, BundleError> {
    let room = length.checked_sub(from + TRAILER as u64);
    let room = room.ok_or(BundleError::Damaged("it is cut"))?;
    let mut trailer = [0; TRAILER];
    file.read_exact_at(&mut trailer, length - TRAILER as u64)?;
    let (numbers, magic) = trailer.split_at(TRAILER - MAGIC.len());
    if magic != MAGIC {
        return Err(BundleError::Damaged("it has no trailer"));
    }
    let (size, rest) = numbers.split_at(8);
    let (digest, version) = rest.split_at(16);
    if version != VERSION.to_le_bytes() {
        return Err(BundleError::Damaged("another version of ptxasw made it"));
    }
    let size = u64::from_le_bytes(size.try_into().unwrap_or_default());
    if size > room.min(MAX_INDEX) {
        return Err(BundleError::Damaged("its index is longer than the file"));
    }
    let mut index = vec![0; size as usize];
    file.read_exact_at(&mut index, length - TRAILER as u64 - size)?;
    if xxh3_128(&index).to_le_bytes() != digest {
        return Err(BundleError::Damaged("its index has other bytes"));
    }
    serde_json::from_slice(&index).map_err(|_| BundleError::Damaged("its index is unreadable"))
}

/// Where an ELF program ends by its own account; nothing if it does not say so.
pub(super) fn program_length(file: &File) -> io::Result<Option<u64>> {
    let mut bytes = [0; HEADER];
    let read = file.read_at(&mut bytes, 0)?;
    let Ok(header) = FileHeader64::<Endianness>::parse(&bytes[..read]) else {
        return Ok(None);
    };
    let Ok(endian) = header.endian() else {
        return Ok(None);
    };
    let (start, count) = (header.e_shoff.get(endian), header.e_shnum.get(endian));
    let size = header.e_shentsize.get(endian);
    let end = start.checked_add(u64::from(count) * u64::from(size));
    Ok(end.filter(|_| start != 0))
}
