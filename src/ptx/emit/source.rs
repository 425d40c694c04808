//! What is written behind a source: its value as words, and what narrows the clamps of its destinations.

use super::code::Code;
use super::layout::{Layout, Place, front};
use super::load::Load;
use super::registers::Class;
use super::setup::Setup;
use super::value::{MAX_WORDS, Word, pack};
use super::{Error, Variant, Writer, halo};
use crate::shuffle::plan::Source;
use crate::support::mutation::{Mutation, active};

/// What the destinations of a source read.
pub struct Ready {
    /// The register of the halo load.
    pub halo: Option<String>,
    /// The loaded value.
    pub words: [Option<Word>; MAX_WORDS],
    /// Mask and clamps; none if no destination shuffles.
    pub setup: Option<Setup>,
}

impl Ready {
    /// The register of a value of one word.
    pub fn value(&self) -> Option<&str> {
        let word = self.words.first()?.as_ref()?;
        Some(&word.register)
    }
}

impl Writer<'_, '_, '_> {
    /// Copies, splits, votes and checks behind a source of which the bytes `needed` are taken; with `both`, its value stands
    /// ready in the original, too.
    pub(super) fn source(
        &mut self,
        layout: &mut Layout,
        source: &Source,
        (needed, both): (u32, bool),
        setups: &[Option<Setup>],
    ) -> Result<Ready, Error> {
        let inconsistent = Error::Inconsistent(source.statement);
        let (registers, copy) = (&mut self.registers, source.copy);
        let mut code = Code::default();
        let (words, guard, place) = match &source.carried {
            Some(carried) => {
                let load = Load::carried(carried);
                let words = pack(&load, needed, copy, &mut code, registers);
                let place = front(self.module, self.body, carried.before);
                (words, None, place)
            }
            None => {
                let load = self.loads.get(source.statement);
                let load = load.ok_or(Error::NotALoad(source.statement))?;
                let words = pack(load, needed, copy, &mut code, registers);
                (words, load.guard, load.span.end)
            }
        };
        if let Some(original) = self.original(source.within).filter(|_| both) {
            match source.carried {
                Some(_) => original.before(Place::Carried, place, &code.lines),
                None => original.behind(Place::BehindSource, place, &code.lines),
            }
        }
        let setup = match setups.get(source.region as usize).and_then(Option::as_ref) {
            Some(setup) if source.vote || !source.checks.is_empty() => {
                let vote = match guard {
                    Some((guard, negated)) if source.vote => {
                        let guard = format!("{}{guard}", if negated { "!" } else { "" });
                        Some(guard).filter(|_| !active(Mutation::VoteOfGuardDropped))
                    }
                    _ => None,
                };
                let all = vote.map(|guard| {
                    let all = self.registers.fresh(Class::Predicate);
                    let mask = &setup.mask;
                    code.push(format!("vote.sync.all.pred {all}, {guard}, {mask};"));
                    all
                });
                Some(setup.narrowed(&source.checks, all, &mut code, &mut self.registers))
            }
            setup => setup.cloned(),
        };
        let words = words.ok_or(inconsistent.clone())?;
        let ring = setup.as_ref().and_then(|setup| setup.ring.as_ref());
        let halo = match (self.variant, &source.halo, ring) {
            (Variant::Normal, Some(halo), Some(ring)) => {
                let (module, body) = (self.module, self.body);
                let registers = &mut self.registers;
                let statement = source.statement;
                let value = halo::load(module, body, statement, halo, ring, &mut code, registers);
                Some(value.ok_or(inconsistent)?)
            }
            _ => None,
        };
        match source.carried {
            Some(_) => layout.before(Place::Carried, place, &code.lines),
            None => layout.behind(Place::BehindSource, place, &code.lines),
        }
        Ok(Ready { halo, words, setup })
    }
}
