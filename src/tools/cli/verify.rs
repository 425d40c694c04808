//! `ptxasw verify`: run two modules and compare what they leave in memory.

use super::exit::Exit;
use super::files;
use super::gpu::{GpuArguments, Session};
use super::verify_gpu::{self, Verified};
use super::{Diagnostic, json, launches, modules};
use anyhow::Context;
use clap::Args;
use ptxasw_base::kernel_filter::Selection;
use ptxasw_base::progress::Progress;
use ptxasw_base::snippet::{Label, Level, Snippet};
use ptxasw_driver::report::verify::{self, Subject, text};
use ptxasw_executor::Schedule;
use ptxasw_executor::launch::LaunchSpec;
use ptxasw_ptx::decode::form;
use ptxasw_verify::{KernelReport, Mismatch, Module, Options, Tally, Verdict, gpu};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The text below the options in the help.
const EXIT_CODES: &str = "\
Exit codes: 0 all kernels are equal, each in at least half of its launches or in some that reach all there is; 1 one differs; 3 nothing can be said about
one (the rewritten module lacks it, the original fails in a given launch or in most made-up ones, an instruction that is
not supported, a data race in the original, too few `--steps`); 4 one has undefined behaviour that the original has not. A command that could not even start
(unreadable input, wrong options, a `--kernel` that matches nothing) exits with 1 or 2 as well, prints no report on standard output and a message with
`error` on standard error.";

/// Goes up when a field of what `--json` prints changes its meaning or goes away.
const FORMAT: u32 = 1;

#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    /// The module to trust; `-` for standard input.
    original: PathBuf,
    /// The module to check.
    rewritten: PathBuf,
    #[command(flatten)]
    how: How,
    /// Only kernels whose name matches; with `!` in front: none of these.
    #[arg(long, value_name = "GLOB[,!GLOB]", value_delimiter = ',')]
    kernel: Vec<String>,
    /// Runs the launches on an NVIDIA GPU as well, compares the results there, and times both modules with the launches of
    /// `--launch`. Launches that are too large for the CPU run on the GPU only.
    #[arg(long, alias = "gpu")]
    on_gpu: bool,
    #[command(flatten, next_help_heading = "On a GPU")]
    on: GpuArguments,
    /// Prints the report as JSON.
    #[arg(long, help_heading = "Reports")]
    json: bool,
    /// Shows every launch.
    #[arg(short, long, help_heading = "Reports")]
    verbose: bool,
    /// No notes and no progress bar.
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Reports")]
    quiet: bool,
    /// Threads; 0 for as many as there are processors. The report is the same on any number.
    #[arg(
        short,
        long,
        value_name = "N",
        default_value_t = 0,
        help_heading = "Limits"
    )]
    jobs: usize,
}

/// With which launches and schedules kernels are compared: for `verify` and `opt --verify`.
#[derive(Args)]
pub struct How {
    /// What to run: a TOML or JSON file, or a line such as `grid=4 block=128 args=f32[512],f32[512]:zero,512`. Without one,
    /// launches are made up from the parameters and guards of each kernel.
    #[arg(long, value_name = "FILE|LINE")]
    launch: Vec<String>,
    /// Which lanes run together, and when: `lockstep`, `its:SEED`, `its:FIRST..LAST`, separated by commas.
    #[arg(long, value_name = "LIST", default_value = "lockstep,its:1..4", value_parser = schedules)]
    schedules: Schedules,
    /// Most warp instructions, roughly, of all made-up launches together.
    #[arg(long, value_name = "N", default_value_t = ptxasw_verify::STEPS)]
    steps: u64,
    /// Of random contents of made-up buffers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// A member mask that names exited lanes is undefined behaviour.
    #[arg(long)]
    strict_masks: bool,
    /// Floating-point numbers may differ by so many units in the last place, for rewritings that fast-math flags or `--assume` permitted.
    #[arg(long, value_name = "ULP", default_value_t = 0)]
    tolerance: u64,
}

