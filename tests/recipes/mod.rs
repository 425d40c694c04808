//! The recipes of `docs/builds`, run as they are printed there: a block after `<!-- recipe: NAME -->` is a script for a shell, in which
//! `ptxasw`, `CUDA_HOME`, `CUDA12_HOME` and `PLUGIN` are what the text says, and the home folder is a temporary one.
//!
//! What the compilers do in all their modes is in `tests/dropin/hooks` and `src/llvm/tests/clang`.

mod remarks;

use crate::cells;
use ptxasw::report::stats::Figures;
use ptxasw::toolchain::{Search, offload_compilers};
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGES: [&str; 6] = [
    include_str!("../../docs/builds/README.md"),
    include_str!("../../docs/builds/nvcc.md"),
    include_str!("../../docs/builds/cmake.md"),
    include_str!("../../docs/builds/clang.md"),
    include_str!("../../docs/builds/gcc.md"),
    include_str!("../../docs/builds/triton.md"),
];

/// How a marker begins and ends; it is invisible to readers.
const MARKER: (&str, &str) = ("<!-- recipe: ", " -->");

const FILES: &[(&str, &str)] = &[
    (
        "kernel.cu",
        include_str!("../../src/tools/doctor/kernels/butterfly.cu"),
    ),
    (
        "program.c",
        include_str!("../../src/tools/doctor/kernels/butterfly.c"),
    ),
    (
        "train.py",
        include_str!("../../src/tools/doctor/kernels/triton.py"),
    ),
    (
        "Makefile",
        "kernel.o: kernel.cu\n\tnvcc -arch=sm_80 -c $< -o $@\n",
    ),
    (
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.22)\nproject(kernel LANGUAGES CXX CUDA)\nadd_library(kernel STATIC kernel.cu)\n",
    ),
];

/// All blocks, by name.
fn recipes() -> Vec<(&'static str, String)> {
    let lines: Vec<&str> = PAGES.iter().flat_map(|page| page.lines()).collect();
    let named = |line: &'static str| line.strip_prefix(MARKER.0)?.strip_suffix(MARKER.1);
    let starts = lines.iter().enumerate();
    starts
        .filter_map(|(index, line)| Some((index, named(line)?)))
        .map(|(index, name)| {
            let block = lines[index + 1..].iter();
            let block = block.map_while(|line| line.strip_prefix("    "));
            (name, block.map(|line| format!("{line}\n")).collect())
        })
        .collect()
}

fn recipe(name: &str) -> String {
    let mut all = recipes().into_iter();
    all.find(|(one, _)| *one == name).unwrap().1
}

/// A tool that a machine may lack; CI has all of them.
fn present<T>(what: &str, found: Option<T>) -> Option<T> {
    if found.is_none() {
        println!("skipped: no {what}");
        assert!(env::var_os("CI").is_none(), "on CI nothing is skipped");
    }
    found
}

fn file(what: &str, path: PathBuf) -> Option<PathBuf> {
    present(what, Some(path).filter(|path| path.exists()))
}

/// The folder that the set-up script fills.
fn toolchain() -> Option<PathBuf> {
    let found = Search::from_environment().toolchain;
    present("toolchain", found.filter(|folder| folder.is_dir()))
}

/// What LLVM's package builds beside this one.
fn built(name: &str) -> Option<PathBuf> {
    file(
        name,
        Path::new(env!("CARGO_BIN_EXE_ptxasw")).with_file_name(name),
    )
}

