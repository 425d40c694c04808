//! Runs on a GPU, for `ptxasw verify --on-gpu` and `ptxasw time`.

use super::exit::Exit;
use super::options::by_name;
use super::{Diagnostic, files, modules};
use clap::Args;
use ptxasw_executor::launch::{self, LaunchSpec};
use ptxasw_verify::gpu::{
    self, Compiler, Counts, Gpu, GpuError, LaunchReport, Options, Program, Verdict,
};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Only a rewritten module fails.
const FAILED: u8 = 4;

/// How modules are run on a GPU.
#[derive(Args)]
pub struct GpuArguments {
    /// Number of the GPU.
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: u32,
    /// Who makes machine code of the PTX.
    #[arg(long, value_parser = by_name::<Compiler>(), default_value = "auto")]
    compiler: Compiler,
    /// Samples of each kernel's time; as many as a few seconds allow if it is not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    samples: Option<u32>,
    /// How long a kernel may run.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// Compares the original's results with the warp executor's as well.
    #[arg(long)]
    executor: bool,
}

impl GpuArguments {
    /// Looks for the GPU.
    ///
    /// # Errors
    /// There is none, or it is not the one that is wanted.
    pub fn open(&self) -> Result<Gpu, GpuError> {
        Gpu::open(self.device)
    }

    /// Samples of each kernel, if the user says how many.
    pub fn samples(&self) -> Option<u32> {
        self.samples
    }

    /// For a launch that is timed with so many samples of each kernel.
    pub fn timed(&self, spec: &LaunchSpec, samples: u32) -> Options {
        let launch = GpuLaunch {
            name: String::new(),
            spec: spec.clone(),
            timed: true,
        };
        let mut options = self.options(&launch);
        options.counts.samples = Some(samples);
        options
    }

    /// For a launch: what it says itself goes before the defaults.
    fn options(&self, launch: &GpuLaunch) -> Options {
        let spec = &launch.spec;
        Options {
            compiler: self.compiler,
            compared: spec.gpu.compare.unwrap_or(true),
            timed: launch.timed,
            counts: Counts {
                warm_up: spec.gpu.warm_up,
                samples: self.samples.or(spec.gpu.launches),
            },
            executor: self.executor,
            limit: Duration::from_secs(self.timeout),
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
    /// The launches.
    pub launches: Vec<GpuLaunch>,
}

/// A launch to run on the GPU.
pub struct GpuLaunch {
    /// What reports call it.
    pub name: String,
    /// What is run.
    pub spec: LaunchSpec,
    /// Whether it is worth timing.
    pub timed: bool,
}

/// What was found, for JSON.
#[derive(Serialize)]
pub struct Results {
    device: gpu::Description,
    launches: Vec<LaunchResult>,
    /// A kernel still runs.
    #[serde(skip)]
    hangs: bool,
}

#[derive(Serialize)]
struct LaunchResult {
    name: String,
    launch: String,
    grid: [u32; 3],
    block: [u32; 3],
    buffer_bytes: u64,
    #[serde(skip)]
    timed: bool,
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
    let tree = modules::parse(path, &text, 1)?;
    let module = ptxasw_ptx::decode::decode(&tree);
    let module = module.map_err(|errors| files::decode_errors(&errors, path, &text))?;
    Ok(Program {
        label,
        text,
        module,
        compared,
    })
}

/// The launches that a user gives by one argument.
///
/// # Errors
/// The file cannot be read, or its text is wrong.
pub fn launches(argument: &str) -> anyhow::Result<Vec<GpuLaunch>> {
    let specs = launch::from_argument(argument).map_err(|error| Diagnostic(error.to_string()))?;
    let several = specs.len() > 1;
    let named = specs
        .into_iter()
        .enumerate()
        .map(|(number, spec)| GpuLaunch {
            name: match several {
                true => format!("{argument}, launch {number}"),
                false => argument.to_owned(),
            },
            spec,
            timed: true,
        });
    Ok(named.collect())
}

/// A GPU, and how it is used.
pub struct Session<'a> {
    gpu: Gpu,
    arguments: &'a GpuArguments,
}

impl<'a> Session<'a> {
    /// Looks for the GPU. Without one there is a line on standard error and the exit code for it.
    pub fn open(arguments: &'a GpuArguments) -> Result<Self, ExitCode> {
        match arguments.open() {
            Ok(gpu) => Ok(Session { gpu, arguments }),
            Err(error) => {
                ptxasw_base::say!("ptxasw: {error}");
                Err(ExitCode::from(Exit::Unknown.code()))
            }
        }
    }

