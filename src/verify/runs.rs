//! One launch of both kernels under every schedule.

use super::compare::{DifferingElement, Memory, pairs};
use super::stability::{Skip, Stability};
use super::{Kernel, Options};
use ptxasw_executor::{
    Counters, Coverage, ExecutionError, Fault, Launch, Outcome, Race, Schedule, Warning,
    run_covered, run_precise, run_with,
};
use rayon::prelude::*;
use std::sync::OnceLock;

/// How many times the original's instructions the rewritten kernel may take, and how many more: beyond that it is taken
/// not to end.
const SLOWER: u64 = 32;
const MORE: u64 = 1 << 16;
/// As [`SLOWER`], for the original under another schedule, which may take the lanes one by one and let some of them spin.
const SLOWER_ELSEWHERE: u64 = 32 * SLOWER;
/// What a launch of the user's is tried with, and under how many schedules, to learn how long it takes where it ends.
const SHORT: u64 = 1 << 20;
const TRIED: usize = 8;

/// Two kernels to compare, and how.
pub(super) struct Job<'a> {
    pub(super) original: Kernel<'a>,
    pub(super) rewritten: Kernel<'a>,
    pub(super) options: &'a Options,
    /// Most warp instructions of one run of the original.
    pub(super) limit: u64,
    /// Of the original: nothing reached yet.
    pub(super) blank: &'a Coverage,
}

/// The original's outcome in a launch, and what it reached.
pub(super) type Covered = (Outcome, Coverage);

/// What came of one schedule.
#[derive(Debug)]
pub(super) enum ScheduleOutcome {
    /// Nothing differs.
    Equal,
    /// Only what depends on the schedule in the original, too.
    Racy(Vec<Memory>, Option<Box<Race>>),
    /// The original fails.
    Skipped(Skip),
    /// The rewritten kernel does not end, but the original does not either, under that schedule.
    MayNotEnd(Skip),
    /// An element differs; a data race of the original may be the cause.
    Different(DifferingElement, Option<Box<Race>>),
    /// The rewritten kernel fails, and the original does not.
    Failed(ExecutionError),
    /// The rewritten kernel has something that the executor does not know.
    NotRun(ExecutionError),
}

/// The largest difference that is tolerated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tolerated {
    /// Units in the last place between the two.
    pub ulps: u64,
    /// Units in the last place of the original and of the rewritten kernel, each against a run of the original in more than
    /// twice the precision, in the elements in which the two differ; none where there was no such run. It is made in lockstep.
    pub errors: Option<[u64; 2]>,
}

impl Tolerated {
    /// The larger ones of two.
    pub(super) fn max(self, other: Tolerated) -> Tolerated {
        let errors = match (self.errors, other.errors) {
            (Some([a, b]), Some([c, d])) => Some([a.max(c), b.max(d)]),
            (one, other) => one.or(other),
        };
        Tolerated {
            ulps: self.ulps.max(other.ulps),
            errors,
        }
    }
}

/// A run of both under one schedule.
#[derive(Debug)]
pub(super) struct PairRun {
    pub(super) schedule: Schedule,
    pub(super) found: ScheduleOutcome,
    /// Of the original and of the rewritten kernel, where both came to their end.
    pub(super) counts: [Counters; 2],
    /// Of the rewritten kernel.
    pub(super) warnings: Vec<Warning>,
    /// The original has stored something.
    pub(super) stored: bool,
    /// What the rewritten kernel has executed, where both came to their end.
    pub(super) reached: Coverage,
    /// What the original has, if this schedule was the one to look at.
    pub(super) original: Option<Coverage>,
    /// In what results differ, where that is tolerated.
    pub(super) tolerated: Tolerated,
    /// Warp instructions.
    pub(super) cost: u64,
}

impl<'a> Job<'a> {
    /// Runs the original, for at most `limit` steps.
    pub(super) fn original(
        &self,
        launch: &Launch,
        schedule: Schedule,
        limit: u64,
    ) -> Result<Outcome, ExecutionError> {
        let Kernel {
            module, function, ..
        } = self.original;
        run_with(module, function, launch, schedule, self.limits(limit))
    }

