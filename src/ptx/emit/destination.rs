//! What is written at a destination: its shuffles, its registers made of what they bring, and its corner load.

use super::code::Code;
use super::exchange::{Exchange, Guards};
use super::layout::{Layout, front};
use super::load::{Load, MAX_BYTES};
use super::registers::{Class, Registers};
use super::setup::Setup;
use super::source::Ready;
use super::value::{self, WORD, Word, is_value, unpack};
use super::{Error, Variant, Writer, layout};
use crate::ir::lanes::LaneMap;
use crate::shuffle::plan::Shuffle;
use crate::support::mutation::{Mutation, active};
use smallvec::SmallVec;
use std::borrow::Cow;

/// For each byte of a destination: index into the words that it takes, and which byte of that word.
type Origins = [Option<(usize, u8)>; MAX_BYTES as usize];

/// A word that a destination takes.
struct Taken<'r> {
    source: &'r Ready,
    /// In the lane that gives.
    word: &'r Word,
    /// In the lane that takes.
    here: Word,
}

/// What words are taken under.
struct Clamped<'s> {
    /// As the source has it.
    behind_source: &'s Setup,
    /// With the destination's own checks.
    here: Cow<'s, Setup>,
    /// Of the first word.
    guards: Option<Guards>,
}

impl Writer<'_, '_, '_> {
    /// The shuffles (or copies) at a destination's place, and its corner load.
    pub(super) fn destination(
        &mut self,
        layout: &mut Layout,
        shuffle: &Shuffle,
        sources: &[Ready],
    ) -> Result<(), Error> {
        let inconsistent = Error::Inconsistent(shuffle.destination);
        let load = self.loads.get(shuffle.destination).cloned();
        let load = load.ok_or(Error::NotALoad(shuffle.destination))?;
        if shuffle.upward && self.variant == Variant::Normal {
            return self.upward(layout, shuffle, sources, &load);
        }
        let (mut taken, origins) = taken(&load, shuffle, sources).ok_or(inconsistent.clone())?;
        let mut code = Code::default();
        let moved = self.shuffles(shuffle);
        let corner_load =
            moved && self.variant != Variant::NoCorner && !active(Mutation::NoCornerLoad);
        let through = corner_load && (shuffle.through_temporary || load.writes_base());
        let mut guards = None;
        if moved {
            self.name_targets(&load, through, &origins, &mut taken);
            let checks = corner_load || self.variant == Variant::Normal;
            guards = Some(
                self.exchanges(shuffle, &taken, checks, corner_load, &mut code)
                    .ok_or(inconsistent.clone())?,
            );
        }
        let places = |byte: u8| {
            let (index, at) = (*origins.get(usize::from(byte))?)?;
            let word = &taken.get(index)?.here;
            Some(value::Place { word, at })
        };
        let lines = unpack(&load, &places, &mut code, &mut self.registers).ok_or(inconsistent)?;
        let own = load
            .guard
            .map(|(register, negated)| format!("{}{register}", if negated { "!" } else { "" }));
        let place = front(self.module, self.body, shuffle.destination);
        let guarded = |guard: Option<&str>, line: &String| match guard {
            Some(guard) => format!("@{guard} {line}"),
            None => line.clone(),
        };
        let overwriting = own
            .as_deref()
            .filter(|_| !active(Mutation::PredicatedOverwritten));
        if !through {
            let lines = lines.iter().map(|line| guarded(overwriting, line));
            code.lines.extend(lines);
        }
        let Some(guards) = guards.filter(|_| corner_load) else {
            let last = code
                .lines
                .pop()
                .ok_or(Error::Inconsistent(shuffle.destination))?;
            if self.in_both(shuffle)
                && let Some(original) = self.original(shuffle.within)
            {
                original.before(layout::Place::Shuffle, place, &code.lines);
                replace(original, &load, last.clone());
            }
            layout.before(layout::Place::Shuffle, place, &code.lines);
            replace(layout, &load, last);
            return Ok(());
        };
        let guard = match active(Mutation::CornerInverted) {
            true => guards.covered.clone(),
            false => guards.corner.clone(),
        };
        let guard = both(own.as_deref(), guard, &mut code, &mut self.registers);
        let covered = through.then(|| {
            let covered = guards.covered.clone();
            both(overwriting, covered, &mut code, &mut self.registers)
        });
        match self.ahead(shuffle, &load).filter(|_| !through) {
            Some(source) => {
                let source = self.loads.get(source).ok_or(Error::NotALoad(source))?;
                layout.behind(layout::Place::Ahead, source.span.end, &code.lines);
            }
            None => layout.before(layout::Place::Shuffle, place, &code.lines),
        }
        layout.guard(load.span.start, load.opcode, &guard);
        if let Some(covered) = &covered {
            let lines: Vec<String> = lines
                .iter()
                .map(|line| guarded(Some(covered), line))
                .collect();
            layout.behind(layout::Place::Completion, load.span.end, &lines);
        }
        Ok(())
    }

    /// A destination whose corner lanes the halo load of its source serves: no load of its own is left where only whole
    /// warps are.
    fn upward(
        &mut self,
        layout: &mut Layout,
        shuffle: &Shuffle,
        sources: &[Ready],
        load: &Load,
    ) -> Result<(), Error> {
        let inconsistent = || Error::Inconsistent(shuffle.destination);
        let [part] = shuffle.parts.as_slice() else {
            return Err(inconsistent());
        };
        let source = sources.get(part.source as usize).ok_or_else(inconsistent)?;
        let setup = source.setup.as_ref().ok_or_else(inconsistent)?;
        let ring = setup.ring.as_ref().ok_or_else(inconsistent)?;
        // Where the destination's own load follows, its address must stay.
        let alone = ring.whole.is_none();
        let target = load.word().filter(|_| alone || !load.writes_base());
        let exchange = Exchange {
            lanes: shuffle.lanes,
            value: source.value().ok_or_else(inconsistent)?,
            target: target.ok_or_else(inconsistent)?,
            setup,
        };
        let halo = source.halo.as_ref().ok_or_else(inconsistent)?;
        let mut code = Code::default();
        ring.exchange(&exchange, halo, &mut code, &mut self.registers)
            .ok_or_else(inconsistent)?;
        let place = front(self.module, self.body, shuffle.destination);
        let Some(whole) = &ring.whole else {
            let last = code.lines.pop().ok_or_else(inconsistent)?;
            layout.before(layout::Place::Shuffle, place, &code.lines);
            replace(layout, load, last);
            return Ok(());
        };
        layout.before(layout::Place::Shuffle, place, &code.lines);
        layout.guard(load.span.start, load.opcode, &format!("!{whole}"));
        Ok(())
    }

    /// Names the registers that receive the words: the destination's own where it holds a word as it is, and nothing needs
    /// its old value.
    fn name_targets(&mut self, load: &Load, through: bool, origins: &Origins, taken: &mut [Taken]) {
        let mut named = vec![false; taken.len()];
        if !through && load.guard.is_none() {
            let firsts = (0..).step_by(load.element_bytes().into());
            for (first, held) in firsts.zip(&load.elements) {
                let origin = origins.get(first).copied().flatten();
                if let (&Some(held), Some((index, at))) = (held, origin)
                    && let word = &taken[index].here
                    && is_value(load, held, value::Place { word, at })
                    && !named[index]
                {
                    taken[index].here.register = held.name.to_string();
                    named[index] = true;
                }
            }
        }
        for (taken, named) in taken.iter_mut().zip(named) {
            if !named {
                taken.here.register = self.registers.fresh(Class::Word);
                taken.here.integer = true;
            }
        }
    }

    /// The shuffles of all words, and the predicates of all lanes. One predicate tells for all words that are taken under
    /// the same clamp. None if the region has no shuffles of this direction, or no warp is that wide.
    fn exchanges(
        &mut self,
        shuffle: &Shuffle,
        taken: &[Taken],
        checks: bool,
        predicates: bool,
        code: &mut Code,
    ) -> Option<Guards> {
        let lanes = match shuffle.lanes {
            LaneMap::Shift(delta) if active(Mutation::WrongDirection) => LaneMap::Shift(-delta),
            lanes => lanes,
        };
        // Few: one for each source that narrows the clamp.
        let mut setups: SmallVec<[Clamped; 1]> = SmallVec::new();
        for one in taken {
            let own = one.source.setup.as_ref()?;
            let known = setups.iter().position(|known| known.behind_source == own);
            let index = known.unwrap_or_else(|| {
                let here = match shuffle.checks.as_slice() {
                    checked @ [_, ..] if checks => {
                        Cow::Owned(own.narrowed(checked, None, code, &mut self.registers))
                    }
                    _ => Cow::Borrowed(own),
                };
                setups.push(Clamped {
                    behind_source: own,
                    here,
                    guards: None,
                });
                setups.len() - 1
            });
            let clamped = &mut setups[index];
            let exchange = Exchange {
                lanes,
                value: &one.word.register,
                target: &one.here.register,
                setup: &clamped.here,
            };
            if clamped.guards.is_none() && predicates {
                clamped.guards = Some(exchange.write(code, &mut self.registers)?);
            } else {
                code.push(exchange.bare()?);
            }
        }
        let all = setups.into_iter().filter_map(|clamped| clamped.guards);
        let all = all.reduce(|one, other| {
            if active(Mutation::OnePredicateOfParts) {
                return one;
            }
            let covered = both(Some(&one.covered), other.covered, code, &mut self.registers);
            Guards {
                corner: opposite(&covered),
                covered,
            }
        });
        // Without predicates nobody asks.
        Some(all.unwrap_or(Guards {
            covered: String::new(),
            corner: String::new(),
        }))
    }
}

