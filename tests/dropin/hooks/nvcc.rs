//! nvcc through a shadow toolkit.

use super::{CUBIN_OPTIONS, STENCIL, figures, home13};
use crate::dropin::sandbox::{Sandbox, said};
use std::path::PathBuf;
use std::process::Output;

/// A sandbox with a shadow toolkit and a source whose path has a blank.
fn shadow() -> Option<(Sandbox, PathBuf)> {
    let home = home13()?;
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    let output = command
        .args(["shim", "shadow tool kit", "--cuda-home"])
        .arg(&home)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(output.stdout, b"shadow tool kit/bin/nvcc\n");
    std::fs::create_dir(sandbox.path("a b")).unwrap();
    sandbox.file("a b/st en.cu", STENCIL);
    let nvcc = sandbox.path("shadow tool kit/bin/nvcc");
    Some((sandbox, nvcc))
}

fn nvcc(sandbox: &Sandbox, nvcc: &PathBuf, words: &[&str]) -> Output {
    let mut command = sandbox.command(nvcc);
    let output = command
        .args(words)
        .args(["-o", "a b/out", "a b/st en.cu"])
        .env("PTXASW_STATS_DIR", sandbox.path("stats"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{words:?}: {}", said(&output));
    output
}

#[test]
fn the_shadow_compiles_in_every_mode() {
    let Some((sandbox, program)) = shadow() else {
        return;
    };
    // Modules that were looked at, and kernels that have shuffles.
    let modes: &[(&[&str], (u64, u64))] = &[
        (&["-arch=sm_80", "-c"], (1, 1)),
        (&["-arch=sm_80", "-dc"], (1, 1)),
        (&["-arch=sm_80", "-c", "-lineinfo"], (1, 1)),
        (&["-arch=sm_80", "-c", "-G"], (0, 0)),
        (&["-arch=sm_80", "-c", "--device-debug"], (0, 0)),
        (&["-arch=sm_90a", "-c"], (1, 1)),
        (
            &[
                "-gencode",
                "arch=compute_80,code=sm_80",
                "-gencode",
                "arch=compute_90,code=[sm_90,compute_90]",
                "-c",
            ],
            (2, 2),
        ),
        (&["-arch=sm_80", "-c", "-keep", "-keep-dir", "a b"], (1, 1)),
        (
            &[
                "-arch=sm_80",
                "-c",
                "--ptxas-options=-v",
                "-Xptxas",
                "--ptxasw-wrapping=R",
            ],
            (1, 1),
        ),
        (
            &["-arch=sm_80", "-c", "-split-compile", "2", "-t", "2"],
            (1, 1),
        ),
        (&["-arch=sm_80", "-c", "-Xptxas", "--ptxasw-off"], (0, 0)),
        (&["-arch=sm_80", "-cubin"], (1, 1)),
    ];
    for (words, expected) in modes {
        let words: Vec<&str> = words.iter().chain(CUBIN_OPTIONS).copied().collect();
        nvcc(&sandbox, &program, &words);
        assert_eq!(figures(&sandbox), *expected, "{words:?}");
        assert!(sandbox.read("a b/out").is_some());
        std::fs::remove_file(sandbox.path("a b/out")).unwrap();
    }
}

#[test]
fn what_nvcc_says_is_what_it_said_before() {
    let Some((sandbox, program)) = shadow() else {
        return;
    };
    let steady = |output: &Output| -> Vec<String> {
        let text = said(output);
        let lines = text.lines().filter(|line| !line.contains("Compile time"));
        lines.map(str::to_string).collect()
    };
    let words = [
        "-arch=sm_80",
        "-c",
        "-Xptxas",
        "-v",
        "-Xptxas",
        "--ptxasw-max-delta=0",
    ];
    let ours = nvcc(&sandbox, &program, &words);
    let real = home13().unwrap().join("bin/nvcc");
    let real = nvcc(&sandbox, &real, &words[..4]);
    assert_eq!(steady(&ours), steady(&real));
}

#[test]
fn a_program_links_and_reaches_the_driver() {
    let Some((sandbox, program)) = shadow() else {
        return;
    };
    let lib = home13().unwrap().join("lib");
    let output = nvcc(
        &sandbox,
        &program,
        &["-arch=sm_80", "-L", lib.to_str().unwrap()],
    );
    assert!(output.status.success());
    super::starts(&sandbox, "a b/out");
}
