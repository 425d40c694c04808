//! Splits `opcode.modifier.modifier` and hands its modifiers out, in whatever order they are written.
//!
//! ptxas takes nearly all orders (`ld.f32.global`, `setp.ftz.gt.f32`), and so do we: each reader of an opcode takes the
//! words that it knows, and a spelling is understood only if nothing is left over.

use ptxasw_ir::op::{FloatMode, Rounding};
use ptxasw_ir::types::{Kind, Type};
use smallvec::SmallVec;

/// An opcode's words.
#[derive(Clone, Debug)]
pub(super) struct Spelling<'a> {
    /// The word before the first dot.
    pub base: &'a str,
    /// The others, without their dots; `::` does not separate.
    words: SmallVec<[&'a str; 8]>,
    /// Bit i: word i has been taken.
    taken: u32,
    /// Operands of the instruction; some opcodes have forms that differ in nothing else.
    pub operands: usize,
}

impl<'a> Spelling<'a> {
    /// Splits an opcode of an instruction with that many operands.
    pub fn new(text: &'a str, operands: usize) -> Self {
        let mut parts = text.split('.').map(str::trim);
        let base = parts.next().unwrap_or("");
        Spelling {
            base,
            words: parts.collect(),
            taken: 0,
            operands,
        }
    }

    /// Whether every modifier has been taken. A spelling of more than 32 modifiers never is.
    pub fn finished(&self) -> bool {
        self.words.len() <= 32 && self.taken.count_ones() as usize == self.words.len()
    }

    /// Whether the word is there, taken or not.
    pub fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// Takes the first word that `read` understands.
    pub fn read<T>(&mut self, read: impl Fn(&'a str) -> Option<T>) -> Option<T> {
        for (i, word) in self.words.iter().enumerate().take(32) {
            if self.taken >> i & 1 == 0
                && let Some(value) = read(word)
            {
                self.taken |= 1 << i;
                return Some(value);
            }
        }
        None
    }

    /// Takes a word if it is there.
    pub fn take(&mut self, word: &str) -> bool {
        self.read(|w| (w == word).then_some(())).is_some()
    }

    /// Takes the first word that a table contains.
    pub fn choose<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        self.read(|w| table.iter().find(|(word, _)| *word == w).map(|&(_, v)| v))
    }

    /// Takes the next type.
    pub fn ty(&mut self) -> Option<Type> {
        self.read(type_of)
    }

    /// Takes the next type, if it is `.u` or `.s` of 16, 32 or 64 bits.
    pub fn integer(&mut self) -> Option<Type> {
        self.ty()
            .filter(|t| matches!(t.kind, Kind::Unsigned | Kind::Signed) && t.bits >= 16)
    }

    /// Takes the next type, if it is `.b` of 16, 32 or 64 bits.
    pub fn bits(&mut self) -> Option<Type> {
        self.ty()
            .filter(|t| t.kind == Kind::Bits && matches!(t.bits, 16 | 32 | 64))
    }

    /// Takes the next type, if it is a floating-point one that arithmetic here knows.
    pub fn float(&mut self) -> Option<Type> {
        self.ty().filter(|t| t.float())
    }

    /// Whether one of the types is a floating-point one.
    pub fn has_float(&self) -> bool {
        self.words
            .iter()
            .any(|w| type_of(w).is_some_and(Type::float))
    }

    /// Takes `.rn`, `.rz`, `.rm`, `.rp`.
    pub fn rounding(&mut self) -> Option<Rounding> {
        self.choose(&[
            ("rn", Rounding::Nearest),
            ("rz", Rounding::Zero),
            ("rm", Rounding::Down),
            ("rp", Rounding::Up),
        ])
    }

    /// Takes `.ftz`, `.sat`, `.relu`, `.NaN`, `.xorsign` and `.abs`.
    pub fn mode(&mut self, rounding: Rounding) -> FloatMode {
        let ftz = self.take("ftz");
        let saturate = self.take("sat");
        let relu = self.take("relu");
        let nan = self.take("NaN");
        let xorsign_abs = self.take("xorsign") && self.take("abs");
        FloatMode {
            rounding,
            ftz,
            saturate,
            relu,
            nan,
            xorsign_abs,
        }
    }
}

/// The type that a word (without its dot) names.
pub fn type_of(word: &str) -> Option<Type> {
    use Kind::*;
    let (kind, bits) = match word {
        "pred" => (Predicate, 1),
        "b8" => (Bits, 8),
        "b16" => (Bits, 16),
        "b32" => (Bits, 32),
        "b64" => (Bits, 64),
        "b128" => (Bits, 128),
        "u8" => (Unsigned, 8),
        "u16" => (Unsigned, 16),
        "u32" => (Unsigned, 32),
        "u64" => (Unsigned, 64),
        "s8" => (Signed, 8),
        "s16" => (Signed, 16),
        "s32" => (Signed, 32),
        "s64" => (Signed, 64),
        "f16" => (Float, 16),
        "f32" => (Float, 32),
        "f64" => (Float, 64),
        "bf16" => (BFloat, 16),
        "f16x2" => (Float16x2, 32),
        "bf16x2" => (BFloat16x2, 32),
        "u16x2" => (Unsigned16x2, 32),
        "s16x2" => (Signed16x2, 32),
        "e4m3" | "e5m2" | "e2m1x2" | "e3m2" | "e2m3" | "u8x1" => (Other, 8),
        "e4m3x2" | "e5m2x2" | "e2m3x2" | "e3m2x2" | "ue8m0x2" | "e2m1x4" => (Other, 16),
        "tf32" | "e4m3x4" | "e5m2x4" | "e2m3x4" | "e3m2x4" | "u8x4" | "s8x4" => (Other, 32),
        "f32x2" | "texref" | "samplerref" | "surfref" => (Other, 64),
        _ => return None,
    };
    Some(Type::new(kind, bits))
}
