//! `--passes` and `--print-after`.

use super::sandbox::{GUARD, Sandbox, said};
use crate::cells;
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::text;
use std::process::Output;

#[test]
fn a_pass_that_is_taken_away_does_not_run() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD);
    let run =
        |passes: &str| sandbox.run(&["opt", "k.ptx", "--no-register-check", "--passes", passes]);
    let without = run("-shuffle");
    assert_eq!(without.stdout, GUARD.as_bytes());
    let reason = "the pass `shuffle` does not run";
    assert!(said(&without).contains(reason), "{}", said(&without));
    let with = run("shuffle");
    let usual = sandbox.run(&["opt", "k.ptx", "--no-register-check"]);
    // But for what the kernel says of the passes.
    let code = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines = text.lines().filter(|line| !line.contains("// ptxasw 1:"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(code(&with) == code(&usual) && with.stdout != GUARD.as_bytes());
    // As a setting, which the command line overrides.
    let opt = ["opt", "k.ptx", "--no-register-check"];
    let set = |words: &[&str]| {
        let mut command = sandbox.command(&[&opt[..], words].concat());
        command.env("PTXASW_PASSES", "-shuffle").output().unwrap()
    };
    assert_eq!(set(&[]).stdout, without.stdout);
    assert_eq!(set(&["--passes=shuffle"]).stdout, with.stdout);
}

#[test]
fn the_ir_after_a_pass_is_printed() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD);
    let opt = [
        "opt",
        "k.ptx",
        "-o",
        "out.ptx",
        "-q",
        "--print-after",
        "shuffle",
    ];
    let printed = said(&sandbox.run(&opt));
    let function = text::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    let shuffles = |one: &&ptxasw::ir::function::Inst| matches!(one.opcode, Opcode::Shuffle { .. });
    assert!(function.insts.iter().any(|one| shuffles(&one)), "{printed}");
    let words = ["`--print-after shuffle`: the pass does not run"];
    sandbox.fails(&[&opt[..], &["--passes=-shuffle"]].concat(), &words);
    let unknown = "unknown pass `shufle`, did you mean `shuffle`? (known: loops, memory, scalar, division, saturate, shuffle)";
    for option in ["--passes=shuffle,shufle", "--print-after=shufle"] {
        let output = sandbox.run(&["opt", "k.ptx", option]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(said(&output).contains(unknown), "{}", said(&output));
    }
}

/// What the pass `memory` says of a kernel, wherever it is asked.
#[test]
fn remarks_of_a_pass_are_seen_at_every_door() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", BETWEEN);
    let lift = "lifted by: declare the pointers `__restrict__`, or pass `--assume noalias`";
    let summary = "1 of 3 loads removed";
    let words = ["opt", "k.ptx", "-o", "out.ptx", "--no-register-check"];
    let words = [
        &words[..],
        &["--loads=proofs", "--passes=memory", "-v", "--stats"],
    ]
    .concat();
    let output = said(&sandbox.run(&words));
    for line in [
        "k.ptx:13: remark: twice: removed, same as the load @12 [ptxasw-memory]\n",
        &format!(
            "k.ptx:16: remark: twice: kept: a store between may write these bytes @15; {lift} [ptxasw-memory]\n"
        ),
        &format!("twice: changed; {summary}\n"),
    ] {
        assert!(output.contains(line), "{line}\n{output}");
    }
    let figures = "loads 3\nremoved 1\nkept 2\n";
    assert!(cells(&output).contains(figures), "{output}");
    let explain = |words: &[&str]| {
        let usual = ["explain", "k.ptx", "--loads=proofs", "--passes=+memory"];
        let output = sandbox.run(&[&usual, words].concat());
        assert!(output.status.success(), "{}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = explain(&[]);
    let groups = "\nkernel `twice`\n  1 removed, same as the load (memory)\n      line 13 @12\n";
    assert!(text.lines().next().unwrap().ends_with(summary), "{text}");
    let words = "  done  1 load removed, same as the load; line 13\n";
    assert!(
        text.contains(words) && text.contains(&lift["lifted by: ".len()..]),
        "{text}"
    );
    let text = explain(&["--full"]);
    assert!(text.contains(groups) && text.contains(lift), "{text}");
    let one = explain(&["--load=@13"]);
    assert!(
        one.starts_with("note: memory: removed, same as the load\n  --> k.ptx:13:2\n"),
        "{one}"
    );
    let claims = explain(&["--full", "--assume=noalias"]);
    assert!(claims.contains("  rests on: ") && claims.contains("assumed by choice of the user"));
    let json: serde_json::Value = serde_json::from_str(&explain(&["--json"])).unwrap();
    assert!(json["verdict"].as_str().unwrap().ends_with(summary));
    let pass = &json["passes"][0];
    assert_eq!(
        (&pass["pass"], &pass["function"]),
        (&"memory".into(), &"twice".into())
    );
    assert_eq!(json["kernels"][0]["fates"]["loads"]["LoadRemoved"], 1);
    let remarks = json["remarks"].as_array().unwrap().iter();
    let removed = remarks.filter(|one| one["name"] == "LoadRemoved");
    let removed: Vec<_> = removed.collect();
    assert_eq!(removed.len(), 1);
    assert_eq!(
        (&removed[0]["ptx_line"], &removed[0]["related_line"]),
        (&13.into(), &12.into())
    );
    assert_eq!(
        (&removed[0]["pass"], &removed[0]["done"]),
        (&"memory".into(), &true.into())
    );
}

/// After a pass that adds and removes lines all reports name lines of the input.
#[test]
fn reports_on_loads_have_lines_of_the_input() {
    let sandbox = Sandbox::new();
    let text = BETWEEN.replace("ld.global.u32 %r2", "ld.global.v2.u32 {%r2, %r5}");
    let text = text
        .replace("%r<5>", "%r<6>")
        .replace("ld.global.u32 %r1", "ld.global.v2.u32 {%r1, %r3}")
        .replace("[%rd4+4], %r4", "[%rd4+4], %r5");
    sandbox.file("k.ptx", &text);
    let words = ["explain", "k.ptx", "--full", "--loads"];
    let shown = |loads: &str, passes: &str| {
        let output = sandbox.run(&[&words[..], &[loads, "--passes", passes]].concat());
        String::from_utf8(output.stdout).unwrap()
    };
    let opt = [
        "opt",
        "k.ptx",
        "--no-register-check",
        "--passes=memory",
        "--loads=proofs",
    ];
    let left = String::from_utf8(sandbox.run(&opt).stdout).unwrap();
    let line =
        |text: &str, word: &str| text.lines().position(|line| line.contains(word)).unwrap() + 1;
    let last = "ld.global.u32 %r4";
    assert_ne!(line(&left, last), line(&text, last), "{left}");
    let place_of_last = format!("--> k.ptx:{}:2", line(&text, last));
    for passes in ["shuffle", "memory,shuffle"] {
        let shown = shown("proofs", passes);
        assert!(shown.contains(&place_of_last), "{passes}\n{shown}");
    }
    // What became of a copy after a test counts, and not of the original that runs where the test fails.
    let shown = shown("bulk", "memory,shuffle");
    assert!(
        shown.starts_with("twice: changed")
            && shown
                .contains("; 2 of 3 loads and 1 of 2 stores removed, if pointers do not overlap\n"),
        "{shown}"
    );
    let last = format!("note: memory: removed, same as the load\n  {place_of_last}");
    assert!(shown.contains(&last), "{shown}");
}

/// What a pass proved is in the index of certificates.
#[test]
fn claims_of_a_pass_are_certificates() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", BETWEEN);
    let opt = ["opt", "k.ptx", "-o", "out.ptx", "-q", "--passes=memory"];
    let more = ["--assume=noalias", "--certificates=proofs"];
    let output = sandbox.run(&[&opt[..], &more].concat());
    assert!(output.status.success(), "{}", said(&output));
    let index = sandbox.read("proofs/index.json").unwrap();
    let index: serde_json::Value = serde_json::from_slice(&index).unwrap();
    let claims = index["claims"].as_array().unwrap();
    let is_last = |claim: &&serde_json::Value| claim["site"]["line"] == 16;
    let claim = claims.iter().find(is_last).unwrap();
    assert_eq!(
        (&claim["pass"], &claim["function"]),
        (&"memory".into(), &"twice".into())
    );
    assert!(claim["evidence"].as_str().unwrap().contains("assumed"));
    assert!(sandbox.run(&["check", "proofs", "-q"]).status.success());
}

