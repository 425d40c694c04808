//! `ptxasw cost`: what kernels cost, without a GPU.

mod breakdown;
#[cfg(test)]
mod schema;

use super::exit::Exit;
use super::{files, json, launches, modules, targets};
use crate::json::Kernels;
use anyhow::{Context, bail};
use clap::Args;
use ptxasw_base::names;
use ptxasw_executor::launch::LaunchSpec;
use ptxasw_machine::cache;
use ptxasw_machine::cost::estimate::{Estimate, Kernel};
use ptxasw_machine::cost::operation::Cause;
use ptxasw_machine::cost::sass::{self, KernelCode};
use ptxasw_machine::cost::source::PredictedModule;
use ptxasw_machine::cost::trace::Work;
use ptxasw_machine::toolchain::Arch;
use ptxasw_ptx::decode::{self, form};
use ptxasw_verify::{Given, MADE_UP_STEPS, Size};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What an ELF file begins with.
const ELF: &[u8] = b"\x7fELF";
/// Waits below this share are not named.
const NAMED: f64 = 0.03;

/// Goes up when a field of what `--json` prints changes its meaning or goes away.
const FORMAT: u32 = 1;

#[derive(Args)]
pub struct Arguments {
    /// The module, PTX or a cubin; of a cubin alone no cycles can be predicted. `-` for standard input.
    input: PathBuf,
    /// Another version of the module: shows the ratio of the times, above 1 where FILE is the faster one.
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    #[command(flatten)]
    launches: launches::LaunchArguments,
    /// For which GPUs; without it for the module's own target, or that nearest to it of which there are figures.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    arch: Vec<Arch>,
    /// Runs `ptxas` even where the cache in `~/.cache/ptxasw` has what it makes.
    #[arg(long, hide_short_help = true)]
    no_cache: bool,
    /// Prints what warps wait for in the original, without the loads that shuffles would cover, with shuffles but without the loads of
    /// corner lanes, and rewritten by the paper's scheme.
    #[arg(long, conflicts_with = "against")]
    breakdown: bool,
    /// Prints the estimates as JSON.
    #[arg(long)]
    json: bool,
}

/// What is printed of a kernel.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Row {
    /// Its mangled name.
    kernel: String,
    /// The GPU: `sm_90`.
    arch: String,
    /// Times that a warp waits for memory, every loop taken once: on the path that is executed, where that is known.
    rounds: Option<u32>,
    /// The other module's.
    against_rounds: Option<u32>,
    /// Of a thread.
    registers: u32,
    /// Warps that registers leave room for.
    room: u32,
    /// The launch is made up, as none is written down that fits.
    made_up: bool,
    /// How large it is then.
    #[cfg_attr(test, schemars(with = "Option<schema::Size>"))]
    size: Option<Size>,
    #[cfg_attr(test, schemars(with = "Option<schema::Estimate>"))]
    estimate: Option<Estimate>,
    /// The other module's.
    #[cfg_attr(test, schemars(with = "Option<schema::Estimate>"))]
    against: Option<Estimate>,
    /// Why there is no estimate, or no ratio.
    no_prediction: Option<String>,
    /// This module's time by that of the other one: the point, the least, the largest.
    ratio: Option<[f64; 3]>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    cache::switch(!arguments.no_cache);
    let text = files::read(&arguments.input)?;
    if arguments.breakdown {
        return broken_down(&text, arguments);
    }
    let rows = match text.starts_with(ELF) {
        true => of_cubin(&text, arguments)?,
        false => of_module(&text, arguments)?,
    };
    let known = rows.iter().any(|row| row.no_prediction.is_none());
    match arguments.json {
        true => json::print(FORMAT, &Kernels { kernels: &rows })?,
        false => files::print(&rows.iter().map(shown).collect::<String>())?,
    }
    Ok(match known || rows.is_empty() {
        true => Exit::Done.into(),
        false => Exit::Unknown.into(),
    })
}

fn broken_down(text: &[u8], arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if text.starts_with(ELF) {
        bail!("`--breakdown` rewrites a PTX module: a cubin cannot be rewritten");
    }
    let source = read_source(&arguments.input, text)?;
    let rows = breakdown::rows(&source, text, arguments)?;
    match arguments.json {
        true => json::print(FORMAT, &breakdown::Variants { variants: &rows })?,
        false => files::print(&breakdown::table(&rows))?,
    }
    Ok(
        match rows.is_empty() || rows.iter().any(breakdown::Row::is_known) {
            true => Exit::Done.into(),
            false => Exit::Unknown.into(),
        },
    )
}

