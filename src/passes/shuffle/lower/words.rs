//! Loaded values as words of 32 bits, which is what shuffles carry, and back.
//!
//! A load's data are bytes in the order of memory. [`Form::pack`] puts them into words: values of 64 bits are split,
//! neighbouring narrow elements share a word. [`Form::unpack`] makes values of words again: each is extended by the
//! *destination's* type, whatever the source's was.

use super::code::{Code, word};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{Function, Value};
use ptxasw_ir::op::Op;
use ptxasw_ir::patch::Ref;

/// Bytes of a word.
pub(super) const WORD: u8 = 4;
/// Bytes of the widest load: `.v8.b32`, `.v4.b64`.
pub(super) const MAX_BYTES: u8 = 32;
/// Words of the widest load.
pub(super) const MAX_WORDS: usize = (MAX_BYTES / WORD) as usize;

/// The words of a load; none where no byte is needed.
pub(super) type Words = [Option<Word>; MAX_WORDS];

/// A word that holds bytes of a load.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub value: Ref,
    /// The byte of the load's data in its lowest bits.
    pub first: u8,
    /// What is known of the bits above.
    pub extended: Option<Extended>,
}

/// The lowest bytes of a word are extended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extended {
    /// So many of them.
    bytes: u8,
    /// By their sign, else by zeros.
    signed: bool,
    /// To so many bits.
    to: u8,
}

/// Where a byte of a destination is: in a word, so many bytes from its lowest.
pub(super) type BytePosition = (Word, u8);

/// The values of a load.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// Bytes of an element.
    pub bytes: u8,
    /// Elements are extended by their sign.
    pub signed: bool,
    /// The values and their widths; none where one is dropped.
    pub elements: Vec<Option<(Value, u8)>>,
}

impl Form {
    /// Of a load's elements, of so many bits.
    pub fn new(function: &Function, elements: &[Option<Value>], bits: u8, signed: bool) -> Self {
        let held = |value: Value| (value, function.value(value).width);
        Form {
            bytes: bits / 8,
            signed,
            elements: elements.iter().map(|one| one.map(held)).collect(),
        }
    }

    /// Bytes of all elements.
    pub fn total(&self) -> u8 {
        let count = self.elements.len().min(usize::from(MAX_BYTES)) as u8;
        self.bytes.saturating_mul(count)
    }

    fn held(&self, byte: u8) -> Option<(Ref, u8)> {
        let element = self.elements.get(usize::from(byte / self.bytes));
        let (value, width) = (*element?)?;
        Some((value.into(), width))
    }

    /// The words that hold the bytes `needed` (bit 0 the first). None if a needed byte is in no value.
    pub fn pack(&self, needed: u32, code: &mut Code) -> Option<Words> {
        let mut words = [None; MAX_WORDS];
        let mut index = 0;
        while index < MAX_WORDS {
            let first = index as u8 * WORD;
            let wanted = needed >> first & 0xf;
            match self.bytes {
                8 => {
                    if needed >> first & 0xff != 0 {
                        let [low, high] = self.split(first, code)?;
                        (words[index], words[index + 1]) = (Some(low), Some(high));
                    }
                    index += 1;
                }
                _ if wanted == 0 => {}
                4 => words[index] = Some(self.single(first, code)?),
                _ => words[index] = Some(self.narrow(first, wanted, code)?),
            }
            index += 1;
        }
        Some(words)
    }

    /// The halves of an element of 64 bits.
    fn split(&self, first: u8, code: &mut Code) -> Option<[Word; 2]> {
        let (value, _) = self.held(first)?;
        let (parts, width) = (2, 32);
        let halves = code.all(Op::Unpack { parts, width }, &[value]);
        let word = |value, first| Word {
            value,
            first,
            extended: None,
        };
        Some([word(halves[0], first), word(halves[1], first + WORD)])
    }

