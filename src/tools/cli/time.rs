//! `ptxasw time`: what rewriting gains on a GPU.

use super::gpu::{self, GpuArguments, GpuLaunch, Session, Style, Work};
use super::{files, json};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use ptxasw_passes::memory::{Loads, Memory, MemoryOptions};
use ptxasw_passes::rules::rules;
use ptxasw_passes::shuffle::lower::Variant;
use ptxasw_passes::shuffle::plan::Wrapping;
use ptxasw_passes::shuffle::synthesis;
use ptxasw_verify::gpu::Program;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Goes up when a field of what `--json` prints changes its meaning or goes away.
const FORMAT: u32 = 1;

#[derive(Args)]
pub struct Arguments {
    /// The modules.
    #[arg(required = true)]
    modules: Vec<PathBuf>,
    /// A launch file, a launch in one line, or a folder with a file NAME.toml for each module NAME.*.ptx.
    #[arg(long, value_name = "LAUNCH")]
    launch: String,
    /// Times this rewritten module, or that of the same name in this folder.
    #[arg(long, value_name = "FILE")]
    against: Vec<PathBuf>,
    /// Times every rewriting by one of these passes that gives another text: each scheme of shuffles with the measuring
    /// variants, each level of loads; all of them where nothing else is to be timed.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    passes: Vec<Rewriter>,
    /// One Markdown table.
    #[arg(long)]
    markdown: bool,
    /// Prints all figures as JSON in place of the tables, or writes them to a file beside them.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,
    #[command(flatten)]
    gpu: GpuArguments,
}

/// A pass whose rewritings are timed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rewriter {
    /// Shuffles.
    Shuffle,
    /// Loads and stores.
    Memory,
}

/// What shuffles make of a module: the label, the scheme, the variant, whether indices are taken not to wrap.
const SHUFFLES: [(&str, Option<Wrapping>, Variant, bool); 11] = [
    ("auto", None, Variant::Normal, false),
    ("full", Some(Wrapping::Full), Variant::Normal, false),
    ("R", Some(Wrapping::Row), Variant::Normal, false),
    ("F", Some(Wrapping::AnyRow), Variant::Normal, false),
    ("F31", Some(Wrapping::WholeRows), Variant::Normal, false),
    ("paper", Some(Wrapping::Paper), Variant::Normal, false),
    ("halo", Some(Wrapping::Halo), Variant::Normal, false),
    ("halo, nowrap", Some(Wrapping::Halo), Variant::Normal, true),
    ("F, nowrap", Some(Wrapping::AnyRow), Variant::Normal, true),
    ("no-load", None, Variant::NoLoad, false),
    ("no-corner", None, Variant::NoCorner, false),
];

/// What the memory pass makes of a module: the label, the level, the registers that loads which move up may hold, if not as many as by default.
const LOADS: [(&str, Loads, Option<u32>); 9] = [
    ("proofs", Loads::Proofs, None),
    ("checked", Loads::Checked, None),
    ("moderate", Loads::Moderate, None),
    ("bulk", Loads::Bulk, None),
    ("bulk, 16 registers", Loads::Bulk, Some(16)),
    ("bulk, 64 registers", Loads::Bulk, Some(64)),
    ("pairs", Loads::Pairs, None),
    ("batches", Loads::Batches, None),
    ("always", Loads::Always, None),
];

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let files = arguments.against.iter().any(|path| !path.is_dir());
    if arguments.modules.len() > 1 && files {
        bail!("`--against` needs a folder where there are several modules");
    }
    let work = arguments
        .modules
        .iter()
        .map(|path| work(path, arguments))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let style = match arguments.markdown {
        true => Style::Markdown,
        false => Style::Terminal,
    };
    let mut session = match Session::open(&arguments.gpu) {
        Ok(session) => session,
        Err(code) => return Ok(code),
    };
    let alone = arguments.json.as_deref() == Some(Path::new("-"));
    let results = match alone {
        true => session.run(&work, style, &mut io::sink())?,
        false => session.run(&work, style, &mut io::stdout().lock())?,
    };
    if let Some(path) = &arguments.json {
        json::write(path, FORMAT, &results)?;
    }
    Ok(results.exit(results.code()))
}

