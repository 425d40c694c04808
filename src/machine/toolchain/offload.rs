//! GCC as a compiler for nvptx.

use std::path::Path;

/// Folders with GCC's own programs by target and version.
const GCC_FOLDERS: &[&str] = &["/usr/lib/gcc", "/usr/lib64/gcc", "/usr/local/lib/gcc"];

/// Versions of GCC that offload to nvptx, oldest first.
pub fn offload_compilers() -> Vec<String> {
    let mut found = Vec::new();
    for root in GCC_FOLDERS {
        let pattern = format!("{root}/*/*/accel/nvptx-none");
        for folder in glob::glob(&pattern).into_iter().flatten().flatten() {
            let version = folder.ancestors().nth(2).and_then(Path::file_name);
            found.extend(version.map(|name| name.to_string_lossy().into_owned()));
        }
    }
    let number = |version: &String| version.parse::<f64>().unwrap_or_default();
    found.sort_by(|one, other| number(one).total_cmp(&number(other)).then(one.cmp(other)));
    found.dedup();
    found
}
