//! `ptxasw doctor` on the machine of the tests, and on one that has next to nothing.

use serde_json::Value;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// The command, with a temporary folder of its own and none of ptxasw's settings.
fn doctor(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("PTXASW_") && name != "PTXASW_TOOLCHAIN" {
            command.env_remove(name);
        }
    }
    fs::create_dir_all(folder.join("tmp")).unwrap();
    command.arg("doctor").env("TMPDIR", folder.join("tmp"));
    command
}

/// [`doctor()`] where there is no tool at all but those of a folder.
fn bare(folder: &Path) -> Command {
    let mut command = doctor(folder);
    command
        .env("PATH", folder)
        .env("PTXASW_TOOLCHAIN", folder.join("none"))
        .env_remove("CUDA_HOME")
        .env_remove("CUDA_PATH");
    command
}

fn outcomes(output: &Output) -> Vec<(String, String, String)> {
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&report["format"], report["version"].is_string()),
        (&1.into(), true)
    );
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let all = report["integrations"].as_array().unwrap().iter();
    all.map(|one| {
        (
            text(&one["name"]),
            text(&one["outcome"]),
            text(&one["detail"]),
        )
    })
    .collect()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn whatever_is_installed_comes_to_us() {
    let folder = TempDir::new().unwrap();
    let output = doctor(folder.path()).arg("--json").output().unwrap();
    let outcomes = outcomes(&output);
    assert!(output.status.success(), "{outcomes:?}");
    assert_eq!(outcomes.len(), 12);
    for (name, outcome, detail) in &outcomes {
        // The plugin lies beside the command only where everything was built; Numba and CuPy are there for `make packages`.
        let optional = name == "clang with the plugin" || name.starts_with("opt, PTX of ");
        let may_lack = env::var_os("CI").is_none() || optional;
        assert!(
            outcome == "ok" || may_lack && outcome == "missing",
            "{name}: {detail}"
        );
        let done = match name.as_str() {
            "opt --profit always" => "2 of 3 loads shuffled",
            _ => " loads removed",
        };
        assert!(outcome != "ok" || detail.contains(done), "{name}: {detail}");
    }
    assert_eq!(fs::read_dir(folder.path().join("tmp")).unwrap().count(), 0);
}

/// A toolkit whose compiler calls no assembler, as with `-dlto`.
fn idle_nvcc(folder: &Path) -> PathBuf {
    fs::create_dir(folder.join("bin")).unwrap();
    fs::write(folder.join("bin/nvcc"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(folder.join("bin/nvcc"), fs::Permissions::from_mode(0o755)).unwrap();
    // A shadow toolkit takes programs only, no scripts.
    fs::copy("/bin/true", folder.join("bin/ptxas")).unwrap();
    folder.join("bin/nvcc")
}

#[test]
fn a_compiler_that_does_not_come_to_us_is_a_failure() {
    let folder = TempDir::new().unwrap();
    let nvcc = idle_nvcc(folder.path());
    let output = bare(folder.path())
        .env("PTXASW_NVCC", nvcc)
        .output()
        .unwrap();
    let table = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{table}");
    let row = |name: &str| {
        table
            .lines()
            .find(|line| line.contains(name))
            .unwrap()
            .to_string()
    };
    let nvcc = row("nvcc, through");
    assert!(nvcc.starts_with("  FAILS"), "{nvcc}");
    assert!(nvcc.ends_with("the compiler did not call ptxasw"), "{nvcc}");
    assert!(row("in place of ptxas").contains("missing  in place of ptxas"));
    assert!(row("opt, PTX  ").starts_with("  ok"));
    assert!(row("opt, PTX of Numba").contains("no Numba"));
    assert!(row("  CuPy").contains("to install: pip install cupy"));
    assert!(row("Triton").contains("missing"));
    assert!(row("second solver").contains("to install: pip install bitwuzla"));
}

#[test]
fn settings_of_the_environment_are_shown_and_not_used() {
    let folder = TempDir::new().unwrap();
    let output = bare(folder.path()).env("PTXASW_OFF", "1").output().unwrap();
    let table = printed(&output);
    assert!(output.status.success(), "{table}");
    assert!(table.contains("  PTXASW_OFF=1\n"), "{table}");
    let output = bare(folder.path())
        .env("PTXASW_WRAPING", "R")
        .output()
        .unwrap();
    let table = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{table}");
    assert!(table.contains("did you mean `PTXASW_WRAPPING`?"), "{table}");
}
