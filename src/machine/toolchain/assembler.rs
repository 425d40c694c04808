//! Running `ptxas`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cache::{self, Entry, Key};
use memchr::memmem;
use ptxasw_base::memory_file::MemoryFile;
use ptxasw_base::process;
use rustc_hash::FxHashMap;

use super::cubin::{self, Resources};
use super::{Arch, KernelUsage, Origin, Search, ToolchainError, usage};

/// A kernel that every `ptxas` takes since CUDA 10, for each target from sm_75 on.
const TRIAL: &[u8] =
    b".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";

/// A `ptxas` that was found for an architecture.
#[derive(Clone, Debug)]
pub struct Assembler {
    ptxas: PathBuf,
    origin: Origin,
    search: Search,
}

/// The result of one run of `ptxas`.
#[derive(Debug)]
pub struct Assembled {
    /// The machine code, which other programs can read as long as this value lives.
    pub cubin: MemoryFile,
    /// Resources of the kernels, in the order of the report.
    pub kernels: Vec<KernelUsage>,
    /// What `ptxas` printed.
    pub log: String,
    /// What it was assembled for.
    pub arch: Arch,
}

impl Assembled {
    fn new(cubin: MemoryFile, log: String, arch: Arch) -> Self {
        Assembled {
            cubin,
            kernels: usage::parse(&log),
            log,
            arch,
        }
    }
}

impl Assembler {
    /// The assembler for `arch` that the environment offers; [`Search`] has
    /// the order.
    pub fn find(arch: Arch) -> Result<Self, ToolchainError> {
        Self::find_by(Search::from_environment(), arch)
    }

    /// The assembler for `arch` that a given search finds.
    pub fn find_by(search: Search, arch: Arch) -> Result<Self, ToolchainError> {
        let (ptxas, origin) = search.ptxas(arch)?;
        Ok(Assembler {
            ptxas,
            origin,
            search,
        })
    }

    /// The program that runs.
    pub fn path(&self) -> &Path {
        &self.ptxas
    }

    /// Where it was found.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Assembles a module's text for `arch` at `-O3`.
    pub fn assemble(&self, ptx: &[u8], arch: Arch) -> Result<Assembled, ToolchainError> {
        self.assemble_text(ptx, arch, &[])
    }

    /// Assembles PTX whose functions may be defined in other modules (`-c`).
    pub fn assemble_part(&self, ptx: &[u8], arch: Arch) -> Result<Assembled, ToolchainError> {
        self.assemble_text(ptx, arch, &["-c"])
    }

    /// Registers, stack frames and spills of a module's kernels; of functions that kernels call no spills. Functions of other
    /// modules may be missing.
    pub fn resources(
        &self,
        ptx: &[u8],
        arch: Arch,
    ) -> Result<FxHashMap<String, Resources>, ToolchainError> {
        Ok(self.code_and_resources(ptx, arch)?.1)
    }

    /// The machine code of a module, a cubin, and what [`Self::resources`] has of it.
    ///
    /// # Errors
    /// The program can't be started, or refuses the text.
    pub fn code_and_resources(
        &self,
        ptx: &[u8],
        arch: Arch,
    ) -> Result<(Vec<u8>, FxHashMap<String, Resources>), ToolchainError> {
        let assembled = match is_part(ptx) {
            true => self.assemble_part(ptx, arch),
            false => self.assemble(ptx, arch),
        }?;
        let bytes = std::fs::read(assembled.cubin.path())?;
        let program = self.ptxas.display().to_string();
        let mut found = cubin::resources(&bytes).ok_or(ToolchainError::UnknownOutput(program))?;
        for kernel in &assembled.kernels {
            if let Some(resources) = found.get_mut(&kernel.name) {
                resources.spilled = Some(kernel.spill_stores.saturating_add(kernel.spill_loads));
            }
        }
        Ok((bytes, found))
    }

    /// The machine code of a module: a cubin.
    ///
    /// # Errors
    /// The program can't be started, or refuses the text.
    pub fn code(&self, ptx: &[u8], arch: Arch) -> Result<Vec<u8>, ToolchainError> {
        let assembled = match is_part(ptx) {
            true => self.assemble_part(ptx, arch),
            false => self.assemble(ptx, arch),
        }?;
        Ok(std::fs::read(assembled.cubin.path())?)
    }

    /// As [`Self::code`]; each instruction has the line of the PTX that it comes from.
    ///
    /// # Errors
    /// As [`Self::code`].
    pub fn code_with_lines(&self, ptx: &[u8], arch: Arch) -> Result<Vec<u8>, ToolchainError> {
        let mut assembled = self.assemble_with_lines(ptx, arch)?;
        Ok(assembled.cubin.bytes()?)
    }

    /// Assembles a module; each instruction has the line of the PTX that it comes from.
    ///
    /// # Errors
    /// As [`Self::code`].
    pub fn assemble_with_lines(&self, ptx: &[u8], arch: Arch) -> Result<Assembled, ToolchainError> {
        let options: &[&str] = match is_part(ptx) {
            true => &["-lineinfo", "-c"],
            false => &["-lineinfo"],
        };
        self.assemble_text(ptx, arch, options)
    }

