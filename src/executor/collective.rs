//! Instructions that exchange values within a warp.

use super::access::combine_operation;
use super::error::{Fault, Use};
use super::lanes::{Column, lanes};
use super::machine::{ExecutionResult, Machine};
use super::observer::Observer;
use super::program::Inst;
use super::state::Block;
use ptxasw_ir::op::{FloatMode, Op};
use ptxasw_ir::opcode::{AtomicOp, BarrierKind, Opcode, ShuffleMode, VoteMode};
use ptxasw_ir::semantics::{Concrete, apply};
use ptxasw_ir::types::Type;
use ptxasw_ptx::decode::form::Action;

impl<O: Observer> Machine<'_, O> {
    /// The number of the member mask's operand; none for instructions without one.
    pub(super) fn mask_operand(inst: &Inst) -> Option<usize> {
        let Action::Do(opcode) = &inst.source.action else {
            return None;
        };
        match opcode {
            Opcode::Shuffle { sync: true, .. } => Some(3),
            Opcode::Vote { sync: true, .. } | Opcode::Match { .. } | Opcode::Redux { .. } => {
                Some(1)
            }
            Opcode::Elect
            | Opcode::Barrier {
                kind: BarrierKind::Warp,
                ..
            } => Some(0),
            _ => None,
        }
    }

    /// Executes an instruction for the lanes `on` together.
    pub(super) fn collective(
        &mut self,
        block: &mut Block,
        w: usize,
        inst: &Inst,
        on: u32,
    ) -> ExecutionResult<()> {
        let Action::Do(opcode) = &inst.source.action else {
            return Ok(());
        };
        match opcode {
            Opcode::Shuffle { .. } => self.counters.shuffles += 1,
            Opcode::Barrier { .. } => {
                self.observer.warp_barrier(block, w, on);
                return Ok(());
            }
            _ => self.counters.votes += 1,
        }
        let results = match *opcode {
            Opcode::Shuffle { mode, .. } => self.shuffle(block, w, inst, mode, on)?,
            Opcode::Vote { mode, .. } => {
                let votes = self.gather(block, w, inst, 0, on)?;
                [vote(mode, &votes, on), Column::ZERO]
            }
            Opcode::Match { all, width } => {
                let values = self.gather(block, w, inst, 0, on)?;
                match_lanes(all, width, &values, on)
            }
            Opcode::Redux { op, ty, abs, nan } => {
                let Some(op) = reduction(op, ty, nan) else {
                    return Err(self.not_supported(block, w, on, inst, "this reduction"));
                };
                let values = self.gather(block, w, inst, 0, on)?;
                let sign = if abs { 1 << 31 } else { 0 };
                [reduced(&op, &values, sign, on), Column::ZERO]
            }
            Opcode::ActiveMask => [Column::splat(u64::from(on)), Column::ZERO],
            Opcode::Elect => self.elect(on),
            _ => return Err(self.not_supported(block, w, on, inst, "this instruction")),
        };
        for (base, part) in block.warps[w].by_base(on) {
            block.warps[w].registers.base = base;
            for (dst, column) in inst.results.iter().zip(&results) {
                if let Some(dst) = *dst {
                    block.warps[w].registers.write(dst, part, column);
                }
            }
        }
        Ok(())
    }

    /// An operand of lanes that meet, maybe in different activations of a function.
    fn gather(
        &self,
        block: &mut Block,
        w: usize,
        inst: &Inst,
        index: usize,
        on: u32,
    ) -> ExecutionResult<Column> {
        let parts = block.warps[w].by_base(on);
        let mut column = Column::ZERO;
        for (base, part) in parts {
            block.warps[w].registers.base = base;
            let fetched = self.fetch(block, w, inst, index)?;
            if part == on {
                return Ok(fetched);
            }
            for lane in lanes(part) {
                column.values[lane] = fetched.values[lane];
            }
            column.poison |= fetched.poison & part;
        }
        Ok(column)
    }

    /// As [`Machine::gather`], of lanes in which the operand must be defined.
    fn gather_defined(
        &self,
        block: &mut Block,
        w: usize,
        inst: &Inst,
        index: usize,
        on: u32,
    ) -> ExecutionResult<Column> {
        let column = self.gather(block, w, inst, index, on)?;
        match column.poison & on {
            0 => Ok(column),
            undefined => {
                let fault = Fault::Undefined(Use::Decision);
                Err(self.fault_of(block, w, undefined, inst, fault))
            }
        }
    }

    fn shuffle(
        &self,
        block: &mut Block,
        w: usize,
        inst: &Inst,
        mode: ShuffleMode,
        on: u32,
    ) -> ExecutionResult<[Column; 2]> {
        let a = self.gather(block, w, inst, 0, on)?;
        let b = self.gather_defined(block, w, inst, 1, on)?;
        let c = self.gather_defined(block, w, inst, 2, on)?;
        let mut results = [Column::ZERO; 2];
        for lane in lanes(on) {
            let (source, valid) = shuffle_source(mode, lane, b.values[lane], c.values[lane]);
            results[0].values[lane] = a.values[source];
            results[1].values[lane] = u64::from(valid);
            // What an inactive lane gives is unpredictable.
            if (on & !a.poison) >> source & 1 == 0 {
                results[0].poison |= 1 << lane;
            }
        }
        Ok(results)
    }

    /// The first lane leads, counted from one that the adversary has picked for the whole run: the same lanes elect the
    /// same leader every time (PTX ISA, `elect.sync`).
    fn elect(&self, on: u32) -> [Column; 2] {
        let first = self.first_elected % 32;
        let leader = (first + on.rotate_right(first).trailing_zeros()) as usize % 32;
        let mut predicate = Column::ZERO;
        predicate.values[leader] = 1;
        [Column::splat(leader as u64), predicate]
    }

    /// Checks a lane's member mask.
    pub(super) fn check_mask(present: u32, lane: usize, mask: u32) -> Result<(), Fault> {
        if mask >> lane & 1 == 0 {
            return Err(Fault::MaskWithoutSelf { mask });
        }
        match mask & !present {
            0 => Ok(()),
            absent => Err(Fault::MaskOfAbsentLanes { mask, absent }),
        }
    }
}

