//! `ptxasw check`: replay certificates.

use super::exit::Exit;
use super::options::by_name;
use super::{files, json};
use crate::certificates::{self, Options, Second, Solver};
use anyhow::bail;
use clap::Args;
use ptxasw_base::progress::Progress;
use ptxasw_machine::toolchain::Search;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Goes up when a field of what `--json` prints changes its meaning or goes away.
const FORMAT: u32 = 1;

#[derive(Args)]
pub struct Arguments {
    /// Folders that `ptxasw opt --certificates` wrote.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// The solvers that are asked, in place of Z3 and the first other one that is installed. May be given more than once.
    #[arg(long, value_parser = by_name::<Solver>(), value_name = "SOLVER")]
    solver: Vec<Solver>,
    /// Fails if there is no second solver.
    #[arg(long)]
    require_second: bool,
    /// What one question may cost, in seconds: for Z3 the number of steps that takes about as long.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1000))]
    timeout: u32,
    /// Threads; 0 for as many as there are processors.
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// Prints all answers as JSON in place of the table, or writes them to a file beside it.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// No notes and no progress bar.
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut texts = Vec::new();
    for folder in &arguments.folders {
        texts.extend(certificates::read_folder(folder)?);
    }
    let options = options(arguments)?;
    let report = certificates::replay(texts, &options);
    options.progress.finish();
    let standard = Path::new("-");
    if let Some(path) = &arguments.json {
        json::write(path, FORMAT, &report)?;
    }
    if arguments.json.as_deref() != Some(standard) {
        files::print(&format!("{report}\n"))?;
    }
    Ok(match report.proved() {
        true => Exit::Done.into(),
        false => Exit::Failed.into(),
    })
}

/// Who is asked.
fn options(arguments: &Arguments) -> anyhow::Result<Options> {
    let search = Search::from_environment();
    let named = !arguments.solver.is_empty();
    let mut seconds = Vec::new();
    for solver in [Solver::Bitwuzla, Solver::Cvc5] {
        let wanted = match named {
            true => arguments.solver.contains(&solver),
            false => seconds.is_empty(),
        };
        if !wanted {
            continue;
        }
        match Second::find(solver, &search) {
            Some(second) => seconds.push(second),
            None if named => bail!("no {solver} is installed"),
            None => {}
        }
    }
    let z3 = !named || arguments.solver.contains(&Solver::Z3);
    if usize::from(z3) + seconds.len() < 2 {
        let lack = "no second solver (bitwuzla or cvc5; setup.sh installs bitwuzla)";
        if arguments.require_second {
            bail!("{lack}");
        }
        if !named && !arguments.quiet {
            ptxasw_base::say!("ptxasw: note: {lack}: only Z3 checks the certificates");
        }
    }
    Ok(Options {
        z3,
        seconds,
        timeout: arguments.timeout,
        jobs: arguments.jobs,
        progress: match arguments.quiet {
            true => Progress::hidden(),
            false => Progress::bar(),
        },
    })
}