    /// One element of at most 32 bits, in the lowest bits of a word.
    fn single(&self, first: u8, code: &mut Code) -> Option<Word> {
        let (value, width) = self.held(first)?;
        let (bytes, signed) = (self.bytes, self.signed);
        let known = |signed, to| Extended { bytes, signed, to };
        let extended = match width {
            16 if bytes == 1 && signed => known(true, 16),
            8 | 16 => known(false, 32),
            _ => known(signed, 32),
        };
        Some(Word {
            value: code.extend(value, width, 32, false),
            first,
            extended: Some(extended).filter(|_| bytes < WORD),
        })
    }

    /// The elements of 8 or 16 bits from byte `first` of which some are `wanted`.
    fn narrow(&self, first: u8, wanted: u32, code: &mut Code) -> Option<Word> {
        let bytes = self.bytes;
        let elements: Vec<u8> = (0..WORD)
            .step_by(bytes.into())
            .filter(|at| wanted >> at & 1 == 1 || wanted >> (at + bytes - 1) & 1 == 1)
            .collect();
        if let [only] = *elements {
            return self.single(first + only, code);
        }
        let mut pair = |one: u8, other: u8| {
            let there = |at: &u8| elements.contains(at);
            let (one, other) = match (there(&one), there(&other)) {
                (true, true) => (one, other),
                (true, false) => (one, one),
                (false, true) => (other, other),
                (false, false) => return Some(None),
            };
            self.pair(first + one, first + other, code).map(Some)
        };
        let value = match bytes {
            2 => pair(0, 2)??,
            _ => {
                let (low, high) = (pair(0, 1)?, pair(2, 3)?);
                match (low, high) {
                    (Some(low), Some(high)) => code.permute(low, high, 0x6420),
                    (Some(low), None) => code.permute(low, word(0), 0x4420),
                    (None, high) => code.permute(high?, word(0), 0x2044),
                }
            }
        };
        Some(Word {
            value,
            first,
            extended: None,
        })
    }

    /// Two narrow elements as the halves of a word.
    fn pair(&self, one: u8, other: u8, code: &mut Code) -> Option<Ref> {
        let (low, high) = (self.held(one)?, self.held(other)?);
        if (low.1, high.1) == (16, 16) {
            let (parts, width) = (2, 16);
            return Some(code.op(Op::Pack { parts, width }, &[low.0, high.0]));
        }
        let (low, high) = (self.single(one, code)?, self.single(other, code)?);
        Some(code.permute(low.value, high.value, 0x5410))
    }

    /// The values of the elements, from the places of their bytes. None if a byte is nowhere.
    pub fn unpack(
        &self,
        place: &dyn Fn(u8) -> Option<BytePosition>,
        code: &mut Code,
    ) -> Option<Vec<(Value, Ref)>> {
        let mut made = Vec::with_capacity(self.elements.len());
        let mut index = 0;
        while let Some(element) = self.elements.get(index) {
            let first = index as u8 * self.bytes;
            let next = self.elements.get(index + 1).copied().flatten();
            match (*element, next) {
                (Some(low), Some(high)) if self.are_halves(low, high, first, place)? => {
                    let (parts, width) = (2, 16);
                    let (word, _) = place(first)?;
                    let halves = code.all(Op::Unpack { parts, width }, &[word.value]);
                    made.extend([(low.0, halves[0]), (high.0, halves[1])]);
                    index += 1;
                }
                (Some((value, width)), _) => {
                    made.push((value, self.element(width, first, place, code)?));
                }
                (None, _) => {}
            }
            index += 1;
        }
        Some(made)
    }

    /// Two values of 16 bits are the halves of one word.
    fn are_halves(
        &self,
        low: (Value, u8),
        high: (Value, u8),
        first: u8,
        place: &dyn Fn(u8) -> Option<BytePosition>,
    ) -> Option<bool> {
        if (self.bytes, low.1, high.1) != (2, 16, 16) {
            return Some(false);
        }
        let (one, other) = (place(first)?, place(first + 2)?);
        Some(one.0.value == other.0.value && (one.1, other.1) == (0, 2))
    }

