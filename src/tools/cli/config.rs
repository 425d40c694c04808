//! `ptxasw config`: what holds, and where it comes from.

use super::{defaults, files, json};
use clap::Args;
use ptxasw_base::table::{Table, row};
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::pipeline::settings::config;
use ptxasw_driver::pipeline::settings::table::Setting;
use serde_json::{Map, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Goes up when a field of what `--json` prints changes its meaning or goes away.
const FORMAT: u32 = 1;

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
    let held = settings.held();
    let held = |setting: &Setting| {
        let held = held.iter().find(|(one, _)| one.name == setting.name);
        held.and_then(|(_, text)| text.clone())
    };
    let rows = origins.into_iter().map(|one| {
        let value = one.value.or_else(|| held(one.setting));
        (one.setting, value, one.origin)
    });
    if arguments.json {
        let settings = rows.map(|(setting, value, origin)| {
            let value = json!({ "value": value, "origin": origin });
            (setting.name.to_owned(), value)
        });
        let settings: Map<_, _> = settings.collect();
        return json::print(FORMAT, &json!({ "settings": settings }));
    }
    let mut table = Table::new("<<<");
    for (setting, value, origin) in rows {
        let value = value.as_deref().unwrap_or(setting.none);
        table.row(row!(setting.name, value, origin));
    }
    files::write(Path::new("-"), table.to_string().as_bytes())
}
