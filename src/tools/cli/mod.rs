//! The command line: one file for each thing that the command does.

mod assemble;
mod bisect;
mod bug;
mod build;
mod build_advice;
mod bundle;
mod check;
mod clang;
mod config;
mod corpus;
mod cost;
pub mod defaults;
mod doctor;
mod dump;
pub mod exit;
pub mod explain;
pub mod files;
mod foreign;
mod gpu;
mod groups;
pub mod ir;
mod json;
mod launches;
mod llvm;
mod misspelled;
pub mod modules;
pub mod opt;
pub mod options;
mod pages;
mod record;
mod reduce;
pub mod registers;
#[cfg(feature = "report")]
mod report;
mod run;
mod shim;
mod stats;
pub mod targets;
mod time;
mod trial;
mod tune;
mod tune_gpu;
mod tune_program;
mod verify;
mod verify_gpu;
mod versions;

use clap::{CommandFactory, Parser, Subcommand};
use ptxasw_base::{console, interrupt};
use std::ffi::{OsStr, OsString};
use std::io;
use std::process::ExitCode;

/// An optimizing stage between a GPU compiler and ptxas.
#[derive(Parser)]
#[command(name = "ptxasw", version, about = "An optimizing stage between a GPU compiler and ptxas", disable_help_flag = true, after_long_help = exit::Exit::TABLE)]
pub struct Cli {
    #[command(flatten)]
    help: HelpArguments,
    #[command(subcommand)]
    command: Command,
}

/// Two lengths of help, for every command.
#[derive(clap::Args)]
pub struct HelpArguments {
    /// Shows this help.
    #[arg(short = 'h', long = "help", action = clap::ArgAction::HelpShort, global = true, help_heading = "Help")]
    help: Option<bool>,
    /// Shows every option, and all of what is to be known about each.
    #[arg(long, action = clap::ArgAction::HelpLong, global = true, help_heading = "Help")]
    help_all: Option<bool>,
    /// Whether texts for people are coloured: `auto` is for colour on terminals, unless `NO_COLOR` is set.
    // It is read before the command line is, by `choose_colour`.
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        global = true,
        help_heading = "Help",
        hide_short_help = true
    )]
    color: clap::ColorChoice,
}

#[derive(Subcommand)]
enum Command {
    /// Removes, joins and moves memory accesses, and lets lanes hand values to each other, where it can prove or test that results stay the same.
    Opt(opt::Arguments),
    /// Runs a kernel of a module on the CPU, with every access checked.
    Run(run::Arguments),
    /// Shows the verdict on each kernel, what became of its loads and stores and why, or what a code such as `C3-store` means.
    Explain(explain::Arguments),
    /// Makes one page of what became of modules and why: their code in step, lanes, costs, evidence.
    #[cfg(feature = "report")]
    Report(report::Arguments),
    /// Times a module and its rewritings on a GPU, and compares their results.
    Time(time::Arguments),
    /// Finds which choices are best for each kernel, and writes them into a settings file.
    Tune(tune::Arguments),
    Record(record::Arguments),
    /// Estimates what kernels cost: cycles, what their warps wait for, and the ratio of two modules. No GPU is needed.
    Cost(cost::Arguments),
    /// Runs an assembler on rewritten copies of its inputs: takes exactly its arguments.
    As(assemble::Arguments),
    /// Runs clang with ptxasw between its optimizer and its code generator, for device code: takes its command line.
    Clang(clang::Arguments),
    Bundle(bundle::Arguments),
    Shim(shim::Arguments),
    /// Runs a build command whose compilers call ptxasw in place of their assemblers.
    RunBuild(build::Arguments),
    /// Lists the tools that are installed, and tries a small kernel with each compiler.
    Doctor(doctor::Arguments),
    /// Prints the settings that hold, and where each comes from: a settings file, a variable, the default.
    Config(config::Arguments),
    /// Prints what a shell reads to complete this program's words.
    Completions(pages::CompletionArguments),
    /// Writes man pages.
    Man(pages::ManArguments),
    /// Sums up the figures that the calls of a build left in `PTXASW_STATS_DIR`.
    Stats(stats::Arguments),
    /// Examines a tree of PTX files: they parse, come out as they are, assemble, and give the same results.
    Corpus(corpus::Arguments),
    /// Replays certificates, which `opt --certificates` writes, by Z3 and a second solver.
    Check(check::Arguments),
    /// Finds the rewriting that makes a command fail.
    Bisect(bisect::Arguments),
    /// Shrinks a module for which a command fails.
    Reduce(reduce::Arguments),
    /// Packs what a report of a bug needs into one archive, without paths and names of this machine.
    Bug(bug::Arguments),
    /// Prints the SSA IR of a module's functions.
    Dump(dump::DumpArguments),
    /// Prints the memory trace of a module's kernels, with symbolic addresses.
    Trace(dump::TraceArguments),
    /// Runs two modules on the CPU, original and rewritten, and compares what they leave in memory.
    Verify(verify::Arguments),
}

