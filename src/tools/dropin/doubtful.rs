//! The word after an option that [`super::table`] lacks, such as `--new 2` or `--new kernel.ptx`: its value or an input?
//!
//! Such a word is never changed while another word is certainly an input. If it is a value, it names perhaps a file that
//! `ptxas` writes; if it is a second input, `ptxas` assembles it as it is. Only where the list has no certain input, one of
//! these words must be the input, and it is the one that exists as a file, or the only one.

use super::arguments::{Pass, Slot};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The word that is the input of a list without a certain one, among the words after unknown options.
///
/// # Errors
/// Several words may be the input.
pub fn input(words: &[OsString], doubtful: &[Slot]) -> Result<Option<Slot>, Pass> {
    if let &[only] = doubtful {
        return Ok(Some(only));
    }
    let is_file = |word: &OsStr| Path::new(word).is_file();
    let mut files = doubtful.iter().filter(|slot| is_file(&words[slot.word]));
    match (files.next(), files.next()) {
        (Some(&file), None) => Ok(Some(file)),
        (None, _) if doubtful.is_empty() => Ok(None),
        _ => Err(Pass::Ambiguous),
    }
}
