//! Special registers, barriers, communication between lanes.

use super::{Lowering, Pieces};
use crate::view::Val;
use ptxasw_ir::function::Value;
use ptxasw_ir::op::Comparison;
use ptxasw_ir::opcode::{
    AtomicOp, BarrierKind, Effects, Opcode, Order, Scope, ShuffleMode, VoteMode, VoteOrCount,
};
use ptxasw_ir::types::{LaneMask, Special, Type};

/// Lanes of a warp.
const LANES: u64 = 32;

fn axis(name: &str) -> Option<u8> {
    match name {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        "w" => Some(3),
        _ => None,
    }
}

/// How a barrier reduces predicates.
fn reduction(name: &str) -> Option<VoteOrCount> {
    match name {
        "popc" => Some(VoteOrCount::Popc),
        "and" => Some(VoteOrCount::And),
        "or" => Some(VoteOrCount::Or),
        _ => None,
    }
}

/// A register that does not change within a thread.
fn constant_register(name: &str) -> Option<Special> {
    let special = match name.split_once('.') {
        Some(("tid", rest)) => Special::Tid(axis(rest)?),
        Some(("ntid", rest)) => Special::Ntid(axis(rest)?),
        Some(("ctaid", rest)) => Special::Ctaid(axis(rest)?),
        Some(("nctaid", rest)) => Special::Nctaid(axis(rest)?),
        Some(("lanemask", rest)) => Special::LaneMask(match rest {
            "eq" => LaneMask::Eq,
            "le" => LaneMask::Le,
            "lt" => LaneMask::Lt,
            "ge" => LaneMask::Ge,
            "gt" => LaneMask::Gt,
            _ => return None,
        }),
        _ => match name {
            "laneid" => Special::LaneId,
            "gridid" => Special::GridId,
            "nsmid" => Special::NSmId,
            "nwarpid" => Special::NWarpId,
            "dynamic_smem_size" => Special::DynamicSharedSize,
            "total_smem_size" => Special::TotalSharedSize,
            _ => return None,
        },
    };
    Some(special)
}

impl<'m> Lowering<'m> {
    /// A copy of a special register; what may change is another value at each read.
    pub(super) fn special_register(&mut self, call: Val<'m>, name: &str) -> Pieces {
        let widths = self.widths(call.ty());
        let &[width] = &widths[..] else {
            return self.opaque_results(call, Effects::ALL);
        };
        if name == "warpsize" {
            let size = self.constant(width, LANES);
            return Pieces::from_slice(&[self.copy(size)]);
        }
        match constant_register(name) {
            Some(special) => {
                let value = self.builder.special(special, width);
                Pieces::from_slice(&[self.copy(value)])
            }
            // A clock, a counter, or the place where the warp runs.
            None => {
                let effects = Effects {
                    polls: true,
                    ..Effects::NONE
                };
                self.opaque_results(call, effects)
            }
        }
    }

    /// Barriers, fences, shuffles, votes, matches, reductions.
    pub(super) fn warp(&mut self, call: Val<'m>, name: &str) -> Option<Pieces> {
        let words: Vec<&str> = name.split('.').collect();
        match words[..] {
            ["barrier0"] => {
                let zero = self.constant(32, 0);
                Some(self.barrier(BarrierKind::Sync, true, &[zero]))
            }
            ["barrier0", by] => self.barrier_reduction(call, by),
            ["barrier", "n"] | ["barrier"] | ["bar", "sync"] => {
                self.barrier_of(call, BarrierKind::Sync, true)
            }
            ["barrier", "sync"] | ["barrier", "sync", "cnt"] => {
                self.barrier_of(call, BarrierKind::Sync, false)
            }
            ["barrier", "cta", what, .., "all" | "count"] => self.block_barrier(call, what, &words),
            ["bar", "warp", "sync"] => self.barrier_of(call, BarrierKind::Warp, false),
            ["barrier", "cluster", "arrive", ..] => Some(self.barrier(
                BarrierKind::ClusterArrive,
                words.last() == Some(&"aligned"),
                &[],
            )),
            ["barrier", "cluster", "wait", ..] => Some(self.barrier(
                BarrierKind::ClusterWait,
                words.last() == Some(&"aligned"),
                &[],
            )),
            ["membar", scope] => {
                let scope = match scope {
                    "cta" => Scope::Block,
                    "gl" => Scope::Device,
                    _ => Scope::System,
                };
                Some(self.emit(Opcode::Fence(Order::SeqCst, scope), &[], &[]))
            }
            ["shfl", "sync", mode, _] => self.shuffle(call, mode, true),
            ["shfl", mode, _] => self.shuffle(call, mode, false),
            ["vote", mode] => self.vote(call, mode, false),
            ["vote", mode, "sync"] => self.vote(call, mode, true),
            ["match", kind, "sync", width] => self.matched(call, kind, width),
            ["redux", "sync", operation] => self.redux(call, operation),
            ["activemask"] => Some(self.emit(Opcode::ActiveMask, &[], &[32])),
            _ => None,
        }
    }

    pub(super) fn all_operands(&mut self, call: Val<'m>) -> Vec<Value> {
        let arguments = call.arguments();
        arguments
            .into_iter()
            .flat_map(|argument| self.read(argument))
            .collect()
    }

