//! The settings file and variables as command line arguments: the user's own arguments follow, and win.

use crate::dropin::config::{self, ConfigError};
use crate::dropin::settings;
use clap::Command;
use std::env;
use std::ffi::{OsStr, OsString};

/// The option of commands that names a settings file.
pub const OPTION: &str = "--config";

/// A setting, where its value comes from, and the value.
pub struct Origin {
    /// The setting.
    pub name: &'static str,
    /// Its value as a variable has it; none for the default.
    pub value: Option<String>,
    /// `default`, a variable, or a line of the settings file.
    pub origin: String,
}

/// All settings with their values. `named` is the settings file that the user names.
///
/// # Errors
/// The settings file is wrong, or a variable.
pub fn origins(named: Option<OsString>) -> Result<Vec<Origin>, ConfigError> {
    let file = config::file(named.or_else(|| env::var_os(config::VARIABLE)))?;
    let mut variables: Vec<(OsString, OsString)> = env::vars_os().collect();
    variables.sort();
    let all = settings::all().filter(|(name, _)| *name != "config");
    Ok(all
        .map(|(name, _)| {
            let of_name = |(variable, value): &&(OsString, OsString)| {
                let variable = variable.to_string_lossy();
                !value.is_empty() && settings::name_of_variable(&variable) == Some(name)
            };
            let variable = variables.iter().rev().find(of_name);
            let mut entries = file.iter().flat_map(|file| &file.entries);
            let entry = entries.rfind(|entry| entry.name == name);
            let path = file.as_ref().map(|file| file.path.display().to_string());
            match (variable, entry, path) {
                (Some((variable, value)), ..) => Origin {
                    name,
                    value: Some(value.to_string_lossy().into_owned()),
                    origin: variable.to_string_lossy().into_owned(),
                },
                (None, Some(entry), Some(path)) => Origin {
                    name,
                    value: Some(entry.value.clone()),
                    origin: format!("{path}:{}", entry.line),
                },
                _ => Origin {
                    name,
                    value: None,
                    origin: "default".to_string(),
                },
            }
        })
        .collect())
}

/// A command line with the settings that hold for its command and are not in it.
///
/// # Errors
/// The settings file is wrong, or a variable.
pub fn applied(command: &Command, words: Vec<OsString>) -> Result<Vec<OsString>, ConfigError> {
    let place = words.iter().skip(1).position(|word| !is_option(word));
    let Some(place) = place.map(|place| place + 1) else {
        return Ok(words);
    };
    let Some(command) = command.find_subcommand(&words[place]) else {
        return Ok(words);
    };
    // Only commands that rewrite or explain have settings.
    let has = |name: &str| {
        let mut arguments = command.get_arguments();
        arguments.any(|argument| argument.get_long() == Some(name))
    };
    if !has("profit") {
        return Ok(words);
    }
    let named = named(&words);
    let origins = origins(named)?;
    let mut added = Vec::new();
    for (name, takes_value) in settings::all() {
        // `opt` has a level of its own in `--verify=strict`, and files that one call writes are not for all.
        let option = if name == "j" { "jobs" } else { name };
        if !has(option) || is_given(&words, name) {
            continue;
        }
        let mut origins = origins.iter();
        let found = origins.find(|one| one.name == name);
        let Some(value) = found.and_then(|one| one.value.as_ref()) else {
            continue;
        };
        match takes_value {
            true => added.push(OsString::from(format!("--{option}={value}"))),
            false if matches!(value.as_str(), "1" | "on" | "true" | "yes") => {
                added.push(OsString::from(format!("--{option}")));
            }
            false => {}
        }
    }
    let mut all = words;
    all.splice(place + 1..place + 1, added);
    Ok(all)
}

/// The settings file that the words name.
fn named(words: &[OsString]) -> Option<OsString> {
    let options = words.iter().take_while(|word| *word != OsStr::new("--"));
    let mut found = None;
    let mut options = options.peekable();
    while let Some(word) = options.next() {
        let text = word.to_string_lossy();
        match text.strip_prefix(OPTION) {
            Some("") => found = options.peek().map(|next| (*next).clone()),
            Some(value) if value.starts_with('=') => found = Some(value[1..].into()),
            _ => {}
        }
    }
    found
}

fn is_option(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

/// Whether the user gives a setting, by any of its names, or its opposite.
fn is_given(words: &[OsString], name: &str) -> bool {
    words.iter().any(|word| {
        let word = word.to_string_lossy();
        let option = word.split('=').next().unwrap_or_default();
        let long = option.strip_prefix("--").and_then(settings::canonical);
        let short = match name {
            "j" => word.starts_with("-j"),
            "verbose" => matches!(&*word, "-v" | "-q" | "--quiet"),
            _ => false,
        };
        long == Some(name) || short
    })
}