fn work(path: &Path, arguments: &Arguments) -> anyhow::Result<Work> {
    let original = gpu::program(path, "original".to_owned())?;
    let mut rewritten = rewritings(&original, path, &passes(arguments))?;
    for other in arguments
        .against
        .iter()
        .filter_map(|other| twin(other, path))
    {
        rewritten.push(gpu::program(&other, files::display(&other))?);
    }
    Ok(Work {
        name: stem(path),
        launches: launches(&arguments.launch, path)?,
        original,
        rewritten,
    })
}

/// The passes whose rewritings are timed.
fn passes(arguments: &Arguments) -> Vec<Rewriter> {
    match arguments.passes.is_empty() && arguments.against.is_empty() {
        true => vec![Rewriter::Shuffle, Rewriter::Memory],
        false => arguments.passes.clone(),
    }
}

/// The file, or the one in this folder with the module's name, if there is one.
fn twin(other: &Path, module: &Path) -> Option<PathBuf> {
    if !other.is_dir() {
        return Some(other.to_owned());
    }
    let file = other.join(module.file_name()?);
    file.exists().then_some(file)
}

/// The label and the options of every rewriting by these passes.
fn choices(passes: &[Rewriter]) -> Vec<(&'static str, ptxasw_driver::pipeline::Options)> {
    let shuffles = SHUFFLES.map(|(label, wrapping, variant, assume_no_wrap)| {
        let options = ptxasw_driver::pipeline::Options {
            synthesis: synthesis::Options {
                wrapping,
                assume_no_wrap,
                variant,
                ..Default::default()
            },
            ..ptxasw_driver::pipeline::Options::of_shuffles()
        };
        (Rewriter::Shuffle, label, options)
    });
    let loads = LOADS.map(|(label, loads, max_live)| {
        let options = ptxasw_driver::pipeline::Options {
            memory: MemoryOptions {
                loads,
                max_live: max_live.unwrap_or(rules().bulk.max_live),
                ..Default::default()
            },
            ..ptxasw_driver::pipeline::Options::of_passes(&[&Memory])
        };
        (Rewriter::Memory, label, options)
    });
    (shuffles.into_iter().chain(loads))
        .filter(|(pass, ..)| passes.contains(pass))
        .map(|(_, label, options)| (label, options))
        .collect()
}

/// Every rewriting that gives a text of its own; one that gives the same as an earlier one shares its row.
fn rewritings(
    original: &Program,
    path: &Path,
    passes: &[Rewriter],
) -> anyhow::Result<Vec<Program>> {
    let mut all: Vec<Program> = Vec::new();
    for (label, options) in choices(passes) {
        let output = ptxasw_driver::pipeline::optimize(&original.text, &options)
            .map_err(|error| files::pipeline_error(error, path, &original.text))?;
        if output.text == original.text {
            continue;
        }
        match all.iter_mut().find(|program| program.text == output.text) {
            Some(same) => same.label = format!("{} = {label}", same.label),
            None => {
                let compared = options.synthesis.variant == Variant::Normal;
                all.push(gpu::program_of(
                    output.text,
                    path,
                    label.to_owned(),
                    compared,
                )?);
            }
        }
    }
    Ok(all)
}

/// The launches for a module.
fn launches(argument: &str, module: &Path) -> anyhow::Result<Vec<GpuLaunch>> {
    let argument = match Path::new(argument).is_dir() {
        true => {
            let file = Path::new(argument).join(format!("{}.toml", stem(module)));
            let name = file.to_str().map(str::to_owned);
            name.with_context(|| format!("the name of `{}` is not UTF-8", file.display()))?
        }
        false => argument.to_owned(),
    };
    gpu::launches(&argument)
}

/// The file's name up to its first dot.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}
