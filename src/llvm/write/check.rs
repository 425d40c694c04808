//! Whether LLVM can have all that a patch asks for; nothing is changed before that is known.

use super::builder::Builder;
use super::error::{Unwritable, WriteError};
use super::guarded::GuardedLoad;
use super::instruction::{is_kept, is_writable};
use super::sites::{Sites, register};
use crate::view::{Val, View};
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::llvm_sys::LLVMTypeKind::LLVMTokenTypeKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use ptxasw_ir::cfg::Cfg;
use ptxasw_ir::dominators::DominatorTree;
use ptxasw_ir::function::{BlockId, InstId, Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Amend, Copied, Patch, Point, Position, Ref, RegionClone, Step};
use ptxasw_ir::semantics::{apply, operand_widths, result_widths};
use ptxasw_ir::types::{Kind, Type};
use rustc_hash::FxHashSet;
use std::ffi::c_uint;

/// A redirected scalar of an LLVM value: in which copy, where, and what is read instead.
pub(super) struct Redirected<'m> {
    pub copied: Copied,
    pub at: Position,
    pub holder: Val<'m>,
    pub scalar: u32,
    pub to: Ref,
    /// The statement itself is removed.
    pub goes: bool,
}

/// What a patch comes to in LLVM's terms.
pub(super) struct Outline<'m> {
    pub redirects: Vec<Redirected<'m>>,
    /// Loads that fewer threads execute.
    pub guards: Vec<GuardedLoad<'m>>,
    /// Statements that go.
    pub removed: FxHashSet<(Copied, Val<'m>)>,
    /// Statements that move, and where to.
    pub moved: Vec<(Copied, Val<'m>, Position)>,
    /// LLVM values that steps read.
    pub read: Vec<Val<'m>>,
}

/// Looks at all parts of a patch.
pub(super) fn check<'m>(
    view: View<'m>,
    sites: &Sites<'_, 'm>,
    patch: &Patch,
    ftz: bool,
) -> Result<Outline<'m>, WriteError> {
    let mut checker = Checker::new(sites, patch);
    checker.steps()?;
    checker.removals()?;
    checker.redirects()?;
    checker.guards()?;
    checker.relocations()?;
    checker.amendments()?;
    checker.still_used()?;
    for clone in &patch.clones {
        checker.region(clone)?;
    }
    let mut ops: Vec<Op> = checker.ops.into_iter().collect();
    // The same one is named in every run.
    ops.sort_unstable_by_key(|op| format!("{op:?}"));
    match unsupported(view.raw(), ftz, &ops) {
        Some(op) => Err(WriteError::Unwritable(Unwritable::Op(op))),
        None => Ok(checker.outline),
    }
}

/// That a region can be cloned.
pub(super) fn clonable(sites: &Sites, clone: &RegionClone) -> Result<(), WriteError> {
    Checker::new(sites, &Patch::default()).region(clone)
}

struct Checker<'a, 'm> {
    sites: &'a Sites<'a, 'm>,
    patch: &'a Patch,
    ops: FxHashSet<Op>,
    outline: Outline<'m>,
}

impl<'a, 'm> Checker<'a, 'm> {
    fn new(sites: &'a Sites<'a, 'm>, patch: &'a Patch) -> Self {
        Checker {
            sites,
            patch,
            ops: FxHashSet::default(),
            outline: Outline {
                redirects: Vec::new(),
                guards: Vec::new(),
                removed: FxHashSet::default(),
                moved: Vec::new(),
                read: Vec::new(),
            },
        }
    }

    /// Code that is inserted, conditions, and what variables are set to.
    fn steps(&mut self) -> Result<(), WriteError> {
        let patch = self.patch;
        for insertion in &patch.insert {
            self.place(self.sites.positions.of(insertion.at.point)?)?;
            for step in &insertion.steps {
                self.step(step)?;
            }
        }
        for &(at, value) in patch.variables.iter().flat_map(|variable| &variable.sets) {
            self.place(self.sites.positions.of(at.point)?)?;
            self.reads(&[value])?;
        }
        for clone in &patch.clones {
            self.place(self.sites.positions.of(clone.enter)?)?;
            self.reads(clone.asked().as_slice())?;
            for exit in &clone.exits {
                self.place(self.sites.positions.of(exit.at)?)?;
                self.reads(exit.stay.as_slice())?;
            }
        }
        Ok(())
    }

    fn place(&self, position: Position) -> Result<(), WriteError> {
        self.sites.anchor(position).map(|_| ())
    }

