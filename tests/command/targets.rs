//! Targets that this program does not know.

use super::sandbox::{GUARD, Sandbox, said};

#[test]
fn a_target_that_nobody_takes_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD.replace("sm_80", "sm_999"));
    sandbox.file("out.ptx", "as before");
    let no = sandbox.script("ptxas", "exit 255");
    let mut command = sandbox.command(&["opt", "k.ptx", "-o", "out.ptx"]);
    let output = command.env("PTXASW_PTXAS", &no).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    for part in [
        "error: unknown target `sm_999`",
        "ptxas does not take `sm_999`",
        "k.ptx:7:9",
        "^^^^^^",
        "--arch",
    ] {
        assert!(said(&output).contains(part), "{}", said(&output));
    }
    assert_eq!(sandbox.read("out.ptx").unwrap(), b"as before");
    // With whichever `ptxas` there is, or none.
    for command in ["opt", "explain", "dump", "trace"] {
        sandbox.fails(&[command, "k.ptx"], &["unknown target `sm_999`"]);
    }
    let output = sandbox.run(&["opt", "k.ptx", "--arch", "sm_90"]);
    assert!(output.status.success(), "{}", said(&output));
    sandbox.file("known.ptx", GUARD);
    sandbox.fails(
        &["opt", "known.ptx", "--arch", "sm_999"],
        &["unknown target `sm_999`"],
    );
}

#[test]
fn without_a_ptxas_nobody_can_be_asked() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD.replace("sm_80", "sm_131"));
    let mut command = sandbox.command(&["opt", "k.ptx"]);
    command.env_remove("PTXASW_PTXAS").env_remove("CUDA_HOME");
    command.env("PTXASW_TOOLCHAIN", "none").env("PATH", "none");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("no `ptxas` was found"),
        "{}",
        said(&output)
    );
}

/// A later target that `ptxas` takes is one of a GPU that came after this program.
#[test]
fn a_later_target_is_taken_for_the_nearest_known_one() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD.replace("sm_80", "sm_131a"));
    let yes = sandbox.script("ptxas", "exit 0");
    let run = |more: &[&str]| {
        let mut command = sandbox.command(&["opt", "k.ptx"]);
        command
            .args(more)
            .env("PTXASW_PTXAS", &yes)
            .output()
            .unwrap()
    };
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    for part in ["warning: `sm_131a` is newer", "`sm_121`", "k.ptx:7:9"] {
        assert!(said(&output).contains(part), "{}", said(&output));
    }
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("shfl.sync").count(), 1);
    assert_eq!(said(&run(&["-q"])), "");
    let known = sandbox.run(&["opt", "k.ptx", "--arch", "sm_120", "-q"]);
    assert_eq!(known.stdout, text.as_bytes());
}

#[test]
fn strange_targets_are_refused() {
    let sandbox = Sandbox::new();
    for (target, part) in [
        ("compute", "unknown target `compute`"),
        ("sm_5", "no GPU has that number"),
        ("sm_99999999", "expected a name such as `sm_80`"),
    ] {
        sandbox.file("k.ptx", GUARD.replace("sm_80", target));
        sandbox.fails(&["opt", "k.ptx"], &[part]);
    }
    sandbox.file("k.ptx", GUARD.replace(".target sm_80", ""));
    sandbox.fails(&["opt", "k.ptx"], &["has no `.target`"]);
}
