//! The list of commands in the help, in groups.

use clap::Command;

/// What the commands are for, in the order in which users meet them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Start", &["opt", "explain", "report"]),
    ("Measure", &["cost", "verify", "time", "tune", "record"]),
    (
        "Build",
        &[
            "run-build",
            "shim",
            "bundle",
            "clang",
            "as",
            "stats",
            "config",
        ],
    ),
    ("Trouble", &["doctor", "bisect", "reduce", "bug", "check"]),
    (
        "Inside",
        &["run", "dump", "trace", "corpus", "completions", "man"],
    ),
];

/// The command with its subcommands in groups.
pub fn grouped(command: Command) -> Command {
    let mut list = String::new();
    for (title, names) in GROUPS {
        // Each group is laid out, and wrapped, as a help of its own.
        let found = names
            .iter()
            .filter_map(|name| command.find_subcommand(name));
        let mut group = Command::new(title)
            .help_template("{subcommands}")
            .disable_help_subcommand(true)
            .subcommands(
                found
                    .enumerate()
                    .map(|(order, one)| one.clone().display_order(order)),
            );
        let lines = group.render_help().to_string();
        let lines = lines.lines().filter(|line| !line.trim().is_empty());
        let lines: String = lines.map(|line| format!("  {line}\n")).collect();
        list += &format!("  {title}\n{lines}");
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\nCommands:\n{list}\n{{options}}{{after-help}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_is_in_a_group() {
        let command = crate::cli::Cli::command();
        let all: BTreeSet<&str> = command.get_subcommands().map(Command::get_name).collect();
        let grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        let distinct: BTreeSet<&str> = grouped.iter().copied().collect();
        assert_eq!((distinct.len(), distinct), (grouped.len(), all));
    }
}
