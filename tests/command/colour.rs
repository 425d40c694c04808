//! Colour: on terminals, where it is asked for, never in files.

use super::place::{GUARD, Place, said};

const ESCAPE: char = '\u{1b}';

fn place() -> Place {
    let place = Place::new();
    place.file("k.ptx", GUARD);
    place.file("broken.ptx", GUARD.replace("ret;", "ret"));
    place
}

/// Standard error and standard output of a command.
fn shown(place: &Place, words: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = place.plain(words);
    let output = command.envs(variables.iter().copied()).output().unwrap();
    said(&output) + &String::from_utf8_lossy(&output.stdout)
}

#[test]
fn a_pipe_gets_no_colour() {
    let place = place();
    for words in [
        &["opt", "broken.ptx"][..],
        &["explain", "k.ptx", "--full"],
        &["opt", "--nonsense"],
    ] {
        assert!(!shown(&place, words, &[]).contains(ESCAPE), "{words:?}");
    }
}

#[test]
fn who_asks_for_colour_gets_it() {
    let place = place();
    for words in [
        &["opt", "broken.ptx"][..],
        &["explain", "k.ptx", "--full"],
        &["opt", "--nonsense"],
        &["opt", "no.ptx"],
    ] {
        let plain = shown(&place, words, &[]);
        let coloured = shown(
            &place,
            &[words, &["--color", "always"]].concat(),
            &[("NO_COLOR", "1")],
        );
        assert!(coloured.contains(ESCAPE), "{words:?}: {coloured}");
        // The same words.
        let stripped = anstream::adapter::strip_str(&coloured).to_string();
        assert_eq!(stripped, plain, "{words:?}");
        assert!(!shown(&place, &[words, &["--color=never"]].concat(), &[]).contains(ESCAPE));
    }
}

#[test]
fn a_module_is_never_coloured() {
    let place = place();
    let output = place
        .plain(&["opt", "k.ptx", "--color", "always", "-q"])
        .output()
        .unwrap();
    assert_eq!(output.stdout, GUARD.as_bytes());
}

#[test]
fn a_terminal_gets_colour_unless_the_user_has_none() {
    let place = place();
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
            .current_dir(place.path(""))
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
