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
    let unknown = "unknown pass `shufle`, did you mean `shuffle`? (known: shuffle)";
    for option in ["--passes=shuffle,shufle", "--print-after=shufle"] {
        let output = place.run(&["opt", "k.ptx", option]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(said(&output).contains(unknown), "{}", said(&output));
    }
}
