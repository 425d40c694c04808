//! The PTX of a module image.

use ptxasw_machine::toolchain::Search;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Magic number of a fatbin.
const CONTAINER: [u8; 4] = 0xba55_ed50_u32.to_le_bytes();
/// Magic number of a cubin.
const ELF: &[u8; 4] = b"\x7fELF";
/// Advice for programs without PTX.
const ADVICE: &str = "build with `-gencode arch=compute_90,code=[sm_90,compute_90]` or the like, which keeps PTX beside it";

/// The PTX that the driver would select for a compute capability; the error is the reason for the user.
pub fn ptx(image: &Path, compute: Option<u32>, search: &Search) -> Result<Vec<u8>, String> {
    let bytes = fs::read(image).map_err(|error| format!("its module cannot be read: {error}"))?;
    if bytes.starts_with(ELF) {
        return Err(format!("its module is machine code alone: {ADVICE}"));
    }
    match bytes.starts_with(&CONTAINER) {
        true => contained(image, compute, search),
        false => Ok(bytes),
    }
}

/// Extracts PTX from a fatbin by `cuobjdump`, since its entries are compressed.
fn contained(image: &Path, compute: Option<u32>, search: &Search) -> Result<Vec<u8>, String> {
    let program = search.program("cuobjdump");
    let (program, _) = program.map_err(|error| format!("its module is packed, and {error}"))?;
    let failed = |error: std::io::Error| format!("its module cannot be unpacked: {error}");
    let folder = tempfile::tempdir().map_err(failed)?;
    let image = image.canonicalize().map_err(failed)?;
    let mut command = Command::new(program);
    let command = command.args(["-xptx", "all"]).arg(image);
    let done = command
        .current_dir(folder.path())
        .output()
        .map_err(failed)?;
    if !done.status.success() {
        let message = String::from_utf8_lossy(&done.stderr);
        let reason = format!(
            "`cuobjdump` failed: {}",
            message.lines().next().unwrap_or_default()
        );
        return Err(failed(std::io::Error::other(reason)));
    }
    let files = folder.path().read_dir().map_err(failed)?;
    let files = files.flatten().map(|entry| entry.path());
    let by_target = files.filter_map(|path| Some((Target::of(&path)?, path)));
    let mut by_target: Vec<(Target, PathBuf)> = by_target.collect();
    by_target.sort();
    let fits =
        |(target, _): &&(Target, PathBuf)| compute.is_none_or(|compute| target.runs_on(compute));
    match by_target.iter().rev().find(fits) {
        Some((_, path)) => fs::read(path).map_err(failed),
        None => Err(format!("its module has no PTX for this GPU: {ADVICE}")),
    }
}

/// The target of a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Target {
    /// The number of `sm_90a`: 90.
    number: u32,
    /// `a` for architecture-specific, `f` for family-specific features (PTX ISA, ".target").
    suffix: Option<char>,
}

impl Target {
    /// The target in a file name such as `k.1.sm_80.ptx`.
    fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.strip_suffix(".ptx")?;
        let (_, target) = name.rsplit_once(".sm_")?;
        let suffix = target.chars().last().filter(char::is_ascii_alphabetic);
        let digits = target.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let number = digits.parse().ok()?;
        Some(Target { number, suffix })
    }

    /// Whether a device of this compute capability can run it.
    fn runs_on(self, compute: u32) -> bool {
        match self.suffix {
            None => self.number <= compute,
            Some('f') => self.number <= compute && self.number / 10 == compute / 10,
            Some(_) => self.number == compute,
        }
    }
}
