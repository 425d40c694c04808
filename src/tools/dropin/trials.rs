//! What the build's own assembler says of rewritten kernels.

use super::arguments::names_entries;
use super::call::Assembled;
use super::isolation::Crash;
use super::rewrite::Done;
use super::session::Session;
use super::tool::Tool;
use ptxasw_driver::guard::{Code, Door, Purpose, Rewritten};
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::pipeline::ssa::Reversions;
use ptxasw_machine::toolchain::cubin;
use ptxasw_passes::memory::Loads;

/// A call whose kernels are tried out.
pub struct Trials<'s, 'a> {
    session: &'s Session<'a>,
    target: u32,
    /// Under which all that follows the first rewriting is done: limits count as they did then.
    settings: Settings,
    /// The last rewriting that may be the output, and what was taken back for it.
    pub last: Option<(Reversions, Vec<Done>)>,
}

impl<'s, 'a> Trials<'s, 'a> {
    /// None where registers are not looked at.
    pub fn of(session: &'s Session<'a>) -> Option<Self> {
        let target = session.arguments.target?;
        let is_wanted = session.call.tool == Tool::Ptxas && !session.settings.no_register_check;
        let mut settings = session.settings.clone();
        settings.options.count_these();
        is_wanted.then_some(Trials {
            session,
            target,
            settings,
            last: None,
        })
    }
}

impl Door for Trials<'_, '_> {
    type Made = Assembled;

    fn target(&self) -> u32 {
        self.target
    }

    fn loads(&self, function: &str) -> Loads {
        self.settings.loads(function, Some(self.target))
    }

    fn original(&self) -> Result<Vec<Vec<u8>>, String> {
        let texts = self.session.texts.iter();
        Ok(texts.map(|text| text.bytes.to_vec()).collect())
    }

    fn rewritten(&mut self, back: &Reversions, purpose: Purpose) -> Result<Rewritten, String> {
        let mut settings = self.settings.clone();
        settings.take_back(back, Some(self.target));
        settings.options.memory.tests_hold = purpose == Purpose::TestsHold;
        let done = self.session.rewrite(&settings);
        let done = done.map_err(|crash: Crash| crash.to_string())?;
        let made = rewritten(&done);
        if purpose == Purpose::Output {
            self.last = Some((back.clone(), done));
        }
        Ok(made)
    }

    fn assembled(&self, texts: &[Vec<u8>], _: Purpose) -> Result<(Assembled, Code), String> {
        let assembled = self.session.assembled(texts)?;
        let resources = cubin::resources(&assembled.output).unwrap_or_default();
        let code = Code::of(assembled.output.clone(), resources);
        Ok((assembled, code))
    }

    fn as_they_came(&self) -> Result<(Option<Assembled>, Code), String> {
        // As texts, which the cache knows.
        let (assembled, code) = self.assembled(&self.original()?, Purpose::Output)?;
        Ok((Some(assembled), code))
    }

    fn takes_other_entries(&self) -> bool {
        !names_entries(&self.session.call.words)
    }
}

/// What was done, as the arbiter reads it.
pub fn rewritten(done: &[Done]) -> Rewritten {
    let mut all = Rewritten {
        texts: done.iter().map(|done| done.text.clone()).collect(),
        ..Rewritten::default()
    };
    for done in done.iter().cloned() {
        all.changed.extend(done.changed);
        all.arithmetic.extend(done.arithmetic);
        all.independent.extend(done.independent);
        all.least.extend(done.least);
    }
    all
}
