//! What of the original's result depends on the schedule: such bytes say nothing about the rewritten kernel.

use super::compare::{Memory, pairs};
use super::runs::Job;
use crate::warp::{ExecutionError, Fault, Launch, Outcome, Schedule};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Seeds of schedules that are tried besides the user's own: far from the small numbers that users give.
const SEEDS: std::ops::Range<u64> = 0x5eed_0000..0x5eed_0010;

/// Bytes that are taken together: of values that race, some bytes may be the same by chance.
const GRANULE: usize = 8;

/// How the original's results under several schedules compare.
#[derive(Debug, Default)]
pub(super) struct Stability {
    /// By granule: whether two schedules gave different ones.
    unstable: FxHashMap<Memory, Vec<bool>>,
    /// The first fault under any schedule, if there is one.
    pub(super) fault: Option<ExecutionError>,
}

impl Stability {
    /// Runs the original under lockstep, the schedules of the job and some more.
    pub(super) fn of(job: &Job, launch: &Launch) -> Self {
        let mut schedules = vec![Schedule::Lockstep];
        let more = SEEDS.map(|seed| Schedule::Independent { seed });
        for schedule in job.options.schedules.iter().copied().chain(more) {
            if !schedules.contains(&schedule) {
                schedules.push(schedule);
            }
        }
        let runs = schedules.par_iter();
        let outcomes: Vec<Result<Outcome, ExecutionError>> =
            runs.map(|&s| job.original(launch, s)).collect();
        let mut stability = Stability::default();
        let mut first: Option<&Outcome> = None;
        for (outcome, &schedule) in outcomes.iter().zip(&schedules) {
            match (outcome, first) {
                // Lanes that wait for each other need turns, which lockstep does not give them.
                (Err(error), _) if schedule == Schedule::Lockstep && is_deadlock(error) => {}
                (Ok(outcome), Some(first)) => stability.add(first, outcome),
                (Ok(outcome), None) => first = Some(outcome),
                (Err(error), _) if error.undefined_behaviour() => {
                    stability.fault.get_or_insert_with(|| error.clone());
                }
                _ => {}
            }
        }
        stability
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

    /// Whether all schedules gave this byte and those around it.
    pub(super) fn stable(&self, memory: &Memory, byte: usize) -> bool {
        let marks = self.unstable.get(memory);
        !marks.is_some_and(|marks| marks.get(byte / GRANULE).is_some_and(|&mark| mark))
    }
}

fn is_deadlock(error: &ExecutionError) -> bool {
    matches!(
        error.fault,
        Fault::Deadlock { .. } | Fault::BarrierDeadlock(_)
    )
}