    fn step(&mut self, step: &Step) -> Result<(), WriteError> {
        match step {
            Step::Inst {
                opcode,
                args,
                results,
                guard,
                keep,
                ..
            } => {
                self.reads(args)?;
                self.reads(guard.map(|(guard, _)| guard).as_slice())?;
                let named = || match opcode {
                    Opcode::Op(op) => Unwritable::Op(*op),
                    _ => Unwritable::Instruction(opcode.clone()),
                };
                if !is_writable(opcode, args, results.len()) {
                    return Err(WriteError::Unwritable(named()));
                }
                if *keep && !is_kept(opcode) {
                    return Err(WriteError::Keep(named()));
                }
                if let Opcode::Op(op) = opcode {
                    self.ops.insert(*op);
                }
                Ok(())
            }
            Step::If {
                condition,
                then,
                otherwise,
                results,
                ..
            } => {
                self.reads(&[*condition])?;
                for merged in results {
                    self.reads(&[merged.then, merged.otherwise])?;
                }
                let mut both = then.iter().chain(otherwise);
                both.try_for_each(|step| self.step(step))
            }
        }
    }

    fn reads(&mut self, refs: &[Ref]) -> Result<(), WriteError> {
        for one in refs {
            match *one {
                Ref::Value(value) => {
                    let mut ops = Vec::new();
                    let read = &mut self.outline.read;
                    self.sites.readable(value, read, &mut ops)?;
                    self.ops.extend(ops);
                }
                Ref::Special(_, special) if register(special).is_none() => {
                    return Err(WriteError::Unwritable(Unwritable::Special(special)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// LLVM's instruction of a statement that goes or moves.
    fn movable(&self, id: InstId) -> Result<Val<'m>, WriteError> {
        let instruction = self.sites.instruction(id)?;
        let ends = unsafe { !LLVMIsATerminatorInst(instruction.raw()).is_null() };
        match instruction.opcode() {
            LLVMPHI | LLVMAlloca => Err(WriteError::Fixed(id)),
            _ if ends => Err(WriteError::Fixed(id)),
            _ => Ok(instruction),
        }
    }

    fn removals(&mut self) -> Result<(), WriteError> {
        for removal in &self.patch.remove {
            let instruction = self.movable(removal.inst)?;
            self.outline.removed.insert((removal.clone, instruction));
        }
        Ok(())
    }

    fn redirects(&mut self) -> Result<(), WriteError> {
        for redirect in &self.patch.redirect {
            let value = redirect.value;
            let found = self.sites.scalar(value);
            let (holder, scalar) = found.ok_or(WriteError::NotReplaceable(value))?;
            self.reads(&[redirect.to])?;
            let at = self.defined_at(value)?;
            self.place(at)?;
            self.outline.redirects.push(Redirected {
                copied: redirect.clone,
                at,
                holder,
                scalar,
                to: redirect.to,
                goes: self.outline.removed.contains(&(redirect.clone, holder)),
            });
        }
        Ok(())
    }

    fn guards(&mut self) -> Result<(), WriteError> {
        for guarded in &self.patch.guard {
            let found = GuardedLoad::new(self.sites, guarded)?;
            self.place(found.at)?;
            self.reads(&[guarded.condition.0])?;
            for chosen in &guarded.otherwise {
                self.reads(&[chosen.to])?;
            }
            self.outline.guards.push(found);
        }
        Ok(())
    }

    /// Where a value gets its new meaning: after its statement.
    fn defined_at(&self, value: Value) -> Result<Position, WriteError> {
        match self.sites.function().value(value).def {
            ValueDef::Result(id, _) => {
                let statement = self.sites.positions.statement(id)?;
                let last = statement.last().copied().unwrap_or(id);
                Ok(self.sites.positions.of(Point::After(last))?)
            }
            ValueDef::Parameter(block, _) => Ok((block, 0)),
            _ => Err(WriteError::NotReplaceable(value)),
        }
    }

    fn relocations(&mut self) -> Result<(), WriteError> {
        if self.patch.relocate.is_empty() {
            return Ok(());
        }
        for moved in &self.patch.relocate {
            let to = self.sites.positions.of(moved.to.point)?;
            self.place(to)?;
            let moved = (moved.to.clone, self.movable(moved.inst)?, to);
            self.outline.moved.push(moved);
        }
        let dominators = DominatorTree::dominators(&Cfg::new(self.sites.function()));
        for (number, moved) in self.patch.relocate.iter().enumerate() {
            let (copied, instruction, to) = self.outline.moved[number];
            let new = self.time(number, to)?;
            // LLVM has operands and uses that the IR does not have.
            for operand in instruction.operands() {
                let executed_at = self.executed_at(copied, operand)?;
                if !executed_at.is_none_or(|executed_at| passed(&dominators, executed_at, new)) {
                    return Err(WriteError::OperandElsewhere(moved.inst));
                }
            }
            for user in instruction.users() {
                for place in self.reads_at(copied, instruction, user)? {
                    if !passed(&dominators, new, place) {
                        return Err(WriteError::UsedBefore(moved.inst));
                    }
                }
            }
        }
        Ok(())
    }

    /// Where a statement that moves is executed.
    fn time(&self, number: usize, to: Position) -> Result<Time, WriteError> {
        let before = self.sites.anchor(to)?;
        Ok((to.0, (2 * before, to.1, number)))
    }

    /// Where an instruction of LLVM's is executed; none if it is there everywhere, or nowhere.
    fn executed_at(&self, copied: Copied, value: Val<'m>) -> Result<Option<Time>, WriteError> {
        let Some(statement) = self.sites.lowered.numbering.statement(value) else {
            return Ok(None);
        };
        let mut moved = self.outline.moved.iter();
        if let Some(number) = moved.position(|one| (one.0, one.1) == (copied, value)) {
            return self.time(number, self.outline.moved[number].2).map(Some);
        }
        if value.opcode() == LLVMAlloca {
            return Ok(None);
        }
        let block = self.sites.block(value.block());
        Ok(block.map(|block| (block, (2 * statement + 1, 0, 0))))
    }

    /// Where an instruction reads another one's result: a phi at the ends of blocks.
    fn reads_at(
        &self,
        copied: Copied,
        value: Val<'m>,
        user: Val<'m>,
    ) -> Result<Vec<Time>, WriteError> {
        if !user.is_instruction() || self.outline.removed.contains(&(copied, user)) {
            return Ok(Vec::new());
        }
        if user.opcode() != LLVMPHI {
            return Ok(self.executed_at(copied, user)?.into_iter().collect());
        }
        let taken = user.incoming().into_iter().filter(|(_, one)| *one == value);
        let ends = taken.filter_map(|(block, _)| self.sites.block(block));
        Ok(ends.map(|block| (block, (u32::MAX, 0, 0))).collect())
    }

    fn amendments(&self) -> Result<(), WriteError> {
        for one in &self.patch.amend {
            let error = WriteError::Amend(one.inst);
            let access = self.sites.instruction(one.inst)?;
            let pointer = match access.opcode() {
                LLVMLoad => access.operand(0),
                LLVMStore => access.operand(1),
                _ => return Err(error),
            };
            let space = pointer.map(|pointer| pointer.ty().address_space());
            let fits = match one.amend {
                Amend::Space(to) => {
                    let to = super::instruction::number_of(to);
                    space == Some(0) && to.is_some_and(|to| to != 0)
                }
                Amend::NonCoherent => access.opcode() == LLVMLoad && matches!(space, Some(0 | 1)),
            };
            if !fits {
                return Err(error);
            }
        }
        Ok(())
    }

    /// What goes must not be used in LLVM, either: the IR does not know the operands of all instructions.
    fn still_used(&self) -> Result<(), WriteError> {
        let outline = &self.outline;
        for removal in &self.patch.remove {
            let (copied, gone) = (removal.clone, self.sites.instruction(removal.inst)?);
            let scalars = self.sites.layout.leaves(gone.ty()).len();
            let own = outline.redirects.iter();
            let redirected = own.filter(|one| one.copied == copied && one.holder == gone);
            if redirected.count() >= scalars {
                continue;
            }
            // Of which scalars these take the IR knows.
            let known = |user: Val<'m>| {
                outline.removed.contains(&(copied, user))
                    || user.is_instruction()
                        && matches!(user.opcode(), LLVMExtractElement | LLVMExtractValue)
            };
            if !gone.users().all(known) {
                return Err(WriteError::StillUsed(removal.inst));
            }
        }
        Ok(())
    }

    /// That a region can be cloned: whole `switch`es, and nothing that may be there once only.
    fn region(&self, clone: &RegionClone) -> Result<(), WriteError> {
        let lowered = self.sites.lowered;
        let (enter, from) = self.sites.positions.of(clone.enter)?;
        let inside: FxHashSet<BlockId> = clone.blocks.iter().copied().chain([enter]).collect();
        for settled in &clone.settled {
            let end = self.sites.terminator(settled.block);
            if !end.is_some_and(|end| end.is_branch() && end.successors().len() == 2) {
                return Err(WriteError::InsideSwitch(settled.block));
            }
        }
        for id in lowered.function.block_ids() {
            for target in lowered.function.block(id).terminator.targets() {
                let part = lowered.parts[target.block.index()].is_none();
                if part && inside.contains(&id) != inside.contains(&target.block) {
                    return Err(WriteError::PartOfSwitch(id));
                }
            }
        }
        for &block in &inside {
            let Some(part) = lowered.parts.get(block.index()).copied().flatten() else {
                continue;
            };
            let first = match block == enter {
                true => self.sites.anchor((enter, from))?,
                false => 0,
            };
            let statements = lowered.numbering.parts()[part as usize].statements.clone();
            let instructions = statements
                .filter(|&statement| statement >= first)
                .filter_map(|statement| lowered.numbering.instruction(statement));
            if instructions.into_iter().any(is_unique) {
                return Err(WriteError::NotCloneable(block));
            }
        }
        Ok(())
    }
}

/// A block and an order of what is executed in it.
type Time = (BlockId, (u32, usize, usize));

/// Whether all that come to the second place have passed the first.
fn passed(dominators: &DominatorTree, first: Time, second: Time) -> bool {
    match first.0 == second.0 {
        true => first.1 < second.1,
        false => dominators.dominates(first.0, second.0),
    }
}

/// Whether an instruction may be in a function once only, or gives what no slot can hold.
fn is_unique(instruction: Val) -> bool {
    let noduplicate =
        instruction.opcode() == LLVMCall && instruction.call_attribute("noduplicate").is_some();
    let odd = matches!(
        instruction.opcode(),
        LLVMInvoke | LLVMCallBr | LLVMIndirectBr | LLVMCatchPad | LLVMCleanupPad | LLVMLandingPad
    );
    noduplicate || odd || instruction.ty().kind() == LLVMTokenTypeKind
}

/// The first of some operations that cannot be written: all are, in a module of their own.
pub(super) fn unsupported(module: LLVMModuleRef, ftz: bool, ops: &[Op]) -> Option<Op> {
    let mut known = ops.iter().filter(|op| computes(op)).peekable();
    if let Some(&unknown) = ops.iter().find(|op| !computes(op)) {
        return Some(unknown);
    }
    known.peek()?;
    unsafe {
        let context = LLVMGetModuleContext(module);
        let scratch = LLVMModuleCreateWithNameInContext(c"".as_ptr(), context);
        let found = known.copied().find(|op| !is_supported(scratch, ftz, op));
        LLVMDisposeModule(scratch);
        found
    }
}

/// Whether one operation can be written on operands that are no constants.
///
/// # Safety
/// The module is nobody else's.
unsafe fn is_supported(scratch: LLVMModuleRef, ftz: bool, op: &Op) -> bool {
    let mut b = Builder::new(scratch, ftz);
    let widths = operand_widths(op);
    let mut types: Vec<_> = widths.iter().map(|&width| b.integer(width)).collect();
    unsafe {
        let void = LLVMVoidTypeInContext(b.context);
        let ty = LLVMFunctionType(void, types.as_mut_ptr(), types.len() as c_uint, 0);
        let function = LLVMAddFunction(scratch, c"".as_ptr(), ty);
        b.at_end(LLVMAppendBasicBlockInContext(
            b.context,
            function,
            c"".as_ptr(),
        ));
        let args: Vec<_> = (0..types.len() as c_uint)
            .map(|index| LLVMGetParam(function, index))
            .collect();
        apply(&mut b, op, &args);
    }
    b.refused.is_none()
}

/// Whether an operation is one of the semantics: no more than 64 bits, and types that are known.
fn computes(op: &Op) -> bool {
    let types: &[Type] = match op {
        Op::Compare { ty, .. } | Op::Float { ty, .. } | Op::Test { ty, .. } => &[*ty],
        Op::Set { ty, to, .. } => &[*ty, *to],
        Op::Convert { from, to, .. } => &[*from, *to],
        _ => &[],
    };
    let known = |ty: &Type| ty.kind != Kind::Other;
    let widths = operand_widths(op).into_iter().chain(result_widths(op));
    types.iter().all(known) && widths.into_iter().all(|width| (1..=64).contains(&width))
}
