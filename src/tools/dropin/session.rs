//! One call with inputs that may be rewritten, from reading them to the last warning.

use super::arguments::Arguments;
use super::became;
use super::call::{self, Assembled, Call};
use super::inputs::{self, Text};
use super::isolation::{self, Child, Crash};
use super::rewrite::{self, Done, Task};
use super::trials::{self, Trials};
use super::warning::{self, Failure};
use ptxasw_base::atomic_file;
use ptxasw_base::named::Named;
use ptxasw_base::process;
use ptxasw_driver::guard::{self, SentBack};
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::report::files;
use ptxasw_driver::report::remarks::{self, Format};
use ptxasw_driver::report::stats::Figures;
use ptxasw_driver::report::verdict;
use ptxasw_machine::cache;
use std::cell::RefCell;
use std::process::ExitCode;

/// Runs a call to its end.
pub fn run(call: &Call, arguments: &Arguments, settings: &Settings) -> ExitCode {
    let texts = match inputs::read(arguments) {
        Ok(texts) => texts,
        // The real tool has its own words for what can't be read.
        Err(_) => return became(call, call.become_real()),
    };
    let session = Session {
        call,
        arguments,
        settings,
        texts,
        children: RefCell::default(),
    };
    session.run()
}

pub(super) struct Session<'a> {
    pub(super) call: &'a Call,
    pub(super) arguments: &'a Arguments,
    pub(super) settings: &'a Settings,
    pub(super) texts: Vec<Text>,
    /// Of our own work, whose results are here.
    children: RefCell<Vec<Child>>,
}

/// What is taken in the end.
#[derive(Default)]
struct Result {
    /// What the real tool made of it; nothing if it is to have the original.
    assembled: Option<Assembled>,
    /// What was done to each input.
    done: Vec<Done>,
    /// Figures of all kernels, before any went back.
    kernels: Vec<(String, Figures)>,
    /// How many of these are of each input.
    of_input: Vec<usize>,
    /// Kernels that went back, and why.
    sent_back: Vec<SentBack>,
    /// Kernels that stay with fewer warps, and why.
    accepted: Vec<(String, String)>,
    /// What went wrong, if anything did.
    failures: Vec<Failure>,
}

impl Result {
    /// Whether what was done to a function is in the output.
    fn keeps(&self, name: &str) -> bool {
        self.assembled.is_some() && is_changed(&self.done, name)
    }
}

