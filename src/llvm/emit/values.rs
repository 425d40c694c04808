//! Loaded values as words of 32 bits, which is what shuffles carry, and back. A value is bytes in the order of memory.

use super::code::Code;
use crate::view::Ty;
use inkwell::llvm_sys::LLVMTypeKind::{self, *};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};

/// Bytes of a word.
pub const WORD: u8 = 4;
/// Bytes of the widest value.
pub const MAX_BYTES: u8 = 32;
/// Words of the widest value.
const MAX_WORDS: usize = (MAX_BYTES / WORD) as usize;

/// The words of a value; none where no byte is needed.
pub type Words = [Option<LLVMValueRef>; MAX_WORDS];

/// How a type's values are taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// The type itself.
    ty: LLVMTypeRef,
    /// Of one element.
    element: LLVMTypeRef,
    /// Elements; none if it is no vector.
    vector: Option<u8>,
    /// Bytes of an element: 1, 2, 4 or 8.
    bytes: u8,
}

/// Whether values of a type can be taken apart, and put together again.
pub fn fits(ty: Ty<'_>) -> bool {
    form(ty.raw()).is_some()
}

/// The form of a type: a number or pointer of 8, 16, 32 or 64 bits, or a vector of them that fills its bytes. Pointers are
/// those of 64 bits, as all of the generic, global and constant spaces are.
pub(super) fn form(ty: LLVMTypeRef) -> Option<Form> {
    let kind = |ty| unsafe { LLVMGetTypeKind(ty) };
    let (element, vector) = match kind(ty) {
        LLVMVectorTypeKind => unsafe {
            let count = u8::try_from(LLVMGetVectorSize(ty)).ok()?;
            (LLVMGetElementType(ty), Some(count))
        },
        _ => (ty, None),
    };
    let bytes = match kind(element) {
        LLVMIntegerTypeKind => match unsafe { LLVMGetIntTypeWidth(element) } {
            8 => 1,
            16 => 2,
            32 => 4,
            64 => 8,
            _ => return None,
        },
        LLVMHalfTypeKind | LLVMBFloatTypeKind => 2,
        LLVMFloatTypeKind => 4,
        LLVMDoubleTypeKind => 8,
        // Of the other spaces, some have pointers of 32 bits by an option.
        LLVMPointerTypeKind
            if matches!(unsafe { LLVMGetPointerAddressSpace(element) }, 0 | 1 | 4) =>
        {
            8
        }
        _ => return None,
    };
    let form = Form {
        ty,
        element,
        vector,
        bytes,
    };
    // The vector's own alignment may make it larger in memory; the bytes in use are the first.
    let fits = bytes
        .checked_mul(vector.unwrap_or(1))
        .is_some_and(|all| all <= MAX_BYTES);
    fits.then_some(form)
}

impl Form {
    /// Bytes of all elements.
    pub fn total(&self) -> u8 {
        self.bytes * self.vector.unwrap_or(1)
    }

    fn kind(&self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.element) }
    }

    /// The words of a value that hold the bytes `needed` (bit 0 the first).
    pub fn words(&self, value: LLVMValueRef, needed: u32, code: &Code) -> Words {
        let mut words = [None; MAX_WORDS];
        // Of narrow elements that fill a word the vector is one.
        if self.vector.is_some() && self.bytes < WORD && self.total() == WORD {
            words[0] = Some(code.bitcast(value, code.integer(32)));
            return words;
        }
        let mut from = 0;
        for index in 0..self.vector.unwrap_or(1) {
            let mask = (1u32 << self.bytes) - 1;
            if needed >> from & mask != 0 {
                let element = match self.vector {
                    Some(_) => code.element(value, index.into()),
                    None => value,
                };
                self.put(element, from, &mut words, code);
            }
            from += self.bytes;
        }
        words
    }

    /// Puts an element's bytes where they belong.
    fn put(&self, element: LLVMValueRef, from: u8, words: &mut Words, code: &Code) {
        let bits = u32::from(self.bytes) * 8;
        let number = match self.kind() {
            LLVMPointerTypeKind => code.ptrtoint(element, bits),
            _ => code.bitcast(element, code.integer(bits)),
        };
        let at = usize::from(from / WORD);
        match self.bytes {
            8 => {
                words[at] = Some(code.trunc(number, 32));
                words[at + 1] = Some(code.trunc(code.lshr(number, 32), 32));
            }
            4 => words[at] = Some(number),
            _ => {
                let wide = code.zext(number, 32);
                let placed = match from % WORD {
                    0 => wide,
                    byte => code.shl(wide, u32::from(byte) * 8),
                };
                words[at] = Some(match words[at] {
                    Some(rest) => code.or(rest, placed),
                    None => placed,
                });
            }
        }
    }

    /// The value of which `place` tells for each byte: a word, and the byte of it. None if an element's bytes are not
    /// together in words.
    pub fn value(
        &self,
        place: &dyn Fn(u8) -> Option<(LLVMValueRef, u8)>,
        code: &Code,
    ) -> Option<LLVMValueRef> {
        let Some(count) = self.vector else {
            return self.element(0, place, code);
        };
        let mut vector = None;
        for index in 0..count {
            let element = self.element(index * self.bytes, place, code)?;
            vector = Some(code.with_element(vector, self.ty, element, index.into()));
        }
        vector
    }

    fn element(
        &self,
        from: u8,
        place: &dyn Fn(u8) -> Option<(LLVMValueRef, u8)>,
        code: &Code,
    ) -> Option<LLVMValueRef> {
        let together = |from: u8, bytes: u8| {
            let (word, first) = place(from)?;
            let mut follow =
                (0..bytes).map(|byte| place(from + byte) == Some((word, first + byte)));
            follow.all(|follows| follows).then_some((word, first))
        };
        let whole = |from: u8| together(from, WORD).filter(|&(_, first)| first == 0);
        match self.bytes {
            8 => {
                let ((low, _), (high, _)) = (whole(from)?, whole(from + WORD)?);
                // One `mov` of two registers; other ways cost shifts.
                let both = code.intrinsic("llvm.nvvm.lohi.i2d", &mut [low, high]);
                Some(match self.kind() {
                    LLVMPointerTypeKind => {
                        code.inttoptr(code.bitcast(both, code.integer(64)), self.element)
                    }
                    _ => code.bitcast(both, self.element),
                })
            }
            4 => Some(code.bitcast(whole(from)?.0, self.element)),
            bytes => {
                let (word, first) = together(from, bytes)?;
                let shifted = match first {
                    0 => word,
                    byte => code.lshr(word, u32::from(byte) * 8),
                };
                let number = code.trunc(shifted, u32::from(bytes) * 8);
                Some(code.bitcast(number, self.element))
            }
        }
    }
}
