//! `ptxasw opt`: rewrite a module.

use super::explain::verdicts;
use super::options::SynthesisArguments;
use super::registers::{self, RegisterArguments};
use super::verify::How;
use super::{files, ir, llvm, modules};
use crate::estimates;
use anyhow::Context;
use clap::{Args, ValueEnum};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use ptxasw_base::interrupt;
use ptxasw_base::names::shown;
use ptxasw_base::progress::Progress;
use ptxasw_driver::Judged;
use ptxasw_driver::guard::Checked;
use ptxasw_driver::pipeline::ssa::Report;
use ptxasw_driver::pipeline::{self, Decisions, FrontEnd, Module, record};
use ptxasw_driver::report::explain;
use ptxasw_driver::report::positions::SourceLines;
use ptxasw_driver::report::stats::Figures;
use ptxasw_driver::report::verdict::{self, Estimates};
use ptxasw_driver::{Comparison, Wanted};
use ptxasw_emulator::certificate::{self, ModuleCertificates, PassObligations, index};
use ptxasw_machine::toolchain::Arch;
use ptxasw_passes::shuffle::Shuffle;
use ptxasw_passes::shuffle::lower::Variant;
use ptxasw_passes::{BadPass, Pass};
use ptxasw_ptx::decode::form;
use ptxasw_ptx::text::edit;
use ptxasw_verify::{Tally, Verdict};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

/// What a module of LLVM IR is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Emit {
    /// LLVM IR as text.
    Ll,
    /// Bitcode.
    Bc,
    /// PTX, by LLVM's code generator.
    Ptx,
    /// Machine code, by `ptxas` in turn.
    Cubin,
}

/// The command's options.
#[derive(Args)]
pub struct Arguments {
    /// The module; `-` for standard input.
    pub input: PathBuf,
    /// Where the rewritten module goes; `-` for standard output. It may be the input.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// LLVM IR only: what is written, by default what the output's extension says.
    #[arg(long, value_enum, value_name = "KIND")]
    pub emit: Option<Emit>,
    #[command(flatten)]
    pub synthesis: SynthesisArguments,
    /// Passes of LLVM.
    #[command(flatten)]
    pub passes: ir::PassArguments,
    /// Prints the SSA IR of the chosen functions behind this pass, on standard error.
    #[arg(long, value_name = "PASS", value_parser = pass, help_heading = "Reports", hide_short_help = true)]
    print_after: Option<&'static str>,
    /// Writes the plan as JSON.
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    plan: Option<PathBuf>,
    /// Writes what was proved to a folder, one SMT-LIB 2 file for each claim; `ptxasw check` replays them.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["no_load", "no_corner"], help_heading = "Reports")]
    certificates: Option<PathBuf>,
    /// Measuring variant of the paper: covered loads are dropped, no shuffles. The output is wrong on purpose.
    #[arg(
        long,
        conflicts_with = "no_corner",
        help_heading = "Reports",
        hide_short_help = true
    )]
    no_load: bool,
    /// Measuring variant of the paper: shuffles without corner loads. The output is wrong on purpose.
    #[arg(long, help_heading = "Reports", hide_short_help = true)]
    no_corner: bool,
    /// Runs each rewritten kernel and its original on the CPU, as `verify` does, and keeps the original where anything
    /// differs. A kernel that could not be run stays rewritten, with a warning; with `strict` it does not.
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "usual",
        conflicts_with_all = ["no_load", "no_corner"], help_heading = "Checks")]
    pub verify: Option<Strictness>,
    /// What `--verify` runs: a launch file or line. Without one, launches are made up.
    #[arg(
        long,
        value_name = "FILE|LINE",
        requires = "verify",
        help_heading = "Checks"
    )]
    launch: Vec<String>,
    #[command(flatten)]
    registers: RegisterArguments,
    /// Adds a line for each load and store that was changed or may be, and an estimate of how much faster kernels are, for which a launch of
    /// each is executed.
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Reports")]
    verbose: bool,
    /// Prints a table of what was found, and how it was proved, on standard error.
    #[arg(long, help_heading = "Reports")]
    stats: bool,
    /// Nothing on standard error but errors.
    #[arg(short, long, help_heading = "Reports")]
    pub quiet: bool,
}

