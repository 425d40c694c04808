//! The data layout: sizes, offsets, and the scalars that a value is made of.

use super::{Ty, View};
use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::target::LLVMTargetDataRef;
use inkwell::llvm_sys::target::*;
use rustc_hash::FxHashSet;
use std::marker::PhantomData;

/// Scalars of one value, above which it is not split.
const MAX_LEAVES: usize = 64;
/// Parts of one value that are looked at for its scalars: a struct in a struct in a struct may have none.
const MAX_PARTS: usize = 1024;

/// A scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// An integer of so many bits.
    Integer(u32),
    /// An IEEE 754 number of 16, 32 or 64 bits.
    Float(u8),
    /// `bfloat`
    BFloat,
    /// An address in a space, and its bits.
    Pointer(u32, u8),
    /// Anything else, of which nothing is known but its size in bits.
    Other(u64),
}

impl Scalar {
    /// Bits in a register.
    pub fn bits(self) -> u64 {
        match self {
            Scalar::Integer(bits) => u64::from(bits),
            Scalar::Float(bits) | Scalar::Pointer(_, bits) => u64::from(bits),
            Scalar::BFloat => 16,
            Scalar::Other(bits) => bits,
        }
    }
}

/// A scalar of a value and where it lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Which scalar.
    pub scalar: Scalar,
    /// Offset in bytes.
    pub offset: u64,
}

/// The data layout of a module.
#[derive(Clone, Copy)]
pub struct Layout<'m>(LLVMTargetDataRef, PhantomData<&'m ()>);

impl<'m> Layout<'m> {
    /// Of a module.
    pub fn new(view: View<'m>) -> Self {
        Layout(
            unsafe { LLVMGetModuleDataLayout(view.0.as_mut_ptr()) },
            PhantomData,
        )
    }

    /// Bytes from one element of an array to the next.
    pub fn stride(self, ty: Ty<'_>) -> Option<u64> {
        fixed(ty).then(|| unsafe { LLVMABISizeOfType(self.0, ty.0) })
    }

    /// Bytes that a store writes.
    pub fn stored(self, ty: Ty<'_>) -> Option<u64> {
        fixed(ty).then(|| unsafe { LLVMStoreSizeOfType(self.0, ty.0) })
    }

    /// The offset of a struct's field.
    pub fn field(self, ty: Ty<'_>, index: u32) -> Option<u64> {
        (fixed(ty) && u64::from(index) < ty.count())
            .then(|| unsafe { LLVMOffsetOfElement(self.0, ty.0, index) })
    }

    /// Bits of an address.
    pub fn pointer_bits(self, space: u32) -> u8 {
        let bytes = unsafe { LLVMPointerSizeForAS(self.0, space) };
        (bytes * 8).clamp(8, 64) as u8
    }

    /// The scalars of a type, in the order of its elements. What has too many is one scalar of another kind.
    pub fn leaves(self, ty: Ty<'_>) -> Vec<Leaf> {
        let mut found = Leaves::default();
        match self.collect(ty, 0, &mut found) {
            Some(()) => found.leaves,
            None => vec![self.other(ty, 0)],
        }
    }

    fn other(self, ty: Ty<'_>, offset: u64) -> Leaf {
        let bits = match fixed(ty) {
            true => unsafe { LLVMSizeOfTypeInBits(self.0, ty.0) },
            false => 0,
        };
        Leaf {
            scalar: Scalar::Other(bits),
            offset,
        }
    }

    /// None if there are too many.
    fn collect(self, ty: Ty<'_>, offset: u64, found: &mut Leaves) -> Option<()> {
        use LLVMTypeKind::*;
        found.parts += 1;
        if found.parts > MAX_PARTS {
            return None;
        }
        let scalar = match ty.kind() {
            LLVMIntegerTypeKind => Scalar::Integer(ty.integer_bits()),
            LLVMHalfTypeKind => Scalar::Float(16),
            LLVMFloatTypeKind => Scalar::Float(32),
            LLVMDoubleTypeKind => Scalar::Float(64),
            LLVMBFloatTypeKind => Scalar::BFloat,
            LLVMPointerTypeKind => {
                let space = ty.address_space();
                Scalar::Pointer(space, self.pointer_bits(space))
            }
            LLVMVoidTypeKind => return Some(()),
            LLVMVectorTypeKind | LLVMArrayTypeKind | LLVMStructTypeKind if fixed(ty) => {
                return self.elements(ty, offset, found);
            }
            _ => {
                found.leaves.push(self.other(ty, offset));
                return Some(());
            }
        };
        found.leaves.push(Leaf { scalar, offset });
        (found.leaves.len() <= MAX_LEAVES).then_some(())
    }

    fn elements(self, ty: Ty<'_>, offset: u64, found: &mut Leaves) -> Option<()> {
        if ty.count() > MAX_LEAVES as u64 {
            return None;
        }
        for index in 0..ty.count() as u32 {
            let (element, at) = match ty.kind() {
                LLVMTypeKind::LLVMStructTypeKind => (ty.field(index), self.field(ty, index)?),
                // Elements of a vector lie side by side, without padding.
                LLVMTypeKind::LLVMVectorTypeKind => {
                    let bits = unsafe { LLVMSizeOfTypeInBits(self.0, ty.element().0) };
                    (ty.element(), u64::from(index) * bits / 8)
                }
                _ => (ty.element(), u64::from(index) * self.stride(ty.element())?),
            };
            self.collect(element, offset + at, found)?;
        }
        (found.leaves.len() <= MAX_LEAVES).then_some(())
    }
}

/// The scalars of a value so far.
#[derive(Default)]
struct Leaves {
    leaves: Vec<Leaf>,
    /// What was looked at, scalars and what is made of them.
    parts: usize,
}

/// Has a size that is known here.
fn fixed(ty: Ty<'_>) -> bool {
    use LLVMTypeKind::*;
    let (mut work, mut seen) = (Vec::new(), FxHashSet::default());
    let mut next = Some(ty);
    while let Some(ty) = next {
        match ty.kind() {
            #[cfg(not(feature = "llvm15"))]
            LLVMTargetExtTypeKind => return false,
            LLVMScalableVectorTypeKind
            | LLVMX86_AMXTypeKind
            | LLVMTokenTypeKind
            | LLVMMetadataTypeKind
            | LLVMLabelTypeKind
            | LLVMFunctionTypeKind
            | LLVMVoidTypeKind => return false,
            _ if !ty.is_sized() => return false,
            // Each struct once, however many others contain it.
            LLVMStructTypeKind if seen.insert(ty.0) => {
                work.extend((0..ty.count() as u32).map(|index| ty.field(index)));
            }
            LLVMArrayTypeKind => work.push(ty.element()),
            _ => {}
        }
        next = work.pop();
    }
    true
}
