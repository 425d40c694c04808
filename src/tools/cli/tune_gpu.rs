//! The part of `ptxasw tune` that times kernels on a GPU.

use super::gpu::program_of;
use super::tune::Arguments;
use crate::tune::data::{Compared, Kernel, Measured, Ratio, Row, Tuning};
use crate::tune::{Bench, Examined, halve};
use ptxasw_executor::launch::LaunchSpec;
use ptxasw_verify::gpu::{self, Gpu, Program, Subject, Timing, Verdict};
use std::time::{Duration, Instant};

/// A sample that takes so many times the median is named.
const OUTLIER: f64 = 3.0;
/// Ratios nearer to 1 say nothing about a sign.
const LEAST_GAIN: f64 = 0.01;

/// Times what was made of all kernels for which the user has given a launch; a kernel that an earlier call has timed on the same GPU
/// keeps its figures. Whether a kernel still runs.
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
    for one in examined {
        if reuse(&mut one.kernel, known) {
            continue;
        }
        let made_up = one.kernel.made_up;
        let why = match one.launch.clone().filter(|_| !made_up) {
            _ if one.kernel.target != target => format!("the GPU is one of {target}"),
            _ if one.kernel.rows.is_empty() => "there is no machine code of it".to_owned(),
            None => "give a launch of real size with `--launch`".to_owned(),
            Some(spec) => match timed(gpu, arguments, text, one, spec)? {
                Ok(true) => return Ok(true),
                Ok(false) => continue,
                Err(why) => why,
            },
        };
        one.kernel.not_measured = Some(why);
    }
    Ok(false)
}

/// Times one kernel: whether it still runs, or why nothing was measured.
fn timed(
    gpu: &mut Gpu,
    arguments: &Arguments,
    text: &[u8],
    one: &mut Examined,
    spec: LaunchSpec,
) -> anyhow::Result<Result<bool, String>> {
    let rows = &one.kernel.rows;
    // What is wrong on the CPU may do anything here.
    let sound: Vec<usize> = (1..rows.len())
        .filter(|&row| rows[row].is_sound())
        .collect();
    let default = sound.iter().position(|&row| rows[row].is_default());
    let original = program_of(
        text.to_vec(),
        arguments.input(),
        "original".to_owned(),
        false,
    )?;
    let mut bench = OnGpu {
        gpu,
        arguments,
        original,
        texts: sound.iter().map(|&row| &*one.texts[row]).collect(),
        spec: LaunchSpec {
            kernel: Some(one.kernel.kernel.clone()),
            ..spec
        },
        start: Instant::now(),
        wrong: Vec::new(),
        hangs: false,
    };
    let found = halve(&mut bench, sound.len(), default, arguments.budget());
    let (wrong, hangs) = (std::mem::take(&mut bench.wrong), bench.hangs);
    for (subject, why) in wrong {
        one.kernel.rows[sound[subject]].compared = Compared::Different(why);
    }
    let found = match found {
        Ok(found) => found,
        Err(_) if hangs => return Ok(Ok(true)),
        Err(why) => return Ok(Err(why)),
    };
    let samples = found
        .iter()
        .flatten()
        .map(|measured| measured.samples)
        .max();
    for (&row, measured) in sound.iter().zip(found) {
        one.kernel.rows[row].measured = measured;
    }
    // All others were timed against it.
    one.kernel.rows[0].measured = samples.map(|samples| Measured {
        ratio: Ratio::ONE,
        samples,
        outlier: None,
    });
    Ok(Ok(hangs))
}