/// A kernel that loads one word three times, before and after a store through another pointer.
const BETWEEN: &str = "\
.version 8.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 p, .param .u64 q)
{
	.reg .b32 %r<5>;
	.reg .b64 %rd<5>;
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd2, %rd1;
	ld.param.u64 %rd3, [q];
	cvta.to.global.u64 %rd4, %rd3;
	ld.global.u32 %r1, [%rd2];
	ld.global.u32 %r2, [%rd2];
	add.u32 %r3, %r1, %r2;
	st.global.u32 [%rd4+4], %r3;
	ld.global.u32 %r4, [%rd2];
	st.global.u32 [%rd4+4], %r4;
	ret;
}
";

/// A kernel that loads one word twice.
const TWICE: &str = "\
.version 8.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 p)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd2, %rd1;
	ld.global.u32 %r1, [%rd2];
	st.global.u32 [%rd2+4], %r1;
	ld.global.u32 %r2, [%rd2+4];
	add.u32 %r3, %r1, %r2;
	st.global.u32 [%rd2+8], %r3;
	ret;
}
";

/// The level counts only where the pass runs, and the pass only where its level lets it do something.
#[test]
fn the_memory_pass_has_a_level_and_a_switch() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", TWICE);
    let loads = |words: &[&str], variables: &[(&str, &str)]| {
        let words = [&["opt", "k.ptx", "--no-register-check"], words].concat();
        let mut command = sandbox.plain(&words);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.matches("ld.global").count()
    };
    assert_eq!(loads(&["--passes", "memory"], &[]), 1);
    assert_eq!(loads(&["--passes", "+memory", "--loads=proofs"], &[]), 1);
    assert_eq!(loads(&["--passes", "memory", "--loads=off"], &[]), 2);
    assert_eq!(loads(&["--passes", "-memory", "--loads=always"], &[]), 2);
    assert_eq!(loads(&["--passes", "shuffle", "--loads=always"], &[]), 2);
    let variables = [("PTXASW_PASSES", "memory"), ("PTXASW_LOADS", "off")];
    assert_eq!(loads(&[], &variables), 2);
    assert_eq!(loads(&["--loads=bulk"], &variables), 1);
    sandbox.file("ptxasw.toml", "passes = \"memory\"\nloads = \"off\"\n");
    assert_eq!(loads(&[], &[]), 2);
    assert_eq!(loads(&[], &[("PTXASW_LOADS", "checked")]), 1);
}
