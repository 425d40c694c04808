//! Tests of the integer and bit operations against Rust's own integers and the PTX ISA's texts, and of all operations
//! against their widths.

mod arithmetic;
mod bits;
mod checked;
mod data;
mod ops;

use self::checked::{Bits, Checked};
use super::concrete::cut;
use super::{Concrete, apply, fold, operand_widths, result_widths};
use crate::op::Op;
use proptest::prelude::*;

/// Operands: any bits, small numbers, and the edges of the ranges.
fn operand() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => any::<u64>(),
        2 => 0..70u64,
        1 => (0..70u64).prop_map(|x| x.wrapping_neg()),
        1 => (0..64u32, -2..3i64).prop_map(|(bit, x)| (1u64 << bit).wrapping_add(x as u64)),
        1 => (0..256u64, 0..256u64).prop_map(|(low, high)| high << 32 | low),
    ]
}

/// Runs an operation with operands cut to their widths: on plain bits, and in the domain that checks widths and does not
/// know constants. Both must agree, and have results of the widths that [`result_widths`] lists.
fn run(op: &Op, operands: &[u64]) -> Vec<u64> {
    let widths = operand_widths(op);
    assert!(widths.len() <= operands.len(), "operands of {op:?}");
    let args: Vec<Bits> = widths
        .iter()
        .zip(operands)
        .map(|(&width, &bits)| Bits {
            width,
            bits: cut(width, bits),
        })
        .collect();
    let checked = apply(&mut Checked, op, &args);
    let result_widths_found: Vec<u8> = checked.iter().map(|value| value.width).collect();
    assert_eq!(result_widths_found[..], result_widths(op)[..], "{op:?}");
    let plain: Vec<u64> = args.iter().map(|value| value.bits).collect();
    let folded = fold(op, &plain);
    let checked: Vec<u64> = checked.iter().map(|value| value.bits).collect();
    assert_eq!(checked[..], folded[..], "{op:?} of {plain:x?}");
    checked
}

/// The first result.
fn one(op: Op, operands: &[u64]) -> u64 {
    run(&op, operands)[0]
}

/// The two's complement value of the lower `width` bits.
fn signed(width: u8, bits: u64) -> i128 {
    let value = i128::from(cut(width, bits));
    if value >> (width - 1) & 1 == 1 {
        value - (1 << width)
    } else {
        value
    }
}

/// The value of the lower `width` bits.
fn number(width: u8, is_signed: bool, bits: u64) -> i128 {
    if is_signed {
        signed(width, bits)
    } else {
        i128::from(cut(width, bits))
    }
}

/// `value` modulo 2^width.
fn wrap(width: u8, value: i128) -> u64 {
    cut(width, value as u64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every operation takes operands and gives results of the widths it declares, and the paths for constant and for
    /// unknown operands agree.
    #[test]
    fn widths_of_every_operation(operands in proptest::collection::vec(operand(), 8)) {
        for op in ops::all() {
            run(&op, &operands);
        }
    }
}

#[test]
fn plain_bits_know_their_constants() {
    use super::Domain;
    assert_eq!(Concrete.as_constant(&7), Some(7));
}