/// Puts a line in the place of a load, of whose bytes nothing has to be said any more.
fn replace(layout: &mut Layout, load: &Load, line: String) {
    for &pragma in &load.pragmas {
        layout.remove(pragma);
    }
    layout.replace(load.span, line);
}

/// The words that a destination takes, each once, and where its bytes are in them. None if the plan does not fit.
fn taken<'r>(
    load: &Load,
    shuffle: &Shuffle,
    sources: &'r [Ready],
) -> Option<(Vec<Taken<'r>>, Origins)> {
    let mut taken: Vec<Taken> = Vec::new();
    let mut numbers: Vec<(u32, u8)> = Vec::new();
    let mut origins: Origins = [None; MAX_BYTES as usize];
    for part in &shuffle.parts {
        let source = sources.get(part.source as usize)?;
        if !part.fits_in(MAX_BYTES) || part.at + part.bytes > load.bytes() {
            return None;
        }
        for offset in 0..part.bytes {
            let byte = part.byte + offset;
            let word = source.words[usize::from(byte / WORD)].as_ref()?;
            let number = (part.source, byte / WORD);
            let known = numbers.iter().position(|known| *known == number);
            let index = known.unwrap_or_else(|| {
                numbers.push(number);
                taken.push(Taken {
                    source,
                    word,
                    here: word.clone(),
                });
                taken.len() - 1
            });
            let at = byte.checked_sub(word.first)?;
            origins[usize::from(part.at + offset)] = Some((index, at));
        }
    }
    Some((taken, origins))
}

/// A guard that holds where both do; each may begin with `!`.
pub(super) fn both(
    one: Option<&str>,
    other: String,
    code: &mut Code,
    registers: &mut Registers,
) -> String {
    let Some(one) = one else {
        return other;
    };
    let new = registers.fresh(Class::Predicate);
    match (one.strip_prefix('!'), other.strip_prefix('!')) {
        (Some(one), Some(other)) => {
            code.push(format!("or.pred {new}, {one}, {other};"));
            return format!("!{new}");
        }
        (None, None) => code.push(format!("and.pred {new}, {one}, {other};")),
        (Some(negated), None) => {
            code.push(format!("not.pred {new}, {negated};"));
            code.push(format!("and.pred {new}, {new}, {other};"));
        }
        (None, Some(negated)) => {
            code.push(format!("not.pred {new}, {negated};"));
            code.push(format!("and.pred {new}, {new}, {one};"));
        }
    }
    new
}

fn opposite(guard: &str) -> String {
    match guard.strip_prefix('!') {
        Some(plain) => plain.to_string(),
        None => format!("!{guard}"),
    }
}
