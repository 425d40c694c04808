//! What of the original's result depends on the schedule: there it shows nothing about the rewritten kernel.
//!
//! Several schedules are tried, and a data race is looked for: it may change a value under a schedule that nobody tries. A
//! made-up launch with a race is a bad guess, and nothing in it counts. The user's own launch is taken as meant: what all
//! schedules agree on counts, and the race is named beside a difference.

use super::compare::{Memory, pairs};
use super::runs::Job;
use ptxasw_base::threads;
use ptxasw_executor::{ExecutionError, Fault, Launch, Outcome, Race, Races, Schedule, find_races};
use rustc_hash::FxHashMap;

/// Most schedules under which races are looked for, of the user's own and lockstep.
const WATCHED: usize = 6;
/// Seeds of schedules that are tried besides: far from the small numbers that users give.
const SEEDS: std::ops::Range<u64> = 0x5eed_0000..0x5eed_0010;
/// Bytes that are taken together: of values that race, some bytes may be the same by chance.
const GRANULE: usize = 8;

/// How the original behaves under several schedules.
#[derive(Debug, Default)]
pub(super) struct Stability {
    /// The launch is the user's own.
    given: bool,
    /// The first race that was found.
    pub(super) race: Option<Race>,
    /// The first fault under any schedule, if there is one.
    pub(super) fault: Option<Skip>,
    /// The first run that took too many steps: what it would have left is not known.
    pub(super) cut: Option<Skip>,
    /// By granule: whether two schedules gave different ones.
    unstable: FxHashMap<Memory, Vec<bool>>,
}

/// A schedule under which the original fails, and how.
pub(super) type Skip = (Schedule, ExecutionError);

type Ran = (Schedule, Result<Outcome, ExecutionError>);

/// Runs under each schedule, on threads of their own: one of the pool's that waited for others would take up another pair of
/// this launch, which waits for the outcome of this.
fn under_each<R: Send>(
    job: &Job,
    schedules: Vec<Schedule>,
    run: impl Fn(Schedule) -> R + Sync,
) -> Vec<R> {
    threads::each(job.options.jobs, schedules, |_| 0, run)
}

impl Stability {
    /// Runs the original under lockstep, the schedules of the job and some more, each for at most `limit` steps.
    pub(super) fn of(job: &Job, launch: &Launch, limit: u64) -> Self {
        let mut schedules = vec![Schedule::Lockstep];
        let given = job.options.schedules.iter().copied();
        schedules.extend(given.filter(|&s| s != Schedule::Lockstep));
        let (watched, others) = schedules.split_at(schedules.len().min(WATCHED));
        let watched: Vec<(Ran, Races)> = under_each(job, watched.to_vec(), |schedule| {
            let (module, function) = (job.original.module, job.original.function);
            let limits = job.limits(limit);
            let (outcome, races) = find_races(module, function, launch, schedule, limits);
            ((schedule, outcome), races)
        });
        let mut stability = Stability {
            given: !job.options.launches.is_empty(),
            ..Stability::default()
        };
        let harmful = |(_, races): &(Ran, Races)| races.harmful().next().cloned();
        stability.race = watched.iter().find_map(harmful);
        let mut ran: Vec<Ran> = watched.into_iter().map(|(ran, _)| ran).collect();
        if !stability.hopeless() {
            let seeds = SEEDS.map(|seed| Schedule::Independent { seed });
            let more: Vec<Schedule> = others.iter().copied().chain(seeds).collect();
            ran.extend(under_each(job, more, |s| {
                (s, job.original(launch, s, limit))
            }));
        }
        stability.add_all(&ran);
        stability
    }

    fn add_all(&mut self, ran: &[Ran]) {
        let mut first: Option<&Outcome> = None;
        for (schedule, outcome) in ran {
            match (outcome, first) {
                // Lanes that wait for each other need turns, which lockstep does not give them.
                (Err(error), _) if *schedule == Schedule::Lockstep && is_deadlock(error) => {}
                (Ok(outcome), Some(first)) => self.add(first, outcome),
                (Ok(outcome), None) => first = Some(outcome),
                (Err(error), _) if error.undefined_behaviour() => {
                    self.fault.get_or_insert_with(|| (*schedule, error.clone()));
                }
                (Err(error), _) if matches!(error.fault, Fault::StepLimit(_)) => {
                    self.cut.get_or_insert_with(|| (*schedule, error.clone()));
                }
                (Err(_), _) => {}
            }
        }
    }

    fn add(&mut self, first: &Outcome, other: &Outcome) {
        for pair in pairs(first, other) {
            let mut from = 0;
            while let Some(byte) = pair.first_byte(from) {
                let marks = self.unstable.entry(pair.memory.clone()).or_default();
                let granule = byte / GRANULE;
                if marks.len() <= granule {
                    marks.resize(granule + 1, false);
                }
                marks[granule] = true;
                from = (granule + 1) * GRANULE;
            }
        }
    }

    /// Nothing of this launch is evidence.
    pub(super) fn hopeless(&self) -> bool {
        (self.race.is_some() || self.cut.is_some()) && !self.given
    }

    /// Whether this byte and those around it are evidence.
    pub(super) fn stable(&self, memory: &Memory, byte: usize) -> bool {
        let marks = self.unstable.get(memory);
        let unstable = marks.and_then(|marks| marks.get(byte / GRANULE));
        !self.hopeless() && !unstable.is_some_and(|&mark| mark)
    }
}

fn is_deadlock(error: &ExecutionError) -> bool {
    matches!(
        error.fault,
        Fault::Deadlock { .. } | Fault::BarrierDeadlock(_)
    )
}