    /// Assembles a file for `arch` at `-O3`.
    pub fn assemble_file(&self, ptx: &Path, arch: Arch) -> Result<Assembled, ToolchainError> {
        self.assemble_with(ptx, arch, &[])
    }

    /// Whether the program works, and knows an architecture: it assembles an empty kernel for it.
    ///
    /// # Errors
    /// It can't be started, or refuses the kernel.
    pub fn try_out(&self, arch: Arch) -> Result<(), ToolchainError> {
        self.assemble(TRIAL, arch).map(drop)
    }

    /// Whether the program takes a `.version`: it assembles an empty kernel of that version.
    ///
    /// # Errors
    /// It can't be started, or refuses the kernel.
    pub fn try_version(&self, version: &str, arch: Arch) -> Result<(), ToolchainError> {
        let text = format!(
            ".version {version}\n.target {arch}\n.address_size 64\n.visible .entry nothing() {{ ret; }}\n"
        );
        self.assemble(text.as_bytes(), arch).map(drop)
    }

    fn assemble_text(
        &self,
        ptx: &[u8],
        arch: Arch,
        options: &[&str],
    ) -> Result<Assembled, ToolchainError> {
        let target = format!("-arch={arch}");
        let words = ["-v", &target].into_iter().chain(options.iter().copied());
        let key = Key::new(&self.ptxas, words.map(str::as_bytes), [ptx], false);
        if let Some(known) = key.as_ref().and_then(cache::get) {
            let log = String::from_utf8_lossy(&known.stderr).into_owned();
            return Ok(Assembled::new(MemoryFile::new(&known.output)?, log, arch));
        }
        let input = MemoryFile::new(ptx)?;
        let input = input.path();
        let assembled = self.assemble_with(Path::new(&input), arch, options);
        let mut assembled = assembled.map_err(|error| without_path(error, &input))?;
        // It may name the file in which the text was.
        if let Some(key) = key.filter(|_| !assembled.log.contains("/proc/")) {
            let entry = Entry {
                stdout: Vec::new(),
                stderr: assembled.log.clone().into_bytes(),
                output: assembled.cubin.bytes()?,
            };
            cache::put(&key, &entry);
        }
        Ok(assembled)
    }

    fn assemble_with(
        &self,
        ptx: &Path,
        arch: Arch,
        options: &[&str],
    ) -> Result<Assembled, ToolchainError> {
        let cubin = MemoryFile::new(&[])?;
        let log = run(Command::new(&self.ptxas)
            .arg("-v")
            .arg(format!("-arch={arch}"))
            .args(options)
            .arg(ptx)
            .arg("-o")
            .arg(cubin.path())
            // Where `ptxas` is a link to this program, the text is assembled as it is.
            .env("PTXASW_OFF", "1"))?
        .1;
        Ok(Assembled::new(cubin, log, arch))
    }

    /// The machine code of an assembled module as `nvdisasm` lists it.
    ///
    /// # Errors
    /// There is no `nvdisasm`, or it does not read the code.
    pub fn listing(&self, assembled: &Assembled) -> Result<String, ToolchainError> {
        let nvdisasm = self.search.disassembler(assembled.arch)?;
        let (listing, _) = run(Command::new(nvdisasm).arg("-c").arg(assembled.cubin.path()))?;
        Ok(listing)
    }
}

/// An error about a text in memory without the path that the program knew it by, which means nothing to a user.
fn without_path(error: ToolchainError, path: &OsStr) -> ToolchainError {
    match error {
        ToolchainError::Failed {
            program,
            status,
            log,
        } => {
            let path = path.to_string_lossy();
            let log = log.replace(&format!("ptxas {path}, "), "");
            ToolchainError::Failed {
                program,
                status,
                log: log.replace(&*path, "the module"),
            }
        }
        other => other,
    }
}

/// Whether a module calls functions of other modules, which only `ptxas -c` leaves open.
pub fn is_part(ptx: &[u8]) -> bool {
    memmem::find(ptx, b".extern .func").is_some()
}

/// Runs a program to its end; its standard output and error, or the error. It dies with this process.
fn run(command: &mut Command) -> Result<(String, String), ToolchainError> {
    let program = command.get_program().to_string_lossy().into_owned();
    process::dies_with_us(command);
    let output = command.output().map_err(|source| ToolchainError::Start {
        program: program.clone(),
        source,
    })?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ok((stdout, stderr))
    } else {
        Err(ToolchainError::Failed {
            program,
            status: output.status,
            log: stdout + &stderr,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let search = Search {
            ptxas: Some("/nonexistent/ptxas".into()),
            ..Search::default()
        };
        let arch = Arch::new(80);
        let assembler = Assembler::find_by(search, arch).unwrap();
        assert_eq!(assembler.origin(), Origin::Argument);
        assert!(matches!(
            assembler.assemble(b"", arch),
            Err(ToolchainError::Start { .. })
        ));
    }

    #[test]
    fn a_failing_program_hands_over_its_log() {
        let error = run(Command::new("sh").args(["-c", "echo why >&2; exit 3"])).unwrap_err();
        match error {
            ToolchainError::Failed { status, log, .. } => {
                assert_eq!((status.code(), log.as_str()), (Some(3), "why\n"));
            }
            other => panic!("{other}"),
        }
    }
}
