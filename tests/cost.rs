//! `ptxasw cost` over kernels of `ptx-tests`, and on cubins that are broken.

use ptxasw::cost::sass;
use ptxasw::toolchain::{Arch, Assembler};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn cost(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
    command.arg("cost").args(words);
    command.output().unwrap()
}

/// Whether there is no `ptxas`; with `CI` set that is a failure.
fn skipped() -> bool {
    let missing = Assembler::find(Arch::new(80)).is_err();
    if missing {
        println!("skipped: no ptxas");
        assert!(std::env::var_os("CI").is_none(), "on CI nothing is skipped");
    }
    missing
}

fn modules(pattern: &str) -> Vec<PathBuf> {
    let whole = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("ptx-tests")
        .join(pattern);
    let paths = glob::glob(whole.to_str().unwrap()).unwrap();
    let mut paths: Vec<PathBuf> = paths.map(Result::unwrap).collect();
    paths.sort();
    paths
}

/// Indices of 32 bits are compared modulo 2^34: the third buffer must not look like the first one.
#[test]
fn what_is_tested_holds_for_three_buffers() {
    if skipped() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let after = folder.path().join("k.ptx");
    for (compiler, most) in [("nvcc", 1), ("clang", 2)] {
        let before = format!("ptx-tests/loads/cuda/batched.{compiler}.ptx");
        let mut opt = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
        let opt = opt.args(["opt", "-q", &before, "-o"]).arg(&after);
        assert!(opt.status().unwrap().success());
        let done = cost(&[after.to_str().unwrap(), "--against", &before, "--json"]);
        let rows: Value = serde_json::from_slice(&done.stdout).unwrap();
        let row = &rows["kernels"][0];
        let rounds = |of: &str| row[of].as_u64().unwrap();
        assert!(rounds("rounds") <= most, "{row}");
        assert!(rounds("against_rounds") >= 9, "{row}");
    }
}

#[test]
fn nine_of_ten_kernels_have_an_answer() {
    if skipped() {
        return;
    }
    let patterns = [
        "kernelgen/*.sm_80.ptx",
        "loads/cuda/*.ptx",
        "loads/openacc/*.ptx",
        "loads/records/*.ptx",
    ];
    let (mut answered, mut refused) = (0, Vec::new());
    for path in patterns.iter().flat_map(|pattern| modules(pattern)) {
        let done = cost(&["--json", path.to_str().unwrap()]);
        let rows: Value = serde_json::from_slice(&done.stdout)
            .unwrap_or_else(|error| panic!("{}: {error}: {done:?}", path.display()));
        for row in rows["kernels"].as_array().unwrap() {
            match row["estimate"]["cycles"].as_f64() {
                Some(cycles) => {
                    answered += 1;
                    assert!(
                        cycles > 0.0 && cycles.is_finite(),
                        "{}: {row}",
                        path.display()
                    );
                }
                None => refused.push(format!("{}: {}", path.display(), row["no_prediction"])),
            }
        }
    }
    assert!(
        answered > 60 && answered >= 9 * refused.len(),
        "{answered} answered; {refused:#?}"
    );
}

#[test]
fn a_ratio_and_the_same_bytes_each_time() {
    if skipped() {
        return;
    }
    let original = modules("loads/cuda/dense3.nvcc.ptx").remove(0);
    let other = modules("loads/restrict/dense3.nvcc.ptx").remove(0);
    let words = [
        original.to_str().unwrap(),
        "--arch",
        "sm_90",
        "--launch",
        concat!(env!("CARGO_MANIFEST_DIR"), "/benches/gpu/loads/dense3.toml"),
        "--against",
        other.to_str().unwrap(),
    ];
    let done = cost(&words);
    let text = String::from_utf8(done.stdout.clone()).unwrap();
    // 4.86 on an H200: registers hold what the original loads 27 times.
    let ratio = text.split("; ratio ").nth(1).unwrap();
    let ratio: f64 = ratio.split(' ').next().unwrap().parse().unwrap();
    assert!(ratio > 1.5, "{text}");
    assert_eq!(done.stdout, cost(&words).stdout);
}

#[test]
fn what_is_not_known_has_a_reason() {
    if skipped() {
        return;
    }
    let module = modules("loads/cuda/dense3.nvcc.ptx").remove(0);
    let done = cost(&[module.to_str().unwrap(), "--arch", "sm_120"]);
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(
        text.contains("no prediction of cycles: no figures of a GPU of sm_120"),
        "{text}"
    );
    assert_eq!(done.status.code(), Some(3));
}