/// An error that was rendered with its source line.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Diagnostic(pub String);

/// Whether a first argument is the name of a command, `help` among them.
pub fn is_command(word: &OsStr) -> bool {
    word == "help" || Cli::command().find_subcommand(word).is_some()
}

/// Shows why a command failed. Where a reader of the output has gone away, the program ends without a word.
pub fn failed(error: &anyhow::Error) -> ExitCode {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref());
    if causes.any(|cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe) {
        interrupt::end_by_closed_pipe();
    }
    // A diagnostic already looks like one; anything else is one line.
    match error.downcast_ref::<Diagnostic>() {
        Some(diagnostic) => ptxasw_base::say!("{diagnostic}"),
        None => ptxasw_base::say!("ptxasw: error: {}", in_one_line(error)),
    }
    ExitCode::FAILURE
}

/// An error and its causes in one line: many errors name their cause themselves.
pub fn in_one_line(error: &anyhow::Error) -> String {
    let mut causes = error.chain().map(ToString::to_string);
    let mut line = causes.next().unwrap_or_default();
    for cause in causes.filter(|cause| !cause.is_empty()) {
        if !line.contains(&cause) {
            line = format!("{line}: {cause}");
        }
    }
    line
}

/// Takes `--color` out of words that are not read yet: their errors are coloured, too.
fn choose_colour(words: &[OsString]) -> clap::ColorChoice {
    let words = words.iter().take_while(|word| *word != OsStr::new("--"));
    let mut words = words.filter_map(|word| word.to_str());
    let mut choice = clap::ColorChoice::Auto;
    while let Some(word) = words.next() {
        let given = match word.strip_prefix("--color") {
            Some("") => words.next(),
            Some(value) => value.strip_prefix('='),
            None => None,
        };
        // An invalid value is reported when all arguments are read.
        choice = given.and_then(|value| value.parse().ok()).unwrap_or(choice);
    }
    console::choose(match choice {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    });
    choice
}

/// Reads the command line of a program, below it the settings file and variables. Where it makes no sense the process ends.
///
/// # Errors
/// The settings file is wrong.
pub fn parse<C: Parser>() -> anyhow::Result<C> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let command = C::command().color(choose_colour(&words));
    let command = match command.has_subcommands() {
        true => groups::grouped(command),
        false => command,
    };
    let words = defaults::applied(&command, words);
    let words = words.map_err(|error| Diagnostic(error.to_string()))?;
    let matches = command.get_matches_from(words);
    Ok(C::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
}

/// Runs the command.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let done = |()| ExitCode::SUCCESS;
    match cli.command {
        Command::Opt(arguments) => opt::run(&arguments).map(done),
        Command::Run(arguments) => run::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments).map(done),
        #[cfg(feature = "report")]
        Command::Report(arguments) => report::run(&arguments).map(done),
        Command::Time(arguments) => time::run(&arguments),
        Command::Tune(arguments) => tune::run(&arguments),
        Command::Record(arguments) => record::run(&arguments),
        Command::Cost(arguments) => cost::run(&arguments),
        Command::As(arguments) => Ok(assemble::run(arguments)),
        Command::Clang(arguments) => Ok(clang::run(arguments)),
        Command::Bundle(arguments) => bundle::run(&arguments).map(done),
        Command::Shim(arguments) => shim::run(&arguments).map(done),
        Command::RunBuild(arguments) => build::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Config(arguments) => config::run(&arguments).map(done),
        Command::Completions(arguments) => pages::completions(&arguments).map(done),
        Command::Man(arguments) => pages::man(&arguments).map(done),
        Command::Stats(arguments) => stats::run(&arguments).map(done),
        Command::Corpus(arguments) => corpus::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Bisect(arguments) => bisect::run(&arguments),
        Command::Reduce(arguments) => reduce::run(&arguments),
        Command::Bug(arguments) => bug::run(&arguments),
        Command::Dump(arguments) => dump::dump(&arguments).map(done),
        Command::Trace(arguments) => dump::trace(&arguments).map(done),
        Command::Verify(arguments) => verify::run(&arguments),
    }
}
