//! A made-up launch is a guess. Where the original leaves a buffer, the buffer grows; where it stores nothing, trip counts and the
//! second and third dimension do; where a vector is misaligned, sizes become rounder.

use super::Made;
use super::build::{Rooms, build};
use super::overlap::Pointers;
use super::shapes::{ROUND, Shape};
use super::text::text;
use super::usage::Usage;
use crate::Kernel;
use crate::runs::{Job, PairRun, stores};
use crate::session::Ran;
use ptxasw_executor::launch::{ArgumentSpec, Fill, LaunchSpec, PointerField};
use ptxasw_executor::{
    Coverage, ExecutionError, Fault, Launch, Options, Outcome, Schedule, find_races, run_with,
};
use ptxasw_ir::types::Space;
use std::borrow::Cow;

/// How often a launch is tried.
const TRIES: usize = 24;
/// Largest room that a buffer is given, in bytes.
const MAX_ROOM: u64 = 1 << 24;
/// Largest dynamic shared memory that is tried: what a block can have at most (compute capability 9.0).
const MAX_SHARED: u32 = 227 << 10;
/// What a run that came to nothing is taken to cost, in warp instructions.
const TRY_COST: u64 = 256;
/// What is left of a loop whose threads take an element each.
const ODD_ELEMENTS: u32 = 5;
/// Bytes of buffers that take as long to fill as a warp instruction.
const FILLED: u64 = 128;
/// What part of the usual steps a launch may take whose sizes no array has: its loops may well not end.
const ODD_SHARE: u64 = 16;
/// Sizes of the second and third dimension, by try, for stencils that reach far.
const WIDER: [[u32; 2]; 3] = [[7, 6], [11, 10], [20, 19]];
/// Sizes along x beyond which a stencil has inner points.
const LARGE: u32 = 32;

/// Runs a made-up launch.
pub(super) fn run(job: &Job, made: &Made) -> Ran<'static> {
    let job = &Job {
        limit: match made.shape.may_not_end(&made.usage) {
            true => (job.limit / ODD_SHARE).max(1),
            false => job.limit,
        },
        ..*job
    };
    let mut attempt = Attempt {
        job,
        made,
        shape: made.shape.clone(),
        rooms: Rooms::default(),
        wider: WIDER.iter(),
        wasted: 0,
    };
    let mut tries = 1;
    loop {
        if let Some(ran) = attempt.once(tries >= TRIES) {
            return ran;
        }
        tries += 1;
    }
}

/// A made-up launch that one kernel runs to its end within so many steps.
///
/// # Errors
/// How the last try ended.
pub(super) fn runnable(
    kernel: Kernel,
    made: &Made,
    limit: u64,
) -> Result<LaunchSpec, ExecutionError> {
    let (module, function) = (kernel.module, kernel.function);
    repaired(kernel, &made.usage, &made.shape, |spec, launch| {
        run_with(module, function, launch, Schedule::Lockstep, limits(limit))?;
        Ok(spec.clone())
    })
}

/// Whether the original finishes a launch of this shape, stores something, and has no data race. Takes the cost, in warp instructions, from `left`.
pub(super) fn survives(
    kernel: Kernel,
    usage: &Usage,
    shape: &Shape,
    limit: u64,
    left: &mut u64,
) -> bool {
    let (module, function) = (kernel.module, kernel.function);
    let ran = repaired(kernel, usage, shape, |spec, launch| {
        let limits = limits(limit.min(*left));
        let (ran, races) = find_races(module, function, launch, Schedule::Lockstep, limits);
        *left = left.saturating_sub(match &ran {
            Ok(outcome) => outcome.counters.instructions,
            Err(error) => cost_of_fault(spec, error),
        });
        let outcome = ran?;
        Ok(stores(&outcome) && races.harmful().next().is_none())
    });
    ran.unwrap_or(false)
}

fn limits(step_limit: u64) -> Options {
    Options {
        step_limit,
        ..Options::default()
    }
}

