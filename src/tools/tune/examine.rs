//! What choices make of a module.

use super::candidates::combined;
use super::data::{Compared, Kernel, ORIGINAL, Ratio, Row};
use super::effort::Effort;
use super::modules::{Made, Modules, NotTuned, Wanted, read};
use ptxasw_driver::pipeline;
use ptxasw_driver::pipeline::tuned::Choice;
use ptxasw_executor::launch::LaunchSpec;
use ptxasw_machine::cost::estimate;
use ptxasw_machine::cost::sass::KernelCode;
use ptxasw_machine::cost::source::PredictedModule;
use ptxasw_machine::cost::trace::Work;
use ptxasw_machine::toolchain::Arch;
use ptxasw_verify::{Module, NamedLaunch, Size, Verdict, verify_kernel};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// A kernel on a target, with the module of each row.
pub struct Examined {
    /// What was found.
    pub kernel: Kernel,
    /// The module of each row, in their order.
    pub texts: Vec<Arc<Vec<u8>>>,
    /// The launch that was estimated, if there is one.
    pub launch: Option<LaunchSpec>,
}

/// Tries choices with all kernels of a module that the options choose.
///
/// # Errors
/// The text is not PTX, or an internal error.
pub fn examine(text: &[u8], wanted: &Wanted) -> Result<Vec<Examined>, NotTuned> {
    let source = read(text)?;
    let original = Module::read(text).map_err(pipeline::Error::from)?;
    let names: Vec<String> = source.kernels().map(|one| one.name.to_string()).collect();
    let mut all = Vec::new();
    // Each target gets as much: what is left out on one does not depend on others.
    for &arch in wanted.archs {
        let mut effort = Effort::new(wanted.effort / wanted.archs.len() as u64);
        let mut modules = Modules::new(text, names.clone(), arch, wanted)?;
        modules.make(modules.choices()?, &mut effort)?;
        let chosen = source
            .kernels()
            .filter(|one| wanted.options.kernels.has(&one.name));
        let mut subjects = Vec::new();
        for function in chosen {
            let kernel = ptxasw_verify::Kernel {
                text,
                module: &source.form,
                function,
            };
            let launch = wanted.given.launch(kernel, wanted.steps, Size::Full);
            let mut subject = Subject::new(&function.name, arch, launch, &source, wanted);
            subject.add(&modules, &mut effort);
            subjects.push(subject);
        }
        if modules.known().is_none() {
            // What one kernel needs is made of all of them at once.
            let combined = subjects.iter().flat_map(Subject::combined).collect();
            modules.make(combined, &mut effort)?;
        }
        for mut subject in subjects {
            subject.add(&modules, &mut effort);
            subject.compare(&original, &modules)?;
            all.push(subject.done(&modules));
        }
    }
    Ok(all)
}

/// A kernel on a target while its rows are gathered.
struct Subject<'a> {
    kernel: Kernel,
    wanted: &'a Wanted<'a>,
    texts: Vec<Arc<Vec<u8>>>,
    /// The machine code of each row.
    codes: Vec<(u64, u32)>,
    work: Result<Work, String>,
    launch: Option<LaunchSpec>,
    original: &'a PredictedModule<'a>,
    estimate: Option<estimate::Kernel>,
    /// Modules that were looked at.
    seen: usize,
}

