//! The operations of terms as SMT-LIB expressions over named operands.

use crate::term::{Binary, Unary};

/// A bit-vector literal.
pub(super) fn literal(width: u8, bits: u64) -> String {
    if width.is_multiple_of(4) {
        format!("#x{bits:0digits$x}", digits = usize::from(width) / 4)
    } else {
        format!("#b{bits:0digits$b}", digits = usize::from(width))
    }
}

/// Nested applications of a binary function.
pub(super) fn fold(function: &str, operands: impl IntoIterator<Item = String>) -> Option<String> {
    operands
        .into_iter()
        .reduce(|left, right| format!("({function} {left} {right})"))
}

/// `coefficient * atom`.
pub(super) fn multiple(width: u8, coefficient: u64, atom: &str) -> String {
    if coefficient == 1 {
        atom.to_owned()
    } else if coefficient == u64::MAX >> (64 - u32::from(width)) {
        format!("(bvneg {atom})")
    } else {
        format!("(bvmul {} {atom})", literal(width, coefficient))
    }
}

/// An operation on `a` of `from` bits with a result of `width` bits.
pub(super) fn unary(op: Unary, width: u8, from: u8, a: &str) -> String {
    let bit = |position: u8| format!("((_ extract {position} {position}) {a})");
    match op {
        Unary::Not => format!("(bvnot {a})"),
        Unary::Zext => format!("((_ zero_extend {}) {a})", width - from),
        Unary::Sext => format!("((_ sign_extend {}) {a})", width - from),
        Unary::Extract(low) => format!("((_ extract {} {low}) {a})", low + width - 1),
        Unary::Popc => {
            let bits = (0..from)
                .map(|position| format!("((_ zero_extend {}) {})", width - 1, bit(position)));
            fold("bvadd", bits).unwrap_or_default()
        }
        // From the lowest bit up, so that the highest one decides first.
        Unary::Clz => (0..from).fold(literal(width, u64::from(from)), |below, position| {
            let zeros = literal(width, u64::from(from - 1 - position));
            format!("(ite (= {} #b1) {zeros} {below})", bit(position))
        }),
        Unary::Brev => fold("concat", (0..from).map(bit)).unwrap_or_default(),
    }
}

/// An operation on two operands of `width` bits. SMT-LIB's division is ours but for `bvsdiv` by zero.
pub(super) fn binary(op: Binary, width: u8, a: &str, b: &str) -> String {
    let function = match op {
        Binary::And => "bvand",
        Binary::Or => "bvor",
        Binary::Xor => "bvxor",
        Binary::Shl => "bvshl",
        Binary::Lshr => "bvlshr",
        Binary::Ashr => "bvashr",
        Binary::UDiv => "bvudiv",
        Binary::URem => "bvurem",
        Binary::SRem => "bvsrem",
        Binary::SDiv => {
            let (zero, ones) = (
                literal(width, 0),
                literal(width, u64::MAX >> (64 - u32::from(width))),
            );
            return format!("(ite (= {b} {zero}) {ones} (bvsdiv {a} {b}))");
        }
        Binary::UMulHigh => return high_half("zero_extend", width, a, b),
        Binary::SMulHigh => return high_half("sign_extend", width, a, b),
        Binary::Equal => return truth("=", a, b),
        Binary::ULess => return truth("bvult", a, b),
        Binary::SLess => return truth("bvslt", a, b),
    };
    format!("({function} {a} {b})")
}

fn truth(relation: &str, a: &str, b: &str) -> String {
    format!("(ite ({relation} {a} {b}) #b1 #b0)")
}

fn high_half(extension: &str, width: u8, a: &str, b: &str) -> String {
    let (top, bottom) = (2 * u16::from(width) - 1, width);
    format!(
        "((_ extract {top} {bottom}) (bvmul ((_ {extension} {width}) {a}) ((_ {extension} {width}) {b})))"
    )
}
