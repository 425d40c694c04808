//! `ptxasw explain`: what became of the loads of a module, or what a code means.

use super::options::SynthesisArguments;
use super::registers::{self, RegisterArguments};
use super::{files, ir, json, llvm, modules};
use crate::estimates::{self, variants};
use anyhow::bail;
use clap::Args;
use ptxasw_driver::Wanted;
use ptxasw_driver::pipeline::{self, Decisions, Module};
use ptxasw_driver::report::explain::{self, Detail, Subject};
use ptxasw_driver::report::function;
use ptxasw_driver::report::verdict::{Estimates, FunctionVerdict};
use ptxasw_passes::shuffle::lower::Variant;
use ptxasw_ptx::text::edit;
use ptxasw_ptx::write::Written;
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
    /// The module (`-` for standard input), or a code to explain: a condition (`C3`), a scheme (`F`), a reason (`C3-store`).
    input: PathBuf,
    /// How much is shown.
    #[command(flatten)]
    pub detail: DetailArguments,
    #[command(flatten)]
    synthesis: SynthesisArguments,
    /// Of what passes over the SSA IR change.
    #[command(flatten)]
    registers: RegisterArguments,
    #[command(flatten)]
    passes: ir::PassArguments,
}

/// How much is shown, and in which form.
#[derive(Args)]
pub struct DetailArguments {
    /// Shows every load with its source line, and how each condition was met.
    #[arg(long, conflicts_with_all = ["load", "json"])]
    full: bool,
    /// Shows the load of a line alone: `@38` or `38`. May be given several times.
    #[arg(long, value_name = "@LINE", value_parser = line, conflicts_with = "json")]
    load: Vec<u32>,
    /// Prints the report as JSON.
    #[arg(long)]
    json: bool,
    /// Prints the remarks as SARIF 2.1.0, which code hosts show beside the lines of a change.
    #[arg(long, conflicts_with_all = ["full", "load", "json"])]
    sarif: bool,
    /// Makes no estimate of how much faster kernels are: that executes a launch of each and takes longer than all else.
    #[arg(long)]
    no_estimate: bool,
    /// Nothing on standard error but errors.
    #[arg(short, long)]
    pub quiet: bool,
}

/// A number of a line, with or without `@`.
fn line(text: &str) -> Result<u32, String> {
    let number = text.strip_prefix('@').unwrap_or(text).parse();
    number.map_err(|_| "expected the number of a line, such as `@38`".to_string())
}

impl DetailArguments {
    /// Estimates are part of the report.
    pub fn has_estimates(&self) -> bool {
        !self.no_estimate && !self.sarif && self.load.is_empty()
    }

    /// The report in the form that was asked for.
    ///
    /// # Errors
    /// No load is at a line that was asked for.
    pub fn render(&self, subject: &Subject) -> anyhow::Result<String> {
        if self.json {
            return json::text(explain::FORMAT, &subject.json());
        }
        if self.sarif {
            return Ok(serde_json::to_string_pretty(&subject.sarif())? + "\n");
        }
        if let Some(line) = self.load.iter().find(|line| !subject.has_line(**line)) {
            bail!(
                "`{}`: no load and no store is at line {line}; `--full` shows all of them",
                subject.path
            );
        }
        let detail = match (self.full, self.load.is_empty()) {
            (true, _) => Detail::Full,
            (_, false) => Detail::Lines(self.load.clone()),
            _ => Detail::Brief,
        };
        Ok(subject.text(&detail))
    }
}

/// The page of a code, for programs.
#[derive(Serialize)]
struct Page {
    text: String,
}

/// The page of a code, if the input is one and no file of that name is there.
fn page(input: &Path) -> anyhow::Result<Option<String>> {
    if input == Path::new("-") || input.exists() {
        return Ok(None);
    }
    let word = input.to_string_lossy();
    if let Some(page) = explain::page(&word) {
        return Ok(Some(page));
    }
    let similar = explain::similar(&word);
    let named: Vec<String> = similar.iter().map(|code| format!("`{code}`")).collect();
    match &named[..] {
        [] => Ok(None),
        [code] => bail!("`{word}` is neither a file nor a code; did you mean {code}?"),
        [first @ .., last] => bail!(
            "`{word}` is neither a file nor a code; did you mean {} or {last}?",
            first.join(", ")
        ),
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(text) = page(&arguments.input)? {
        return match arguments.detail.json {
            true => json::print(explain::FORMAT, &Page { text }),
            false => files::print(&text),
        };
    }
    let options = arguments.synthesis.options(Variant::Normal, false);
    let path = &arguments.input;
    let text = files::read(path)?;
    llvm::hand_over(path, &text)?;
    arguments.passes.refuse_for_ptx()?;
    let module = modules::read(
        path,
        &text,
        1,
        arguments.synthesis.arch(),
        arguments.detail.quiet,
    )?;
    let module = Module::of_tree(&text, module);
    let quiet = arguments.detail.quiet;
    modules::check_choices(path, &options, modules::names(module.tree()), quiet)?;
    let chosen = options;
    let options = ptxasw_driver::settled(&module, &chosen, (None, "ptx"));
    let options = options.map_err(|error| files::stage_error(error.into(), path, &text))?;
    let arch = || registers::arch(arguments.synthesis.arch(), &text);
    let wanted = Wanted {
        registers: arguments.registers.is_wanted().then(arch),
        ..Wanted::default()
    };
    let (passed, found) = ptxasw_driver::run(module, &options, &wanted)
        .map_err(|error| files::stage_error(error, path, &text))?;
    registers::say(&found.checked, path, arguments.detail.quiet);
    let path = files::display(path);
    let decisions = Decisions {
        input: &passed.accesses(&options),
        passes: &passed.reports,
    };
    let estimates = match arguments.detail.has_estimates() {
        false => Estimates::default(),
        true => {
            let after = rewritten(&passed.module, &passed.pending)?;
            let arch = arguments
                .synthesis
                .arch()
                .and_then(|arch| arch.parse().ok());
            let functions = function::of_module(decisions);
            let variants = variants::all(&text, &functions, &chosen, &wanted);
            let texts = Ok([(&text).into(), after.into()]);
            estimates::of(texts, &verdicts(decisions), &variants, (arch, None))
        }
    };
    let report = explain::with_subject(&path, &passed.module, decisions, |subject| {
        subject.estimates = estimates;
        arguments.detail.render(subject)
    })?;
    files::print(&report)
}

/// The text that all passes left.
pub fn rewritten(module: &Module, pending: &[(usize, Written)]) -> anyhow::Result<Vec<u8>> {
    let edits = pipeline::edits(module, pending);
    Ok(edit::apply(module.text(), &edits)?)
}

/// The verdict on each function.
pub fn verdicts(decisions: Decisions) -> Vec<FunctionVerdict> {
    let functions = function::of_module(decisions);
    functions.iter().map(FunctionVerdict::of).collect()
}
