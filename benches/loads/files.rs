//! The kernels: what compilers made of the sources, by group.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use ptxasw::warp::launch::{LaunchSpec, parse_line};

/// Folders below `ptx-tests/loads`, and what they hold.
pub const GROUPS: [(&str, &str); 3] = [
    ("cuda", "CUDA C++ without `restrict`"),
    ("openacc", "OpenACC, by GCC"),
    ("records", "Records"),
];

/// The folder with the same sources under `restrict`, and the group that it is beside.
const BY_HAND: (&str, &str) = ("restrict", "cuda");

/// A module with one kernel.
pub struct File {
    /// The folder that it is in.
    pub group: &'static str,
    /// Its name without the extension: source and compiler.
    pub name: String,
    /// The text.
    pub text: Vec<u8>,
    /// The first launch of its header: whole warps, aligned pointers.
    pub launch: LaunchSpec,
    /// The same source with `restrict`.
    pub by_hand: Option<Vec<u8>>,
}

/// All files, in the order of the groups and of their names.
pub fn all(folder: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    for (group, _) in GROUPS {
        let pattern = folder.join(group).join("*.ptx");
        let mut paths: Vec<PathBuf> =
            glob::glob(&pattern.to_string_lossy())?.collect::<Result<_, _>>()?;
        ensure!(!paths.is_empty(), "no file fits {}", pattern.display());
        paths.sort();
        for path in paths {
            files.push(file(folder, group, &path).with_context(|| path.display().to_string())?);
        }
    }
    Ok(files)
}

fn file(folder: &Path, group: &'static str, path: &Path) -> Result<File> {
    let text = std::fs::read_to_string(path)?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("// launch:"))
        .context("a launch")?;
    let launch = parse_line(line).map_err(|error| anyhow::anyhow!("{error}"))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let (beside, of) = BY_HAND;
    let by_hand = match group == of {
        true => Some(std::fs::read(
            folder.join(beside).join(format!("{name}.ptx")),
        )?),
        false => None,
    };
    Ok(File {
        group,
        name: name.into_owned(),
        text: text.into_bytes(),
        launch,
        by_hand,
    })
}