/// The name of a pass.
fn pass(name: &str) -> Result<&'static str, BadPass> {
    ptxasw_passes::named(name).map(Pass::name)
}

/// What becomes of kernels that could not be compared.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Strictness {
    /// What could not be run stays rewritten.
    Usual,
    /// Only what was found equal stays rewritten: every shuffle was reached, no result depends on the schedule.
    Strict,
}

impl Arguments {
    /// What is made of covered loads.
    pub fn variant(&self) -> Variant {
        match (self.no_load, self.no_corner) {
            (true, _) => Variant::NoLoad,
            (_, true) => Variant::NoCorner,
            _ => Variant::Normal,
        }
    }

    /// Refuses to lose what the command reads or writes: the output may be the input, nothing else.
    ///
    /// # Errors
    /// The plan or the certificates would be written over another file of the command.
    pub fn check_places(&self) -> anyhow::Result<()> {
        let files = [("the input", &*self.input), ("the output", &*self.output)];
        let records = [
            ("`--plan`", self.plan.as_deref()),
            ("`--certificates`", self.certificates.as_deref()),
        ];
        for (option, path) in records {
            let Some(path) = path else { continue };
            // `-` is read from the standard input and written to the standard output.
            let from = usize::from(self.input == Path::new("-"));
            for file in &files[from..] {
                files::distinct((option, path), *file)?;
            }
        }
        match (self.plan.as_deref(), self.certificates.as_deref()) {
            (Some(plan), Some(folder)) => {
                files::distinct(("`--plan`", plan), ("`--certificates`", folder))
            }
            _ => Ok(()),
        }
    }

    /// As the pipeline takes them.
    ///
    /// # Errors
    /// A pattern of kernels is none, or the pass of `--print-after` does not run.
    pub fn options(&self) -> anyhow::Result<ptxasw_driver::pipeline::Options> {
        let certificates = self.plan.is_some() || self.certificates.is_some();
        let mut options = self.synthesis.options(self.variant(), certificates);
        // Without a report the proofs of what is declined anyway are left out.
        options.synthesis.only_text = self.quiet && !(certificates || self.stats);
        if let Some(pass) = self.print_after {
            let runs = options.passes.names().any(|name| name == pass);
            anyhow::ensure!(
                runs,
                "`--print-after {pass}`: the pass does not run (`--passes`)"
            );
        }
        Ok(ptxasw_driver::pipeline::Options {
            print_after: self.print_after,
            ..options
        })
    }

    /// How rewritten kernels are compared. `module` is the original, as PTX.
    ///
    /// # Errors
    /// The launches don't fit.
    pub fn verification(&self, module: &form::Module) -> anyhow::Result<ptxasw_verify::Options> {
        let how = How::with_launches(self.launch.clone());
        let mut options = how.options(module, self.synthesis.jobs(), |_| true)?;
        if !self.quiet {
            options.progress = Progress::bar();
        }
        Ok(options)
    }

    /// Says what is not equal, and what could not be compared.
    pub fn say_judged(&self, judged: &[Judged]) {
        for Judged { report, kept } in judged.iter().filter(|_| !self.quiet) {
            let what = match (&report.verdict, kept) {
                (Verdict::Equal, true) => {
                    let (name, tally) = (shown(&report.kernel), Tally::of(report));
                    ptxasw_base::say!("ptxasw: {name}: verified: equal in {tally}");
                    continue;
                }
                (Verdict::Equal, false) => "could only be compared in part, the original is kept",
                (Verdict::Different(_), _) => "gives other results, the original is kept",
                (Verdict::UndefinedBehaviour(_), _) => {
                    "has undefined behaviour of its own, the original is kept"
                }
                (Verdict::CouldNotRun(_), true) => "could not be compared, it stays rewritten",
                (Verdict::CouldNotRun(_), false) => "could not be compared, the original is kept",
            };
            ptxasw_base::say!("ptxasw: warning: kernel `{}`: {what}", report.kernel);
        }
    }

