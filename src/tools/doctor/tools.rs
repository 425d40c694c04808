//! Programs and libraries: where they are, which version, what they are for, and how a missing one is installed.

use crate::certificates::{Second, Solver};
use crate::clang;
use crate::dropin::tool;
use ptxasw_base::process;
use ptxasw_emulator::solver;
use ptxasw_machine::toolchain::cuda::{Cuda, NEWEST_FOR_CLANG};
use ptxasw_machine::toolchain::{Arch, Python, Search, library, offload_compilers};
use ptxasw_verify::gpu::Gpu;
use rayon::prelude::*;
use serde::Serialize;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The pass plugin for clang and opt.
const PLUGIN: &str = "libptxasw_llvm.so";
/// The version of LLVM that the plugin and `ptxasw-llvm` are built for.
pub const LLVM: u32 = 19;

/// A program or a library.
#[derive(Debug, Serialize)]
pub struct Tool {
    /// What it is called without a version: `ptxas`, `llc`, `Z3`.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// Where it is; nothing if it is missing.
    pub path: Option<String>,
    /// Its version, where it says one.
    pub version: Option<String>,
    /// How it is installed.
    pub install: &'static str,
}

/// What the integrations need.
pub struct InstalledTools {
    /// The assembler, and whether the drop-in finds it by itself.
    pub ptxas: Option<(PathBuf, bool)>,
    /// NVIDIA's compiler.
    pub nvcc: Option<PathBuf>,
    /// clang, and its major version.
    pub clang: Option<(PathBuf, u32)>,
    /// Headers and libdevice that clang takes.
    pub cuda: Option<Cuda>,
    /// LLVM's code generator.
    pub llc: Option<PathBuf>,
    /// The program that reads LLVM IR.
    pub stage: Option<PathBuf>,
    /// The plugin.
    pub plugin: Option<PathBuf>,
    /// A GCC that offloads to nvptx.
    pub gcc: Option<PathBuf>,
    /// A Python that has Triton, and Triton's version.
    pub triton: Option<(Python, String)>,
    /// The same of Numba.
    pub numba: Option<(Python, String)>,
    /// The same of CuPy.
    pub cupy: Option<(Python, String)>,
    search: Search,
}

impl InstalledTools {
    /// Looks in the usual places; `own` is the command `ptxasw`.
    pub fn by(search: &Search, own: &Path) -> Self {
        let clang = ["clang++-19", "clang++"];
        let clang = clang.iter().find_map(|name| search.on_path(name));
        let gcc = offload_compilers().into_iter().rev();
        let mut gcc = gcc.map(|version| format!("gcc-{version}"));
        let toolkits = search.toolkits();
        let taken = |cuda: &&Cuda| cuda.version.0 <= NEWEST_FOR_CLANG;
        InstalledTools {
            ptxas: ptxas(search, own),
            nvcc: search.program("nvcc").ok().map(|(path, _)| path),
            clang: clang.map(|path| {
                let major = version(&path).and_then(|text| text.split('.').next()?.parse().ok());
                (path, major.unwrap_or(0))
            }),
            cuda: toolkits.iter().find(taken).or(toolkits.first()).cloned(),
            llc: llc(search),
            stage: clang::stage(None),
            plugin: library(own, PLUGIN),
            gcc: gcc.find_map(|name| search.on_path(&name)),
            triton: module(search, &["triton"]),
            numba: module(search, &["numba"]),
            cupy: module(
                search,
                &["cupy", "cupy-cuda13x", "cupy-cuda12x", "cupy-cuda11x"],
            ),
            search: search.clone(),
        }
    }
}

/// As the drop-in finds it, else as `opt` does.
fn ptxas(search: &Search, own: &Path) -> Option<(PathBuf, bool)> {
    let by_itself = tool::Tool::Ptxas.real(own.as_os_str()).ok();
    let by_itself = by_itself.map(|path| (path, true));
    by_itself.or_else(|| Some((search.ptxas(Arch::new(80)).ok()?.0, false)))
}

