//! Loaded values as words of 32 bits, which is what shuffles carry.
//!
//! A load's data are bytes in the order of memory. Behind a source, [`pack`] puts them into words: registers of 64 and 128
//! bits are split, neighbouring narrow elements share a word. At a destination, [`unpack`] makes registers of words again: each
//! register is extended by the *destination's* type, whatever the source's was.

use super::code::Code;
use super::load::{Held, Load, MAX_BYTES};
use super::registers::{Class, Registers};
use crate::ir::types::Kind;
use crate::support::mutation::{Mutation, active};

/// Bytes of a word.
pub const WORD: u8 = 4;
/// Words of the widest load.
pub const MAX_WORDS: usize = (MAX_BYTES / WORD) as usize;

/// A register of 32 bits that holds bytes of a load.
#[derive(Clone, Debug)]
pub struct Word {
    /// The register.
    pub register: String,
    /// The byte of the load's data in its lowest bits.
    pub first: u8,
    /// Known of what stands above.
    pub extended: Option<Extended>,
    /// The register is one of integers or bits: `cvt` takes no other.
    pub integer: bool,
}

/// The lowest bytes of a word are extended.
#[derive(Clone, Copy, Debug)]
pub struct Extended {
    /// So many of them.
    bytes: u8,
    /// By their sign, else by zeros.
    signed: bool,
    /// To so many bits.
    to: u8,
}

/// Where a byte of a destination is: in a word, so many bytes from its lowest.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The word.
    pub word: &'a Word,
    /// From its lowest byte.
    pub at: u8,
}

/// The words of a source that hold the bytes `needed` (bit 0 the first). `copy`: no register of the load itself is among
/// them. None if a needed byte is in no register.
pub fn pack(
    load: &Load,
    needed: u32,
    copy: bool,
    code: &mut Code,
    registers: &mut Registers,
) -> Option<[Option<Word>; MAX_WORDS]> {
    let mut words = [const { None }; MAX_WORDS];
    let mut packer = Packer {
        load,
        copy,
        code,
        registers,
    };
    let bytes = load.element_bytes();
    let mut index = 0;
    while index < MAX_WORDS {
        let first = index as u8 * WORD;
        let wanted = needed >> first & 0xf;
        if bytes == 16 {
            if needed >> first & 0xffff != 0 {
                let quad = packer.quad(first)?;
                for (word, part) in words[index..].iter_mut().zip(quad) {
                    *word = Some(part);
                }
            }
            index += 4;
            continue;
        }
        if bytes == 8 {
            if needed >> first & 0xff != 0 {
                let [low, high] = packer.split(first)?;
                (words[index], words[index + 1]) = (Some(low), Some(high));
            }
            index += 2;
            continue;
        }
        if wanted != 0 {
            words[index] = Some(match bytes {
                4 => packer.single(first)?,
                _ => packer.narrow(first, wanted)?,
            });
        }
        index += 1;
    }
    Some(words)
}

struct Packer<'l, 't, 'r> {
    load: &'l Load<'t>,
    copy: bool,
    code: &'l mut Code,
    registers: &'l mut Registers<'r>,
}

