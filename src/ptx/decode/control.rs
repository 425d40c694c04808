//! Control flow (PTX ISA, "Control Flow Instructions") and `mov`.

use super::modifiers::Spelling;
use super::shape::Shape;
use ptxasw_ir::types::Kind;

/// `bra`, `brx.idx`
pub(super) fn branch(s: &mut Spelling) -> Option<Shape> {
    let uniform = s.take("uni");
    if s.base == "bra" {
        return Some(Shape::Branch { uniform });
    }
    s.take("idx").then_some(Shape::BranchIndexed { uniform })
}

/// `call`, `ret`: `.uni` makes no difference.
pub(super) fn uniform(s: &mut Spelling, shape: Shape) -> Option<Shape> {
    s.take("uni");
    Some(shape)
}

/// `mov`
pub(super) fn mov(s: &mut Spelling) -> Option<Shape> {
    s.ty()
        .filter(|t| t.kind != Kind::Other && t.bits != 8)
        .map(Shape::Move)
}
