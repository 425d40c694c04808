//! One file.

use super::{Assembly, Options, Record};
use ptxasw_driver::compare;
use ptxasw_driver::pipeline::tuned::Tuned;
use ptxasw_driver::pipeline::{self, Error, Output, optimize};
use ptxasw_driver::report::stats::Figures;
use ptxasw_machine::toolchain::{Arch, Assembler, is_part};
use ptxasw_passes::Passes;
use ptxasw_passes::shuffle::{Shuffle, synthesis};
use ptxasw_verify::{Module, Verdict};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use xxhash_rust::xxh3::Xxh3;

/// Examines a text; nothing that happens to it ends the run. `path` is how the record names it.
pub fn examine(path: String, text: &[u8], options: &Options) -> Record {
    let mut record = Record {
        digest: digest(text, options),
        path,
        bytes: text.len() as u64,
        ..Record::default()
    };
    let start = Instant::now();
    let output = guarded(|| optimize(text, &options.pipeline));
    record.figures.milliseconds = milliseconds(start);
    record.figures.modules = 1;
    if options.assemble {
        let start = Instant::now();
        record.original = assembled(text);
        record.assembler_milliseconds = milliseconds(start);
    }
    match output {
        Err(fault) => record.fail(fault),
        Ok(Err(error @ Error::Edit(_))) => record.fail(error.to_string()),
        Ok(Err(error)) => record.error = Some(error.to_string()),
        Ok(Ok(output)) => record.see(text, output, options),
    }
    record
}

/// Of a text and of what is asked: a record with another one is out of date.
pub(super) fn digest(text: &[u8], options: &Options) -> String {
    let mut hash = Xxh3::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    hash.update(format!("{options:?}").as_bytes());
    hash.update(text);
    format!("{:032x}", hash.digest128())
}

impl Record {
    fn fail(&mut self, fault: String) {
        self.fault = Some(fault);
        self.figures.failed = 1;
    }

    fn see(&mut self, text: &[u8], output: Output, options: &Options) {
        for (_, figures) in Figures::by_function(output.decisions()) {
            self.figures.add(&figures);
        }
        for report in &output.passes {
            if let Some(fault) = report.fault() {
                self.fail(format!("kernel `{}`: {fault}", report.function));
            }
        }
        self.identical = guarded(|| untouched(text, options)).unwrap_or(false);
        self.rewritten = output.text != text;
        if !self.rewritten {
            return;
        }
        if options.assemble {
            self.output = assembled(&output.text);
        }
        if let Some(how) = &options.verify {
            let compared = || -> Result<_, pipeline::Error> {
                let original = Module::read(text)?;
                let changed = output.passes.iter().filter(|one| one.changed);
                let changed = changed.map(|one| &*one.function);
                Ok(compare(&original, &output.text, changed, how, false).0)
            };
            match guarded(compared) {
                Err(fault) => self.fail(fault),
                Ok(Err(error)) => self.fail(error.to_string()),
                Ok(Ok(judged)) => judged.iter().for_each(|one| self.judge(&one.report)),
            }
        }
    }

    fn judge(&mut self, report: &ptxasw_verify::KernelReport) {
        match report.verdict {
            Verdict::Equal => self.equal += 1,
            Verdict::Different(_) | Verdict::UndefinedBehaviour(_) => {
                self.different.push(report.kernel.to_string());
            }
            Verdict::CouldNotRun(_) => self.not_run += 1,
        }
    }
}

/// Whether a text with no shuffle allowed comes out as it is, and is read as what it is.
fn untouched(text: &[u8], options: &Options) -> bool {
    let none = pipeline::Options {
        passes: Passes::of(&[&Shuffle]),
        synthesis: synthesis::Options {
            max_shuffles: 0,
            ..options.pipeline.synthesis.clone()
        },
        tuned: Tuned::default(),
        ..options.pipeline.clone()
    };
    Module::read(text).is_ok() && optimize(text, &none).is_ok_and(|output| output.text == text)
}

/// What the real assembler says, for the module's own target or the oldest that assemblers know.
fn assembled(text: &[u8]) -> Assembly {
    let Some(arch) = Arch::of_module(&String::from_utf8_lossy(text)) else {
        return Assembly::NotAsked;
    };
    let arch = arch.assembled_as();
    let Ok(assembler) = Assembler::find(arch) else {
        return Assembly::NotAsked;
    };
    let done = match is_part(text) {
        true => assembler.assemble_part(text, arch),
        false => assembler.assemble(text, arch),
    };
    match done {
        Ok(_) => Assembly::Accepted,
        Err(error) => Assembly::Refused(complaint(&error.to_string())),
    }
}

/// The first line that says what is wrong: others name the program and its exit code.
fn complaint(words: &str) -> String {
    let error_line = words.lines().find(|line| line.contains("error   :"));
    let line = error_line.or_else(|| words.lines().next());
    line.unwrap_or_default().trim().to_owned()
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// The work's result, or what it panicked with.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic: Box<dyn Any + Send>| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
        format!("panic: {}", words.unwrap_or("of an unknown kind"))
    })
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn a_refusal_says_what_is_wrong() {
        let words = "/opt/ptxas: exit status: 255\nptxas k.ptx, line 3; error   : Unknown symbol\n";
        assert_eq!(
            complaint(words),
            "ptxas k.ptx, line 3; error   : Unknown symbol"
        );
        assert_eq!(complaint("cannot start\n"), "cannot start");
        assert_eq!(complaint(""), "");
    }
}