#[test]
fn what_a_function_does_elsewhere_is_not_left_out() {
    if skipped() {
        return;
    }
    // A function with a loop that is called twice, so that `ptxas` keeps it, and a loop around one that `ptxas` unrolls.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cost/loops.ptx");
    let done = cost(&[file, "--arch", "sm_80", "--json"]);
    let rows: Value = serde_json::from_slice(&done.stdout).unwrap_or_else(|_| panic!("{done:?}"));
    let [called, nest] = [0, 1].map(|number| &rows["kernels"][number]);
    let why = called["no_prediction"].as_str().unwrap_or_default();
    assert!(
        why.contains("machine instructions were found for"),
        "{called}"
    );
    // 20 times 50 iterations of six statements, of which `ptxas` unrolls the inner ones by four.
    let instructions = nest["estimate"]["instructions"].as_f64();
    let instructions = instructions.unwrap_or_else(|| panic!("{nest}"));
    assert!((3000.0..9000.0).contains(&instructions), "{nest}");
}

#[test]
fn broken_cubins_are_refused_or_read() {
    if skipped() {
        return;
    }
    let arch = Arch::new(90);
    let text = std::fs::read(modules("loads/cuda/fir.nvcc.ptx").remove(0)).unwrap();
    let cubin = Assembler::find(arch)
        .unwrap()
        .code_with_lines(&text, arch)
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.cubin");
    std::fs::write(&file, &cubin).unwrap();
    let done = cost(&[file.to_str().unwrap()]);
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(
        said.contains("load rounds") && said.contains("no PTX to execute"),
        "{said}"
    );
    let mut read = 0;
    for step in 0..2000_usize {
        let mut broken = cubin.clone();
        let at = step * 7919 % cubin.len();
        match step % 3 {
            0 => broken.truncate(at),
            1 => broken[at] ^= 1 << (step % 8),
            _ => broken[at..(at + 64).min(cubin.len())].fill(0xff),
        }
        for kernel in sass::kernels(&broken).into_iter().flatten() {
            read += usize::from(kernel.executed(|_| Some(3.0)).is_ok());
            let _ = kernel.path_counts();
        }
    }
    assert!(read > 100, "{read}");
}

#[test]
fn the_papers_variants() {
    if skipped() {
        return;
    }
    let module = modules("kernelgen/gaussblur.sm_80.ptx").remove(0);
    let launch = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/gpu/gaussblur.toml");
    let words = [
        "--breakdown",
        "--json",
        "--arch",
        "sm_90",
        "--launch",
        launch,
    ];
    let done = cost(&[&words[..], &[module.to_str().unwrap()]].concat());
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    let rows = report["variants"].as_array().unwrap();
    let figures = |name: &str| -> Vec<f64> {
        let figures = rows.iter().map(|row| row["estimate"][name].as_f64());
        figures.map(Option::unwrap).collect()
    };
    let variants: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["variant"].as_str())
        .collect();
    assert_eq!(variants, ["original", "no load", "no corner", "rewritten"]);
    // 25 loads, of which 20 are covered; shuffles add votes, and corner lanes add branches.
    let [original, no_load, no_corner, rewritten] = figures("instructions")[..] else {
        panic!("{rows:?}");
    };
    assert!(no_load < original && original < no_corner && no_corner < rewritten);
    let time = figures("time");
    assert!(time[1] <= time[0] && time[0] < time[3], "{time:?}");
    for row in rows {
        let shares = row["estimate"]["shares"].as_array().unwrap().iter();
        let sum: f64 = shares.map(|share| share.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{row}");
    }
    let done = cost(&[
        "--breakdown",
        "--against",
        "a.ptx",
        module.to_str().unwrap(),
    ]);
    assert_eq!(done.status.code(), Some(2));
}

/// Two kernels, of which one has 48 KB of shared memory; the loads of the other are on one line.
const TWO: &str = "\
.version 8.0
.target sm_80
.address_size 64
.visible .entry large(.param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	.shared .align 4 .b8 room[49152];
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, room;
	st.shared.u32 [%r2], %r1;
	bar.sync 0;
	ld.shared.u32 %r3, [%r2];
	st.global.u32 [%rd1], %r3;
	ret;
}
.visible .entry small(.param .u64 out)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	setp.eq.u32 %p1, %r1, 77;
	@%p1 bra $done;
	st.global.u32 [%rd1], %r1;
