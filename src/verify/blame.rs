//! The rewritten load that a difference comes from: both kernels run again, and one thread of them is followed.

use super::Kernel;
use super::compare::DifferingElement;
use super::matching::{self, Change};
use super::runs::Job;
use ptxasw_executor::{Event, Launch, Schedule};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Type;
use ptxasw_ptx::ast::Span;
use ptxasw_ptx::decode::form::{Action, Function, Instruction, Reg, Source};
use rustc_hash::{FxHashMap, FxHashSet};

/// A load of the original, and what the rewritten kernel has in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedLoad {
    /// The load.
    pub original: Span,
    /// The statement that gave the value in its place.
    pub rewritten: Span,
    /// The type of the loaded value.
    pub ty: Type,
    /// The values; none if they are unknown.
    pub values: Option<[u64; 2]>,
    /// Which execution of the load by this thread, from 1.
    pub execution: usize,
}

/// A load that is no longer what it was.
struct Rewritten {
    /// Index of the load in the original.
    load: u32,
    /// Indices of the instructions that write its result in the rewritten kernel.
    writers: Vec<u32>,
}

/// Finds the first rewritten load of `thread` that gave another value than in the original; else the last one that the
/// stored value depends on.
pub(super) fn rewritten_load(
    job: &Job,
    launch: &Launch,
    schedule: Schedule,
    thread: u64,
    place: &DifferingElement,
) -> Option<ReplacedLoad> {
    let rewritten = rewritten_loads(job.original, job.rewritten);
    if rewritten.is_empty() {
        return None;
    }
    let follow = |kernel: Kernel| {
        let limits = job.limits(ptxasw_executor::STEP_LIMIT);
        ptxasw_executor::follow(
            kernel.module,
            kernel.function,
            launch,
            schedule,
            limits,
            thread,
        )
        .1
    };
    let (before, mut after) = (follow(job.original), follow(job.rewritten));
    let stored = after.iter().rposition(|event| writes(event, place));
    if let Some(end) = stored {
        after.truncate(end + 1);
    }
    let (a, b) = (job.original.function, job.rewritten.function);
    if let Some(wrong) = first_wrong(&rewritten, &before, &after) {
        let writer = after[wrong.event].instruction;
        let load = &rewritten[wrong.load];
        return describe(a, b, load, writer, Some(wrong.values), wrong.execution);
    }
    let event = nearest(b, &rewritten, &after[..=stored?])?;
    let writer = after[event].instruction;
    let load = rewritten.iter().find(|l| l.writers.contains(&writer))?;
    let times = after[..=event].iter().filter(|e| e.instruction == writer);
    describe(a, b, load, writer, None, times.count())
}

fn describe(
    a: &Function,
    b: &Function,
    load: &Rewritten,
    writer: u32,
    values: Option<[u64; 2]>,
    execution: usize,
) -> Option<ReplacedLoad> {
    let original = a.instructions.get(load.load as usize)?;
    let ty = match &original.action {
        Action::Do(Opcode::Load(access)) => access.ty,
        _ => Type::B32,
    };
    Some(ReplacedLoad {
        original: original.span,
        rewritten: b.instructions.get(writer as usize)?.span,
        ty,
        values,
        execution,
    })
}

/// Loads of the original that the rewritten text lacks, where what it has instead writes the same register.
fn rewritten_loads(original: Kernel, rewritten: Kernel) -> Vec<Rewritten> {
    let (a, b) = (original.function, rewritten.function);
    let before = matching::statements(original.text, a);
    let after = matching::statements(rewritten.text, b);
    let changes = matching::changes(&before, &after);
    changes
        .iter()
        .flat_map(|change| in_change(a, b, change))
        .collect()
}

fn in_change(a: &Function, b: &Function, change: &Change) -> Vec<Rewritten> {
    let loads = |i: &usize| {
        let action = &a.instructions[*i].action;
        matches!(action, Action::Do(Opcode::Load(_)))
    };
    let mut by_register: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for i in change.original.clone().filter(loads) {
        if let Some(name) = first_result(a, i) {
            by_register.entry(name).or_default().push(i);
        }
    }
    let mut found = Vec::new();
    for (name, loads) in by_register {
        let writers: Vec<u32> = change
            .rewritten
            .clone()
            .filter(|&j| first_result(b, j) == Some(name))
            .map(|j| j as u32)
            .collect();
        // Several loads of one register: each has an equal share of the statements.
        let share = writers.len() / loads.len();
        for (k, &load) in loads.iter().enumerate().filter(|_| share > 0) {
            let end = match k + 1 == loads.len() {
                true => writers.len(),
                false => (k + 1) * share,
            };
            found.push(Rewritten {
                load: load as u32,
                writers: writers[k * share..end].to_vec(),
            });
        }
    }
    found.sort_by_key(|load| load.load);
    found
}

