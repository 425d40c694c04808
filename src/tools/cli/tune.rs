//! `ptxasw tune`: which choices are best for each kernel of a module.

use super::exit::Exit;
use super::gpu::GpuArguments;
use super::launches::LaunchArguments;
use super::options::{ARCH, SynthesisArguments, several};
use super::{Diagnostic, files, json, modules, targets};
use super::{tune_gpu, tune_program};
use crate::json::Document;
use crate::tune::data::{Compared, FORMAT, Kernel, Tuning};
use crate::tune::{self, Examined, NotTuned, Wanted};
use anyhow::{Context, ensure};
use clap::Args;
use ptxasw_base::progress::Progress;
use ptxasw_driver::pipeline::tuned::Tuned;
use ptxasw_machine::cache;
use ptxasw_machine::toolchain::{Arch, ToolchainError};
use ptxasw_passes::shuffle::lower::Variant;
use ptxasw_verify::{Given, NamedLaunch, gpu};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xxhash_rust::xxh3::xxh3_64;

/// The settings file that is brought up to date where none is named.
const DEFAULT: &str = "ptxasw.toml";
/// Most warp instructions, roughly, of the launches that are made up to compare a kernel with one rewriting of it.
const COMPARED_STEPS: u64 = 1 << 21;

#[derive(Args)]
#[command(mut_arg(ARCH, |arch| several(arch, "the one that is there, else sm_80, sm_90 and the module's own target")))]
pub struct Arguments {
    /// The module.
    #[arg(required_unless_present = "program")]
    input: Option<PathBuf>,
    /// A program whose hot kernels are tuned, with launches of its own: it is run once, as by `ptxasw record`.
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["input", "launch", "resume", "json", "csv"])]
    program: Vec<OsString>,
    /// With a program: the folder for what it launched, which stays.
    #[arg(long, value_name = "DIR", requires = "program")]
    record: Option<PathBuf>,
    /// The settings file that gets a table for each kernel for which a choice is best: what it says of other kernels stays. `-` prints
    /// the tables in place of what was found. Without it `ptxasw.toml`, but none where a report is asked for.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    launches: LaunchArguments,
    /// Estimates only, whether or not a GPU is there.
    #[arg(long, conflicts_with = "require_gpu")]
    no_gpu: bool,
    /// Without a GPU nothing is estimated: the exit code is 3.
    #[arg(long)]
    require_gpu: bool,
    /// Seconds after which no more rounds of timing begin for a kernel.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    budget: u64,
    /// How much may be tried: about the warp instructions that the CPU executes for it, and the machine instructions that are
    /// replayed. The table says what was left out.
    #[arg(long, value_name = "N", default_value_t = tune::EFFORT)]
    effort: u64,
    /// Goes on with what `--json` of an earlier call has found for the same module with the same options, here or on another machine:
    /// the same choices, which are not compared once more, and kernels that were timed on the same GPU are not timed again.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Floating-point numbers may differ by so many units in the last place, for choices that fast-math flags or `--assume` permit.
    #[arg(long, value_name = "ULP", default_value_t = 0)]
    tolerance: u64,
    /// Prints what was found as JSON in place of the table, or writes it to a file beside it.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-", help_heading = "Reports")]
    json: Option<PathBuf>,
    /// Prints what was found as a table of comma-separated values, or writes it to a file.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-", help_heading = "Reports", conflicts_with = "json")]
    csv: Option<PathBuf>,
    /// Nothing on standard error but errors.
    #[arg(short, long, help_heading = "Reports")]
    quiet: bool,
    #[command(flatten)]
    synthesis: SynthesisArguments,
    /// Runs `ptxas` even where the cache in `~/.cache/ptxasw` has what it makes.
    #[arg(long, hide_short_help = true)]
    no_cache: bool,
    #[command(flatten, next_help_heading = "On a GPU")]
    on: GpuArguments,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some((name, words)) = arguments.program.split_first() {
        let folder = arguments.record.as_deref();
        let selection = arguments.choices_from()?.kernels;
        return tune_program::run((name, words), folder, &selection);
    }
    cache::switch(!arguments.no_cache);
    let reports = [&arguments.json, &arguments.csv];
    let printed = |path: &&Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
    let prints_tables = arguments.output.as_deref() == Some(Path::new("-"));
    ensure!(
        !prints_tables || !reports.iter().any(printed),
        "`-o -` and a report cannot both be standard output"
    );
    let mut gpu = match arguments.no_gpu {
        true => None,
        false => match arguments.on.open() {
            Ok(gpu) => Some(gpu),
            Err(error) if arguments.require_gpu => {
                ptxasw_base::say!("ptxasw: {error}");
                return Ok(Exit::Unknown.into());
            }
            Err(error) => {
                arguments.say(&format!(
                    "no GPU is used: {error}; all ratios are estimates"
                ));
                None
            }
        },
    };
    let text = files::read(arguments.input())?;
    let known = known(arguments, &text)?;
    let mut examined = examined(arguments, &text, gpu.as_ref(), known.as_ref())?;
    let mut device = gpu.as_ref().map(|gpu| gpu.description().to_string());
    let mut hangs = false;
    match (&mut gpu, &known) {
        (Some(gpu), known) => {
            hangs = tune_gpu::measure(gpu, arguments, &text, &mut examined, known.as_ref())?;
        }
        // What was measured elsewhere says more than an estimate.
        (None, Some(known)) => {
            device.clone_from(&known.device);
            for one in &mut examined {
                tune_gpu::reuse(&mut one.kernel, Some(known));
            }
        }
        (None, None) => {}
    }
    let mut kernels: Vec<_> = examined.into_iter().map(|one| one.kernel).collect();
    for kernel in &mut kernels {
        kernel.best = tune::choose(kernel);
    }
    let tuning = Tuning {
        module: files::display(arguments.input()),
        digest: digest(&text),
        options: arguments.options_digest()?,
        device,
        kernels,
    };
    print(arguments, &tuning)?;
    let unmeasured = tuning.kernels.iter().all(|kernel| !kernel.is_measured());
    let rows = tuning.kernels.iter().flat_map(|kernel| &kernel.rows);
    let differs = |row: &tune::data::Row| matches!(row.compared, Compared::Different(_));
    let code = match rows.into_iter().any(differs) {
        true => {
            ptxasw_base::say!(
                "ptxasw: error: a rewritten kernel has other results: please report it (`ptxasw bug`)"
            );
            Exit::Failed
        }
        false if arguments.require_gpu && unmeasured => Exit::Unknown,
        false => Exit::Done,
    };
    match hangs {
        true => gpu::exit_now(code.code()),
        false => Ok(code.into()),
    }
}

