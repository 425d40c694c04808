//! What choices make of a module.

use super::candidates::{combined, single};
use super::data::{Compared, Kernel, ORIGINAL, Ratio, Row, Tuning};
use crate::Options;
use crate::cost::estimate;
use crate::cost::sass::{self, KernelCode};
use crate::cost::source::Source;
use crate::cost::trace::Work;
use crate::driver::{self, ptx as stage};
use crate::pipeline;
use crate::pipeline::tuned::{BadTuned, Choice, Entry, Tuned};
use crate::ptx::text::edit::{self, EditError};
use crate::ptx::{self, decode};
use crate::support::threads;
use crate::toolchain::Arch;
use crate::verify::{self, Given, Module, NamedLaunch, Verdict, verify_kernel};
use crate::warp::launch::LaunchSpec;
use indexmap::IndexMap;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// How choices are tried.
pub struct Wanted<'a> {
    /// What holds where nothing is chosen.
    pub options: &'a Options,
    /// The targets, each by itself.
    pub archs: &'a [Arch],
    /// Launches that the user or the module gives.
    pub given: &'a Given,
    /// Most warp instructions of the launch that is estimated.
    pub steps: u64,
    /// How results are compared; its launches are those of all kernels.
    pub comparison: &'a verify::Options,
    /// What an earlier call has found for the same text: its choices are tried alone, and nothing is compared once more.
    pub known: Option<&'a Tuning>,
}

/// A kernel on a target, with the module of each row.
pub struct Examined {
    /// What was found.
    pub kernel: Kernel,
    /// The module of each row, in their order.
    pub texts: Vec<Arc<Vec<u8>>>,
    /// The launch that was estimated, if there is one.
    pub launch: Option<LaunchSpec>,
}

/// Why a module cannot be tuned.
#[derive(Debug, thiserror::Error)]
pub enum NotTuned {
    /// The text is not PTX, or an internal error.
    #[error(transparent)]
    Stage(#[from] stage::Error),
    /// An internal error: edits do not fit the text.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A choice of an earlier call is none.
    #[error("the file to resume: {0}")]
    Choice(#[from] BadTuned),
}

impl From<pipeline::Error> for NotTuned {
    fn from(error: pipeline::Error) -> Self {
        NotTuned::Stage(error.into())
    }
}

/// A module that choices have made.
struct Made {
    text: Arc<Vec<u8>>,
    /// Of all kernels, or why there is no machine code.
    codes: Result<Vec<KernelCode>, String>,
    choices: Vec<Choice>,
}

/// Tries choices with all kernels of a module that the options choose.
///
/// # Errors
/// The text is not PTX, or an internal error.
pub fn examine(text: &[u8], wanted: &Wanted) -> Result<Vec<Examined>, NotTuned> {
    let source = read(text)?;
    let original = Module::read(text)?;
    let mut all = Vec::new();
    for &arch in wanted.archs {
        let mut modules = Modules {
            text,
            arch,
            wanted,
            made: Vec::new(),
            names: Vec::new(),
        };
        let names = source.kernels().map(|one| one.name.to_string());
        modules.names = names.collect();
        modules.made.push(Made {
            text: Arc::new(text.to_vec()),
            codes: codes(text, arch)?,
            choices: vec![Choice {
                off: true,
                ..Choice::default()
            }],
        });
        modules.make(modules.choices()?)?;
        let chosen = source
            .kernels()
            .filter(|one| wanted.options.kernels.has(&one.name));
        let mut subjects = Vec::new();
        for function in chosen {
            let kernel = verify::Kernel {
                text,
                module: &source.form,
                function,
            };
            let launch = wanted.given.launch(kernel, wanted.steps);
            let mut subject = Subject::new(&function.name, arch, launch, &source, wanted);
            subject.add(&modules);
            subjects.push(subject);
        }
        if modules.known().is_none() {
            // What one kernel needs is made of all of them at once.
            modules.make(subjects.iter().flat_map(Subject::combined).collect())?;
        }
        for mut subject in subjects {
            subject.add(&modules);
            subject.compare(&original, &modules)?;
            all.push(subject.done());
        }
    }
    Ok(all)
}

fn read(text: &[u8]) -> Result<Source<'_>, NotTuned> {
    let tree = ptx::parse(text).map_err(pipeline::Error::from)?;
    let form = decode::decode(&tree).map_err(pipeline::Error::from)?;
    Ok(Source::new(text, form))
}

type Codes = Result<Vec<KernelCode>, String>;

fn codes(text: &[u8], arch: Arch) -> Result<Codes, NotTuned> {
    let (_, mut assembled) = match read(text)?.assembled(arch) {
        Ok(assembled) => assembled,
        Err(why) => return Ok(Err(why)),
    };
    let cubin = assembled.cubin.bytes().map_err(|error| error.to_string());
    let kernels = |cubin: Vec<u8>| sass::kernels(&cubin).map_err(|error| error.to_string());
    Ok(cubin.and_then(kernels))
}

/// The modules that choices make on one target.
struct Modules<'a> {
    text: &'a [u8],
    arch: Arch,
    wanted: &'a Wanted<'a>,
    /// Each text once; the original is the first.
    made: Vec<Made>,
    /// The kernels.
    names: Vec<String>,
}

