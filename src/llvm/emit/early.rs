//! Wrapping `early`: corner loads behind the source, so that nothing waits for them at the destination.

use super::destination::ptxasw_guard_load;
use super::exchange::Exchange;
use super::region::Setup;
use super::sink::ptxasw_move_before;
use super::{Error, Place, Writer, forget_promises, instruction};
use crate::numbering::Numbering;
use crate::view::Val;
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw::ptx::emit::Variant;
use ptxasw::shuffle::plan::{Part, Shuffle, Source};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Instructions that an address may move up with.
const MAX_MOVED: usize = 16;

/// A corner load that stands behind the source.
#[derive(Clone, Copy)]
pub(super) struct Early {
    /// The condition of lanes that the shuffle covers.
    pub covered: LLVMValueRef,
    /// What the others loaded.
    pub value: LLVMValueRef,
}

/// The arithmetic between two loads of one block that the address of the later one is made of, each before what it is for;
/// none if that can't stand in front of the earlier one.
pub fn address<'m>(numbering: &Numbering<'m>, load: u32, earlier: u32) -> Option<Vec<Val<'m>>> {
    let mut found: Vec<u32> = Vec::new();
    let mut work = vec![numbering.instruction(load)?.operand(0)?];
    let block = numbering.instruction(earlier)?.block();
    while let Some(value) = work.pop() {
        if !value.is_instruction() || value.block() != block {
            continue;
        }
        let statement = numbering.statement(value)?;
        if statement < earlier || found.contains(&statement) {
            continue;
        }
        if found.len() == MAX_MOVED || !is_arithmetic(value) {
            return None;
        }
        found.push(statement);
        work.extend(value.operands());
    }
    found.sort_unstable();
    let moved = found.into_iter().map(|one| numbering.instruction(one));
    moved.collect()
}

/// What does the same wherever its operands are there.
fn is_arithmetic(value: Val) -> bool {
    matches!(
        value.opcode(),
        LLVMGetElementPtr
            | LLVMAdd
            | LLVMSub
            | LLVMMul
            | LLVMShl
            | LLVMLShr
            | LLVMAShr
            | LLVMAnd
            | LLVMOr
            | LLVMXor
            | LLVMTrunc
            | LLVMZExt
            | LLVMSExt
            | LLVMPtrToInt
            | LLVMIntToPtr
            | LLVMBitCast
            | LLVMAddrSpaceCast
    )
}

impl Writer<'_> {
    /// The corner load of a shuffle stands behind its source.
    pub(super) fn goes_early(&self, shuffle: &Shuffle) -> bool {
        let sources = &self.plan.sources;
        let halo = |part: &Part| {
            let source = sources.get(part.source as usize);
            source.is_some_and(|source| source.halo.is_some())
        };
        shuffle.upward && self.variant == Variant::Normal && !shuffle.parts.iter().any(halo)
    }

    /// The source of a shuffle whose corner load stands behind it: its only one.
    pub(super) fn early_source(&self, shuffle: &Shuffle) -> Result<&Source, Error> {
        let inconsistent = Error::Inconsistent(shuffle.destination);
        match (&shuffle.parts[..], shuffle.within) {
            ([part], None) => {
                let source = self.plan.sources.get(part.source as usize);
                source.ok_or(inconsistent)
            }
            _ => Err(inconsistent),
        }
    }

    /// The shuffles of each source whose corner loads stand behind it.
    pub(super) fn early_by_source(&self) -> Result<BTreeMap<u32, Vec<usize>>, Error> {
        let mut found: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, shuffle) in self.plan.shuffles.iter().enumerate() {
            if self.goes_early(shuffle) {
                self.early_source(shuffle)?;
                found
                    .entry(shuffle.parts[0].source)
                    .or_default()
                    .push(index);
            }
        }
        Ok(found)
    }

    /// Moves the addresses of corner loads in front of the sources behind which they will stand, and tells what stays there.
    pub(super) fn raise_addresses(
        &self,
        numbering: &Numbering,
    ) -> Result<Vec<LLVMValueRef>, Error> {
        let mut upward = Vec::new();
        for &index in self.upward.values().flatten() {
            let source = self.early_source(&self.plan.shuffles[index])?;
            upward.push((source.statement, index));
        }
        // The last source first: what several of them need ends up in front of the first.
        upward.sort_unstable_by_key(|&(source, index)| (Reverse(source), index));
        let (mut raised, mut stands) = (Vec::new(), FxHashSet::default());
        for (source, index) in upward {
            let shuffle = &self.plan.shuffles[index];
            let moved = address(numbering, shuffle.destination, source);
            let moved = moved.ok_or(Error::Inconsistent(shuffle.destination))?;
            let place = instruction(numbering, source)?;
            // What stands in front of this source already has users there.
            for one in moved
                .into_iter()
                .filter(|one| stands.insert((source, one.raw())))
            {
                unsafe { ptxasw_move_before(one.raw(), place) };
                raised.push(one.raw());
            }
            raised.push(unsafe { LLVMGetOperand(self.destinations[index].instruction, 0) });
        }
        Ok(raised)
    }

    /// What corner lanes load behind a source.
    pub(super) fn load_early(
        &self,
        source: usize,
        place: Place,
        setup: Option<&Setup>,
    ) -> Result<FxHashMap<usize, Early>, Error> {
        let mut early = FxHashMap::default();
        let Some(setup) = setup else {
            return Ok(early);
        };
        let number = u32::try_from(source).unwrap_or(u32::MAX);
        for &index in self.upward.get(&number).into_iter().flatten() {
            let shuffle = &self.plan.shuffles[index];
            let load = self.destinations[index].instruction;
            let exchange = Exchange {
                lanes: shuffle.lanes,
                setup,
                code: &self.code,
            };
            self.code.before(place.before, load);
            let covered = exchange.reached();
            let covered = covered.ok_or(Error::Inconsistent(shuffle.destination))?;
            let value = unsafe {
                let again = self.code.again(load);
                forget_promises(again);
                ptxasw_guard_load(again, covered, LLVMGetPoison(LLVMTypeOf(load)))
            };
            early.insert(index, Early { covered, value });
        }
        Ok(early)
    }
}
