//! `ptxasw run`: execute a kernel on the CPU.

use super::Diagnostic;
use super::exit::Exit;
use super::{files, in_one_line, modules};
use anyhow::{Context, anyhow, bail};
use clap::Args;
use ptxasw_base::kernel_filter::Selection;
use ptxasw_driver::report::execution;
use ptxasw_executor::launch::{self, BufferSpec, Element, LaunchSpec};
use ptxasw_executor::tracer::{self, Filter};
use ptxasw_executor::{
    ExecutionError, Fault, FinalBuffer, Options, Outcome, Races, STEP_LIMIT, Schedule,
};
use ptxasw_ptx::decode::form::{Function, Module};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xxhash_rust::xxh3::xxh3_128;

/// Elements of a buffer that are shown.
const SHOWN: usize = 8;

#[derive(Args)]
pub struct Arguments {
    /// The module; `-` for standard input.
    input: PathBuf,
    /// What to run: a TOML or JSON file, or a line such as `grid=4 block=128 args=f32[512],f32[512]:zero,512`. Each of
    /// several launches begins anew.
    #[arg(long, value_name = "FILE|LINE", required = true)]
    launch: Vec<String>,
    /// The kernel, in place of the launch's own: it must match exactly one.
    #[arg(long, value_name = "GLOB[,!GLOB]", value_delimiter = ',')]
    kernel: Vec<String>,
    /// Which lanes run together, and when: `lockstep`, or `its:SEED` for an adversary.
    #[arg(long, value_name = "SCHEDULE", default_value_t = Schedule::Lockstep)]
    schedule: Schedule,
    /// Most warp instructions of a launch.
    #[arg(long, value_name = "N", default_value_t = STEP_LIMIT)]
    steps: u64,
    /// A member mask that names exited lanes is an error.
    #[arg(long)]
    strict_masks: bool,
    /// Writes each buffer into this folder, by its name or number.
    #[arg(long, value_name = "DIR")]
    dump: Option<PathBuf>,
    /// With `--dump`: as text too, one element per line.
    #[arg(long, requires = "dump")]
    dump_text: bool,
    /// Shows what lanes execute: `block=0,0,0 warp=0 lanes=0-7 lines=10-40`; `block=all`, `warp=all`. Without a
    /// filter, the first warp of the first block.
    #[arg(long, value_name = "FILTER", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    trace: Option<Filter>,
    /// Most lines of the trace of a launch.
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "trace")]
    trace_limit: usize,
    /// Looks for data races: accesses of two threads to the same bytes, one a store, that no barrier, no release with
    /// its acquire, and no scope orders. Any found end the command with code 4; threads that store the same value are
    /// listed and allowed.
    #[arg(long, conflicts_with = "trace")]
    races: bool,
    /// Blocks that run at the same time, in lockstep. The result is the same for any number; `--races` and `--trace`
    /// use one.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,
}

impl Arguments {
    /// The kernel that `--kernel` chooses, if it is there.
    fn kernel_of(&self, module: &Module) -> anyhow::Result<Option<String>> {
        let mut wanted = Selection::default();
        for glob in &self.kernel {
            let added = wanted.add(glob);
            added.with_context(|| format!("`--kernel {glob}`"))?;
        }
        if wanted.is_everything() {
            return Ok(None);
        }
        let kernels = module.functions.iter();
        let kernels = kernels.filter(|one| one.entry && one.defined);
        let names: Vec<&str> = kernels.map(|one| &*one.name).collect();
        modules::check_kernels(&self.input, &wanted, names.iter().copied())?;
        let mut chosen = names.into_iter().filter(|name| wanted.has(name));
        match (chosen.next(), chosen.next()) {
            (Some(name), None) => Ok(Some(name.to_string())),
            (None, _) => bail!("`--kernel {}` leaves no kernel", self.kernel.join(",")),
            (Some(one), Some(other)) => bail!(
                "`--kernel {}` matches several kernels: `{one}`, `{other}`",
                self.kernel.join(",")
            ),
        }
    }
}

/// A module and its text.
struct LoadedModule<'a> {
    arguments: &'a Arguments,
    text: &'a [u8],
    module: &'a Module,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let text = files::read(&arguments.input)?;
    let path = &arguments.input;
    let tree = modules::parse(path, &text, 1)?;
    let module = ptxasw_ptx::decode::decode(&tree)
        .map_err(|errors| files::decode_errors(&errors, path, &text))?;
    let kernel = arguments.kernel_of(&module)?;
    let mut specs = Vec::new();
    for launch in &arguments.launch {
        let read = launch::from_argument(launch);
        specs.extend(read.map_err(|error| Diagnostic(error.to_string()))?);
    }
    let source = LoadedModule {
        arguments,
        text: &text,
        module: &module,
    };
    let several = specs.len() > 1;
    for (number, spec) in specs.iter_mut().enumerate() {
        if kernel.is_some() {
            spec.kernel.clone_from(&kernel);
        }
        let folder = arguments.dump.as_ref().map(|folder| match several {
            true => folder.join(number.to_string()),
            false => folder.clone(),
        });
        if let Err(failure) = source.launch(spec, folder.as_deref()) {
            return failure.report();
        }
    }
    Ok(Exit::Done.into())
}

