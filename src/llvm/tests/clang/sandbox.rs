//! A folder for one compilation, and where compilers are.

use std::env;
use std::fs;
use std::io::{Error, ErrorKind};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The compiler of the version of LLVM that this is built for, and that version.
pub const CLANG: &str = concat!("clang++-", env!("BUILT_FOR_LLVM"));
pub const LLVM: &str = env!("BUILT_FOR_LLVM");

/// A host program, and a kernel in which two of three loads become shuffles.
pub const STENCIL: &str = r#"#include <cstdio>
__global__ void stencil(float *__restrict__ out, const float *__restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}
int main() {
  float *a, *b;
  cudaError_t error = cudaMalloc(&a, 4096);
  if (error != cudaSuccess) { printf("%s\n", cudaGetErrorString(error)); return 3; }
  cudaMalloc(&b, 4096);
  stencil<<<8, 128>>>(a, b, 1024);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"#;

/// The kernel of [`STENCIL`] for the device alone, without the headers of CUDA, which take most of the time of a compilation:
/// [`DEVICE_ONLY`] compiles it.
const KERNEL: &str = r#"#define __device__ __attribute__((device))
#include <__clang_cuda_builtin_vars.h>
__attribute__((global)) void stencil(float *__restrict__ out, const float *__restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}
"#;

/// PTX of `kernel.cu`, without a toolkit.
pub const DEVICE_ONLY: [&str; 5] = [
    "-nocudainc",
    "-nocudalib",
    "-S",
    "--cuda-device-only",
    "kernel.cu",
];

pub struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    /// With the program `stencil.cu` and its kernel alone, `kernel.cu`.
    pub fn new() -> Self {
        let sandbox = Sandbox {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(sandbox.path("tmp")).unwrap();
        sandbox.file("stencil.cu", STENCIL);
        sandbox.file("kernel.cu", KERNEL);
        sandbox
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn file(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// A program in the folder, with a temporary folder of its own and without `PTXASW_*` variables except those that name where
    /// tools are and that all that is proved is emitted.
    pub fn command(&self, program: impl AsRef<Path>, words: &[&str]) -> Command {
        let mut command = Command::new(program.as_ref());
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("PTXASW_") {
                command.env_remove(name);
            }
        }
        command
            .args(words)
            .current_dir(self.folder.path())
            .env("TMPDIR", self.path("tmp"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("PTXASW_PROFIT", "always");
        if let Some(folder) = toolchain() {
            command.env("PTXASW_TOOLCHAIN", folder);
        }
        command
    }

    /// Runs it, and nothing is left in the temporary folder.
    pub fn run(&self, command: &mut Command) -> Output {
        // While another test starts a process, that may hold a program open which was just copied.
        let mut outputs = std::iter::repeat_with(|| command.output());
        let is_busy = |error: &Error| error.kind() == ErrorKind::ExecutableFileBusy;
        let output = outputs.find(|output| !output.as_ref().is_err_and(is_busy));
        let output = output.unwrap().unwrap();
        let left = fs::read_dir(self.path("tmp")).unwrap();
        let mut left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        // Older compilers do not remove folders of their own.
        left.retain(|name| LLVM >= "19" || name.to_string_lossy().starts_with("ptxasw"));
        assert!(left.is_empty(), "{left:?}");
        output
    }

    /// Runs what must succeed and says nothing.
    pub fn quietly(&self, command: &mut Command) {
        let output = self.run(command);
        assert!(output.status.success(), "{command:?}: {}", printed(&output));
        assert!(
            printed(&output).is_empty(),
            "{command:?}: {}",
            printed(&output)
        );
    }
}

pub fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Something that a machine may lack; CI has it all.
fn present<T>(what: &str, found: Option<T>) -> Option<T> {
    if found.is_none() {
        assert!(env::var_os("CI").is_none(), "no {what}");
        eprintln!("skipped: no {what}");
    }
    found
}

/// A program of the machine or of the set-up script's.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let own = toolchain().map(|folder| folder.join("bin"));
    let mut folders = own.into_iter().chain(env::split_paths(&path));
    present(
        name,
        folders.find_map(|folder| Some(folder.join(name)).filter(|file| file.is_file())),
    )
}

fn toolchain() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/toolchain");
    let named = env::var_os("PTXASW_TOOLCHAIN").map(PathBuf::from);
    Some(named.unwrap_or(own)).filter(|folder| folder.is_dir())
}

/// CUDA 12 as clang wants it.
fn home() -> Option<PathBuf> {
    let home = toolchain().map(|folder| folder.join("cuda12"));
    present("CUDA 12 for clang", home.filter(|home| home.is_dir()))
}

/// clang, and the words that it always gets.
pub struct Clang {
    pub program: String,
    pub words: Vec<String>,
    pub libraries: Vec<String>,
}

pub fn clang() -> Option<Clang> {
    let (program, home) = (program(CLANG)?, home()?);
    let words = [
        &*format!("--cuda-path={}", home.display()),
        "-Wno-unknown-cuda-version",
        "-O2",
        "--cuda-gpu-arch=sm_80",
    ];
    let folder = format!("-L{}", home.join("lib64").display());
    let libraries = [&*folder, "-lcudart_static", "-ldl", "-lrt", "-lpthread"];
    Some(Clang {
        program: program.display().to_string(),
        words: words.map(String::from).to_vec(),
        libraries: libraries.map(String::from).to_vec(),
    })
}

impl Clang {
    /// Whether it compiles with the headers of CUDA 12 and of this system: clang 15 takes those of CUDA 11, clang 17 and 18
    /// none with those of GCC 14.
    pub fn takes_cuda(&self) -> bool {
        static TAKES: OnceLock<bool> = OnceLock::new();
        *TAKES.get_or_init(|| {
            let sandbox = Sandbox::new();
            let words = ["-S", "--cuda-device-only", "stencil.cu", "-o", "/dev/null"];
            let output = sandbox.run(&mut self.call(&sandbox, &words));
            let takes = output.status.success();
            let may_not = ["15", "17", "18"].contains(&LLVM);
            assert!(takes || may_not, "{}", printed(&output));
            if !takes {
                eprintln!("skipped: {CLANG} does not take the headers that are here");
            }
            takes
        })
    }

    /// Whether it links programs with device code: from 22 on by a program of another package, which Debian has not for all versions.
    pub fn links(&self) -> bool {
        let program = format!("/usr/lib/llvm-{LLVM}/bin/clang-linker-wrapper");
        LLVM < "22" || Path::new(&program).is_file()
    }

    /// Whether `tricubic.cu` with shuffles has fewer warps than without: later versions need fewer registers for it.
    pub fn loses_warps_of_tricubic(&self) -> bool {
        LLVM <= "19"
    }

    /// A call of it.
    pub fn call(&self, sandbox: &Sandbox, words: &[&str]) -> Command {
        let mut command = sandbox.command(&self.program, &[]);
        command.args(&self.words).args(words);
        command
    }

    /// A call of the wrapper `ptxasw clang` around it.
    pub fn wrapped(&self, sandbox: &Sandbox, words: &[&str]) -> Option<Command> {
        let mut command = sandbox.command(ours()?, &["clang", "--", &self.program]);
        command.args(&self.words).args(words);
        Some(command)
    }

    /// A call with the plugin.
    pub fn plugged(&self, sandbox: &Sandbox, words: &[&str]) -> Command {
        let plugin = format!("-fpass-plugin={}", plugin().display());
        let mut command = self.call(sandbox, &["-Xarch_device", &plugin]);
        command.args(words);
        command
    }
}

/// The command, which a build of everything puts next to this package's program.
pub fn ours() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_BIN_EXE_ptxasw-llvm")).with_file_name("ptxasw");
    present(
        "`ptxasw` was built",
        Some(path).filter(|path| path.is_file()),
    )
}

/// The plugin.
pub fn plugin() -> PathBuf {
    // Beside the tests: `cargo test` by itself does not link it into the folder above, as `cargo build` does.
    let tests = std::env::current_exe().expect("a path of its own");
    tests.with_file_name("libptxasw_llvm.so")
}

/// The command `ptxasw` in a folder of its own, which holds nothing else but `stage`, a script.
pub fn beside(sandbox: &Sandbox, stage: Option<&str>) -> Option<PathBuf> {
    let folder = sandbox.path("bin");
    fs::create_dir(&folder).unwrap();
    fs::copy(ours()?, folder.join("ptxasw")).unwrap();
    if let Some(text) = stage {
        use std::os::unix::fs::PermissionsExt;
        let file = folder.join("ptxasw-llvm");
        fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    Some(folder.join("ptxasw"))
}

/// A folder of links to programs, as `PATH`.
pub fn path_of(sandbox: &Sandbox, programs: &[&str]) -> PathBuf {
    let folder = sandbox.path("path");
    fs::create_dir(&folder).unwrap();
    for name in programs {
        let found = program(name).unwrap();
        symlink(found, folder.join(name)).unwrap();
    }
    folder
}