/// The lane that `shfl` reads, and its predicate (PTX ISA, "Data Movement and Conversion Instructions: shfl.sync").
/// A lane outside the segment's bounds reads itself.
pub(super) fn shuffle_source(mode: ShuffleMode, lane: usize, b: u64, c: u64) -> (usize, bool) {
    let lane = lane as i64;
    let bval = (b & 0x1f) as i64;
    let cval = (c & 0x1f) as i64;
    let segmask = (c >> 8 & 0x1f) as i64;
    let max_lane = (lane & segmask) | (cval & !segmask);
    let min_lane = lane & segmask;
    let (source, valid) = match mode {
        ShuffleMode::Up => (lane - bval, lane - bval >= max_lane),
        ShuffleMode::Down => (lane + bval, lane + bval <= max_lane),
        ShuffleMode::Butterfly => (lane ^ bval, lane ^ bval <= max_lane),
        ShuffleMode::Index => {
            let source = min_lane | (bval & !segmask);
            (source, source <= max_lane)
        }
    };
    let source = if valid { source } else { lane };
    (source as usize & 31, valid)
}

/// A result that all lanes share is undefined as soon as one of them gives an undefined value.
fn joint(mut result: Column, values: &Column, on: u32) -> Column {
    if values.poison & on != 0 {
        result.poison = on;
    }
    result
}

/// The operation of `redux.sync`.
fn reduction(op: AtomicOp, ty: Type, nan: bool) -> Option<Op> {
    match combine_operation(op, ty, false)? {
        Op::Float { op, ty, mode } => Some(Op::Float {
            op,
            ty,
            mode: FloatMode { nan, ..mode },
        }),
        other => Some(other),
    }
}

/// `redux.sync`, with some bits of the values cleared. A single value is combined with itself, so that a NaN becomes the
/// one that all results have.
fn reduced(op: &Op, values: &Column, cleared: u64, on: u32) -> Column {
    let mut members = lanes(on).map(|lane| values.values[lane] & !cleared);
    let first = members.next().unwrap_or(0);
    let combine = |a, b| apply(&mut Concrete, op, &[a, b])[0];
    let idempotent = matches!(op, Op::Float { .. });
    let start = if idempotent {
        combine(first, first)
    } else {
        first
    };
    joint(Column::splat(members.fold(start, combine)), values, on)
}

