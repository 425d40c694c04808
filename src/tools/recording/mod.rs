//! Makes modules and launch files of what a program launched.
//!
//! `ptxasw record` runs a program with a preloaded library (`src/record`), which writes module images, buffers and `launches.jsonl` into a
//! folder. [`finish`] converts them into what other commands read: for each module that has PTX `module-1.ptx`, and `module-1.launch.json` with one
//! launch of each of its kernels.
//!
//! | file | what |
//! | --- | --- |
//! | `lines` | parses `launches.jsonl` |
//! | `images` | the PTX of an image |
//! | `launch_file` | launches as a launch file |

mod images;
mod launch_file;
mod lines;
#[cfg(test)]
mod tests;

use lines::{Launched, RecordedLines};
use ptxasw_machine::toolchain::Search;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Threshold for a hot kernel: its fraction of all launched threads, a proxy for execution time, which is not measured.
const HOT: f64 = 0.01;

/// The modules and kernels that a program launched.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Recording {
    /// Modules with PTX and a recorded launch.
    pub modules: Vec<Module>,
    /// All kernels, those with most threads first.
    pub kernels: Vec<Kernel>,
}

/// The files of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// Path of its PTX.
    pub text: PathBuf,
    /// Path of the launch file for its kernels.
    pub launches: PathBuf,
    /// Names of its hot kernels with a recorded launch.
    pub hot: Vec<String>,
}

/// A kernel that was launched.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    /// Its mangled name, as the program's calls of the driver and the PTX of its module have it.
    pub name: String,
    /// How often the program launched it, in all of its processes.
    pub launches: u64,
    /// Its share of all launched threads, from 0 to 1.
    pub share: f64,
    /// The index of its module; the error is the reason why it has none, or no launch.
    pub module: Result<usize, String>,
}

/// Why a folder cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A file could not be read or written.
    #[error("`{0}`: {1}")]
    File(PathBuf, #[source] io::Error),
}

/// Writes modules and launch files into the folder. `search` finds `cuobjdump`, without which only modules that are loaded as PTX text
/// are available.
///
/// # Errors
/// The folder cannot be read or written.
pub fn finish(folder: &Path, search: &Search) -> Result<Recording, RecordError> {
    let lines = folder.join("launches.jsonl");
    let text = match fs::read(&lines) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Recording::default()),
        Err(error) => return Err(RecordError::File(lines, error)),
    };
    let mut by_image: BTreeMap<String, Vec<Launched>> = BTreeMap::new();
    let found = RecordedLines::of(&String::from_utf8_lossy(&text));
    let threads = lines::sum(found.kernels.iter().map(|kernel| kernel.threads));
    for kernel in found.kernels {
        by_image
            .entry(kernel.image.clone())
            .or_default()
            .push(kernel);
    }
    let mut recording = Recording::default();
    for (image, kernels) in by_image {
        let share = |kernel: &Launched| kernel.threads as f64 / threads.max(1) as f64;
        let text = match is_name(&image) {
            true => images::ptx(&folder.join(&image), found.compute, search),
            false => Err("its module is outside the record".to_owned()),
        };
        let states = match text {
            Ok(text) => module(folder, &text, &kernels, &share, &mut recording.modules)?,
            Err(reason) => vec![Err(reason); kernels.len()],
        };
        for (kernel, module) in kernels.into_iter().zip(states) {
            recording.kernels.push(Kernel {
                share: share(&kernel),
                name: kernel.name,
                launches: kernel.launches,
                module,
            });
        }
    }
    let by_share = |one: &Kernel, other: &Kernel| {
        let shares = other.share.total_cmp(&one.share);
        shares.then_with(|| one.name.cmp(&other.name))
    };
    recording.kernels.sort_by(by_share);
    Ok(recording)
}

/// Whether a file name has no folder in it, so that it cannot lead out of the record.
fn is_name(file: &str) -> bool {
    Path::new(file).file_name().is_some_and(|name| name == file)
}

/// Writes a module and its launch file; returns the state of each kernel.
fn module(
    folder: &Path,
    text: &[u8],
    kernels: &[Launched],
    share: &dyn Fn(&Launched) -> f64,
    modules: &mut Vec<Module>,
) -> Result<Vec<Result<usize, String>>, RecordError> {
    let read = match ptxasw_verify::Module::read(text) {
        Ok(read) => read,
        Err(error) => return Ok(vec![Err(error.to_string()); kernels.len()]),
    };
    let number = modules.len();
    let (mut launches, mut hot) = (Vec::new(), Vec::new());
    let states = kernels.iter().map(|kernel| {
        launches.push(launch_file::launch(kernel, &read.form)?);
        if share(kernel) >= HOT {
            hot.push(kernel.name.clone());
        }
        Ok(number)
    });
    let states: Vec<Result<usize, String>> = states.collect();
    if !launches.is_empty() {
        let write = |name: String, bytes: &[u8]| {
            let path = folder.join(name);
            match fs::write(&path, bytes) {
                Ok(()) => Ok(path),
                Err(error) => Err(RecordError::File(path, error)),
            }
        };
        let launches = json!({ "launch": launches }).to_string();
        modules.push(Module {
            text: write(format!("module-{}.ptx", number + 1), text)?,
            launches: write(
                format!("module-{}.launch.json", number + 1),
                launches.as_bytes(),
            )?,
            hot,
        });
    }
    Ok(states)
}
