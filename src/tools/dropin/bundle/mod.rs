//! The assembler as one file: this program, the real `ptxas`, the solver's library and the settings.
//!
//! Compiler caches and distributed builds (sccache, ccache, Bazel, Buck, Docker) take a compiler for one file whose bytes are
//! its identity, and start it on machines that have nothing but the libraries that `ldd` names for it. So:
//!
//! - the bytes of a bundle change with the version of this program, with the bytes of `ptxas`, and with the settings; the same
//!   inputs give the same bytes;
//! - a bundle does not read the variables that change what is emitted: no cache has them in its key. Arguments
//!   (`--ptxasw-...`) are in every cache's key and count. The limit of `ptxasw bisect` is read, beside the folder of its records: what
//!   that builds is not kept;
//! - a bundle asks the solver that it carries or none, never the host's: what is emitted does not depend on the host;
//! - a bundle knows itself by its own bytes (`format`), not by the name that it is called by;
//! - this program is linked with the libraries that `ptxas` needs (`build.rs`), so that `ldd` names those as well.
//!
//! How the parts are started and loaded is described in `unpack`.

mod carried;
mod format;
mod unpack;
mod write;

pub use write::{Carried, NotMade, write};

use format::Index;
use ptxasw_driver::pipeline::record;
use ptxasw_driver::pipeline::settings::words;
use ptxasw_machine::cache::folder;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Why a bundle can't be read.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// It was one.
    #[error("{0}; make the file anew with `ptxasw bundle` or `ptxasw shim`")]
    Damaged(&'static str),
    /// The system does not read it.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// A bundle, open.
#[derive(Debug)]
pub struct Bundle {
    file: File,
    index: Index,
}

impl Bundle {
    /// The bundle that this process was started from.
    ///
    /// # Errors
    /// The file is a damaged bundle.
    pub fn of_this_process() -> Result<Option<Bundle>, BundleError> {
        match File::open("/proc/self/exe") {
            Ok(file) => Bundle::of(file),
            // Without `/proc` neither form of the drop-in works.
            Err(_) => Ok(None),
        }
    }

    /// The bundle of a path; nothing if the file is no bundle.
    ///
    /// # Errors
    /// The file can't be read, or is a damaged bundle.
    pub fn at(path: &Path) -> Result<Option<Bundle>, BundleError> {
        Bundle::of(File::open(path)?)
    }

    fn of(file: File) -> Result<Option<Bundle>, BundleError> {
        let index = format::index(&file)?;
        Ok(index.map(|index| Bundle { file, index }))
    }

    /// Whether a file is a bundle, damaged or not.
    pub fn is(path: &Path) -> bool {
        match Bundle::at(path) {
            Ok(bundle) => bundle.is_some(),
            Err(error) => matches!(error, BundleError::Damaged(_)),
        }
    }

    /// The real assembler, open, and the path by which this process starts it.
    ///
    /// # Errors
    /// Its bytes are damaged, or there is neither memory nor a cache folder for it.
    pub(crate) fn assembler(&self) -> io::Result<(File, PathBuf)> {
        let file = unpack::unpack(&self.file, &self.index.assembler)?;
        let path = folder::path(&file);
        Ok((file, path))
    }

    /// Copies all parts into the user's cache folder, where each call finds them.
    ///
    /// # Errors
    /// The folder can't be used.
    pub fn unpack(&self) -> io::Result<()> {
        folder::make_root()?;
        let solver = self.index.solver.iter();
        for part in solver.chain([&self.index.assembler]) {
            unpack::cached(&self.file, part)?;
        }
        Ok(())
    }

    /// The libraries that the solver's library needs, then itself, open; nothing if the bundle has no solver.
    fn solver(&self) -> io::Result<Vec<File>> {
        let parts = self.index.solver.iter();
        parts.map(|part| unpack::unpack(&self.file, part)).collect()
    }

    /// From now on this process asks the solver of this bundle.
    pub(crate) fn use_solver(self: &std::sync::Arc<Self>) {
        use ptxasw_emulator::solver::LibrarySource;
        let bundle = self.clone();
        ptxasw_emulator::solver::load_from(match self.index.solver.is_empty() {
            true => LibrarySource::Nowhere,
            false => LibrarySource::Files(Box::new(move || {
                let files = bundle.solver()?;
                let paths = files.iter().map(folder::path).collect();
                // The loader reads them by these paths; they stay open as long as the process lives.
                files.into_iter().for_each(std::mem::forget);
                Ok(paths)
            })),
        });
    }

    /// What the settings are read from: the variables of the environment that change nothing in what is emitted, and the
    /// settings of the bundle; and the names of variables that are ignored because the bundle says otherwise.
    pub(crate) fn variables(
        &self,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> (Vec<(OsString, OsString)>, Vec<String>) {
        let (mut read, mut ignored) = (Vec::new(), Vec::new());
        let environment: Vec<(OsString, OsString)> = environment.into_iter().collect();
        // `ptxasw bisect` looks for a fault: nothing of that is kept.
        let records = |(name, value): &(OsString, OsString)| {
            name.to_str() == Some(record::VARIABLE) && !value.is_empty()
        };
        let bisects = environment.iter().any(records);
        for (name, value) in environment {
            let text = name.to_string_lossy();
            let is_limit = words::canonical_variable(&text) == LIMIT;
            match words::emission_variable(&text) {
                true if bisects && is_limit => read.push((name, value)),
                false => read.push((name, value)),
                true if value.is_empty() || self.agrees(&text, &value) => {}
                true => ignored.push(text.into_owned()),
            }
        }
        let fixed = self.index.settings.iter();
        read.extend(fixed.map(|(name, value)| (name.into(), value.into())));
        ignored.sort();
        (read, ignored)
    }

    /// Whether a variable asks for what the bundle does anyway.
    fn agrees(&self, name: &str, value: &OsString) -> bool {
        if name == super::tool::Tool::Ptxas.variable() {
            let length = fs::metadata(value).map(|data| data.len());
            return length.is_ok_and(|length| length == self.index.assembler.length);
        }
        let fixed = self.index.settings.get(&words::canonical_variable(name));
        fixed.is_some_and(|fixed| value.to_str() == Some(fixed))
    }

    /// A digest of all that the bundle is made of.
    pub(crate) fn identity(&self) -> u64 {
        self.index.identity()
    }

    /// The solver in a few words, for `--version`.
    pub(crate) fn carries(&self) -> String {
        match &self.index.solver_version {
            Some(version) => format!("with Z3 {version}"),
            None => "without a solver".to_string(),
        }
    }

    /// In one line: the version that made it, its settings, its solver.
    pub fn description(&self) -> String {
        let settings: Vec<String> = self.index.settings.iter().map(argument).collect();
        let settings = match settings.is_empty() {
            true => "default settings".to_string(),
            false => settings.join(" "),
        };
        let (version, carries) = (&self.index.version, self.carries());
        format!("bundle of ptxasw {version}, {settings}, {carries}")
    }
}

/// The variable of the limit on rewritings.
const LIMIT: &str = "PTXASW_LIMIT";

/// A setting as the argument of the same meaning.
fn argument((variable, value): (&String, &String)) -> String {
    format!("{}={value}", words::as_argument(variable))
}
