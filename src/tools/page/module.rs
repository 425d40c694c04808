//! A module as a whole.

use super::data;
use super::kernel;
use super::subject::{Reader, Subject, Text, Texts, Wanted};
use super::target::Machines;
use super::texts;
use ptxasw_base::threads;
use ptxasw_driver::pipeline;

/// All that there is to tell.
///
/// # Errors
/// A text cannot be read: an internal error for all but the first.
pub fn module(subject: &Subject, wanted: &Wanted) -> Result<data::Module, pipeline::Error> {
    let changed = subject.now.text != subject.input;
    let texts = Texts {
        input: Text::read(subject.input)?,
        now: changed.then(|| Text::read(subject.now.text)).transpose()?,
        trial: subject
            .trial
            .as_ref()
            .and_then(|(trial, _)| Text::read(trial.text).ok()),
    };
    let positions = texts::positions(&texts.input);
    let machines = Machines::new(&texts, wanted);
    let reader = Reader {
        subject,
        texts: &texts,
        positions: &positions,
        wanted,
    };
    let functions = texts.input.source.form.functions.iter();
    let names = functions.filter(|one| one.defined).map(|one| &*one.name);
    let length = |name: &&str| {
        let lines = texts.input.lines_of(name);
        lines.map_or(0, |[first, last]| (last - first) as usize)
    };
    let one = |name| kernel::described(name, &reader, &machines);
    let kernels = threads::each(wanted.jobs, names.collect(), length, one);
    let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
    Ok(data::Module {
        path: subject.name.to_owned(),
        compiler: texts::compiler(subject.input),
        target: texts.input.source.form.target.name.clone(),
        input: text(subject.input),
        output: changed.then(|| text(subject.now.text)),
        output_lines: match changed {
            true => texts::lines(
                subject.now.text,
                &subject.now.origins,
                &texts.input.source.lines,
            ),
            false => Vec::new(),
        },
        sources: texts::sources(&texts.input, subject.path, wanted.sources),
        positions: positions.clone(),
        kernels: kernels.into_iter().flatten().collect(),
    })
}