impl<'t> Packer<'_, 't, '_> {
    fn held(&self, byte: u8) -> Option<Held<'t>> {
        let index = usize::from(byte / self.load.element_bytes());
        *self.load.elements.get(index)?
    }

    fn word(&mut self, line: impl FnOnce(&str) -> String) -> String {
        self.code.word(self.registers, line)
    }

    /// The words of an element of 128 bits, which takes two steps.
    fn quad(&mut self, first: u8) -> Option<[Word; 4]> {
        let name = self.held(first)?.name;
        let [low, high] = [(); 2].map(|()| self.registers.fresh(Class::Double));
        self.code
            .push(format!("mov.b128 {{{low}, {high}}}, {name};"));
        let [one, two] = self.halves(&low, first);
        let [three, four] = self.halves(&high, first + 2 * WORD);
        Some([one, two, three, four])
    }

    /// The halves of a 64-bit element.
    fn split(&mut self, first: u8) -> Option<[Word; 2]> {
        let name = self.held(first)?.name;
        Some(self.halves(name, first))
    }

    /// The halves of a 64-bit register that holds the bytes from `first` on.
    fn halves(&mut self, name: &str, first: u8) -> [Word; 2] {
        let [low, high] = [(); 2].map(|()| self.registers.fresh(Class::Word));
        self.code
            .push(format!("mov.b64 {{{low}, {high}}}, {name};"));
        let word = |register, first| Word {
            register,
            first,
            extended: None,
            integer: true,
        };
        [word(low, first), word(high, first + WORD)]
    }

    /// One element of at most 32 bits, in the lowest bits of a word.
    fn single(&mut self, first: u8) -> Option<Word> {
        let held = self.held(first)?;
        let (name, integer) = (held.name.to_string(), is_integer(held));
        let (bytes, signed) = (self.load.element_bytes(), self.load.ty.signed());
        let extended = |signed, to| Some(Extended { bytes, signed, to });
        let (register, extended) = match held.ty.bits {
            8 => (
                self.word(|new| format!("cvt.u32.u8 {new}, {name};")),
                extended(false, 32),
            ),
            16 if integer => (
                self.word(|new| format!("cvt.u32.u16 {new}, {name};")),
                match bytes {
                    1 if signed => extended(true, 16),
                    _ => extended(false, 32),
                },
            ),
            16 => (
                self.word(|new| format!("mov.b32 {new}, {{{name}, {name}}};")),
                None,
            ),
            32 if self.copy => (
                self.word(|new| format!("mov.b32 {new}, {name};")),
                extended(signed, 32),
            ),
            32 => (name, extended(signed, 32)),
            _ => (
                self.word(|new| format!("cvt.u32.u64 {new}, {name};")),
                extended(signed, 32),
            ),
        };
        Some(Word {
            register,
            first,
            extended: extended.filter(|_| bytes < WORD),
            integer: integer || held.ty.bits != 32 || self.copy,
        })
    }

    /// The elements of 8 or 16 bits from byte `first` of which some are `wanted`.
    fn narrow(&mut self, first: u8, wanted: u32) -> Option<Word> {
        let bytes = self.load.element_bytes();
        let elements: Vec<u8> = (0..WORD)
            .step_by(bytes.into())
            .filter(|at| wanted >> at & 1 == 1 || wanted >> (at + bytes - 1) & 1 == 1)
            .collect();
        if let [only] = *elements {
            return self.single(first + only);
        }
        let mut pair = |one: u8, other: u8| {
            let there = |at: &u8| elements.contains(at);
            let (one, other) = match (there(&one), there(&other)) {
                (true, true) => (one, other),
                (true, false) => (one, one),
                (false, true) => (other, other),
                (false, false) => return Some(None),
            };
            self.pair(first + one, first + other).map(Some)
        };
        let register = match bytes {
            2 => pair(0, 2)??,
            _ => match (pair(0, 1)?, pair(2, 3)?) {
                (Some(low), Some(high)) => {
                    self.word(|new| format!("prmt.b32 {new}, {low}, {high}, 0x6420;"))
                }
                (Some(low), None) => self.word(|new| format!("prmt.b32 {new}, {low}, 0, 0x4420;")),
                (None, high) => {
                    let high = high?;
                    self.word(|new| format!("prmt.b32 {new}, {high}, 0, 0x2044;"))
                }
            },
        };
        Some(Word {
            register,
            first,
            extended: None,
            integer: true,
        })
    }

    /// Two narrow elements as the halves of a word.
    fn pair(&mut self, one: u8, other: u8) -> Option<String> {
        let (low, high) = (self.held(one)?, self.held(other)?);
        if low.ty.bits == 16 && high.ty.bits == 16 {
            let line = format!(", {{{}, {}}};", low.name, high.name);
            return Some(self.word(|new| format!("mov.b32 {new}{line}")));
        }
        let (low, high) = (self.single(one)?.register, self.single(other)?.register);
        Some(self.word(|new| format!("prmt.b32 {new}, {low}, {high}, 0x5410;")))
    }
}

