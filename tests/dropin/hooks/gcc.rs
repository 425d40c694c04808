//! GCC's offloading to nvptx, whose assembler is `nvptx-none-as`.

use super::figures;
use crate::dropin::sandbox::{Sandbox, present, said};
use std::path::PathBuf;

const SOURCE: &str = "void f(int n, float *restrict a, float *restrict b) {
#pragma acc parallel loop copyin(b[0:n]) copyout(a[0:n])
  for (int i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i] + b[i + 1];
}
int main() { static float a[100], b[100]; f(100, a, b); return (int)a[3]; }
";

const OPENMP: &str = "void f(int n, float *restrict a, float *restrict b) {
#pragma omp target teams distribute parallel for map(to : b[0 : n]) map(from : a[0 : n])
  for (int i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i] + b[i + 1];
}
int main() { static float a[100], b[100]; f(100, a, b); return (int)a[3]; }
";

/// A gcc that offloads to nvptx: the newest.
pub fn gcc() -> Option<PathBuf> {
    let found = glob::glob("/usr/lib/gcc/*/*/accel/nvptx-none/mkoffload").unwrap();
    let versions = found.flatten().filter_map(|path| {
        let version = path.ancestors().nth(3)?.file_name()?.to_str()?.to_string();
        Some(PathBuf::from(format!("/usr/bin/gcc-{version}")))
    });
    present(
        "gcc for nvptx",
        versions.filter(|path| path.is_file()).max(),
    )
}

#[test]
fn gcc_assembles_through_us() {
    let Some(gcc) = gcc() else { return };
    let sandbox = Sandbox::new();
    for (text, flag) in [(SOURCE, "-fopenacc"), (OPENMP, "-fopenmp")] {
        sandbox.file("program.c", text);
        for ours in [true, false] {
            let mut options = "nvptx-none=-misa=sm_80 -mptx=7.0".to_string();
            if ours {
                options += &format!(" -B{}", sandbox.path("bin").display());
            }
            let output = sandbox
                .command(&gcc)
                .args([
                    "-O2",
                    flag,
                    "-foffload=nvptx-none",
                    "program.c",
                    "-o",
                    "program",
                ])
                .arg(format!("-foffload-options={options}"))
                .env("PTXASW_STATS_DIR", sandbox.path("stats"))
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", said(&output));
            assert!(!said(&output).contains("ptxasw"), "{}", said(&output));
            // One module of the program, and what the compiler adds.
            assert_eq!(figures(&sandbox).0 > 0, ours, "{flag}");
            assert!(sandbox.is_clean());
        }
    }
}

/// `run-build` leads GCC's compiler for nvptx to ptxasw, and leaves the host's assembler alone.
#[test]
fn run_build_leads_gcc_to_us() {
    let Some(gcc) = gcc() else { return };
    let sandbox = Sandbox::new();
    sandbox.file("program.c", SOURCE);
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    let output = command
        .args(["run-build", "--folder", "links", "--"])
        .arg(gcc.file_name().unwrap())
        .args([
            "-O2",
            "-fopenacc",
            "-foffload=nvptx-none",
            "program.c",
            "-o",
            "program",
        ])
        .arg("-foffload-options=nvptx-none=-misa=sm_80 -mptx=7.0")
        .env("PTXASW_STATS_DIR", sandbox.path("stats"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(figures(&sandbox).0, 1);
}

#[test]
fn an_assembler_that_is_asked_for_its_version_answers() {
    let Some(_) = gcc() else { return };
    let sandbox = Sandbox::new();
    let output = sandbox
        .command(sandbox.path("bin/as"))
        .arg("--version")
        .output()
        .unwrap();
    let real = sandbox
        .command("nvptx-none-as")
        .arg("--version")
        .output()
        .unwrap();
    assert_eq!(
        (output.stdout, output.status.code()),
        (real.stdout, Some(0))
    );
}