impl Arguments {
    /// What a launch that nobody gave would have chosen, and how to give one.
    fn say_made_up(&self, kernel: &Kernel) {
        let best = kernel
            .best
            .and_then(|best| kernel.rows[best].choices.first());
        let Some(best) = best else { return };
        let (name, target) = (&kernel.kernel, &kernel.target);
        self.say(&format!(
            "`{name}` on {target}: `{best}` would be chosen by a launch that is made up, which decides nothing; give one of your sizes: \
             `--launch '{name} grid=... block=... args=...'`"
        ));
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            ptxasw_base::say!("ptxasw: {text}");
        }
    }

    /// As `gpu::run` takes it.
    pub(super) fn on(&self) -> &GpuArguments {
        &self.on
    }

    /// How much may be spent on a kernel.
    pub(super) fn budget(&self) -> tune::Budget {
        let usual = tune::Budget::default();
        tune::Budget {
            first: self.on.samples().unwrap_or(usual.first),
            time: std::time::Duration::from_secs(self.budget),
            ..usual
        }
    }

    /// Whether all bits of all results count.
    pub(super) fn is_exact(&self) -> bool {
        self.tolerance == 0
    }

    /// XXH3 of the options under which choices are made and compared.
    fn options_digest(&self) -> anyhow::Result<String> {
        let options = ptxasw_driver::pipeline::Options {
            jobs: 0,
            ..self.choices_from()?
        };
        Ok(digest(format!("{options:?} {}", self.tolerance).as_bytes()))
    }

    /// What holds where nothing is chosen.
    fn choices_from(&self) -> anyhow::Result<ptxasw_driver::pipeline::Options> {
        Ok(ptxasw_driver::pipeline::Options {
            // Choices are what is to be found.
            tuned: Tuned::default(),
            // They are found for each target by itself.
            arch: None,
            keep_going: true,
            ..self.synthesis.options(Variant::Normal, false)
        })
    }

    /// The module's path, for messages.
    pub(super) fn input(&self) -> &Path {
        self.input.as_deref().unwrap_or(Path::new("-"))
    }
}

fn digest(text: &[u8]) -> String {
    format!("{:016x}", xxh3_64(text))
}

/// What an earlier call has found.
fn known(arguments: &Arguments, text: &[u8]) -> anyhow::Result<Option<Tuning>> {
    let Some(path) = &arguments.resume else {
        return Ok(None);
    };
    let place = files::display(path);
    let found: Document<Tuning> = serde_json::from_slice(&files::read(path)?)
        .with_context(|| format!("`{place}` is not what `ptxasw tune --json` writes"))?;
    ensure!(
        found.format == FORMAT && found.version == env!("CARGO_PKG_VERSION"),
        "`{place}` is of another version: {}",
        found.version
    );
    let found = found.body;
    ensure!(
        found.digest == digest(text),
        "`{place}` is about another module: `{}` when it was written",
        found.module
    );
    ensure!(
        found.options == arguments.options_digest()?,
        "`{place}` was found under other options"
    );
    Ok(Some(found))
}

