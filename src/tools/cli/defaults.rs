//! The settings file and variables as command line arguments: the user's own arguments follow, and win.

use clap::Command;
use ptxasw_driver::pipeline::settings::config::{self, ConfigError};
use ptxasw_driver::pipeline::settings::table::{self, Setting};
use ptxasw_driver::pipeline::settings::value::Value;
use ptxasw_driver::pipeline::settings::words;
use std::env;
use std::ffi::{OsStr, OsString};

/// The option of commands that names a settings file.
pub const OPTION: &str = "--config";

/// A setting, where its value comes from, and the value.
pub struct Origin {
    /// The setting.
    pub setting: &'static Setting,
    /// Its value as a variable has it; none for the default.
    pub value: Option<String>,
    /// `default`, a variable, or a line of the settings file.
    pub origin: String,
}

/// All settings with their values, by name. `named` is the settings file that the user names.
///
/// # Errors
/// The settings file is wrong, or a variable.
pub fn origins(named: Option<OsString>) -> Result<Vec<Origin>, ConfigError> {
    let file = config::file(named.or_else(|| env::var_os(config::VARIABLE)))?;
    let mut variables: Vec<(OsString, OsString)> = env::vars_os().collect();
    variables.sort();
    let from_variable = |name: &str| {
        let mut variables = variables.iter().rev();
        let of_name = |(variable, value): &&(OsString, OsString)| {
            let setting = words::of_variable(&variable.to_string_lossy());
            !value.is_empty() && setting.is_some_and(|setting| setting.name == name)
        };
        let (variable, value) = variables.find(of_name)?;
        let text = |text: &OsString| text.to_string_lossy().into_owned();
        Some((text(value), text(variable)))
    };
    let from_file = |name: &str| {
        let file = file.as_ref()?;
        let entry = file.entries.iter().rfind(|entry| entry.name == name)?;
        let origin = format!("{}:{}", file.path.display(), entry.line);
        Some((entry.value.clone(), origin))
    };
    let mut all: Vec<_> = table::all().filter(|one| one.name != "config").collect();
    all.sort_by_key(|setting| setting.name);
    let origin = |setting: &'static Setting| {
        let found = from_variable(setting.name).or_else(|| from_file(setting.name));
        let (value, origin) = found.unzip();
        Origin {
            setting,
            value,
            origin: origin.unwrap_or_else(|| "default".to_owned()),
        }
    };
    Ok(all.into_iter().map(origin).collect())
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
    // `opt` has a level of its own in `--verify=strict`, and files that one call writes are not for all.
    let added = origins(named(&words))?.into_iter().filter_map(|one| {
        let option = one.setting.long();
        let value = one
            .value
            .filter(|_| has(option) && !is_given(&words, one.setting))?;
        match one.setting.is_switch() {
            true => is_on(&value).then(|| format!("--{option}")),
            false => Some(format!("--{option}={value}")),
        }
    });
    let added: Vec<OsString> = added.map(OsString::from).collect();
    let mut all = words;
    all.splice(place + 1..place + 1, added);
    Ok(all)
}

/// Whether a switch is on. What is neither on nor off is off.
fn is_on(value: &str) -> bool {
    let mut on = false;
    on.read(value).is_ok() && on
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
fn is_given(words: &[OsString], setting: &Setting) -> bool {
    words.iter().any(|word| {
        let word = word.to_string_lossy();
        let option = word.split('=').next().unwrap_or_default();
        let long = option.strip_prefix("--").and_then(table::named);
        let short = match setting.name {
            "j" => word.starts_with("-j"),
            "verbose" => matches!(&*word, "-v" | "-q" | "--quiet"),
            _ => false,
        };
        long.is_some_and(|long| long.name == setting.name) || short
    })
}