/// Runs launches of a shape until one does not fail, with larger buffers or rounder sizes each time.
fn repaired<T>(
    kernel: Kernel,
    usage: &Usage,
    shape: &Shape,
    mut run: impl FnMut(&LaunchSpec, &Launch) -> Result<T, ExecutionError>,
) -> Result<T, ExecutionError> {
    let mut shape = shape.clone();
    let mut rooms = Rooms::default();
    let mut tries = 1;
    loop {
        let spec = build(kernel.module, kernel.function, usage, &shape, &rooms);
        let launch = spec.instantiate().map_err(|error| bad_launch(&error))?;
        let error = match run(&spec, &launch) {
            Ok(found) => return Ok(found),
            Err(error) => error,
        };
        let fault = &error.fault;
        let changed = tries < TRIES
            && (rounds(&mut shape, fault) || grow(&mut rooms, &spec, &launch, fault, MAX_ROOM, 1));
        if !changed {
            return Err(error);
        }
        tries += 1;
    }
}

/// What a run is taken to cost that came to nothing.
fn cost_of_fault(spec: &LaunchSpec, error: &ExecutionError) -> u64 {
    let executed = match error.fault {
        Fault::StepLimit(limit) => limit,
        _ => TRY_COST,
    };
    executed + spec.buffer_bytes() / FILLED
}

/// The launch itself is at fault.
fn bad_launch(error: &impl ToString) -> ExecutionError {
    ExecutionError {
        fault: Fault::BadLaunch(error.to_string()),
        span: Default::default(),
        thread: None,
    }
}

struct Attempt<'a> {
    job: &'a Job<'a>,
    made: &'a Made,
    shape: Shape,
    rooms: Rooms,
    wider: std::slice::Iter<'static, [u32; 2]>,
    wasted: u64,
}

impl Attempt<'_> {
    /// Runs the original, then both; none if the launch was changed and is to be tried again. The `last` try never is.
    fn once(&mut self, last: bool) -> Option<Ran<'static>> {
        let (module, function) = (self.job.original.module, self.job.original.function);
        let spec = build(module, function, &self.made.usage, &self.shape, &self.rooms);
        let launch = match spec.instantiate() {
            Ok(launch) => launch,
            Err(error) => {
                return Some(self.failed(&spec, None, bad_launch(&error)));
            }
        };
        match self
            .job
            .covered(&launch, self.job.first_schedule(), self.job.limit)
        {
            Ok((outcome, coverage)) => {
                if self.barren(&outcome)
                    && !last
                    && let Some(&[y, z]) = self.wider.next()
                {
                    self.wasted += outcome.counters.instructions;
                    let [_, old_y, old_z] = self.shape.sizes;
                    self.shape.sizes = [self.shape.sizes[0], old_y.max(y), old_z.max(z)];
                    // Loops along an axis that no thread index is compared with.
                    self.shape.length = self.shape.length.max(i64::from(z));
                    return None;
                }
                if self.lengthens(&outcome) && !last {
                    self.wasted += outcome.counters.instructions;
                    return None;
                }
                if self.tightens(&spec, &coverage) && !last {
                    self.wasted += outcome.counters.instructions;
                    return None;
                }
                Some(Ran {
                    text: text(&spec),
                    pairs: self.job.run(&launch, Some((outcome, coverage))),
                    launch: Some(Cow::Owned(launch)),
                    block: spec.block,
                    wasted: self.wasted,
                    adversarial: self.shape.adversarial,
                })
            }
            Err(error) => {
                self.wasted += cost_of_fault(&spec, &error);
                if self.rooms.exact.take().is_some() {
                    // It is aligned by what lies before it.
                    self.shape.tight = false;
                    return None;
                }
                if !last && rounds(&mut self.shape, &error.fault) {
                    return None;
                }
                if !last && grow(&mut self.rooms, &spec, &launch, &error.fault, MAX_ROOM, 1) {
                    return None;
                }
                Some(self.failed(&spec, Some(launch), error))
            }
        }
    }

    fn failed(
        &self,
        spec: &LaunchSpec,
        launch: Option<Launch>,
        error: ExecutionError,
    ) -> Ran<'static> {
        Ran {
            text: text(spec),
            launch: launch.map(Cow::Owned),
            block: spec.block,
            pairs: vec![PairRun::skipped(self.job.first_schedule(), error)],
            wasted: self.wasted,
            adversarial: self.shape.adversarial,
        }
    }

    /// Nothing was stored: gives loops of the next launch a trip count of more than two blocks.
    fn lengthens(&mut self, outcome: &Outcome) -> bool {
        let shape = &mut self.shape;
        let most = i64::from(2 * shape.block[0] + ODD_ELEMENTS);
        let loops = self.made.usage.fields.iter().any(|field| field.compared);
        let short = (3..most).contains(&shape.length) && !shape.tight;
        let lengthens = loops && short && !stores(outcome);
        if lengthens {
            shape.length = most;
        }
        lengthens
    }

    /// Gives the next launch buffers that hold no byte but those which this one accesses.
    fn tightens(&mut self, spec: &LaunchSpec, coverage: &Coverage) -> bool {
        if !self.shape.tight || self.rooms.exact.is_some() {
            return false;
        }
        let accessed = (0..spec.buffers.len()).map(|number| {
            let extent = coverage.extent(number);
            let start = start_of(spec, number).unwrap_or(0);
            extent.start as i64 - start..extent.end as i64 - start
        });
        self.rooms.exact = Some(accessed.collect());
        true
    }

    /// Nothing was stored, though the sizes along x are large enough, and those along y and z may not be.
    fn barren(&self, outcome: &Outcome) -> bool {
        let usage = &self.made.usage;
        let outer = (1..3).any(|axis| usage.bounded(axis));
        outer && self.shape.odd.is_none() && self.shape.sizes[0] > LARGE && !stores(outcome)
    }
}

