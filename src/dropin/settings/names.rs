//! The names of settings: as arguments, as variables, as keys of the settings file.

use crate::dropin::tool::Tool;

/// How an argument of ptxasw's begins.
pub(super) const PREFIX: &str = "--ptxasw-";
/// How a variable of ptxasw's begins.
pub(in crate::dropin) const VARIABLE: &str = "PTXASW_";

/// What a setting takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// Nothing, or `0`/`1`.
    Switch,
    /// A value.
    Value,
}

/// Names of arguments; in variables they are in capitals, with `_` for `-`.
const NAMES: &[(&str, Takes)] = &[
    ("assume", Takes::Value),
    ("config", Takes::Value),
    ("cost", Takes::Value),
    ("extract", Takes::Value),
    ("j", Takes::Value),
    ("kernel", Takes::Value),
    ("limit", Takes::Value),
    ("loads", Takes::Value),
    ("max-delta", Takes::Value),
    ("max-instructions", Takes::Value),
    ("max-live", Takes::Value),
    ("max-steps", Takes::Value),
    ("max-terms", Takes::Value),
    ("no-cache", Takes::Switch),
    ("no-register-check", Takes::Switch),
    ("off", Takes::Switch),
    ("passes", Takes::Value),
    ("profit", Takes::Value),
    ("raise-version", Takes::Switch),
    ("remarks", Takes::Value),
    ("save-temps", Takes::Value),
    ("scheme", Takes::Value),
    ("solver-gates", Takes::Value),
    ("solver-limit", Takes::Value),
    ("solver-queries", Takes::Value),
    ("space", Takes::Value),
    ("stats", Takes::Switch),
    ("strict", Takes::Switch),
    ("tuned", Takes::Value),
    ("verbose", Takes::Switch),
    ("verify", Takes::Switch),
];

/// Other names of settings, from earlier versions and of commands.
const ALIASES: &[(&str, &str)] = &[("jobs", "j"), ("kernels", "kernel"), ("wrapping", "scheme")];

/// All names of settings, other names of them among these.
pub(super) fn spellings() -> impl Iterator<Item = &'static str> {
    let names = NAMES.iter().map(|(name, _)| *name);
    names.chain(ALIASES.iter().map(|(alias, _)| *alias))
}

/// A setting by its name or by another name of it.
pub(super) fn by_name(name: &str) -> Option<(&'static str, Takes)> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let name = alias.map_or(name, |(_, name)| name);
    NAMES.iter().find(|(one, _)| *one == name).copied()
}

/// Other variables of the project's: where tools are, and switches of its tests.
pub(super) const OTHER_VARIABLES: &[&str] = &[
    "PTXASW_BITWUZLA",
    "PTXASW_BLESS",
    "PTXASW_CHAIN",
    "PTXASW_CONFIG",
    "PTXASW_CUOBJDUMP",
    "PTXASW_CVC5",
    "PTXASW_LAUNCHES",
    "PTXASW_LAUNCHES_BYTES",
    "PTXASW_LLC",
    "PTXASW_MUTANTS",
    "PTXASW_MUTANTS_SEED",
    "PTXASW_MUTATIONS",
    "PTXASW_NVCC",
    "PTXASW_NVDISASM",
    "PTXASW_NVDISASM_12",
    "PTXASW_NVPTX_AS",
    "PTXASW_PTXAS",
    "PTXASW_RANDOM",
    "PTXASW_RANDOM_SEED",
    "PTXASW_RECORD_DIR",
    "PTXASW_SOAK",
    "PTXASW_STATS_DIR",
    "PTXASW_STATS_MODULES",
    "PTXASW_TOOLCHAIN",
];

/// Settings that change nothing in what is emitted.
const NO_EMISSION: &[&str] = &[
    "config",
    "j",
    "jobs",
    "no-cache",
    "remarks",
    "save-temps",
    "stats",
    "verbose",
];

/// The name of a setting, by that or by another name of it.
pub fn canonical(name: &str) -> Option<&'static str> {
    by_name(name).map(|(name, _)| name)
}

/// The setting that a variable sets.
pub fn name_of_variable(variable: &str) -> Option<&'static str> {
    let is_other = OTHER_VARIABLES.contains(&variable) || !variable.starts_with(VARIABLE);
    canonical(&as_name(variable)).filter(|_| !is_other)
}

/// A variable under the name of its setting that is not an alias; any other one as it is.
pub fn canonical_variable(variable: &str) -> String {
    let name = name_of_variable(variable);
    name.map_or_else(|| variable.to_string(), as_variable)
}

/// Other names of a setting.
pub fn aliases(name: &str) -> impl Iterator<Item = &'static str> {
    let all = ALIASES.iter().filter(move |(_, setting)| *setting == name);
    all.map(|(alias, _)| *alias)
}

/// All settings by name, each with whether it takes a value.
pub fn all() -> impl Iterator<Item = (&'static str, bool)> {
    NAMES
        .iter()
        .map(|&(name, takes)| (name, takes == Takes::Value))
}

/// Names of the settings that change what is emitted, and whether each takes a value.
pub fn emission_settings() -> impl Iterator<Item = (&'static str, bool)> {
    let all = NAMES.iter().filter(|(name, _)| !NO_EMISSION.contains(name));
    all.map(|&(name, takes)| (name, takes == Takes::Value))
}

/// Whether a variable is a setting that changes what is emitted. An unknown one counts: it is an error.
pub fn emission_variable(variable: &str) -> bool {
    let is_other = OTHER_VARIABLES.contains(&variable) && variable != Tool::Ptxas.variable();
    variable.starts_with(VARIABLE) && !is_other && !NO_EMISSION.contains(&&*as_name(variable))
}

/// A variable as the argument of the same meaning.
pub fn as_argument(variable: &str) -> String {
    format!("{PREFIX}{}", as_name(variable))
}

pub(super) fn as_name(variable: &str) -> String {
    let name = variable.strip_prefix(VARIABLE).unwrap_or(variable);
    name.to_lowercase().replace('_', "-")
}

/// A setting as the variable of the same meaning.
pub fn as_variable(name: &str) -> String {
    format!("{VARIABLE}{}", name.to_uppercase().replace('-', "_"))
}
