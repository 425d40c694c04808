//! Successive halving: all subjects get a few samples, the better half twice as many, and so on. One of them, what the others have to
//! be better than, stays to the end.

use super::data::Measured;
use std::time::Duration;

/// Whoever times kernels.
pub trait Bench {
    /// Times some subjects against the original, in alternation, with so many samples of each. None where one could not be run.
    ///
    /// # Errors
    /// In words: nothing can be timed any more.
    fn time(&mut self, subjects: &[usize], samples: u32) -> Result<Vec<Option<Measured>>, String>;

    /// Time that was spent so far.
    fn spent(&self) -> Duration;
}

/// How much may be spent.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Samples of each subject in the first round.
    pub first: u32,
    /// Most samples of a subject in one round.
    pub most: u32,
    /// After so long no round is begun.
    pub time: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            first: 16,
            most: 1024,
            time: Duration::from_secs(60),
        }
    }
}

/// A ratio is decided where 1.00 is outside of its quartiles by so much.
const DECIDED: f64 = 0.01;

/// Times subjects 0 to `count`: the last figures of each. It ends where one subject besides `always` is left and its ratio is
/// decided, or the budget is spent.
///
/// # Errors
/// Those of the bench, where nothing was timed before.
pub fn halve(
    bench: &mut impl Bench,
    count: usize,
    always: Option<usize>,
    budget: Budget,
) -> Result<Vec<Option<Measured>>, String> {
    let mut found: Vec<Option<Measured>> = vec![None; count];
    let mut left: Vec<usize> = (0..count).collect();
    let mut samples = budget.first;
    while !left.is_empty() {
        let round = match bench.time(&left, samples) {
            Ok(round) => round,
            Err(why) if found.iter().all(Option::is_none) => return Err(why),
            Err(_) => break,
        };
        for (&subject, measured) in left.iter().zip(round) {
            found[subject] = measured;
        }
        left.retain(|&subject| found[subject].is_some());
        let point = |subject: &usize| found[*subject].as_ref().map_or(0.0, |one| one.ratio.point);
        left.sort_by(|one, other| point(other).total_cmp(&point(one)).then(one.cmp(other)));
        let stays = left
            .iter()
            .copied()
            .find(|&subject| Some(subject) == always);
        left.retain(|&subject| Some(subject) != always);
        let decided = left.len() <= 1
            && left
                .iter()
                .all(|&one| found[one].as_ref().is_some_and(is_decided));
        if decided || samples >= budget.most || bench.spent() >= budget.time {
            break;
        }
        left.truncate(left.len().div_ceil(2));
        left.extend(stays);
        samples = (samples * 2).min(budget.most);
    }
    Ok(found)
}

fn is_decided(measured: &Measured) -> bool {
    measured.ratio.least > 1.0 + DECIDED || measured.ratio.most < 1.0 - DECIDED
}

#[cfg(test)]
mod tests {
    use super::super::data::Ratio;
    use super::*;

    /// Subjects with a true ratio; samples narrow the range around it.
    struct Fake {
        truth: Vec<f64>,
        rounds: Vec<(Vec<usize>, u32)>,
        fails_after: usize,
    }

    impl Bench for Fake {
        fn time(
            &mut self,
            subjects: &[usize],
            samples: u32,
        ) -> Result<Vec<Option<Measured>>, String> {
            if self.rounds.len() == self.fails_after {
                return Err("the device is lost".to_owned());
            }
            self.rounds.push((subjects.to_vec(), samples));
            let one = |&subject: &usize| {
                let point = self.truth[subject];
                let width = 1.0 / f64::from(samples);
                (point > 0.0).then_some(Measured {
                    ratio: Ratio {
                        point,
                        least: point - width,
                        most: point + width,
                    },
                    samples,
                    outlier: None,
                })
            };
            Ok(subjects.iter().map(one).collect())
        }

        fn spent(&self) -> Duration {
            Duration::from_secs(10 * self.rounds.len() as u64)
        }
    }

    type Measurements = Result<Vec<Option<Measured>>, String>;

    /// The figures, and the subjects and samples of each round.
    fn run(
        truth: &[f64],
        budget: Budget,
        fails_after: usize,
    ) -> (Measurements, Vec<(Vec<usize>, u32)>) {
        let mut fake = Fake {
            truth: truth.to_vec(),
            rounds: Vec::new(),
            fails_after,
        };
        let found = halve(&mut fake, truth.len(), None, budget);
        (found, fake.rounds)
    }

    #[test]
    fn the_better_half_goes_on() {
        let (found, rounds) = run(&[1.0, 1.3, 0.9, 1.2, 0.0], Budget::default(), usize::MAX);
        let sets: Vec<_> = rounds
            .iter()
            .map(|(set, samples)| (set.clone(), *samples))
            .collect();
        assert_eq!(
            sets,
            [(vec![0, 1, 2, 3, 4], 16), (vec![1, 3], 32), (vec![1], 64)]
        );
        let found = found.unwrap();
        assert_eq!(found[1].as_ref().unwrap().samples, 64);
        assert_eq!(found[3].as_ref().unwrap().samples, 32);
        assert_eq!(found[2].as_ref().unwrap().samples, 16);
        assert!(found[4].is_none());
    }

    #[test]
    fn what_others_are_compared_with_stays() {
        let mut fake = Fake {
            truth: vec![0.9, 1.0, 1.1, 1.2],
            rounds: Vec::new(),
            fails_after: usize::MAX,
        };
        let found = halve(&mut fake, 4, Some(0), Budget::default()).unwrap();
        let sets: Vec<_> = fake.rounds.iter().map(|(set, _)| set.clone()).collect();
        assert_eq!(sets, [vec![0, 1, 2, 3], vec![3, 2, 0], vec![3, 0]]);
        let samples = |subject: usize| found[subject].as_ref().unwrap().samples;
        assert_eq!([0, 1, 2, 3].map(samples), [64, 16, 32, 64]);
        let mut fake = Fake {
            truth: vec![1.0],
            rounds: Vec::new(),
            fails_after: usize::MAX,
        };
        halve(&mut fake, 1, Some(0), Budget::default()).unwrap();
        assert_eq!(fake.rounds.len(), 1, "there is nothing to decide");
    }

    #[test]
    fn what_is_not_decided_gets_more_samples_within_the_budget() {
        let (_, rounds) = run(&[1.0], Budget::default(), usize::MAX);
        let samples: Vec<u32> = rounds.iter().map(|round| round.1).collect();
        assert_eq!(samples, [16, 32, 64, 128, 256, 512]);
        let short = Budget {
            time: Duration::from_secs(15),
            ..Budget::default()
        };
        assert_eq!(run(&[1.0], short, usize::MAX).1.len(), 2);
        let few = Budget {
            most: 32,
            ..Budget::default()
        };
        assert_eq!(run(&[1.0], few, usize::MAX).1.len(), 2);
    }

    #[test]
    fn a_lost_device_ends_it() {
        assert!(run(&[1.0, 2.0], Budget::default(), 0).0.is_err());
        let (found, _) = run(&[1.0, 2.0], Budget::default(), 1);
        assert!(found.unwrap().iter().all(Option::is_some));
        assert!(run(&[], Budget::default(), 0).0.unwrap().is_empty());
    }
}
