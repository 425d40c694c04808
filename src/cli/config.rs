//! `ptxasw config`: what holds, and where it comes from.

use super::{defaults, files};
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
    let mut out = String::new();
    if arguments.json {
        let settings = origins.iter().map(|one| {
            let value = json!({ "value": one.value, "origin": one.origin });
            (one.name.to_string(), value)
        });
        let settings: serde_json::Map<_, _> = settings.collect();
        out = serde_json::to_string_pretty(&settings)? + "\n";
        return files::write(Path::new("-"), out.as_bytes());
    }
    let names = origins.iter().map(|one| one.name.len());
    let values = origins.iter().filter_map(|one| one.value.as_ref());
    let (name, value) = (
        names.max().unwrap_or(0),
        values
            .map(|value| value.chars().count())
            .max()
            .unwrap_or(0)
            .max(1),
    );
    for one in &origins {
        let text = one.value.as_deref().unwrap_or("-");
        let _ = writeln!(out, "{:name$}  {text:value$}  {}", one.name, one.origin);
    }
    files::write(Path::new("-"), out.as_bytes())
}
