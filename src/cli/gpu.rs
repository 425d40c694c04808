//! Runs on a GPU, for `ptxasw verify --gpu` and `ptxasw time`.

use super::files;
use anyhow::Context;
use clap::{Args, ValueEnum};
use ptxasw::ptx;
use ptxasw::verify::gpu::{
    self, Compiler, Counts, Gpu, GpuError, LaunchReport, Options, Program, Verdict,
};
use ptxasw::warp::launch::LaunchSpec;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Different results.
const DIFFERENT: u8 = 1;
/// Nothing could be run.
const NOT_RUN: u8 = 3;
/// Only a rewritten module fails.
const FAILED: u8 = 4;

/// How modules are run on a GPU.
#[derive(Args)]
pub struct GpuArguments {
    /// Number of the GPU.
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: u32,
    /// Who makes machine code of the PTX.
    #[arg(long, value_enum, default_value_t = CompilerChoice::Auto)]
    compiler: CompilerChoice,
    /// Samples of each kernel's time; as many as a few seconds allow if it is not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    samples: Option<u32>,
    /// How long a kernel may run.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    limit: u64,
    /// Compares the original's results with the warp executor's as well.
    #[arg(long)]
    executor: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum CompilerChoice {
    /// The driver, and ptxas where the driver is older than the PTX.
    Auto,
    /// The compiler in the driver.
    Driver,
    /// ptxas -O3 for the GPU's architecture.
    Ptxas,
}

impl GpuArguments {
    /// For a launch: what it says itself goes before the defaults.
    fn options(&self, spec: &LaunchSpec) -> Options {
        Options {
            compiler: match self.compiler {
                CompilerChoice::Auto => Compiler::Auto,
                CompilerChoice::Driver => Compiler::Driver,
                CompilerChoice::Ptxas => Compiler::Ptxas,
            },
            compared: spec.gpu.compare.unwrap_or(true),
            timed: true,
            counts: Counts {
                warm_up: spec.gpu.warm_up,
                samples: self.samples.or(spec.gpu.launches),
            },
            executor: self.executor,
            limit: Duration::from_secs(self.limit),
        }
    }
}

/// Modules and the launches that they are run with.
pub struct Work {
    /// For tables.
    pub name: String,
    /// The original.
    pub original: Program,
    /// What is compared with it.
    pub rewritten: Vec<Program>,
    /// The launches, with their names.
    pub launches: Vec<(String, LaunchSpec)>,
}

/// What was found, for JSON.
#[derive(Serialize)]
pub struct Results {
    device: gpu::Description,
    launches: Vec<LaunchResult>,
}

#[derive(Serialize)]
struct LaunchResult {
    name: String,
    launch: String,
    grid: [u32; 3],
    block: [u32; 3],
    buffer_bytes: u64,
    /// Why the original could not be run.
    error: Option<String>,
    report: Option<LaunchReport>,
}

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A table for each launch.
    Terminal,
    /// One Markdown table.
    Markdown,
}

/// Reads and decodes a module.
pub fn program(path: &Path, label: String) -> anyhow::Result<Program> {
    let text = files::read(path)?;
    program_of(text, path, label, true)
}

/// Decodes a module; `path` is for messages.
pub fn program_of(
    text: Vec<u8>,
    path: &Path,
    label: String,
    compared: bool,
) -> anyhow::Result<Program> {
    let tree = ptx::parse(&text).map_err(|error| files::syntax_error(&error, path, &text))?;
    let module = ptx::decode::decode(&tree);
    let module = module.map_err(|errors| files::decode_errors(&errors, path, &text))?;
    Ok(Program {
        label,
        text,
        module,
        compared,
    })
}