/// Of a cubin alone: what its path says.
fn of_cubin(bytes: &[u8], arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    if arguments.against.is_some() {
        bail!("`--against` compares PTX modules: a cubin cannot be executed");
    }
    let kernels = sass::kernels(bytes);
    let kernels = kernels.with_context(|| format!("`{}`", files::display(&arguments.input)))?;
    if kernels.is_empty() {
        bail!("the cubin has no kernel");
    }
    let rows = kernels.iter().map(|code| {
        let mut row = row(code, format!("sm_{}", code.target));
        let reason = match &code.instructions {
            Err(refusal) => refusal.to_string(),
            Ok(_) => "no PTX to execute".to_owned(),
        };
        row.no_prediction = Some(reason);
        row
    });
    Ok(rows.collect())
}

fn row(code: &KernelCode, arch: String) -> Row {
    Row {
        kernel: code.name.clone(),
        arch,
        rounds: code.path_counts().ok().map(|counts| counts.total.rounds),
        against_rounds: None,
        registers: code.registers,
        room: code.resident_warps(),
        made_up: false,
        size: None,
        estimate: None,
        against: None,
        no_prediction: None,
        ratio: None,
    }
}

/// Reads a module that can be executed.
fn read_source<'a>(path: &Path, text: &'a [u8]) -> anyhow::Result<PredictedModule<'a>> {
    let tree = modules::parse(path, text, 1)?;
    let form = decode::decode(&tree);
    let form = form.map_err(|errors| files::decode_errors(&errors, path, text))?;
    Ok(PredictedModule::new(text, form))
}

fn of_module(text: &[u8], arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    let (archs, text) = targets::estimated(&arguments.arch, text);
    let text = &*text;
    let source = read_source(&arguments.input, text)?;
    let other_text = match &arguments.against {
        Some(path) => Some((
            path,
            targets::estimated(&arguments.arch, &files::read(path)?)
                .1
                .into_owned(),
        )),
        None => None,
    };
    let other = match &other_text {
        Some((path, text)) => Some(read_source(path, text)?),
        None => None,
    };
    let given = arguments.launches.given(text)?;
    let mut rows = Vec::new();
    for arch in archs {
        let codes = source.codes(arch);
        let others = other.as_ref().map(|other| {
            let codes = other.codes(arch);
            (
                other,
                codes.map_err(|why| format!("the other module: {why}")),
            )
        });
        for function in source.kernels() {
            let mut found = Row {
                kernel: function.name.to_string(),
                arch: arch.to_string(),
                rounds: None,
                against_rounds: None,
                registers: 0,
                room: 0,
                made_up: false,
                size: None,
                estimate: None,
                against: None,
                no_prediction: None,
                ratio: None,
            };
            let code = match &codes {
                Ok(codes) => codes.iter().find(|code| *code.name == *function.name),
                Err(reason) => {
                    found.no_prediction = Some(reason.clone());
                    rows.push(found);
                    continue;
                }
            };
            let Some(code) = code else {
                continue;
            };
            let works = works(function, &given, &source, arguments.launches.steps);
            for work in works {
                let mut found = row(code, arch.to_string());
                match work {
                    Err(reason) => found.no_prediction = Some(reason),
                    Ok((work, size)) => {
                        (found.made_up, found.size) = (size.is_some(), size);
                        let steps = match size {
                            Some(_) => arguments.launches.steps.min(MADE_UP_STEPS),
                            None => arguments.launches.steps,
                        };
                        predict(&mut found, code, &source, others.as_ref(), &work, steps);
                    }
                }
                rows.push(found);
            }
        }
    }
    Ok(rows)
}