    /// Runs everything, and prints what is found at once.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn run(&mut self, all: &[Work], style: Style, out: &mut impl Write) -> io::Result<Results> {
        let mut results = Results {
            device: self.gpu.description().clone(),
            launches: Vec::new(),
            hangs: false,
        };
        heading(out, &results.device, style)?;
        for work in all {
            for launch in &work.launches {
                let (spec, rewritten) = (&launch.spec, &work.rewritten);
                let options = self.arguments.options(launch);
                let result = gpu::run(&mut self.gpu, &work.original, rewritten, spec, &options);
                results.hangs = result.as_ref().map_or_else(GpuError::hangs, |r| r.hangs);
                let result = LaunchResult::new(&work.name, launch, result);
                result.print(out, &results.device, style)?;
                out.flush()?;
                results.launches.push(result);
                if results.hangs {
                    return Ok(results);
                }
            }
        }
        Ok(results)
    }
}

impl Results {
    /// The worst that was found: a difference, a failure of a rewritten module only, something that could not be run.
    pub fn code(&self) -> u8 {
        let reports = || {
            self.launches
                .iter()
                .filter_map(|launch| launch.report.as_ref())
        };
        let any = |found: fn(&Verdict) -> bool| {
            let subjects = reports().flat_map(|report| &report.rewritten);
            subjects.into_iter().any(|subject| found(&subject.verdict))
        };
        if any(|verdict| matches!(verdict, Verdict::Different(_))) {
            Exit::Failed.code()
        } else if any(|verdict| matches!(verdict, Verdict::Failed(_))) {
            FAILED
        } else if any(|verdict| matches!(verdict, Verdict::NotRun(_))) || reports().next().is_none()
        {
            Exit::Unknown.code()
        } else {
            0
        }
    }

    /// The exit code; where a kernel still runs the process ends here, since the driver would wait for it.
    pub fn exit(&self, code: u8) -> ExitCode {
        match self.hangs {
            true => gpu::exit_now(code),
            false => ExitCode::from(code),
        }
    }
}

fn heading(out: &mut impl Write, device: &gpu::Description, style: Style) -> io::Result<()> {
    match style {
        Style::Terminal => writeln!(out, "{device}"),
        Style::Markdown => write!(out, "{device}.\n\n{}", gpu::markdown("", None)),
    }
}

impl LaunchResult {
    fn new(name: &str, launch: &GpuLaunch, result: Result<LaunchReport, GpuError>) -> LaunchResult {
        let (error, report) = match result {
            Ok(report) => (None, Some(report)),
            Err(error) => (Some(error.to_string()), None),
        };
        let spec = &launch.spec;
        LaunchResult {
            name: name.to_owned(),
            launch: launch.name.clone(),
            grid: spec.grid,
            block: spec.block,
            buffer_bytes: spec.buffer_bytes(),
            timed: launch.timed,
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
            let (name, launch) = (&self.name, &self.launch);
            ptxasw_base::say!("ptxasw: {name}: {launch}: the original: {error}");
        }
        let Some(report) = &self.report else {
            return Ok(());
        };
        if style == Style::Markdown {
            return out.write_all(gpu::markdown(&self.name, Some(report)).as_bytes());
        }
        if !self.timed {
            let results = report
                .rewritten
                .iter()
                .map(|subject| gpu::result(&subject.verdict));
            let results: Vec<String> = results.collect();
            return writeln!(out, "{}: {}", self.launch, results.join(", "));
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
        if report.original.timing.is_some() && self.buffer_bytes < u64::from(device.l2) {
            writeln!(
                out,
                "the buffers fit into the L2 cache: times are those of a warm cache"
            )?;
        }
        out.write_all(gpu::table(report).as_bytes())
    }
}
