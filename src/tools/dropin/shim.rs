//! A shadow of a CUDA toolkit: each entry links to that of the toolkit, except `bin/ptxas`, which is a bundle (`super::bundle`).
//!
//! `nvcc` puts its own folder in front of `PATH` and does not resolve links, so that only a toolkit of another folder makes
//! it call another `ptxas`. The shadow's `nvcc` then finds all else where it always was.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Why there is no shadow.
#[derive(Debug, thiserror::Error)]
pub enum ShimError {
    /// The toolkit has no `ptxas`.
    #[error("`{0}` is not a CUDA toolkit: it has no bin/ptxas")]
    NoToolkit(PathBuf),
    /// The toolkit is a shadow itself.
    #[error("`{0}` is a shadow toolkit already")]
    IsShadow(PathBuf),
    /// The folder holds something else.
    #[error("`{0}` is not empty and no shadow toolkit")]
    Occupied(PathBuf),
    /// The system refused.
    #[error("`{path}`: {source}")]
    System {
        /// What was to be made.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// By this link a shadow is known, also one of a version whose `bin/ptxas` was a link to ptxasw.
const REAL: &str = "bin/ptxas.real";
/// The one program of a shadow that is no link.
const ASSEMBLER: &str = "ptxas";

/// Makes, or renews, the shadow of a toolkit in a folder, all but its assembler, and gives the path at which that is to be
/// written. An assembler that is there already stays: a build that is running calls it.
///
/// # Errors
/// The toolkit is none, the folder holds other things, or the system refuses.
pub fn create(folder: &Path, toolkit: &Path) -> Result<PathBuf, ShimError> {
    let toolkit = absolute(toolkit)?;
    if !toolkit.join("bin/ptxas").is_file() {
        return Err(ShimError::NoToolkit(toolkit));
    }
    if toolkit.join(REAL).is_symlink() {
        return Err(ShimError::IsShadow(toolkit));
    }
    clear(folder)?;
    let bin = folder.join("bin");
    make(&bin, |path| fs::create_dir_all(path))?;
    for name in entries(&toolkit)?.iter().filter(|name| *name != "bin") {
        link(&toolkit.join(name), &folder.join(name))?;
    }
    for name in entries(&toolkit.join("bin"))? {
        if name != ASSEMBLER {
            link(&toolkit.join("bin").join(&name), &bin.join(&name))?;
        }
    }
    link(&toolkit.join("bin/ptxas"), &folder.join(REAL))?;
    Ok(bin.join(ASSEMBLER))
}

/// Removes an older shadow; leaves anything else alone.
fn clear(folder: &Path) -> Result<(), ShimError> {
    if !folder.exists() || entries(folder)?.is_empty() {
        return Ok(());
    }
    if !folder.join(REAL).is_symlink() {
        return Err(ShimError::Occupied(folder.to_path_buf()));
    }
    for part in [folder.join("bin"), folder.to_path_buf()] {
        for name in entries(&part)? {
            let path = part.join(&name);
            // The shadow itself is links and the folder of programs; what else someone put there stays.
            if path.is_symlink() && name != ASSEMBLER {
                make(&path, |path| fs::remove_file(path))?;
            }
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<std::ffi::OsString>, ShimError> {
    let read = |folder: &Path| -> io::Result<Vec<_>> {
        fs::read_dir(folder)?
            .map(|entry| Ok(entry?.file_name()))
            .collect()
    };
    let mut names = make(folder, read)?;
    names.sort();
    Ok(names)
}

fn absolute(path: &Path) -> Result<PathBuf, ShimError> {
    make(path, |path| fs::canonicalize(path))
}

fn link(target: &Path, path: &Path) -> Result<(), ShimError> {
    make(path, |path| symlink(target, path))
}

fn make<T>(path: &Path, work: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, ShimError> {
    work(path).map_err(|source| ShimError::System {
        path: path.to_path_buf(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toolkit(root: &Path) -> PathBuf {
        let home = root.join("cuda home");
        fs::create_dir_all(home.join("bin/crt")).unwrap();
        fs::create_dir_all(home.join("include")).unwrap();
        for name in ["bin/ptxas", "bin/nvcc", "include/cuda.h"] {
            fs::write(home.join(name), name).unwrap();
        }
        home
    }

    #[test]
    fn all_but_the_assembler_is_linked() {
        let root = tempfile::tempdir().unwrap();
        let home = toolkit(root.path());
        let shadow = root.path().join("shadow");
        for _ in 0..2 {
            let assembler = create(&shadow, &home).unwrap();
            assert_eq!(assembler, shadow.join("bin/ptxas"));
            fs::write(assembler, "ours").unwrap();
            let text = |name: &str| fs::read_to_string(shadow.join(name)).unwrap();
            assert_eq!(text("bin/ptxas"), "ours");
            assert_eq!(text("bin/ptxas.real"), "bin/ptxas");
            assert_eq!(text("bin/nvcc"), "bin/nvcc");
            assert_eq!(text("include/cuda.h"), "include/cuda.h");
            assert!(shadow.join("bin/crt").is_dir());
        }
        assert_eq!(fs::read(home.join("bin/ptxas")).unwrap(), b"bin/ptxas");
    }

    #[test]
    fn other_folders_are_left_alone() {
        let root = tempfile::tempdir().unwrap();
        let home = toolkit(root.path());
        let other = root.path().join("other");
        fs::create_dir(&other).unwrap();
        assert!(matches!(
            create(&root.path().join("x"), &other),
            Err(ShimError::NoToolkit(_))
        ));
        fs::write(other.join("mine"), "").unwrap();
        assert!(matches!(create(&other, &home), Err(ShimError::Occupied(_))));
        let shadow = root.path().join("shadow");
        let assembler = create(&shadow, &home).unwrap();
        fs::write(assembler, "ours").unwrap();
        assert!(matches!(
            create(&root.path().join("y"), &shadow),
            Err(ShimError::IsShadow(_))
        ));
    }
}
