//! Comparison and selection (PTX ISA, "Comparison and Selection Instructions").

use super::modifiers::Spelling;
use super::shape::{Plain, Results, Shape, Types, op};
use ptxasw_ir::op::{Comparison, Logic, Op};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::{Kind, Type};

/// A comparison's word, and whether it compares as unsigned whatever the type says (`.lo`, `.ls`, `.hi`, `.hs`).
const COMPARISONS: &[(&str, (Comparison, bool))] = &[
    ("eq", (Comparison::Eq, false)),
    ("ne", (Comparison::Ne, false)),
    ("lt", (Comparison::Lt, false)),
    ("le", (Comparison::Le, false)),
    ("gt", (Comparison::Gt, false)),
    ("ge", (Comparison::Ge, false)),
    ("lo", (Comparison::Lt, true)),
    ("ls", (Comparison::Le, true)),
    ("hi", (Comparison::Gt, true)),
    ("hs", (Comparison::Ge, true)),
    ("equ", (Comparison::EqU, false)),
    ("neu", (Comparison::NeU, false)),
    ("ltu", (Comparison::LtU, false)),
    ("leu", (Comparison::LeU, false)),
    ("gtu", (Comparison::GtU, false)),
    ("geu", (Comparison::GeU, false)),
    ("num", (Comparison::Num, false)),
    ("nan", (Comparison::Nan, false)),
];

/// What `setp` and `set` have in common: comparison, boolean operation, `.ftz`.
fn comparison(s: &mut Spelling) -> Option<(Comparison, bool, Option<Logic>, bool)> {
    let (comparison, unsigned) = s.choose(COMPARISONS)?;
    let logic = s.choose(&[("and", Logic::And), ("or", Logic::Or), ("xor", Logic::Xor)]);
    let ftz = s.take("ftz");
    Some((comparison, unsigned, logic, ftz))
}

/// The type of the compared operands, if that comparison exists for it.
fn compared(s: &mut Spelling, comparison: Comparison, unsigned: bool) -> Option<Type> {
    use Comparison::*;
    let ty = s.ty()?;
    let ordered = !matches!(comparison, Eq | Ne);
    let legal = match ty.kind {
        Kind::Bits => !ordered && matches!(ty.bits, 16 | 32 | 64),
        Kind::Unsigned | Kind::Signed => {
            ty.bits >= 16 && matches!(comparison, Eq | Ne | Lt | Le | Gt | Ge)
        }
        _ => ty.float() && !unsigned,
    };
    if !legal {
        return None;
    }
    Some(match unsigned {
        true => Type::new(Kind::Unsigned, ty.bits),
        false => ty,
    })
}

fn sources(ty: Type, logic: Option<Logic>) -> Types {
    let mut sources = Types::from_slice(&[ty, ty]);
    sources.extend(logic.map(|_| Type::PRED));
    sources
}

/// `setp`
pub(super) fn setp(s: &mut Spelling) -> Option<Shape> {
    let (comparison, unsigned, logic, ftz) = comparison(s)?;
    let ty = compared(s, comparison, unsigned)?;
    let operation = Op::Compare {
        comparison,
        ty,
        logic,
        ftz,
    };
    let plain = Plain::new(Opcode::Op(operation), &sources(ty, logic));
    Some(plain.results(Results::Two).into())
}

/// `set`
pub(super) fn set(s: &mut Spelling) -> Option<Shape> {
    let (comparison, unsigned, logic, ftz) = comparison(s)?;
    let to = s.ty()?;
    let ty = compared(s, comparison, unsigned)?;
    let operation = Op::Set {
        comparison,
        ty,
        to,
        logic,
        ftz,
    };
    op(operation, &sources(ty, logic))
}

/// A type that `selp` and `slct` take.
fn selectable(s: &mut Spelling) -> Option<Type> {
    s.ty().filter(|t| {
        matches!(
            t.kind,
            Kind::Bits | Kind::Unsigned | Kind::Signed | Kind::Float
        ) && matches!(t.bits, 16 | 32 | 64)
    })
}

/// `selp`
pub(super) fn selp(s: &mut Spelling) -> Option<Shape> {
    let ty = selectable(s)?;
    op(Op::Select { width: ty.bits }, &[ty, ty, Type::PRED])
}

/// `slct`
pub(super) fn slct(s: &mut Spelling) -> Option<Shape> {
    let (ty, by) = (selectable(s)?, s.ty()?);
    let ftz = s.take("ftz");
    if by != Type::S32 && by != Type::F32 {
        return None;
    }
    let operation = Op::SelectSign {
        width: ty.bits,
        float: by == Type::F32,
        ftz,
    };
    op(operation, &[ty, ty, by])
}
