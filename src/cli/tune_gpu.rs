//! The part of `ptxasw tune` that times kernels on a GPU.

use super::gpu::{GpuArguments, program_of};
use super::tune::Arguments;
use crate::tune::data::{Compared, Kernel, Measured, Ratio, Row, Tuning};
use crate::tune::{Bench, Examined, halve};
use crate::verify::gpu::{self, Gpu, Program, Subject, Timing, Verdict};
use crate::warp::launch::LaunchSpec;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A sample that takes so many times the median is named.
const OUTLIER: f64 = 3.0;
/// Ratios nearer to 1 say nothing about a sign.
const LEAST_GAIN: f64 = 0.01;

/// Times the rows of all kernels for which the user has given a launch; those that an earlier call has timed on the same kind of GPU
/// keep its figures. Whether a kernel still runs.
///
/// # Errors
/// A module cannot be read, which is an internal error.
pub fn measure(
    gpu: &mut Gpu,
    arguments: &Arguments,
    text: &[u8],
    examined: &mut [Examined],
    known: Option<&Tuning>,
) -> anyhow::Result<bool> {
    let target = format!("sm_{}", gpu.description().architecture());
    let device = gpu.description().to_string();
    let known = known.filter(|known| known.device.as_ref() == Some(&device));
    for one in examined
        .iter_mut()
        .filter(|one| one.kernel.target == target)
    {
        if reuse(&mut one.kernel, known) {
            continue;
        }
        let made_up = one.kernel.launch.ends_with("(made up)");
        let Some(spec) = one.launch.clone().filter(|_| !made_up) else {
            let why = "give a launch of real size with `--launch`";
            one.kernel.not_measured = Some(why.to_owned());
            continue;
        };
        let mut bench = OnGpu {
            gpu,
            arguments: arguments.on(),
            path: arguments.input(),
            original: program_of(
                text.to_vec(),
                arguments.input(),
                "original".to_owned(),
                false,
            )?,
            texts: &one.texts,
            spec: LaunchSpec {
                kernel: Some(one.kernel.kernel.clone()),
                ..spec
            },
            start: Instant::now(),
            different: Vec::new(),
            hangs: false,
        };
        // The original is what all others are timed against.
        let found = halve(&mut bench, one.texts.len() - 1, arguments.budget());
        let (different, hangs) = (std::mem::take(&mut bench.different), bench.hangs);
        match found {
            Ok(found) => take(&mut one.kernel.rows[1..], found, &different),
            Err(why) => one.kernel.not_measured = Some(why),
        }
        if hangs {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes over what was measured before.
fn reuse(kernel: &mut Kernel, known: Option<&Tuning>) -> bool {
    let mut all = known.iter().flat_map(|known| &known.kernels);
    let same = |one: &&Kernel| {
        (&one.kernel, &one.target, &one.launch) == (&kernel.kernel, &kernel.target, &kernel.launch)
    };
    let Some(known) = all.find(same).filter(|known| known.is_measured()) else {
        return false;
    };
    for row in &mut kernel.rows {
        let same = |one: &&Row| {
            one.choices
                .iter()
                .any(|choice| row.choices.contains(choice))
        };
        let before = known.rows.iter().find(same);
        row.measured = before.and_then(|before| before.measured.clone());
    }
    true
}

fn take(rows: &mut [Row], found: Vec<Option<Measured>>, different: &[usize]) {
    for (number, (row, measured)) in rows.iter_mut().zip(found).enumerate() {
        row.measured = measured;
        if different.contains(&number) {
            row.compared = Compared::Different("other results on the GPU".to_owned());
        }
    }
}

/// The rewritings of a kernel on a GPU.
struct OnGpu<'a> {
    gpu: &'a mut Gpu,
    arguments: &'a GpuArguments,
    path: &'a Path,
    original: Program,
    /// Of all rows; the first is the original's.
    texts: &'a [Arc<Vec<u8>>],
    spec: LaunchSpec,
    start: Instant,
    /// Subjects whose results are others.
    different: Vec<usize>,
    hangs: bool,
}

impl Bench for OnGpu<'_> {
    fn time(&mut self, subjects: &[usize], samples: u32) -> Result<Vec<Option<Measured>>, String> {
        if self.hangs {
            return Err("a kernel still runs".to_owned());
        }
        let programs = subjects.iter().map(|&subject| {
            let text = self.texts[subject + 1].to_vec();
            program_of(text, self.path, subject.to_string(), true)
        });
        let programs = programs.collect::<Result<Vec<_>, _>>();
        let programs = programs.map_err(|error| format!("{error:#}"))?;
        let options = self.arguments.timed(&self.spec, samples);
        let report = gpu::run(self.gpu, &self.original, &programs, &self.spec, &options);
        let report = report.map_err(|error| {
            self.hangs |= error.hangs();
            error.to_string()
        })?;
        self.hangs |= report.hangs;
        if let Some(why) = report.not_timed {
            return Err(why);
        }
        let one = |(&subject, result): (&usize, &Subject)| {
            if matches!(result.verdict, Verdict::Different(_)) {
                self.different.push(subject);
                return None;
            }
            result.timing.as_ref().map(measured)
        };
        Ok(subjects.iter().zip(&report.rewritten).map(one).collect())
    }

    fn spent(&self) -> Duration {
        self.start.elapsed()
    }
}

fn measured(timing: &Timing) -> Measured {
    let times = timing.largest / timing.median;
    Measured {
        ratio: Ratio {
            point: timing.speedup.median,
            least: timing.speedup.lower,
            most: timing.speedup.upper,
        },
        samples: timing.samples,
        outlier: (times > OUTLIER).then_some(times),
    }
}

/// For how many rewritings that gain or lose on the GPU the estimate says which, and of how many; nothing where there are none.
pub fn signs(tuning: &Tuning) -> Option<(usize, usize)> {
    let rows = tuning.kernels.iter().flat_map(|kernel| &kernel.rows);
    let both =
        rows.filter_map(|row| Some((row.estimated?.point - 1.0, row.ratio(true)?.point - 1.0)));
    let sure: Vec<(f64, f64)> = both.filter(|(_, gain)| gain.abs() >= LEAST_GAIN).collect();
    let right = sure.iter().filter(|(estimate, gain)| estimate * gain > 0.0);
    (!sure.is_empty()).then(|| (right.count(), sure.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::data::FORMAT;

    fn row(estimated: f64, measured: f64) -> Row {
        let ratio = |point| Ratio {
            point,
            least: point,
            most: point,
        };
        Row {
            choices: vec![format!("max-live={measured}")],
            registers: 0,
            warps: 0,
            compared: Compared::Equal(1),
            estimated: Some(ratio(estimated)),
            measured: Some(Measured {
                ratio: ratio(measured),
                samples: 1,
                outlier: None,
            }),
        }
    }

    #[test]
    fn signs_are_counted_where_there_is_one() {
        let kernel = Kernel {
            kernel: "k".to_owned(),
            target: "sm_90".to_owned(),
            launch: String::new(),
            rows: vec![row(1.1, 1.2), row(1.1, 0.9), row(0.9, 0.8), row(1.2, 1.001)],
            not_estimated: None,
            not_measured: None,
            best: None,
        };
        let tuning = |kernels| Tuning {
            format: FORMAT,
            version: String::new(),
            module: String::new(),
            digest: String::new(),
            device: None,
            kernels,
        };
        assert_eq!(signs(&tuning(vec![kernel.clone()])), Some((2, 3)));
        assert_eq!(signs(&tuning(Vec::new())), None);
        // Figures of an earlier call are those of the same choices.
        let mut again = kernel.clone();
        again.rows.iter_mut().for_each(|row| row.measured = None);
        again.rows.push(Row {
            choices: vec!["off".to_owned()],
            measured: None,
            ..row(1.0, 1.0)
        });
        assert!(reuse(&mut again, Some(&tuning(vec![kernel.clone()]))));
        assert_eq!(again.rows[..4], kernel.rows[..]);
        assert!(again.rows[4].measured.is_none());
        again.launch = "another".to_owned();
        assert!(!reuse(&mut again, Some(&tuning(vec![kernel]))));
    }
}