$done:
	ret;
}
";

/// `cost` for an H200 on a module of that text, with a launch.
fn of_text(text: &str, launch: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.ptx");
    std::fs::write(&file, text).unwrap();
    let mut words = vec![file.to_str().unwrap(), "--arch", "sm_90"];
    for one in launch {
        words.extend(["--launch", one]);
    }
    let done = cost(&words);
    let said = [done.stdout, done.stderr].concat();
    (
        done.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

/// The line of a kernel.
fn line<'t>(said: &'t str, kernel: &str) -> &'t str {
    let mut lines = said.lines();
    let line = lines.find(|line| line.starts_with(&format!("{kernel} (")));
    line.unwrap_or_else(|| panic!("{said}"))
}

#[test]
fn shared_memory_is_that_of_the_kernel() {
    if skipped() {
        return;
    }
    let (code, said) = of_text(TWO, &["grid=100000 block=128 args=u32[64]"]);
    assert_eq!(code, Some(0), "{said}");
    // 228 KB hold four blocks of 48 KB and 1 KB of the system's.
    assert!(
        line(&said, "large").contains("16 warps at a time"),
        "{said}"
    );
    assert!(
        line(&said, "small").contains("64 warps at a time"),
        "{said}"
    );
}

#[test]
fn launches_that_a_gpu_refuses() {
    if skipped() {
        return;
    }
    let refused = |launch: &str, why: &str| {
        let (code, said) = of_text(TWO, &[launch]);
        let why = format!("the launch is refused: {why}");
        assert!(line(&said, "large").contains(&why), "{said}");
        code
    };
    let room = "more shared memory than a multiprocessor has";
    // The other kernel has no shared memory of its own.
    assert_eq!(
        refused("grid=4 block=64 shared=200000 args=u32[64]", room),
        Some(0)
    );
    let grid = "more than 65535 blocks in the second or third direction";
    assert_eq!(refused("grid=1,70000 block=64 args=u32[64]", grid), Some(3));
}

/// A kernel of as many blocks as there are elements for.
const GRID: &str = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u32 n)\n{\n\
    .reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %d<4>;\nld.param.u64 %d1, [a];\nld.param.u32 %r4, [n];\n\
    mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.u32 %r1, %r1, %r2, %r3;\n\
    setp.ge.u32 %p1, %r1, %r4;\n@%p1 bra END;\nmul.wide.u32 %d2, %r1, 4;\nadd.u64 %d1, %d1, %d2;\n\
    ld.global.u32 %r5, [%d1];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%d1], %r5;\nEND: ret;\n}\n";

