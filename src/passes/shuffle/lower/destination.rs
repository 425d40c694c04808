//! What becomes of a destination: its shuffles, its values made of what they bring, and its corner load.

use super::code::Code;
use super::exchange::{Exchange, InCorner, either};
use super::setup::Setup;
use super::source::Ready;
use super::words::{Form, MAX_BYTES, WORD, Word};
use super::{Error, Lowering, Variant};
use crate::shuffle::plan::Shuffle;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{Function, Value, ValueDef};
use ptxasw_ir::lanes::LaneMap;
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Chosen, CloneId, Guarded, Location, Point, Redirect, Ref, Removal, Step};
use smallvec::SmallVec;
use std::borrow::Cow;

/// For each byte of a destination: index into the words that it takes, and which byte of that word.
type Origins = [Option<(usize, u8)>; MAX_BYTES as usize];

/// A word that a destination takes.
struct Taken<'r> {
    source: &'r Ready,
    word: Word,
}

/// What words are taken under.
struct Clamped<'s> {
    /// As the source has it.
    after_source: &'s Setup,
    /// With the destination's own checks.
    here: Cow<'s, Setup>,
    corner: InCorner,
}

impl Lowering<'_> {
    /// Writes a destination.
    pub(super) fn destination(
        &mut self,
        shuffle: &Shuffle,
        sources: &[Ready],
    ) -> Result<(), Error> {
        let within = self.within_of(shuffle);
        if !self.is_exchange(shuffle) {
            self.moved(shuffle, sources, within)?;
            // Lanes that leave the copy between source and destination find the value, too.
            return match self.in_both(shuffle) {
                true => self.moved(shuffle, sources, None),
                false => Ok(()),
            };
        }
        // A mask of the whole warp holds in the copy alone.
        let astray = within.is_none() && shuffle.within.is_some_and(|copy| self.is_used(copy));
        if astray {
            return Err(Error::Inconsistent(shuffle.destination));
        }
        if shuffle.upward && self.variant == Variant::Normal {
            return self.upward(shuffle, sources, within);
        }
        let form = self.form(shuffle.inst, &shuffle.elements);
        let form = form.ok_or(Error::NotALoad(shuffle.destination))?;
        let inconsistent = || Error::Inconsistent(shuffle.destination);
        let (mut taken, origins) = taken(&form, shuffle, sources).ok_or_else(inconsistent)?;
        let point = match self.ahead(shuffle) {
            Some(point) => point,
            None => Point::Before(self.first_of(shuffle.inst)?),
        };
        let mut code = Code::new(&mut self.next, shuffle.destination);
        let corner = self.variant != Variant::NoCorner && !active(Mutation::NoCornerLoad);
        let checked = corner || self.variant == Variant::Normal;
        let in_corner =
            exchanges(shuffle, &mut taken, checked, &mut code).ok_or_else(inconsistent)?;
        let values = unpacked(&form, &taken, &origins, &mut code).ok_or_else(inconsistent)?;
        if !corner {
            let steps = code.steps();
            return self.replaced(shuffle, values, within, steps);
        }
        let condition = with_own(self.function, shuffle, in_corner, &mut code);
        let condition = (condition.0, condition.1 != active(Mutation::CornerInverted));
        let clone = within;
        code.done(&mut self.patch, Location { clone, point });
        self.guard(shuffle, condition, values, within);
        Ok(())
    }

    /// A load that corner lanes execute alone.
    fn guard(
        &mut self,
        shuffle: &Shuffle,
        condition: (Ref, bool),
        values: Vec<(Value, Ref)>,
        clone: Option<CloneId>,
    ) {
        let values = values.into_iter();
        self.patch.guard.push(Guarded {
            clone,
            inst: shuffle.inst,
            condition,
            otherwise: values.map(|(value, to)| Chosen { value, to }).collect(),
        });
    }

    /// A load that nobody executes any more.
    fn replaced(
        &mut self,
        shuffle: &Shuffle,
        values: Vec<(Value, Ref)>,
        clone: Option<CloneId>,
        steps: Vec<Step>,
    ) -> Result<(), Error> {
        let point = Point::Before(self.first_of(shuffle.inst)?);
        let function = self.function;
        let mut code = Code::after(&mut self.next, shuffle.destination, steps);
        let mut redirects = Vec::with_capacity(values.len());
        for (value, to) in values {
            let to = kept(function, shuffle, value, to, &mut code);
            redirects.push(Redirect { clone, value, to });
        }
        code.done(&mut self.patch, Location { clone, point });
        self.patch.redirect.append(&mut redirects);
        let inst = shuffle.inst;
        self.patch.remove.push(Removal { clone, inst });
        Ok(())
    }

    /// The thread's own value, in one copy of the code.
    fn moved(
        &mut self,
        shuffle: &Shuffle,
        sources: &[Ready],
        clone: Option<CloneId>,
    ) -> Result<(), Error> {
        let inconsistent = || Error::Inconsistent(shuffle.destination);
        let form = self.form(shuffle.inst, &shuffle.elements);
        let form = form.ok_or(Error::NotALoad(shuffle.destination))?;
        let mut code = Code::new(&mut self.next, shuffle.destination);
        let values = match as_it_is(&form, shuffle, sources) {
            Some(values) => values,
            None => own_values(&form, shuffle, sources, &mut code).ok_or_else(inconsistent)?,
        };
        let steps = code.steps();
        self.replaced(shuffle, values, clone, steps)
    }

    /// A destination whose corner lanes the halo load of its source serves: no load of its own is left where only whole
    /// warps are.
    fn upward(
        &mut self,
        shuffle: &Shuffle,
        sources: &[Ready],
        clone: Option<CloneId>,
    ) -> Result<(), Error> {
        let inconsistent = || Error::Inconsistent(shuffle.destination);
        let [part] = shuffle.parts.as_slice() else {
            return Err(inconsistent());
        };
        let source = sources.get(part.source as usize).ok_or_else(inconsistent)?;
        let setup = source.setup.as_ref().ok_or_else(inconsistent)?;
        let ring = setup.ring.as_ref().ok_or_else(inconsistent)?;
        let word = source.words[0].ok_or_else(inconsistent)?;
        let [Some(value)] = shuffle.elements[..] else {
            return Err(inconsistent());
        };
        let halo = source.halo.ok_or_else(inconsistent)?;
        let exchange = Exchange {
            lanes: shuffle.lanes,
            value: word.value,
            setup,
        };
        let (function, point) = (self.function, Point::Before(self.first_of(shuffle.inst)?));
        let mut code = Code::new(&mut self.next, shuffle.destination);
        let given = exchange.write_in_ring(ring, halo, &mut code);
        let given = given.ok_or_else(inconsistent)?;
        let Some(whole) = ring.whole else {
            let steps = code.steps();
            return self.replaced(shuffle, vec![(value, given)], clone, steps);
        };
        let condition = with_own(function, shuffle, (whole, true), &mut code);
        code.done(&mut self.patch, Location { clone, point });
        self.guard(shuffle, condition, vec![(value, given)], clone);
        Ok(())
    }
}