fn predict(
    row: &mut Row,
    code: &KernelCode,
    source: &PredictedModule,
    others: Option<&(&PredictedModule, Result<Vec<KernelCode>, String>)>,
    work: &Work,
    steps: u64,
) {
    let kernel = match source.prediction(code, work, steps) {
        Ok(kernel) => kernel,
        Err(reason) => {
            row.no_prediction = Some(reason);
            return;
        }
    };
    row.estimate = Some(kernel.estimate());
    let rounds = |kernel: &Kernel| kernel.executed().and_then(|executed| executed.rounds);
    row.rounds = rounds(&kernel).or(row.rounds);
    let Some((other, codes)) = others else { return };
    let ratio = codes.as_ref().map_err(Clone::clone).and_then(|codes| {
        let code = codes.iter().find(|one| one.name == code.name);
        let code = code.ok_or("the other module has no such kernel")?;
        let other = other.prediction(code, work, steps)?;
        Ok((other.estimate(), rounds(&other), kernel.ratio(&other)))
    });
    match ratio {
        Ok((estimate, rounds, ratio)) => {
            row.against = Some(estimate);
            row.against_rounds = rounds;
            row.ratio = Some(ratio);
        }
        Err(reason) => row.no_prediction = Some(reason),
    }
}

/// What a kernel is executed with: the launch that is written down, else one that fills the GPU and one that leaves its threads waiting,
/// each with its size.
fn works(
    function: &form::Function,
    given: &Given,
    source: &PredictedModule,
    steps: u64,
) -> Vec<Result<(Work, Option<Size>), String>> {
    let mut specs = Vec::new();
    let mut works = Vec::new();
    for size in [Size::Full, Size::Few] {
        let launched = spec(function, given, source, steps, size);
        let (spec, made_up) = match launched {
            Ok(found) => found,
            Err(reason) => {
                works.push(Err(reason));
                break;
            }
        };
        if specs.contains(&spec) {
            break;
        }
        let work = Work::of_spec(&spec).map_err(|error| error.to_string());
        works.push(work.map(|work| (work, made_up.then_some(size))));
        specs.push(spec);
    }
    works
}

/// A launch of a kernel, and whether it is made up.
fn spec(
    function: &form::Function,
    given: &Given,
    source: &PredictedModule,
    steps: u64,
    size: Size,
) -> Result<(LaunchSpec, bool), String> {
    let kernel = ptxasw_verify::Kernel {
        text: source.text,
        module: &source.form,
        function,
    };
    given.launch(kernel, steps, size)
}

/// One line.
fn shown(row: &Row) -> String {
    let mut out = format!("{} ({}): ", names::shown(&row.kernel), row.arch);
    if let Some(estimate) = &row.estimate {
        let _ = write!(
            out,
            "{:.0} cycles of a warp, {:.1} µs; ",
            estimate.cycles, estimate.time
        );
        let mut shares: Vec<(f64, Cause)> = estimate.shares.into_iter().zip(Cause::ALL).collect();
        shares.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (share, cause) in shares.into_iter().filter(|&(share, _)| share >= NAMED) {
            let _ = write!(out, "{} {:.0} %, ", cause.name(), share * 100.0);
        }
        let limiter = estimate.limiter.name();
        let _ = write!(
            out,
            "bound by {limiter}; {:.0} instructions, {} warps at a time; ",
            estimate.instructions, estimate.warps
        );
        if estimate.launch > estimate.time / 2.0 {
            let _ = write!(out, "{:.1} µs are the launch itself; ", estimate.launch);
        }
    }
    if let (Some(size), true) = (row.size, row.estimate.is_some()) {
        let _ = write!(out, "in a launch that is made up {}; ", size.name());
    }
    if let Some(rounds) = row.rounds {
        let other = row.against_rounds.filter(|&other| other != rounds);
        let other = other.map_or_else(String::new, |other| format!(" -> {other}"));
        let noun = if rounds == 1 && other.is_empty() {
            "round"
        } else {
            "rounds"
        };
        let _ = write!(out, "{rounds}{other} load {noun}, ");
    }
    if row.registers > 0 {
        let _ = write!(
            out,
            "{} registers, room for {} warps",
            row.registers, row.room
        );
    }
    if let Some([point, least, largest]) = row.ratio {
        let _ = write!(out, "; ratio {point:.2} ({least:.2} to {largest:.2})");
    }
    if let Some(reason) = &row.no_prediction {
        let what = if row.estimate.is_some() {
            "ratio"
        } else {
            "prediction of cycles"
        };
        let separator = if out.ends_with(": ") { "" } else { "; " };
        let _ = write!(out, "{separator}no {what}: {reason}");
    }
    out.push('\n');
    out
}
