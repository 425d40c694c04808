//! Settings as `--ptxasw-NAME[=VALUE]` among the assembler's arguments, or as `PTXASW_NAME` in the environment.
//!
//! Arguments win over variables. They are better, too: a compiler cache sees them. A bundle reads only variables that
//! change nothing in what is emitted.

use crate::pipeline::record;
use crate::pipeline::settings::Settings;
use crate::pipeline::settings::table::{self, Effect, Setting};
use crate::pipeline::settings::value::{BadValue, Value};
use ptxasw_base::named::{nearest, suggestion};
use std::ffi::OsString;
use std::mem;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// How an argument of ptxasw's begins.
const PREFIX: &str = "--ptxasw-";
/// How a variable of ptxasw's begins.
pub const VARIABLE: &str = "PTXASW_";

/// Variables that say where tools are: no choices, but facts of a machine.
pub const TOOLS: &[&str] = &[
    "PTXASW_BITWUZLA",
    "PTXASW_CUOBJDUMP",
    "PTXASW_CVC5",
    "PTXASW_LLC",
    "PTXASW_NVCC",
    "PTXASW_NVDISASM",
    "PTXASW_NVDISASM_12",
    "PTXASW_NVPTX_AS",
    "PTXASW_PTXAS",
    "PTXASW_TOOLCHAIN",
];

/// Other variables that are no settings: files and folders, and switches of the project's tests.
const OTHERS: &[&str] = &[
    "PTXASW_BLESS",
    "PTXASW_CHAIN",
    "PTXASW_CONFIG",
    "PTXASW_LAUNCHES",
    "PTXASW_LAUNCHES_BYTES",
    "PTXASW_MUTANTS",
    "PTXASW_MUTANTS_SEED",
    "PTXASW_MUTATIONS",
    "PTXASW_RANDOM",
    "PTXASW_RANDOM_SEED",
    "PTXASW_RECORD_DIR",
    "PTXASW_SOAK",
    "PTXASW_STATS_DIR",
    "PTXASW_STATS_MODULES",
];

/// A choice that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadSetting {
    /// No such name.
    #[error("unknown option `{name}`{}", suggestion(.similar.as_ref()))]
    Unknown {
        /// As it was given.
        name: String,
        /// The nearest name, if one is near.
        similar: Option<String>,
    },
    /// A settings file that is wrong.
    #[error("{0}")]
    File(String),
    /// A value that does not fit.
    #[error("`{name}`: {reason}")]
    Value {
        /// As it was given.
        name: String,
        /// What is wrong.
        reason: BadValue,
    },
    /// An argument without its value.
    #[error("`{0}`: expected a value: `{0}=...`")]
    NoValue(String),
}

impl BadSetting {
    /// That a value does not fit; `given` is the name as the user wrote it.
    pub fn value(given: &str) -> impl FnOnce(BadValue) -> Self {
        let name = given.to_owned();
        |reason| BadSetting::Value { name, reason }
    }

    /// That no setting has this name. What all names of a kind begin with makes none of them similar.
    pub fn unknown(given: &str, prefix: &str, names: impl IntoIterator<Item = String>) -> Self {
        let own = given.strip_prefix(prefix).unwrap_or(given);
        BadSetting::Unknown {
            name: given.to_owned(),
            similar: nearest(own, names).map(|name| format!("{prefix}{name}")),
        }
    }
}

