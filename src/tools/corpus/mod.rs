//! Everything that is asked of the tool, over a tree of PTX files: they parse, come out as they went in where nothing is
//! rewritten, and the real `ptxas` takes what is made of them.
//!
//! Each file is examined by itself and gives a [`Record`]; records can be kept as lines of JSON, so that a run that was cut
//! off goes on where it ended.

mod examine;
mod record;
mod shard;
mod store;
mod summary;

pub use examine::examine;
pub use record::{Assembly, Record};
pub use shard::{BadShard, Shard};
pub use store::{Store, StoreError};
pub use summary::{Folder, Summary};

use ptxasw_driver::pipeline;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// What is done with each file.
#[derive(Clone, Debug)]
pub struct Options {
    /// How files are rewritten.
    pub pipeline: pipeline::Options,
    /// Both texts go through `ptxas`.
    pub assemble: bool,
    /// Kernels with shuffles are run on the CPU, and compared with their originals.
    pub verify: Option<ptxasw_verify::Options>,
}

/// The `.ptx` files below a folder, in the order of their paths. Links are not followed, and what is no regular file is
/// left out.
///
/// # Errors
/// A folder can't be read.
pub fn files(root: &Path) -> Result<Vec<PathBuf>, walkdir::Error> {
    let mut found = Vec::new();
    for entry in WalkDir::new(root).sort_by_file_name() {
        let entry = entry?;
        let named = entry.path().extension().is_some_and(|name| name == "ptx");
        if named && entry.file_type().is_file() {
            found.push(entry.into_path());
        }
    }
    Ok(found)
}
