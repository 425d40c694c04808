//! `ptxasw doctor`: which tools are there, and which of them come to ptxasw.

use super::exit::Exit;
use super::json;
use crate::doctor::{self, Outcome, Report, Tool};
use anyhow::Context;
use clap::Args;
use ptxasw_base::table::{Row, Table, row};
use std::env;
use std::fmt::Write as _;
use std::process::ExitCode;

/// Goes up when a field of what `--json` prints changes its meaning or goes away.
const FORMAT: u32 = 1;

#[derive(Args)]
pub struct Arguments {
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let own = env::current_exe().context("cannot find this program")?;
    let report = doctor::examine(&own).context("cannot make a temporary folder")?;
    match arguments.json {
        true => json::print(FORMAT, &report)?,
        false => ptxasw_base::tell!("{}", table(&report)),
    }
    Ok(match report.is_healthy() {
        true => Exit::Done.into(),
        false => Exit::Failed.into(),
    })
}

fn table(report: &Report) -> String {
    let mut tools = Table::new("  <<<<");
    for tool in &report.tools {
        tools.row(row(tool));
    }
    let mut out = format!("tools\n{tools}");
    if !report.settings.is_empty() {
        out.push_str("\nsettings in the environment, which every build gets\n");
        for setting in &report.settings {
            let _ = writeln!(out, "  {setting}");
        }
    }
    if let Some(error) = &report.settings_error {
        let _ = writeln!(out, "  FAILS  {error}");
    }
    out.push_str("\nintegrations, each with a small kernel and default settings\n");
    let mut integrations = Table::new("  <<<");
    for one in &report.integrations {
        let outcome = match one.outcome {
            Outcome::Ok => "ok",
            Outcome::Fails => "FAILS",
            Outcome::Missing => "missing",
        };
        integrations.row(row!(outcome, one.name, &one.detail));
    }
    out + &integrations.to_string()
}

fn row(tool: &Tool) -> Row {
    let version = match (&tool.version, &tool.path) {
        (Some(version), _) => version,
        (None, Some(_)) => "",
        (None, None) => "missing",
    };
    let place = match &tool.path {
        Some(path) => path.clone(),
        None => format!("to install: {}", tool.install),
    };
    row!(tool.name, version, tool.purpose, place)
}
