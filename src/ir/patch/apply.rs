//! The function that a patch makes of another, and whether it makes one.

use super::emit::Emitter;
use super::{CloneId, NewValue, Patch, Point};
use crate::ir::cfg::Cfg;
use crate::ir::dominators::DominatorTree;
use crate::ir::function::{BlockId, Function, InstId, Value, ValueDef};
use crate::ir::opcode::Opcode;
use crate::ir::prune::prune_parameters;
use crate::ir::verify::{self, Violation};
use rustc_hash::FxHashMap;

/// Why a patch makes no function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// It names something that the function does not have.
    #[error("there is no {0}")]
    Unknown(String),
    /// A place in the middle of a statement, which no text has.
    #[error("{0:?} is in the middle of a statement")]
    InsideStatement(Point),
    /// It defines something twice.
    #[error("{0} is defined twice")]
    Twice(String),
    /// A copy of a region does not contain the instruction or the place.
    #[error("clone {0:?} does not contain {1}")]
    NotCloned(CloneId, String),
    /// An instruction with an effect is removed, or moved.
    #[error("{0} has an effect: it can't be removed")]
    Effect(InstId),
    /// A removed instruction's value is still read.
    #[error("{0} is removed and still read")]
    StillRead(Value),
    /// A value is redirected to one that is not there where it is defined.
    #[error("{0} is read in place of a value that is defined where it is not there")]
    NotThere(Value),
    /// Values are redirected to each other in a ring.
    #[error("{0} is redirected to itself")]
    Ring(Value),
    /// An amendment that does not fit the instruction.
    #[error("{0} can't be amended so")]
    Amend(InstId),
    /// The function that it makes is not well formed.
    #[error("the patched function is not well formed: {0}")]
    Violation(Violation),
}

/// A changed function, and what became of values.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The function.
    pub function: Function,
    /// What the instructions of the old function give, in each copy of the code.
    pub values: FxHashMap<(Option<CloneId>, Value), Value>,
    /// The results of steps.
    pub new: FxHashMap<NewValue, Value>,
    /// What is read in place of values, each with the place at which the value was defined.
    pub(super) redirected: Vec<(Value, Position)>,
}

/// A patch that makes a well-formed function of the one that it is for. Back ends take nothing else.
#[derive(Clone, Debug)]
pub struct Verified<'a> {
    patch: &'a Patch,
    /// The function that it makes.
    pub applied: Applied,
}

impl<'a> Verified<'a> {
    /// The patch.
    pub fn patch(&self) -> &'a Patch {
        self.patch
    }
}

/// Applies a patch.
///
/// # Errors
/// The patch does not fit the function. Whether the result is well formed is for [`verify`](fn@verify) to tell.
pub fn apply(function: &Function, patch: &Patch) -> Result<Applied, PatchError> {
    check(function, patch)?;
    let mut applied = Emitter::new(function, patch)?.run()?;
    let renaming = prune_parameters(&mut applied.function);
    let redirected = applied.redirected.iter_mut().map(|(value, _)| value);
    let named = applied.values.values_mut().chain(applied.new.values_mut());
    for value in named.chain(redirected) {
        *value = renaming.new[value.index()];
    }
    Ok(applied)
}

/// Applies a patch and checks what comes out.
///
/// # Errors
/// As [`apply`], or the changed function is not well formed: something is read where it is not there, say.
pub fn verify<'a>(function: &Function, patch: &'a Patch) -> Result<Verified<'a>, PatchError> {
    let applied = apply(function, patch)?;
    match verify::verify(&applied.function).into_iter().next() {
        Some(violation) => return Err(PatchError::Violation(violation)),
        None => there(&applied)?,
    }
    Ok(Verified { patch, applied })
}

/// That what is read in place of a value is there where the value was defined: the text defines it there.
fn there(applied: &Applied) -> Result<(), PatchError> {
    let function = &applied.function;
    if applied.redirected.is_empty() {
        return Ok(());
    }
    let dominators = DominatorTree::dominators(&Cfg::new(function));
    for &(value, (block, behind)) in &applied.redirected {
        let (home, index) = match function.value(value).def {
            ValueDef::Result(id, _) => {
                let home = function.inst(id).block;
                let insts = &function.block(home).insts;
                (
                    home,
                    insts
                        .iter()
                        .position(|&one| one == id)
                        .map_or(0, |at| at + 1),
                )
            }
            ValueDef::Parameter(home, _) => (home, 0),
            _ => continue,
        };
        let holds = match home == block {
            true => index <= behind,
            false => dominators.dominates(home, block),
        };
        if !holds {
            return Err(PatchError::NotThere(value));
        }
    }
    Ok(())
}

/// That the patch speaks of what is there.
fn check(function: &Function, patch: &Patch) -> Result<(), PatchError> {
    let inst = |id: InstId| match id.index() < function.insts.len() {
        true => Ok(function.inst(id)),
        false => Err(PatchError::Unknown(id.to_string())),
    };
    for removal in &patch.remove {
        let pure = matches!(
            inst(removal.inst)?.opcode,
            Opcode::Op(_) | Opcode::Load(_) | Opcode::Nop
        );
        if !pure {
            return Err(PatchError::Effect(removal.inst));
        }
    }
    for relocation in &patch.relocate {
        let pure = matches!(
            inst(relocation.inst)?.opcode,
            Opcode::Op(_) | Opcode::Load(_)
        );
        if !pure {
            return Err(PatchError::Effect(relocation.inst));
        }
    }
    for amendment in &patch.amend {
        inst(amendment.inst)?;
    }
    for redirect in &patch.redirect {
        if redirect.value.index() >= function.values.len() {
            return Err(PatchError::Unknown(redirect.value.to_string()));
        }
    }
    Ok(())
}

/// A block and the index of an instruction in it, or the number of its instructions.
pub(super) type Position = (BlockId, usize);

/// Positions of instructions, by number.
pub(super) struct Positions<'a> {
    function: &'a Function,
    of: Vec<usize>,
}

impl<'a> Positions<'a> {
    pub(super) fn new(function: &'a Function) -> Self {
        let mut of = vec![0; function.insts.len()];
        for block in &function.blocks {
            for (index, id) in block.insts.iter().enumerate() {
                of[id.index()] = index;
            }
        }
        Positions { function, of }
    }

    /// Where a point is.
    pub(super) fn of(&self, point: Point) -> Result<Position, PatchError> {
        let function = self.function;
        let inst = |id: InstId| match id.index() < function.insts.len() {
            true => Ok((function.inst(id).block, self.of[id.index()])),
            false => Err(PatchError::Unknown(id.to_string())),
        };
        let position = match point {
            Point::Before(id) => inst(id)?,
            Point::Behind(id) => {
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
