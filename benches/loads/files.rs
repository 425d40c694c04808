//! The kernels: what compilers made of the sources, by group.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use ptxasw::executor::launch::{LaunchSpec, parse_line};

/// Files that belong together.
pub struct Group {
    /// What they hold.
    pub title: &'static str,
    /// Below `ptx-tests`.
    patterns: &'static [&'static str],
    /// The kernel, by the begin of its name, that cannot gain.
    pub cannot_gain: &'static str,
}

/// The groups, in the order of the table.
pub const GROUPS: [Group; 4] = [
    Group {
        title: "CUDA C++ without `restrict`",
        patterns: &[CUDA],
        cannot_gain: "not_chase",
    },
    Group {
        title: "OpenACC by GCC, OpenMP by clang",
        patterns: &["loads/openacc/*.ptx", "loads/openmp/*.ptx"],
        cannot_gain: "ep.clang",
    },
    Group {
        title: "Triton, Numba, Halide, Warp",
        patterns: &[
            "producers/*.triton*.ptx",
            "producers/*.numba.ptx",
            "producers/*.halide.ptx",
            "producers/*.warp.ptx",
        ],
        cannot_gain: "softmax.triton",
    },
    Group {
        title: "Records",
        patterns: &["loads/records/*.ptx"],
        cannot_gain: "not_record",
    },
];

/// The files that there are with `restrict`, too, and their folder then.
const CUDA: &str = "loads/cuda/*.ptx";
const RESTRICT: &str = "loads/restrict";

/// Without a launch: its addresses in shared memory, from 0 on, are those of no variable, which the executor does not have.
const NOT_EXECUTED: &str = "staged.halide";

/// A kernel of a module.
pub struct File {
    /// Its group, by number.
    pub group: usize,
    /// The name of its file without the extension, source and compiler; with its own where the file has several.
    pub name: String,
    /// The text.
    pub text: Vec<u8>,
    /// The first launch of its header: whole warps, aligned pointers.
    pub launch: LaunchSpec,
    /// The text of the source with `restrict`.
    pub by_hand: Option<Vec<u8>>,
}

impl File {
    /// Whether it is the kernel of its group that cannot gain.
    pub fn cannot_gain(&self) -> bool {
        self.name.starts_with(GROUPS[self.group].cannot_gain)
    }
}

/// All kernels, in the order of the groups and of the names of their files.
pub fn all(folder: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    for (number, group) in GROUPS.iter().enumerate() {
        for pattern in group.patterns {
            let whole = folder.join(pattern);
            let mut paths: Vec<PathBuf> =
                glob::glob(&whole.to_string_lossy())?.collect::<Result<_, _>>()?;
            ensure!(!paths.is_empty(), "no file fits {}", whole.display());
            paths.sort();
            for path in paths {
                let mut kernels =
                    kernels(number, &path).with_context(|| path.display().to_string())?;
                if *pattern == CUDA {
                    let name = path.file_name().context("a name")?;
                    let by_hand = std::fs::read(folder.join(RESTRICT).join(name))?;
                    kernels
                        .iter_mut()
                        .for_each(|kernel| kernel.by_hand = Some(by_hand.clone()));
                }
                files.extend(kernels);
            }
        }
        let marked = files
            .iter()
            .filter(|file| file.group == number && file.cannot_gain());
        ensure!(
            marked.count() > 0,
            "{} has no {}",
            group.title,
            group.cannot_gain
        );
    }
    Ok(files)
}

/// The kernels of a file, by its launches: the first of each.
fn kernels(group: usize, path: &Path) -> Result<Vec<File>> {
    let text = std::fs::read_to_string(path)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut files: Vec<File> = Vec::new();
    let launches = text
        .lines()
        .filter_map(|line| line.strip_prefix("// launch:"));
    for line in launches {
        let launch = parse_line(line).map_err(|error| anyhow::anyhow!("{error}"))?;
        if files.iter().any(|file| file.launch.kernel == launch.kernel) {
            continue;
        }
        files.push(File {
            group,
            name: name.clone().into_owned(),
            text: text.clone().into_bytes(),
            launch,
            by_hand: None,
        });
    }
    if files.is_empty() && name != NOT_EXECUTED {
        bail!("no launch");
    }
    if files.len() > 1 {
        for file in &mut files {
            let kernel = file
                .launch
                .kernel
                .as_deref()
                .context("launches name kernels")?;
            // Warp's names end in a digest and words of its own.
            let short = kernel.split('_').next().unwrap_or(kernel);
            file.name = format!("{name} {short}");
        }
    }
    Ok(files)
}
