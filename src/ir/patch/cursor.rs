//! Patches are written as one writes code: at a place, one instruction after the other.

use super::{Insertion, Location, Merged, NewResult, NewValue, Patch, Ref, Step};
use crate::op::{Comparison, Op};
use crate::opcode::{Access, Opcode};
use crate::semantics::result_widths;
use crate::types::{Kind, Type};

/// Writes steps at one place of a patch; they are in the patch once the cursor is [`done`](Cursor::done).
pub struct Cursor<'a> {
    next: &'a mut u32,
    origin: u32,
    steps: Vec<Step>,
}

impl<'a> Cursor<'a> {
    /// A cursor whose steps take the place of the statement `origin`. `next` is the number of the next new value: one counter serves
    /// all cursors of a patch.
    pub fn new(next: &'a mut u32, origin: u32) -> Self {
        Cursor {
            next,
            origin,
            steps: Vec::new(),
        }
    }

    /// A cursor that goes on after steps that another one wrote at the same point.
    pub fn after(next: &'a mut u32, origin: u32, steps: Vec<Step>) -> Self {
        Cursor {
            next,
            origin,
            steps,
        }
    }

    /// The steps that are written, for one that goes on.
    pub fn steps(self) -> Vec<Step> {
        self.steps
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    fn fresh(&mut self, width: u8) -> NewResult {
        let value = NewValue(*self.next);
        *self.next += 1;
        NewResult { value, width }
    }

    /// A pure operation; its results in their order.
    pub fn op(&mut self, op: Op, args: &[Ref]) -> Vec<NewValue> {
        let widths = result_widths(&op);
        self.inst(Opcode::Op(op), args, &widths, None)
    }

    /// A pure operation with one result.
    ///
    /// # Panics
    /// The operation has none: there is no such [`Op`].
    pub fn single(&mut self, op: Op, args: &[Ref]) -> Ref {
        Ref::New(self.op(op, args)[0])
    }

    /// Whether two values of so many bits are the same.
    pub fn equal(&mut self, width: u8, one: Ref, other: Ref) -> Ref {
        let equal = Op::Compare {
            comparison: Comparison::Eq,
            ty: Type::new(Kind::Bits, width),
            logic: None,
            ftz: false,
        };
        self.single(equal, &[one, other])
    }

    /// A load whose one result has `width` bits. Hints make no difference to the value, so it has none.
    pub fn load(&mut self, access: Access, address: Ref, width: u8) -> Ref {
        let opcode = Opcode::Load(Access {
            hints: false,
            ..access
        });
        Ref::New(self.inst(opcode, &[address], &[width], None)[0])
    }

    /// Any instruction, its results of these widths.
    pub fn inst(
        &mut self,
        opcode: Opcode,
        args: &[Ref],
        widths: &[u8],
        guard: Option<(Ref, bool)>,
    ) -> Vec<NewValue> {
        let results: Vec<NewResult> = widths.iter().map(|&width| self.fresh(width)).collect();
        let values = results.iter().map(|result| result.value).collect();
        self.steps.push(Step::Inst {
            opcode,
            args: args.to_vec(),
            results,
            guard,
            origin: self.origin,
            keep: false,
        });
        values
    }

    /// A decision with one result of `width` bits: what either side hands over.
    pub fn either(
        &mut self,
        condition: Ref,
        width: u8,
        then: impl FnOnce(&mut Cursor) -> Ref,
        otherwise: impl FnOnce(&mut Cursor) -> Ref,
    ) -> Ref {
        let (then, then_value) = self.side(then);
        let (otherwise, otherwise_value) = self.side(otherwise);
        let result = self.fresh(width);
        self.steps.push(Step::If {
            condition,
            then,
            otherwise,
            results: vec![Merged {
                result,
                then: then_value,
                otherwise: otherwise_value,
            }],
            origin: self.origin,
        });
        Ref::New(result.value)
    }

    fn side(&mut self, write: impl FnOnce(&mut Cursor) -> Ref) -> (Vec<Step>, Ref) {
        let mut cursor = Cursor::new(self.next, self.origin);
        let value = write(&mut cursor);
        (cursor.steps, value)
    }

    /// Puts the steps into a patch.
    pub fn done(self, patch: &mut Patch, at: impl Into<Location>) {
        patch.insert.push(Insertion {
            at: at.into(),
            steps: self.steps,
        });
    }
}