/// Takes over what was measured before with the same launch.
pub fn reuse(kernel: &mut Kernel, known: Option<&Tuning>) -> bool {
    let mut all = known.iter().flat_map(|known| &known.kernels);
    let key = |one: &Kernel| {
        let all = [&one.kernel, &one.target, &one.launch_digest];
        all.map(Clone::clone)
    };
    let own = key(kernel);
    let known = all.find(|one| key(one) == own && one.is_measured());
    let Some(known) = known else {
        return false;
    };
    for row in &mut kernel.rows {
        let same = |one: &&Row| (&one.code, one.registers) == (&row.code, row.registers);
        if let Some(before) = known.rows.iter().find(same) {
            row.measured.clone_from(&before.measured);
            row.compared.clone_from(&before.compared);
        }
    }
    true
}

/// The rewritings of a kernel on a GPU.
struct OnGpu<'a> {
    gpu: &'a mut Gpu,
    arguments: &'a Arguments,
    original: Program,
    /// The modules of the subjects.
    texts: Vec<&'a Vec<u8>>,
    spec: LaunchSpec,
    start: Instant,
    /// Subjects that give other results, or fail where the original does not.
    wrong: Vec<(usize, String)>,
    hangs: bool,
}

impl Bench for OnGpu<'_> {
    fn time(&mut self, subjects: &[usize], samples: u32) -> Result<Vec<Option<Measured>>, String> {
        if self.hangs {
            return Err("a kernel still runs".to_owned());
        }
        // Bits are compared here: what is tolerated was compared on the CPU.
        let compared = self.arguments.is_exact();
        let programs = subjects.iter().map(|&subject| {
            let text = self.texts[subject].clone();
            program_of(text, self.arguments.input(), subject.to_string(), compared)
        });
        let programs = programs.collect::<Result<Vec<_>, _>>();
        let programs = programs.map_err(|error| super::in_one_line(&error))?;
        let options = self.arguments.on().timed(&self.spec, samples);
        let report = gpu::run(self.gpu, &self.original, &programs, &self.spec, &options);
        let report = report.map_err(|error| {
            self.hangs |= error.hangs();
            error.to_string()
        })?;
        self.hangs |= report.hangs;
        let one = |(&subject, result): (&usize, &Subject)| {
            let wrong = match &result.verdict {
                Verdict::Different(_) => "other results on the GPU".to_owned(),
                Verdict::Failed(why) => format!("it fails on the GPU: {why}"),
                _ => return result.timing.as_ref().map(measured),
            };
            self.wrong.push((subject, wrong));
            None
        };
        let found = subjects.iter().zip(&report.rewritten).map(one).collect();
        match report.not_timed {
            Some(why) if self.wrong.is_empty() => Err(why),
            _ => Ok(found),
        }
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

    fn row(estimated: f64, measured: f64) -> Row {
        let ratio = |point| Ratio {
            point,
            least: point,
            most: point,
        };
        Row {
            choices: vec![format!("max-live={measured}")],
            code: format!("{measured}"),
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
            made_up: false,
            launch_digest: String::new(),
            rows: vec![row(1.1, 1.2), row(1.1, 0.9), row(0.9, 0.8), row(1.2, 1.001)],
            not_estimated: None,
            not_measured: None,
            left_out: Vec::new(),
            best: None,
        };
        let tuning = |kernels| Tuning {
            module: String::new(),
            digest: String::new(),
            options: String::new(),
            device: None,
            kernels,
        };
        assert_eq!(signs(&tuning(vec![kernel.clone()])), Some((2, 3)));
        assert_eq!(signs(&tuning(Vec::new())), None);
        // Figures of an earlier call are those of the same choices.
        let mut again = kernel.clone();
        again.rows.iter_mut().for_each(|row| row.measured = None);
        again.rows.push(Row {
            code: "another".to_owned(),
            measured: None,
            ..row(1.0, 1.0)
        });
        assert!(reuse(&mut again, Some(&tuning(vec![kernel.clone()]))));
        assert_eq!(again.rows[..4], kernel.rows[..]);
        assert!(again.rows[4].measured.is_none());
        again.launch_digest = "another".to_owned();
        assert!(!reuse(&mut again, Some(&tuning(vec![kernel]))));
    }
}