/// Why a launch has no result.
struct Failure {
    code: u8,
    error: anyhow::Error,
}

impl Failure {
    /// The launch does not fit.
    fn not_run(error: impl std::fmt::Display) -> Self {
        Failure {
            code: Exit::Unknown.code(),
            error: anyhow!("{error}"),
        }
    }

    fn report(self) -> anyhow::Result<ExitCode> {
        if self.code == Exit::Failed.code() {
            return Err(self.error);
        }
        match self.error.downcast_ref::<Diagnostic>() {
            Some(diagnostic) => ptxasw_base::say!("{diagnostic}"),
            None => ptxasw_base::say!("ptxasw: {}", in_one_line(&self.error)),
        }
        Ok(ExitCode::from(self.code))
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Failure {
            code: Exit::Failed.code(),
            error,
        }
    }
}

/// What was seen besides the result.
enum Watched {
    Nothing,
    Trace(String),
    Races(Races),
}

/// Races that make a difference leave no defined result.
fn races_found(races: &Races) -> Result<(), Failure> {
    match races.harmful().count() {
        0 => Ok(()),
        count => Err(Failure {
            code: Exit::Undefined.code(),
            error: anyhow!("pairs of statements with data races: {count}"),
        }),
    }
}

impl LoadedModule<'_> {
    /// Runs one launch and prints what came of it.
    fn launch(&self, spec: &LaunchSpec, dump: Option<&Path>) -> Result<(), Failure> {
        let function = spec.function(self.module).map_err(Failure::not_run)?;
        spec.check(function).map_err(Failure::not_run)?;
        let (result, watched) = self.execute(function, spec)?;
        let path = files::display(&self.arguments.input);
        match &watched {
            Watched::Nothing => {}
            Watched::Trace(trace) => files::write(Path::new("-"), trace.as_bytes())?,
            Watched::Races(races) => self.print_races(races, &path),
        }
        let outcome = result.map_err(|error| self.fault(&error))?;
        for warning in &outcome.warnings {
            let snippet = execution::warning(warning, &path, self.text);
            ptxasw_base::say!("{}", snippet.render());
        }
        let mut out = String::new();
        let _ = writeln!(
            out,
            "kernel {}, grid {}, block {}, {}",
            function.name,
            dimensions(spec.grid),
            dimensions(spec.block),
            self.arguments.schedule
        );
        for (number, (buffer, memory)) in spec.buffers.iter().zip(&outcome.buffers).enumerate() {
            let name = buffer_name(buffer, number);
            describe(&mut out, "buffer", &name, buffer.element, memory);
        }
        for variable in &outcome.variables {
            let element = Element::unsigned(variable.memory.element);
            describe(
                &mut out,
                "variable",
                &variable.name,
                element,
                &variable.memory,
            );
        }
        counts(&mut out, &outcome);
        files::write(Path::new("-"), out.as_bytes())?;
        if let Some(folder) = dump {
            self.dump(folder, spec, &outcome)?;
        }
        match watched {
            Watched::Races(races) => races_found(&races),
            Watched::Nothing | Watched::Trace(_) => Ok(()),
        }
    }

    fn execute(
        &self,
        function: &Function,
        spec: &LaunchSpec,
    ) -> Result<(Result<Outcome, ExecutionError>, Watched), Failure> {
        let launch = spec.instantiate().map_err(Failure::not_run)?;
        let options = Options {
            step_limit: self.arguments.steps,
            strict_masks: self.arguments.strict_masks,
            undefined_results: false,
            jobs: self.arguments.jobs,
        };
        let schedule = self.arguments.schedule;
        if self.arguments.races {
            let (result, races) =
                ptxasw_executor::find_races(self.module, function, &launch, schedule, options);
            return Ok((result, Watched::Races(races)));
        }
        let Some(filter) = &self.arguments.trace else {
            let result =
                ptxasw_executor::run_with(self.module, function, &launch, schedule, options);
            return Ok((result, Watched::Nothing));
        };
        let names = spec.buffers.iter().enumerate();
        let tracing = tracer::Tracing {
            text: self.text,
            buffers: names
                .map(|(i, b)| (b.name.clone().unwrap_or_else(|| format!("#{i}")), b.element))
                .collect(),
            filter: filter.clone(),
            limit: self.arguments.trace_limit,
        };
        let (result, trace) =
            tracer::trace(self.module, function, &launch, schedule, options, tracing);
        Ok((result, Watched::Trace(trace)))
    }

    fn print_races(&self, races: &Races, path: &str) {
        for race in &races.list {
            ptxasw_base::say!("{}", execution::race(race, path, self.text).render());
        }
        if !races.complete {
            ptxasw_base::say!("ptxasw: there may be more races than are listed");
        }
    }

    fn fault(&self, error: &ExecutionError) -> Failure {
        let path = files::display(&self.arguments.input);
        let snippet = execution::error(error, &path, self.text);
        let code = match error.fault {
            Fault::NotSupported(_)
            | Fault::StepLimit(_)
            | Fault::CallDepth(_)
            | Fault::BadLaunch(_) => Exit::Unknown.code(),
            _ => Exit::Undefined.code(),
        };
        Failure {
            code,
            error: Diagnostic(snippet.render()).into(),
        }
    }

    fn dump(&self, folder: &Path, spec: &LaunchSpec, outcome: &Outcome) -> anyhow::Result<()> {
        let context = || format!("cannot create `{}`", folder.display());
        fs::create_dir_all(folder).with_context(context)?;
        for (number, (buffer, memory)) in spec.buffers.iter().zip(&outcome.buffers).enumerate() {
            let name = file_name(buffer, number);
            files::write(&folder.join(format!("{name}.bin")), &memory.bytes)?;
            if self.arguments.dump_text {
                let path = folder.join(format!("{name}.txt"));
                write_elements(&path, buffer.element, memory)
                    .with_context(|| format!("cannot write `{}`", path.display()))?;
            }
        }
        Ok(())
    }
}