/// Makes the registers of a destination: instructions that write registers of the destination are given back, what they
/// need is written to `code`. A register that is named as the word of its own value gets no instruction. None if a byte
/// is nowhere.
pub fn unpack<'a>(
    load: &Load,
    places: &dyn Fn(u8) -> Option<Place<'a>>,
    code: &mut Code,
    registers: &mut Registers,
) -> Option<Vec<String>> {
    let mut unpacker = Unpacker {
        load,
        places,
        code,
        registers,
        lines: Vec::new(),
    };
    let bytes = load.element_bytes();
    let mut index = 0;
    while let Some(element) = load.elements.get(index) {
        let first = index as u8 * bytes;
        let next = load.elements.get(index + 1).copied().flatten();
        match (*element, next) {
            (Some(low), Some(high)) if unpacker.both(low, high, first)? => index += 1,
            (Some(held), _) => unpacker.element(held, first)?,
            (None, _) => {}
        }
        index += 1;
    }
    Some(unpacker.lines)
}

struct Unpacker<'l, 't, 'a, 'r> {
    load: &'l Load<'t>,
    places: &'l dyn Fn(u8) -> Option<Place<'a>>,
    code: &'l mut Code,
    registers: &'l mut Registers<'r>,
    lines: Vec<String>,
}

impl<'a> Unpacker<'_, '_, 'a, '_> {
    /// Two 16-bit registers whose values are the halves of one word.
    fn both(&mut self, low: Held, high: Held, first: u8) -> Option<bool> {
        if self.load.element_bytes() != 2 || low.ty.bits != 16 || high.ty.bits != 16 {
            return Some(false);
        }
        let (one, other) = ((self.places)(first)?, (self.places)(first + 2)?);
        let halves = one.word.register == other.word.register && (one.at, other.at) == (0, 2);
        if halves {
            let line = format!(
                "mov.b32 {{{}, {}}}, {};",
                low.name, high.name, one.word.register
            );
            self.lines.push(line);
        }
        Some(halves)
    }

    fn element(&mut self, held: Held, first: u8) -> Option<()> {
        let name = held.name;
        match self.load.element_bytes() {
            16 => {
                let mut halves = [String::new(), String::new()];
                for (half, first) in halves.iter_mut().zip([first, first + 2 * WORD]) {
                    let (low, high) = (self.whole(first)?, self.whole(first + WORD)?);
                    *half = self.registers.fresh(Class::Double);
                    self.code
                        .push(format!("mov.b64 {half}, {{{low}, {high}}};"));
                }
                if active(Mutation::PartSwapped) {
                    halves.swap(0, 1);
                }
                let [low, high] = halves;
                self.lines
                    .push(format!("mov.b128 {name}, {{{low}, {high}}};"));
            }
            8 => {
                let (mut low, mut high) = (self.whole(first)?, self.whole(first + WORD)?);
                if active(Mutation::PartSwapped) {
                    std::mem::swap(&mut low, &mut high);
                }
                self.lines
                    .push(format!("mov.b64 {name}, {{{low}, {high}}};"));
            }
            4 => {
                let word = self.whole_word(first)?;
                if word.register != name {
                    let line = self.widened(held, word);
                    self.lines.push(line);
                }
            }
            _ => self.narrow(held, first)?,
        }
        Some(())
    }

    /// The register that holds four bytes as a word.
    fn whole(&self, first: u8) -> Option<&'a str> {
        Some(&self.whole_word(first)?.register)
    }

    /// The word that four bytes are.
    fn whole_word(&self, first: u8) -> Option<&'a Word> {
        let mut places = (first..first + WORD).map(|byte| (self.places)(byte));
        let start = places.next()??;
        let follows = |(place, at): (Option<Place>, u8)| {
            place.is_some_and(|place| place.word.register == start.word.register && place.at == at)
        };
        (start.at == 0 && places.zip(1..).all(follows)).then_some(start.word)
    }

    /// The line that sets a register to a word's value, which is extended already.
    fn widened(&mut self, held: Held, word: &Word) -> String {
        let mut register = word.register.clone();
        if !word.integer && held.ty.bits != 32 {
            register = self
                .code
                .word(self.registers, |new| format!("mov.b32 {new}, {register};"));
        }
        self.converted(held, &register)
    }

    /// The same of an integer register.
    fn converted(&self, held: Held, word: &str) -> String {
        let name = held.name;
        match (held.ty.bits, self.load.ty.signed()) {
            (64, true) => format!("cvt.s64.s32 {name}, {word};"),
            (64, false) => format!("cvt.u64.u32 {name}, {word};"),
            (32, _) => format!("mov.b32 {name}, {word};"),
            (16, _) => format!("cvt.u16.u32 {name}, {word};"),
            _ => format!("cvt.u8.u32 {name}, {word};"),
        }
    }

    /// An element of 8 or 16 bits.
    fn narrow(&mut self, held: Held, first: u8) -> Option<()> {
        let bytes = self.load.element_bytes();
        let Place { word, at } = (self.places)(first)?;
        if bytes == 2 {
            let second = (self.places)(first + 1)?;
            if second.word.register != word.register || second.at != at + 1 {
                return None;
            }
        }
        let (name, register) = (held.name, word.register.as_str());
        if held.ty.bits == 16 && bytes == 2 && (at == 2 || !is_integer(held)) {
            let other = self.registers.fresh(Class::Half);
            self.lines.push(match at {
                2 => format!("mov.b32 {{{other}, {name}}}, {register};"),
                _ => format!("mov.b32 {{{name}, {other}}}, {register};"),
            });
            return Some(());
        }
        let line = if at == 0 && extended_enough(self.load, held, word) {
            if register == name {
                return Some(());
            }
            self.widened(held, word)
        } else {
            let selector = selector(bytes, self.load.ty.signed(), at);
            let extracted = |to: &str| format!("prmt.b32 {to}, {register}, 0, {selector:#06x};");
            if held.ty.bits == 32 {
                extracted(name)
            } else {
                let value = self.code.word(self.registers, extracted);
                self.converted(held, &value)
            }
        };
        self.lines.push(line);
        Some(())
    }
}