    fn element(
        &self,
        width: u8,
        first: u8,
        place: &dyn Fn(u8) -> Option<BytePosition>,
        code: &mut Code,
    ) -> Option<Ref> {
        match self.bytes {
            8 => {
                let low = whole(first, place)?;
                let high = whole(first + WORD, place)?;
                let mut halves = [low.value, high.value];
                if active(Mutation::PartSwapped) {
                    halves.swap(0, 1);
                }
                Some(code.op(
                    Op::Pack {
                        parts: 2,
                        width: 32,
                    },
                    &halves,
                ))
            }
            4 => {
                let word = whole(first, place)?;
                Some(code.extend(word.value, 32, width, self.signed))
            }
            _ => self.narrow_element(width, first, place, code),
        }
    }

    /// An element of 8 or 16 bits.
    fn narrow_element(
        &self,
        width: u8,
        first: u8,
        place: &dyn Fn(u8) -> Option<BytePosition>,
        code: &mut Code,
    ) -> Option<Ref> {
        let bytes = self.bytes;
        let (word_of, at) = place(first)?;
        if bytes == 2 {
            let (second, next) = place(first + 1)?;
            if second.value != word_of.value || next != at + 1 {
                return None;
            }
        }
        if (width, bytes, at) == (16, 2, 2) {
            let (parts, width) = (2, 16);
            return Some(code.all(Op::Unpack { parts, width }, &[word_of.value])[1]);
        }
        let value = match at == 0 && self.extended_enough(width, word_of) {
            true => word_of.value,
            false => {
                let selector = selector(bytes, self.signed, at);
                code.permute(word_of.value, word(0), selector)
            }
        };
        Some(code.extend(value, 32, width, self.signed))
    }

    /// Whether the bits of a word above its lowest element are as a value of so many bits needs them.
    fn extended_enough(&self, width: u8, word: Word) -> bool {
        let wanted = width.min(32);
        wanted == self.bytes * 8
            || active(Mutation::WidthMismatch)
            || word.extended.is_some_and(|known| {
                known.bytes == self.bytes
                    && (known.signed == self.signed || active(Mutation::SignOfSource))
                    && known.to >= wanted
            })
    }
}

/// The word that four bytes are.
fn whole(first: u8, place: &dyn Fn(u8) -> Option<BytePosition>) -> Option<Word> {
    let (word, at) = place(first)?;
    let follows = |byte: u8| {
        let found = place(first + byte);
        found.is_some_and(|(one, at)| one.value == word.value && at == byte)
    };
    (at == 0 && (1..WORD).all(follows)).then_some(word)
}

/// What `prmt` takes to extract and extend `bytes` bytes from byte `at`; its second operand is 0.
fn selector(bytes: u8, signed: bool, at: u8) -> u32 {
    // A selector's highest bit asks for copies of the byte's sign.
    let above = match signed {
        true => u32::from(at + bytes - 1) | 8,
        false => 4,
    };
    (0..WORD).rev().fold(0, |selector, byte| {
        let part = if byte < bytes {
            u32::from(at + byte)
        } else {
            above
        };
        selector << 4 | part
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_ir::op::Permute;
    use ptxasw_ir::semantics::fold;

    #[test]
    fn selectors_extract_and_extend() {
        let permuted = |value: u32, selector: u32| {
            let args = [value.into(), 0, selector.into()];
            fold(&Op::Prmt(Permute::Index), &args)[0] as u32
        };
        for value in [0x8091_a2b3u32, 0x7f6e_5d4c, 0x00ff_8001, 0xff00_7ffe] {
            for at in 0..4 {
                let byte = (value >> (8 * at)) as u8;
                let (zeros, signs) = (u32::from(byte), byte as i8 as u32);
                assert_eq!(permuted(value, selector(1, false, at)), zeros);
                assert_eq!(permuted(value, selector(1, true, at)), signs);
            }
            for at in [0, 2] {
                let half = (value >> (8 * at)) as u16;
                let (zeros, signs) = (u32::from(half), half as i16 as u32);
                assert_eq!(permuted(value, selector(2, false, at)), zeros);
                assert_eq!(permuted(value, selector(2, true, at)), signs);
            }
        }
    }
}
