//! Killed at any moment, we leave a whole output or none, and nothing in the temporary folder.

use crate::dropin::sandbox::{COVERED, LOSING, PLAIN, Sandbox, real_ptxas};
use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Calls that are killed.
const CALLS: usize = 100;
/// Calls at the same time, as under `make -j8`.
const TOGETHER: usize = 8;

#[test]
fn a_kill_leaves_a_whole_output_or_none() {
    let Some(real) = real_ptxas() else { return };
    let sandbox = Sandbox::new();
    let texts = [COVERED, LOSING, PLAIN];
    let mut clean = Vec::new();
    let start = Instant::now();
    for (number, text) in texts.iter().enumerate() {
        sandbox.file(&format!("{number}.ptx"), text);
        let (input, output) = (format!("{number}.ptx"), format!("{number}.clean"));
        assert!(
            sandbox
                .ours(&["-arch=sm_80", &input, "-o", &output])
                .status
                .success()
        );
        clean.push(sandbox.read(&output).unwrap());
    }
    // A kill at a random point of the time that a call takes, when others run beside it.
    let longest = start.elapsed() / texts.len() as u32 * 2;
    let mut random = 1_u64;
    let mut whole = 0;
    for round in 0..CALLS.div_ceil(TOGETHER) {
        let mut children: Vec<(usize, String, Instant, Child)> = Vec::new();
        for call in 0..TOGETHER {
            let text = (round + call) % texts.len();
            let output = format!("{round}-{call}.o");
            let mut command = sandbox.command(sandbox.path("bin/ptxas"));
            command
                .args(["-arch=sm_80", &format!("{text}.ptx"), "-o", &output])
                .env("PTXASW_PTXAS", &real)
                .stderr(Stdio::null());
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let wait = longest.mul_f64((random >> 40) as f64 / (1_u64 << 24) as f64);
            children.push((
                text,
                output,
                Instant::now() + wait,
                command.spawn().unwrap(),
            ));
        }
        children.sort_by_key(|(_, _, at, _)| *at);
        for (text, output, at, child) in &mut children {
            sleep(at.saturating_duration_since(Instant::now()));
            // It may have come to its end.
            let _ = child.kill();
            child.wait().unwrap();
            if let Some(bytes) = sandbox.read(output) {
                assert!(bytes == clean[*text], "{output}");
                whole += 1;
            }
        }
    }
    // What was started by those that were killed dies with them.
    sleep(Duration::from_millis(100));
    assert!(sandbox.is_clean());
    assert!(whole < CALLS, "no call was killed before its end");
    let left = fs::read_dir(sandbox.path("")).unwrap();
    let left = left.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().starts_with(".ptxasw")
    });
    assert_eq!(left.count(), 0);
}

#[test]
fn a_temporary_folder_is_not_needed() {
    if real_ptxas().is_none() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", COVERED);
    fs::remove_dir(sandbox.path("tmp")).unwrap();
    assert!(
        sandbox
            .ours(&["-arch=sm_80", "k.ptx", "-o", "o"])
            .status
            .success()
    );
    assert!(sandbox.read("o").is_some());
}
