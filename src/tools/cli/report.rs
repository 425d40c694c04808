//! `ptxasw report`: one page about modules, or about a whole build.

use super::options::{ARCH, SynthesisArguments, several};
use super::registers::{self, RegisterArguments};
use super::verify::How;
use super::{
    Cli, Command, Diagnostic, defaults, files, in_one_line, json, launches, modules, stats, targets,
};
use crate::estimates::{self, variants};
use crate::page::data;
use crate::page::{self, Stage, Subject, Wanted};
use anyhow::{Context, ensure};
use clap::{Args, CommandFactory, Parser};
use ptxasw_base::shell;
use ptxasw_driver::Comparison;
use ptxasw_driver::pipeline::Options;
use ptxasw_driver::pipeline::ssa::{self, Report};
use ptxasw_driver::pipeline::tuned::Tuned;
use ptxasw_driver::pipeline::{self, Decisions, Module, Origins};
use ptxasw_driver::report::explain;
use ptxasw_driver::report::function;
use ptxasw_driver::report::verdict::Estimates;
use ptxasw_machine::toolchain::Arch;
use ptxasw_passes::Fate;
use ptxasw_passes::shuffle::lower::Variant;
use ptxasw_passes::shuffle::profit::Profit;
use ptxasw_ptx::decode::form;
use ptxasw_ptx::text::edit;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(mut_arg(ARCH, |arch| several(arch, "sm_80, sm_90, sm_100 and the module's own target")))]
pub struct Arguments {
    /// Modules of PTX, CUDA sources (`.cu`, which `nvcc` compiles), or the folder that `PTXASW_STATS_DIR` named during a build.
    #[arg(required = true)]
    input: Vec<PathBuf>,
    /// Where the page goes; `-` for standard output.
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Prints what the page shows as JSON on standard output, and writes no page.
    #[arg(long, conflicts_with = "output")]
    json: bool,
    #[command(flatten)]
    launches: launches::LaunchArguments,
    /// Leaves out the text of the sources that modules name.
    #[arg(long)]
    no_sources: bool,
    /// Runs each rewritten kernel and its original on the CPU, as `opt --verify` does, and keeps the original where anything
    /// differs.
    #[arg(long, help_heading = "Checks")]
    verify: bool,
    #[command(flatten)]
    synthesis: SynthesisArguments,
    #[command(flatten)]
    registers: RegisterArguments,
    /// Nothing on standard error but errors.
    #[arg(short, long)]
    quiet: bool,
    /// `run-build --report`: the command to show in place of the temporary statistics folder.
    #[arg(skip)]
    build: Option<String>,
}

/// What `nvcc` compiles a source for where nobody says it.
const COMPILED: &str = "sm_90";
/// For which GPUs machine code is shown where nobody says it.
const SHOWN: [Arch; 3] = [Arch::new(80), Arch::new(90), Arch::new(100)];
/// Most warp instructions of a launch, for a build: there are many kernels.
const BUILD_STEPS: u64 = 1 << 20;
/// Most modules of a build that are shown.
const MOST_MODULES: usize = 200;

