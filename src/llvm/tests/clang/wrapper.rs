//! `ptxasw clang -- clang++ ...`.

use crate::clang::sandbox::{
    Clang, DEVICE_ONLY, LLVM, Sandbox, beside, clang, ours, path_of, printed, program,
};
use std::process::Command;

/// Options that change how clang makes its PTX.
const OPTIONS: &[&[&str]] = &[
    &[],
    &["-O3"],
    &["-Os"],
    &["-O1"],
    &["-O0"],
    &["-g"],
    &["-gline-tables-only"],
    &["-ffast-math"],
    &["-ffp-contract=off"],
    &["-fgpu-rdc"],
    &["-save-temps"],
    &["-mllvm", "-nvptx-fma-level=1"],
    &["--offload-new-driver"],
];

#[test]
fn where_nothing_is_rewritten_ptx_is_clangs_own() {
    let Some(clang) = clang() else { return };
    let sandbox = Sandbox::new();
    for options in OPTIONS {
        let words = |output| [*options, &DEVICE_ONLY, &["-o", output]].concat();
        sandbox.quietly(&mut clang.call(&sandbox, &words("clang.ptx")));
        let Some(mut wrapped) = clang.wrapped(&sandbox, &words("ours.ptx")) else {
            return;
        };
        sandbox.quietly(wrapped.arg("--ptxasw-kernels=none"));
        assert_eq!(
            sandbox.text("clang.ptx"),
            sandbox.text("ours.ptx"),
            "{options:?}"
        );
    }
}

#[test]
fn shuffles_are_in_what_the_driver_makes() {
    let Some(clang) = clang() else { return };
    let sandbox = Sandbox::new();
    for options in OPTIONS {
        let words = [*options, &DEVICE_ONLY, &["-o", "ours.ptx"]].concat();
        let Some(mut wrapped) = clang.wrapped(&sandbox, &words) else {
            return;
        };
        sandbox.quietly(&mut wrapped);
        let optimized = *options != ["-O0"];
        let shuffles = sandbox.text("ours.ptx").matches("shfl.sync").count();
        let expected = if optimized { 2 } else { 0 };
        assert_eq!(shuffles, expected, "{options:?}");
    }
    // One line for each module that is compiled, where it is asked for.
    let words = [&DEVICE_ONLY[..], &["-o", "ours.ptx", "--ptxasw-verbose"]].concat();
    let output = sandbox.run(&mut clang.wrapped(&sandbox, &words).unwrap());
    let lines = printed(&output);
    assert_eq!(lines.matches("ptxasw: ").count(), 1, "{lines}");
    assert!(lines.contains("2 of 3 loads shuffled"), "{lines}");
    // On standard output, too.
    let words = [&DEVICE_ONLY[..], &["-o", "-"]].concat();
    let output = sandbox.run(&mut clang.wrapped(&sandbox, &words).unwrap());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout)
            .matches("shfl.sync")
            .count(),
        2
    );
}

#[test]
fn a_program_links_and_reaches_the_driver() {
    let (Some(clang), Some(cuobjdump)) = (clang().filter(Clang::takes_cuda), cuobjdump()) else {
        return;
    };
    if !clang.links() {
        return;
    }
    let sandbox = Sandbox::new();
    for (options, number) in [(&[][..], 2), (&["--cuda-gpu-arch=sm_90"], 4)] {
        let words = [&["stencil.cu", "-o", "program"], options].concat();
        let Some(mut wrapped) = clang.wrapped(&sandbox, &words) else {
            return;
        };
        sandbox.quietly(wrapped.args(&clang.libraries));
        let output = sandbox
            .command(sandbox.path("program"), &[])
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let code = output.status.code();
        assert!(
            code == Some(0) || code == Some(3) && printed.contains("CUDA driver"),
            "{code:?} {printed}"
        );
        let output = sandbox
            .command(&cuobjdump, &["-sass", "program"])
            .output()
            .unwrap();
        let sass = String::from_utf8_lossy(&output.stdout);
        assert_eq!(sass.matches("SHFL").count(), number, "{sass}");
    }
}

