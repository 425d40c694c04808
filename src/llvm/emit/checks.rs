//! Run-time checks, by the values of the function that they name; and set-ups that are narrowed by them.

use super::Error;
use super::code::Code;
use super::copied::{Copied, Copies};
use super::setup::{Corner, Setup};
use inkwell::llvm_sys::LLVMIntPredicate::LLVMIntULE;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw::shuffle::plan::Check;
use rustc_hash::FxHashMap;

/// Steps up the operands of a checked value whose flags are cleared.
const MAX_CLEARED: usize = 64;

/// The values of a function by the names that plans use.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// Of all values that have a name.
    pub values: &'a FxHashMap<Box<str>, LLVMValueRef>,
    /// Inside of a copy: what it has in place of the original.
    pub copied: Option<&'a Copied>,
    /// All copies.
    pub copies: &'a Copies,
}

impl Names<'_> {
    /// The value of a name.
    pub fn find(&self, name: &str) -> Result<LLVMValueRef, Error> {
        let found = self.values.get(name).copied();
        let value = found.ok_or_else(|| Error::NoValue(name.to_string()))?;
        Ok(self.copied.map_or(value, |copied| copied.of(value)))
    }

    /// The value of a name where `code` writes. A copy that ended in front of that place has one of its own.
    fn here(&self, name: &str, code: &Code) -> Result<LLVMValueRef, Error> {
        let value = self.find(name)?;
        Ok(self.copies.joined(value, code))
    }
}

/// Whether `first` (if any) and all checks hold; none if there is nothing to hold. `loaded`: a load that every lane has
/// executed here.
pub fn holds(
    checks: &[Check],
    first: Option<LLVMValueRef>,
    loaded: Option<LLVMValueRef>,
    code: &Code,
    names: Names,
) -> Result<Option<LLVMValueRef>, Error> {
    let mut all = first;
    let defined = match checks.is_empty() {
        true => Vec::new(),
        false => loaded.map_or_else(Vec::new, behind_address),
    };
    let operand = |name: &str, check: &Check| {
        let value = names.here(name, code)?;
        if unsafe { LLVMTypeOf(value) } != code.integer(check.width.into()) {
            return Err(Error::NoValue(name.to_string()));
        }
        // No flag may let LLVM take the check for granted.
        if !defined.contains(&value) {
            clear_flags(value);
        }
        Ok(code.freeze(value))
    };
    for check in checks {
        let mut value = operand(&check.register, check)?;
        if let Some(minus) = &check.minus {
            value = code.sub(value, operand(minus, check)?);
        }
        if check.offset != 0 {
            value = code.add(value, code.like(value, check.offset));
        }
        let passes = code.compare(LLVMIntULE, value, code.like(value, check.limit));
        all = Some(match all {
            Some(all) => code.and(all, passes),
            None => passes,
        });
    }
    Ok(all)
}

/// What the address of a load is made of, as far as nothing stands between that could hide an undefined value: all of it is
/// defined where the load was executed.
fn behind_address(load: LLVMValueRef) -> Vec<LLVMValueRef> {
    let mut seen = Vec::new();
    // Of a load that is a call, the first argument.
    let mut next = vec![unsafe { LLVMGetOperand(load, 0) }];
    while let Some(value) = next.pop() {
        if seen.len() == MAX_CLEARED || seen.contains(&value) {
            continue;
        }
        seen.push(value);
        unsafe {
            let passes = !LLVMIsABinaryOperator(value).is_null()
                || !LLVMIsACastInst(value).is_null()
                || !LLVMIsAGetElementPtrInst(value).is_null();
            if passes {
                let operands = LLVMGetNumOperands(value) as u32;
                next.extend((0..operands).map(|index| LLVMGetOperand(value, index)));
            }
        }
    }
    seen
}

/// Takes `nsw` and the like from the arithmetic behind a value: without them it is defined where it was not.
fn clear_flags(value: LLVMValueRef) {
    let mut seen = Vec::new();
    let mut next = vec![value];
    while let Some(value) = next.pop() {
        if seen.len() == MAX_CLEARED || seen.contains(&value) {
            continue;
        }
        unsafe {
            if LLVMIsAInstruction(value).is_null() || !is_arithmetic(value) {
                continue;
            }
            seen.push(value);
            ptxasw_drop_flags(value);
            let operands = LLVMGetNumOperands(value) as u32;
            next.extend((0..operands).map(|index| LLVMGetOperand(value, index)));
        }
    }
}

unsafe extern "C" {
    /// In C++: drops all flags and metadata of an instruction that can make its result poison.
    pub(super) fn ptxasw_drop_flags(instruction: LLVMValueRef);
}

/// An operator, a cast or a choice of integers, or a phi.
fn is_arithmetic(value: LLVMValueRef) -> bool {
    unsafe {
        !LLVMIsABinaryOperator(value).is_null()
            || !LLVMIsACastInst(value).is_null()
            || !LLVMIsASelectInst(value).is_null()
            || !LLVMIsAPHINode(value).is_null()
    }
}

impl Setup {
    /// As seen where checks of values hold that only exist there: lanes in which they fail are corner lanes.
    /// `loaded` as for [`holds`].
    pub fn narrowed(
        &self,
        checks: &[Check],
        loaded: Option<LLVMValueRef>,
        code: &Code,
        names: Names,
    ) -> Result<Setup, Error> {
        let Some(holds) = holds(checks, None, loaded, code, names)? else {
            return Ok(self.clone());
        };
        let corner = match &self.corner {
            Corner::Clamp { down, up } => {
                let lane = self.lane;
                let select =
                    |clamp: &Option<LLVMValueRef>| Some(code.select(holds, (*clamp)?, lane?));
                Corner::Clamp {
                    down: select(down),
                    up: select(up),
                }
            }
            Corner::Compare { all, rest, tid } => Corner::Compare {
                all: code.or(code.not(holds), *all),
                rest: *rest,
                tid: *tid,
            },
        };
        Ok(Setup {
            corner,
            together: self.together.map(|together| code.and(together, holds)),
            ..self.clone()
        })
    }
}
