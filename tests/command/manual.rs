//! The pages of the manual that the program makes itself, so that they do not age; `make bless` writes them anew.

use super::sandbox::Sandbox;
use super::snapshots::compare;
use ptxasw::pipeline::settings::table::{self, Effect, Setting};
use ptxasw::pipeline::settings::{Settings, tuned};
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
    let names = names.filter_map(|line| line.strip_prefix("    ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    assert!(names.len() >= 25, "{names:?}");
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

/// A row of the table of settings; `usual` has the defaults.
fn row(one: &'static Setting, usual: &mut Settings) -> String {
    let code = |text: &str| format!("`{text}`");
    let equals = if one.is_switch() { "" } else { "=" };
    let name = code(&format!("{}{equals}{}", one.name, one.placeholder));
    let names = std::iter::once(name).chain(one.aliases.iter().copied().map(code));
    let held = usual
        .held()
        .into_iter()
        .find(|held| held.0.name == one.name);
    let default = match held.and_then(|(_, text)| text) {
        Some(switch) if one.is_switch() => ["off", "on"][usize::from(switch == "1")].to_owned(),
        Some(text) => code(&text),
        None => one.none.to_owned(),
    };
    let mut help = one.help.to_owned();
    let values = one.value(usual).names();
    let values: Vec<String> = values.iter().map(|(name, _)| code(name)).collect();
    if !values.is_empty() {
        help += &format!(" ({})", values.join(", "));
    }
    let everywhere = one.effect != Effect::Command;
    let doors = [
        everywhere,
        everywhere && one.name != "config",
        tuned::NAMES.contains(&one.name),
        everywhere && one.effect != Effect::Call,
        one.option,
    ];
    let doors = doors.map(|is_there| if is_there { "yes" } else { "" });
    let names = names.collect::<Vec<_>>().join(", ");
    let cells = [&[&*names, &help, &default], &doors[..]].concat();
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[test]
fn settings() {
    let mut page = "# All settings

[Settings](../builds/settings.md) says how they are given, and what differs between the assembler's place, `ptxasw clang` and the \
plugin. *call*: an argument `--ptxasw-NAME=VALUE` or a variable `PTXASW_NAME`. *file*: `ptxasw.toml`. *kernels*: `tuned`, and tables \
`[[tuned]]` of the file. *bundle*: an option of `ptxasw bundle`. *commands*: an option of `ptxasw opt` and other commands, whose \
[help](options.md) says more about values. Other names of a setting follow its own; one without a value is a switch.

| setting | what it does | default | call | file | kernels | bundle | commands |
| --- | --- | --- | --- | --- | --- | --- | --- |
"
    .to_owned();
    let mut usual = Settings::default();
    let mut all: Vec<_> = table::all().chain(table::of_commands()).collect();
    all.sort_by_key(|one| one.name);
    all.dedup_by_key(|one| one.name);
    for one in all {
        page += &row(one, &mut usual);
    }
    compare("docs/reference/settings.md", &page);
}
