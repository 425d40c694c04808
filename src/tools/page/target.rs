//! Machine code, registers, and times by the clock.

use super::data::{Code as Listing, Share, Target, Version};
use super::subject::{One, Reader, Text, Texts, Wanted};
use crate::cli::targets;
use ptxasw_driver::report::verdict;
use ptxasw_driver::report::verdict::{Estimate, FunctionVerdict, Word};
use ptxasw_executor::launch::LaunchSpec;
use ptxasw_machine::cost::arch::Gpu;
use ptxasw_machine::cost::estimate::{Executed, Kernel};
use ptxasw_machine::cost::operation::Cause;
use ptxasw_machine::cost::sass::{self, KernelCode};
use ptxasw_machine::cost::source;
use ptxasw_machine::cost::trace::Work;
use ptxasw_machine::toolchain::{Arch, occupancy};
use rustc_hash::FxHashMap;

/// Most registers of a thread.
const MOST_REGISTERS: u32 = 255;

/// The machine code of a module's texts, by GPU.
pub struct Machines(Vec<Machine>);

struct Machine {
    arch: Arch,
    before: Result<Code, String>,
    now: Option<Result<Code, String>>,
    trial: Option<Result<Code, String>>,
}

/// A module's kernels in machine code.
struct Code {
    kernels: Vec<KernelCode>,
    /// As `nvdisasm` lists them, by name: byte offsets and instructions.
    listings: FxHashMap<String, Vec<(u32, String)>>,
}

impl Machines {
    /// Assembles all texts for all GPUs.
    pub fn new(texts: &Texts, wanted: &Wanted) -> Self {
        let machines = wanted.archs.iter().map(|&arch| {
            // The listing is by far the largest part of a page.
            let listed = wanted.shown_first() == Some(arch);
            Machine {
                arch,
                before: code(&texts.input, arch, listed),
                now: texts.now.as_ref().map(|text| code(text, arch, listed)),
                trial: texts.trial.as_ref().map(|text| code(text, arch, false)),
            }
        });
        Machines(machines.collect())
    }

    /// What a kernel costs on each GPU.
    pub fn targets(&self, one: &One, reader: &Reader) -> Vec<Target> {
        let launched = launched(one, reader);
        let targets = self.0.iter();
        targets
            .map(|machine| machine.target(one, reader, &launched))
            .collect()
    }

    /// The time of the kernel as it is by that with all shuffles that are proved, for each GPU of which it is known.
    pub fn trials(&self, one: &One, reader: &Reader) -> Vec<(Arch, [f64; 3])> {
        let launched = launched(one, reader);
        let now = reader.texts.now.as_ref().filter(|_| one.is_changed());
        let ratio = |machine: &Machine| {
            let (work, ..) = launched.as_ref().ok()?;
            let base = match now {
                Some(text) => (machine.now.as_ref()?, text),
                None => (&machine.before, &reader.texts.input),
            };
            let base = predicted(base.0.as_ref().ok()?, base.1, one, work, reader).ok()?;
            let (code, text) = (machine.trial.as_ref()?, reader.texts.trial.as_ref()?);
            let trial = predicted(code.as_ref().ok()?, text, one, work, reader).ok()?;
            Some((machine.arch, base.ratio_at_extremes(&trial)))
        };
        self.0.iter().filter_map(ratio).collect()
    }
}

/// The ratio of a target with what it rests on, where there is one.
pub fn estimate(target: &Target) -> Option<Estimate> {
    let version = |version: &Version| {
        Some(verdict::Version {
            waits: version.rounds,
            registers: version.registers,
            warps: version.warps,
            bound: version.bound.clone()?,
        })
    };
    let (before, after) = (target.before.as_ref()?, target.after.as_ref()?);
    Some(Estimate {
        arch: target.arch.clone(),
        ratio: target.ratio?,
        versions: [version(before)?, version(after)?],
    })
}

fn code(text: &Text, arch: Arch, listed: bool) -> Result<Code, String> {
    let text = targets::as_code_for(arch, text.source.text);
    let (assembler, mut assembled) = source::assembled(&text, arch)?;
    let bytes = assembled.cubin.bytes().map_err(|error| error.to_string())?;
    let kernels = sass::kernels(&bytes).map_err(|error| error.to_string())?;
    // Without `nvdisasm` the page has no machine code, and all else.
    let listing = listed.then(|| assembler.listing(&assembled).ok()).flatten();
    Ok(Code {
        kernels,
        listings: listing.map_or_else(FxHashMap::default, |text| listings(&text)),
    })
}