/// The name of the first register that an instruction writes.
fn first_result(function: &Function, index: usize) -> Option<&str> {
    let reg = (*function.instructions.get(index)?.results.first()?)?;
    Some(&function.registers.get(reg.0 as usize)?.name)
}

/// Whether a step has stored the bytes that differ.
fn writes(event: &Event, place: &DifferingElement) -> bool {
    event.stored.as_ref().is_some_and(|(region, bytes)| {
        let end = place.offset + usize::from(place.size);
        *region == place.region && bytes.start < end && place.offset < bytes.end
    })
}

/// A load whose value is wrong.
struct Wrong {
    /// Index into the rewritten loads.
    load: usize,
    /// The step of the rewritten kernel that gave the value.
    event: usize,
    values: [u64; 2],
    execution: usize,
}

/// The first step, in the rewritten kernel's order, in which a rewritten load has another value than in the original.
fn first_wrong(rewritten: &[Rewritten], before: &[Event], after: &[Event]) -> Option<Wrong> {
    let mut of_load: FxHashMap<u32, usize> = FxHashMap::default();
    let mut of_writer: FxHashMap<u32, usize> = FxHashMap::default();
    for (index, load) in rewritten.iter().enumerate() {
        of_load.insert(load.load, index);
        of_writer.extend(load.writers.iter().map(|&writer| (writer, index)));
    }
    let mut expected = vec![Vec::new(); rewritten.len()];
    for event in before {
        if let Some(&index) = of_load.get(&event.instruction) {
            expected[index].push(event.results.first().copied().unwrap_or(0));
        }
    }
    // A pass over the statements of a load ends where they start again; the last of them has the value.
    let mut passes: Vec<Vec<usize>> = vec![Vec::new(); rewritten.len()];
    for (step, event) in after.iter().enumerate() {
        let Some(&index) = of_writer.get(&event.instruction) else {
            continue;
        };
        match passes[index].last_mut() {
            Some(last) if after[*last].instruction < event.instruction => *last = step,
            _ => passes[index].push(step),
        }
    }
    let mut first: Option<Wrong> = None;
    for (load, (steps, expected)) in passes.iter().zip(&expected).enumerate() {
        for (execution, (&event, &value)) in steps.iter().zip(expected).enumerate() {
            let other = after[event].results.first().copied().unwrap_or(0);
            if other != value && first.as_ref().is_none_or(|first| event < first.event) {
                first = Some(Wrong {
                    load,
                    event,
                    values: [value, other],
                    execution: execution + 1,
                });
                break;
            }
        }
    }
    first
}

/// The last step that gave a rewritten load's value and that the last step depends on.
fn nearest(function: &Function, rewritten: &[Rewritten], events: &[Event]) -> Option<usize> {
    let writers: FxHashSet<u32> = rewritten.iter().flat_map(|l| &l.writers).copied().collect();
    let (last, earlier) = events.split_last()?;
    let mut wanted: FxHashSet<Reg> = FxHashSet::default();
    wanted.extend(reads(function.instructions.get(last.instruction as usize)?));
    for (step, event) in earlier.iter().enumerate().rev() {
        let Some(instruction) = function.instructions.get(event.instruction as usize) else {
            continue;
        };
        let mut needed = false;
        for reg in instruction.results.iter().flatten() {
            needed |= wanted.remove(reg);
        }
        if needed && writers.contains(&event.instruction) {
            return Some(step);
        }
        if needed {
            wanted.extend(reads(instruction));
        }
    }
    None
}

/// The registers that an instruction reads.
fn reads(instruction: &Instruction) -> impl Iterator<Item = Reg> + '_ {
    let operands = instruction
        .operands
        .iter()
        .filter_map(|source| match *source {
            Source::Reg(reg)
            | Source::NotReg(reg)
            | Source::Part { reg, .. }
            | Source::Sum(reg, _) => Some(reg),
            _ => None,
        });
    operands.chain(instruction.guard.map(|(reg, _)| reg))
}
