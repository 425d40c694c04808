//! The compilers, and the program of the host.

use ptxasw::toolchain::Search;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A program that is not there.
#[derive(Debug)]
pub struct Unavailable(pub &'static str);

/// Who makes PTX of the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    Nvcc,
    Clang,
}

/// What the host's program gives: for each function its results of all rows, one after the other.
pub struct Compiled {
    /// In the order of the results.
    pub names: Vec<String>,
    pub results: Vec<u64>,
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/functions.cu")
}

/// Runs a compiler.
///
/// # Panics
/// If it is there and fails.
fn call(command: &mut Command, name: &'static str) -> Result<Output, Unavailable> {
    let output = command.output().map_err(|_| Unavailable(name))?;
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {said}");
    Ok(output)
}

impl Compiler {
    /// The PTX. Nothing may be contracted into fused operations, since the host's compiler does not.
    pub fn compile(self, folder: &Path) -> Result<String, Unavailable> {
        let made = folder.join("functions.ptx");
        match self {
            Compiler::Nvcc => {
                let search = Search::from_environment();
                let (nvcc, _) = search.program("nvcc").map_err(|_| Unavailable("nvcc"))?;
                let mut command = Command::new(nvcc);
                command.args(["-O3", "-ptx", "-arch=sm_80", "-fmad=false", "-std=c++17"]);
                call(command.arg(source()).arg("-o").arg(&made), "nvcc")?;
            }
            Compiler::Clang => {
                let program = std::env::var("CLANG").unwrap_or_else(|_| "clang-19".to_owned());
                let mut command = Command::new(program);
                command
                    .args([
                        "-x",
                        "cuda",
                        "--cuda-device-only",
                        "-nocudainc",
                        "-nocudalib",
                    ])
                    .args(["-O3", "-ffp-contract=off", "--cuda-gpu-arch=sm_80", "-S"])
                    .args(["-Xclang", "-target-feature", "-Xclang", "+ptx85"]);
                call(command.arg(source()).arg("-o").arg(&made), "clang-19")?;
            }
        }
        Ok(std::fs::read_to_string(made).expect("the compiler wrote its output"))
    }
}

/// Compiles the functions for the host and runs them on rows of three words.
pub fn host(folder: &Path, words: &[u64]) -> Result<Compiled, Unavailable> {
    let [program, input, output] = ["host", "input", "output"].map(|name| folder.join(name));
    let mut command = Command::new("g++");
    command.args(["-x", "c++", "-std=c++17", "-O2"]).args([
        "-ffp-contract=off",
        "-frounding-math",
        "-fno-fast-math",
    ]);
    call(command.arg(source()).arg("-o").arg(&program), "g++")?;
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    std::fs::write(&input, bytes).expect("the input can be written");
    let mut command = Command::new(&program);
    let said = call(command.arg(&input).arg(&output), "the host's program")?;
    let bytes = std::fs::read(&output).expect("the program wrote its output");
    let words = bytes.chunks_exact(8);
    Ok(Compiled {
        names: String::from_utf8_lossy(&said.stdout)
            .lines()
            .map(str::to_owned)
            .collect(),
        results: words
            .map(|c| u64::from_le_bytes(c.try_into().unwrap()))
            .collect(),
    })
}
