//! nvcc through a shadow toolkit.

use super::{CUBIN_OPTIONS, STENCIL, figures, home13};
use crate::dropin::place::{Place, said};
use std::path::PathBuf;
use std::process::Output;

/// A place with a shadow toolkit and a source whose path has a blank.
fn shadow() -> Option<(Place, PathBuf)> {
    let home = home13()?;
    let place = Place::new();
    let mut command = place.command(env!("CARGO_BIN_EXE_ptxasw"));
    let output = command
        .args(["shim", "shadow tool kit", "--cuda-home"])
        .arg(&home)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(output.stdout, b"shadow tool kit/bin/nvcc\n");
    std::fs::create_dir(place.path("a b")).unwrap();
    place.file("a b/st en.cu", STENCIL);
    let nvcc = place.path("shadow tool kit/bin/nvcc");
    Some((place, nvcc))
}

fn nvcc(place: &Place, nvcc: &PathBuf, words: &[&str]) -> Output {
    let mut command = place.command(nvcc);
    let output = command
        .args(words)
        .args(["-o", "a b/out", "a b/st en.cu"])
        .env("PTXASW_STATS_DIR", place.path("stats"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{words:?}: {}", said(&output));
    output
}

#[test]
fn the_shadow_compiles_in_every_mode() {
    let Some((place, program)) = shadow() else {
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
        nvcc(&place, &program, &words);
        assert_eq!(figures(&place), *expected, "{words:?}");
        assert!(place.read("a b/out").is_some());
        std::fs::remove_file(place.path("a b/out")).unwrap();
    }
}

#[test]
fn what_nvcc_says_is_what_it_said_before() {
    let Some((place, program)) = shadow() else {
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
    let ours = nvcc(&place, &program, &words);
    let real = home13().unwrap().join("bin/nvcc");
    let real = nvcc(&place, &real, &words[..4]);
    assert_eq!(steady(&ours), steady(&real));
}

#[test]
fn a_program_links_and_reaches_the_driver() {
    let Some((place, program)) = shadow() else {
        return;
    };
    let lib = home13().unwrap().join("lib");
    let output = nvcc(
        &place,
        &program,
        &["-arch=sm_80", "-L", lib.to_str().unwrap()],
    );
    assert!(output.status.success());
    super::starts(&place, "a b/out");
}
