//! Addresses that are computed once, however often the code writes them down.
//!
//! In PTX, constants have moved into the offsets of accesses. LLVM IR computes each element's address anew, from the index
//! on; its code generator finds what they have in common.

use ptxasw_emulator::term::{Atoms, TermId, Terms};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{Function, Value};
use ptxasw_ir::opcode::Opcode;
use rustc_hash::FxHashSet;

/// Of addresses, and of what they are made of.
const WIDTH: u8 = 64;

/// For each value whether it is one that was computed before, but for a constant.
pub(super) fn repeated(
    function: &Function,
    analyses: &Analyses,
    terms: &Terms,
    values: &[Option<TermId>],
) -> Vec<bool> {
    let mut known: FxHashSet<Atoms> = FxHashSet::default();
    let mut repeated = vec![false; function.values.len()];
    for &block in analyses.cfg.reverse_post_order() {
        for inst in function
            .block(block)
            .insts
            .iter()
            .map(|&id| function.inst(id))
        {
            let (Opcode::Op(_), &[result]) = (&inst.opcode, &inst.results[..]) else {
                continue;
            };
            if let Some(shape) = shape(function, terms, values, result) {
                repeated[result.index()] = !known.insert(shape);
            }
        }
    }
    repeated
}

/// What a sum has besides its constant; none of what is no address.
fn shape(
    function: &Function,
    terms: &Terms,
    values: &[Option<TermId>],
    value: Value,
) -> Option<Atoms> {
    let term = values.get(value.index()).copied().flatten()?;
    let (_, atoms) = terms.affine(term);
    (function.value(value).width == WIDTH && !atoms.is_empty()).then_some(atoms)
}
