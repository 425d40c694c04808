//! `ptxasw verify --on-gpu`: the same launches on a real device.

use super::files;
use super::gpu::{self, GpuLaunch, Results, Session, Style, Work};
use anyhow::Context;
use ptxasw_base::kernel_filter::Selection;
use ptxasw_executor::launch::{self, Format, LaunchError, LaunchSpec};
use ptxasw_verify::gpu::Program;
use ptxasw_verify::{KernelReport, LaunchReport};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The modules, and the executor's verdict.
pub struct Verified<'a> {
    /// Original and rewritten.
    pub paths: [&'a PathBuf; 2],
    /// Their texts.
    pub texts: [&'a [u8]; 2],
    /// The launches that the user gives.
    pub given: &'a [String],
    /// Kernels to look at; all if none.
    pub kernels: &'a Selection,
    /// What the executor found, by kernel.
    pub reports: &'a [KernelReport],
}

/// Runs the launches of the user, or those that were made up, on the GPU. Made-up ones are small: they are not timed.
///
/// # Errors
/// A launch file cannot be read, or the output not written.
pub fn run(
    session: &mut Session,
    verified: &Verified,
    out: &mut impl Write,
) -> anyhow::Result<Results> {
    let program = |side: usize| {
        let (path, text) = (verified.paths[side], verified.texts[side]);
        gpu::program_of(text.to_vec(), path, files::display(path), true)
    };
    let (original, rewritten) = (program(0)?, program(1)?);
    let launches = match verified.given {
        [] => made_up(verified.reports)?,
        given => users(given, &original, verified)?,
    };
    let work = Work {
        name: files::display(verified.paths[1]),
        original,
        rewritten: vec![rewritten],
        launches,
    };
    Ok(session.run(&[work], Style::Terminal, out)?)
}

/// The launches of the user that are for a wanted kernel and say something about it.
fn users(
    given: &[String],
    original: &Program,
    verified: &Verified,
) -> anyhow::Result<Vec<GpuLaunch>> {
    let mut all = Vec::new();
    for argument in given {
        for launch in gpu::launches(argument)? {
            let context = || format!("`--launch {}`", launch.name);
            let function = launch.spec.function(&original.module);
            let name = &function.with_context(context)?.name;
            let mut reports = verified.reports.iter().flat_map(|report| &report.launches);
            let racy = reports.any(|report| report.launch == launch.name && is_racy(report));
            let wanted = verified.kernels.has(name);
            if wanted && !racy {
                all.push(launch);
            }
        }
    }
    Ok(all)
}

/// The launches that were made up and that the original got through.
fn made_up(reports: &[KernelReport]) -> anyhow::Result<Vec<GpuLaunch>> {
    let mut all = Vec::new();
    for report in reports {
        let ran = report.launches.iter().filter(|launch| launch.equal > 0);
        for launch in ran.filter(|launch| !is_racy(launch)) {
            let spec = parse(&launch.launch);
            let spec = spec.with_context(|| format!("internal error: `{}`", launch.launch))?;
            let name = format!("{}, {}", report.kernel, launch.launch);
            all.push(GpuLaunch {
                name,
                spec: LaunchSpec {
                    kernel: Some(report.kernel.clone()),
                    ..spec
                },
                timed: false,
            });
        }
    }
    Ok(all)
}

/// What the original leaves depends on who is first: a GPU may give either.
fn is_racy(launch: &LaunchReport) -> bool {
    if !launch.racy.is_empty() {
        ptxasw_base::say!(
            "ptxasw: {}: not run on the GPU: the original's result depends on the schedule",
            launch.launch
        );
    }
    !launch.racy.is_empty()
}

/// Reads the text of a made-up launch: a line, or a launch file.
fn parse(text: &str) -> Result<LaunchSpec, LaunchError> {
    if !text.contains('\n') {
        return launch::parse_line(text);
    }
    let specs = launch::parse(text, Format::Toml, Path::new(""))?;
    let none = || LaunchSpec::new([1; 3], [1; 3]);
    Ok(specs.into_iter().next().unwrap_or_else(none))
}