/// A home folder with sources, and with a `PATH` that begins with its own programs.
struct Home {
    folder: tempfile::TempDir,
    path: Vec<PathBuf>,
    variables: Vec<(&'static str, PathBuf)>,
}

impl Home {
    fn new() -> Option<Self> {
        let toolchain = toolchain()?;
        let nvcc = Search::from_environment().program("nvcc").ok();
        let (nvcc, _) = present("nvcc", nvcc)?;
        let cuda = nvcc.parent()?.parent()?.to_path_buf();
        let cuda12 = file("CUDA 12 for clang", toolchain.join("cuda12"))?;
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in FILES {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let own = folder.path().join("own");
        fs::create_dir(&own).unwrap();
        symlink(env!("CARGO_BIN_EXE_ptxasw"), own.join("ptxasw")).unwrap();
        let system = env::split_paths(&env::var_os("PATH").unwrap()).collect::<Vec<_>>();
        Some(Home {
            folder,
            path: [vec![own, toolchain.join("bin")], system].concat(),
            variables: vec![("CUDA_HOME", cuda), ("CUDA12_HOME", cuda12)],
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program that is called by another name than the machine's.
    fn program(&self, name: &str, target: &Path) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.path("own").join(name);
        fs::write(
            &path,
            format!("#!/bin/sh\nexec '{}' \"$@\"\n", target.display()),
        )
        .unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs recipes one after the other; the figures of the last.
    fn run(&self, names: &[&str]) -> Figures {
        for name in names {
            let script = recipe(name);
            let _ = fs::remove_dir_all(self.path("stats"));
            let output = self.shell(&script).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name}: {script}{said}");
            assert!(!said.contains("ptxasw: "), "{name}: {said}");
        }
        self.figures()
    }

    fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-e", "-u", "-c", script]);
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("PTXASW_") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(self.folder.path())
            .env("HOME", self.folder.path())
            .env("PATH", env::join_paths(&self.path).unwrap())
            .env("PTXASW_STATS_DIR", self.path("stats"))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .env_remove("XDG_CACHE_HOME");
        command
    }

    fn figures(&self) -> Figures {
        let mut sum = Figures::default();
        for entry in fs::read_dir(self.path("stats")).into_iter().flatten() {
            let bytes = fs::read(entry.unwrap().path()).unwrap();
            sum.add(&serde_json::from_slice(&bytes).unwrap());
        }
        sum
    }

    /// Runs recipes of which the last rewrites a kernel.
    fn rewrites(&self, names: &[&str]) {
        let figures = self.run(names);
        assert_eq!(
            (figures.failed, figures.rewritten > 0),
            (0, true),
            "{names:?}"
        );
    }
}

#[test]
fn each_recipe_is_run_here() {
    let names: Vec<&str> = recipes().iter().map(|(name, _)| *name).collect();
    let tested = [
        "run-build",
        "links",
        "nvcc",
        "cmake",
        "clang",
        "plugin",
        "wrapper",
        "gcc",
        "triton",
    ];
    assert_eq!(names, tested);
    assert!(recipes().iter().all(|(_, script)| !script.is_empty()));
}

/// The table that `--stats` prints takes the place of figures in a folder.
#[test]
fn run_build() {
    let Some(home) = Home::new() else { return };
    let output = home.shell(&recipe("run-build")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(cells(&said).contains("removed 2\n"), "{said}");
}

#[test]
fn nvcc_and_cmake() {
    let Some(home) = Home::new() else { return };
    home.rewrites(&["nvcc"]);
    let Some(_) = file("cmake", toolchain().unwrap().join("bin/cmake")) else {
        return;
    };
    home.rewrites(&["cmake"]);
}

#[test]
fn clang() {
    let Some(home) = Home::new() else { return };
    let clang = Search::from_environment().on_path("clang++-19");
    let Some(_) = present("clang++-19", clang) else {
        return;
    };
    home.rewrites(&["links", "clang"]);
}

#[test]
fn clang_on_llvm_ir() {
    let Some(mut home) = Home::new() else { return };
    let clang = Search::from_environment().on_path("clang++-19");
    let (Some(_), Some(_)) = (present("clang++-19", clang), built("ptxasw-llvm")) else {
        return;
    };
    home.rewrites(&["wrapper"]);
    // Beside the tests: `cargo test` by itself does not link it into the folder of programs.
    let tests = env::current_exe().unwrap();
    let Some(plugin) = file("plugin", tests.with_file_name("libptxasw_llvm.so")) else {
        return;
    };
    home.variables.push(("PLUGIN", plugin));
    home.rewrites(&["plugin"]);
}

#[test]
fn gcc() {
    let Some(home) = Home::new() else { return };
    let search = Search::from_environment();
    let newest = offload_compilers().pop();
    let gcc = newest.and_then(|version| search.on_path(&format!("gcc-{version}")));
    let Some(gcc) = present("gcc for nvptx", gcc) else {
        return;
    };
    home.program("gcc", &gcc);
    home.rewrites(&["links", "gcc"]);
}

#[test]
fn triton() {
    let Some(home) = Home::new() else { return };
    let import = home.shell("python -c 'import triton'").output().unwrap();
    let Some(()) = present("Triton", import.status.success().then_some(())) else {
        return;
    };
    home.rewrites(&["links", "triton"]);
}
