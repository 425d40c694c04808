//! clang as CUDA compiler.

use super::{STENCIL, figures, home12, program};
use crate::dropin::sandbox::{Sandbox, said};

#[test]
fn clang_finds_us_by_option_by_folder_and_by_variable() {
    let (Some(clang), Some(home)) = (program("clang++-19"), home12()) else {
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.file("sten.cu", STENCIL);
    let bin = sandbox.path("bin");
    let path = format!("--ptxas-path={}", bin.join("ptxas").display());
    let folder = format!("-B{}", bin.display());
    /// How clang is led to ptxasw, more options, by `COMPILER_PATH`, and what the figures must be.
    type Call<'a> = (&'a str, &'a [&'a str], bool, (u64, u64));
    let calls: &[Call] = &[
        (&path, &[], false, (1, 1)),
        (&folder, &[], false, (1, 1)),
        ("-DNOTHING", &[], true, (1, 1)),
        (&path, &["-fgpu-rdc"], false, (1, 1)),
        (&path, &["-gline-tables-only"], false, (1, 1)),
        (&path, &["-O0"], false, (0, 0)),
        (&path, &["-g", "--cuda-noopt-device-debug"], false, (0, 0)),
    ];
    for (how, words, variable, expected) in calls {
        let mut command = sandbox.command(&clang);
        command
            .arg(format!("--cuda-path={}", home.display()))
            .args([
                "-Wno-unknown-cuda-version",
                "-O2",
                "--cuda-gpu-arch=sm_80",
                "-c",
                "sten.cu",
                "-o",
                "o",
                how,
            ])
            .args(["-Xcuda-ptxas", "--ptxasw-profit=always"])
            .args(*words)
            .env("PTXASW_STATS_DIR", sandbox.path("stats"))
            .env("PTXASW_PTXAS", home.join("bin/ptxas"));
        if *variable {
            // Beside the other programs that clang looks for there.
            std::fs::remove_file(sandbox.path("bin/as")).unwrap();
            command.env("COMPILER_PATH", &bin);
        }
        let output = command.output().unwrap();
        assert!(
            output.status.success(),
            "{how} {words:?}: {}",
            said(&output)
        );
        assert!(said(&output).is_empty(), "{}", said(&output));
        assert_eq!(figures(&sandbox), *expected, "{how} {words:?}");
    }
}

#[test]
fn a_program_links_and_reaches_the_driver() {
    let (Some(clang), Some(home)) = (program("clang++-19"), home12()) else {
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.file("sten.cu", STENCIL);
    let output = sandbox
        .command(&clang)
        .arg(format!("--cuda-path={}", home.display()))
        .arg(format!(
            "--ptxas-path={}",
            sandbox.path("bin/ptxas").display()
        ))
        .args([
            "-Wno-unknown-cuda-version",
            "-O2",
            "--cuda-gpu-arch=sm_80",
            "sten.cu",
            "-o",
            "program",
        ])
        .arg(format!("-L{}", home.join("lib64").display()))
        .args(["-lcudart_static", "-ldl", "-lrt", "-lpthread"])
        .env("PTXASW_PTXAS", home.join("bin/ptxas"))
        .env("PTXASW_STATS_DIR", sandbox.path("stats"))
        .env("PTXASW_PROFIT", "always")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(figures(&sandbox), (1, 1));
    super::starts(&sandbox, "program");
}
