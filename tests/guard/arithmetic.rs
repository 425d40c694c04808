//! Passes over the arithmetic stay only where the machine code gains by them.

use super::{KEPT, Sandbox, finished, ptxas};
use std::fs;

/// With its sums joined it takes 31 registers in place of 53, has fewer instructions, and waits for memory more often.
const WAITING: &str = include_str!("../../ptx-tests/loads/openmp/bt.clang.ptx");
const PASSES: &str = "scalar,saturate";

/// The text that `opt` makes, and its messages.
fn opt(text: &str, passes: &str, more: &[&str]) -> Option<(String, String)> {
    let ptxas = ptxas()?;
    let sandbox = Sandbox::new(text);
    let mut command = sandbox.program(&["opt", "-v", "--passes", passes, "a.ptx"]);
    Some(finished(command.args(more).env("PTXASW_PTXAS", ptxas)))
}

#[test]
fn a_kernel_with_fewer_instructions_stays() {
    let Some((text, messages)) = opt(KEPT, PASSES, &[]) else {
        return;
    };
    assert_ne!(text, KEPT);
    assert!(messages.contains("2 statements rewritten"), "{messages}");
}

#[test]
fn a_kernel_that_waits_more_often_keeps_its_arithmetic() {
    let Some((text, messages)) = opt(WAITING, PASSES, &[]) else {
        return;
    };
    assert_eq!(text, WAITING, "{messages}");
    let (unchecked, _) = opt(WAITING, PASSES, &["--no-register-check"]).expect("there is a ptxas");
    assert_ne!(unchecked, WAITING);
}

/// What other passes did to the kernel stays.
#[test]
fn only_the_arithmetic_goes_back() {
    let passes = |names: &str| opt(WAITING, names, &[]);
    let (Some((memory, _)), Some((all, _))) = (passes("memory"), passes("memory,scalar,saturate"))
    else {
        return;
    };
    assert_ne!(memory, WAITING);
    let loads = |text: &str| text.matches("ld.global").count();
    assert_eq!(loads(&all), loads(&memory));
}

#[test]
fn the_drop_in_does_the_same() {
    let Some(ptxas) = ptxas() else {
        return;
    };
    let cubin = |text: &str, more: &[&str]| {
        let sandbox = Sandbox::new(text);
        let words = [
            "as",
            "--",
            "--ptxasw-no-cache",
            "-arch=sm_80",
            "a.ptx",
            "-o",
            "a.cubin",
        ];
        let mut command = sandbox.program(&[&words[..], more].concat());
        finished(command.env("PTXASW_PTXAS", &ptxas));
        fs::read(sandbox.path("a.cubin")).expect("the output")
    };
    let passes = "--ptxasw-passes=scalar,saturate";
    assert_eq!(cubin(WAITING, &[passes]), cubin(WAITING, &["--ptxasw-off"]));
    assert_ne!(
        cubin(WAITING, &[passes, "--ptxasw-no-register-check"]),
        cubin(WAITING, &["--ptxasw-off"])
    );
    assert_ne!(cubin(KEPT, &[passes]), cubin(KEPT, &["--ptxasw-off"]));
}