fn llc(search: &Search) -> Option<PathBuf> {
    let named = env::var_os("PTXASW_LLC").filter(|value| !value.is_empty());
    named
        .map(PathBuf::from)
        .or_else(|| search.on_path("llc-19"))
}

/// Prints the version of the first of some packages that is installed.
const VERSION: &str = "import importlib.metadata as m, sys
for name in sys.argv[1:]:
    try:
        sys.exit(print(m.version(name)))
    except m.PackageNotFoundError:
        pass
sys.exit(1)";

/// A Python that has one of some packages, and the package's version.
fn module(search: &Search, packages: &[&str]) -> Option<(Python, String)> {
    search.pythons().into_iter().find_map(|python| {
        let mut command = python_command(&python);
        let text = printed(command.args(["-c", VERSION]).args(packages))?;
        Some((python, text.trim().to_string()))
    })
}

/// An interpreter that finds its modules.
pub fn python_command(python: &Python) -> Command {
    let mut command = Command::new(&python.program);
    if let Some(modules) = &python.modules {
        command.env("PYTHONPATH", modules);
    }
    command
}

/// What a program prints, if it succeeds.
fn printed(command: &mut Command) -> Option<String> {
    let ran = process::captured(command.stdin(Stdio::null())).ok()?;
    ran.status
        .success()
        .then(|| String::from_utf8_lossy(&ran.stdout).into_owned())
}

/// The version that a program prints.
fn version(program: &Path) -> Option<String> {
    version_in(&printed(Command::new(program).arg("--version"))?)
}

/// The first word of a text that looks like a version.
fn version_in(text: &str) -> Option<String> {
    let words = text
        .split(|letter: char| letter.is_whitespace() || "(),".contains(letter))
        .map(|word| word.trim_start_matches('V'));
    let is_version = |word: &&str| {
        word.starts_with(|letter: char| letter.is_ascii_digit()) && word.contains('.')
    };
    words.into_iter().find(is_version).map(str::to_string)
}

/// A program: its name, what it is for, how it is installed, where it is.
type Program = (
    &'static str,
    &'static str,
    &'static str,
    fn(&InstalledTools) -> Option<PathBuf>,
);

const PROGRAMS: [Program; 8] = [
    (
        "ptxas",
        "assembles PTX, behind ptxasw",
        "CUDA of NVIDIA, or pip install nvidia-cuda-nvcc",
        |found| Some(found.ptxas.clone()?.0),
    ),
    (
        "nvcc",
        "CUDA C++",
        "CUDA of NVIDIA, or apt install nvidia-cuda-toolkit",
        |found| found.nvcc.clone(),
    ),
    (
        "clang",
        "CUDA and OpenMP; 19 for LLVM IR",
        "apt install clang-19",
        |found| Some(found.clang.clone()?.0),
    ),
    (
        "llc",
        "PTX of rewritten LLVM IR",
        "apt install llvm-19",
        |found| found.llc.clone(),
    ),
    ("ptxasw-llvm", "LLVM IR, `ptxasw clang`", BUILD, |found| {
        found.stage.clone()
    }),
    (
        "gcc for nvptx",
        "OpenACC and OpenMP",
        "apt install gcc-offload-nvptx",
        |found| found.gcc.clone(),
    ),
    (
        "nvptx-none-as",
        "assembles GCC's PTX, behind ptxasw",
        "apt install nvptx-tools",
        |found| found.search.on_path("nvptx-none-as"),
    ),
    (
        "nvdisasm",
        "counts of machine instructions",
        "pip install nvidia-cuda-nvdisasm",
        |found| Some(found.search.program("nvdisasm").ok()?.0),
    ),
];

/// What a build of everything makes.
const BUILD: &str = "cargo build --release, which makes it beside ptxasw";

/// What is not a program that has a version by `--version`.
const OTHERS: [fn(&InstalledTools) -> Tool; 8] = [
    headers,
    plugin_library,
    triton_module,
    numba_module,
    cupy_module,
    z3,
    second,
    gpu,
];

