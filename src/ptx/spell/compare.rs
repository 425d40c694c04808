//! Comparison and selection (PTX ISA, "Comparison and Selection Instructions").

use super::spelled::{Form, Spelled};
use super::words::{bits, dotted, logic, name, when};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::op::{Comparison, Op};
use ptxasw_ir::types::{Kind, Type};

/// Operations of this file.
pub(super) fn spell(op: &Op) -> Option<Spelled> {
    Some(match *op {
        Op::Compare {
            comparison,
            ty,
            logic: combined,
            ftz,
        } => {
            let form = form(ty);
            let (comparison, ty) = (word(comparison), compared(comparison, ty)?);
            let opcode = dotted(["setp", comparison, logic(combined), when(ftz, "ftz"), ty]);
            Spelled::of(opcode, form)
        }
        Op::Set {
            comparison,
            ty,
            to,
            logic: combined,
            ftz,
        } => {
            let (comparison, ty) = (word(comparison), compared(comparison, ty)?);
            let (combined, ftz) = (logic(combined), when(ftz, "ftz"));
            Spelled::plain(dotted(["set", comparison, combined, ftz, name(to)?, ty]))
        }
        Op::Select { width } => Spelled::plain(dotted(["selp", bits(width)?])),
        Op::SelectSign { width, float, ftz } => {
            let by = if float { "f32" } else { "s32" };
            Spelled::plain(dotted(["slct", when(ftz, "ftz"), bits(width)?, by]))
        }
        _ => return None,
    })
}

/// How `setp` names its results: ptxas takes no second one of scalars of half precision.
fn form(ty: Type) -> Form {
    match (ty.kind, ty.bits) {
        (Kind::Float, 16) | (Kind::BFloat, _) => Form::Predicate,
        _ => Form::Predicates,
    }
}

/// The name of a type, if there is such a comparison for it: bits have no order, and integers are never NaN.
fn compared(comparison: Comparison, ty: Type) -> Option<&'static str> {
    use Comparison::{Eq, Ge, Gt, Le, Lt, Ne};
    let exists = match ty.kind {
        Kind::Bits => matches!(comparison, Eq | Ne) && matches!(ty.bits, 16 | 32 | 64),
        Kind::Unsigned | Kind::Signed => {
            matches!(comparison, Eq | Ne | Lt | Le | Gt | Ge) && ty.bits >= 16
        }
        _ => ty.float(),
    };
    name(ty).filter(|_| exists)
}

/// The word of a comparison. `lo`, `ls`, `hi` and `hs` are other names for those of unsigned types.
fn word(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Eq => "eq",
        Comparison::Ne => "ne",
        Comparison::Lt if active(Mutation::BoundIncluded) => "le",
        Comparison::LtU if active(Mutation::UnorderedLost) => "lt",
        Comparison::Lt => "lt",
        Comparison::Le => "le",
        Comparison::Gt => "gt",
        Comparison::Ge => "ge",
        Comparison::EqU => "equ",
        Comparison::NeU => "neu",
        Comparison::LtU => "ltu",
        Comparison::LeU => "leu",
        Comparison::GtU => "gtu",
        Comparison::GeU => "geu",
        Comparison::Num => "num",
        Comparison::Nan => "nan",
    }
}
