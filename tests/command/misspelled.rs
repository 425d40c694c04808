//! Instructions and versions that `ptxas` does not take.

use super::sandbox::{GUARD, Sandbox, ptxas, said};
use std::process::Command;

/// Two kernels, of which the second has the word in place of `.global`.
fn with_word(word: &str) -> String {
    let kernel = GUARD[GUARD.find(".visible").unwrap()..].replace("guard", "other");
    format!(
        "{GUARD}{}",
        kernel.replacen(".global.nc.f32 \t%f1", word, 1)
    )
}

#[test]
fn an_unknown_instruction_is_a_warning_and_its_kernel_stays() {
    let sandbox = Sandbox::new();
    for (word, message) in [
        (
            ".globl.nc.f32 %f1",
            "unknown modifier `.globl` of `ld`; did you mean `.global`?",
        ),
        (
            ".global.nc.f23 %f1",
            "unknown modifier `.f23` of `ld`; did you mean `.f32`?",
        ),
        (
            "x.global.nc.f32 %f1",
            "unknown instruction `ldx`; did you mean `ld`?",
        ),
    ] {
        let text = with_word(word);
        sandbox.file("k.ptx", &text);
        let output = sandbox.run(&["opt", "k.ptx", "--no-register-check"]);
        let words = said(&output);
        assert!(output.status.success(), "{words}");
        for part in [
            "warning: ",
            message,
            "k.ptx:67:",
            "^^^",
            "kernel `other` is left as it is",
        ] {
            assert!(words.contains(part), "no `{part}` in: {words}");
        }
        // The other kernel is rewritten.
        let after = String::from_utf8(output.stdout).unwrap();
        let own = text.rfind(".visible").unwrap();
        assert!(after.ends_with(&text[own..]), "{after}");
        assert_eq!(after.matches("shfl.sync").count(), 1);
        assert_eq!(
            said(&sandbox.run(&["opt", "k.ptx", "--no-register-check", "-q"])),
            ""
        );
        let alone = sandbox.run(&["opt", "k.ptx", "--no-register-check", "--kernel", "other"]);
        let words = said(&alone);
        assert!(
            words.contains("other: declined; the kernel has an instruction"),
            "{words}"
        );
        for command in ["explain", "dump", "trace"] {
            let words = said(&sandbox.run(&[command, "k.ptx"]));
            assert!(words.contains(message), "{words}");
        }
    }
}

/// What is reported of a spelling is what `ptxas` reports.
#[test]
fn ptxas_agrees_about_words() {
    let Some(ptxas) = ptxas() else { return };
    let sandbox = Sandbox::new();
    for (word, taken) in [
        (".global.nc.f32 %f1", true),
        (".globl.nc.f32 %f1", false),
        ("x.global.nc.f32 %f1", false),
    ] {
        sandbox.file("k.ptx", with_word(word));
        let mut command = Command::new(&ptxas);
        command
            .args(["-arch=sm_80", "-o", "/dev/null"])
            .arg(sandbox.path("k.ptx"));
        assert_eq!(command.output().unwrap().status.success(), taken, "{word}");
        let words = said(&sandbox.run(&["opt", "k.ptx", "--no-register-check"]));
        assert_eq!(words.contains("unknown"), !taken, "{word}: {words}");
    }
}

#[test]
fn many_unknown_instructions_are_counted() {
    let sandbox = Sandbox::new();
    let many: String = (0..20)
        .map(|number| format!("\tldq{number}.u32 %r1, [%rd1];\n"))
        .collect();
    let text = GUARD.replace("$L_end:", &format!("{many}$L_end:"));
    sandbox.file("k.ptx", text);
    let words = said(&sandbox.run(&["opt", "k.ptx", "--no-register-check"]));
    assert_eq!(words.matches("unknown instruction `").count(), 9, "{words}");
    assert!(words.contains("12 more unknown instructions"), "{words}");
}

#[test]
fn a_version_that_no_assembler_takes_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD.replace(".version 9.0", ".version 99.9"));
    sandbox.file("out.ptx", "as before");
    let no = sandbox.script("ptxas", "exit 255");
    let opt = ["opt", "k.ptx", "-o", "out.ptx"];
    let refused = sandbox
        .command(&opt)
        .env("PTXASW_PTXAS", &no)
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(1));
    for part in [
        "error: unsupported `.version 99.9`",
        "ptxas does not take it",
        "k.ptx:6:10",
        "^^^^",
        "up to 9.5",
    ] {
        assert!(said(&refused).contains(part), "{}", said(&refused));
    }
    assert_eq!(sandbox.read("out.ptx").unwrap(), b"as before");
    // With whichever `ptxas` there is, or none; also for another target.
    for command in ["opt", "explain", "dump", "trace"] {
        sandbox.fails(&[command, "k.ptx"], &["unsupported `.version 99.9`"]);
    }
    sandbox.fails(
        &["opt", "k.ptx", "--arch", "sm_90"],
        &["unsupported `.version 99.9`"],
    );
    // One that came after this program.
    let yes = sandbox.script("ptxas", "exit 0");
    let taken = sandbox
        .command(&["opt", "k.ptx"])
        .env("PTXASW_PTXAS", &yes)
        .output()
        .unwrap();
    assert!(taken.status.success(), "{}", said(&taken));
    assert!(said(&taken).contains("`.version 99.9` is newer than this ptxasw"));
    for (version, part) in [
        (".version 8", "expected a version such as `8.5`"),
        (".version 8.9", "unsupported `.version 8.9`"),
        ("", "has no `.version`"),
    ] {
        sandbox.file("k.ptx", GUARD.replace(".version 9.0", version));
        sandbox.fails(&["opt", "k.ptx"], &[part]);
    }
}

/// The drop-in leaves all that to the assembler of the build.
#[test]
fn the_drop_in_refuses_no_version() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD.replace(".version 9.0", ".version 99.9"));
    let newer = sandbox.script(
        "newer",
        "while [ $# -gt 1 ]; do [ $1 = -o ] && echo code > $2; shift; done",
    );
    let mut command = sandbox.plain(&["as", "--", "-arch=sm_80", "k.ptx", "-o", "k.cubin"]);
    let output = command.env("PTXASW_PTXAS", newer).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(sandbox.read("k.cubin").unwrap(), b"code\n");
}

/// What `ptxas` says of the module names the module, and no file of this program's.
#[test]
fn an_original_that_is_refused_is_named() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD);
    let no = sandbox.script(
        "ptxas",
        "for word; do case $word in /proc/*) echo \"ptxas $word, line 4; error : on purpose\"; exit 255;; esac; done",
    );
    for command in ["opt", "explain"] {
        let mut command = sandbox.command(&[command, "k.ptx"]);
        let output = command.env("PTXASW_PTXAS", &no).output().unwrap();
        let words = said(&output);
        assert!(
            output.status.success() && !words.contains("/proc/"),
            "{words}"
        );
        for part in [
            "warning: `k.ptx`: ",
            "does not take the original",
            "line 4; error : on purpose",
        ] {
            assert!(words.contains(part), "no `{part}` in: {words}");
        }
    }
}