impl Modules<'_> {
    /// What an earlier call has found on this target.
    fn known(&self) -> Option<&Tuning> {
        let target = self.arch.to_string();
        let has = |known: &&Tuning| known.kernels.iter().any(|one| one.target == target);
        self.wanted.known.filter(has)
    }

    /// The choices that are tried first.
    fn choices(&self) -> Result<Vec<Choice>, NotTuned> {
        let Some(known) = self.known() else {
            return Ok(single());
        };
        let mut found: IndexMap<&str, Choice> = IndexMap::new();
        found.insert("", Choice::default());
        let kernels = known.kernels.iter();
        let kernels = kernels.filter(|kernel| kernel.target == self.arch.to_string());
        for text in kernels
            .flat_map(|kernel| &kernel.rows)
            .flat_map(|row| &row.choices)
        {
            if !found.contains_key(text.as_str()) && text != ORIGINAL {
                let entry: Entry = format!("* {text}").parse()?;
                found.insert(text, entry.choice);
            }
        }
        Ok(found.into_values().collect())
    }

    /// Makes what other choices make, but for those that were tried before.
    fn make(&mut self, choices: Vec<Choice>) -> Result<(), NotTuned> {
        let tried = |choice: &Choice| {
            let text = choice.to_string();
            let made = self.made.iter().flat_map(|made| &made.choices);
            made.into_iter().any(|one| one.to_string() == text)
        };
        let new = choices.into_iter().filter(|one| !tried(one));
        let new: IndexMap<String, Choice> = new.map(|one| (one.to_string(), one)).collect();
        let new: Vec<Choice> = new.into_values().collect();
        let jobs = self.wanted.options.jobs;
        let written = threads::each(
            jobs,
            new,
            |_| 1,
            |choice| {
                let text = self.written(&choice, false);
                text.map(|text| (choice, text))
            },
        );
        let mut texts: IndexMap<Vec<u8>, Vec<Choice>> = IndexMap::new();
        for result in written {
            let (choice, text) = result?;
            match self.made.iter_mut().find(|made| *made.text == text) {
                Some(made) => made.choices.push(choice),
                None => texts.entry(text).or_default().push(choice),
            }
        }
        let arch = self.arch;
        let texts: Vec<_> = texts.into_iter().collect();
        let made = threads::each(
            jobs,
            texts,
            |(text, _)| text.len(),
            |(text, choices)| {
                Ok::<_, NotTuned>(Made {
                    codes: codes(&text, arch)?,
                    text: Arc::new(text),
                    choices,
                })
            },
        );
        for made in made {
            self.made.push(made?);
        }
        Ok(())
    }

    /// The module under a choice for all kernels, without what the register guard takes back. `exact`: nothing is rounded another
    /// way, whatever the module allows.
    fn written(&self, choice: &Choice, exact: bool) -> Result<Vec<u8>, NotTuned> {
        let mut options = Options {
            arch: Some(u32::from(self.arch.number)),
            // Choices are made on as many threads as there are.
            jobs: 1,
            only_text: true,
            ..self.wanted.options.clone()
        };
        let names = self.names.iter().map(String::as_str);
        options.tuned = Tuned::of(names, choice);
        options.saturation.exact |= exact;
        let options = options.of_input(self.text);
        let wanted = driver::Wanted {
            comparison: None,
            registers: Some(Ok(self.arch)),
        };
        let (passed, _) = stage::passed(self.text, &options, &wanted)?;
        let left = ptx::parse(&passed.text).map_err(pipeline::Error::from)?;
        let (edited, _) = stage::shuffled(&left, &options, &wanted, |_| ())?;
        Ok(edit::apply(&passed.text, &edited.edits)?)
    }
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
    original: &'a Source<'a>,
    estimate: Option<estimate::Kernel>,
    /// Modules that were looked at.
    seen: usize,
}

impl<'a> Subject<'a> {
    fn new(
        name: &str,
        arch: Arch,
        launch: Result<(LaunchSpec, bool), String>,
        original: &'a Source<'a>,
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
    fn add(&mut self, modules: &Modules) {
        let new = &modules.made[self.seen..];
        self.seen = modules.made.len();
        for made in new {
            let code = made.codes.as_ref().map_err(Clone::clone);
            let code = code.and_then(|codes| {
                let found = codes.iter().find(|code| code.name == self.kernel.kernel);
                found.ok_or_else(|| "the machine code has no such kernel".to_owned())
            });
            match code {
                Ok(code) => self.add_code(made, code),
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

    fn add_code(&mut self, made: &Made, code: &KernelCode) {
        if self.row_of(code).is_some() {
            return;
        }
        let is_original = self.kernel.rows.is_empty();
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
                if let Ok(entry) = format!("* {text}").parse::<Entry>() {
                    gains.push((entry.choice, gain));
                }
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
        let options = verify::Options {
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
        for (row, text) in self.kernel.rows.iter_mut().zip(&self.texts).skip(1) {
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
                && matches!(verdict(&modules.written(choice, true)?), Compared::Equal(_))
            {
                row.compared = Compared::Rounded;
            }
        }
        Ok(())
    }

    fn done(self) -> Examined {
        Examined {
            kernel: self.kernel,
            texts: self.texts,
            launch: self.launch,
        }
    }
}

fn digest(launch: &Result<(LaunchSpec, bool), String>) -> String {
    format!("{:016x}", xxh3_64(format!("{launch:?}").as_bytes()))
}

fn compared(report: &verify::KernelReport) -> Compared {
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
