//! The wheel, in a virtual environment of its own and as the assembler of Numba and CuPy.

use super::{made, output, pack, root, skipped, toolchain};
use ptxasw::toolchain::{Arch, Search};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The interpreter of the tools' environment, if it has a module.
fn python_with(module: &str) -> Option<PathBuf> {
    let python = toolchain().map(|folder| folder.join("bin/python"));
    python.filter(|python| {
        let import = format!("import {module}");
        let done = Command::new(python).args(["-c", &import]).output();
        done.is_ok_and(|done| done.status.success())
    })
}

/// A program of an environment, without any variable of this one.
fn clean(program: PathBuf, home: &Path) -> Command {
    let mut command = Command::new(&program);
    let own = program.parent().unwrap().display();
    command
        .env_clear()
        .env("HOME", home)
        .env("PATH", format!("{own}:/usr/bin:/bin"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(home);
    command
}

/// Runs one of the files with tests in Python.
fn unittest(python: &mut Command, file: &str) {
    output(python.arg(root().join("tests/packages").join(file)));
}

fn install(python: PathBuf, home: &Path, words: &[&str], wheel: &Path) {
    let mut pip = clean(python, home);
    pip.args(["-m", "pip", "install", "-q", "--no-index", "--no-deps"]);
    pip.args(["--disable-pip-version-check"])
        .args(words)
        .arg(wheel);
    output(&mut pip);
}

#[test]
#[ignore = "make soak STEPS=packages"]
fn wheel() {
    let Some(python) = python_with("maturin") else {
        return skipped("maturin");
    };
    let place = tempfile::tempdir().unwrap();
    let home = place.path();
    pack("src/python/wheel.sh", &home.join("wheels"), &[]);
    let wheel = made(&home.join("wheels"), "ptxasw-*-py3-none-*.whl");
    in_an_environment_of_its_own(home, &wheel);
    under_numba_and_cupy(home, python, &wheel);
}

fn in_an_environment_of_its_own(home: &Path, wheel: &Path) {
    let environment = home.join("environment");
    output(
        Command::new("/usr/bin/python3")
            .args(["-m", "venv"])
            .arg(&environment),
    );
    let python = environment.join("bin/python");
    install(python.clone(), home, &[], wheel);
    let mut doctor = clean(environment.join("bin/ptxasw"), home);
    let report = output(doctor.args(["doctor", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let tools = report["tools"].as_array().unwrap();
    let z3 = tools.iter().find(|tool| tool["name"] == "Z3").unwrap();
    let own = environment.join("lib/ptxasw/libz3.so.4");
    assert_eq!(z3["path"], own.to_str().unwrap(), "{z3}");
    let kernels = root().join("ptx-tests/kernelgen");
    unittest(
        clean(python, home).env("KERNELS", kernels),
        "test_rewrite.py",
    );
}

fn under_numba_and_cupy(home: &Path, python: PathBuf, wheel: &Path) {
    if python_with("numba, numba_cuda, cupy").is_none() {
        return skipped("Numba or CuPy");
    }
    let Ok((ptxas, _)) = Search::from_environment().ptxas(Arch::new(80)) else {
        return skipped("ptxas");
    };
    let folder = home.join("modules");
    install(
        python.clone(),
        home,
        &["--target", folder.to_str().unwrap()],
        wheel,
    );
    let mut python = clean(python, home);
    unittest(
        python
            .env("PYTHONPATH", folder)
            .env("PTXAS", ptxas)
            .env("MANUAL", root().join("docs/builds/python.md")),
        "test_makers.py",
    );
}
