//! Times of kernels by device events, in alternation: what changes on the machine changes all of them.

use super::driver::{Context, Event, Function};
use super::error::GpuError;
use serde::Serialize;
use std::time::{Duration, Instant};

/// The least duration of a sample: events resolve half a microsecond.
const SAMPLE: f64 = 200e-6;
/// Most launches of one sample.
const MOST_LAUNCHES: u32 = 1000;
/// All samples of all kernels should take so many seconds, if the launch does not say how many there are.
const BUDGET: f64 = 4.0;
/// Fewest and most samples of a kernel.
const SAMPLES: (u32, u32) = (15, 300);
/// Clocks rise in this time.
const WARM_UP: Duration = Duration::from_millis(300);
/// Fewest launches before the timed ones.
const WARM_UP_LAUNCHES: u32 = 3;

/// A kernel made ready to be launched again and again.
pub(super) struct Ready<'m> {
    pub(super) function: Function<'m>,
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) dynamic_shared: u32,
    pub(super) parameters: Vec<u8>,
}

impl Ready<'_> {
    pub(super) fn launch(&self) -> Result<(), GpuError> {
        let (grid, block) = (self.grid, self.block);
        let result = self
            .function
            .launch(grid, block, self.dynamic_shared, &self.parameters);
        Ok(result?)
    }
}

/// How often kernels are launched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Launches before the timed ones; none: enough for the clocks to rise.
    pub warm_up: Option<u32>,
    /// Samples of each kernel; none: as many as a few seconds allow.
    pub samples: Option<u32>,
}

/// Times of a kernel in microseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// Samples.
    pub samples: u32,
    /// Launches of a sample, one after the other.
    pub launches: u32,
    /// Median over the samples of the time of a launch.
    pub median: f64,
    /// Least of them.
    pub least: f64,
    /// Largest of them.
    pub largest: f64,
    /// Time of the original by that of this kernel, from pairs of neighbouring samples: above 1, this one is faster.
    pub speedup: Spread,
}

/// A median and the quartiles around it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// A quarter of the values are below.
    pub lower: f64,
    /// A quarter of the values are above.
    pub upper: f64,
}

/// Times kernels against the first of them. Buffers are not restored between launches: a kernel that reads what it
/// writes goes on from there.
///
/// # Errors
/// A launch fails.
pub(super) fn time(
    context: &Context,
    kernels: &[Ready],
    counts: Counts,
    limit: Duration,
) -> Result<Vec<Timing>, GpuError> {
    let events = kernels
        .iter()
        .map(|_| Ok((context.event()?, context.event()?)))
        .collect::<Result<Vec<_>, GpuError>>()?;
    let once = warm_up(kernels, &events, counts, limit)?;
    let launches: Vec<u32> = once
        .iter()
        .map(|&seconds| {
            let wanted = (SAMPLE / seconds.max(1e-9)).ceil();
            (wanted as u32).clamp(1, MOST_LAUNCHES)
        })
        .collect();
    let round: f64 = (once.iter().zip(&launches))
        .map(|(seconds, &n)| seconds * f64::from(n))
        .sum();
    let samples = counts
        .samples
        .unwrap_or_else(|| ((BUDGET / round.max(1e-9)) as u32).clamp(SAMPLES.0, SAMPLES.1))
        .max(1);
    let mut times = vec![Vec::with_capacity(samples as usize); kernels.len()];
    for sample in 0..samples {
        // There and back, so that none always runs after the same other one.
        let forward = 0..kernels.len();
        let order: Vec<usize> = match sample % 2 {
            0 => forward.collect(),
            _ => forward.rev().collect(),
        };
        for &i in &order {
            record(&kernels[i], &events[i], launches[i])?;
        }
        for &i in &order {
            events[i].1.wait(limit)?;
            times[i].push(elapsed(&events[i])? / f64::from(launches[i]));
        }
    }
    Ok(summary(&times, &launches))
}