/// Makes the page of a build, under the settings that held for it.
///
/// # Errors
/// A file cannot be read or written.
pub fn of_build(folder: &Path, page: &Path, quiet: bool) -> anyhow::Result<()> {
    let words = [
        OsStr::new("ptxasw"),
        OsStr::new("report"),
        folder.as_os_str(),
    ];
    let words = words
        .into_iter()
        .chain([OsStr::new("-o"), page.as_os_str()]);
    let words = words.map(OsStr::to_os_string).collect();
    let words = defaults::applied(&Cli::command(), words)?;
    match Cli::try_parse_from(words)?.command {
        Command::Report(mut arguments) => {
            arguments.quiet = quiet;
            arguments.launches.steps = BUILD_STEPS;
            arguments.build = Some("ptxasw run-build".to_owned());
            run(&arguments)
        }
        _ => Ok(()),
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    arguments.synthesis.check_archs(arguments.quiet)?;
    let report = report(arguments)?;
    if arguments.json {
        return json::print(data::FORMAT, &report);
    }
    let files = arguments
        .input
        .iter()
        .filter(|input| *input != Path::new("-"));
    for input in files {
        files::distinct(("the page", &arguments.output), ("the input", input))?;
    }
    let page = page::page(&report).context("cannot make the page")?;
    files::write(&arguments.output, page.as_bytes())?;
    if !arguments.quiet && arguments.output != Path::new("-") {
        let place = files::display(&arguments.output);
        ptxasw_base::say!("ptxasw: {place}: {}", report.verdict.line);
    }
    Ok(())
}

fn report(arguments: &Arguments) -> anyhow::Result<data::Report> {
    let mut modules = Vec::new();
    let mut build = None;
    for input in &arguments.input {
        if !input.is_dir() {
            modules.push(module(input, &files::display(input), arguments)?);
            continue;
        }
        ensure!(build.is_none(), "only one folder of figures can be shown");
        let mut about = figures(input)?;
        // A build whose compilers never came to ptxasw has a page all the same.
        ensure!(
            about.modules > 0 || arguments.build.is_some(),
            "`{}` {}",
            files::display(input),
            stats::NONE
        );
        about.folder = arguments.build.clone().unwrap_or(about.folder);
        let kept = kept_modules(input)?;
        if let Some(left) = kept.len().checked_sub(MOST_MODULES + 1) {
            about.figures.push(data::Figure {
                name: "modules that are not shown".to_owned(),
                value: (left + 1).to_string(),
            });
        }
        for path in kept.iter().take(MOST_MODULES) {
            // The drop-in passed a module that cannot be parsed to the assembler unchanged.
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            match module(path, &name, arguments) {
                Ok(one) => modules.push(one),
                Err(error) if !arguments.quiet => {
                    ptxasw_base::say!("ptxasw: warning: `{name}`: {}", in_one_line(&error));
                }
                Err(_) => {}
            }
        }
        build = Some(about);
    }
    let kernels = modules
        .iter()
        .flat_map(|module: &data::Module| &module.kernels);
    let arch = page::shown_first(&modules).map(str::to_owned);
    Ok(data::Report {
        command: command(),
        verdict: page::verdict(kernels, arch.as_deref()),
        arch,
        assumed: assumed(arguments),
        modules,
        build,
    })
}

/// The words of this command.
fn command() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let quoted = words.map(|word| shell::word(&word).into_owned());
    let words: Vec<String> = std::iter::once("ptxasw".to_owned()).chain(quoted).collect();
    words.join(" ")
}

fn assumed(arguments: &Arguments) -> Vec<String> {
    let always = explain::ASSUMPTION
        .trim_start_matches("assumed: ")
        .to_owned();
    let chosen = arguments.synthesis.assumed();
    let chosen = chosen.map(|name| format!("`--assume {name}`"));
    std::iter::once(always).chain(chosen).collect()
}

