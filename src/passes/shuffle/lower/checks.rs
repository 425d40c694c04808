//! Checks at run time, as predicates.

use super::code::{Code, word};
use crate::shuffle::plan::Check;
use ptxasw_ir::op::Comparison;
use ptxasw_ir::patch::Ref;
use ptxasw_ir::types::{Kind, Type};

/// Bits of a word's sign.
const SIGN: u32 = 1 << 31;

/// The predicate that holds where `held` (if any) and all checks hold; none if there is nothing to hold.
pub(super) fn hold(checks: &[Check], held: Option<Ref>, code: &mut Code) -> Option<Ref> {
    checks
        .iter()
        .fold(held, |held, check| Some(holds(check, held, code)))
}

fn holds(check: &Check, held: Option<Ref>, code: &mut Code) -> Ref {
    let width = if check.width == 64 { 64 } else { 32 };
    let ones = u64::MAX >> (64 - width);
    let constant = |bits: u64| Ref::Constant(width, bits & ones);
    let (value, minus) = check.values;
    let value = match minus {
        Some(minus) => code.sub(width, value.into(), minus.into()),
        None => value.into(),
    };
    let bits = Type::new(Kind::Signed, width);
    if check.limit == 0 {
        // One value passes: no sum is needed.
        let passes = constant(check.offset.wrapping_neg());
        return code.compare(Comparison::Eq, bits, (value, passes), held);
    }
    if check.limit == ones - 1 {
        // One value does not pass.
        let fails = constant(u64::MAX - check.offset);
        return code.compare(Comparison::Ne, bits, (value, fails), held);
    }
    let sum = match check.offset & ones {
        0 => value,
        offset => code.add(width, value, constant(offset)),
    };
    let unsigned = Type::new(Kind::Unsigned, width);
    let limit = constant(check.limit.min(ones));
    code.compare(Comparison::Le, unsigned, (sum, limit), held)
}

/// A word that is this number where all bits of `mask` are set and a word is not negative: the assembler makes one instruction of the
/// two tests.
pub(super) fn mask_and_sign(mask: Ref, checked: &Check, code: &mut Code) -> (Ref, u32) {
    let negative = code.and(32, checked.values.0.into(), word(SIGN));
    let absent = code.not(32, mask);
    (code.or(32, absent, negative), 0)
}
