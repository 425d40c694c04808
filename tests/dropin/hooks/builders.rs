//! CMake, Ninja, make and ccache, with nvcc and clang as CUDA compilers.

use super::{STENCIL, figures, home12, home13, program};
use crate::cells;
use crate::dropin::sandbox::{Sandbox, said};
use std::process::Command;

const CMAKE: &str = "cmake_minimum_required(VERSION 3.22)
project(stencil LANGUAGES CXX CUDA)
add_library(stencil STATIC sten.cu)
";

fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let log = String::from_utf8_lossy(&output.stdout).into_owned() + &said(&output);
    assert!(output.status.success(), "{log}");
    log
}

/// A configured and built CMake project. `PATH` ends with Ninja.
fn cmake(sandbox: &Sandbox, words: &[&str], more: impl Fn(&mut Command)) {
    let (Some(cmake), Some(ninja)) = (program("cmake"), program("ninja")) else {
        return;
    };
    sandbox.file("CMakeLists.txt", CMAKE);
    sandbox.file("sten.cu", STENCIL);
    let path = format!("/usr/bin:/bin:{}", ninja.parent().unwrap().display());
    let run = |words: &[&str]| {
        let mut command = sandbox.command(&cmake);
        command
            .args(words)
            .env("PATH", &path)
            .env("PTXASW_STATS_DIR", sandbox.path("stats"))
            .env("PTXASW_PROFIT", "always");
        more(&mut command);
        succeeds(&mut command);
    };
    let mut configure = vec![
        "-G",
        "Ninja",
        "-B",
        "build",
        "-DCMAKE_CUDA_ARCHITECTURES=80",
        // Without one clang is not told to optimize.
        "-DCMAKE_BUILD_TYPE=Release",
    ];
    configure.extend(words);
    run(&configure);
    // CMake's own trials of the compiler went through ptxasw, too.
    figures(sandbox);
    run(&["--build", "build"]);
    assert_eq!(figures(sandbox), (1, 1));
}

#[test]
fn cmake_with_nvcc() {
    let Some(home) = home13() else { return };
    let sandbox = Sandbox::new();
    let mut shim = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    let words = ["shim", "shadow", "--profit", "always", "--cuda-home"];
    succeeds(shim.args(words).arg(&home));
    let compiler = format!(
        "-DCMAKE_CUDA_COMPILER={}",
        sandbox.path("shadow/bin/nvcc").display()
    );
    cmake(&sandbox, &[&compiler], |_| {});
}

#[test]
fn cmake_with_clang() {
    let (Some(clang), Some(home)) = (program("clang++-19"), home12()) else {
        return;
    };
    let sandbox = Sandbox::new();
    let compiler = format!("-DCMAKE_CUDA_COMPILER={}", clang.display());
    let toolkit = format!("-DCUDAToolkit_ROOT={}", home.display());
    let flags = format!(
        "-DCMAKE_CUDA_FLAGS=--cuda-path={} -Wno-unknown-cuda-version --ptxas-path={} -L{}",
        home.display(),
        sandbox.path("bin/ptxas").display(),
        home.join("lib64").display()
    );
    cmake(&sandbox, &[&compiler, &toolkit, &flags], |command| {
        command.env("PTXASW_PTXAS", home.join("bin/ptxas"));
    });
}

const MAKEFILE: &str = "all: nvcc.o clang.o
nvcc.o: sten.cu
\tnvcc -arch=sm_80 -c $< -o $@
clang.o: sten.cu
\tclang++-19 --cuda-path=$(CLANG_CUDA) -Wno-unknown-cuda-version -O2 --cuda-gpu-arch=sm_80 -c $< -o $@
";

