//! `ptxasw.toml`: the settings of a project, below variables and arguments.
//!
//! The file is searched from the working directory upward; `PTXASW_CONFIG` or `--ptxasw-config` names another one, or none.
//! Its keys are the names of settings. It is read as if its settings were variables that are not set otherwise, so that all
//! that holds for variables (their errors, warnings of stale caches) holds for it, too.

use crate::pipeline::settings::table;
use crate::pipeline::settings::words::{self, BadSetting};
use crate::pipeline::tuned::Entry as TunedEntry;
use ptxasw_base::snippet::{Label, Level, Snippet};
use ptxasw_ptx::ast::Span;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// The name that is searched for.
pub const NAME: &str = "ptxasw.toml";
/// The variable that names a file.
pub const VARIABLE: &str = "PTXASW_CONFIG";
/// The argument of the drop-in that names a file.
const ARGUMENT: &[u8] = b"--ptxasw-config=";
/// The setting that may be given as tables, one for each kernel.
pub const TUNED: &str = "tuned";
/// What such a table says besides: it changes nothing.
pub const FIGURES: &str = "figures";
/// As a file's name: no file is read.
const NONE: &str = "none";

/// A settings file.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its settings, in the order of the text.
    pub entries: Vec<Entry>,
}

/// A setting in a file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The setting's name.
    pub name: &'static str,
    /// Its value as a variable has it.
    pub value: String,
    /// The line, from 1.
    pub line: usize,
}

/// Why a settings file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("cannot read `{path}`: {error}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// Its text is wrong; rendered with the source line.
    #[error("{0}")]
    Text(String),
}

/// The variables of the environment, and the settings of the settings file as variables where those are not set.
///
/// # Errors
/// There is a settings file, and it is wrong.
pub fn variables(words: &[OsString]) -> Result<Vec<(OsString, OsString)>, ConfigError> {
    let mut variables: Vec<(OsString, OsString)> = env::vars_os().collect();
    let Some(file) = file(named(words))? else {
        return Ok(variables);
    };
    for entry in file.entries {
        let variable = OsString::from(words::as_variable(entry.name));
        let is_set = |(name, value): &(OsString, OsString)| {
            let setting = words::of_variable(&name.to_string_lossy());
            !value.is_empty() && setting.is_some_and(|setting| setting.name == entry.name)
        };
        if !variables.iter().any(is_set) {
            variables.retain(|(name, _)| *name != variable);
            variables.push((variable, entry.value.into()));
        }
    }
    Ok(variables)
}

/// Where the settings of some [`variables`] come from, sorted: a variable of the environment, or the settings file.
pub fn origins(variables: Vec<String>) -> Vec<String> {
    let is_there = env::current_dir().is_ok_and(|folder| nearest(&folder).is_some());
    let has_file = env::var_os(VARIABLE).is_some() || is_there;
    let origin = |variable: String| match env::var_os(&variable) {
        None if has_file => NAME.to_owned(),
        _ => variable,
    };
    // The environment has no order; messages should.
    let mut origins: Vec<String> = variables.into_iter().map(origin).collect();
    origins.sort();
    origins.dedup();
    origins
}

/// The file that arguments of the drop-in name, or the environment.
fn named(words: &[OsString]) -> Option<OsString> {
    let mut words = words.iter().rev();
    let argument = words.find_map(|word| word.as_bytes().strip_prefix(ARGUMENT));
    let argument = argument.map(|name| OsStr::from_bytes(name).to_owned());
    argument.or_else(|| env::var_os(VARIABLE))
}

/// The settings file of this name, else the nearest one above the working directory.
///
/// # Errors
/// It cannot be read, or it is wrong.
pub fn file(named: Option<OsString>) -> Result<Option<ConfigFile>, ConfigError> {
    let path = match named {
        Some(name) if name.is_empty() || name == NONE => return Ok(None),
        Some(name) => Some(PathBuf::from(name)),
        None => env::current_dir().ok().and_then(|folder| nearest(&folder)),
    };
    path.map(read).transpose()
}

