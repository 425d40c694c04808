//! Where points are, among the instructions of a block.

use super::error::PatchError;
use super::{CloneId, Point};
use crate::function::{BlockId, Function, Inst, InstId, Value};
use crate::opcode::Opcode;
use std::ops::Range;

/// A copy of the code: none for the original.
pub type Copied = Option<CloneId>;

/// A block and the index of an instruction in it, or the number of its instructions.
pub type Position = (BlockId, usize);

/// Positions of instructions, by number.
pub struct Positions<'a> {
    function: &'a Function,
    of: Vec<usize>,
}

impl<'a> Positions<'a> {
    /// Looks at all blocks once.
    pub fn new(function: &'a Function) -> Self {
        let mut of = vec![0; function.insts.len()];
        for block in &function.blocks {
            for (index, id) in block.insts.iter().enumerate() {
                of[id.index()] = index;
            }
        }
        Positions { function, of }
    }

    /// The index of an instruction in its block.
    pub fn index(&self, id: InstId) -> usize {
        self.of[id.index()]
    }

    /// The instructions of a statement: those beside this one with its origin.
    ///
    /// # Errors
    /// There is no such instruction.
    pub fn statement(&self, id: InstId) -> Result<&'a [InstId], PatchError> {
        let function = self.function;
        if id.index() >= function.insts.len() {
            return Err(PatchError::Unknown(id.to_string()));
        }
        let (inst, at) = (function.inst(id), self.of[id.index()]);
        let insts = &function.block(inst.block).insts;
        let own = |id: &&InstId| function.inst(**id).origin == inst.origin;
        let before = insts[..at].iter().rev().take_while(own).count();
        let after = insts[at..].iter().take_while(own).count();
        Ok(&insts[Range {
            start: at - before,
            end: at + after,
        }])
    }

    /// Where a point is.
    ///
    /// # Errors
    /// There is no such instruction or block, or the point is inside a statement.
    pub fn of(&self, point: Point) -> Result<Position, PatchError> {
        let function = self.function;
        let inst = |id: InstId| match id.index() < function.insts.len() {
            true => Ok((function.inst(id).block, self.of[id.index()])),
            false => Err(PatchError::Unknown(id.to_string())),
        };
        let position = match point {
            Point::Before(id) => inst(id)?,
            Point::After(id) => {
                let (block, index) = inst(id)?;
                (block, index + 1)
            }
            Point::Start(block) => (block, 0),
            Point::End(block) => {
                let found = function.blocks.get(block.index());
                (block, found.map_or(0, |block| block.insts.len()))
            }
        };
        let (block, index) = position;
        let insts = match function.blocks.get(block.index()) {
            Some(block) => &block.insts,
            None => return Err(PatchError::Unknown(block.to_string())),
        };
        let origin = |index: usize| insts.get(index).map(|&id| function.inst(id).origin);
        let before = index.checked_sub(1).and_then(origin);
        match before.is_some() && before == origin(index) {
            true => Err(PatchError::InsideStatement(point)),
            false => Ok(position),
        }
    }
}

/// The elements of a load as its statement leaves them: extended to their registers, and under a guard selected against what
/// those held.
pub fn completed_elements(function: &Function, load: InstId) -> Vec<Value> {
    let inst = function.inst(load);
    let insts = &function.block(inst.block).insts;
    let first = insts.partition_point(|&id| function.inst(id).origin < inst.origin);
    let statement = insts[first..].iter().map(|&id| function.inst(id));
    let statement: Vec<&Inst> = statement
        .take_while(|one| one.origin == inst.origin)
        .collect();
    let completed = |mut value: Value| {
        for one in &statement {
            if let (Opcode::Op(_), true, [result]) =
                (&one.opcode, one.args.contains(&value), &one.results[..])
            {
                value = *result;
            }
        }
        value
    };
    inst.results.iter().map(|&value| completed(value)).collect()
}
