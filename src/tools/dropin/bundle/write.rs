//! Making a bundle.

use super::carried::{self, Library};
use super::format::{self, BundledFile, Index};
use super::{Bundle, BundleError};
use ptxasw_base::atomic_file;
use ptxasw_emulator::solver;
use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_128;

/// Why there is no bundle.
#[derive(Debug, thiserror::Error)]
pub enum NotMade {
    /// What is to be carried is not a program of its own.
    #[error("`{path}` {what}: name the `ptxas` program of a CUDA toolkit")]
    NoAssembler {
        /// The path.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// The output is another file.
    #[error("`{0}` exists and is not a bundle")]
    Occupied(PathBuf),
    /// The solver can't be taken along.
    #[error("the solver's library ({0}) cannot be loaded: install it, or give `--no-solver`")]
    Library(String),
    /// This program can't be read.
    #[error("this program: {0}")]
    Program(#[source] BundleError),
    /// The system refused.
    #[error("`{path}`: {source}")]
    System {
        /// What was read or written.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl NotMade {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> NotMade {
        move |source| NotMade::System {
            path: path.to_path_buf(),
            source,
        }
    }
}

/// What a bundle is made of, besides this program.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The real assembler.
    pub assembler: PathBuf,
    /// Settings by the names of their variables.
    pub settings: BTreeMap<String, String>,
    /// Whether it has the solver's library.
    pub solver: bool,
}

/// Writes a bundle; gives the libraries that the assembler needs and `ldd` does not name for the bundle. A bundle that is
/// there already is replaced, unless it has the same bytes: then it keeps its times.
///
/// # Errors
/// The assembler can't be carried, there is no solver, another file is there, or the system refuses.
pub fn write(path: &Path, carried: &Carried) -> Result<Vec<String>, NotMade> {
    let assembler = assembler(&carried.assembler)?;
    // A link is replaced, and not what it leads to: that may be this program.
    if !path.is_symlink() && path.exists() && !Bundle::is(path) {
        return Err(NotMade::Occupied(path.to_path_buf()));
    }
    let program = program()?;
    let own = carried::libraries(&program).unwrap_or_default().needed;
    let solver = match carried.solver {
        true => libraries(&own)?,
        false => Vec::new(),
    };
    let version = solver::library().map(|(_, version)| version);
    let mut start = program.len() as u64 + format::HEAD;
    let mut part = |name: &str, bytes: &[u8]| {
        let length = bytes.len() as u64;
        let part = BundledFile {
            name: name.to_string(),
            start,
            length,
            digest: format::digest(xxh3_128(bytes)),
        };
        start += length;
        part
    };
    let index = Index {
        version: env!("CARGO_PKG_VERSION").to_string(),
        program: format::digest(xxh3_128(&program)),
        settings: carried.settings.clone(),
        assembler: part("ptxas", &assembler),
        solver_version: version.filter(|_| carried.solver),
        solver: solver
            .iter()
            .map(|one| part(&one.name, &one.bytes))
            .collect(),
    };
    let (head, end) = format::head_and_trailer(&index);
    let mut pieces = vec![&program[..], &head, &assembler];
    pieces.extend(solver.iter().map(|library| &library.bytes[..]));
    pieces.push(&end);
    publish(path, &pieces).map_err(NotMade::at(path))?;
    let needed = carried::libraries(&assembler).unwrap_or_default().needed;
    Ok(needed
        .into_iter()
        .filter(|name| !own.contains(name))
        .collect())
}

/// The bytes of a real assembler.
fn assembler(path: &Path) -> Result<Vec<u8>, NotMade> {
    let refused = |what| NotMade::NoAssembler {
        path: path.to_path_buf(),
        what,
    };
    if super::super::tool::is_ours(path) {
        return Err(refused("is ptxasw itself"));
    }
    let bytes = fs::read(path).map_err(NotMade::at(path))?;
    match carried::libraries(&bytes) {
        Some(_) => Ok(bytes),
        None => Err(refused("is not a program but a script or another file")),
    }
}

/// This program, without what it carries if it is a bundle.
fn program() -> Result<Vec<u8>, NotMade> {
    let path = Path::new("/proc/self/exe");
    let mut bytes = fs::read(path).map_err(NotMade::at(path))?;
    let file = File::open(path).map_err(NotMade::at(path))?;
    if format::index(&file).map_err(NotMade::Program)?.is_some() {
        let length = format::program_length(&file).map_err(NotMade::at(path))?;
        bytes.truncate(length.unwrap_or(u64::MAX) as usize);
    }
    Ok(bytes)
}

/// The libraries that the solver's library needs, then itself.
fn libraries(own: &[String]) -> Result<Vec<Library>, NotMade> {
    solver::load().map_err(|_| NotMade::Library(solver::LIBRARY_NAMES.join(", ")))?;
    carried::with_dependencies(solver::LIBRARY_NAMES, own)
}

/// A program that appears whole, and can be started from then on; a link of that name is replaced.
fn publish(path: &Path, pieces: &[&[u8]]) -> io::Result<()> {
    if !path.is_symlink() && fs::read(path).is_ok_and(|old| is_concatenation(&old, pieces)) {
        return Ok(());
    }
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .prefix(".ptxasw-")
        .permissions(Permissions::from_mode(0o777))
        .tempfile_in(folder)
        .map_err(atomic_file::without_name)?;
    atomic_file::write_to(file.as_file_mut(), pieces)?;
    file.flush()?;
    // A file that is open for writing can't be started.
    file.into_temp_path()
        .persist(path)
        .map_err(|error| error.error)
}

fn is_concatenation(bytes: &[u8], pieces: &[&[u8]]) -> bool {
    let rest = pieces
        .iter()
        .try_fold(bytes, |rest, piece| rest.strip_prefix(*piece));
    rest.is_some_and(<[u8]>::is_empty)
}