    fn barrier(&mut self, kind: BarrierKind, aligned: bool, args: &[Value]) -> Pieces {
        self.emit(Opcode::Barrier { kind, aligned }, args, &[])
    }

    fn barrier_of(&mut self, call: Val<'m>, kind: BarrierKind, aligned: bool) -> Option<Pieces> {
        let args = self.all_operands(call);
        Some(self.barrier(kind, aligned, &args))
    }

    /// `barrier.cta.*`, the names since LLVM 21.
    fn block_barrier(&mut self, call: Val<'m>, what: &str, words: &[&str]) -> Option<Pieces> {
        let kind = match what {
            "sync" => BarrierKind::Sync,
            "arrive" => BarrierKind::Arrive,
            "red" => BarrierKind::Reduce(reduction(words.get(3)?)?),
            _ => return None,
        };
        let aligned = words.contains(&"aligned");
        let args = self.all_operands(call);
        let widths = self.widths(call.ty());
        Some(self.emit(Opcode::Barrier { kind, aligned }, &args, &widths))
    }

    /// `barrier0.popc`, `.and`, `.or`: the predicate is an integer.
    fn barrier_reduction(&mut self, call: Val<'m>, by: &str) -> Option<Pieces> {
        let by = reduction(by)?;
        let &[value] = &self.all_operands(call)[..] else {
            return None;
        };
        let zero = self.constant(32, 0);
        let predicate = self.compared(Comparison::Ne, false, value, zero);
        let kind = BarrierKind::Reduce(by);
        let opcode = Opcode::Barrier {
            kind,
            aligned: true,
        };
        Some(self.emit(opcode, &[zero, predicate], &[32]))
    }

    /// Results of an instruction in the form that the intrinsic has them.
    fn with_results(
        &mut self,
        call: Val<'m>,
        opcode: Opcode,
        args: &[Value],
        widths: &[u8],
    ) -> Pieces {
        let results = self.emit(opcode, args, widths);
        let wanted = self.widths(call.ty());
        results
            .into_iter()
            .zip(wanted)
            .map(|(piece, width)| self.resized(piece, width, false))
            .collect()
    }

    fn shuffle(&mut self, call: Val<'m>, mode: &str, sync: bool) -> Option<Pieces> {
        let mode = match mode {
            "up" => ShuffleMode::Up,
            "down" => ShuffleMode::Down,
            "bfly" => ShuffleMode::Butterfly,
            "idx" => ShuffleMode::Index,
            _ => return None,
        };
        let args = self.all_operands(call);
        let opcode = Opcode::Shuffle { mode, sync };
        match (&args[..], sync) {
            (&[mask, value, lane, clamp], true) => {
                Some(self.with_results(call, opcode, &[value, lane, clamp, mask], &[32, 1]))
            }
            (&[value, lane, clamp], false) => {
                Some(self.with_results(call, opcode, &[value, lane, clamp], &[32, 1]))
            }
            _ => None,
        }
    }

    fn vote(&mut self, call: Val<'m>, mode: &str, sync: bool) -> Option<Pieces> {
        let mode = match mode {
            "all" => VoteMode::All,
            "any" => VoteMode::Any,
            "uni" => VoteMode::Uniform,
            "ballot" => VoteMode::Ballot,
            _ => return None,
        };
        let args = self.all_operands(call);
        let width = if mode == VoteMode::Ballot { 32 } else { 1 };
        let opcode = Opcode::Vote { mode, sync };
        match (&args[..], sync) {
            (&[mask, predicate], true) => {
                Some(self.with_results(call, opcode, &[predicate, mask], &[width]))
            }
            (&[predicate], false) => Some(self.with_results(call, opcode, &[predicate], &[width])),
            _ => None,
        }
    }

    fn matched(&mut self, call: Val<'m>, kind: &str, width: &str) -> Option<Pieces> {
        let all = match kind {
            "all" => true,
            "any" => false,
            _ => return None,
        };
        let &[mask, value] = &self.all_operands(call)[..] else {
            return None;
        };
        let width = if width.starts_with("i64") { 64 } else { 32 };
        let opcode = Opcode::Match { all, width };
        let widths: &[u8] = if all { &[32, 1] } else { &[32] };
        Some(self.with_results(call, opcode, &[value, mask], widths))
    }

    fn redux(&mut self, call: Val<'m>, operation: &str) -> Option<Pieces> {
        let (op, ty) = match operation {
            "umin" => (AtomicOp::Min, Type::U32),
            "umax" => (AtomicOp::Max, Type::U32),
            "min" => (AtomicOp::Min, Type::S32),
            "max" => (AtomicOp::Max, Type::S32),
            "add" => (AtomicOp::Add, Type::S32),
            "and" => (AtomicOp::And, Type::B32),
            "or" => (AtomicOp::Or, Type::B32),
            "xor" => (AtomicOp::Xor, Type::B32),
            _ => return None,
        };
        let &[value, mask] = &self.all_operands(call)[..] else {
            return None;
        };
        let opcode = Opcode::Redux {
            op,
            ty,
            abs: false,
            nan: false,
        };
        Some(self.with_results(call, opcode, &[value, mask], &[32]))
    }
}
