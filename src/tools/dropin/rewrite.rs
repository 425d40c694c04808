//! Our own work on the modules of one call: what runs in the isolated child, and what it hands over.

use ptxasw_driver::guard;
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::pipeline::ssa;
use ptxasw_driver::pipeline::{self, Decisions, Module, Output};
use ptxasw_driver::report::explain;
use ptxasw_driver::report::remarks::{self, Format};
use ptxasw_driver::report::stats::Figures;
use ptxasw_driver::{Comparison, Wanted};
use ptxasw_emulator::solver;
use ptxasw_passes::memory::Loads;
use ptxasw_ptx::decode::form;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// A module that is to be rewritten.
pub struct Task<'a> {
    /// How remarks name it.
    pub name: &'a str,
    /// Its text.
    pub text: &'a [u8],
}

/// What became of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Done {
    /// Why it was left alone, if by a fault of ours or of the text's.
    pub failure: Option<String>,
    /// The functions that were changed, each with whether it is a kernel.
    pub changed: Vec<(String, bool)>,
    /// Of these, functions whose arithmetic passes changed, each with whether it is a kernel.
    pub arithmetic: Vec<(String, bool)>,
    /// Of these, kernels of which no block waits for another.
    pub independent: Vec<String>,
    /// Of these, functions that the memory pass changed, each with the lowest level that is expected to come to the same.
    pub least: Vec<(String, Loads)>,
    /// Those whose analysis went wrong, and how.
    pub faults: Vec<(String, String)>,
    /// Figures of its kernels, by name.
    pub kernels: Vec<(String, Figures)>,
    /// Milliseconds of our own work.
    pub milliseconds: f64,
    /// The rewritten text; empty without shuffles.
    #[serde(skip)]
    pub text: Vec<u8>,
    /// Remarks in the format that was asked for.
    #[serde(skip)]
    pub remarks: Vec<u8>,
    /// Sizes of the two, in front of the bytes themselves.
    sizes: (usize, usize),
}

/// Rewrites all modules of a call.
pub fn rewrite(tasks: &[Task], target: Option<u32>, settings: &Settings) -> Vec<Done> {
    tasks
        .iter()
        .map(|task| one(task, target, settings))
        .collect()
}

fn one(task: &Task, target: Option<u32>, settings: &Settings) -> Done {
    let start = Instant::now();
    let result = rewritten(task.text, target, settings);
    // What is emitted must not depend on the host.
    if let Some(missing) = solver::failure() {
        return Done {
            failure: Some(missing.to_string()),
            ..Done::default()
        };
    }
    match result {
        Ok((left, output)) => {
            let Output {
                text,
                passes,
                accesses,
                ..
            } = output;
            let decisions = Decisions {
                input: &accesses,
                passes: &passes,
            };
            let remarks = remarked(task, &left, decisions, settings);
            let mut done = Done::new(decisions, text, remarks);
            done.milliseconds = start.elapsed().as_secs_f64() * 1e3;
            done
        }
        Err(error) => Done {
            failure: Some(described(task, &error)),
            ..Done::default()
        },
    }
}

/// The remarks that the settings ask for. `left` is the module that the passes over the SSA IR left.
fn remarked(task: &Task, left: &Module, decisions: Decisions, settings: &Settings) -> Vec<u8> {
    let Some(format) = settings.remarks.as_deref().map(Format::of) else {
        return Vec::new();
    };
    explain::with_subject(task.name, left, decisions, |module| {
        remarks::write(format, module)
    })
}

/// The module that the passes over the SSA IR leave, and what becomes of it: remarks on loads have lines of the former.
fn rewritten<'t>(
    text: &'t [u8],
    target: Option<u32>,
    settings: &Settings,
) -> Result<(Module<'t>, Output), ptxasw_driver::Error> {
    let options = settings.options(target, true);
    let module = Module::read(text, settings.options.jobs).map_err(pipeline::Error::from)?;
    let record = (settings.record_dir.as_deref(), "ptx");
    let options = ptxasw_driver::settled(&module, &options, record)?;
    let how = ptxasw_verify::Options {
        jobs: settings.options.jobs,
        ..ptxasw_verify::Options::default()
    };
    let how = |_: &form::Module| Ok(how.clone());
    // Registers are looked at when the build's own assembler has run.
    let wanted = Wanted {
        comparison: settings.verify.then_some(Comparison {
            strict: false,
            options: &how,
        }),
        registers: None,
    };
    let (passed, _) = ptxasw_driver::run(module, &options, &wanted)?;
    Ok(Output::of(passed, &options).map_err(pipeline::Error::from)?)
}

impl Done {
    /// Whether a function was changed.
    pub fn has_changed(&self, function: &str) -> bool {
        self.changed.iter().any(|(name, _)| name == function)
    }

    /// Of a module that was rewritten: what was decided about it, the new text, remarks.
    pub fn new(decisions: Decisions, text: Vec<u8>, remarks: Vec<u8>) -> Self {
        let passes = decisions.passes;
        let changed = guard::changed(passes);
        let faults = passes.iter().filter_map(|report| {
            let fault = format!("pass `{}`: {}", report.pass, report.fault()?);
            Some((report.function.to_string(), fault))
        });
        Done {
            failure: None,
            arithmetic: guard::arithmetic::changed(passes),
            independent: ssa::wait_for_none(passes).map(str::to_owned).collect(),
            least: ssa::least(passes).collect(),
            faults: faults.collect(),
            kernels: Figures::by_function(decisions),
            milliseconds: 0.0,
            remarks,
            text: match changed.is_empty() {
                true => Vec::new(),
                false => text,
            },
            changed,
            sizes: (0, 0),
        }
    }
}

/// An error in one line, with its place.
fn described(task: &Task, error: &ptxasw_driver::Error) -> String {
    let at = match error {
        ptxasw_driver::Error::FrontEnd(pipeline::Error::Syntax(error)) => Some(error.span),
        ptxasw_driver::Error::FrontEnd(pipeline::Error::Decode(errors)) => {
            errors.0.first().map(|error| error.span)
        }
        _ => None,
    };
    let message = error.to_string();
    let message = message.lines().next().unwrap_or_default();
    match at {
        Some(span) => {
            let before = &task.text[..(span.start as usize).min(task.text.len())];
            let line = memchr::memchr_iter(b'\n', before).count() + 1;
            format!("line {line}: {message}")
        }
        None => message.to_string(),
    }
}

/// As bytes for the pipe between child and parent: one line of JSON, then the texts.
pub fn encode(mut all: Vec<Done>) -> Vec<u8> {
    for done in &mut all {
        done.sizes = (done.text.len(), done.remarks.len());
    }
    let mut bytes = serde_json::to_vec(&all).unwrap_or_default();
    bytes.push(b'\n');
    for done in all {
        bytes.extend_from_slice(&done.text);
        bytes.extend_from_slice(&done.remarks);
    }
    bytes
}

/// The other way round; nothing, if the bytes are cut.
pub fn decode(bytes: &[u8]) -> Option<Vec<Done>> {
    let end = memchr::memchr(b'\n', bytes)?;
    let mut all: Vec<Done> = serde_json::from_slice(&bytes[..end]).ok()?;
    let mut rest = &bytes[end + 1..];
    for done in &mut all {
        let (text, tail) = rest.split_at_checked(done.sizes.0)?;
        let (remarks, tail) = tail.split_at_checked(done.sizes.1)?;
        (done.text, done.remarks) = (text.to_vec(), remarks.to_vec());
        rest = tail;
    }
    Some(all)
}