fn nearest(folder: &Path) -> Option<PathBuf> {
    let files = folder.ancestors().map(|folder| folder.join(NAME));
    files.into_iter().find(|path| path.is_file())
}

fn read(path: PathBuf) -> Result<ConfigFile, ConfigError> {
    let name = path.display().to_string();
    let bytes = fs::read(&path).map_err(|error| ConfigError::Io {
        path: name.clone(),
        error,
    })?;
    let wrong = |wrong: Wrong| ConfigError::Text(wrong.render(&name, &bytes));
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let at = error.valid_up_to();
        wrong(Wrong::new(at..at + 1, "this is not UTF-8"))
    })?;
    let entries = entries(text).map_err(wrong)?;
    Ok(ConfigFile { path, entries })
}

/// What is wrong, and where.
#[derive(Debug)]
struct Wrong {
    place: Range<usize>,
    message: String,
}

impl Wrong {
    fn new(place: Range<usize>, message: impl Into<String>) -> Self {
        Wrong {
            place,
            message: message.into(),
        }
    }

    fn render(&self, name: &str, text: &[u8]) -> String {
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let label = Label {
            span: Span::new(clamp(self.place.start), clamp(self.place.end)),
            text: String::new(),
            primary: true,
        };
        Snippet {
            level: Level::Error,
            title: self.message.clone(),
            path: name.to_owned(),
            text,
            labels: vec![label],
            notes: Vec::new(),
        }
        .render()
    }
}

fn entries(text: &str) -> Result<Vec<Entry>, Wrong> {
    let table = DeTable::parse(text).map_err(|error| {
        let place = error.span().unwrap_or(0..0);
        Wrong::new(place, error.message().to_owned())
    })?;
    let mut entries = Vec::new();
    for (key, value) in table.get_ref() {
        let (given, place) = (key.get_ref(), value.span());
        let known = table::named(given).filter(|setting| setting.name != "config");
        let setting = known.ok_or_else(|| {
            let names = table::names().map(str::to_owned);
            let unknown = BadSetting::unknown(given, "", names);
            Wrong::new(key.span(), unknown.to_string())
        })?;
        let name = setting.name;
        let tables = match value.get_ref() {
            DeValue::Array(list) if name == TUNED => tuned(list)?,
            _ => None,
        };
        let value = tables.or_else(|| plain(value)).ok_or_else(|| {
            let message = format!(
                "`{given}`: expected a text, a number, `true` or `false`, or a list of texts"
            );
            Wrong::new(place.clone(), message)
        })?;
        let checked = setting.check(&value).map_err(BadSetting::value(given));
        checked.map_err(|error| Wrong::new(place, error.to_string()))?;
        let line = text[..key.span().start].matches('\n').count() + 1;
        entries.push(Entry { name, value, line });
    }
    entries.sort_by_key(|entry| entry.line);
    Ok(entries)
}

/// The tables of [`TUNED`] as the text of that setting; none where they are no tables.
fn tuned(list: &[Spanned<DeValue>]) -> Result<Option<String>, Wrong> {
    let mut entries = Vec::new();
    for table in list {
        let DeValue::Table(keys) = table.get_ref() else {
            return Ok(None);
        };
        let mut kernel = None;
        let (mut target, mut words) = (String::new(), String::new());
        for (key, value) in keys {
            match &**key.get_ref() {
                // What was found when it was chosen.
                FIGURES => {}
                "kernel" => kernel = Some(word(key, value, true)?),
                "target" => target = format!("@{}", word(key, value, true)?),
                name => words += &format!(" {name}={}", word(key, value, false)?),
            }
        }
        let kernel = kernel
            .ok_or_else(|| Wrong::new(table.span(), "a kernel is missing: `kernel = \"NAME\"`"))?;
        let entry = format!("{kernel}{target}{words}");
        let read: Result<TunedEntry, _> = entry.parse();
        read.map_err(|error| Wrong::new(table.span(), error.to_string()))?;
        entries.push(entry);
    }
    Ok(Some(entries.join("; ")))
}

