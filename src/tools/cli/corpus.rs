//! `ptxasw corpus`: all that is asked of the tool, over a tree of PTX files.

use super::exit::Exit;
use super::options::SynthesisArguments;
use super::{files, json, modules};
use crate::corpus::{self, Options, Record, Shard, Store, Summary};
use anyhow::{Context, anyhow, ensure};
use clap::Args;
use ptxasw_base::kernel_filter::Selection;
use ptxasw_base::progress::Progress;
use ptxasw_driver::pipeline;
use ptxasw_machine::toolchain::{Arch, Assembler};
use ptxasw_passes::shuffle::lower::Variant;
use ptxasw_ptx::ast::Module;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Goes up when a field of what `--json` prints changes its meaning or goes away.
const FORMAT: u32 = 1;

#[derive(Args)]
pub struct Arguments {
    /// The folder; its `.ptx` files, and those of the folders in it, are examined.
    folder: PathBuf,
    #[command(flatten)]
    synthesis: SynthesisArguments,
    /// Does not ask `ptxas`.
    #[arg(long)]
    no_assemble: bool,
    /// Runs the kernels that got shuffles on the CPU, before and after, with launches that are made up.
    #[arg(long)]
    verify: bool,
    /// Keeps a record of each file here, and takes over those of an earlier run that still hold.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Examines one of several parts alone, such as `3/16`. The records of all parts, one behind the other, are those of the folder.
    #[arg(long, value_name = "PART/PARTS")]
    shard: Option<Shard>,
    /// Prints the summary as JSON in place of the table, or writes it to a file.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// No progress bar.
    #[arg(short, long)]
    quiet: bool,
}

/// Names the path that can't be read, once.
fn unreadable(error: &walkdir::Error, folder: &Path) -> anyhow::Error {
    let path = error.path().unwrap_or(folder).display();
    match error.io_error() {
        Some(why) => anyhow!("cannot read `{path}`: {why}"),
        None => anyhow!("cannot read `{path}`: {error}"),
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let name = arguments.folder.display();
    let paths =
        corpus::files(&arguments.folder).map_err(|error| unreadable(&error, &arguments.folder))?;
    ensure!(!paths.is_empty(), "no `.ptx` file in `{name}`");
    let paths = arguments.part(paths);
    let options = arguments.options()?;
    if !arguments.no_assemble {
        assemblers_work()?;
    }
    let store = arguments.resume.as_deref().map(Store::open).transpose()?;
    let bar = match arguments.quiet {
        true => Progress::hidden(),
        false => Progress::bar(),
    };
    bar.expect(paths.len());
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.synthesis.jobs())
        .build()
        .context("cannot start threads")?;
    let one = |path: &PathBuf| {
        let record = arguments.one(path, &options, store.as_ref());
        bar.done(1);
        record
    };
    let records: anyhow::Result<Vec<Record>> =
        threads.install(|| paths.par_iter().map(one).collect());
    bar.finish();
    let summary = Summary::of(&records?);
    let selects = !options.pipeline.kernels.is_everything();
    // Another part may have the kernels.
    if summary.figures.kernels == 0 && selects && arguments.shard.is_none() {
        check_kernels(&paths, &options.pipeline.kernels, &name.to_string())?;
    }
    match &arguments.json {
        Some(path) => json::write(path, FORMAT, &summary)?,
        None => ptxasw_base::tell!("{}", summary.table()),
    }
    Ok(match summary.complaints.is_empty() {
        true => Exit::Done.into(),
        false => Exit::Failed.into(),
    })
}

/// Tries the assemblers that will be asked, before thousands of files come out as refused by one that does not work.
fn assemblers_work() -> anyhow::Result<()> {
    // The wheels have one for targets from sm_75 on and one for those below, which knows sm_80, too.
    let found = [Arch::OLDEST_OF_CUDA_13, Arch::OLDEST_OF_CUDA_12].map(Assembler::find);
    let mut tried: Vec<PathBuf> = Vec::new();
    for assembler in found.into_iter().flatten() {
        if !tried.iter().any(|path| path == assembler.path()) {
            let works = assembler.try_out(Arch::new(80));
            works.context("`ptxas` does not work (`--no-assemble` skips it)")?;
            tried.push(assembler.path().to_path_buf());
        }
    }
    Ok(())
}

/// Refuses globs of `--kernel` that match nothing in any file.
fn check_kernels(paths: &[PathBuf], kernels: &Selection, folder: &str) -> anyhow::Result<()> {
    let texts = paths.iter().map(|path| files::read(path));
    let texts: Vec<Vec<u8>> = texts.collect::<anyhow::Result<_>>()?;
    let parsed: Vec<Module> = texts
        .iter()
        .filter_map(|text| ptxasw_ptx::parse(text).ok())
        .collect();
    let names = parsed.iter().flat_map(modules::names);
    modules::check_kernels(Path::new(folder), kernels, names)
}

impl Arguments {
    /// Each file on one thread: there are as many files at once as threads.
    fn options(&self) -> anyhow::Result<Options> {
        let pipeline = self.synthesis.options(Variant::Normal, false);
        Ok(Options {
            pipeline: pipeline::Options {
                jobs: 1,
                keep_going: true,
                ..pipeline
            },
            assemble: !self.no_assemble,
            verify: self.verify.then(|| ptxasw_verify::Options {
                jobs: 1,
                ..ptxasw_verify::Options::default()
            }),
        })
    }

    /// The files of the part that was asked for.
    fn part(&self, mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
        let mut indices = 0..;
        if let Some(shard) = self.shard {
            paths.retain(|_| indices.next().is_some_and(|index| shard.takes(index)));
        }
        paths
    }

    fn one(&self, path: &Path, options: &Options, store: Option<&Store>) -> anyhow::Result<Record> {
        let text = files::read(path)?;
        let below = path.strip_prefix(&self.folder).unwrap_or(path);
        let name = below.display().to_string();
        if let Some(known) = store.and_then(|store| store.find(&name, &text, options)) {
            return Ok(known);
        }
        let record = corpus::examine(name, &text, options);
        store.map(|store| store.add(&record)).transpose()?;
        Ok(record)
    }
}