/// All of them, with their versions.
pub fn describe(found: &InstalledTools) -> Vec<Tool> {
    let program = |&(name, purpose, install, path): &Program| {
        let path = path(found);
        Tool {
            name,
            purpose,
            version: path.as_deref().and_then(version),
            path: path.map(|path| path.display().to_string()),
            install,
        }
    };
    let programs = PROGRAMS.par_iter().map(program);
    programs
        .chain(OTHERS.par_iter().map(|other| other(found)))
        .collect()
}

fn plugin_library(found: &InstalledTools) -> Tool {
    Tool {
        name: PLUGIN,
        purpose: "the plugin for clang 19 and opt-19",
        path: found.plugin.as_ref().map(|path| path.display().to_string()),
        version: None,
        install: BUILD,
    }
}

fn triton_module(found: &InstalledTools) -> Tool {
    python_module("Triton", found.triton.as_ref(), "pip install triton")
}

fn numba_module(found: &InstalledTools) -> Tool {
    python_module("Numba", found.numba.as_ref(), "pip install numba-cuda")
}

fn cupy_module(found: &InstalledTools) -> Tool {
    python_module("CuPy", found.cupy.as_ref(), "pip install cupy-cuda13x")
}

fn python_module(
    name: &'static str,
    module: Option<&(Python, String)>,
    install: &'static str,
) -> Tool {
    Tool {
        name,
        purpose: "kernels in Python",
        path: module.map(|(python, _)| format!("module of {}", python.program.display())),
        version: module.map(|(_, version)| version.clone()),
        install,
    }
}

fn headers(found: &InstalledTools) -> Tool {
    let cuda = found.cuda.as_ref();
    Tool {
        name: "CUDA headers",
        purpose: "clang's CUDA: up to 12 for clang 19",
        path: cuda.map(|cuda| cuda.home.display().to_string()),
        version: cuda.map(|cuda| format!("{}.{}", cuda.version.0, cuda.version.1)),
        install: "CUDA 12 of NVIDIA, or apt install nvidia-cuda-toolkit",
    }
}

fn z3(_: &InstalledTools) -> Tool {
    let loaded = solver::library();
    let (path, version) =
        loaded.map_or((None, None), |(path, version)| (Some(path), Some(version)));
    Tool {
        name: "Z3",
        purpose: "proofs that algebra leaves open",
        path,
        version,
        install: "apt install libz3-4",
    }
}

fn second(found: &InstalledTools) -> Tool {
    let solvers = [Solver::Bitwuzla, Solver::Cvc5];
    let second = solvers
        .into_iter()
        .find_map(|solver| Second::find(solver, &found.search));
    Tool {
        name: "second solver",
        purpose: "replays certificates: `ptxasw check`",
        version: None,
        path: second.map(|second| format!("{}, {second}", second.solver)),
        install: "pip install bitwuzla",
    }
}

fn gpu(_: &InstalledTools) -> Tool {
    let gpu = Gpu::open(0).ok();
    let description = gpu.as_ref().map(Gpu::description);
    Tool {
        name: "GPU",
        purpose: "`ptxasw time`, `verify --on-gpu`",
        path: description.map(|one| format!("{}, sm_{}{}", one.name, one.compute.0, one.compute.1)),
        version: description.map(|one| format!("{}.{}", one.cuda.0, one.cuda.1)),
        install: "NVIDIA's driver",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_print() {
        let ptxas = "ptxas: NVIDIA (R) Ptx optimizing assembler\nCopyright (c) 2005-2026 NVIDIA\n\
                     Cuda compilation tools, release 13.5, V13.5.37\n";
        assert_eq!(version_in(ptxas).unwrap(), "13.5");
        let clang = "Debian clang version 19.1.7 (3~deb12u1)\nTarget: x86_64-pc-linux-gnu\n";
        assert_eq!(version_in(clang).unwrap(), "19.1.7");
        let gcc = "gcc-12 (Debian 12.2.0-14+deb12u1) 12.2.0\n";
        assert_eq!(version_in(gcc).unwrap(), "12.2.0-14+deb12u1");
        assert_eq!(version_in("no version"), None);
    }
}