impl<'a> Subject<'a> {
    fn new(
        name: &str,
        arch: Arch,
        launch: Result<(LaunchSpec, bool), String>,
        original: &'a PredictedModule<'a>,
        wanted: &'a Wanted<'a>,
    ) -> Self {
        let work = launch.as_ref().map_err(Clone::clone);
        let work = work.and_then(|(spec, _)| Work::of_spec(spec).map_err(|why| why.to_string()));
        let words = match &launch {
            Ok((spec, made_up)) => {
                let extent = |[x, y, z]: [u32; 3]| format!("{x}x{y}x{z}");
                let made_up = if *made_up { " (made up)" } else { "" };
                let (grid, block) = (extent(spec.grid), extent(spec.block));
                format!("grid {grid}, block {block}{made_up}")
            }
            Err(_) => "no launch".to_owned(),
        };
        Subject {
            kernel: Kernel {
                kernel: name.to_owned(),
                target: arch.to_string(),
                launch: words,
                made_up: launch.as_ref().is_ok_and(|(_, made_up)| *made_up),
                launch_digest: digest(&launch),
                rows: Vec::new(),
                not_estimated: work.as_ref().err().cloned(),
                not_measured: None,
                left_out: Vec::new(),
                best: None,
            },
            wanted,
            texts: Vec::new(),
            codes: Vec::new(),
            work,
            launch: launch.ok().map(|(spec, _)| spec),
            original,
            estimate: None,
            seen: 0,
        }
    }

    /// Adds what modules make of this kernel that were not looked at before.
    fn add(&mut self, modules: &Modules, effort: &mut Effort) {
        let new = &modules.made[self.seen..];
        self.seen = modules.made.len();
        self.wanted.progress.expect(new.len());
        for made in new {
            self.wanted.progress.done(1);
            let code = made.codes.as_ref().map_err(Clone::clone);
            let code = code.and_then(|codes| {
                let found = codes.iter().find(|code| code.name == self.kernel.kernel);
                found.ok_or_else(|| "the machine code has no such kernel".to_owned())
            });
            match code {
                Ok(code) => self.add_code(made, code, effort),
                Err(why) => {
                    self.kernel.not_estimated.get_or_insert(why);
                    // Without the original's machine code nothing can be said of others.
                    if self.kernel.rows.is_empty() {
                        return;
                    }
                }
            }
        }
        // A text that was there may be that of more choices now.
        for made in &modules.made[..self.seen] {
            if let Ok(codes) = &made.codes
                && let Some(code) = codes.iter().find(|code| code.name == self.kernel.kernel)
                && let Some(row) = self.row_of(code)
            {
                let row = &mut self.kernel.rows[row];
                for text in made.choices.iter().map(Choice::to_string) {
                    if !row.choices.contains(&text) {
                        row.choices.push(text);
                    }
                }
            }
        }
    }

    fn row_of(&self, code: &KernelCode) -> Option<usize> {
        let key = (code.digest, code.registers);
        self.codes.iter().position(|one| *one == key)
    }

    fn add_code(&mut self, made: &Made, code: &KernelCode, effort: &mut Effort) {
        if self.row_of(code).is_some() {
            return;
        }
        let is_original = self.kernel.rows.is_empty();
        let cost = match is_original {
            true => 0,
            false => self.cost(),
        };
        if !effort.take(cost) {
            let choices = made.choices.iter().map(Choice::to_string);
            self.kernel.left_out.extend(choices);
            return;
        }
        let estimated = self.estimated(made, code);
        self.codes.push((code.digest, code.registers));
        self.texts.push(Arc::clone(&made.text));
        self.kernel.rows.push(Row {
            choices: made.choices.iter().map(Choice::to_string).collect(),
            code: format!("{:016x}", code.digest),
            registers: code.registers,
            warps: code.resident_warps(),
            compared: match is_original {
                true => Compared::Same,
                false => Compared::Unknown("it was not compared".to_owned()),
            },
            estimated,
            measured: None,
        });
    }

    /// What it costs to compare and to estimate one more row: about what the original would.
    fn cost(&self) -> u64 {
        let estimate = self.estimate.as_ref().map_or(0, estimate::Kernel::effort);
        estimate.saturating_add(self.wanted.comparison.steps)
    }

    /// The gain by the clock; of the first, which is the original, what others are estimated against.
    fn estimated(&mut self, made: &Made, code: &KernelCode) -> Option<Ratio> {
        let work = self.work.as_ref().ok()?;
        let steps = self.wanted.steps;
        if self.kernel.rows.is_empty() {
            match self.original.prediction(code, work, steps) {
                Ok(kernel) => self.estimate = Some(kernel),
                Err(why) => self.kernel.not_estimated = Some(why),
            }
            return self.estimate.is_some().then_some(Ratio::ONE);
        }
        let before = self.estimate.as_ref()?;
        let source = read(&made.text).ok()?;
        let after = source.prediction(code, work, steps).ok()?;
        let [point, least, most] = before.ratio(&after);
        Some(Ratio { point, least, most })
    }