impl How {
    /// The defaults, with these launches.
    pub fn with_launches(launch: Vec<String>) -> Self {
        let options = Options::default();
        How {
            launch,
            schedules: Schedules(options.schedules),
            steps: options.steps,
            seed: options.seed,
            strict_masks: options.strict_masks,
            tolerance: options.tolerance,
        }
    }
}

/// A list that is one argument.
#[derive(Clone)]
struct Schedules(Vec<Schedule>);

fn schedules(text: &str) -> Result<Schedules, String> {
    let list = ptxasw_verify::parse_schedules(text);
    list.map(Schedules).map_err(|error| error.to_string())
}

impl How {
    /// As the library takes them. `module` is the original, which knows the names of kernels.
    /// Of the user's launches only the wanted are taken.
    pub fn options(
        &self,
        module: &form::Module,
        jobs: usize,
        wanted: fn(&LaunchSpec) -> bool,
    ) -> anyhow::Result<Options> {
        Ok(Options {
            launches: launches::named(&self.launch, module, wanted)?,
            schedules: self.schedules.0.clone(),
            kernels: Selection::default(),
            seed: self.seed,
            steps: self.steps,
            strict_masks: self.strict_masks,
            tolerance: self.tolerance,
            jobs,
            progress: Progress::hidden(),
        })
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let paths = [&arguments.original, &arguments.rewritten];
    let texts = [files::read(paths[0])?, files::read(paths[1])?];
    let read = |side: usize| -> anyhow::Result<Module> {
        let (path, text) = (paths[side], &texts[side]);
        let module =
            Module::read(text).map_err(|error| files::pipeline_error(error.into(), path, text))?;
        modules::not_empty(
            path,
            text,
            module.form.functions.iter().any(|one| one.defined),
        )?;
        Ok(module)
    };
    let (original, rewritten) = (read(0)?, read(1)?);
    let mut session = match arguments
        .on_gpu
        .then(|| Session::open(&arguments.on))
        .transpose()
    {
        Ok(session) => session,
        Err(code) => return Ok(code),
    };
    let wanted = match session.is_some() {
        true => gpu::small,
        false => |_: &LaunchSpec| true,
    };
    let how = &arguments.how;
    let mut options = how.options(&original.form, arguments.jobs, wanted)?;
    for glob in &arguments.kernel {
        let added = options.kernels.add(glob);
        added.with_context(|| format!("`--kernel {glob}`"))?;
    }
    modules::check_kernels(paths[0], &options.kernels, names(&original))?;
    // Launches that are too large for the executor are the GPU's alone.
    let large_only = options.launches.is_empty() && !how.launch.is_empty();
    if !arguments.quiet {
        options.progress = Progress::bar();
        name_left_out(&original, &options);
        name_strangers(&original, &rewritten, paths, &options.kernels);
    }
    let reports = match large_only {
        true => Vec::new(),
        false => ptxasw_verify::verify(&original, &rewritten, &options)
            .map_err(|mismatch| wrong_parameters(&mismatch, paths[1], &texts[1]))?,
    };
    options.progress.finish();
    let names = paths.map(|path| files::display(path));
    let subject = Subject {
        original: (&names[0], &texts[0]),
        rewritten: (&names[1], &texts[1]),
        schedules: &options.schedules,
        all_launches: arguments.verbose,
    };
    let mut report = match (arguments.json, large_only) {
        (true, _) => Report::Json(verify::json(&subject, &reports)),
        (false, true) => Report::Text(String::new()),
        (false, false) => Report::Text(text(&subject, &reports)),
    };
    if reports.is_empty() && !large_only {
        ptxasw_base::say!(
            "ptxasw: nothing to compare: the original has none of the selected kernels"
        );
    }
    let code = match large_only {
        true => 0,
        false => exit_code(&reports),
    };
    let Some(session) = &mut session else {
        report.print()?;
        return Ok(ExitCode::from(code));
    };
    let verified = Verified {
        paths,
        texts: [&texts[0], &texts[1]],
        given: &how.launch,
        kernels: &options.kernels,
        reports: &reports,
    };
    let results = match &mut report {
        Report::Json(value) => {
            let results = verify_gpu::run(session, &verified, &mut io::sink())?;
            value["gpu"] = serde_json::to_value(&results)?;
            report.print()?;
            results
        }
        Report::Text(_) => {
            report.print()?;
            verify_gpu::run(session, &verified, &mut io::stdout().lock())?
        }
    };
    Ok(results.exit(worse(code, results.code())))
}

/// Says which kernels no launch of the user is for.
fn name_left_out(original: &Module, options: &Options) {
    for kernel in original.kernels() {
        let name = &*kernel.function.name;
        if options.kernels.has(name) && !options.has_launch(name) {
            ptxasw_base::say!("ptxasw: note: no launch is for kernel `{name}`: it is not compared");
        }
    }
}

/// Says which kernels only one of the modules has: kernels are compared with those of the same name.
fn name_strangers(original: &Module, rewritten: &Module, paths: [&PathBuf; 2], wanted: &Selection) {
    let wanted = |name: &&str| wanted.has(name);
    let lacks = |has: &Module, other: &Module| -> Vec<String> {
        let only = names(has).filter(|name| other.kernel(name).is_none());
        only.filter(wanted)
            .map(|name| format!("`{name}`"))
            .collect()
    };
    let sides = [
        (original, rewritten, paths[0]),
        (rewritten, original, paths[1]),
    ];
    for (has, other, path) in sides {
        let only = lacks(has, other);
        if !only.is_empty() {
            let (path, only) = (files::display(path), only.join(", "));
            ptxasw_base::say!("ptxasw: note: kernels that only `{path}` has: {only}");
        }
    }
}

/// The names of a module's kernels.
fn names<'m>(module: &'m Module) -> impl Iterator<Item = &'m str> {
    module.kernels().map(|kernel| &*kernel.function.name)
}