#[test]
fn launches_that_are_made_up_say_so() {
    if skipped() {
        return;
    }
    let made_up = "in a launch that is made up";
    let (code, said) = of_text(GRID, &[]);
    assert_eq!(code, Some(0), "{said}");
    for size in ["to fill the GPU", "with a block for each multiprocessor"] {
        let words = format!("{made_up} {size}; ");
        assert!(said.contains(&words), "{words} in {said}");
    }
    // What bounds a kernel is never the launch.
    assert!(!said.contains("bound by the launch"), "{said}");
    let (code, said) = of_text(TWO, &["grid=4 block=128 args=u32[64]"]);
    assert!(code == Some(0) && !said.contains(made_up), "{said}");
    let (code, said) = of_text(TWO, &["grid=4 block=128 args=u32[64],7"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(
        line(&said, "small")
            .contains("no prediction of cycles: no launch that is given fits it: 2 arguments"),
        "{said}"
    );
    let (_, said) = of_text(TWO, &["small grid=4 block=128 args=u32[64]"]);
    let reason = "no launch that is given fits it: one is for `small`";
    assert!(line(&said, "large").contains(reason), "{said}");
}

#[test]
fn instructions_that_are_not_executed_are_named() {
    if skipped() {
        return;
    }
    let text = TWO.replace(
        "bar.sync 0;",
        "nanosleep.u32 7; tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%rd1, {%r1}];",
    );
    let text = text.replacen(".reg .b32 %r<4>;", ".reg .b32 %r<4>; .reg .f32 %f<4>;", 1);
    let (_, said) = of_text(&text, &[]);
    let said = line(&said, "large");
    assert!(
        said.contains(
            "no made-up launch can be executed: line 13: not supported: `tex.1d.v4.f32.s32`"
        ),
        "{said}"
    );
}

/// A module for an architecture with features of its own runs nowhere else, and has the figures of the GPU.
#[test]
fn the_module_s_own_target_is_estimated() {
    if skipped() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.ptx");
    let of_target = |target: &str| {
        std::fs::write(&file, TWO.replace("sm_80", target)).unwrap();
        let done = cost(&[file.to_str().unwrap()]);
        String::from_utf8(done.stdout).unwrap()
    };
    for (own, estimated) in [
        ("sm_90a", "sm_90a"),
        ("sm_75", "sm_75"),
        ("sm_86", "sm_89"),
        // Its code runs on nothing of which there are figures: it is taken as code of the nearest.
        ("sm_120", "sm_90"),
    ] {
        let said = of_target(own);
        let words = format!(" ({estimated}): ");
        assert!(
            said.lines().all(|line| line.contains(&words)) && !said.contains("no prediction"),
            "{own}: {said}"
        );
        assert!(said.contains("small") && said.contains("large"), "{said}");
    }
}

/// A loop that `ptxas` unrolls leaves two others for what is left over, which are not counted as often as it.
#[test]
fn a_loop_that_is_unrolled_once_more() {
    if skipped() {
        return;
    }
    let path = modules("loads/cuda/recursive.nvcc.ptx").remove(0);
    let text = std::fs::read_to_string(path).unwrap();
    let launch = "grid=512 block=128 args=f32[33554432],f32[33554432]:zero,0.5f,65536,512";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.ptx");
    let file = file.to_str().unwrap();
    let instructions = |text: &str| {
        std::fs::write(file, text).unwrap();
        let done = cost(&["--arch", "sm_80", "--json", "--launch", launch, file]);
        let rows: Value = serde_json::from_slice(&done.stdout).unwrap();
        rows["kernels"][0]["estimate"]["instructions"]
            .as_f64()
            .unwrap()
    };
    let kept = instructions(&text);
    let unrolled = instructions(&text.replace(".pragma \"nounroll\";", ""));
    assert!(kept > 2000.0, "{kept}");
    assert!(
        unrolled > 0.7 * kept && unrolled < 1.1 * kept,
        "{unrolled} {kept}"
    );
}

#[test]
fn statements_that_share_a_line() {
    if skipped() {
        return;
    }
    let launch = ["grid=4 block=128 args=u32[64]"];
    // A branch past the store, and the store, of which each is executed by other warps.
    let broken = TWO
        .replace("bra $done;\n\tst", "bra $done; st")
        .replace("setp.eq.u32 %p1, %r1, 77", "setp.lt.u32 %p1, %r1, 32");
    let (_, said) = of_text(&broken, &launch);
    assert!(
        line(&said, "small").contains("no prediction of cycles: several statements on line 26"),
        "{said}"
    );
    // Those that are executed as often, and touch no memory, may share one.
    let harmless = TWO.replace("%tid.x;\n\tsetp", "%tid.x; setp");
    let (code, said) = of_text(&harmless, &launch);
    assert!(code == Some(0) && !said.contains("no prediction"), "{said}");
}

/// The first blocks of those that are executed find all in the buffers: they do not represent the others.
#[test]
fn a_launch_that_fails_has_no_prediction() {
    if skipped() {
        return;
    }
    let module = modules("kernelgen/vecadd.sm_80.ptx").remove(0);
    let run = |elements: u32| {
        let buffer = format!("f32[{elements}]");
        let launch = format!("vecadd grid=2,7,6 block=128 args={buffer},{buffer},{buffer},150,7,6");
        let done = cost(&[
            "--arch",
            "sm_90",
            "--launch",
            &launch,
            module.to_str().unwrap(),
        ]);
        (
            done.status.code(),
            String::from_utf8_lossy(&done.stdout).into_owned(),
        )
    };
    let (code, said) = run(6300);
    assert!(code == Some(0) && said.contains("1 load round,"), "{said}");
    let (code, said) = run(4000);
    let refused = "no prediction of cycles: the launch cannot be executed";
    assert!(code == Some(3) && said.contains(refused), "{said}");
}