    /// Choices that combine those that are better than the default.
    fn combined(&self) -> Vec<Choice> {
        let point = |row: &Row| row.estimated.map_or(0.0, |ratio| ratio.point);
        let default = self.kernel.rows.iter().find(|row| row.is_default());
        let default = default.map_or(1.0, point);
        let mut gains = Vec::new();
        for row in &self.kernel.rows {
            let gain = point(row) - default;
            for text in row.choices.iter().filter(|text| *text != ORIGINAL) {
                // They were written by us.
                gains.extend(text.parse().map(|choice| (choice, gain)));
            }
        }
        combined(&gains)
    }

    /// Compares all rows with the original.
    fn compare(&mut self, original: &Module, modules: &Modules) -> Result<(), NotTuned> {
        let Some(before) = original.kernel(&self.kernel.kernel) else {
            return Ok(());
        };
        let fits = |launch: &&NamedLaunch| launch.kernel.as_deref() == Some(&self.kernel.kernel);
        let launches = self.wanted.comparison.launches.iter().filter(fits);
        let options = ptxasw_verify::Options {
            launches: launches.cloned().collect(),
            ..self.wanted.comparison.clone()
        };
        let name = &self.kernel.kernel;
        let verdict = |text: &[u8]| match Module::read(text) {
            Ok(after) => match after.kernel(name) {
                Some(after) => compared(&verify_kernel(before, after, &options)),
                None => Compared::Different("the kernel is missing".to_owned()),
            },
            Err(error) => Compared::Different(error.to_string()),
        };
        let known = self.wanted.known.iter().flat_map(|known| &known.kernels);
        let known: Vec<&Row> = known
            .filter(|one| (&one.kernel, &one.target) == (name, &self.kernel.target))
            .flat_map(|one| &one.rows)
            .collect();
        self.wanted.progress.expect(self.kernel.rows.len());
        for (row, text) in self.kernel.rows.iter_mut().zip(&self.texts).skip(1) {
            self.wanted.progress.done(1);
            let same = |one: &&&Row| (&one.code, one.registers) == (&row.code, row.registers);
            if let Some(known) = known.iter().find(same) {
                row.compared = known.compared.clone();
                continue;
            }
            row.compared = verdict(text);
            let made = modules
                .made
                .iter()
                .find(|made| Arc::ptr_eq(&made.text, text));
            let choice = made.and_then(|made| made.choices.first());
            if let (Compared::Different(_), Some(choice)) = (&row.compared, choice)
                && matches!(
                    verdict(&modules.written(choice, true)?.0),
                    Compared::Equal(_)
                )
            {
                row.compared = Compared::Rounded;
            }
        }
        Ok(())
    }

    fn done(self, modules: &Modules) -> Examined {
        let mut kernel = self.kernel;
        kernel.left_out.extend(modules.left_out.iter().cloned());
        Examined {
            kernel,
            texts: self.texts,
            launch: self.launch,
        }
    }
}

fn digest(launch: &Result<(LaunchSpec, bool), String>) -> String {
    format!("{:016x}", xxh3_64(format!("{launch:?}").as_bytes()))
}

fn compared(report: &ptxasw_verify::KernelReport) -> Compared {
    match &report.verdict {
        Verdict::Equal => Compared::Equal(report.compared()),
        Verdict::Different(_) => Compared::Different("other results".to_owned()),
        Verdict::UndefinedBehaviour(_) => {
            Compared::Different("undefined behaviour of its own".to_owned())
        }
        Verdict::CouldNotRun(_) => {
            Compared::Unknown("the CPU cannot run it (`ptxasw verify` says why)".to_owned())
        }
    }
}
