//! Which space generic pointers lead to, by what they are made from.
//!
//! A pointer leads to no other object than that which it was made from, by `getelementptr`, casts, `select` and phis. A pointer
//! parameter of a kernel leads to global memory. Each pointer is nothing yet, of one space, or unknown: it rises at most twice,
//! so that the work is that of the function's size.

use super::Lowering;
use crate::kernels::Entry;
use crate::view::Val;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};
use ptxasw_ir::types::Space;
use rustc_hash::FxHashMap;

/// Where a pointer leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Nothing is known yet, or it is undefined.
    Nothing,
    /// To global memory that nobody writes.
    Constant,
    One(Space),
    Unknown,
}

const GLOBAL: Origin = Origin::One(Space::Global);

impl Origin {
    fn or(self, other: Origin) -> Origin {
        match (self, other) {
            (Origin::Nothing, one) | (one, Origin::Nothing) => one,
            (one, two) if one == two => one,
            (Origin::Constant, GLOBAL) | (GLOBAL, Origin::Constant) => GLOBAL,
            _ => Origin::Unknown,
        }
    }
}

impl<'m> Lowering<'m> {
    /// Finds the spaces of all generic pointers that are made from others.
    pub(super) fn origins(&mut self, entry: &Entry<'m>) {
        let parameters = self.pointer_parameters(entry);
        let mut found: FxHashMap<Val<'m>, Origin> = FxHashMap::default();
        let mut users: FxHashMap<Val<'m>, Vec<Val<'m>>> = FxHashMap::default();
        let mut work = Vec::new();
        for part in self.order.clone() {
            let statements = self.numbering.parts()[part as usize].statements.clone();
            let instructions = statements.filter_map(|one| self.numbering.instruction(one));
            for instruction in instructions.filter(|one| is_pointer(*one)) {
                let mut start = Origin::Nothing;
                for from in made_from(instruction).unwrap_or_default() {
                    match from.is_instruction() && made_from(from).is_some() {
                        true => users.entry(from).or_default().push(instruction),
                        false => start = start.or(self.origin_of(from, &parameters)),
                    }
                }
                if made_from(instruction).is_some() {
                    found.insert(instruction, start);
                    work.push(instruction);
                }
            }
        }
        while let Some(pointer) = work.pop() {
            let origin = found[&pointer];
            for user in users.get(&pointer).into_iter().flatten() {
                let old = found[user];
                let new = old.or(origin);
                if new != old {
                    found.insert(*user, new);
                    work.push(*user);
                }
            }
        }
        for (pointer, origin) in found.into_iter().chain(parameters) {
            match origin {
                Origin::One(space) => _ = self.spaces.insert(pointer, space),
                Origin::Constant => {
                    self.spaces.insert(pointer, Space::Global);
                    self.unchanging.insert(pointer);
                }
                Origin::Nothing | Origin::Unknown => {}
            }
        }
    }

    /// Whether the bytes that a pointer leads to do not change while the kernel runs.
    pub(super) fn is_unchanging(&self, pointer: Val<'m>) -> bool {
        self.unchanging.contains(&pointer) || is_constant(pointer)
    }

    /// Pointers to global memory that the launch passes.
    fn pointer_parameters(&self, entry: &Entry<'m>) -> FxHashMap<Val<'m>, Origin> {
        let parameters = (1..).zip(entry.function.parameters());
        parameters
            .filter(|&(index, parameter)| {
                self.kernel
                    && is_pointer(parameter)
                    && matches!(parameter.ty().address_space(), 0 | 1)
                    && !entry.function.has_attribute(index, "byval")
            })
            .map(|(index, parameter)| {
                let says = |name| entry.function.has_attribute(index, name);
                let constant = says("noalias") && (says("readonly") || says("readnone"));
                let origin = if constant { Origin::Constant } else { GLOBAL };
                (parameter, origin)
            })
            .collect()
    }

    /// Of what is no generic pointer that an instruction makes from others.
    fn origin_of(&self, pointer: Val<'m>, parameters: &FxHashMap<Val<'m>, Origin>) -> Origin {
        use LLVMValueKind::*;
        if pointer.is_undefined() {
            return Origin::Nothing;
        }
        if let Some(&origin) = parameters.get(&pointer) {
            return origin;
        }
        if is_constant(pointer) {
            return Origin::Constant;
        }
        if let (Some(LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMAddrSpaceCast), Some(inner)) =
            (pointer.expression(), pointer.operand(0))
            && is_pointer(inner)
        {
            return self.origin_of(inner, parameters);
        }
        let number = pointer.ty().address_space();
        if let Some(space) = self.space(number) {
            return Origin::One(space);
        }
        match pointer.kind() {
            LLVMConstantPointerNullValueKind if number == 0 => Origin::Nothing,
            LLVMGlobalVariableValueKind if number == 0 => GLOBAL,
            LLVMInstructionValueKind if pointer.opcode() == LLVMOpcode::LLVMAlloca => {
                Origin::One(Space::Local)
            }
            _ => Origin::Unknown,
        }
    }
}

/// A variable in global memory that is never written.
fn is_constant(pointer: Val<'_>) -> bool {
    pointer.kind() == LLVMValueKind::LLVMGlobalVariableValueKind
        && matches!(pointer.ty().address_space(), 0 | 1)
        && pointer.is_constant_variable()
}

fn is_pointer(value: Val<'_>) -> bool {
    value.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind
}

/// The pointers that an instruction makes one from.
fn made_from(instruction: Val<'_>) -> Option<Vec<Val<'_>>> {
    use LLVMOpcode::*;
    let pointers: Vec<Val> = match instruction.opcode() {
        LLVMGetElementPtr | LLVMAddrSpaceCast | LLVMBitCast => {
            instruction.operand(0).into_iter().collect()
        }
        LLVMSelect => instruction.operands().into_iter().skip(1).collect(),
        LLVMPHI => {
            let incoming = instruction.incoming().into_iter();
            incoming.map(|(_, value)| value).collect()
        }
        _ => return None,
    };
    pointers
        .iter()
        .all(|&one| is_pointer(one))
        .then_some(pointers)
}
