//! `ptxasw tune` with a GPU.

use super::driver::{Driver, Run, ptxas};

use serde_json::Value;
use std::fs;

/// A kernel whose second load is that of the next lane, which is not covered by default; `{fake}` is what the driver shall do.
const NEXT: &str = "\
// fake: {fake}
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)
{
	.reg .b32 %r<12>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.s32 %r5, %r2, %r3, %r4;
	mul.wide.u32 %rd3, %r5, 4;
	add.s64 %rd4, %rd1, %rd3;
	add.s64 %rd5, %rd2, %rd3;
	ld.global.nc.u32 %r6, [%rd4];
	ld.global.nc.u32 %r7, [%rd4+4];
	sub.u32 %r8, %r7, %r7;
	add.u32 %r9, %r6, %r8;
	st.global.u32 [%rd5], %r9;
	ret;
}
";

/// With a word more to read than there are threads.
const LAUNCH: &str = "grid=2 block=64 args=u32[129],u32[128]:zero,128";

fn tune(driver: &Driver, fake: &str, more: &[&str]) -> Run {
    let words = ["tune", &driver.file("k.ptx", &NEXT.replace("{fake}", fake))].map(str::to_owned);
    let more = more.iter().map(|&word| word.to_owned());
    let output = ["-o".to_owned(), driver.path("ptxasw.toml")];
    let config = ["--config".to_owned(), "none".to_owned()];
    let all = words.into_iter().chain(more).chain(output).chain(config);
    driver.run(&all.collect::<Vec<String>>())
}

/// What is fastest there is chosen, whatever the estimate says; figures are kept for a later call.
#[test]
fn what_a_gpu_is_fastest_with_is_chosen() {
    driver!(driver);
    if !ptxas() {
        return;
    }
    let fake = "copy\n// fake: time 100\n// fake: less 20 shfl.sync";
    let json = format!("--json={}", driver.path("tune.json"));
    let run = tune(&driver, fake, &["--launch", LAUNCH, &json]);
    run.exits(0);
    run.clean();
    run.prints("GPU 0: Fake GPU 0");
    run.prints("k on sm_90, grid 2x1x1, block 64x1x1: measured");
    run.complains("the estimate had the right sign for");
    let settings = fs::read_to_string(driver.path("ptxasw.toml")).unwrap();
    assert!(
        settings.contains("kernel = \"k\"\ntarget = \"sm_90\"\n"),
        "{settings}"
    );
    assert!(settings.contains("profit = \"always\"\n"), "{settings}");
    assert!(
        settings.contains("source = \"measured on GPU 0: Fake GPU 0"),
        "{settings}"
    );
    let found: Value =
        serde_json::from_str(&fs::read_to_string(driver.path("tune.json")).unwrap()).unwrap();
    let kernel = &found["kernels"][0];
    let best = &kernel["rows"][kernel["best"].as_u64().unwrap() as usize];
    let point = best["measured"]["ratio"]["point"].as_f64().unwrap();
    assert!(point > 1.2, "{best}");
    // What was timed is not timed again.
    let resume = format!("--resume={}", driver.path("tune.json"));
    let again = tune(&driver, fake, &["--launch", LAUNCH, &resume, "--json"]);
    again.exits(0);
    assert_eq!(serde_json::from_str::<Value>(&again.stdout).unwrap(), found);
    assert_eq!(again.log_lines("launch k ").len(), 0);
    // Estimates of another machine are gone on with here.
    let estimated = tune(
        &driver,
        fake,
        &["--launch", LAUNCH, "--no-gpu", "--gpu=sm_90", &json],
    );
    estimated.exits(0);
    let run = tune(&driver, fake, &["--launch", LAUNCH, &resume, "--json"]);
    run.exits(0);
    let now: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(now["kernels"][0]["best"], kernel["best"]);
}

/// Where nothing is faster the default stays.
#[test]
fn what_gains_nothing_is_not_chosen() {
    driver!(driver);
    if !ptxas() {
        return;
    }
    let run = tune(
        &driver,
        "copy\n// fake: time 100",
        &["--launch", LAUNCH, "--samples=4"],
    );
    run.exits(0);
    run.complains("no settings file is written");
    assert!(!fs::exists(driver.path("ptxasw.toml")).unwrap());
}

/// Other results are an error, and never chosen, however fast they come.
#[test]
fn other_results_are_an_error() {
    driver!(driver);
    if !ptxas() {
        return;
    }
    let fake = "copy\n// fake: time 100\n// fake: less 20 shfl.sync\n// fake: spoilt shfl.sync";
    let run = tune(&driver, fake, &["--launch", LAUNCH]);
    run.exits(1);
    run.prints("DIFFERENT");
    run.complains("please report it");
    assert!(!fs::exists(driver.path("ptxasw.toml")).unwrap());
    // Where it is what is done by default, the kernel is left alone.
    let run = tune(&driver, fake, &["--launch", LAUNCH, "--profit=always"]);
    run.exits(1);
    let settings = fs::read_to_string(driver.path("ptxasw.toml")).unwrap();
    assert!(
        settings.contains("kernel = \"k\"\ntarget = \"sm_90\"\noff = true\n"),
        "{settings}"
    );
}

/// Launches that are made up are too small to say anything about time.
#[test]
fn without_a_launch_nothing_is_measured() {
    driver!(driver);
    if !ptxas() {
        return;
    }
    tune(&driver, "copy", &[]).exits(0);
    let run = tune(&driver, "copy", &["--require-gpu"]);
    run.exits(3);
    run.prints("estimated, not measured");
    run.prints("give a launch of real size with `--launch`");
    let none = tune(
        &driver.with("FAKE_DEVICES", "0"),
        "copy",
        &["--require-gpu"],
    );
    none.exits(3);
    // It is a GPU of another target.
    let run = tune(
        &driver,
        "copy",
        &["--require-gpu", "--gpu=sm_80", "--launch", LAUNCH],
    );
    run.exits(3);
    run.prints("the GPU is one of sm_90");
    // There is no machine code for it.
    let later = NEXT.replace("sm_80", "sm_100").replace("{fake}", "copy");
    let later = driver.file("later.ptx", &later.replace("8.0", "8.6"));
    let words = [
        "tune",
        &later,
        "--launch",
        LAUNCH,
        "-o",
        &driver.path("none.toml"),
    ];
    let run = driver.run(&words.map(str::to_owned));
    run.exits(0);
    run.prints("nothing is known: ");
}

/// A program's own launches, recorded and tuned in one call.
#[test]
fn a_program_is_tuned() {
    driver!(driver);
    let Some(program) = driver.program(false) else {
        return;
    };
    if !ptxas() {
        return;
    }
    let fake = "copy\n// fake: time 100\n// fake: less 20 shfl.sync";
    let module = driver.file("k.ptx", &NEXT.replace("{fake}", fake));
    let (output, record) = (driver.path("ptxasw.toml"), driver.path("record"));
    let words = [
        "tune", "--config", "none", "-o", &output, "--record", &record, "--", &program, &module,
    ];
    let run = driver.run(&words.map(str::to_owned));
    run.exits(0);
    run.clean();
    run.prints("first 1004");
    run.prints("100.0 %  k: ");
    run.prints("measured");
    let chosen = fs::read_to_string(&output).unwrap();
    assert!(
        chosen.contains("kernel = \"k\"") && chosen.contains("measured on GPU 0"),
        "{chosen}"
    );
    assert!(fs::exists(record + "/module-1.launch.json").unwrap());
}