fn vote(mode: VoteMode, votes: &Column, on: u32) -> Column {
    let ballot = lanes(on)
        .filter(|&lane| votes.values[lane] & 1 != 0)
        .fold(0u32, |m, lane| m | 1 << lane);
    let result = match mode {
        VoteMode::All => u64::from(ballot == on),
        VoteMode::Any => u64::from(ballot != 0),
        VoteMode::Uniform => u64::from(ballot == 0 || ballot == on),
        VoteMode::Ballot => u64::from(ballot),
    };
    joint(Column::splat(result), votes, on)
}

fn match_lanes(all: bool, width: u8, values: &Column, on: u32) -> [Column; 2] {
    let value = |lane: usize| ptxasw_ir::semantics::concrete::cut(width, values.values[lane]);
    let mut results = [Column::ZERO; 2];
    for lane in lanes(on) {
        let equal = lanes(on)
            .filter(|&other| value(other) == value(lane))
            .fold(0u32, |m, other| m | 1 << other);
        let found = !all || equal == on;
        results[0].values[lane] = if found { u64::from(equal) } else { 0 };
        results[1].values[lane] = u64::from(found);
    }
    results.map(|r| joint(r, values, on))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ShuffleMode::{Butterfly, Down, Index, Up};

    #[test]
    fn shuffle_sources() {
        // `shfl.down` over the whole warp: lane 31 keeps its value.
        assert_eq!(shuffle_source(Down, 30, 1, 0x1f), (31, true));
        assert_eq!(shuffle_source(Down, 31, 1, 0x1f), (31, false));
        // A clamp below 31 ends the segment earlier.
        assert_eq!(shuffle_source(Down, 10, 1, 10), (10, false));
        assert_eq!(shuffle_source(Down, 9, 1, 10), (10, true));
        // `shfl.up`: the clamp is the lowest lane.
        assert_eq!(shuffle_source(Up, 0, 1, 0), (0, false));
        assert_eq!(shuffle_source(Up, 5, 2, 0), (3, true));
        assert_eq!(shuffle_source(Up, 5, 2, 4), (5, false));
        // Segments of eight lanes: mask 0x18.
        assert_eq!(shuffle_source(Down, 14, 1, 0x181f), (15, true));
        assert_eq!(shuffle_source(Down, 15, 1, 0x181f), (15, false));
        assert_eq!(shuffle_source(Up, 8, 1, 0x1800), (8, false));
        assert_eq!(shuffle_source(Index, 21, 3, 0x181f), (19, true));
        assert_eq!(shuffle_source(Index, 21, 0x1b, 0x181f), (19, true));
        assert_eq!(shuffle_source(Index, 3, 12, 10), (3, false));
        assert_eq!(shuffle_source(Butterfly, 5, 3, 0x1f), (6, true));
        assert_eq!(shuffle_source(Butterfly, 5, 16, 15), (5, false));
        // Only five bits of the lane operand count.
        assert_eq!(shuffle_source(Down, 3, 0x21, 0x1f), (4, true));
    }

    #[test]
    fn votes() {
        let mut votes = Column::ZERO;
        votes.values[1] = 1;
        votes.values[2] = 1;
        assert_eq!(vote(VoteMode::Ballot, &votes, 0b111).values[0], 0b110);
        assert_eq!(vote(VoteMode::All, &votes, 0b111).values[0], 0);
        assert_eq!(vote(VoteMode::All, &votes, 0b110).values[1], 1);
        assert_eq!(vote(VoteMode::Any, &votes, 0b001).values[0], 0);
        assert_eq!(vote(VoteMode::Uniform, &votes, 0b001).values[0], 1);
        votes.poison = 0b1000;
        assert_eq!(vote(VoteMode::Any, &votes, 0b111).poison, 0);
        assert_eq!(vote(VoteMode::Any, &votes, 0b1111).poison, 0b1111);
    }

    #[test]
    fn matches() {
        let mut values = Column::ZERO;
        values.values[2] = 7;
        let any = match_lanes(false, 32, &values, 0b111);
        assert_eq!(any[0].values[..3], [0b011, 0b011, 0b100]);
        let all = match_lanes(true, 32, &values, 0b011);
        assert_eq!((all[0].values[0], all[1].values[0]), (0b011, 1));
        let not_all = match_lanes(true, 32, &values, 0b111);
        assert_eq!((not_all[0].values[0], not_all[1].values[0]), (0, 0));
    }
}
