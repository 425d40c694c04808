//! A folder of certificates, and whether it is the one that its index speaks of.

use super::script::MAX_BYTES;
use ptxasw_emulator::certificate::{entries, index, read_index};
use rustc_hash::FxHashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why a folder is not what its index says.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The system refused.
    #[error("cannot read `{}`: {error}", path.display())]
    Io {
        /// What was to be read.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// No index, or not one of `ptxasw`'s.
    #[error("`{}`: {reason}", path.display())]
    Index {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// A file with a claim.
#[derive(Debug)]
pub struct Text {
    /// For messages: its path.
    pub name: String,
    /// What the index records about it: kind and words.
    pub about: String,
    /// Its bytes, or why there are none.
    pub bytes: Result<Vec<u8>, String>,
}

/// Reads all files that a folder has or should have, in order. One that the index does not list, or that is not there,
/// has an error in place of its bytes; so has the index for each shuffle about which it records too little.
///
/// # Errors
/// If there is no index of `ptxasw`'s.
pub fn read_folder(folder: &Path) -> Result<Vec<Text>, FolderError> {
    let index = read_index(folder).map_err(|reason| FolderError::Index {
        path: folder.to_path_buf(),
        reason,
    })?;
    let present = entries(folder).map_err(|error| FolderError::Io {
        path: folder.to_path_buf(),
        error,
    })?;
    let mut listed: FxHashMap<&str, String> = FxHashMap::default();
    let mut texts = Vec::new();
    let name = |file: &str| folder.join(file).display().to_string();
    for kernel in &index.kernels {
        let shuffles = kernel.shuffles.iter();
        let open = shuffles.filter_map(|one| Some((one.number, one.open_condition()?)));
        texts.extend(open.map(|(number, condition)| Text {
            name: name(index::FILE),
            about: String::new(),
            bytes: Err(format!(
                "kernel `{}`, shuffle {number}: no record of how {condition} was met",
                kernel.kernel
            )),
        }));
    }
    for file in index.files() {
        let about = format!("{}: {}", file.kind.name(), file.about);
        if listed.insert(&file.file, about).is_some() {
            texts.push(Text {
                name: name(&file.file),
                about: String::new(),
                bytes: Err("the index lists it twice".into()),
            });
        }
    }
    for file in present.iter().filter(|file| *file != index::FILE) {
        let (about, bytes) = match listed.remove(file.as_str()) {
            Some(about) => (about, read(&folder.join(file))),
            None => (String::new(), Err("the index does not list it".into())),
        };
        texts.push(Text {
            name: name(file),
            about,
            bytes,
        });
    }
    // What is left was not found. The paths are only printed: they could lead anywhere.
    texts.extend(listed.into_iter().map(|(file, about)| Text {
        name: name(file),
        about,
        bytes: Err("the index lists it, but it is not there".into()),
    }));
    texts.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(texts)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let data = fs::symlink_metadata(path).map_err(|error| error.to_string())?;
    if !data.is_file() {
        return Err("no regular file".into());
    }
    if data.len() > MAX_BYTES {
        return Err("too large".into());
    }
    fs::read(path).map_err(|error| error.to_string())
}
