//! Colour: on terminals, where it is asked for, never in files.

use super::sandbox::{GUARD, Sandbox, said};

const ESCAPE: char = '\u{1b}';

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD);
    sandbox.file("broken.ptx", GUARD.replace("ret;", "ret"));
    sandbox
}

/// Standard error and standard output of a command.
fn shown(sandbox: &Sandbox, words: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = sandbox.plain(words);
    let output = command.envs(variables.iter().copied()).output().unwrap();
    said(&output) + &String::from_utf8_lossy(&output.stdout)
}

#[test]
fn a_pipe_gets_no_colour() {
    let sandbox = sandbox();
    for words in [
        &["opt", "broken.ptx"][..],
        &["explain", "k.ptx", "--full"],
        &["opt", "--nonsense"],
    ] {
        assert!(!shown(&sandbox, words, &[]).contains(ESCAPE), "{words:?}");
    }
}

#[test]
fn who_asks_for_colour_gets_it() {
    let sandbox = sandbox();
    for words in [
        &["opt", "broken.ptx"][..],
        &["explain", "k.ptx", "--full"],
        &["opt", "--nonsense"],
        &["opt", "no.ptx"],
    ] {
        let plain = shown(&sandbox, words, &[]);
        let coloured = shown(
            &sandbox,
            &[words, &["--color", "always"]].concat(),
            &[("NO_COLOR", "1")],
        );
        assert!(coloured.contains(ESCAPE), "{words:?}: {coloured}");
        // Colours do not change the words.
        let stripped = anstream::adapter::strip_str(&coloured).to_string();
        assert_eq!(stripped, plain, "{words:?}");
        assert!(!shown(&sandbox, &[words, &["--color=never"]].concat(), &[]).contains(ESCAPE));
    }
}

#[test]
fn a_module_is_never_coloured() {
    let sandbox = sandbox();
    let output = sandbox
        .plain(&["opt", "k.ptx", "--color", "always", "-q"])
        .output()
        .unwrap();
    assert_eq!(output.stdout, GUARD.as_bytes());
}

#[test]
fn a_terminal_gets_colour_unless_the_user_has_none() {
    let sandbox = sandbox();
    let command = format!("{} opt no.ptx", env!("CARGO_BIN_EXE_ptxasw"));
    let on_terminal = |variables: &[(&str, &str)]| {
        // The program `script` of util-linux lends a terminal.
        let mut script = std::process::Command::new("script");
        script
            .args(["-qec", &command, "/dev/null"])
            .env("TERM", "xterm")
            .env_remove("CI");
        let output = script
            .envs(variables.iter().copied())
            .current_dir(sandbox.path(""))
            .output();
        String::from_utf8_lossy(&output.unwrap().stdout).into_owned()
    };
    assert!(on_terminal(&[]).contains(ESCAPE));
    let plain = on_terminal(&[("NO_COLOR", "1")]);
    assert!(
        !plain.contains(ESCAPE) && plain.contains("cannot read"),
        "{plain}"
    );
}
