//! Original against rewritten: the same launches, the same schedules, every buffer bit for bit.

use crate::ptx::ast::Span;
use crate::ptx::decode::form::{Function, Module};
use crate::warp::{
    Counters, ExecutionError, FinalBuffer, Launch, Outcome, Schedule, WRITER_GRANULE, Warning, run,
};

/// A kernel to run: a function and the module that it is in.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<'a> {
    /// The module.
    pub module: &'a Module,
    /// The kernel.
    pub function: &'a Function,
}

/// The first element in which two runs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Index into the list of launches.
    pub launch: usize,
    /// The schedule of the rewritten kernel's run.
    pub schedule: Schedule,
    /// The buffer.
    pub buffer: usize,
    /// The element in the buffer.
    pub element: usize,
    /// Its bits after the original.
    pub original: u64,
    /// Its bits after the rewritten kernel.
    pub rewritten: u64,
    /// Number in the grid of the thread of the rewritten kernel that stored it last, from 0.
    pub thread: Option<u32>,
    /// The statement of the rewritten kernel that stored it.
    pub store: Option<Span>,
}

/// A run of the original that failed: the launch or the schedule says nothing about the rewritten kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Index into the list of launches.
    pub launch: usize,
    /// The schedule.
    pub schedule: Schedule,
    /// Why.
    pub error: ExecutionError,
}

/// What a comparison found.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Pairs of runs that were compared.
    pub compared: usize,
    /// Runs of the original that failed.
    pub skipped: Vec<Skipped>,
    /// The first difference; the comparison ends there.
    pub difference: Option<Difference>,
    /// Counts of the original, over all compared runs.
    pub original: Counters,
    /// Counts of the rewritten kernel, over all compared runs.
    pub rewritten: Counters,
    /// Warnings of the rewritten kernel, each statement once.
    pub warnings: Vec<Warning>,
}

impl Comparison {
    /// Something was compared, and nothing differs.
    pub fn equal(&self) -> bool {
        self.compared > 0 && self.difference.is_none()
    }
}

/// The rewritten kernel failed where the original does not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("launch {launch}, {schedule:?}: {error}")]
pub struct CompareError {
    /// Index into the list of launches.
    pub launch: usize,
    /// The schedule.
    pub schedule: Schedule,
    /// What went wrong.
    pub error: ExecutionError,
}

/// Runs both kernels with every launch under every schedule, until they differ.
///
/// # Errors
/// The first fault of the rewritten kernel in a run that the original gets through.
pub fn compare(
    original: Kernel,
    rewritten: Kernel,
    launches: &[Launch],
    schedules: &[Schedule],
) -> Result<Comparison, CompareError> {
    let mut result = Comparison::default();
    for (launch, description) in launches.iter().enumerate() {
        for &schedule in schedules {
            let before = match run(original.module, original.function, description, schedule) {
                Ok(outcome) => outcome,
                Err(error) => {
                    result.skipped.push(Skipped {
                        launch,
                        schedule,
                        error,
                    });
                    continue;
                }
            };
            let after = run(rewritten.module, rewritten.function, description, schedule).map_err(
                |error| CompareError {
                    launch,
                    schedule,
                    error,
                },
            )?;
            result.add(&before, &after);
            if let Some(difference) = first_difference(&before, &after) {
                result.difference = Some(Difference {
                    launch,
                    schedule,
                    store: difference.1.and_then(|i| store_span(rewritten, i)),
                    ..difference.0
                });
                return Ok(result);
            }
        }
    }
    Ok(result)
}

impl Comparison {
    fn add(&mut self, before: &Outcome, after: &Outcome) {
        self.compared += 1;
        self.original += before.counters;
        self.rewritten += after.counters;
        for &warning in &after.warnings {
            if self.warnings.iter().all(|w| w.span != warning.span) {
                self.warnings.push(warning);
            }
        }
    }
}

fn store_span(kernel: Kernel, instruction: u32) -> Option<Span> {
    let instruction = kernel.function.instructions.get(instruction as usize)?;
    Some(instruction.span)
}

/// The first difference, and the instruction that stored it.
fn first_difference(before: &Outcome, after: &Outcome) -> Option<(Difference, Option<u32>)> {
    for (buffer, (a, b)) in before.buffers.iter().zip(&after.buffers).enumerate() {
        let Some(at) = first_byte(a, b) else { continue };
        let size = usize::from(a.element.clamp(1, 8));
        let element = at / size;
        let writer = b.writers.get(at / WRITER_GRANULE).filter(|w| w.thread > 0);
        let difference = Difference {
            launch: 0,
            schedule: Schedule::Lockstep,
            buffer,
            element,
            original: bits(&a.bytes, element * size, size),
            rewritten: bits(&b.bytes, element * size, size),
            thread: writer.map(|w| w.thread - 1),
            store: None,
        };
        return Some((difference, writer.map(|w| w.instruction)));
    }
    None
}

/// The first byte that differs or is undefined in one only.
fn first_byte(a: &FinalBuffer, b: &FinalBuffer) -> Option<usize> {
    if a.bytes == b.bytes && a.undefined == b.undefined {
        return None;
    }
    let undefined =
        |buffer: &FinalBuffer, i: usize| buffer.undefined.get(i).is_some_and(|&u| u != 0);
    (0..a.bytes.len())
        .find(|&i| a.bytes.get(i) != b.bytes.get(i) || undefined(a, i) != undefined(b, i))
}

fn bits(bytes: &[u8], start: usize, size: usize) -> u64 {
    let mut word = [0; 8];
    for (slot, byte) in word.iter_mut().zip(bytes.iter().skip(start).take(size)) {
        *slot = *byte;
    }
    u64::from_le_bytes(word)
}
