//! Z3's library, loaded at the first question.
//!
//! Most modules need no solver, and linking the library when the process starts takes longer than they do.

use super::functions::Functions;
use libloading::Library;
use std::error::Error;
use std::ffi::{OsStr, c_uint};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The names that the library goes by: that of its binary interface, and the one that it is linked by.
pub const NAMES: &[&str] = if cfg!(target_os = "macos") {
    &["libz3.dylib"]
} else {
    &["libz3.so.4", "libz3.so"]
};

static FUNCTIONS: OnceLock<Result<Functions, Missing>> = OnceLock::new();

/// Finds files: the libraries that Z3 needs, then its own.
type Files = Box<dyn Fn() -> io::Result<Vec<PathBuf>> + Send + Sync>;

/// Where the library is.
pub enum LibrarySource {
    /// In the package that this program is part of, else on the host, where its loader looks.
    Host,
    /// In these files, and nowhere else. They are asked for at the first question.
    Files(Files),
    /// Nowhere: every question stays open, also where the host has a library.
    Nowhere,
}

static SOURCE: OnceLock<LibrarySource> = OnceLock::new();

/// Says where the library is; to be called before the first question. Without it, it is the host's.
pub fn load_from(source: LibrarySource) {
    // What was asked for first holds: the library is loaded once.
    let _ = SOURCE.set(source);
}

/// Why questions stayed open that should not have: the library that [`load_from`] named could not be loaded.
pub fn failure() -> Option<Missing> {
    match (SOURCE.get(), FUNCTIONS.get()) {
        (Some(LibrarySource::Files(_)), Some(Err(missing))) => Some(missing.clone()),
        _ => None,
    }
}

/// Z3's library is not there, or lacks a function.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot load Z3's library: {0}")]
pub struct Missing(pub(super) String);

impl Missing {
    /// What could not be found, in the words of the system, which the error keeps to itself.
    pub(super) fn of(name: &str, error: &libloading::Error) -> Self {
        Missing(match error.source() {
            Some(source) => source.to_string(),
            None => name.to_string(),
        })
    }
}

/// Loads the library, once for the process, before anything else of it is called.
///
/// # Errors
/// The library is not there, or lacks a function.
pub fn load() -> Result<(), Missing> {
    functions().as_ref().map(drop).map_err(Missing::clone)
}

/// Where Z3's library is and its version, if it can be loaded.
pub fn library() -> Option<(String, String)> {
    if !cfg!(feature = "z3") {
        return None;
    }
    let library = open(&candidates()).ok()?;
    let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
    // SAFETY: the signature is that of `z3_sys`, and the library is never unloaded.
    unsafe {
        type Version = unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint, *mut c_uint);
        let version = library.get::<Version>("Z3_get_version").ok()?;
        version(&mut major, &mut minor, &mut build, &mut revision);
    }
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut paths = maps
        .lines()
        .filter_map(|line| Some(&line[line.find('/')?..]));
    let path = paths.find(|path| path.contains("libz3"));
    let path = path.unwrap_or(NAMES[0]).to_string();
    Some((path, format!("{major}.{minor}.{build}")))
}

pub(super) fn functions() -> &'static Result<Functions, Missing> {
    FUNCTIONS.get_or_init(|| {
        Functions::of(match SOURCE.get().unwrap_or(&LibrarySource::Host) {
            LibrarySource::Host => open(&candidates())?,
            LibrarySource::Files(files) => open_files(files)?,
            LibrarySource::Nowhere => {
                return Err(Missing("this program is to run without it".into()));
            }
        })
    })
}

/// Candidates for [`LibrarySource::Host`], in order of preference.
fn candidates() -> Vec<PathBuf> {
    let program = std::env::current_exe().unwrap_or_default();
    packaged(&program)
        .into_iter()
        .chain(NAMES.iter().map(PathBuf::from))
        .collect()
}

/// Libraries that a package installs in `lib/ptxasw` for `bin/ptxasw`.
fn packaged(program: &Path) -> Vec<PathBuf> {
    let root = program.parent().and_then(Path::parent);
    let folder = root.map(|root| root.join("lib").join("ptxasw"));
    let files = folder
        .iter()
        .flat_map(|folder| NAMES.iter().map(|name| folder.join(name)));
    files.filter(|file| file.is_file()).collect()
}

/// Loads files in their order, and gives the last one. One that needs another finds it by its name, as it is loaded already.
fn open_files(files: &Files) -> Result<&'static Library, Missing> {
    let paths = files().map_err(|error| Missing(error.to_string()))?;
    let mut last = None;
    for path in &paths {
        last = Some(open(&[path])?);
    }
    last.ok_or_else(|| Missing("no file".into()))
}

/// The library, which stays loaded as long as the process lives.
fn open<Name: AsRef<OsStr>>(names: &[Name]) -> Result<&'static Library, Missing> {
    let mut first = None;
    for name in names {
        // SAFETY: what runs while Z3 is loaded are the constructors of its own static values; they ask for nothing.
        match unsafe { Library::new(name.as_ref()) } {
            Ok(library) => return Ok(Box::leak(Box::new(library))),
            Err(error) => {
                let name = name.as_ref().to_string_lossy();
                first = first.or_else(|| Some(Missing::of(&name, &error)));
            }
        }
    }
    Err(first.unwrap_or_else(|| Missing(String::new())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_there_is_an_error() {
        let missing = open(&["libz3-of-nobody.so", "libz3-of-nobody-else.so"])
            .err()
            .unwrap();
        assert!(
            missing.to_string().contains("libz3-of-nobody.so"),
            "{missing}"
        );
        let found = open(&["libz3-of-nobody.so", NAMES[0]]);
        assert!(found.is_ok_and(|library| Functions::of(library).is_ok()));
    }

    #[test]
    fn a_package_brings_its_library_along() {
        let root = tempfile::tempdir().unwrap();
        let program = root.path().join("bin").join("ptxasw");
        assert_eq!(packaged(&program), Vec::<PathBuf>::new());
        let folder = root.path().join("lib").join("ptxasw");
        std::fs::create_dir_all(&folder).unwrap();
        let library = folder.join(NAMES[0]);
        std::fs::write(&library, "").unwrap();
        assert_eq!(packaged(&program), [library]);
    }

    #[test]
    fn a_library_without_the_functions_is_an_error() {
        let other = open(&["libc.so.6"]).unwrap();
        let missing = Functions::of(other).err().unwrap();
        assert!(
            missing.to_string().contains("Z3_ast_to_string"),
            "{missing}"
        );
    }
}
