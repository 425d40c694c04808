//! Certificates as a folder: one file for each obligation, and the index.

use super::index::{self, Claim, File, Index, Kernel, Pass, Shuffle};
use super::{Certificate, Obligation, Site};
use ptxasw_base::atomic_file;
use ptxasw_ir::lanes::LaneMap;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Characters of a kernel's name that its folder keeps.
const MAX_NAME: usize = 64;
/// Bytes of an index that is read.
const MAX_INDEX: u64 = 1 << 30;
/// Entries of a folder that is to be replaced, beyond which it is not taken for one of ours.
const MAX_ENTRIES: usize = 10_000_000;

/// Why certificates can't be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The folder holds something else.
    #[error("`{}` is not a folder of certificates, and not empty: {reason}", folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What shows it.
        reason: String,
    },
    /// The system refused.
    #[error("cannot write `{}`: {error}", path.display())]
    Io {
        /// What was to be written.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

/// What was proved for the shuffles of a kernel.
#[derive(Clone, Debug)]
pub struct KernelCertificates<'p> {
    /// The mangled name of the kernel.
    pub kernel: &'p str,
    /// Claims that its shuffles share.
    pub obligations: &'p [Obligation],
    /// Each shuffle, in the order of the text: from which lane it takes its value, and its certificate.
    pub shuffles: Vec<(LaneMap, Option<&'p Certificate>)>,
}

/// What a pass over the SSA IR proved for one function.
#[derive(Clone, Debug)]
pub struct PassObligations<'p> {
    /// The pass.
    pub pass: &'p str,
    /// The function.
    pub function: &'p str,
    /// Claims for a solver.
    pub obligations: &'p [Obligation],
}

/// The certificates of a module.
#[derive(Clone, Debug, Default)]
pub struct ModuleCertificates<'p> {
    /// Of its shuffles, by kernel.
    pub kernels: Vec<KernelCertificates<'p>>,
    /// What its passes proved.
    pub passes: Vec<PassObligations<'p>>,
    /// What the rewritings of its passes rest on, in words.
    pub claims: Vec<Claim>,
}

/// Writes the certificates of a module to `folder`, which is new, empty, or a folder of certificates that is
/// replaced. All files appear at once: they are written beside the folder and moved there together.
///
/// # Errors
/// If the folder holds anything else, or the system refuses.
pub fn write(folder: &Path, contents: &ModuleCertificates) -> Result<(), WriteError> {
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |error| WriteError::Io { path, error }
    };
    // A link stays a link: its target is replaced.
    let target = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let existing = target.symlink_metadata().is_ok();
    if existing {
        replaceable(&target)?;
    }
    let parent = match target.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let work = tempfile::Builder::new()
        .prefix(".certificates-")
        .tempdir_in(&parent)
        .map_err(|error| failed(&target)(atomic_file::without_name(error)))?;
    let fresh = work.path().join("new");
    let (index, files) = lay_out(contents);
    for (name, text) in &files {
        let path = fresh.join(name);
        let folder = path.parent().unwrap_or(&fresh);
        fs::create_dir_all(folder).map_err(failed(folder))?;
        fs::write(&path, text).map_err(failed(&path))?;
    }
    fs::create_dir_all(&fresh).map_err(failed(&fresh))?;
    let json = serde_json::to_vec_pretty(&index).map_err(|error| WriteError::Io {
        path: target.join(index::FILE),
        error: error.into(),
    })?;
    let path = fresh.join(index::FILE);
    fs::write(&path, json).map_err(failed(&path))?;
    if existing {
        fs::rename(&target, work.path().join("old")).map_err(failed(&target))?;
    }
    fs::rename(&fresh, &target).map_err(failed(&target))
}

