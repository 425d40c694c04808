//! The pages of the manual that the program makes itself, so that they do not age; `make bless` writes them anew.

use super::sandbox::Sandbox;
use super::snapshots::compare;
use ptxasw::report::explain;
use std::fmt::Write as _;

/// What the program prints, without settings of the tests' own.
fn printed(sandbox: &Sandbox, words: &[&str]) -> String {
    let output = sandbox.plain(words).env_remove("PTXASW_NO_CACHE").output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}

fn section(page: &mut String, heading: &str, text: &str) {
    assert!(!text.contains("```") && !text.is_empty(), "{heading}");
    let _ = write!(page, "\n## {heading}\n\n```text\n");
    for line in text.trim_end().lines() {
        let _ = writeln!(page, "{}", line.trim_end());
    }
    page.push_str("```\n");
}

#[test]
fn options_of_every_command() {
    let sandbox = Sandbox::new();
    let own = printed(&sandbox, &["--help-all"]);
    let (_, codes) = own.split_once("Exit codes:\n").expect("a table");
    let mut page = "# Options and exit codes\n\nWhat `ptxasw COMMAND --help-all` prints. Options that several commands have mean the same everywhere.\n".to_owned();
    section(&mut page, "Exit codes", codes);
    let commands = own.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = commands.take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|name| !matches!(*name, "" | "help")).collect();
    assert!(names.len() >= 19, "{names:?}");
    for name in names {
        let text = printed(&sandbox, &[name, "--help-all"]);
        section(&mut page, &format!("ptxasw {name}"), &text);
    }
    compare("docs/reference/options.md", &page);
}

#[test]
fn reasons() {
    let sandbox = Sandbox::new();
    let mut page = "# Conditions, schemes and reasons\n\nWhat `ptxasw explain CODE` prints for each code that stands in its report and in remarks.\n".to_owned();
    for code in explain::codes() {
        section(&mut page, code, &printed(&sandbox, &["explain", code]));
    }
    compare("docs/reference/reasons.md", &page);
}