/// Of a second compilation the user's cache has all that `ptxas` makes.
#[test]
fn a_second_compilation_assembles_nothing() {
    let Some(clang) = clang().filter(Clang::takes_cuda) else {
        return;
    };
    let sandbox = Sandbox::new();
    let compile = |object: &str| {
        let words = ["-c", "stencil.cu", "-o", object, "--ptxasw-stats"];
        let output = sandbox.run(clang.wrapped(&sandbox, &words[..4])?.arg(words[4]));
        let printed = printed(&output);
        assert!(output.status.success(), "{printed}");
        let figure = |name: &str| {
            let line = printed.lines().find_map(|line| line.strip_prefix(name));
            line.map_or(0, |count| count.trim().parse::<u32>().unwrap())
        };
        Some((figure("assemblies"), figure("  from the cache")))
    };
    let Some((needed, known)) = compile("first.o") else {
        return;
    };
    assert!(needed > known, "{needed} {known}");
    assert_eq!(compile("second.o"), Some((needed, needed)));
    let bytes = |name| std::fs::read(sandbox.path(name)).unwrap();
    assert!(bytes("first.o") == bytes("second.o"));
}

fn cuobjdump() -> Option<std::path::PathBuf> {
    let search = ptxasw::toolchain::Search::from_environment();
    search.program("cuobjdump").ok().map(|(path, _)| path)
}

#[test]
fn errors_of_the_source_are_clangs_own() {
    let Some(clang) = clang() else { return };
    let sandbox = Sandbox::new();
    sandbox.file("wrong.cu", "__global__ void k(int *p) { *p = q; }\n");
    let words = ["-c", "wrong.cu", "-o", "wrong.o"];
    let theirs = sandbox.run(&mut clang.call(&sandbox, &words));
    let Some(mut wrapped) = clang.wrapped(&sandbox, &words) else {
        return;
    };
    let output = sandbox.run(&mut wrapped);
    assert_eq!(output.status.code(), theirs.status.code());
    assert_eq!(printed(&output), printed(&theirs));
}

#[test]
fn what_compiles_nothing_for_a_device_is_clangs_own() {
    let Some(clang) = clang() else { return };
    let sandbox = Sandbox::new();
    sandbox.file("host.cpp", "int main() { return 7; }\n");
    for words in [
        &["--version"][..],
        &["-###", "-c", "stencil.cu"],
        &["-E", "host.cpp"],
    ] {
        let theirs = clang.call(&sandbox, words).output().unwrap();
        let Some(mut wrapped) = clang.wrapped(&sandbox, words) else {
            return;
        };
        let output = wrapped.output().unwrap();
        assert_eq!(output.status, theirs.status, "{words:?}");
        if words != ["-###", "-c", "stencil.cu"] {
            assert_eq!(output.stdout, theirs.stdout, "{words:?}");
        }
    }
}

/// Hands over bitcode that is none.
const GARBAGE: &str = r#"cat > "$3" <<END
[{"failure":null,"changed":[["k",true]],"arithmetic":[],"faults":[],"independent":[],"least":[],"kernels":[],"milliseconds":0.0,"sizes":[8,0]}]
garbage
END"#;

#[test]
fn without_our_stage_or_with_a_broken_one_clang_goes_on() {
    let Some(clang) = clang() else { return };
    let words = [&DEVICE_ONLY[..], &["-o", "ours.ptx"]].concat();
    for (stage, warning) in [
        (None, "no `ptxasw-llvm` beside this program or on PATH"),
        (Some("echo 'error: on purpose' >&2; exit 3"), "on purpose"),
        (Some("kill -9 $$"), "signal: 9"),
        (Some("echo garbage > \"$3\""), "hands over nothing"),
        (Some(GARBAGE), "does not take the rewritten bitcode"),
    ] {
        let sandbox = Sandbox::new();
        sandbox
            .quietly(&mut clang.call(&sandbox, &[&DEVICE_ONLY[..], &["-o", "clang.ptx"]].concat()));
        let Some(program) = beside(&sandbox, stage) else {
            return;
        };
        let mut command = sandbox.command(program, &["clang", "--", &clang.program]);
        command.args(&clang.words).args(&words);
        let path = path_of(&sandbox, &["sh", "ld", "cat"]);
        let output = sandbox.run(command.env("PATH", &path));
        assert!(output.status.success(), "{}", printed(&output));
        assert_eq!(printed(&output).lines().count(), 1, "{}", printed(&output));
        assert!(printed(&output).contains(warning), "{}", printed(&output));
        assert_eq!(sandbox.text("clang.ptx"), sandbox.text("ours.ptx"));
        let mut command =
            sandbox.command(sandbox.path("bin/ptxasw"), &["clang", "--", &clang.program]);
        command
            .args(&clang.words)
            .args(&words)
            .arg("--ptxasw-strict")
            .env("PATH", &path);
        if stage.is_some() {
            assert_eq!(
                command.output().unwrap().status.code(),
                Some(1),
                "{stage:?}"
            );
        }
    }
}