/// What is printed.
enum Report {
    Text(String),
    Json(serde_json::Value),
}

impl Report {
    fn print(&self) -> anyhow::Result<()> {
        let text = match self {
            Report::Text(text) => text.clone(),
            Report::Json(value) => json::text(FORMAT, value)?,
        };
        files::print(&text)
    }
}

/// The worse of two exit codes.
fn worse(a: u8, b: u8) -> u8 {
    let order = [
        Exit::Failed.code(),
        Exit::Undefined.code(),
        Exit::Unknown.code(),
    ];
    let found = order.into_iter().find(|&code| a == code || b == code);
    found.unwrap_or(0)
}

/// Of the worst finding.
fn exit_code(reports: &[KernelReport]) -> u8 {
    let any = |wanted: fn(&Verdict) -> bool| reports.iter().any(|r| wanted(&r.verdict));
    if any(|verdict| matches!(verdict, Verdict::Different(_))) {
        Exit::Failed.code()
    } else if any(|verdict| matches!(verdict, Verdict::UndefinedBehaviour(_))) {
        Exit::Undefined.code()
    } else if reports.is_empty() || any(|verdict| matches!(verdict, Verdict::CouldNotRun(_))) {
        Exit::Unknown.code()
    } else if reports.iter().all(|one| Tally::of(one).is_enough()) {
        0
    } else {
        Exit::Unknown.code()
    }
}

fn wrong_parameters(mismatch: &Mismatch, path: &Path, text: &[u8]) -> anyhow::Error {
    let snippet = Snippet {
        level: Level::Error,
        title: mismatch.to_string(),
        path: files::display(path),
        text,
        labels: vec![Label {
            span: mismatch.span,
            text: String::new(),
            primary: true,
        }],
        notes: Vec::new(),
    };
    Diagnostic(snippet.render()).into()
}
