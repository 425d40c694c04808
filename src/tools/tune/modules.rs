//! The modules that choices make on one target.

use super::candidates::single;
use super::data::{ORIGINAL, Tuning};
use super::effort::{self, Effort};
use indexmap::IndexMap;
use ptxasw_base::progress::Progress;
use ptxasw_base::threads;
use ptxasw_driver::pipeline::Options;
use ptxasw_driver::pipeline::settings::tuned::BadTuned;
use ptxasw_driver::pipeline::tuned::{Choice, Tuned};
use ptxasw_driver::pipeline::{self, Module, Output};
use ptxasw_machine::cost::sass::{self, KernelCode};
use ptxasw_machine::cost::source::PredictedModule;
use ptxasw_machine::toolchain::Arch;
use ptxasw_ptx::decode;
use ptxasw_ptx::text::edit::EditError;
use ptxasw_verify::Given;
use std::sync::Arc;

/// Choices that are tried at the same time. Whether others follow is decided after them, so that it depends on no number of threads.
const BATCH: usize = 4;

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
    pub comparison: &'a ptxasw_verify::Options,
    /// What an earlier call has found for the same text: its choices are tried alone, and nothing is compared once more.
    pub known: Option<&'a Tuning>,
    /// How much may be done, in the unit of [`EFFORT`](super::EFFORT).
    pub effort: u64,
    /// Receives the progress.
    pub progress: &'a Progress,
}

/// Why a module cannot be tuned.
#[derive(Debug, thiserror::Error)]
pub enum NotTuned {
    /// The text is not PTX, or an internal error.
    #[error(transparent)]
    Stage(#[from] ptxasw_driver::Error),
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
pub(super) struct Made {
    /// Its text.
    pub text: Arc<Vec<u8>>,
    /// Of all kernels, or why there is no machine code.
    pub codes: Codes,
    /// The choices that make it.
    pub choices: Vec<Choice>,
}

/// A module that can be executed.
pub(super) fn read(text: &[u8]) -> Result<PredictedModule<'_>, NotTuned> {
    let tree = ptxasw_ptx::parse(text).map_err(pipeline::Error::from)?;
    let form = decode::decode(&tree).map_err(pipeline::Error::from)?;
    Ok(PredictedModule::new(text, form))
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
pub(super) struct Modules<'a> {
    text: &'a [u8],
    arch: Arch,
    wanted: &'a Wanted<'a>,
    /// Each text once; the original is the first.
    pub made: Vec<Made>,
    /// The kernels.
    names: Vec<String>,
    /// Choices that were not tried, because no effort was left.
    pub left_out: Vec<String>,
}

impl<'a> Modules<'a> {
    /// The original alone.
    ///
    /// # Errors
    /// The text is not PTX.
    pub fn new(
        text: &'a [u8],
        names: Vec<String>,
        arch: Arch,
        wanted: &'a Wanted<'a>,
    ) -> Result<Self, NotTuned> {
        let original = Made {
            text: Arc::new(text.to_vec()),
            codes: codes(text, arch)?,
            choices: vec!["off".parse()?],
        };
        Ok(Modules {
            text,
            arch,
            wanted,
            made: vec![original],
            names,
            left_out: Vec::new(),
        })
    }

    /// What an earlier call has found on this target.
    pub fn known(&self) -> Option<&Tuning> {
        let target = self.arch.to_string();
        let has = |known: &&Tuning| known.kernels.iter().any(|one| one.target == target);
        self.wanted.known.filter(has)
    }

    /// The choices that are tried first.
    pub fn choices(&self) -> Result<Vec<Choice>, NotTuned> {
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
                found.insert(text, text.parse()?);
            }
        }
        Ok(found.into_values().collect())
    }

    /// Makes what other choices make, but for those that were tried before, as long as there is effort left.
    pub fn make(&mut self, choices: Vec<Choice>, effort: &mut Effort) -> Result<(), NotTuned> {
        let tried = |choice: &Choice| {
            let text = choice.to_string();
            let made = self.made.iter().flat_map(|made| &made.choices);
            made.into_iter().any(|one| one.to_string() == text)
        };
        let new = choices.into_iter().filter(|one| !tried(one));
        let new: IndexMap<String, Choice> = new.map(|one| (one.to_string(), one)).collect();
        self.wanted.progress.expect(new.len());
        let mut new = new.into_values().peekable();
        while new.peek().is_some() && !effort.is_spent() {
            let batch: Vec<Choice> = new.by_ref().take(BATCH).collect();
            self.make_batch(batch, effort)?;
        }
        for choice in new {
            self.wanted.progress.done(1);
            self.left_out.push(choice.to_string());
        }
        Ok(())
    }

    fn make_batch(&mut self, batch: Vec<Choice>, effort: &mut Effort) -> Result<(), NotTuned> {
        let wanted = self.wanted;
        let write = |choice: Choice| {
            let written = self.written(&choice, false);
            wanted.progress.done(1);
            written.map(|written| (choice, written))
        };
        let written = threads::each(wanted.options.jobs, batch, |_| 1, write);
        let mut texts: IndexMap<Vec<u8>, Vec<Choice>> = IndexMap::new();
        for result in written {
            let (choice, (text, questions)) = result?;
            effort.spend(effort::of_module(text.len(), questions));
            match self.made.iter_mut().find(|made| *made.text == text) {
                Some(made) => made.choices.push(choice),
                None => texts.entry(text).or_default().push(choice),
            }
        }
        let arch = self.arch;
        let assemble = |(text, choices): (Vec<u8>, Vec<Choice>)| {
            Ok::<_, NotTuned>(Made {
                codes: codes(&text, arch)?,
                text: Arc::new(text),
                choices,
            })
        };
        let texts: Vec<_> = texts.into_iter().collect();
        let size = |(text, _): &(Vec<u8>, Vec<Choice>)| text.len();
        for made in threads::each(wanted.options.jobs, texts, size, assemble) {
            self.made.push(made?);
        }
        Ok(())
    }

    /// The module under a choice for all kernels, without what the register guard takes back, and how many questions went to the
    /// solver. `exact`: nothing is rounded another way, whatever the module allows.
    pub fn written(&self, choice: &Choice, exact: bool) -> Result<(Vec<u8>, u64), NotTuned> {
        let mut options = Options {
            arch: Some(u32::from(self.arch.number)),
            // Choices are made on as many threads as there are.
            jobs: 1,
            ..self.wanted.options.clone()
        };
        options.synthesis.only_text = true;
        let names = self.names.iter().map(String::as_str);
        options.tuned = Tuned::of(names, choice);
        options.saturation.exact |= exact;
        let module = Module::read(self.text, 1).map_err(pipeline::Error::from)?;
        let options = ptxasw_driver::settled(&module, &options, (None, "ptx"))?;
        let wanted = ptxasw_driver::Wanted {
            comparison: None,
            registers: Some(Ok(self.arch)),
        };
        let (passed, _) = ptxasw_driver::run(module, &options, &wanted)?;
        let output = Output::of(passed, &options)
            .map_err(pipeline::Error::from)?
            .1;
        let questions = output.searches();
        let questions = questions
            .map(|search| search.questions.solver.queries)
            .sum();
        Ok((output.text, questions))
    }
}
