//! `ptxasw doctor`: which tools are there, and which of them come to ptxasw.

use super::exit::Exit;
use super::json;
use crate::doctor::{self, Outcome, Report, Tool};
use anyhow::Context;
use clap::Args;
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
    let mut out = String::from("tools\n");
    for tool in &report.tools {
        line(&mut out, &row(tool));
    }
    if !report.settings.is_empty() {
        out.push_str("\nsettings in the environment, which every build gets\n");
        for setting in &report.settings {
            line(&mut out, setting);
        }
    }
    if let Some(error) = &report.settings_error {
        line(&mut out, &format!("FAILS    {error}"));
    }
    out.push_str("\nintegrations, each with a small kernel and default settings\n");
    for one in &report.integrations {
        let outcome = match one.outcome {
            Outcome::Ok => "ok",
            Outcome::Fails => "FAILS",
            Outcome::Missing => "missing",
        };
        line(
            &mut out,
            &format!("{outcome:<8} {:<31} {}", one.name, one.detail),
        );
    }
    out
}

fn row(tool: &Tool) -> String {
    let version = match (&tool.version, &tool.path) {
        (Some(version), _) => version,
        (None, Some(_)) => "",
        (None, None) => "missing",
    };
    let place = match &tool.path {
        Some(path) => path.clone(),
        None => format!("to install: {}", tool.install),
    };
    let (name, purpose) = (tool.name, tool.purpose);
    format!("{name:<18} {version:<18} {purpose:<41} {place}")
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "  {}", text.trim_end());
}
