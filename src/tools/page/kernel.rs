//! What became of one kernel.

use super::data::{self, More, Position, Target};
use super::subject::{One, Reader};
use super::target::{self, Machines};
use super::{access, evidence, lanes, loads, reasons};
use ptxasw_base::names::demangled;
use ptxasw_driver::report::verdict::{Estimates, FunctionVerdict, Word};

/// All about a function with a body.
pub fn described(name: &str, reader: &Reader, machines: &Machines) -> Option<data::Kernel> {
    let one = reader.one(name);
    let functions = &reader.texts.input.source.form.functions;
    let mut functions = functions.iter();
    let function = functions.find(|one| one.defined && *one.name == *name)?;
    let input = reader.texts.input.lines_of(name)?;
    let now = reader.texts.now.as_ref();
    let output = now.and_then(|text| text.lines_of(name)).unwrap_or(input);
    let [loads, stores] = loads::counts(&one);
    let after = now.filter(|_| one.is_changed());
    let targets = match function.entry {
        true => machines.targets(&one, reader),
        false => Vec::new(),
    };
    let verdict = verdict(&one, &targets, reader);
    Some(data::Kernel {
        name: name.to_owned(),
        title: demangled(name),
        entry: function.entry,
        position: position(input, reader),
        verdict: verdict.as_ref().map_or(Word::Declined, |one| one.word),
        summary: match &verdict {
            Some(verdict) => verdict.line(),
            None => format!("{name}: left as it is"),
        },
        more: verdict.map_or_else(Vec::new, |one| more(&one)),
        reverted: reverted(&one),
        input,
        output,
        loads,
        stores,
        targets,
        before: access::all(&reader.texts.input, name),
        after: after.map_or_else(Vec::new, |text| access::all(text, name)),
        links: loads::links(&one, reader),
        groups: lanes::groups(&one, reader),
        remarks: reasons::remarks(&one, reader),
        why_not: reasons::why_not(&one, reader, machines),
        evidence: evidence::of(&one, reader),
    })
}

/// The first line of the source within these lines of the input.
fn position([first, last]: [u32; 2], reader: &Reader) -> Option<Position> {
    let begin = reader.positions.partition_point(|one| one.line < first);
    let within = reader.positions[begin..].iter();
    let mut within = within.take_while(|one| one.line <= last);
    within.find(|one| one.source_line > 0).copied()
}

fn reverted(one: &One) -> Option<String> {
    one.function?.reverted().map(str::to_owned)
}

/// With the estimate for the architecture that is shown first, and with what other options would be worth.
fn verdict(one: &One, targets: &[Target], reader: &Reader) -> Option<FunctionVerdict> {
    let verdict = FunctionVerdict::of(one.function?);
    let variants = reader.subject.variants.get_key_value(&verdict.name);
    let variants = variants.map(|(name, variants)| (name.clone(), variants.clone()));
    let mut estimates = Estimates {
        variants: variants.into_iter().collect(),
        ..Estimates::default()
    };
    let shown = reader.wanted.shown_first().map(|arch| arch.to_string());
    let target = targets.iter().find(|one| Some(&one.arch) == shown.as_ref());
    let estimate = target.and_then(target::estimate);
    let estimate = estimate.map(|estimate| (verdict.name.clone(), Ok(estimate)));
    estimates.kernels.extend(estimate);
    Some(verdict.estimated(&estimates))
}

fn more(verdict: &FunctionVerdict) -> Vec<More> {
    let better = verdict.better().into_iter().map(|variant| More {
        what: variant.way.words().to_owned(),
        arch: variant.arch.clone(),
        ratio: variant.ratio,
    });
    better.collect()
}