impl Settings {
    /// Reads the variables and takes our arguments out of a list; what is left is the assembler's.
    ///
    /// # Errors
    /// An unknown name or a value that does not fit.
    pub fn take(
        words: Vec<OsString>,
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<(Self, Vec<OsString>), BadSetting> {
        let mut settings = Settings::default();
        let variables = variables.into_iter();
        let variables = variables.filter(|(name, value)| {
            name.as_bytes().starts_with(VARIABLE.as_bytes()) && !value.is_empty()
        });
        let mut variables: Vec<_> = variables
            .map(|(name, value)| (lossy(&name), lossy(&value)))
            .collect();
        // The environment has no order; errors should.
        variables.sort();
        for (name, value) in &variables {
            settings.anew(|settings| settings.variable(name, value))?;
        }
        let (own, rest): (Vec<_>, Vec<_>) = words.into_iter().partition(is_own);
        settings.anew(|settings| {
            let mut own = own.iter();
            own.try_for_each(|word| settings.argument(&lossy(word)))
        })?;
        Ok((settings, rest))
    }

    /// Reads more. Where kernels are among it, these alone count.
    fn anew(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<(), BadSetting>,
    ) -> Result<(), BadSetting> {
        let before = mem::take(&mut self.options.kernels);
        read(self)?;
        if self.options.kernels.is_everything() {
            self.options.kernels = before;
        }
        Ok(())
    }

    fn variable(&mut self, variable: &str, value: &str) -> Result<(), BadSetting> {
        let bad = BadSetting::value(variable);
        match variable {
            record::VARIABLE => self.record_dir = Some(PathBuf::from(value)),
            "PTXASW_STATS_DIR" => self.stats_dir = Some(PathBuf::from(value)),
            "PTXASW_STATS_MODULES" => self.stats_modules.read(value).map_err(bad)?,
            _ if is_other(variable) => {}
            _ => {
                let setting = table::named(&as_name(variable)).ok_or_else(|| {
                    let others = TOOLS.iter().chain(OTHERS).map(|name| (*name).to_owned());
                    let all = table::names().map(as_variable).chain(others);
                    let all = all.map(|name| name[VARIABLE.len()..].to_owned());
                    BadSetting::unknown(variable, VARIABLE, all)
                })?;
                setting.read(self, value).map_err(bad)?;
            }
        }
        Ok(())
    }

    fn argument(&mut self, word: &str) -> Result<(), BadSetting> {
        let (given, value) = match word.split_once('=') {
            Some((given, value)) => (given, Some(value)),
            None => (word, None),
        };
        let setting = table::named(&given[PREFIX.len()..])
            .ok_or_else(|| BadSetting::unknown(given, PREFIX, table::names().map(str::to_owned)))?;
        self.give(setting, given, value)
    }

    /// Sets a setting; `given` is its name as the user wrote it.
    ///
    /// # Errors
    /// There is no value, or it does not fit.
    pub fn give(
        &mut self,
        setting: &Setting,
        given: &str,
        value: Option<&str>,
    ) -> Result<(), BadSetting> {
        let value = match setting.is_switch() {
            true => value.or(Some("1")),
            false => value.filter(|value| !value.is_empty()),
        };
        let value = value.ok_or_else(|| BadSetting::NoValue(given.to_owned()))?;
        setting.read(self, value).map_err(BadSetting::value(given))
    }
}

/// An argument list without the settings in it, right or wrong.
pub fn without_own(words: Vec<OsString>) -> Vec<OsString> {
    words.into_iter().filter(|word| !is_own(word)).collect()
}

/// Whether an argument is a setting, right or wrong.
pub fn is_own(word: &OsString) -> bool {
    word.as_bytes().starts_with(PREFIX.as_bytes())
}

fn lossy(text: &OsString) -> String {
    text.to_string_lossy().into_owned()
}

fn is_other(variable: &str) -> bool {
    TOOLS.contains(&variable) || OTHERS.contains(&variable)
}

/// The setting that a variable sets.
pub fn of_variable(variable: &str) -> Option<&'static Setting> {
    let is_setting = variable.starts_with(VARIABLE) && !is_other(variable);
    table::named(&as_name(variable)).filter(|_| is_setting)
}

/// A variable under the name of its setting that is not an alias; any other one as it is.
pub fn canonical_variable(variable: &str) -> String {
    let setting = of_variable(variable);
    setting.map_or_else(|| variable.to_owned(), |setting| as_variable(setting.name))
}

/// Whether a variable changes what is emitted. An unknown one counts: it is an error.
pub fn emission_variable(variable: &str) -> bool {
    let is_emission = match of_variable(variable) {
        Some(setting) => setting.effect != Effect::Call,
        None => !is_other(variable) || variable == "PTXASW_PTXAS",
    };
    variable.starts_with(VARIABLE) && is_emission
}

/// A variable as the argument of the same meaning.
pub fn as_argument(variable: &str) -> String {
    format!("{PREFIX}{}", as_name(variable))
}

fn as_name(variable: &str) -> String {
    let name = variable.strip_prefix(VARIABLE).unwrap_or(variable);
    name.to_lowercase().replace('_', "-")
}

/// A setting as the variable of the same meaning.
pub fn as_variable(name: &str) -> String {
    format!("{VARIABLE}{}", name.to_uppercase().replace('-', "_"))
}
