//! What became of one kernel.

use super::data::{self, Position, State};
use super::subject::{One, Reader};
use super::target::Machines;
use super::{access, evidence, lanes, loads, reasons};
use ptxasw_base::names::demangled;
use ptxasw_driver::report::verdict::FunctionVerdict;

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
    Some(data::Kernel {
        name: name.to_owned(),
        title: demangled(name),
        entry: function.entry,
        position: position(input, reader),
        state: state(&one, &loads),
        summary: summary(&one),
        reverted: reverted(&one),
        input,
        output,
        loads,
        stores,
        targets: match function.entry {
            true => machines.targets(&one, reader),
            false => Vec::new(),
        },
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

fn state(one: &One, loads: &data::Fates) -> State {
    let skipped = one.function.is_some_and(|function| function.is_skipped());
    match () {
        () if one.is_changed() => State::Rewritten,
        () if reverted(one).is_some() => State::Reverted,
        () if loads.declined > 0 => State::Declined,
        () if skipped => State::Skipped,
        () => State::Nothing,
    }
}

fn summary(one: &One) -> String {
    match one.function {
        Some(function) => FunctionVerdict::of(function).line(),
        None => format!("{}: left as it is", one.name),
    }
}
