//! Option files (`-optf FILE`): their words take the place of the option, as `ptxas` itself has it.

use super::arguments::Pass;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Option files in option files.
const MAX_DEPTH: usize = 16;
/// Files that are read, against those that name each other over and over and hold no other word.
const MAX_FILES: usize = 1000;
/// Bytes of a file.
const MAX_BYTES: u64 = 1 << 20;
/// Words in all, against files that name each other over and over.
const MAX_WORDS: usize = 100_000;

/// The argument list with the words of all option files.
///
/// # Errors
/// A file can't be read, nests too deep, or is quoted ambiguously.
pub fn expand(words: Vec<OsString>) -> Result<Vec<OsString>, Pass> {
    let mut all = Vec::with_capacity(words.len());
    append(words, 0, &mut 0, &mut all)?;
    Ok(all)
}

fn append(
    words: Vec<OsString>,
    depth: usize,
    files: &mut usize,
    all: &mut Vec<OsString>,
) -> Result<(), Pass> {
    if depth > MAX_DEPTH {
        return Err(Pass::OptionFile);
    }
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let names = match word.to_str() {
            Some("-optf" | "--options-file") => words.next(),
            Some(text) => text
                .strip_prefix("-optf=")
                .or_else(|| text.strip_prefix("--options-file="))
                .map(OsString::from),
            None => None,
        };
        match names {
            Some(names) => {
                for name in names.as_bytes().split(|&byte| byte == b',') {
                    *files += 1;
                    if *files > MAX_FILES {
                        return Err(Pass::OptionFile);
                    }
                    let file = read(Path::new(OsStr::from_bytes(name)))?;
                    append(file, depth + 1, files, all)?;
                }
            }
            None => all.push(word),
        }
        if all.len() > MAX_WORDS {
            return Err(Pass::OptionFile);
        }
    }
    Ok(())
}

/// The words of an option file: blanks part them, double quotes keep blanks.
fn read(path: &Path) -> Result<Vec<OsString>, Pass> {
    // A pipe could be read once only.
    let regular = fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= MAX_BYTES);
    let text = match regular {
        true => fs::read(path).map_err(|_| Pass::OptionFile)?,
        false => return Err(Pass::OptionFile),
    };
    split(&text).ok_or(Pass::OptionFile)
}

/// Nothing where a backslash, a single quote or a comment sign leaves doubt about what the tool reads.
fn split(text: &[u8]) -> Option<Vec<OsString>> {
    if text.iter().any(|byte| b"\\'#\0".contains(byte)) {
        return None;
    }
    let mut words = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        let word = match rest.first() {
            None => return Some(words),
            Some(b'"') => {
                let end = memchr::memchr(b'"', &rest[1..])?;
                let (word, tail) = (&rest[1..=end], &rest[end + 2..]);
                // A quote in the middle of a word is left to the tool.
                if tail.first().is_some_and(|byte| !byte.is_ascii_whitespace()) {
                    return None;
                }
                rest = tail;
                word
            }
            Some(_) => {
                let end = rest.iter().position(u8::is_ascii_whitespace);
                let (word, tail) = rest.split_at(end.unwrap_or(rest.len()));
                if word.contains(&b'"') {
                    return None;
                }
                rest = tail;
                word
            }
        };
        words.push(OsString::from_vec(word.to_vec()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_part_words_and_quotes_keep_them() {
        let words = split(b" -v\n \"a b.ptx\"\t-arch=sm_80 \"\"").unwrap();
        assert_eq!(words, ["-v", "a b.ptx", "-arch=sm_80", ""]);
        assert!(split(b"a\\ b").is_none() && split(b"a\"b\"").is_none());
        assert!(split(b"\"a").is_none() && split(b"\"a\"b").is_none());
    }

    #[test]
    fn files_nest_but_not_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        fs::write(&one, format!("-v -optf {} -w", two.display())).unwrap();
        fs::write(&two, "x.ptx").unwrap();
        let optf = |file: &Path| vec![OsString::from(format!("-optf={}", file.display()))];
        assert_eq!(expand(optf(&one)).unwrap(), ["-v", "x.ptx", "-w"]);
        fs::write(&two, format!("-optf {}", one.display())).unwrap();
        assert_eq!(expand(optf(&one)), Err(Pass::OptionFile));
    }

    /// Ten files, each naming the next a hundred times, are no word and 10^18 files.
    #[test]
    fn files_are_not_read_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let path = |number: usize| folder.path().join(number.to_string());
        for number in 0..9 {
            let next = format!("-optf {} ", path(number + 1).display());
            fs::write(path(number), next.repeat(100)).unwrap();
        }
        fs::write(path(9), "").unwrap();
        let words = vec!["-optf".into(), path(0).into_os_string()];
        assert_eq!(expand(words), Err(Pass::OptionFile));
    }
}