/// Runs everything, prints tables, writes the JSON. The exit code says what was found.
///
/// # Errors
/// The output cannot be written.
pub fn run(
    all: &[Work],
    arguments: &GpuArguments,
    style: Style,
    json: Option<&PathBuf>,
) -> anyhow::Result<ExitCode> {
    let mut gpu = match Gpu::open(arguments.device) {
        Ok(gpu) => gpu,
        Err(error) => {
            eprintln!("ptxasw: {error}");
            return Ok(ExitCode::from(NOT_RUN));
        }
    };
    let mut out = io::stdout().lock();
    let mut results = Results {
        device: gpu.description().clone(),
        launches: Vec::new(),
    };
    heading(&mut out, &results.device, style)?;
    let mut hangs = false;
    'all: for work in all {
        for (launch, spec) in &work.launches {
            let options = arguments.options(spec);
            let result = gpu::run(&mut gpu, &work.original, &work.rewritten, spec, &options);
            hangs = result.as_ref().map_or_else(GpuError::hangs, |r| r.hangs);
            let result = LaunchResult::new(&work.name, launch, spec, result);
            result.print(&mut out, &results.device, style)?;
            out.flush()?;
            results.launches.push(result);
            if hangs {
                break 'all;
            }
        }
    }
    if let Some(path) = json {
        let text = serde_json::to_vec_pretty(&results).context("cannot write JSON")?;
        files::write(path, &text)?;
    }
    let code = code(&results.launches);
    if hangs {
        // The driver would wait for the kernel when the process ends.
        gpu::exit_now(code);
    }
    Ok(ExitCode::from(code))
}

fn heading(out: &mut impl Write, device: &gpu::Description, style: Style) -> io::Result<()> {
    match style {
        Style::Terminal => writeln!(out, "{device}"),
        Style::Markdown => write!(out, "{device}.\n\n{}", gpu::markdown("", None)),
    }
}

impl LaunchResult {
    fn new(
        name: &str,
        launch: &str,
        spec: &LaunchSpec,
        result: Result<LaunchReport, GpuError>,
    ) -> LaunchResult {
        let (error, report) = match result {
            Ok(report) => (None, Some(report)),
            Err(error) => (Some(error.to_string()), None),
        };
        LaunchResult {
            name: name.to_owned(),
            launch: launch.to_owned(),
            grid: spec.grid,
            block: spec.block,
            buffer_bytes: spec.buffer_bytes(),
            error,
            report,
        }
    }

    fn print(
        &self,
        out: &mut impl Write,
        device: &gpu::Description,
        style: Style,
    ) -> io::Result<()> {
        if let Some(error) = &self.error {
            eprintln!(
                "ptxasw: {}: {}: the original: {error}",
                self.name, self.launch
            );
        }
        if style == Style::Markdown {
            return match &self.report {
                Some(report) => out.write_all(gpu::markdown(&self.name, Some(report)).as_bytes()),
                None => Ok(()),
            };
        }
        let extent = |[x, y, z]: [u32; 3]| format!("{x}x{y}x{z}");
        writeln!(
            out,
            "\n{}: {}: grid {}, block {}, buffers {}",
            self.name,
            self.launch,
            extent(self.grid),
            extent(self.block),
            gpu::size(self.buffer_bytes)
        )?;
        let Some(report) = &self.report else {
            return Ok(());
        };
        if report.original.timing.is_some() && self.buffer_bytes < u64::from(device.l2) {
            writeln!(
                out,
                "the buffers fit into the L2 cache: times are those of a warm cache"
            )?;
        }
        out.write_all(gpu::table(report).as_bytes())
    }
}

/// The worst that was found: a difference, a failure of a rewritten module only, something that could not be run.
fn code(launches: &[LaunchResult]) -> u8 {
    let reports = || launches.iter().filter_map(|launch| launch.report.as_ref());
    let any = |found: fn(&Verdict) -> bool| {
        reports().any(|report| {
            report
                .rewritten
                .iter()
                .any(|subject| found(&subject.verdict))
        })
    };
    if any(|verdict| matches!(verdict, Verdict::Different(_))) {
        DIFFERENT
    } else if any(|verdict| matches!(verdict, Verdict::Failed(_))) {
        FAILED
    } else if any(|verdict| matches!(verdict, Verdict::NotRun(_))) || reports().next().is_none() {
        NOT_RUN
    } else {
        0
    }
}
