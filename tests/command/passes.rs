//! `--passes` and `--print-after`.

use super::place::{GUARD, Place, said};
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::text;

#[test]
fn a_pass_that_is_taken_away_does_not_run() {
    let place = Place::new();
    place.file("k.ptx", GUARD);
    let run =
        |passes: &str| place.run(&["opt", "k.ptx", "--no-register-check", "--passes", passes]);
    let without = run("-shuffle");
    assert_eq!(without.stdout, GUARD.as_bytes());
    let reason = "the pass `shuffle` does not run";
    assert!(said(&without).contains(reason), "{}", said(&without));
    let with = run("shuffle");
    let usual = place.run(&["opt", "k.ptx", "--no-register-check"]);
    assert!(with.stdout == usual.stdout && with.stdout != GUARD.as_bytes());
    // As a setting, which the command line overrides.
    let opt = ["opt", "k.ptx", "--no-register-check"];
    let set = |words: &[&str]| {
        let mut command = place.command(&[&opt[..], words].concat());
        command.env("PTXASW_PASSES", "-shuffle").output().unwrap()
    };
    assert_eq!(set(&[]).stdout, without.stdout);
    assert_eq!(set(&["--passes=shuffle"]).stdout, with.stdout);
}

#[test]
fn the_ir_behind_a_pass_is_printed() {
    let place = Place::new();
    place.file("k.ptx", GUARD);
    let opt = [
        "opt",
        "k.ptx",
        "-o",
        "out.ptx",
        "-q",
        "--print-after",
        "shuffle",
    ];
    let printed = said(&place.run(&opt));
    let function = text::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    let shuffles = |one: &&ptxasw::ir::function::Inst| matches!(one.opcode, Opcode::Shuffle { .. });
    assert!(function.insts.iter().any(|one| shuffles(&one)), "{printed}");
    let words = ["`--print-after shuffle`: the pass does not run"];
    place.fails(&[&opt[..], &["--passes=-shuffle"]].concat(), &words);
    let unknown = "unknown pass `shufle`, did you mean `shuffle`? (known: memory, shuffle)";
    for option in ["--passes=shuffle,shufle", "--print-after=shufle"] {
        let output = place.run(&["opt", "k.ptx", option]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(said(&output).contains(unknown), "{}", said(&output));
    }
}

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
	ld.global.u32 %r2, [%rd2];
	add.u32 %r3, %r1, %r2;
	st.global.u32 [%rd2+4], %r3;
	ret;
}
";

/// The level counts only where the pass runs, and the pass only where its level lets it do something.
#[test]
fn the_memory_pass_has_a_level_and_a_switch() {
    let place = Place::new();
    place.file("k.ptx", TWICE);
    let loads = |words: &[&str], variables: &[(&str, &str)]| {
        let words = [&["opt", "k.ptx", "--no-register-check"], words].concat();
        let mut command = place.plain(&words);
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
    place.file("ptxasw.toml", "passes = \"memory\"\nloads = \"off\"\n");
    assert_eq!(loads(&[], &[]), 2);
    assert_eq!(loads(&[], &[("PTXASW_LOADS", "checked")]), 1);
}