/// Where a load is executed: in corner lanes that pass its own guard, if it has one.
fn with_own(
    function: &Function,
    shuffle: &Shuffle,
    in_corner: InCorner,
    code: &mut Code,
) -> InCorner {
    let Some((own, negated)) = function.inst(shuffle.inst).guard else {
        return in_corner;
    };
    let own = code.plain((own.into(), negated));
    let in_corner = code.plain(in_corner);
    (code.and(1, own, in_corner), false)
}

/// What a load with a guard gives: where that fails, what was there before.
fn kept(function: &Function, shuffle: &Shuffle, value: Value, to: Ref, code: &mut Code) -> Ref {
    let inst = function.inst(shuffle.inst);
    let Some((own, negated)) = inst.guard else {
        return to;
    };
    let ValueDef::Result(select, _) = function.value(value).def else {
        return to;
    };
    let select = function.inst(select);
    let width = function.value(value).width;
    match (&select.opcode, &select.args[..]) {
        (Opcode::Op(Op::Select { .. }), &[old, _, _]) if negated => {
            code.select(width, old.into(), to, own.into())
        }
        (Opcode::Op(Op::Select { .. }), &[_, old, _]) => {
            code.select(width, to, old.into(), own.into())
        }
        _ => to,
    }
}

/// The values of a destination that are values of its sources: as many bytes, of the same width, with the same extension.
fn as_it_is(form: &Form, shuffle: &Shuffle, sources: &[Ready]) -> Option<Vec<(Value, Ref)>> {
    let mut values = Vec::with_capacity(form.elements.len());
    for (index, element) in form.elements.iter().enumerate() {
        let Some((value, width)) = *element else {
            continue;
        };
        let first = index as u8 * form.bytes;
        let mut parts = shuffle.parts.iter();
        let part =
            parts.find(|part| part.at <= first && first + form.bytes <= part.at + part.bytes)?;
        let source = &sources.get(part.source as usize)?.form;
        let byte = part.byte + (first - part.at);
        let same = source.bytes == form.bytes && byte.is_multiple_of(form.bytes);
        let (from, bits) = (*source.elements.get(usize::from(byte / form.bytes))?)?;
        let alike = source.signed == form.signed || width <= form.bytes * 8;
        (same && alike && bits == width).then_some(())?;
        values.push((value, from.into()));
    }
    Some(values)
}

