//! Commands that the manual shows are commands: their names, options and values are known.

use super::links::pages;
use clap::CommandFactory;
use clap::error::ErrorKind;
use ptxasw::cli::Cli;
use std::fs;
use std::process::Command;

/// A command line of a page.
struct Shown {
    place: String,
    line: String,
    /// In a block of its own, so that it is whole.
    whole: bool,
}

/// The commands of a page: lines of code that begin with `ptxasw`, and short pieces of code in a sentence.
fn shown(path: &str, text: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (number, line) in (1..).zip(text.lines()) {
        let place = format!("{path}:{number}");
        fenced ^= line.trim_start().starts_with("```");
        let block = if fenced {
            Some(line)
        } else {
            line.strip_prefix("    ")
        };
        if let Some(code) = block {
            let code = code.strip_prefix("$ ").unwrap_or(code);
            if code.starts_with("ptxasw ") {
                let line = code.to_owned();
                found.push(Shown {
                    place,
                    line,
                    whole: true,
                });
            }
            continue;
        }
        let pieces = line.split('`').skip(1).step_by(2);
        // A version is no command, nor is `COMMAND`.
        let command = |code: &&str| {
            let name = code.strip_prefix("ptxasw ");
            name.is_some_and(|name| {
                name.starts_with(|first: char| first.is_lowercase() || first == '-')
            })
        };
        for code in pieces.filter(command) {
            let (place, line) = (place.clone(), code.to_owned());
            found.push(Shown {
                place,
                line,
                whole: false,
            });
        }
    }
    found
}

/// The words of the first command, as a shell has them; none where it is no command line of a shell's.
fn words(line: &str) -> Option<Vec<String>> {
    let script = format!(
        "shown() {{ printf '%s\\n' \"$@\"; exit; }}; set -u; set -f; ptxasw() {{ shown ptxasw \"$@\"; }}; {line}"
    );
    let variables = ["CUDA_HOME", "CUDA12_HOME", "NVHPC_ROOT"].map(|name| (name, "/cuda"));
    let done = Command::new("bash")
        .arg("-c")
        .arg(script)
        .envs(variables)
        .output()
        .unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    (!text.is_empty()).then(|| text.lines().map(str::to_owned).collect())
}

/// Why a command line is wrong.
fn wrong(shown: &Shown) -> Option<String> {
    // `--loads off|proofs` and the like are lists, `NAME...` stands where there may be more.
    if !shown.whole && shown.line.contains(['|', '<', '>', '[', '(', '*', '…']) {
        return None;
    }
    let Some(words) = words(&shown.line) else {
        return Some("no command line".to_owned());
    };
    let words = words.iter().filter(|word| *word != "...");
    let error = Cli::command().try_get_matches_from(words).err()?;
    let fine = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
        // In a sentence a command may be named by what matters of it, with placeholders.
        ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand => false,
        _ => !shown.whole,
    };
    (!fine).then(|| error.to_string())
}

#[test]
fn commands_of_the_manual_are_known() {
    let mut count = 0;
    let mut all = Vec::new();
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        for one in shown(&path.display().to_string(), &text) {
            count += 1;
            let why = wrong(&one).and_then(|why| Some(why.lines().next()?.to_owned()));
            all.extend(why.map(|why| format!("{}: `{}`: {why}", one.place, one.line)));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
    assert!(count > 60, "{count}");
}

#[test]
fn what_is_wrong_is_seen() {
    let wrong = |text: &str| shown("p", text).iter().filter_map(wrong).count();
    assert_eq!(wrong("    ptxasw opt k.ptx -o o.ptx --verify && true\n"), 0);
    assert_eq!(wrong("    ptxasw opt k.ptx --lods=bulk\n"), 1);
    assert_eq!(wrong("```sh\nptxasw opt k.ptx --loads=some\n```\n"), 1);
    assert_eq!(
        wrong("as `ptxasw opt K.ptx --loads LEVEL` does, or `ptxasw opt`\n"),
        0
    );
    assert_eq!(wrong("as `ptxasw optt K.ptx` does\n"), 1);
}
