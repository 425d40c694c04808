//! `ptxasw stats`: the figures of a whole build.

use super::{files, json};
use anyhow::{Context, ensure};
use clap::Args;
use ptxasw_driver::report::stats::Figures;
use std::fs;
use std::path::{Path, PathBuf};

/// Goes up when a field of what `--json` prints changes its meaning or goes away.
const FORMAT: u32 = 1;

#[derive(Args)]
pub struct Arguments {
    /// The folder that `PTXASW_STATS_DIR` named during the build.
    folder: PathBuf,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let figures = sum(&arguments.folder)?;
    let folder = files::display(&arguments.folder);
    ensure!(figures.modules > 0, "`{folder}` {NONE}");
    match arguments.json {
        true => json::print(FORMAT, &figures),
        false => files::print(&figures.table().to_string()),
    }
}

/// What is wrong with a folder without any.
pub const NONE: &str =
    "holds no figures: a build leaves them in the folder that `PTXASW_STATS_DIR` names";

/// The sum of all figures in a folder; zeros if it holds none.
pub fn sum(folder: &Path) -> anyhow::Result<Figures> {
    let context = || format!("cannot read `{}`", folder.display());
    let mut figures = Figures::default();
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.extension().is_some_and(|name| name == "json") {
            paths.push(path);
        }
    }
    // Sums of floating-point numbers depend on the order.
    paths.sort();
    for path in paths {
        let bytes = files::read(&path)?;
        let one: Figures = serde_json::from_slice(&bytes)
            .with_context(|| format!("`{}` holds no figures", path.display()))?;
        figures.add(&one);
    }
    Ok(figures)
}
