//! `ptxasw time`: what rewriting gains on a GPU.

use super::files;
use super::gpu::{self, GpuArguments, GpuLaunch, Session, Style, Work};
use crate::ptx::emit::Variant;
use crate::shuffle::plan::Wrapping;
use crate::shuffle::synthesis;
use crate::verify::gpu::Program;
use anyhow::{Context, bail};
use clap::Args;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub struct Arguments {
    /// The modules.
    #[arg(required = true)]
    modules: Vec<PathBuf>,
    /// A launch file, a launch in one line, or a folder with a file NAME.toml for each module NAME.*.ptx.
    #[arg(long, value_name = "LAUNCH")]
    launch: String,
    /// Times this rewritten module. Without: every wrapping that gives another text, and the measuring variants.
    #[arg(long, value_name = "FILE")]
    against: Vec<PathBuf>,
    /// One Markdown table.
    #[arg(long)]
    markdown: bool,
    /// Prints all figures as JSON in place of the tables, or writes them to a file beside them.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,
    #[command(flatten)]
    gpu: GpuArguments,
}

/// What is made of a module: the label, the wrapping, the variant.
const REWRITINGS: [(&str, Option<Wrapping>, Variant); 9] = [
    ("auto", None, Variant::Normal),
    ("full", Some(Wrapping::Full), Variant::Normal),
    ("R", Some(Wrapping::Row), Variant::Normal),
    ("F", Some(Wrapping::AnyRow), Variant::Normal),
    ("F31", Some(Wrapping::WholeRows), Variant::Normal),
    ("C", Some(Wrapping::Contiguous), Variant::Normal),
    ("paper", Some(Wrapping::Paper), Variant::Normal),
    ("no-load", None, Variant::NoLoad),
    ("no-corner", None, Variant::NoCorner),
];

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.modules.len() > 1 && !arguments.against.is_empty() {
        bail!("`--against` needs exactly one module");
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
        let text = serde_json::to_vec_pretty(&results).context("cannot write JSON")?;
        files::write(path, &text)?;
    }
    Ok(results.exit(results.code()))
}

fn work(path: &Path, arguments: &Arguments) -> anyhow::Result<Work> {
    let original = gpu::program(path, "original".to_owned())?;
    let rewritten = match arguments.against.as_slice() {
        [] => rewritings(&original, path)?,
        others => others
            .iter()
            .map(|other| gpu::program(other, files::display(other)))
            .collect::<anyhow::Result<_>>()?,
    };
    Ok(Work {
        name: stem(path),
        launches: launches(&arguments.launch, path)?,
        original,
        rewritten,
    })
}

/// Every rewriting that gives a text of its own; one that gives the same as an earlier one shares its row.
fn rewritings(original: &Program, path: &Path) -> anyhow::Result<Vec<Program>> {
    let mut all: Vec<Program> = Vec::new();
    for (label, wrapping, variant) in REWRITINGS {
        let options = crate::Options {
            synthesis: synthesis::Options {
                wrapping,
                ..Default::default()
            },
            variant,
            ..Default::default()
        };
        let output = crate::optimize(&original.text, &options)
            .map_err(|error| files::pipeline_error(error, path, &original.text))?;
        if output.text == original.text {
            continue;
        }
        match all.iter_mut().find(|program| program.text == output.text) {
            Some(same) => same.label = format!("{} = {label}", same.label),
            None => {
                let compared = variant == Variant::Normal;
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