/// The instructions of each `.text.NAME` section of what `nvdisasm -c` prints: `/*0010*/ MOV R1, R2 ;`.
fn listings(text: &str) -> FxHashMap<String, Vec<(u32, String)>> {
    let mut sections: FxHashMap<String, Vec<(u32, String)>> = FxHashMap::default();
    let mut current: Option<&mut Vec<(u32, String)>> = None;
    for line in text.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix(".section\t") {
            let name = section.trim().strip_prefix(".text.");
            let name = name.and_then(|rest| rest.split([',', '"', '\t']).next());
            current = name.map(|name| sections.entry(name.to_owned()).or_default());
            continue;
        }
        let Some(section) = &mut current else {
            continue;
        };
        let Some((at, rest)) = line
            .strip_prefix("/*")
            .and_then(|rest| rest.split_once("*/"))
        else {
            continue;
        };
        let Ok(at) = u32::from_str_radix(at.trim(), 16) else {
            continue;
        };
        let text = rest.split("/*").next().unwrap_or(rest).trim();
        let text = text.trim_end_matches(';').trim_end();
        if !text.is_empty() {
            section.push((at, text.to_owned()));
        }
    }
    sections
}

/// What is executed, and whether that is made up.
type Launched = (Work, LaunchSpec, bool);

fn launched(one: &One, reader: &Reader) -> Result<Launched, String> {
    let (spec, made_up) = reader.launch(&reader.texts.input, one.name)?;
    let work = Work::of_spec(&spec).map_err(|error| error.to_string())?;
    Ok((work, spec, made_up))
}

fn predicted(
    code: &Code,
    text: &Text,
    one: &One,
    work: &Work,
    reader: &Reader,
) -> Result<Kernel, String> {
    let code = code.kernel(one.name).ok_or("no machine code of it")?;
    if Gpu::of(code.target).is_none() {
        return Err(format!("no figures of a GPU of sm_{}", code.target));
    }
    text.source.prediction(code, work, reader.wanted.steps)
}

impl Code {
    fn kernel(&self, name: &str) -> Option<&KernelCode> {
        self.kernels.iter().find(|one| one.name == name)
    }

    fn version(
        &self,
        name: &str,
        kernel: Option<&Kernel>,
        executed: impl FnOnce(&KernelCode) -> Option<Executed>,
    ) -> Option<Version> {
        let code = self.kernel(name)?;
        let executed = match kernel.and_then(Kernel::executed) {
            Some(executed) => Some(*executed),
            None => executed(code),
        };
        let counts = executed.map(|executed| executed.counts);
        let estimate = kernel.map(Kernel::estimate);
        let estimate = estimate.as_ref();
        let listing = self.listings.get(name);
        let share = |(name, share): (&str, f64)| Share {
            name: name.to_owned(),
            share: rounded(share),
        };
        Some(Version {
            registers: code.registers,
            warps: code.resident_warps(),
            instructions: counts.map(|one| one.instructions),
            memory: counts.map(|one| one.loads.device() + one.stores.device()),
            local: counts.map(|one| one.loads.local + one.stores.local),
            rounds: executed.and_then(|executed| executed.rounds),
            cycles: estimate.map(|one| one.cycles.round()),
            time: estimate.map(|one| rounded(one.time)),
            bound: estimate.map(|one| one.limiter.name().to_owned()),
            waits: estimate.map_or_else(Vec::new, |one| {
                let causes = Cause::ALL.map(Cause::name);
                causes.into_iter().zip(one.shares).map(share).collect()
            }),
            pipes: estimate.map_or_else(Vec::new, |one| {
                one.busy.iter().copied().map(share).collect()
            }),
            code: listing.map_or_else(Listing::default, |all| {
                let lines = all.iter().map(|(at, _)| code.line(*at).unwrap_or(0));
                let texts: Vec<&str> = all.iter().map(|(_, text)| &**text).collect();
                Listing {
                    text: texts.join("\n"),
                    lines: lines.collect(),
                }
            }),
        })
    }
}