/// Whether an existing folder may be replaced: empty, or an index and no file that it does not list.
fn replaceable(folder: &Path) -> Result<(), WriteError> {
    let foreign = |reason: String| WriteError::Foreign {
        folder: folder.to_path_buf(),
        reason,
    };
    let found = entries(folder).map_err(|error| WriteError::Io {
        path: folder.to_path_buf(),
        error,
    })?;
    if found.is_empty() {
        return Ok(());
    }
    let index = read_index(folder).map_err(foreign)?;
    let listed: FxHashSet<&str> = index.files().map(|file| file.file.as_str()).collect();
    let stranger = found
        .iter()
        .find(|name| name.as_str() != index::FILE && !listed.contains(name.as_str()));
    match stranger {
        Some(name) => Err(foreign(format!("the index does not list `{name}`"))),
        None => Ok(()),
    }
}

/// Reads the index of a folder of certificates.
///
/// # Errors
/// In words, if there is none or it is none of ours.
pub fn read_index(folder: &Path) -> Result<Index, String> {
    let path = folder.join(index::FILE);
    let data = fs::metadata(&path).map_err(|error| format!("`{}`: {error}", index::FILE))?;
    if !data.is_file() {
        return Err(format!("`{}` is not a regular file", index::FILE));
    }
    if data.len() > MAX_INDEX {
        return Err(format!("`{}` is too large", index::FILE));
    }
    let text = fs::read(&path).map_err(|error| format!("`{}`: {error}", index::FILE))?;
    let index: Index = serde_json::from_slice(&text)
        .map_err(|error| format!("`{}` is not an index of certificates: {error}", index::FILE))?;
    if index.format != index::FORMAT {
        return Err(format!("`{}` is of another format", index::FILE));
    }
    Ok(index)
}

/// The files of a folder and of the folders in it, sorted, with `/`.
///
/// # Errors
/// If the system refuses, or it holds more than a folder of certificates can.
pub fn entries(folder: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_path_buf(), String::new())];
    while let Some((path, prefix)) = folders.pop() {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            // Links are not followed.
            if entry.file_type()?.is_dir() && prefix.is_empty() {
                folders.push((entry.path(), format!("{name}/")));
            } else {
                found.push(name);
            }
            if found.len() + folders.len() > MAX_ENTRIES {
                return Err(io::Error::other("too many files"));
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// The names of files and folders that are given so far.
#[derive(Default)]
struct Names<'p> {
    files: BTreeMap<String, &'p str>,
    folders: FxHashSet<String>,
}

/// Names for all files, and the index.
fn lay_out<'p>(contents: &ModuleCertificates<'p>) -> (Index, BTreeMap<String, &'p str>) {
    let mut names = Names::default();
    let mut index = Index {
        format: index::FORMAT.into(),
        kernels: Vec::new(),
        claims: contents.claims.clone(),
        passes: Vec::new(),
    };
    for kernel in &contents.kernels {
        index.kernels.push(names.kernel(kernel));
    }
    for pass in &contents.passes {
        index.passes.push(names.pass(pass));
    }
    (index, names.files)
}

impl<'p> Names<'p> {
    fn kernel(&mut self, kernel: &KernelCertificates<'p>) -> Kernel {
        let folder = folder_name(kernel.kernel, &mut self.folders);
        let obligations = self.files(&format!("{folder}/"), kernel.obligations);
        let site = |of: Option<&Site>| of.cloned().unwrap_or_default();
        let mut shuffles = Vec::new();
        for (&(lanes, certificate), number) in kernel.shuffles.iter().zip(1u32..) {
            let own = certificate.map_or(&[][..], |one| &one.obligations);
            shuffles.push(Shuffle {
                number,
                destination: site(certificate.map(|one| &one.destination)),
                source: site(certificate.map(|one| &one.source)),
                lanes,
                obligations: self.files(&format!("{folder}/{number:04}-"), own),
                structural: certificate.map_or_else(Vec::new, |one| one.structural.clone()),
            });
        }
        Kernel {
            kernel: kernel.kernel.to_owned(),
            obligations,
            shuffles,
        }
    }

