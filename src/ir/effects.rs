//! What instructions and whole functions may do to memory and to other threads.

use super::analyses::Analyses;
use super::cfg::Cfg;
use super::function::{BlockId, Function, Inst, InstId, Terminator, ValueDef};
use super::opcode::{BarrierKind, Effects, Opcode};
use super::types::Space;
use ptxasw_base::mutation::{Mutation, active};

/// What an instruction may do by itself, wherever it is placed.
pub fn of_instruction(inst: &Inst) -> Effects {
    let orders = Effects {
        writes: true,
        ..Effects::NONE
    };
    let together = Effects {
        convergent: true,
        ..Effects::NONE
    };
    match &inst.opcode {
        Opcode::Op(_) | Opcode::Nop => Effects::NONE,
        Opcode::Load(access) if access.order.is_weak() => Effects::NONE,
        // Memory of the thread alone.
        Opcode::Store(access) if matches!(access.space, Space::Local | Space::ParamFunc) => {
            Effects::NONE
        }
        Opcode::Store(_) | Opcode::Fence(..) => orders,
        Opcode::Atomic { .. } if active(Mutation::AtomicEffectsForgotten) => Effects::NONE,
        Opcode::Load(_) | Opcode::Atomic { .. } => Effects {
            polls: true,
            ..orders
        },
        Opcode::Barrier { .. } => Effects {
            writes: true,
            waits: true,
            ..together
        },
        Opcode::Shuffle { sync, .. } | Opcode::Vote { sync, .. } => Effects {
            waits: *sync,
            ..together
        },
        Opcode::Match { .. } | Opcode::Redux { .. } | Opcode::Elect => Effects {
            waits: true,
            ..together
        },
        Opcode::ActiveMask => together,
        Opcode::Call { effects, .. } | Opcode::Opaque { effects } => *effects,
    }
}

/// Whether an instruction can wait for a thread that is elsewhere in the function.
pub fn waits(function: &Function, analyses: &Analyses, inst: &Inst) -> bool {
    if active(Mutation::WaitsIgnored) {
        return false;
    }
    match &inst.opcode {
        // All threads of the warp pass an aligned barrier together, if they all name the same one.
        Opcode::Barrier {
            kind: BarrierKind::Sync | BarrierKind::Arrive | BarrierKind::Reduce(_),
            aligned: true,
        } => {
            let number = inst.args.first().map(|&number| &function.value(number).def);
            inst.guard.is_some() || !matches!(number, None | Some(ValueDef::Constant(_)))
        }
        Opcode::Call { .. } if active(Mutation::ExitingCallsIgnored) => false,
        _ => {
            let effects = of_instruction(inst);
            effects.waits || effects.polls && may_spin(analyses, inst.block)
        }
    }
}

/// Whether what a block reads can decide how often a loop around it runs, so that the loop waits for whoever writes it.
fn may_spin(analyses: &Analyses, block: BlockId) -> bool {
    let loops = &analyses.loops;
    let inner = loops.innermost(block);
    loops.irreducible(block) || inner.is_some_and(|id| analyses.spinning[id.0 as usize])
}

/// What a call of the function may do, all together. A barrier in it counts as a wait, since the call may be guarded.
pub fn of_function(function: &Function, analyses: &Analyses) -> Effects {
    let mut sum = Effects::NONE;
    for inst in &function.insts {
        if active(Mutation::CalleesForgotten) && matches!(inst.opcode, Opcode::Call { .. }) {
            continue;
        }
        sum = sum.and(of_instruction(inst));
        sum.waits |= waits(function, analyses, inst);
    }
    let ends = |id| matches!(function.block(id).terminator, Terminator::Exit);
    sum.exits |= function.block_ids().any(ends);
    sum
}

/// The calls that a thread comes to, in one run of the function, without having written or ordered memory before.
pub fn calls_before_writes(function: &Function, cfg: &Cfg) -> Vec<InstId> {
    let writes = |id: &InstId| of_instruction(function.inst(*id)).writes;
    let mut after_write = vec![false; function.blocks.len()];
    let mut work: Vec<BlockId> = function
        .block_ids()
        .filter(|&id| function.block(id).insts.iter().any(writes))
        .collect();
    while let Some(block) = work.pop() {
        for next in cfg.successors(block) {
            if !std::mem::replace(&mut after_write[next.index()], true) {
                work.push(next);
            }
        }
    }
    let mut found = Vec::new();
    for id in function.block_ids().filter(|id| !after_write[id.index()]) {
        for inst in &function.block(id).insts {
            if matches!(function.inst(*inst).opcode, Opcode::Call { .. }) {
                found.push(*inst);
            }
            if writes(inst) {
                break;
            }
        }
    }
    found
}