/// Rounded to three decimal places.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

impl Machine {
    fn target(&self, one: &One, reader: &Reader, launched: &Result<Launched, String>) -> Target {
        let changed = reader.texts.now.as_ref().filter(|_| one.is_changed());
        let mut target = Target {
            arch: self.arch.to_string(),
            before: None,
            after: None,
            ratio: None,
            verdict: one
                .function
                .map_or(Word::Declined, |one| FunctionVerdict::of(one).word),
            launch: None,
            made_up: false,
            unknown: None,
            staircase: staircase(self.arch),
        };
        let work = match launched {
            Ok((work, spec, made_up)) => {
                target.launch = Some(words(spec));
                target.made_up = *made_up;
                Ok(work)
            }
            Err(why) => Err(why.clone()),
        };
        // Without figures of the GPU it is still known what is executed.
        let executed = |text: &'_ Text, code: &KernelCode| {
            let work = work.as_ref().ok()?;
            text.source.executed(code, work, reader.wanted.steps)
        };
        let predict = |code: &Code, text| {
            predicted(
                code,
                text,
                one,
                work.as_ref().map_err(Clone::clone)?,
                reader,
            )
        };
        let before = match &self.before {
            Ok(code) => {
                let kernel = predict(code, &reader.texts.input);
                let executed = |code: &KernelCode| executed(&reader.texts.input, code);
                target.before = code.version(one.name, kernel.as_ref().ok(), executed);
                kernel
            }
            Err(why) => Err(why.clone()),
        };
        let after = match (&self.now, changed) {
            (Some(Ok(code)), Some(text)) => {
                let kernel = predict(code, text);
                target.after =
                    code.version(one.name, kernel.as_ref().ok(), |code| executed(text, code));
                Some(kernel)
            }
            (Some(Err(why)), Some(_)) => Some(Err(why.clone())),
            _ => None,
        };
        match (before, after) {
            (Err(why), _) | (_, Some(Err(why))) => target.unknown = Some(why),
            (Ok(_), None) => {}
            (Ok(before), Some(Ok(after))) => {
                let ratio = before.ratio_at_extremes(&after).map(rounded);
                target.verdict = Word::of_changed(Some(ratio[0]));
                target.ratio = Some(ratio);
            }
        }
        target
    }
}

/// A launch in a few words.
fn words(spec: &LaunchSpec) -> String {
    let shape = |[x, y, z]: [u32; 3]| match (y, z) {
        (1, 1) => format!("{x}"),
        (_, 1) => format!("{x} x {y}"),
        _ => format!("{x} x {y} x {z}"),
    };
    let bytes = spec.buffer_bytes();
    let (grid, block) = (shape(spec.grid), shape(spec.block));
    format!("{grid} blocks of {block} threads, {bytes} bytes in buffers")
}

/// The last number of registers of each step, with the warps that have room.
fn staircase(arch: Arch) -> Vec<[u32; 2]> {
    let target = u32::from(arch.number);
    let warps = |registers| occupancy::warps(target, registers);
    let ends = (1..=MOST_REGISTERS).filter(|&registers| {
        registers == MOST_REGISTERS || warps(registers) != warps(registers + 1)
    });
    ends.map(|registers| [registers, warps(registers)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_of_a_listing_are_read() {
        let text = "\t.section\t.text._Z1kPf,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=24\"\n_Z1kPf:\n.text._Z1kPf:\n        \
            /*0000*/                   LDC R1, c[0x0][0x37c] ;\n.L_x_0:\n        \
            /*0010*/              @!P0 EXIT ;\n\t.section\t.debug\n        /*0020*/ NOP ;\n";
        let listings = listings(text);
        let expected = vec![
            (0, "LDC R1, c[0x0][0x37c]".to_owned()),
            (16, "@!P0 EXIT".to_owned()),
        ];
        assert_eq!(listings.len(), 1);
        assert_eq!(listings["_Z1kPf"], expected);
    }

    #[test]
    fn a_staircase_falls() {
        let steps = staircase("sm_80".parse().unwrap());
        assert_eq!(steps[0], [32, 64]);
        assert!(
            steps
                .windows(2)
                .all(|two| two[0][0] < two[1][0] && two[0][1] > two[1][1])
        );
    }
}