fn dimensions([x, y, z]: [u32; 3]) -> String {
    format!("{x},{y},{z}")
}

fn buffer_name(buffer: &BufferSpec, number: usize) -> String {
    buffer.name.clone().unwrap_or_else(|| number.to_string())
}

/// The name of a buffer where it cannot lead out of a folder or be taken for a number, else its number.
fn file_name(buffer: &BufferSpec, number: usize) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let usable = |name: &&String| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.len() <= 64
            && name.chars().all(harmless)
    };
    let name = buffer.name.as_ref().filter(usable);
    name.cloned().unwrap_or_else(|| number.to_string())
}

/// The elements as text, `?` for those with undefined bytes.
fn elements(element: Element, memory: &FinalBuffer) -> impl Iterator<Item = String> {
    let size = usize::from(element.bytes());
    memory
        .bytes
        .chunks_exact(size)
        .enumerate()
        .map(move |(i, chunk)| {
            let marks = memory.undefined.iter().skip(i * size).take(size);
            if marks.into_iter().any(|&mark| mark != 0) {
                return "?".to_owned();
            }
            let mut bits = [0; 8];
            bits[..size].copy_from_slice(chunk);
            element.format(u64::from_le_bytes(bits))
        })
}

/// Writes the elements, one per line. The text of a large buffer is never in memory as a whole.
fn write_elements(path: &Path, element: Element, memory: &FinalBuffer) -> io::Result<()> {
    let mut out = io::BufWriter::new(fs::File::create(path)?);
    for element in elements(element, memory) {
        writeln!(out, "{element}")?;
    }
    out.flush()
}

/// One line: type, count, digest, first elements.
fn describe(out: &mut String, what: &str, name: &str, element: Element, memory: &FinalBuffer) {
    let count = memory.bytes.len() / usize::from(element.bytes());
    let digest = xxh3_128(&memory.bytes);
    let first: Vec<String> = elements(element, memory).take(SHOWN).collect();
    let more = if count > SHOWN { " ..." } else { "" };
    let _ = write!(out, "{what} {name}: {element}[{count}] {digest:032x}");
    let undefined = memory.undefined.iter().filter(|&&mark| mark != 0).count();
    if undefined > 0 {
        let _ = write!(out, " ({undefined} bytes undefined)");
    }
    for element in first {
        let _ = write!(out, " {element}");
    }
    let _ = writeln!(out, "{more}");
}

/// One line: what a warp did.
fn counts(out: &mut String, outcome: &Outcome) {
    let counters = &outcome.counters;
    let _ = write!(out, "per warp, of {}:", counters.warps);
    let counts = [
        ("instructions", counters.instructions),
        ("thread instructions", counters.thread_instructions),
        ("global loads", counters.global_loads),
        ("lanes", counters.global_load_lanes),
        ("sectors", counters.global_load_sectors),
        ("shuffles", counters.shuffles),
        ("votes", counters.votes),
    ];
    for (i, (name, count)) in counts.into_iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(out, "{comma} {:.2} {name}", counters.per_warp(count));
    }
    out.push('\n');
}
