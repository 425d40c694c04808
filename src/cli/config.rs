//! `ptxasw config`: what holds, and where it comes from.

use super::{defaults, files};
use crate::dropin::config;
use crate::dropin::settings::{Held, Settings};
use clap::Args;
use serde_json::json;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
    /// The settings file, in place of the nearest `ptxasw.toml` above the working directory; `none` for none.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Prints the settings as JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let named = arguments.config.clone().map(OsString::from);
    let origins = defaults::origins(named).map_err(|error| super::Diagnostic(error.to_string()))?;
    let config = arguments.config.iter().map(|path| {
        let mut word = OsString::from("--ptxasw-config=");
        word.push(path);
        word
    });
    let config: Vec<OsString> = config.collect();
    let (settings, _) = Settings::take(Vec::new(), config::variables(&config)?)?;
    let mut out = String::new();
    if arguments.json {
        let settings = origins.iter().map(|one| {
            let held = match settings.held(one.name) {
                Held::Value(value) => Some(value),
                Held::Words(_) => None,
            };
            let value = one.value.clone().or(held);
            let value = json!({ "value": value, "origin": one.origin });
            (one.name.to_string(), value)
        });
        let settings: serde_json::Map<_, _> = settings.collect();
        out = serde_json::to_string_pretty(&settings)? + "\n";
        return files::write(Path::new("-"), out.as_bytes());
    }
    let rows = origins.iter().map(|one| {
        let value = one.value.clone();
        let value = value.unwrap_or_else(|| settings.held(one.name).text().to_owned());
        (one, value)
    });
    let rows: Vec<_> = rows.collect();
    let names = rows.iter().map(|(one, _)| one.name.len());
    let values = rows.iter().map(|(_, value)| value.chars().count());
    let (name, width) = (names.max().unwrap_or(0), values.max().unwrap_or(0));
    for (one, value) in &rows {
        let _ = writeln!(out, "{:name$}  {value:width$}  {}", one.name, one.origin);
    }
    files::write(Path::new("-"), out.as_bytes())
}