    fn pass(&mut self, pass: &PassObligations<'p>) -> Pass {
        let (name, function) = (pass.pass.to_owned(), pass.function.to_owned());
        let folder = folder_name(&format!("{function}_{name}"), &mut self.folders);
        Pass {
            pass: name,
            function,
            obligations: self.files(&format!("{folder}/"), pass.obligations),
        }
    }

    /// `PREFIXC1.smt2`; numbered from the second of a kind.
    fn files(&mut self, prefix: &str, obligations: &'p [Obligation]) -> Vec<File> {
        let mut counts = BTreeMap::new();
        let mut files = Vec::new();
        for obligation in obligations {
            let count = counts.entry(obligation.kind).or_insert(0u32);
            *count += 1;
            let kind = obligation.kind.name();
            let file = match *count {
                1 => format!("{prefix}{kind}.smt2"),
                count => format!("{prefix}{kind}-{count}.smt2"),
            };
            self.files.insert(file.clone(), obligation.smt.as_str());
            files.push(File {
                file,
                kind: obligation.kind,
                line: obligation.line,
                about: obligation.about.clone(),
            });
        }
        files
    }
}

/// A name for a kernel's folder that every file system takes. Names that had to be changed, are long, or differ from an
/// earlier one by case alone end in a hash.
fn folder_name(kernel: &str, used: &mut FxHashSet<String>) -> String {
    let plain: String = kernel
        .chars()
        .take(MAX_NAME)
        .map(|c| match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => c,
            _ => '_',
        })
        .collect();
    let mut name = plain.clone();
    let mut seed = 0;
    while name.is_empty() || (seed == 0 && plain != kernel) || used.contains(&name.to_lowercase()) {
        name = format!("{plain}-{:016x}", hash(kernel, seed));
        seed += 1;
    }
    used.insert(name.to_lowercase());
    name
}

/// FNV-1a, which is the same everywhere.
fn hash(text: &str, seed: u64) -> u64 {
    let bytes = seed.to_le_bytes().into_iter().chain(text.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Kind;

    #[test]
    fn folders_have_short_plain_and_different_names() {
        let mut used = FxHashSet::default();
        let mut name = |kernel: &str| folder_name(kernel, &mut used);
        assert_eq!(name("jacobi"), "jacobi");
        let dollar = name("jac$obi");
        assert!(dollar.starts_with("jac_obi-") && dollar.len() == "jac_obi-".len() + 16);
        assert_ne!(name("Jacobi"), "Jacobi");
        let long = "_Z".repeat(2000);
        let (one, other) = (name(&long), name(&format!("{long}x")));
        assert!(one.len() <= MAX_NAME + 17 && one != other);
        assert_ne!(name("jacobi"), "jacobi");
    }

    #[test]
    fn only_folders_of_ours_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        let obligation = |kind| Obligation {
            kind,
            line: None,
            about: String::new(),
            smt: "(check-sat)".into(),
        };
        let (branch, apart) = ([obligation(Kind::Branch)], [obligation(Kind::Apart)]);
        let claim = Claim {
            pass: "memory".into(),
            function: "k".into(),
            site: Site::default(),
            evidence: "other bytes".into(),
        };
        let contents = ModuleCertificates {
            kernels: vec![KernelCertificates {
                kernel: "k",
                obligations: &branch,
                shuffles: Vec::new(),
            }],
            passes: vec![PassObligations {
                pass: "memory",
                function: "k",
                obligations: &apart,
            }],
            claims: vec![claim.clone()],
        };
        write(&target, &contents).unwrap();
        let files = ["index.json", "k/branch.smt2", "k_memory/M3.smt2"];
        assert_eq!(entries(&target).unwrap(), files);
        assert_eq!(read_index(&target).unwrap().claims, [claim]);
        write(&target, &ModuleCertificates::default()).unwrap();
        assert_eq!(entries(&target).unwrap(), ["index.json"]);
        fs::write(target.join("mine.txt"), "").unwrap();
        let refused = write(&target, &ModuleCertificates::default()).unwrap_err();
        assert!(refused.to_string().contains("mine.txt"), "{refused}");
        // No other file remains.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