impl Session<'_> {
    fn run(&self) -> ExitCode {
        if !self.texts.iter().any(|text| inputs::is_ptx(&text.bytes)) {
            return self.original();
        }
        let result = match self.rewrite(self.settings) {
            Ok(done) => self.assemble(done),
            Err(crash) => Result {
                failures: vec![Failure::whole(crash)],
                ..Result::default()
            },
        };
        self.keep(&result);
        if self.settings.strict && !result.failures.is_empty() {
            return self.strict(&result);
        }
        let assembled = result.assembled.as_ref();
        let published = assembled.and_then(|assembled| self.publish(assembled));
        let code = match published {
            Some(code) => code,
            None => self.original(),
        };
        // Where the input itself is at fault the real tool has reported it.
        if code == ExitCode::SUCCESS {
            for failure in result.failures.iter().take(1) {
                ptxasw_base::say!("{}", self.warning(failure));
            }
        }
        self.record(&result);
        code
    }

    /// The real tool on the original inputs. Its output, too, appears at once.
    fn original(&self) -> ExitCode {
        let used_up = |text: &Text| text.used_up;
        let texts: Vec<Option<&[u8]>> = self
            .texts
            .iter()
            .map(|text| used_up(text).then_some(&text.bytes[..]))
            .collect();
        match self.real(&texts) {
            Ok(assembled) if !assembled.ran.status.success() => {
                let _ = call::replay(&assembled.ran);
                process::end_like(assembled.ran.status)
            }
            Ok(assembled) if !assembled.output.is_empty() => match self.publish(&assembled) {
                Some(code) => code,
                None => self.become_real(),
            },
            _ => self.become_real(),
        }
    }

    /// Runs the real tool to its end, with these texts in place of inputs.
    fn real(&self, texts: &[Option<&[u8]>]) -> std::io::Result<Assembled> {
        let assembled = self.call.assemble(self.arguments, texts);
        // They have ended meanwhile; what they used counts as ours only when that is known.
        self.children.take();
        assembled
    }

    /// The last resort, without any help of ours.
    fn become_real(&self) -> ExitCode {
        self.children.take();
        let real = self.call.become_real_with(self.arguments, &self.texts);
        became(self.call, real)
    }

    /// Our own work, in a child.
    pub(super) fn rewrite(&self, settings: &Settings) -> std::result::Result<Vec<Done>, Crash> {
        let names: Vec<String> = self
            .arguments
            .inputs
            .iter()
            .map(|input| input.name())
            .collect();
        let tasks: Vec<Task> = names
            .iter()
            .zip(&self.texts)
            .map(|(name, text)| Task {
                name,
                text: &text.bytes,
            })
            .collect();
        let target = self.arguments.target;
        let work = || rewrite::encode(rewrite::rewrite(&tasks, target, settings));
        let (bytes, child) = isolation::isolated(work)?;
        self.children.borrow_mut().push(child);
        rewrite::decode(&bytes).ok_or(Crash::Silent)
    }

    /// Lets the real tool have the rewritten texts, and takes back what loses by it.
    fn assemble(&self, first: Vec<Done>) -> Result {
        let mut result = Result {
            failures: failures(&first),
            kernels: first.iter().flat_map(|done| done.kernels.clone()).collect(),
            of_input: first.iter().map(|done| done.kernels.len()).collect(),
            ..Result::default()
        };
        let rewritten = trials::rewritten(&first);
        result.done = first;
        if rewritten.changed.is_empty() {
            return result;
        }
        let Some(mut trials) = Trials::of(self) else {
            match self.assembled(&rewritten.texts) {
                Ok(assembled) => result.assembled = Some(assembled),
                Err(cause) => result.failures.push(Failure::whole(cause)),
            }
            return result;
        };
        let kernels = rewritten.changed.clone();
        let choice = guard::choose(&mut trials, rewritten);
        if let Some(cause) = choice.rejected {
            result.failures.push(Failure::whole(cause));
            return result;
        }
        let is_kernel = |name: &str| !kernels.iter().any(|(one, entry)| one == name && !entry);
        let loads = |name: &str| self.settings.loads(name, self.arguments.target);
        result.sent_back = guard::sent_back(&choice.back, loads, is_kernel);
        result.accepted = choice.accepted;
        result.assembled = choice.made;
        if let Some((_, done)) = trials.last.filter(|(back, _)| *back == choice.back) {
            result.done = done;
        }
        result
    }

    /// The real tool's output for texts, of which none is one that is as it came, or why there is none.
    pub(super) fn assembled(&self, texts: &[Vec<u8>]) -> std::result::Result<Assembled, String> {
        let texts: Vec<Option<&[u8]>> = texts
            .iter()
            .zip(&self.texts)
            .map(|(text, came)| match text.is_empty() {
                true => came.used_up.then_some(&came.bytes[..]),
                false => Some(&text[..]),
            })
            .collect();
        match self.real(&texts) {
            Ok(assembled) if !assembled.ran.status.success() => {
                Err(rejected(self.call, &assembled))
            }
            Ok(assembled) if assembled.output.is_empty() => {
                Err(format!("{} wrote no output", self.call.tool.name()))
            }
            Ok(assembled) => Ok(assembled),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The output in its place, and what the real tool printed; nothing if it can't be written.
    fn publish(&self, assembled: &Assembled) -> Option<ExitCode> {
        atomic_file::write(call::output(self.arguments), &assembled.output).ok()?;
        // A closed stream is no reason to do all again.
        let _ = call::replay(&assembled.ran);
        Some(process::end_like(assembled.ran.status))
    }

    fn strict(&self, result: &Result) -> ExitCode {
        for failure in &result.failures {
            ptxasw_base::say!("{}", self.warning(failure));
        }
        ExitCode::from(self.call.tool.failure())
    }

    fn warning(&self, failure: &Failure) -> String {
        let what = match (self.settings.strict, &failure.kernel) {
            (true, _) => "nothing is assembled",
            (false, Some(_)) => "it is assembled as it was",
            (false, None) => "the original is assembled",
        };
        let folder = self.settings.save_temps.as_ref();
        let kept = folder.zip(self.kept_name());
        let kept = kept.map(|(folder, name)| folder.join(format!("{name}.input.ptx")));
        let kept = kept.filter(|path| path.is_file());
        warning::line(
            failure,
            what,
            kept.as_deref(),
            self.arguments,
            self.settings,
        )
    }

    /// How the names of files begin that `--ptxasw-save-temps` keeps of this call.
    fn kept_name(&self) -> Option<String> {
        let name = call::output(self.arguments).file_name()?;
        Some(name.to_string_lossy().into_owned())
    }

    fn keep(&self, result: &Result) {
        let Some(name) = self.kept_name() else {
            return;
        };
        for (number, text) in self.texts.iter().enumerate() {
            let part = match number {
                0 => String::new(),
                _ => format!("{number}."),
            };
            let rewritten = result.done.get(number).map(|done| &done.text[..]);
            let files = [
                (format!("{name}.{part}input.ptx"), Some(&text.bytes[..])),
                (
                    format!("{name}.{part}rewritten.ptx"),
                    rewritten.filter(|text| !text.is_empty()),
                ),
            ];
            files::keep(self.settings, &files);
        }
    }

    /// Remarks and figures.
    fn record(&self, result: &Result) {
        let figures = self.figures(result);
        if let Some(path) = &self.settings.remarks {
            let format = Format::of(path);
            let mut remarks: Vec<u8> = Vec::new();
            for (done, input) in result.done.iter().zip(&self.arguments.inputs) {
                remarks.extend_from_slice(&done.remarks);
                let keeps = |name: &str| result.keeps(name);
                let back = guard::messages(&result.sent_back, keeps);
                let accepted = result.accepted.iter();
                let accepted = accepted.filter(|(name, _)| done.has_changed(name));
                let accepted: Vec<_> = accepted.collect();
                let name = input.name();
                remarks.extend(remarks::write_judged(format, &name, &back, &accepted));
            }
            files::remarks(self.settings, &remarks);
        }
        if self.settings.verbose {
            let mut verdicts = &figures.verdicts[..];
            for (input, &count) in self.arguments.inputs.iter().zip(&result.of_input) {
                let (own, rest) = verdicts.split_at(count.min(verdicts.len()));
                verdicts = rest;
                for line in verdict::lines(&input.name(), own) {
                    ptxasw_base::say!("ptxasw: {line}");
                }
            }
        }
        files::figures(self.settings, &figures, self.digest());
        for (text, input) in self.texts.iter().zip(&self.arguments.inputs) {
            files::module(self.settings, &input.name(), &text.bytes);
        }
        files::table(self.settings, &figures);
    }

    fn figures(&self, result: &Result) -> Figures {
        let (cached, assembled) = cache::counts();
        let mut sum = Figures {
            cached,
            assembled,
            modules: self.texts.len() as u64,
            failed: result.failures.len() as u64,
            milliseconds: result.done.iter().map(|done| done.milliseconds).sum(),
            ..Figures::default()
        };
        let last = result.done.iter().flat_map(|done| &done.kernels);
        let why = |name: &str| guard::why(&result.sent_back, name);
        sum.add_kept(&result.kernels, last, |name| result.keeps(name), why);
        sum
    }

    /// Of what makes this call another than others of the same build.
    fn digest(&self) -> u128 {
        let mut hash = xxhash_rust::xxh3::Xxh3::new();
        hash.update(
            self.arguments
                .value(self.arguments.output)
                .as_encoded_bytes(),
        );
        for text in &self.texts {
            hash.update(&[0]);
            hash.update(&text.bytes);
        }
        hash.digest128()
    }
}

fn is_changed(done: &[Done], name: &str) -> bool {
    done.iter().any(|done| done.has_changed(name))
}

fn failures(done: &[Done]) -> Vec<Failure> {
    let modules = done.iter().filter_map(|done| done.failure.as_ref());
    let kernels = done.iter().flat_map(|done| &done.faults);
    modules
        .map(Failure::whole)
        .chain(kernels.map(|(kernel, cause)| Failure {
            kernel: Some(kernel.clone()),
            cause: format!("internal error: {cause}"),
        }))
        .collect()
}

/// The first line that reports an error.
fn rejected(call: &Call, assembled: &Assembled) -> String {
    let log = [&assembled.ran.stdout[..], &assembled.ran.stderr].concat();
    let log = String::from_utf8_lossy(&log);
    let line = log
        .lines()
        .find(|line| line.contains("error") || line.contains("fatal"));
    let line = line.map_or_else(String::new, |line| format!(": {line}"));
    format!(
        "{} does not take the rewritten text ({}){line}",
        call.tool.name(),
        assembled.ran.status
    )
}
