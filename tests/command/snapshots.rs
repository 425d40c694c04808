//! What users read: the help of every command, the errors that they meet most. `make bless` writes
//! the files anew.

use super::sandbox::{GUARD, Sandbox, said};
use std::fs;
use std::path::Path;
use std::process::Output;

/// Compares a text with its file, which is named from the root of the project.
pub fn compare(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("PTXASW_BLESS").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert!(text == expected, "{name} differs ('make bless'):\n{text}");
}

/// Both streams and the exit code, without the folder's name.
fn shown(sandbox: &Sandbox, words: &[&str], output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &said(output);
    let folder = sandbox.path("");
    let text = text.replace(&*folder.to_string_lossy(), "DIR/");
    let code = output.status.code().unwrap();
    format!("$ ptxasw {}\n{text}exit code {code}\n\n", words.join(" "))
}

/// Without a setting of the tests' own, which usage lines would show.
fn ran(sandbox: &Sandbox, words: &[&str]) -> String {
    let mut command = sandbox.plain(words);
    let output = command.env_remove("PTXASW_NO_CACHE").output().unwrap();
    shown(sandbox, words, &output)
}

#[test]
fn help_of_every_command() {
    let sandbox = Sandbox::new();
    let run = |words: &[&str]| ran(&sandbox, words);
    let own = run(&["--help"]);
    let commands = own.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let names: Vec<&str> = commands
        .filter_map(|line| line.strip_prefix("    ")?.split(' ').next())
        .filter(|name| !name.is_empty())
        .collect();
    assert!(names.len() >= 25, "{names:?}");
    let mut all = own.clone();
    for name in &names {
        all += &run(&[name, "--help"]);
    }
    compare("tests/command/snapshots/help.txt", &all);
    assert!(run(&["--help-all"]).contains("Exit codes:"));
}

#[test]
fn frequent_errors() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD);
    sandbox.file(
        "broken.ptx",
        GUARD.replace("setp.ge.s32 \t%p1", "setp.ge.s32 %p1,"),
    );
    sandbox.file(
        "host.ll",
        "target triple = \"x86_64-pc-linux-gnu\"\ndefine void @f() { ret void }\n",
    );
    sandbox.file(
        "no-target.ptx",
        GUARD.replace(".target sm_80", ".target sm_999"),
    );
    sandbox.file("wrong.toml", "profit = \"never\"\n");
    let launch = "grid=1 block=32 args=f32[64]";
    let calls: [&[&str]; 13] = [
        &["opt", "missing.ptx"],
        &["opt", "broken.ptx"],
        &["opt", "k.ptx", "--proft", "always"],
        &["opt", "k.ptx", "--scheme", "FF"],
        &["opt", "k.ptx", "--passes", "-shufle"],
        &["opt", "k.ptx", "--kernel", "gard"],
        &["opt", "k.ptx", "-o", "no/such/folder/out.ptx"],
        &["opt", "k.ptx", "--config", "wrong.toml"],
        &["explain", "C3-stor"],
        &["explain", "C9"],
        &["run-build", "-q", "--", "nosuchcmd"],
        &["run", "k.ptx", "--launch", launch],
        &["optimize", "k.ptx"],
    ];
    let all = calls.map(|words| ran(&sandbox, words));
    compare("tests/command/snapshots/errors.txt", &all.concat());
    // What these say depends on what is installed.
    sandbox.fails(&["opt", "host.ll"], &["nvptx"]);
    sandbox.fails(&["opt", "no-target.ptx"], &["sm_999"]);
}