    /// Prints what the passes did to the module of this text, as far as it was asked for, and their internal errors.
    pub fn say_passed(&self, reports: &[Report], printed: &str, text: &[u8]) {
        let path = files::display(&self.input);
        let sources = match self.verbose {
            true => SourceLines::of(text),
            false => SourceLines::default(),
        };
        // Where a function went back, its remarks say why.
        let refusal = |report: &Report| report.refusal().filter(|_| report.reverted().is_none());
        for report in reports.iter().filter(|_| !self.quiet) {
            for remark in report.news().filter(|_| self.verbose) {
                let at = sources.position(remark.place.line);
                let at = at.map(|at| at.to_string());
                let at = at.unwrap_or_else(|| format!("{path}:{}", remark.place.line));
                let (name, what) = (shown(&report.function), remark.sentence());
                ptxasw_base::say!("{at}: remark: {name}: {what} [ptxasw-{}]", report.pass);
            }
            for line in report.tries().filter(|_| self.verbose) {
                ptxasw_base::say!("ptxasw: {line}");
            }
            if let Some(refusal) = refusal(report) {
                ptxasw_base::say!("ptxasw: warning: {refusal}");
            }
        }
        if !printed.is_empty() {
            ptxasw_base::say!("{}", printed.trim_end());
        }
    }

    /// What is to be examined. `launches` are those of [`Self::verification`], `arch` is the target of the machine code.
    pub fn wanted<'a>(
        &self,
        launches: &'a dyn Fn(&form::Module) -> anyhow::Result<ptxasw_verify::Options>,
        arch: impl FnOnce() -> Result<Arch, String>,
    ) -> Wanted<'a> {
        let checks = self.registers.is_wanted() && self.variant() == Variant::Normal;
        Wanted {
            comparison: self.verify.map(|strictness| Comparison {
                strict: strictness == Strictness::Strict,
                options: launches,
            }),
            registers: checks.then(arch),
        }
    }

    /// Says which kernels lose by their registers, and how, or that nothing is known of that.
    pub fn say_checked(&self, checked: &Checked) {
        registers::say(checked, &self.input, self.quiet);
    }

    /// Says what was done, as far as it was asked for, and writes plans and certificates.
    ///
    /// # Errors
    /// One of them can't be written.
    pub fn record(&self, decisions: Decisions) -> anyhow::Result<()> {
        if self.variant() != Variant::Normal && !self.quiet {
            ptxasw_base::say!(
                "ptxasw: warning: the output is wrong on purpose: a measuring variant without its loads"
            );
        }
        let searches = decisions.searches().map(|(_, search)| search);
        let searches: Vec<_> = searches.collect();
        let open = searches.iter().map(|one| one.questions.solver.no_library);
        let open: u64 = open.sum();
        if open > 0 && !self.quiet {
            ptxasw_base::say!(
                "ptxasw: warning: Z3's library could not be loaded: {open} questions to it stay open"
            );
        }
        if self.stats {
            ptxasw_base::say!("{}", figures(decisions)?.table().to_string().trim_end());
        }
        let plans: Vec<_> = searches.iter().map(|one| &one.plan).collect();
        if let Some(path) = &self.plan {
            let json =
                serde_json::to_vec_pretty(&plans).context("cannot write the plan as JSON")?;
            files::write(path, &json)?;
        }
        if let Some(folder) = &self.certificates {
            let contents = ModuleCertificates {
                kernels: plans.iter().map(|plan| plan.certificates()).collect(),
                passes: proved(decisions.passes),
                claims: claims(decisions.passes),
            };
            interrupt::held(|| certificate::write(folder, &contents))?;
        }
        Ok(())
    }

    /// The verdicts, after all that they sum up; with `--verbose` what all rests on. `has_function`: the module defines a kernel or a function.
    pub fn report(&self, decisions: Decisions, has_function: bool, estimates: &Estimates) {
        if self.quiet {
            return;
        }
        let name = files::display(&self.input);
        if !has_function {
            ptxasw_base::say!("ptxasw: {name}: no kernel and no function: nothing is rewritten");
            return;
        }
        let verdicts = verdicts(decisions).into_iter();
        let verdicts: Vec<_> = verdicts.map(|one| one.estimated(estimates)).collect();
        let lines = verdict::lines(&name, &verdicts).into_iter();
        for line in lines.chain(verdict::reasons(&verdicts)) {
            ptxasw_base::say!("ptxasw: {line}");
        }
        if self.verbose {
            ptxasw_base::say!("ptxasw: {}", explain::ASSUMPTION);
        }
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let options = arguments.options()?;
    let input = files::read(&arguments.input)?;
    llvm::hand_over(&arguments.input, &input)?;
    arguments.passes.refuse_for_ptx()?;
    arguments.check_places()?;
    anyhow::ensure!(
        arguments.emit.is_none(),
        "the input is PTX: `--emit` is for LLVM IR"
    );
    let module = modules::read_any(
        &arguments.input,
        &input,
        options.jobs,
        arguments.synthesis.arch(),
        arguments.quiet,
    )?;
    let module = Module::of_tree(&input, module);
    let names = modules::names(module.tree());
    modules::check_choices(&arguments.input, &options, names, arguments.quiet)?;
    let folder = record::folder();
    let options = ptxasw_driver::settled(&module, &options, (folder.as_deref(), "ptx"));
    let options =
        options.map_err(|error| files::stage_error(error.into(), &arguments.input, &input))?;
    let launches = |original: &form::Module| arguments.verification(original);
    let arch = || registers::arch(arguments.synthesis.arch(), &input);
    let wanted = arguments.wanted(&launches, arch);
    let failed = |error| files::stage_error(error, &arguments.input, &input);
    let (passed, found) = ptxasw_driver::run(module, &options, &wanted).map_err(failed)?;
    arguments.say_judged(&found.judged);
    arguments.say_checked(&found.checked);
    arguments.say_passed(&passed.reports, &passed.printed, &input);
    // The process is about to end: to take its tree and its verdicts apart first, one by one, would cost a twentieth of its time.
    let passed = ManuallyDrop::new(passed);
    let module = &passed.module;
    let edits = pipeline::edits(module, &passed.pending);
    let pieces = edit::pieces(module.text(), &edits);
    let pieces = pieces.map_err(|error| failed(pipeline::Error::from(error).into()))?;
    let decisions = Decisions {
        input: &passed.accesses(&options),
        passes: &passed.reports,
    };
    arguments.record(decisions)?;
    files::write_pieces(&arguments.output, &pieces)?;
    if options.print_after == Some(Shuffle.name()) {
        let text = pieces.concat();
        let printed = Module::read(&text, options.jobs).map_err(pipeline::Error::from);
        let printed = printed.and_then(|module| module.print(&options));
        let printed = printed.map_err(|error| failed(error.into()))?;
        ptxasw_base::say!("{}", printed.trim_end());
    }
    let estimates = match arguments.verbose && !arguments.quiet && arguments.registers.is_wanted() {
        true => {
            let arch = arguments.synthesis.arch();
            let arch = arch.and_then(|arch| arch.parse().ok());
            estimates::of(
                Ok([(&input).into(), pieces.concat().into()]),
                &verdicts(decisions),
                &[],
                (arch, None),
            )
        }
        false => Estimates::default(),
    };
    let has_function = modules::has_function(module.tree());
    arguments.report(decisions, has_function, &estimates);
    Ok(())
}