/// A value of such a table as one word; `single`: no list.
fn word(key: &Spanned<DeString>, value: &Spanned<DeValue>, single: bool) -> Result<String, Wrong> {
    let name = key.get_ref();
    let fits = !single || matches!(value.get_ref(), DeValue::String(_));
    let text = plain(value).filter(|_| fits).ok_or_else(|| {
        let expected = if single {
            "a text"
        } else {
            "a text, a number or `true`"
        };
        Wrong::new(value.span(), format!("`{name}`: expected {expected}"))
    })?;
    // The name of a kernel as its source has it may have blanks, which make no difference.
    let text = match single {
        true => text.replace(' ', ""),
        false => text,
    };
    let breaks = |letter: char| letter.is_whitespace() || letter == ';';
    match text.is_empty() || text.contains(breaks) {
        true => Err(Wrong::new(
            value.span(),
            format!("`{name}`: expected one word"),
        )),
        false => Ok(text),
    }
}

/// A value as a variable has it: lists by commas.
fn plain(value: &Spanned<DeValue>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Boolean(truth) => Some(if *truth { "1" } else { "0" }.to_owned()),
        DeValue::Array(list) => {
            let items = list.iter().map(|item| match item.get_ref() {
                DeValue::String(text) => Some(text.to_string()),
                _ => None,
            });
            Some(items.collect::<Option<Vec<String>>>()?.join(","))
        }
        _ => None,
    }
}

impl From<ConfigError> for BadSetting {
    fn from(error: ConfigError) -> Self {
        // Whoever shows it says that it is an error.
        let text = error.to_string();
        BadSetting::File(text.strip_prefix("error: ").unwrap_or(&text).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_variables() {
        let text = "# of the project\nprofit = \"always\"\nkernel = [\"a*\", \"!b\"]\nj = 4\nraise-version = true\n";
        let found = entries(text).unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.name, &*one.value, one.line))
            .collect();
        assert_eq!(
            found,
            [
                ("profit", "always", 2),
                ("kernel", "a*,!b", 3),
                ("j", "4", 4),
                ("raise-version", "1", 5)
            ]
        );
    }

    #[test]
    fn tables_for_single_kernels_are_one_setting() {
        let text = "[[tuned]]\nkernel = \"a\"\ntarget = \"sm_90\"\nloads = \"bulk\"\nmax-live = 16\nfigures = { ratio = 1.1 }\n\n[[tuned]]\nkernel = \"b*\"\noff = true\n";
        let found = entries(text).unwrap();
        let found: Vec<_> = found.iter().map(|one| (one.name, &*one.value)).collect();
        assert_eq!(
            found,
            [("tuned", "a@sm_90 loads=bulk max-live=16; b* off=1")]
        );
        let found = entries("tuned = \"a off; b off\"").unwrap();
        assert_eq!(found[0].value, "a off; b off");
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        for (text, place, words) in [
            ("[[tuned]]\nloads = \"bulk\"", 0..9, "a kernel is missing"),
            ("[[tuned]]\nkernel = \"a\"", 0..9, "nothing is chosen"),
            (
                "[[tuned]]\nkernel = \"a\"\nloads = 1.5",
                31..34,
                "expected a text",
            ),
            (
                "[[tuned]]\nkernel = \"a\"\nload = 1",
                0..9,
                "`load` cannot be chosen",
            ),
            ("profti = 1", 0..6, "did you mean `profit`?"),
            ("profit = \"some\"", 9..15, "expected one of auto, always"),
            ("profit = 1.5", 9..12, "expected a text"),
            ("[profit]", 0..8, "expected a text"),
            ("profit", 6..6, ""),
        ] {
            let wrong = entries(text).unwrap_err();
            assert!(wrong.message.contains(words), "{}", wrong.message);
            assert_eq!(wrong.place.start, place.start, "{text}");
        }
    }
}