    /// As [`Job::original`], with what was reached.
    pub(super) fn covered(
        &self,
        launch: &Launch,
        schedule: Schedule,
        limit: u64,
    ) -> Result<Covered, ExecutionError> {
        let Kernel {
            module, function, ..
        } = self.original;
        let (limits, blank) = (self.limits(limit), self.blank.clone());
        run_covered(module, function, launch, schedule, limits, blank)
    }

    /// The first schedule under which the original soon ends, by its place in the list, and its outcome.
    fn soon_ends(&self, launch: &Launch) -> Option<(usize, Covered)> {
        let schedules = self.options.schedules.iter().take(TRIED).enumerate();
        let limit = self.limit.min(SHORT);
        let mut ran = schedules.map(|(i, &s)| Some((i, self.covered(launch, s, limit).ok()?)));
        ran.find_map(|ended| ended)
    }

    fn rewritten(
        &self,
        launch: &Launch,
        schedule: Schedule,
        limit: u64,
    ) -> Result<(Outcome, Coverage), ExecutionError> {
        let Kernel {
            module, function, ..
        } = self.rewritten;
        let (limits, blank) = (self.limits(limit), Coverage::default());
        run_covered(module, function, launch, schedule, limits, blank)
    }

    /// The original in more than twice the precision.
    fn precise(&self, launch: &Launch, schedule: Schedule, limit: u64) -> Option<Outcome> {
        let Kernel {
            module, function, ..
        } = self.original;
        let run = || run_precise(module, function, launch, self.limits(limit)).ok();
        (schedule == Schedule::Lockstep).then(run).flatten()
    }

    /// The schedule under which a launch is tried.
    pub(super) fn first_schedule(&self) -> Schedule {
        let first = self.options.schedules.first();
        first.copied().unwrap_or(Schedule::Lockstep)
    }

    /// The executor's options.
    pub(super) fn limits(&self, step_limit: u64) -> ptxasw_executor::Options {
        ptxasw_executor::Options {
            step_limit,
            strict_masks: self.options.strict_masks,
            undefined_results: false,
            ..ptxasw_executor::Options::default()
        }
    }

    /// Runs both under every schedule. `first` is the original's outcome under the first one, if it is known.
    pub(super) fn run(&self, launch: &Launch, first: Option<Covered>) -> Vec<PairRun> {
        let known = first.map(|ended| (0, ended));
        let known = known.or_else(|| self.soon_ends(launch));
        // Where it ends under one schedule, it is not waited for under others until the end of all steps.
        let limit = known.as_ref().map_or(self.limit, |(_, (outcome, _))| {
            let taken = outcome.counters.instructions;
            let elsewhere = taken.saturating_mul(SLOWER_ELSEWHERE).saturating_add(MORE);
            self.limit.min(elsewhere)
        });
        let stability = OnceLock::new();
        let stability = || stability.get_or_init(|| Stability::of(self, launch, limit));
        let known = std::sync::Mutex::new(known);
        let schedules = self.options.schedules.par_iter().enumerate();
        schedules
            .map(|(i, &schedule)| {
                let known = known.lock().ok();
                let known = known.and_then(|mut known| known.take_if(|(of, _)| *of == i));
                let before = known.map_or_else(
                    || Ok((self.original(launch, schedule, limit)?, None)),
                    |(_, (outcome, covered))| Ok((outcome, Some(covered))),
                );
                match before {
                    Ok((before, covered)) => PairRun {
                        original: covered,
                        ..self.pair(launch, schedule, &before, &stability)
                    },
                    Err(error) => PairRun::skipped(schedule, error),
                }
            })
            .collect()
    }

    fn pair<'s>(
        &self,
        launch: &Launch,
        schedule: Schedule,
        before: &Outcome,
        stability: &dyn Fn() -> &'s Stability,
    ) -> PairRun {
        let taken = before.counters.instructions;
        let limit = taken.saturating_mul(SLOWER).saturating_add(MORE);
        let (after, reached) = match self.rewritten(launch, schedule, limit) {
            Ok(found) => found,
            Err(error) => return PairRun::failed(schedule, error, stability()),
        };
        let tolerance = self.options.tolerance;
        let precise = OnceLock::new();
        let precise = || {
            let run = || self.precise(launch, schedule, limit);
            precise.get_or_init(run).as_ref()
        };
        let (found, tolerated) = compare(before, &after, tolerance, stability, &precise);
        PairRun {
            schedule,
            found,
            tolerated,
            counts: [before.counters, after.counters],
            cost: taken + after.counters.instructions,
            stored: stores(before),
            original: None,
            reached,
            warnings: after.warnings,
        }
    }
}

