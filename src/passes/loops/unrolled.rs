//! Loops of which the assembler itself makes several iterations at once: a single block that counts by a constant and stores nothing that its
//! loads could meet. `ptxas` repeats it four times and executes the loads of all four together, those of a loop that a compiler has
//! unrolled by four, too. Copies would keep it from doing so.
//!
//! Seen in machine code of `ptx-tests/loops/batches` (`tests/passes/loops/machine.rs`); the assembler leaves loops alone that step by what only the run knows,
//! that have several blocks, in the text or because a division or a root becomes some, or whose text says so (PTX ISA, "Pragma Strings", `nounroll`).

use super::loads::LoopLoads;
use super::shape::Shape;
use crate::Session;
use ptxasw_emulator::Emulation;
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_ir::function::{InstId, ValueDef};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use rustc_hash::FxHashMap;

/// Whether the assembler makes batches of a loop by itself, and no wider loads would come of ours.
pub fn by_assembler(session: &Session, id: LoopId, shape: &Shape, loads: &LoopLoads) -> bool {
    let [exit] = &shape.exits[..] else {
        return false;
    };
    let one_block = shape.work_blocks(session) == 1 && !shape.expands;
    if !one_block || loads.meet_stores(session) || session.text.keeps_loop(shape.header) {
        return false;
    }
    let ValueDef::Result(compared, _) = session.function.value(exit.condition).def else {
        return false;
    };
    let inst = session.function.inst(compared);
    let Opcode::Op(Op::Compare { .. }) = inst.opcode else {
        return false;
    };
    let Some(mut emulation) = session.emulation() else {
        return false;
    };
    let mut counters = emulation.counters.iter();
    let counter = counters.find(|(_, counted)| counted.inside == id);
    let Some(counter) = counter.map(|(&counter, _)| counter) else {
        return false;
    };
    let Emulation {
        terms,
        values,
        trace,
        ..
    } = &mut *emulation;
    let steps = inst.args.iter().filter_map(|arg| values[arg.index()]);
    let steps: Vec<Option<u64>> = steps.map(|term| step(terms, term, counter)).collect();
    let counts = matches!(steps[..], [Some(1..), Some(0)] | [Some(0), Some(1..)]);
    let is_direct = |inst: InstId| loads.direct.contains(&inst);
    let mut events = trace.events.iter().filter(|event| is_direct(event.inst));
    // Of neighbours in consecutive iterations the memory pass makes one access.
    let run_on = events.any(|event| {
        let steps = event
            .address
            .and_then(|address| step(terms, address, counter));
        steps == Some(event.bytes.into())
    });
    counts && !run_on
}

/// What a term grows by in each iteration, if that is a constant; none else.
fn step(terms: &mut Terms, term: TermId, counter: TermId) -> Option<u64> {
    let next = terms.offset(counter, 1);
    let next = terms.replace(term, &FxHashMap::from_iter([(counter, next)]));
    let grown = terms.sub(next, term);
    terms.as_const(grown)
}
