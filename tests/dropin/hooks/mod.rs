//! Compilers and builders that call an assembler, with ptxasw in its place.

mod builders;
mod clang;
mod gcc;
mod nvcc;
mod triton;

use crate::dropin::sandbox::{Sandbox, present};
use ptxasw::report::stats::Figures;
use ptxasw::toolchain::Search;
use std::path::PathBuf;

/// A host program and a kernel in which two of three loads become shuffles.
const STENCIL: &str = r#"#include <cstdio>
__global__ void stencil(float *__restrict__ out, const float *__restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1) out[i] = in[i - 1] + in[i] + in[i + 1];
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

/// By default no shuffle is emitted for the targets of today.
const CUBIN_OPTIONS: &[&str] = &["-Xptxas", "--ptxasw-profit=always"];

/// The folder with compilers and builders that the set-up script makes.
fn toolchain() -> Option<PathBuf> {
    let (nvcc, _) = Search::from_environment().program("nvcc").ok()?;
    let mut folders = nvcc.ancestors();
    folders
        .find(|folder| folder.join("hooks.txt").is_file())
        .map(PathBuf::from)
}

/// CUDA 13, with nvcc.
fn home13() -> Option<PathBuf> {
    let nvcc = Search::from_environment().program("nvcc").ok();
    let nvcc = present("nvcc", nvcc)?.0;
    Some(nvcc.parent()?.parent()?.to_path_buf())
}

/// CUDA 12 as clang wants it.
fn home12() -> Option<PathBuf> {
    let home = toolchain().map(|folder| folder.join("cuda12"));
    present("CUDA 12 for clang", home.filter(|home| home.is_dir()))
}

/// A program of the set-up script's, or of the machine.
fn program(name: &str) -> Option<PathBuf> {
    let own = toolchain().map(|folder| folder.join("bin").join(name));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = own
        .into_iter()
        .chain(std::env::split_paths(&path).map(|folder| folder.join(name)));
    present(name, all.into_iter().find(|file| file.is_file()))
}

/// What the calls so far did: modules that were looked at, and kernels with shuffles. Forgets it.
fn figures(sandbox: &Sandbox) -> (u64, u64) {
    let mut sum = Figures::default();
    let Ok(entries) = std::fs::read_dir(sandbox.path("stats")) else {
        return (0, 0);
    };
    for entry in entries {
        let path = entry.unwrap().path();
        sum.add(&serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap());
        std::fs::remove_file(path).unwrap();
    }
    assert_eq!(sum.failed, 0);
    (sum.modules, sum.rewritten)
}

/// Without a GPU a program must come as far as the driver's own error; with one, to its end.
fn starts(sandbox: &Sandbox, name: &str) {
    let output = sandbox.command(sandbox.path(name)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let code = output.status.code();
    assert!(
        code == Some(0) || code == Some(3) && said.contains("CUDA driver"),
        "{code:?} {said}"
    );
}