#[test]
fn cmake_calls_us_as_a_launcher() {
    // With older ones its own test programs do not compile.
    if LLVM != "19" {
        return;
    }
    let (Some(clang), Some(cmake), Some(ninja), Some(ours)) =
        (clang(), program("cmake"), program("ninja"), ours())
    else {
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.file(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.25)\nproject(stencil LANGUAGES CUDA)\nadd_executable(stencil stencil.cu)\n",
    );
    let launcher = format!("-DCMAKE_CUDA_COMPILER_LAUNCHER={};clang;--", ours.display());
    let home = clang.words[0].trim_start_matches("--cuda-path=");
    let mut configure = sandbox.command(&cmake, &["-S", ".", "-B", "build", "-G", "Ninja"]);
    configure
        .arg(format!("-DCMAKE_MAKE_PROGRAM={}", ninja.display()))
        .arg(format!("-DCMAKE_CUDA_COMPILER={}", clang.program))
        .arg(format!("-DCUDAToolkit_ROOT={home}"))
        .arg(format!(
            "-DCMAKE_CUDA_FLAGS={} -Wno-unknown-cuda-version",
            clang.words[0]
        ))
        .args([
            "-DCMAKE_CUDA_ARCHITECTURES=80",
            "-DCMAKE_BUILD_TYPE=Release",
        ])
        .arg(launcher);
    let output = configure.output().unwrap();
    assert!(output.status.success(), "{}", printed(&output));
    let mut build = sandbox.command(&cmake, &["--build", "build"]);
    let output = build
        .env("PTXASW_STATS_DIR", sandbox.path("stats"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        printed(&output),
        String::from_utf8_lossy(&output.stdout)
    );
    let figures = std::fs::read_dir(sandbox.path("stats")).unwrap().count();
    assert_eq!(figures, 1);
}

#[test]
fn a_kernel_that_loses_warps_by_its_registers_goes_back() {
    let (Some(clang), Some(cuobjdump)) = (clang().filter(Clang::takes_cuda), cuobjdump()) else {
        return;
    };
    if !clang.loses_warps_of_tricubic() {
        return;
    }
    let sandbox = Sandbox::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ptx-tests/kernelgen/src");
    let source = format!("{folder}/tricubic.cu");
    let sass = |name: &str| {
        let output = sandbox
            .command(&cuobjdump, &["-sass", name])
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let words = ["-c", &source, "-o"];
    let Some(mut wrapped) = clang.wrapped(&sandbox, &[&words[..], &["ours.o"]].concat()) else {
        return;
    };
    sandbox.quietly(&mut wrapped);
    sandbox.quietly(&mut clang.plugged(&sandbox, &[&words[..], &["plugged.o"]].concat()));
    for name in ["ours.o", "plugged.o"] {
        assert!(!sass(name).contains("SHFL") && sass(name).contains("LDG"));
    }
    // Unless that is switched off; and where PTX is wanted, no step of the driver's shows the registers.
    let unchecked = |command: &mut Command| {
        sandbox.quietly(command.env("PTXASW_NO_REGISTER_CHECK", "1"));
        sass("free.o").contains("SHFL")
    };
    let words = ["-c", &source, "-o", "free.o"];
    assert!(unchecked(&mut clang.plugged(&sandbox, &words)));
    assert!(
        clang
            .wrapped(&sandbox, &words)
            .is_some_and(|mut wrapped| unchecked(&mut wrapped))
    );
    let words = ["-S", "--cuda-device-only", &source, "-o", "k.ptx"];
    for mut command in [
        Some(clang.plugged(&sandbox, &words)),
        clang.wrapped(&sandbox, &words),
    ]
    .into_iter()
    .flatten()
    {
        sandbox.quietly(&mut command);
        assert!(!sandbox.text("k.ptx").contains("shfl"));
    }
    // Without an assembler nothing is known of them.
    let none = sandbox.path("none");
    let mut command = clang.plugged(&sandbox, &words);
    command
        .env("PTXASW_TOOLCHAIN", &none)
        .env("CUDA_HOME", &none);
    let output = sandbox.run(command.env("PTXASW_PTXAS", &none));
    assert!(
        printed(&output).contains("the registers of rewritten kernels were not checked: "),
        "{}",
        printed(&output)
    );
    assert!(sandbox.text("k.ptx").contains("shfl"));
}

/// `ptxas` makes more of a kernel whose arithmetic was changed: it keeps that which it had.
#[test]
fn arithmetic_that_gains_nothing_goes_back() {
    let (Some(clang), Some(cuobjdump)) = (clang().filter(Clang::takes_cuda), cuobjdump()) else {
        return;
    };
    let sandbox = Sandbox::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ptx-tests/kernelgen/src");
    let source = format!("{folder}/jacobi.cu");
    let sass = |passes: &str, unchecked: &str| {
        let mut command = clang.wrapped(&sandbox, &["-c", &source, "-o", "k.o"])?;
        command.env("PTXASW_PASSES", passes);
        sandbox.quietly(command.env("PTXASW_NO_REGISTER_CHECK", unchecked));
        let output = sandbox.command(&cuobjdump, &["-sass", "k.o"]).output();
        Some(String::from_utf8_lossy(&output.unwrap().stdout).into_owned())
    };
    let Some(plain) = sass("-memory,-shuffle", "0") else {
        return;
    };
    assert!(plain.contains("LDG"), "{plain}");
    let passes = "scalar,saturate";
    assert_ne!(sass(passes, "1").as_ref(), Some(&plain));
    assert_eq!(sass(passes, "0").as_ref(), Some(&plain));
}

/// What is chosen for one kernel holds here as well.
#[test]
fn choices_for_single_kernels_hold() {
    let Some(clang) = clang() else {
        return;
    };
    let sandbox = Sandbox::new();
    let words = [&DEVICE_ONLY[..], &["-o", "k.ptx"]].concat();
    let shuffles = |profit: &str, tuned: &str, plugged: bool| {
        let mut command = match plugged {
            true => clang.plugged(&sandbox, &words),
            false => clang.wrapped(&sandbox, &words)?,
        };
        command.env("PTXASW_PROFIT", profit);
        sandbox.quietly(command.env("PTXASW_TUNED", tuned));
        Some(sandbox.text("k.ptx").contains("shfl.sync"))
    };
    for plugged in [true, false] {
        let found = [
            shuffles("always", "other off", plugged),
            shuffles("always", "*stencil* off", plugged),
            shuffles("always", "*@sm_90 off", plugged),
            shuffles("auto", "*stencil*@sm_80 profit=always", plugged),
        ];
        let expected = [true, false, true, true];
        assert!(
            found[0].is_none() || found == expected.map(Some),
            "{found:?}"
        );
    }
}

/// The messages of clang itself name a file that is not there.
#[test]
fn headers_that_are_too_new_are_named() {
    let (Some(ours), Some(clang)) = (ours(), clang().filter(Clang::takes_cuda)) else {
        return;
    };
    let sandbox = Sandbox::new();
    for folder in ["cuda/include", "cuda/bin", "cuda/nvvm/libdevice"] {
        std::fs::create_dir_all(sandbox.path(folder)).unwrap();
    }
    sandbox.file("cuda/include/cuda.h", "#define CUDA_VERSION 13050\n");
    sandbox.file("cuda/nvvm/libdevice/libdevice.10.bc", "");
    let clang = clang.program;
    let words = [
        "clang",
        "--",
        &*clang,
        "--cuda-path=cuda",
        "--cuda-gpu-arch=sm_80",
        "-O2",
        "-c",
        "stencil.cu",
    ];
    let output = sandbox.run(&mut sandbox.command(ours, &words));
    assert!(!output.status.success());
    let note = printed(&output);
    let note = note.lines().filter(|line| line.starts_with("ptxasw: "));
    let note: Vec<&str> = note.collect();
    assert_eq!(note.len(), 1, "{note:?}");
    assert!(
        note[0].contains("CUDA 13.5: clang 19 needs CUDA 12"),
        "{note:?}"
    );
}