type Pair<'c> = (Event<'c>, Event<'c>);

/// Launches a kernel so many times between its events.
fn record(kernel: &Ready, events: &Pair, launches: u32) -> Result<(), GpuError> {
    events.0.record()?;
    for _ in 0..launches {
        kernel.launch()?;
    }
    events.1.record()?;
    Ok(())
}

/// Seconds between two events that have happened.
fn elapsed(events: &Pair) -> Result<f64, GpuError> {
    Ok(events.1.since(&events.0)? / 1e3)
}

/// Launches all kernels until the clocks have risen. Seconds of the last launch of each.
fn warm_up(
    kernels: &[Ready],
    events: &[Pair],
    counts: Counts,
    limit: Duration,
) -> Result<Vec<f64>, GpuError> {
    let least = counts.warm_up.unwrap_or(WARM_UP_LAUNCHES).max(1);
    let start = Instant::now();
    let mut once = vec![0.0; kernels.len()];
    let mut rounds = 0;
    while rounds < least || (counts.warm_up.is_none() && start.elapsed() < WARM_UP) {
        for ((kernel, events), seconds) in kernels.iter().zip(events).zip(&mut once) {
            record(kernel, events, 1)?;
            events.1.wait(limit)?;
            *seconds = elapsed(events)?;
        }
        rounds += 1;
    }
    Ok(once)
}

/// `times` are seconds of a launch, by kernel and sample.
fn summary(times: &[Vec<f64>], launches: &[u32]) -> Vec<Timing> {
    let first = &times[0];
    let one = |(own, &launches): (&Vec<f64>, &u32)| {
        let ratios = first.iter().zip(own).map(|(a, b)| a / b.max(1e-12));
        let spread = spread(own.clone());
        Timing {
            samples: own.len() as u32,
            launches,
            median: spread.median * 1e6,
            least: own.iter().copied().fold(f64::INFINITY, f64::min) * 1e6,
            largest: own.iter().copied().fold(0.0, f64::max) * 1e6,
            speedup: self::spread(ratios.collect()),
        }
    };
    times.iter().zip(launches).map(one).collect()
}

/// Median and quartiles.
fn spread(mut values: Vec<f64>) -> Spread {
    values.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let place = part * (values.len().max(1) - 1) as f64;
        let (low, high) = (place.floor() as usize, place.ceil() as usize);
        match (values.get(low), values.get(high)) {
            (Some(a), Some(b)) => a + (b - a) * place.fract(),
            _ => f64::NAN,
        }
    };
    Spread {
        median: at(0.5),
        lower: at(0.25),
        upper: at(0.75),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles() {
        let of = |values: &[f64]| {
            let spread = spread(values.to_vec());
            [spread.lower, spread.median, spread.upper]
        };
        assert_eq!(of(&[5.0, 1.0, 4.0, 2.0, 3.0]), [2.0, 3.0, 4.0]);
        assert_eq!(of(&[2.0, 1.0]), [1.25, 1.5, 1.75]);
        assert_eq!(of(&[7.0]), [7.0; 3]);
    }

    /// Each sample is compared with the original's of the same round, so that a slow round changes no ratio.
    #[test]
    fn ratios_of_pairs() {
        let times = [vec![4e-6, 40e-6, 4e-6], vec![2e-6, 20e-6, 2e-6]];
        let all = summary(&times, &[1, 3]);
        assert!((all[1].speedup.median - 2.0).abs() < 1e-9);
        assert!((all[1].speedup.lower - 2.0).abs() < 1e-9);
        assert!((all[0].speedup.upper - 1.0).abs() < 1e-9);
        assert!((all[1].median - 2.0).abs() < 1e-9);
        assert!((all[1].least - 2.0).abs() < 1e-9 && (all[1].largest - 20.0).abs() < 1e-9);
        assert_eq!((all[1].samples, all[1].launches), (3, 3));
    }
}