/// The modules that a build has left beside its figures, in the order of their names.
fn kept_modules(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let context = || format!("cannot read `{}`", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.extension().is_some_and(|name| name == "ptx") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn figures(folder: &Path) -> anyhow::Result<data::Build> {
    let figures = stats::sum(folder)?;
    let rows = figures.headlines().into_iter();
    let rows = rows.map(|(name, value)| data::Figure {
        name: name.trim().to_owned(),
        value: value.to_string(),
    });
    Ok(data::Build {
        folder: files::display(folder),
        modules: figures.modules,
        figures: rows.collect(),
    })
}

fn module(path: &Path, name: &str, arguments: &Arguments) -> anyhow::Result<data::Module> {
    let text = match path.extension().is_some_and(|one| one == "cu") {
        true => compiled(path, arguments)?,
        false => files::read(path)?,
    };
    let synthesis = &arguments.synthesis;
    let options = Options {
        edits_apart: true,
        // An internal error in one kernel must not lose the page of all others.
        keep_going: true,
        ..synthesis.options(Variant::Normal, false)
    };
    let module = modules::read(path, &text, options.jobs, synthesis.arch(), arguments.quiet)?;
    let module = Module::of_tree(&text, module);
    let names = modules::names(module.tree());
    modules::check_choices(path, &options, names, arguments.quiet)?;
    let chosen = options;
    let options = ptxasw_driver::settled(&module, &chosen, (None, "ptx"));
    let options = options.map_err(|error| files::stage_error(error.into(), path, &text))?;
    let failed = |error| files::stage_error(error, path, &text);
    let how = How::with_launches(arguments.launches.launch.clone());
    let options_of = |original: &form::Module| how.options(original, synthesis.jobs(), |_| true);
    let wanted = ptxasw_driver::Wanted {
        registers: arguments
            .registers
            .is_wanted()
            .then(|| registers::arch(synthesis.arch(), &text)),
        comparison: arguments.verify.then_some(Comparison {
            strict: false,
            options: &options_of,
        }),
    };
    let (passed, found) = ptxasw_driver::run(module, &options, &wanted).map_err(failed)?;
    registers::say(&found.checked, path, arguments.quiet);
    let left = &passed.module;
    let edits = pipeline::edits(left, &passed.pending);
    let now = edit::apply(left.text(), &edits)
        .map_err(|error| failed(pipeline::Error::from(error).into()))?;
    // The trial only shows what declined shuffles would be worth: an error in it must not lose the page.
    let trial = trial(left, &passed.reports, &options).unwrap_or_default();
    let trial_stage = trial.as_ref().map(|(text, reports, edits)| {
        let stage = Stage {
            text,
            origins: origins(left, edits),
        };
        (stage, &reports[..])
    });
    let decisions = Decisions {
        input: &passed.accesses(&options),
        passes: &passed.reports,
    };
    let functions = function::of_module(decisions);
    let archs = targets::shown(&synthesis.archs()?, &SHOWN, &text);
    let given = arguments.launches.given(&text)?;
    // Of a build there are many kernels.
    let estimates = match arguments.input.iter().any(|input| input.is_dir()) {
        true => Estimates::default(),
        false => {
            let mut known = archs.iter().copied();
            let shown = known.find(|&arch| targets::has_figures(arch));
            let variants = variants::all(&text, &functions, &chosen, &wanted);
            let texts = Ok([(&text).into(), (&now).into()]);
            estimates::of(texts, &[], &variants, (shown, Some(&given)))
        }
    };
    let subject = Subject {
        name,
        path,
        input: &text,
        left: left.tree(),
        origins: left.origins(),
        functions: &functions,
        now: Stage {
            text: &now,
            origins: origins(left, &edits),
        },
        trial: trial_stage,
        judged: &found.judged,
        variants: &estimates.variants,
    };
    let written = page::module(
        &subject,
        &Wanted {
            archs: &archs,
            given: &given,
            steps: arguments.launches.steps,
            jobs: synthesis.jobs(),
            sources: !arguments.no_sources,
        },
    );
    written.map_err(|error| files::stage_error(error.into(), path, &text))
}

/// Places of an edited text as places of the input.
fn origins(module: &Module, edits: &[edit::Edit]) -> Origins {
    let origins = Origins::after_edits(edits);
    match module.origins() {
        Some(earlier) => origins.of(earlier),
        None => origins,
    }
}

type Trial = (Vec<u8>, Vec<Report>, Vec<edit::Edit>);

/// The module with all shuffles that are proved, where some are not known to pay.
fn trial(left: &Module, reports: &[Report], options: &Options) -> anyhow::Result<Option<Trial>> {
    let mut remarks = reports.iter().flat_map(|report| &report.remarks);
    if remarks.all(|remark| remark.fate != Fate::Declined) {
        return Ok(None);
    }
    let mut options = options.clone();
    options.synthesis.profit = Profit::Always;
    options.tuned = Tuned::default();
    options.raise_version = true;
    let (reports, changed) = ssa::across_lanes(left, &options)?;
    let edits = pipeline::edits(left, &changed);
    let text = edit::apply(left.text(), &edits)?;
    Ok(Some((text, reports, edits)))
}

/// The PTX that `nvcc` makes of a source, with its lines.
fn compiled(path: &Path, arguments: &Arguments) -> anyhow::Result<Vec<u8>> {
    let search = ptxasw_machine::toolchain::Search::from_environment();
    let (nvcc, _) = search
        .program("nvcc")
        .context("a `.cu` file is compiled by `nvcc`")?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let ptx = folder.path().join("module.ptx");
    let arch = arguments.synthesis.arch().unwrap_or(COMPILED);
    let output = std::process::Command::new(nvcc)
        .args(["-ptx", "-lineinfo"])
        .arg(format!("-arch={arch}"))
        .arg(path)
        .arg("-o")
        .arg(&ptx)
        .output()
        .context("cannot run `nvcc`")?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Diagnostic(message).into());
    }
    files::read(&ptx)
}