/// Makes sizes and strides multiples of vectors after a misaligned access, unless pointers are misaligned on purpose.
pub(super) fn rounds(shape: &mut Shape, fault: &Fault) -> bool {
    let misaligned = matches!(fault, Fault::Misaligned { .. });
    let rounds = misaligned && shape.round == 1 && shape.pointers == Pointers::Apart;
    if rounds {
        shape.round = ROUND;
    }
    rounds
}

/// Makes room for the access at fault, if it is near a buffer: at most so many bytes on either side, and `spare` times what it asks
/// for.
pub(super) fn grow(
    rooms: &mut Rooms,
    spec: &LaunchSpec,
    launch: &Launch,
    fault: &Fault,
    most: u64,
    spare: u64,
) -> bool {
    let Fault::OutOfBounds {
        space,
        bytes,
        nearest: Some((name, offset)),
        ..
    } = fault
    else {
        return false;
    };
    let end = offset.saturating_add(i64::from(*bytes)).unsigned_abs();
    if *space == Space::Shared {
        let enough = launch.dynamic_shared != 0 && *offset >= 0 && end <= u64::from(MAX_SHARED);
        // Only the dynamic variable can grow.
        if !enough || name != "dynamic shared memory" {
            return false;
        }
        rooms.shared = (end as u32).next_power_of_two().min(MAX_SHARED);
        return true;
    }
    let number = name
        .strip_prefix("buffer ")
        .and_then(|n| n.parse::<usize>().ok());
    let Some((number, start)) = number.and_then(|n| Some((n, start_of(spec, n)?))) else {
        return false;
    };
    if rooms.buffers.len() <= number {
        rooms.buffers.resize(number + 1, Default::default());
    }
    let room = &mut rooms.buffers[number];
    // From the byte that the argument points to.
    let distance = offset.saturating_sub(start);
    let needed = distance.unsigned_abs().saturating_add(u64::from(*bytes));
    if needed > most {
        return false;
    }
    let side = if *offset < 0 {
        &mut room.before
    } else {
        &mut room.after
    };
    *side = (needed.next_power_of_two() * spare).min(most.next_power_of_two());
    true
}

/// The byte of a buffer that its pointer points to.
fn start_of(spec: &LaunchSpec, number: usize) -> Option<i64> {
    let in_arguments = spec.arguments.iter().flat_map(|argument| match argument {
        ArgumentSpec::Pointer { buffer, offset } => vec![(*buffer, *offset)],
        ArgumentSpec::Structure { pointers, .. } => places(pointers),
        ArgumentSpec::Scalar { .. } => Vec::new(),
    });
    let in_buffers = spec.buffers.iter().flat_map(|buffer| match &buffer.fill {
        Fill::Structure { pointers, .. } => places(pointers),
        _ => Vec::new(),
    });
    in_arguments
        .chain(in_buffers)
        .find(|(buffer, _)| *buffer == number)
        .map(|(_, offset)| offset)
}

fn places(pointers: &[PointerField]) -> Vec<(usize, i64)> {
    pointers.iter().map(|p| (p.buffer, p.offset)).collect()
}