/// The figures of a build that runs without any recipe.
#[test]
fn run_build_leads_all_compilers_to_us() {
    let (Some(home), Some(_), Some(clang)) = (home13(), program("clang++-19"), home12()) else {
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.file("Makefile", MAKEFILE);
    sandbox.file("sten.cu", STENCIL);
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    command
        .args(["run-build", "--folder", "links", "--stats", "--cuda-home"])
        .arg(&home)
        .args(["--", "make", "-j8", "all"])
        .env("CLANG_CUDA", &clang)
        .env("PTXASW_PROFIT", "always");
    let log = succeeds(&mut command);
    let row = |row: &str| cells(&log).contains(row);
    assert!(row("modules 2\n") && row("changed 2\n"), "{log}");
    // Without the table, one line.
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    command.args(["run-build", "--folder", "links", "--cuda-home"]);
    command.arg(&home).args(["--", "make", "-B", "all"]);
    let log = succeeds(
        command
            .env("CLANG_CUDA", &clang)
            .env("PTXASW_PROFIT", "always"),
    );
    let last = log.lines().last().unwrap_or_default();
    assert!(
        last == "ptxasw: 2 modules, 2 kernels: 2 changed; 4 of 6 loads shuffled",
        "{log}"
    );
    // Choices for single kernels, of a settings file, count in a build, too.
    sandbox.file(
        "ptxasw.toml",
        "[[tuned]]\nkernel = \"*\"\ntarget = \"sm_80\"\noff = true\n",
    );
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    command.args(["run-build", "--folder", "links", "--cuda-home"]);
    command.arg(&home).args(["--", "make", "-B", "nvcc.o"]);
    let log = succeeds(command.env("PTXASW_PROFIT", "always"));
    let last = log.lines().last().unwrap_or_default();
    assert!(
        last == "ptxasw: 1 module, 0 kernels: no loads and no stores",
        "{log}"
    );
    std::fs::remove_file(sandbox.path("ptxasw.toml")).unwrap();
    // A page of it, under its settings.
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    command.args(["run-build", "--folder", "links", "--report", "build.html"]);
    command
        .arg("--cuda-home")
        .arg(&home)
        .args(["--", "make", "-B", "nvcc.o"]);
    let log = succeeds(command.env("PTXASW_PROFIT", "always"));
    let page = "ptxasw: build.html: 1 kernel: 1 changed";
    assert!(log.lines().any(|line| line == page), "{log}");
    // A page that can't be written takes nothing from the build.
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    command.args([
        "run-build",
        "--folder",
        "links",
        "--report",
        "none/build.html",
    ]);
    command.arg("--cuda-home").arg(&home);
    let log = succeeds(command.args(["--", "make", "-B", "nvcc.o"]));
    assert!(log.contains("ptxasw: warning: no report: "), "{log}");
    // A build without device code, or one that was up to date, is no error.
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    let log = succeeds(command.args(["run-build", "--folder", "links", "--", "true"]));
    assert!(
        log.starts_with("ptxasw: warning: no PTX came to ptxasw in this build: likely"),
        "{log}"
    );
    assert_eq!(log.lines().count(), 1, "{log}");
    // The exit code is the command's own.
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    let script = "for ptxas in $TRITON_PTXAS_PATH $TRITON_PTXAS_BLACKWELL_PATH
        do $ptxas --version | tail -1; done; exit 7";
    command.args(["run-build", "--folder", "links", "--cuda-home"]);
    command.arg(&home).args(["--", "sh", "-c", script]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    let lines = String::from_utf8(output.stdout).unwrap();
    let ours = lines.lines().filter(|line| line.starts_with("ptxasw "));
    assert_eq!(ours.count(), 2, "{lines}");
}

/// ccache hashes nvcc's own options and nvcc, not the assembler: one of other settings is noticed by `CCACHE_EXTRAFILES`. A
/// variable changes nothing, so that it may hit an old object.
#[test]
fn ccache_notices_another_assembler() {
    let (Some(home), Some(ccache)) = (home13(), program("ccache")) else {
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.file("sten.cu", STENCIL);
    let shim = |profit: &str| {
        let mut shim = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
        let words = [
            "shim",
            "shadow",
            "--no-solver",
            "--profit",
            profit,
            "--cuda-home",
        ];
        succeeds(shim.args(words).arg(&home));
    };
    let nvcc = sandbox.path("shadow/bin/nvcc");
    let assembler = sandbox.path("shadow/bin/ptxas");
    let compile = |words: &[&str], variables: &[(&str, &str)]| {
        let mut command = sandbox.command(&ccache);
        command
            .arg(&nvcc)
            .args(["-arch=sm_80", "-c", "sten.cu", "-o", "o"])
            .args(words)
            .env("CCACHE_DIR", sandbox.path("cache of objects"))
            .env("CCACHE_EXTRAFILES", &assembler)
            .env("PTXASW_STATS_DIR", sandbox.path("stats"));
        command.envs(variables.iter().copied());
        let log = succeeds(&mut command);
        (figures(&sandbox), log)
    };
    shim("always");
    let (made, _) = compile(&[], &[]);
    assert_eq!(made, (1, 1));
    assert_eq!(compile(&[], &[]).0, (0, 0), "a hit");
    assert_eq!(compile(&[], &[("PTXASW_OFF", "1")]).0, (0, 0), "a hit");
    // What the hit gave is what the assembler would have made.
    let variables = [("PTXASW_OFF", "1"), ("CCACHE_RECACHE", "1")];
    let (made, log) = compile(&[], &variables);
    assert_eq!(made, (1, 1));
    assert!(log.contains("warning: PTXASW_OFF is ignored"), "{log}");
    let object = sandbox.read("o");
    let off = ["-Xptxas", "--ptxasw-off"];
    assert_eq!(compile(&off, &[]).0, (0, 0), "other arguments");
    assert!(sandbox.read("o") != object);
    shim("auto");
    assert_eq!(compile(&[], &[]).0.0, 1, "another assembler");
    shim("always");
    assert_eq!(compile(&[], &[]).0, (0, 0), "the first one again");
    assert!(sandbox.read("o") == object);
}
