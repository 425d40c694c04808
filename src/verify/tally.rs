//! In how many launches a comparison found two kernels equal, and why others show nothing.

use super::{KernelReport, LaunchReport, Verdict};
use ptxasw_executor::Fault;
use std::fmt;

/// Fewer equal launches are not enough where others were cut off by the budget, or failed.
const SOME: usize = 4;

/// Why a launch shows nothing about two kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// The original's own result depends on the schedule.
    Race,
    /// The original takes too many steps under every schedule: it does not end, or not soon enough.
    TooLong,
    /// The original fails under every schedule.
    Fails,
    /// Earlier launches took all steps.
    Budget,
    /// It has overlapping buffers or values that are seldom, and the original has a data race then, or fails.
    Adversarial,
    /// No thread accesses memory.
    Idle,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LeftOut::Race => "data race of the original",
            LeftOut::TooLong => "the original takes too many steps",
            LeftOut::Fails => "the original fails",
            LeftOut::Budget => "beyond `--steps`",
            LeftOut::Idle => "no thread accesses memory",
            LeftOut::Adversarial => {
                "with overlapping buffers or extreme values the original races or fails"
            }
        })
    }
}

/// What became of the launches of one kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Launches in which both kernels left the same, under each schedule under which the original came to its end.
    pub equal: usize,
    /// All launches, those included that were not tried.
    pub launches: usize,
    /// The others by their reasons, as far as they have one.
    pub left_out: Vec<(LeftOut, usize)>,
    /// [`Reach::is_complete`](super::Reach::is_complete).
    pub complete: bool,
}

impl Tally {
    /// Of one report.
    pub fn of(report: &KernelReport) -> Self {
        let mut tally = Tally {
            launches: report.launches.len() + report.left_out,
            complete: report.reach.is_complete(),
            ..Tally::default()
        };
        // The last launch is the one with the finding.
        let found = matches!(
            report.verdict,
            Verdict::Different(_) | Verdict::UndefinedBehaviour(_)
        );
        let tried = report.launches.len() - usize::from(found).min(report.launches.len());
        for launch in report.launches.iter().take(tried) {
            match left_out(launch) {
                Some(reason) => tally.add(reason, 1),
                None => tally.equal += usize::from(launch.equal > 0),
            }
        }
        if report.left_out > 0 {
            tally.add(LeftOut::Budget, report.left_out);
        }
        tally
    }

    fn add(&mut self, reason: LeftOut, count: usize) {
        match self.left_out.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, sum)) => *sum += count,
            None => self.left_out.push((reason, count)),
        }
    }

    /// At least half of the launches that were tried are equal, or some that together reach all there is: fewer show too little
    /// to call kernels equal. Those in which the original is not expected to have a meaning, or does nothing, don't count.
    pub fn is_enough(&self) -> bool {
        let aside = |reason| {
            use LeftOut::{Adversarial, Budget, Idle};
            matches!(reason, Adversarial | Budget | Idle)
        };
        let aside = self.left_out.iter().filter(|(reason, _)| aside(*reason));
        let aside: usize = aside.map(|(_, count)| count).sum();
        let tried = self.launches - aside;
        let cut = self
            .left_out
            .iter()
            .any(|(reason, _)| *reason == LeftOut::Budget);
        let half = 2 * self.equal >= tried && (!cut || self.equal >= SOME);
        self.equal > 0 && (half || self.complete && self.equal >= SOME)
    }
}

/// "30 of 66 launches; 36 left out: data race of the original"
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} launches", self.equal, self.launches)?;
        let sum: usize = self.left_out.iter().map(|(_, count)| count).sum();
        match &self.left_out[..] {
            [] => Ok(()),
            [(reason, _)] => write!(f, "; {sum} left out: {reason}"),
            several => {
                let each: Vec<String> = several
                    .iter()
                    .map(|(reason, count)| format!("{reason} ({count})"))
                    .collect();
                write!(f, "; {sum} left out: {}", each.join(", "))
            }
        }
    }
}

fn left_out(launch: &LaunchReport) -> Option<LeftOut> {
    let nothing = !launch.racy.is_empty() || launch.race.is_some() || launch.equal == 0;
    if launch.adversarial && nothing {
        return Some(LeftOut::Adversarial);
    }
    if !launch.racy.is_empty() || launch.race.is_some() {
        return Some(LeftOut::Race);
    }
    if launch.equal > 0 {
        return launch.idle.then_some(LeftOut::Idle);
    }
    // In a launch without any of these the comparison found something.
    let (_, error) = launch.skipped.first()?;
    Some(match error.fault {
        Fault::StepLimit(_) => LeftOut::TooLong,
        _ => LeftOut::Fails,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Memory, Reason};

    fn report(launches: &[(usize, bool)], left_out: usize) -> KernelReport {
        let launches = launches.iter().map(|&(equal, racy)| LaunchReport {
            launch: String::new(),
            block: [32, 1, 1],
            equal,
            racy: racy.then_some(Memory::Buffer(0)).into_iter().collect(),
            race: None,
            skipped: Vec::new(),
            may_not_end: 0,
            adversarial: false,
            idle: false,
        });
        KernelReport {
            launches: launches.collect(),
            left_out,
            ..KernelReport::new("k", Reason::NoLaunch)
        }
    }

    #[test]
    fn launches_are_counted_by_reasons() {
        let tally = Tally::of(&report(&[(5, false), (5, true), (1, false)], 0));
        let words = "2 of 3 launches; 1 left out: data race of the original";
        assert_eq!(
            (tally.to_string().as_str(), tally.is_enough()),
            (words, true)
        );
        let tally = Tally::of(&report(&[(5, false), (5, true)], 1));
        let words =
            "1 of 3 launches; 2 left out: data race of the original (1), beyond `--steps` (1)";
        assert_eq!(
            (tally.to_string().as_str(), tally.is_enough()),
            (words, false)
        );
        assert!(Tally::of(&report(&[(5, false), (0, true)], 0)).is_enough());
        // Few, but nothing is left that they did not reach.
        let mut few = report(&[[(5, false); 4].as_slice(), &[(0, true); 9]].concat(), 50);
        assert!(Tally::of(&few).is_enough());
        few.reach.unreached.push(Default::default());
        assert!(!Tally::of(&few).is_enough());
        // What does nothing shows nothing.
        few.launches.iter_mut().for_each(|one| one.idle = true);
        assert_eq!(Tally::of(&few).equal, 0);
        assert!(!Tally::of(&report(&[], 0)).is_enough());
    }
}