/// What the rewriting of the passes within lanes rests on: certificates of shuffles have their own.
fn claims(passes: &[Report]) -> Vec<index::Claim> {
    let passes = passes.iter().filter(|report| report.search.is_none());
    let claims = passes.flat_map(|report| {
        report.claims.iter().map(|claim| index::Claim {
            pass: report.pass.to_owned(),
            function: report.function.to_string(),
            site: claim.site.clone(),
            evidence: claim.evidence.clone(),
        })
    });
    claims.collect()
}

/// What of it solvers can check.
fn proved(passes: &[Report]) -> Vec<PassObligations<'_>> {
    let proved = passes
        .iter()
        .filter(|report| !report.obligations.is_empty());
    let proved = proved.map(|report| PassObligations {
        pass: report.pass,
        function: &report.function,
        obligations: &report.obligations,
    });
    proved.collect()
}

/// The figures of one module.
fn figures(decisions: Decisions) -> anyhow::Result<Figures> {
    let mut figures = Figures {
        modules: 1,
        ..Figures::default()
    };
    for (_, of_function) in Figures::by_function(decisions) {
        figures.add(&of_function);
    }
    let used = getrusage(UsageWho::RUSAGE_SELF).context("cannot read the processor time")?;
    let time = used.user_time() + used.system_time();
    figures.milliseconds = time.num_microseconds() as f64 / 1e3;
    Ok(figures)
}