/// Whether a word is the value of a register of 32 bits as it is.
pub fn is_value(load: &Load, held: Held, place: Place) -> bool {
    held.ty.bits == 32
        && place.at == 0
        && (load.element_bytes() == WORD
            || load.element_bytes() < WORD && extended_enough(load, held, place.word))
}

/// Whether the bits of a word above its lowest element are as the register needs them.
fn extended_enough(load: &Load, held: Held, word: &Word) -> bool {
    let (bytes, signed) = (load.element_bytes(), load.ty.signed());
    let wanted = held.ty.bits.min(32);
    wanted == bytes * 8
        || active(Mutation::WidthMismatch)
        || word.extended.is_some_and(|known| {
            known.bytes == bytes
                && (known.signed == signed || active(Mutation::SignOfSource))
                && known.to >= wanted
        })
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

fn is_integer(held: Held) -> bool {
    matches!(held.ty.kind, Kind::Bits | Kind::Unsigned | Kind::Signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `prmt.b32 value, 0, selector` as the PTX ISA has it.
    fn permuted(value: u32, selector: u32) -> u32 {
        let byte = |index: u32| {
            let nibble = selector >> (4 * index) & 0xf;
            let byte = (u64::from(value) >> (8 * (nibble & 7)) & 0xff) as u32;
            match (nibble & 8 != 0, byte & 0x80 != 0) {
                (true, true) => 0xff,
                (true, false) => 0,
                (false, _) => byte,
            }
        };
        (0..4).fold(0, |sum, index| sum | byte(index) << (8 * index))
    }

    #[test]
    fn selectors_extract_and_extend() {
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
