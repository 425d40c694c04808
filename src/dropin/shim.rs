//! A shadow of a CUDA toolkit: every entry a link to the real one, but `bin/ptxas` is this program.
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
    #[error("`{0}` is no CUDA toolkit: it has no bin/ptxas")]
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

/// By this link a shadow is known, and finds the real one.
const REAL: &str = "bin/ptxas.real";

/// Makes, or renews, the shadow of a toolkit in a folder; `program` is the drop-in assembler.
///
/// # Errors
/// The toolkit is none, the folder holds other things, or the system refuses.
pub fn create(folder: &Path, toolkit: &Path, program: &Path) -> Result<(), ShimError> {
    let toolkit = absolute(toolkit)?;
    let program = absolute(program)?;
    if !toolkit.join("bin/ptxas").is_file() {
        return Err(ShimError::NoToolkit(toolkit));
    }
    if toolkit.join(REAL).is_symlink() {
        return Err(ShimError::IsShadow(toolkit));
    }
    clear(folder)?;
    make(&folder.join("bin"), |path| fs::create_dir_all(path))?;
    for name in entries(&toolkit)?.iter().filter(|name| *name != "bin") {
        link(&toolkit.join(name), &folder.join(name))?;
    }
    for name in entries(&toolkit.join("bin"))? {
        let target = match name.to_str() {
            Some("ptxas") => program.clone(),
            _ => toolkit.join("bin").join(&name),
        };
        link(&target, &folder.join("bin").join(&name))?;
    }
    link(&toolkit.join("bin/ptxas"), &folder.join(REAL))
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
            let path = part.join(name);
            // The shadow itself is links and the folder of programs; what else someone put there stays.
            if path.is_symlink() {
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
        for name in ["bin/ptxas", "bin/nvcc", "include/cuda.h", "program"] {
            fs::write(home.join(name), name).unwrap();
        }
        home
    }

    #[test]
    fn all_but_the_assembler_is_linked() {
        let root = tempfile::tempdir().unwrap();
        let home = toolkit(root.path());
        let (shadow, program) = (root.path().join("shadow"), home.join("program"));
        for _ in 0..2 {
            create(&shadow, &home, &program).unwrap();
            let text = |name: &str| fs::read_to_string(shadow.join(name)).unwrap();
            assert_eq!(text("bin/ptxas"), "program");
            assert_eq!(text("bin/ptxas.real"), "bin/ptxas");
            assert_eq!(text("bin/nvcc"), "bin/nvcc");
            assert_eq!(text("include/cuda.h"), "include/cuda.h");
            assert!(shadow.join("bin/crt").is_dir());
        }
    }

    #[test]
    fn other_folders_are_left_alone() {
        let root = tempfile::tempdir().unwrap();
        let home = toolkit(root.path());
        let program = home.join("program");
        let other = root.path().join("other");
        fs::create_dir(&other).unwrap();
        assert!(matches!(
            create(&root.path().join("x"), &other, &program),
            Err(ShimError::NoToolkit(_))
        ));
        fs::write(other.join("mine"), "").unwrap();
        assert!(matches!(
            create(&other, &home, &program),
            Err(ShimError::Occupied(_))
        ));
        let shadow = root.path().join("shadow");
        create(&shadow, &home, &program).unwrap();
        assert!(matches!(
            create(&root.path().join("y"), &shadow, &program),
            Err(ShimError::IsShadow(_))
        ));
    }
}
