//! How undefined bytes go through operations: where an operation has no rule of its own, one undefined byte of its operands
//! makes all of its result undefined.

use ptxasw_ir::op::{Logic, Op, Permute};
use ptxasw_ir::semantics::concrete::cut;

/// One bit for each byte of a value of `width` bits.
pub(super) fn byte_mask(width: u8) -> u8 {
    cut(width.div_ceil(8), 0xff) as u8
}

/// Undefined bytes as undefined bits.
fn bits_of(bytes: u8) -> u64 {
    (0..8).fold(0, |m, i| {
        m | ((u64::from((bytes >> i) & 1) * 0xff) << (8 * i))
    })
}

/// Undefined bits as undefined bytes.
fn bytes_of(bits: u64) -> u8 {
    (0..8).fold(0, |m, i| m | u8::from(bits >> (8 * i) & 0xff != 0) << i)
}

/// The undefined bytes of a result. Operations that move bytes keep the rest defined; any other result is undefined as a
/// whole if an operand has an undefined byte.
pub(super) fn poison_of(op: &Op, result: usize, poison: &[u8], args: &[u64]) -> u8 {
    let any = if poison.iter().any(|&p| p != 0) {
        0xff
    } else {
        0
    };
    match *op {
        Op::Copy { .. } | Op::Not { .. } => poison[0],
        Op::Copies { .. } => poison[result],
        Op::Xor { .. } => poison[0] | poison[1],
        Op::And { .. } => and_poison(poison, args, 0),
        Op::Or { .. } => and_poison(poison, args, u64::MAX),
        Op::Compare {
            logic: Some(logic), ..
        } if poison[2] == 0 && decides(logic, args[2] & 1 != 0) => 0,
        Op::Select { .. } if poison[2] != 0 => 0xff,
        Op::Select { .. } => poison[usize::from(args[2] & 1 == 0)],
        Op::Extend { from, signed, .. } => extended(poison[0], from, signed),
        Op::Convert { from, to, .. } if !from.float() && !to.float() => {
            extended(poison[0], from.bits.min(to.bits), from.signed())
        }
        Op::Pack { parts, width } => (0..usize::from(parts)).fold(0, |m, i| {
            m | bytes_of(cut(64, bits_of(poison[i])) << (i as u32 * u32::from(width)).min(63))
        }),
        Op::Unpack { width, .. } => {
            bytes_of(bits_of(poison[0]) >> (result as u32 * u32::from(width)).min(63))
        }
        Op::Shl { width } if poison[1] == 0 && args[1] < u64::from(width) => {
            bytes_of(bits_of(poison[0]) << args[1])
        }
        Op::Shr {
            width,
            signed: false,
        } if poison[1] == 0 && args[1] < u64::from(width) => {
            bytes_of(bits_of(poison[0]) >> args[1])
        }
        Op::Prmt(Permute::Index) if poison[2] == 0 => permuted(poison, args[2]),
        _ => any,
    }
}

/// Whether `comparison logic c` does not depend on the comparison.
fn decides(logic: Logic, c: bool) -> bool {
    match logic {
        Logic::And => !c,
        Logic::Or => c,
        Logic::Xor => false,
    }
}

/// `and` (with `absorbing` 0) or `or` (all ones): a defined absorbing byte decides.
fn and_poison(poison: &[u8], args: &[u64], absorbing: u64) -> u8 {
    let absorbs = |i: usize| !bytes_of(args[i] ^ absorbing) & !poison[i];
    (poison[0] & !absorbs(1)) | (poison[1] & !absorbs(0))
}

fn extended(poison: u8, from: u8, signed: bool) -> u8 {
    let used = byte_mask(from);
    let top = 1 << (from.div_ceil(8).max(1) - 1);
    let copies = if signed && poison & top != 0 {
        !used
    } else {
        0
    };
    (poison & used) | copies
}

/// `prmt`: each selector names a byte of {b, a}.
fn permuted(poison: &[u8], selectors: u64) -> u8 {
    let bytes = (poison[0] & 0xf) | (poison[1] & 0xf) << 4;
    (0..4).fold(0, |m, i| m | (bytes >> (selectors >> (4 * i) & 7) & 1) << i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_ir::op::Comparison;
    use ptxasw_ir::types::Type;

    #[test]
    fn poison_goes_with_the_bytes() {
        let of = |op, poison: &[u8], args: &[u64]| poison_of(&op, 0, poison, args);
        assert_eq!(
            of(Op::And { width: 32 }, &[0b0110, 0], &[0, 0xff00]),
            0b0010
        );
        assert_eq!(of(Op::Or { width: 32 }, &[0b0011, 0], &[0, 0xff]), 0b0010);
        assert_eq!(
            of(
                Op::Shr {
                    width: 32,
                    signed: false
                },
                &[0b1000, 0],
                &[0, 20]
            ),
            0b0011
        );
        assert_eq!(of(Op::Add { width: 32 }, &[1, 0], &[0, 0]), 0xff);
        let compare = |logic| Op::Compare {
            comparison: Comparison::Ne,
            ty: Type::S32,
            logic: Some(logic),
            ftz: false,
        };
        assert_eq!(of(compare(Logic::Or), &[15, 0, 0], &[0, 1, 1]), 0);
        assert_eq!(of(compare(Logic::Or), &[15, 0, 0], &[0, 1, 0]), 0xff);
        assert_eq!(of(compare(Logic::And), &[15, 0, 0], &[0, 1, 0]), 0);
        assert_eq!(of(compare(Logic::Xor), &[15, 0, 0], &[0, 1, 1]), 0xff);
        assert_eq!(of(compare(Logic::Or), &[0, 0, 1], &[0, 0, 1]), 0xff);
        let select = Op::Select { width: 32 };
        assert_eq!(of(select, &[0, 3, 0], &[0, 0, 1]), 0);
        assert_eq!(of(select, &[0, 3, 0], &[0, 0, 0]), 3);
        let pack = Op::Pack {
            parts: 2,
            width: 32,
        };
        assert_eq!(of(pack, &[0, 0b1111], &[0, 0]), 0b1111_0000);
        let unpack = Op::Unpack {
            parts: 2,
            width: 32,
        };
        assert_eq!(poison_of(&unpack, 1, &[0b0001_0000], &[0]), 1);
        assert_eq!(extended(0b10, 16, true), 0xfe);
        assert_eq!(permuted(&[0b0001, 0b0010], 0x5432), 0b1000);
    }
}