impl PairRun {
    fn new(schedule: Schedule, found: ScheduleOutcome) -> Self {
        PairRun {
            schedule,
            found,
            tolerated: Tolerated::default(),
            counts: Default::default(),
            warnings: Vec::new(),
            stored: false,
            original: None,
            reached: Coverage::default(),
            cost: 0,
        }
    }

    /// The original races or fails: nothing follows for the rewritten kernel.
    pub(super) fn says_nothing(&self) -> bool {
        matches!(
            self.found,
            ScheduleOutcome::Racy(..) | ScheduleOutcome::Skipped(_) | ScheduleOutcome::MayNotEnd(_)
        )
    }

    /// The original fails.
    pub(super) fn skipped(schedule: Schedule, error: ExecutionError) -> Self {
        let cost = match error.fault {
            Fault::StepLimit(limit) => limit,
            _ => 0,
        };
        PairRun {
            cost,
            ..PairRun::new(schedule, ScheduleOutcome::Skipped((schedule, error)))
        }
    }

    /// The rewritten kernel fails. If the original does so under another schedule, that shows nothing.
    fn failed(schedule: Schedule, error: ExecutionError, stability: &Stability) -> Self {
        let found = match (&error.fault, &stability.fault, &stability.cut) {
            (Fault::NotSupported(_) | Fault::BadLaunch(_), ..) => ScheduleOutcome::NotRun(error),
            (_, Some(fault), _) => ScheduleOutcome::Skipped(fault.clone()),
            (Fault::StepLimit(_), _, Some(cut)) => ScheduleOutcome::MayNotEnd(cut.clone()),
            _ if stability.hopeless() => {
                ScheduleOutcome::Racy(Vec::new(), stability.race.clone().map(Box::new))
            }
            _ => ScheduleOutcome::Failed(error),
        };
        PairRun::new(schedule, found)
    }
}

/// Anything was written to global memory.
pub(super) fn stores(outcome: &Outcome) -> bool {
    let variables = outcome.variables.iter().map(|v| &v.memory);
    let mut memories = outcome.buffers.iter().chain(variables);
    memories.any(|memory| !memory.writers.is_empty())
}

/// The first difference that is not tolerated, but where the original differs from itself; and the largest that is tolerated.
fn compare<'s, 'p>(
    before: &Outcome,
    after: &Outcome,
    tolerance: u64,
    stability: &dyn Fn() -> &'s Stability,
    precise: &dyn Fn() -> Option<&'p Outcome>,
) -> (ScheduleOutcome, Tolerated) {
    let race = || stability().race.clone().map(Box::new);
    let (mut racy, mut largest) = (Vec::new(), Tolerated::default());
    for pair in pairs(before, after) {
        let mut from = 0;
        while let Some(byte) = pair.first_byte(from) {
            let place = pair.place(byte);
            let tolerated = |ulps: &u64| tolerance > 0 && *ulps <= tolerance;
            if let Some(ulps) = place.ulps().filter(tolerated) {
                let errors = precise().and_then(|precise| place.errors(precise));
                largest = largest.max(Tolerated { ulps, errors });
                from = place.offset + usize::from(place.size);
                continue;
            }
            if stability().stable(&pair.memory, byte) {
                return (ScheduleOutcome::Different(place, race()), largest);
            }
            if racy.last() != Some(&pair.memory) {
                racy.push(pair.memory.clone());
            }
            if stability().hopeless() {
                break;
            }
            from = byte + 1;
        }
    }
    let found = match racy.is_empty() {
        true => ScheduleOutcome::Equal,
        false => ScheduleOutcome::Racy(racy, race()),
    };
    (found, largest)
}