fn examined(
    arguments: &Arguments,
    text: &[u8],
    gpu: Option<&gpu::Gpu>,
    known: Option<&Tuning>,
) -> anyhow::Result<Vec<Examined>> {
    let synthesis = &arguments.synthesis;
    let path = arguments.input();
    let options = arguments.choices_from()?;
    let module = modules::read(path, text, options.jobs, synthesis.arch(), arguments.quiet)?;
    modules::check_kernels(path, &options.kernels, modules::names(&module))?;
    drop(module);
    let given = arguments.launches.given(text)?;
    let comparison = ptxasw_verify::Options {
        launches: compared_launches(&given, text, path)?,
        steps: COMPARED_STEPS,
        tolerance: arguments.tolerance,
        jobs: synthesis.jobs(),
        ..ptxasw_verify::Options::default()
    };
    let progress = match arguments.quiet {
        true => Progress::hidden(),
        false => Progress::bar(),
    };
    let found = tune::examine(
        text,
        &Wanted {
            effort: arguments.effort,
            progress: &progress,
            options: &options,
            archs: &archs(arguments, text, gpu, known)?,
            given: &given,
            steps: arguments.launches.steps,
            comparison: &comparison,
            known,
        },
    );
    progress.finish();
    found.map_err(|error| match error {
        NotTuned::Stage(error) => files::stage_error(error, path, text),
        error => error.into(),
    })
}

fn archs(
    arguments: &Arguments,
    text: &[u8],
    gpu: Option<&gpu::Gpu>,
    known: Option<&Tuning>,
) -> Result<Vec<Arch>, ToolchainError> {
    let mut archs = arguments.synthesis.archs()?;
    if !archs.is_empty() {
        // A choice is for a number: what is found for `sm_90` counts for `sm_90a`.
        let mut numbers = HashSet::new();
        archs.retain(|arch| numbers.insert(arch.number));
        return Ok(archs);
    }
    if let Some(gpu) = gpu {
        return Ok(vec![Arch::new(gpu.description().architecture())]);
    }
    let mut archs = Vec::new();
    for kernel in known.iter().flat_map(|known| &known.kernels) {
        let arch = kernel.target.parse()?;
        if !archs.contains(&arch) {
            archs.push(arch);
        }
    }
    Ok(targets::chosen(&archs, &targets::ESTIMATED, text))
}

/// The launches that are compared on the CPU; where a kernel has none they are made up.
fn compared_launches(given: &Given, text: &[u8], path: &Path) -> anyhow::Result<Vec<NamedLaunch>> {
    let module = ptxasw_verify::Module::read(text);
    let module = module.map_err(|error| files::pipeline_error(error.into(), path, text))?;
    let mut found = Vec::new();
    for spec in given.specs.iter().filter(|spec| gpu::small(spec)) {
        // One that fits no kernel of the module's head is none.
        let function = match spec.function(&module.form) {
            Ok(function) => function,
            Err(error) if given.by_user => {
                return Err(Diagnostic(format!("`--launch`: {error}")).into());
            }
            Err(_) => continue,
        };
        if let Ok(launch) = spec.instantiate() {
            found.push(NamedLaunch {
                name: "a given launch".to_owned(),
                kernel: Some(function.name.to_string()),
                launch,
            });
        }
    }
    Ok(found)
}

fn print(arguments: &Arguments, tuning: &Tuning) -> anyhow::Result<()> {
    let alone = Path::new("-");
    let mut printed = false;
    let reports = arguments.json.is_some() || arguments.csv.is_some();
    if let Some(path) = &arguments.json {
        json::write(path, FORMAT, tuning)?;
        printed |= path == alone;
    }
    if let Some(path) = &arguments.csv {
        files::write(path, &tune::csv(tuning)?)?;
        printed |= path == alone;
    }
    let output = arguments.output.as_deref();
    if output == Some(alone) {
        files::print(&tune::merged("", tuning)?)?;
    } else if !printed {
        files::print(&tune::table(tuning))?;
    }
    if let Some((right, all)) = tune_gpu::signs(tuning) {
        arguments.say(&format!(
            "the estimate had the right sign for {right} of {all} rewritings that gain or lose at least 1 %"
        ));
    }
    for kernel in tuning.kernels.iter().filter(|one| one.made_up) {
        arguments.say_made_up(kernel);
    }
    match output {
        Some(output) if output == alone => Ok(()),
        Some(output) => write(arguments, output, tuning),
        None if reports => Ok(()),
        None => write(arguments, Path::new(DEFAULT), tuning),
    }
}

/// Brings the settings file up to date; where nothing is chosen, none is made.
fn write(arguments: &Arguments, output: &Path, tuning: &Tuning) -> anyhow::Result<()> {
    let place = files::display(output);
    let before = match fs::read_to_string(output) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(|| format!("cannot read `{place}`")),
    };
    let chosen = tuning.kernels.iter().filter(|one| one.is_chosen()).count();
    let all = tuning.kernels.len();
    if before.is_none() && chosen == 0 {
        let why = match tuning.kernels.iter().all(|one| one.best.is_none()) {
            true => "the default is best for all kernels",
            false => "nothing is known by a launch of yours",
        };
        arguments.say(&format!("{why}: no settings file is written"));
        return Ok(());
    }
    let after = tune::merged(before.as_deref().unwrap_or_default(), tuning);
    let after = after.with_context(|| format!("`{place}`"))?;
    if before.as_ref() != Some(&after) {
        files::write(output, after.as_bytes())?;
    }
    arguments.say(&format!(
        "{place}: choices for {chosen} of {all} kernels and targets"
    ));
    Ok(())
}
