//! `ptxasw verify --on-gpu`.

use super::driver::{Driver, Run};
use super::{LAUNCH, module};

/// Verifies `module(rewritten)` against `module(original)`.
fn verify(driver: &Driver, original: &str, rewritten: &str, more: &[&str]) -> Run {
    let mut arguments = vec!["verify".to_owned()];
    arguments.push(driver.file("a.ptx", &module(original)));
    arguments.push(driver.file("b.ptx", &module(rewritten)));
    arguments.extend(["--gpu", "--schedules", "lockstep"].map(str::to_owned));
    arguments.extend(more.iter().map(|&word| word.to_owned()));
    driver.run(&arguments)
}

/// The user's launch runs on both, and is timed on the GPU.
#[test]
fn a_launch_of_the_user() {
    driver!(driver);
    let more = ["--launch", LAUNCH, "--samples", "2"];
    let run = verify(&driver, "copy", "copy\n// fake: time 4", &more);
    run.exits(0);
    run.prints("GPU 0: Fake GPU 0");
    assert_eq!(run.row("b.ptx  ")[2], "0.250");
    run.clean();
    let run = verify(&driver, "copy", "wrong 3", &more);
    run.exits(1);
    run.prints("buffer 1[3] = ");
    let run = verify(&driver, "copy", "fault", &more);
    run.exits(4);
    let run = verify(&driver, "fault", "fault", &more);
    run.exits(3);
}

/// Made-up launches run on both; they are too small to be timed.
#[test]
fn made_up_launches() {
    driver!(driver);
    let run = verify(&driver, "nothing", "nothing", &[]);
    run.exits(0);
    let named = |start: &str| -> Vec<&str> {
        let lines = run.stdout.lines();
        lines.filter(|line| line.starts_with(start)).collect()
    };
    // Some take several lines.
    let (launches, lines) = (named("k, "), named("k, k "));
    assert!(lines.len() > 3, "{}", run.stdout);
    assert!(
        lines.iter().all(|line| line.ends_with(": equal")),
        "{lines:?}"
    );
    assert_eq!(run.log_lines("launch k ").len(), 2 * launches.len());
    run.clean();
    let run = verify(&driver, "set 1", "set 2", &[]);
    run.exits(1);
    run.prints(": counter[0] = 2, not 1 (1 differ)");
}

/// What is too large for the CPU runs on the GPU only.
#[test]
fn a_large_launch() {
    driver!(driver);
    let launch = "grid=40000 block=64 args=f32[10000000],f32[10000000]:uninit,2560000";
    let slow = "copy\n// fake: time 300";
    let run = verify(&driver, slow, slow, &["--launch", launch, "--samples", "1"]);
    run.exits(0);
    assert!(
        run.stdout.starts_with("GPU 0: Fake GPU 0"),
        "{}",
        run.stdout
    );
    run.prints("buffers 76.3 MiB");
    run.clean();
}

#[test]
fn json() {
    driver!(driver);
    let run = verify(
        &driver,
        "copy",
        "copy",
        &["--launch", LAUNCH, "--samples", "2", "--json"],
    );
    run.exits(0);
    let value: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(value["kernels"][0]["verdict"], "equal");
    assert_eq!(value["gpu"]["device"]["name"], "Fake GPU 0");
    assert_eq!(
        value["gpu"]["launches"][0]["report"]["rewritten"][0]["verdict"],
        "equal"
    );
}

#[test]
fn no_driver() {
    driver!(driver);
    let run = verify(&driver.without_library(), "copy", "copy", &[]);
    run.exits(3);
    assert_eq!(run.stdout, "");
    assert_eq!(
        run.stderr,
        "ptxasw: no GPU: libcuda.so.1 could not be loaded\n"
    );
}