/// The values of a destination made of the thread's own words.
fn own_values(
    form: &Form,
    shuffle: &Shuffle,
    sources: &[Ready],
    code: &mut Code,
) -> Option<Vec<(Value, Ref)>> {
    let mut numbers: Vec<u32> = shuffle.parts.iter().map(|part| part.source).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut own = Vec::with_capacity(numbers.len());
    for &number in &numbers {
        let needed = shuffle.parts.iter().filter(|part| part.source == number);
        let needed = needed.fold(0, |needed, part| needed | part.taken());
        let source = sources.get(number as usize)?;
        own.push(source.form.pack(needed, code)?);
    }
    let place = |byte: u8| {
        let mut parts = shuffle.parts.iter();
        let part = parts.find(|part| (part.at..part.at + part.bytes).contains(&byte))?;
        let from = part.byte + (byte - part.at);
        let words = own.get(numbers.binary_search(&part.source).ok()?)?;
        let word = (*words.get(usize::from(from / WORD))?)?;
        Some((word, from.checked_sub(word.first)?))
    };
    form.unpack(&place, code)
}

/// The shuffles of all words, and what is true in corner lanes. One predicate decides for all words that are taken under the
/// same clamp. None if the region has no shuffles of this direction, or no warp is that wide.
fn exchanges(
    shuffle: &Shuffle,
    taken: &mut [Taken],
    checked: bool,
    code: &mut Code,
) -> Option<InCorner> {
    let lanes = match shuffle.lanes {
        LaneMap::Shift(delta) if active(Mutation::WrongDirection) => LaneMap::Shift(-delta),
        lanes => lanes,
    };
    // Few: one for each source that narrows the clamp.
    let mut setups: SmallVec<[Clamped; 1]> = SmallVec::new();
    for one in taken {
        let own = one.source.setup.as_ref()?;
        let known = setups.iter().position(|known| known.after_source == own);
        let here = match known {
            Some(at) => setups[at].here.clone(),
            None if checked && !shuffle.checks.is_empty() => {
                Cow::Owned(own.narrowed(&shuffle.checks, None, code))
            }
            None => Cow::Borrowed(own),
        };
        let exchange = Exchange {
            lanes,
            value: one.word.value,
            setup: &here,
        };
        let (value, corner) = exchange.write(code)?;
        one.word.value = value;
        if known.is_none() {
            setups.push(Clamped {
                after_source: own,
                here,
                corner,
            });
        }
    }
    let corners = setups.into_iter().map(|clamped| clamped.corner);
    corners.reduce(|one, other| match active(Mutation::OnePredicateOfParts) {
        true => one,
        false => either(one, other, code),
    })
}

/// The values of a destination, made of the words that it takes.
fn unpacked(
    form: &Form,
    taken: &[Taken],
    origins: &Origins,
    code: &mut Code,
) -> Option<Vec<(Value, Ref)>> {
    let place = |byte: u8| {
        let (index, at) = (*origins.get(usize::from(byte))?)?;
        Some((taken.get(index)?.word, at))
    };
    form.unpack(&place, code)
}

/// The words that a destination takes, each once, and where its bytes are in them. None if the plan does not fit.
fn taken<'r>(
    form: &Form,
    shuffle: &Shuffle,
    sources: &'r [Ready],
) -> Option<(Vec<Taken<'r>>, Origins)> {
    let mut taken: Vec<Taken> = Vec::new();
    let mut numbers: Vec<(u32, u8)> = Vec::new();
    let mut origins: Origins = [None; MAX_BYTES as usize];
    for part in &shuffle.parts {
        let source = sources.get(part.source as usize)?;
        if !part.fits_in(MAX_BYTES) || part.at + part.bytes > form.total() {
            return None;
        }
        for offset in 0..part.bytes {
            let byte = part.byte + offset;
            let word = source.words[usize::from(byte / WORD)]?;
            let number = (part.source, byte / WORD);
            let known = numbers.iter().position(|known| *known == number);
            let index = known.unwrap_or_else(|| {
                numbers.push(number);
                taken.push(Taken { source, word });
                taken.len() - 1
            });
            let at = byte.checked_sub(word.first)?;
            origins[usize::from(part.at + offset)] = Some((index, at));
        }
    }
    Some((taken, origins))
}
