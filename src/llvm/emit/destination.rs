//! What becomes of a destination: its shuffles, the value made of what they bring, and its corner load.

use super::exchange::Exchange;
use super::setup::Setup;
use super::values::{MAX_BYTES, WORD};
use super::{Error, Load, Ready, Writer};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw::ptx::emit::Variant;
use ptxasw::shuffle::plan::Shuffle;

unsafe extern "C" {
    /// In C++: moves a load into a block of its own; users get `value` where it is not run.
    /// Returns what they get.
    pub(super) fn ptxasw_guard_load(
        load: LLVMValueRef,
        covered: LLVMValueRef,
        value: LLVMValueRef,
    ) -> LLVMValueRef;
}

/// For each byte of a destination: index into the words that it takes, and which byte of that word.
type Origins = [Option<(usize, u8)>; MAX_BYTES as usize];

/// A word that a destination takes, and of which source.
#[derive(Clone, Copy)]
struct Taken<'r> {
    source: &'r Ready,
    word: LLVMValueRef,
    /// That of the halo load.
    halo: Option<LLVMValueRef>,
}

impl Writer<'_> {
    /// Rewrites a destination.
    pub(super) fn destination(&self, index: usize, sources: &[Ready]) -> Result<(), Error> {
        let (shuffle, load) = (&self.plan.shuffles[index], self.destinations[index]);
        let inconsistent = || Error::Inconsistent(shuffle.destination);
        self.code.before(load.instruction, load.instruction);
        let joined = self.joined(shuffle, load);
        let source = |number: u32| {
            let joined = joined.iter().find(|(own, _)| *own == number);
            joined.map_or_else(|| sources.get(number as usize), |(_, ready)| Some(ready))
        };
        let (taken, origins) = taken(load, shuffle, &source).ok_or_else(inconsistent)?;
        let (words, covered) = match self.shuffles(shuffle) {
            true if self.takes_halo(shuffle, &taken) => self.ring(shuffle, &taken)?,
            true => self.exchanges(shuffle, &taken)?,
            false => (taken.iter().map(|taken| taken.word).collect(), None),
        };
        let place = |byte: u8| {
            let (index, at) = (*origins.get(usize::from(byte))?)?;
            Some((*words.get(index)?, at))
        };
        let value = load.form.value(&place, &self.code);
        let value = value.ok_or_else(inconsistent)?;
        let corner = covered.filter(|_| self.variant == Variant::Normal);
        match corner {
            Some(covered) => unsafe {
                ptxasw_guard_load(load.instruction, covered, value);
            },
            None => unsafe {
                LLVMReplaceAllUsesWith(load.instruction, value);
                LLVMInstructionEraseFromParent(load.instruction);
            },
        }
        Ok(())
    }

    /// The thread's own values at a load that its copy left out: control comes there from the sources of both.
    fn joined(&self, shuffle: &Shuffle, load: Load) -> Vec<(u32, Ready)> {
        let mut joined: Vec<(u32, Ready)> = Vec::new();
        if load.copied || self.shuffles(shuffle) {
            return joined;
        }
        for part in &shuffle.parts {
            let place = self.sources.get(part.source as usize);
            let known = joined.iter().any(|(number, _)| *number == part.source);
            if let Some((place, original)) = place.and_then(|place| Some((place, place.original?)))
                && !known
            {
                let value = self.copies.joined(original, &self.code);
                let ready = Ready {
                    words: place.form.words(value, u32::MAX, &self.code),
                    halo: Default::default(),
                    setup: None,
                };
                joined.push((part.source, ready));
            }
        }
        joined
    }

    /// One halo load behind the source stands for the corner lanes.
    fn takes_halo(&self, shuffle: &Shuffle, taken: &[Taken]) -> bool {
        shuffle.upward && taken.iter().any(|one| one.halo.is_some())
    }

    /// The words as other lanes have them, or the halo, and the condition of whole warps: none where there are no others.
    fn ring(
        &self,
        shuffle: &Shuffle,
        taken: &[Taken],
    ) -> Result<(Vec<LLVMValueRef>, Option<LLVMValueRef>), Error> {
        let delta = shuffle.lanes.shift();
        let (mut words, mut whole) = (Vec::new(), None);
        for one in taken {
            let exchanged = || {
                let setup = one.source.setup.as_ref()?;
                let ring = setup.ring.as_ref()?;
                let word = ring.exchange(delta?, one.word, one.halo?, setup.mask, &self.code)?;
                Some((word, ring.whole))
            };
            let (word, all) = exchanged().ok_or(Error::Inconsistent(shuffle.destination))?;
            words.push(word);
            whole = all;
        }
        Ok((words, whole))
    }

    /// The words as other lanes have them, and the condition of lanes for which all of them are right. One condition tells
    /// for all words that are taken under the same clamp.
    fn exchanges(
        &self,
        shuffle: &Shuffle,
        taken: &[Taken],
    ) -> Result<(Vec<LLVMValueRef>, Option<LLVMValueRef>), Error> {
        let inconsistent = || Error::Inconsistent(shuffle.destination);
        let code = &self.code;
        // Few: one for each source that narrows the clamp.
        let mut setups: Vec<(&Setup, Setup)> = Vec::new();
        let (mut words, mut covered) = (Vec::new(), None);
        for one in taken {
            let own = one.source.setup.as_ref().ok_or_else(inconsistent)?;
            let known = setups.iter().position(|(setup, _)| *setup == own);
            let index = match known {
                Some(index) => index,
                None => {
                    let names = self.names(shuffle.within);
                    setups.push((own, own.narrowed(&shuffle.checks, None, code, names)?));
                    setups.len() - 1
                }
            };
            let exchange = Exchange {
                lanes: shuffle.lanes,
                setup: &setups[index].1,
                code,
            };
            if known.is_some() {
                words.push(exchange.bare(one.word).ok_or_else(inconsistent)?);
                continue;
            }
            let (word, right) = exchange.write(one.word).ok_or_else(inconsistent)?;
            words.push(word);
            covered = Some(match covered {
                Some(covered) => code.and(covered, right),
                None => right,
            });
        }
        Ok((words, covered))
    }
}

/// The words that a destination takes, each once, and where its bytes are in them. None if the plan does not fit.
fn taken<'r>(
    load: Load,
    shuffle: &Shuffle,
    ready: &impl Fn(u32) -> Option<&'r Ready>,
) -> Option<(Vec<Taken<'r>>, Origins)> {
    let mut taken: Vec<Taken> = Vec::new();
    let mut numbers: Vec<(u32, u8)> = Vec::new();
    let mut origins: Origins = [None; MAX_BYTES as usize];
    for part in &shuffle.parts {
        let source = ready(part.source)?;
        if !part.fits_in(MAX_BYTES) || part.at + part.bytes > load.form.total() {
            return None;
        }
        for offset in 0..part.bytes {
            let byte = part.byte + offset;
            let number = (part.source, byte / WORD);
            let known = numbers.iter().position(|known| *known == number);
            let index = match known {
                Some(index) => index,
                None => {
                    let word = source.words[usize::from(byte / WORD)]?;
                    let halo = source.halo[usize::from(byte / WORD)];
                    numbers.push(number);
                    taken.push(Taken { source, word, halo });
                    taken.len() - 1
                }
            };
            origins[usize::from(part.at + offset)] = Some((index, byte % WORD));
        }
    }
    Some((taken, origins))
}
