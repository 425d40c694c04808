//! Waiting: `.sync` instructions within a warp, and the barriers of a block.

use super::WarningKind;
use super::error::{Fault, Use};
use super::lanes::{LANES, lanes};
use super::machine::{ExecutionResult, Flow, Machine};
use super::observer::Observer;
use super::program::Inst;
use super::state::{BARRIERS, Block, Warp};
use ptxasw_ir::opcode::{BarrierKind, Opcode, VoteOrCount};
use ptxasw_ptx::decode::form::Action;

/// Added to the barrier number of lanes that wait for the rest of their warp before they arrive together.
const ARRIVING: u8 = 0x80;

/// What became of lanes that wait for the others of their mask.
enum Meeting {
    /// All are there.
    Complete(u32),
    /// These have not come.
    Missing(u32),
}

impl<O: Observer> Machine<'_, O> {
    /// Lanes arrive at a `.sync` instruction: they go on when all non-exited lanes of their mask are there.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn arrive_sync(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        on: u32,
        group: u32,
    ) -> ExecutionResult<Flow> {
        let operand = Self::mask_operand(inst).unwrap_or(0);
        let masks = self.fetch_defined(block, w, inst, operand, on, Use::Mask)?;
        let warp = &mut block.warps[w];
        let mut same = true;
        for lane in lanes(on) {
            let mask = masks.values[lane] as u32;
            if let Err(fault) = Self::check_mask(warp.present, lane, mask) {
                return Err(self.fault(block, w, lane, inst, fault));
            }
            warp.masks[lane] = mask;
            same &= mask & !warp.exited == on;
        }
        let first = warp.masks[on.trailing_zeros() as usize % 32];
        let same = same && lanes(on).all(|lane| warp.masks[lane] == first);
        if same {
            self.check_exited(block, w, inst, first)?;
            self.collective(block, w, inst, on)?;
            return Ok(Flow::Next);
        }
        warp.set_pc(group & !on, pc + 1);
        warp.set_pc(on, pc);
        warp.at_sync |= on;
        self.release_sync(block, w)?;
        Ok(Flow::Diverged)
    }

    /// Lets every complete set of waiting lanes go on.
    pub(super) fn release_sync(&mut self, block: &mut Block, w: usize) -> ExecutionResult<()> {
        let mut pending = block.warps[w].at_sync;
        while pending != 0 {
            let lane = pending.trailing_zeros() as usize;
            pending &= pending - 1;
            if let Meeting::Complete(members) = self.meeting(block, w, lane)? {
                pending &= !members;
                self.release_members(block, w, lane, members)?;
            }
        }
        Ok(())
    }

    fn release_members(
        &mut self,
        block: &mut Block,
        w: usize,
        lane: usize,
        members: u32,
    ) -> ExecutionResult<()> {
        let warp = &block.warps[w];
        let (pc, mask) = (warp.pc[lane], warp.masks[lane]);
        let program = self.program;
        if let Some(inst) = program.code.get(pc as usize) {
            self.check_exited(block, w, inst, mask)?;
            self.collective(block, w, inst, members)?;
            for (base, part) in block.warps[w].by_base(members) {
                block.warps[w].registers.base = base;
                self.observer.executed(block, w, pc, inst, part);
            }
        }
        let warp = &mut block.warps[w];
        warp.at_sync &= !members;
        for lane in lanes(members) {
            warp.pc[lane] += 1;
        }
        Ok(())
    }

    /// Whether all whom a waiting lane names wait with it. Two lanes that name each other with different masks at one
    /// instruction can never meet.
    fn meeting(&self, block: &Block, w: usize, lane: usize) -> ExecutionResult<Meeting> {
        let warp = &block.warps[w];
        let (pc, mask) = (warp.pc[lane], warp.masks[lane]);
        let members = mask & !warp.exited;
        let mut missing = members & !warp.at_sync;
        for other in lanes(members & warp.at_sync) {
            if !self.same_instruction(pc, warp.pc[other]) {
                missing |= 1 << other;
            } else if warp.masks[other] != mask {
                if warp.masks[other] >> lane & 1 != 0 {
                    return Err(self.disagreement(block, w, lane, other));
                }
                missing |= 1 << other;
            }
        }
        Ok(match missing {
            0 => Meeting::Complete(members),
            _ => Meeting::Missing(missing),
        })
    }

    /// `bar.warp.sync` meets any other `bar.warp.sync`; everything else itself only.
    fn same_instruction(&self, a: u32, b: u32) -> bool {
        let warp_barrier = |pc: u32| {
            self.program.code.get(pc as usize).is_some_and(|inst| {
                matches!(
                    inst.source.action,
                    Action::Do(Opcode::Barrier {
                        kind: BarrierKind::Warp,
                        ..
                    })
                )
            })
        };
        a == b || (warp_barrier(a) && warp_barrier(b))
    }

    fn disagreement(
        &self,
        block: &Block,
        w: usize,
        lane: usize,
        other: usize,
    ) -> super::ExecutionError {
        let warp = &block.warps[w];
        let fault = Fault::DisagreeingMasks {
            mask: warp.masks[lane],
            other: other as u32,
            others: warp.masks[other],
        };
        self.waiting_fault(block, w, lane, fault)
    }

    fn waiting_fault(
        &self,
        block: &Block,
        w: usize,
        lane: usize,
        fault: Fault,
    ) -> super::ExecutionError {
        let pc = block.warps[w].pc[lane] as usize;
        match self.program.code.get(pc) {
            Some(inst) => self.fault(block, w, lane, inst, fault),
            None => super::error::error(fault),
        }
    }

    /// The error of a machine in which no lane can go on; none if all have finished.
    pub(super) fn deadlock(&self, blocks: &[Block]) -> Option<super::ExecutionError> {
        let waiting = blocks
            .iter()
            .flat_map(|block| (0..block.warps.len()).map(move |w| (block, w)));
        let mut at_barrier = None;
        for (block, w) in waiting {
            let warp = &block.warps[w];
            if let Some(lane) = lanes(warp.at_sync & warp.live()).next() {
                return Some(self.sync_deadlock(block, w, lane));
            }
            if let Some(lane) = lanes(warp.at_barrier & warp.live()).next() {
                at_barrier.get_or_insert((block, w, lane));
            }
        }
        let (block, w, lane) = at_barrier?;
        let barrier = u32::from(block.warps[w].barrier[lane] & !ARRIVING);
        Some(self.waiting_fault(block, w, lane, Fault::BarrierDeadlock(barrier)))
    }

    fn sync_deadlock(&self, block: &Block, w: usize, lane: usize) -> super::ExecutionError {
        let warp = &block.warps[w];
        let mask = warp.masks[lane];
        for other in lanes(mask & warp.at_sync) {
            if self.same_instruction(warp.pc[lane], warp.pc[other]) && warp.masks[other] != mask {
                return self.disagreement(block, w, lane, other);
            }
        }
        match self.meeting(block, w, lane) {
            Ok(Meeting::Missing(missing)) => {
                self.waiting_fault(block, w, lane, Fault::Deadlock { mask, missing })
            }
            Ok(Meeting::Complete(_)) => {
                self.waiting_fault(block, w, lane, Fault::Deadlock { mask, missing: 0 })
            }
            Err(error) => error,
        }
    }

    /// Lanes that have exited may be named, with a warning; the strict rule forbids it.
    fn check_exited(
        &mut self,
        block: &Block,
        w: usize,
        inst: &Inst,
        mask: u32,
    ) -> ExecutionResult<()> {
        let exited = mask & block.warps[w].exited;
        if exited == 0 {
            return Ok(());
        }
        let present = mask & !exited;
        if self.options.strict_masks {
            let fault = Fault::ExitedLanes { mask, exited };
            return Err(self.fault_of(block, w, present, inst, fault));
        }
        let kind = WarningKind::ExitedLanes { mask, exited };
        self.warn(block, w, inst, present, kind);
        Ok(())
    }

    /// Lanes arrive at barriers of the block: without `.aligned` each lane at one of its own.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn arrive_barriers(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        kind: BarrierKind,
        on: u32,
        group: u32,
    ) -> ExecutionResult<Flow> {
        if inst.aligned() || inst.operands.is_empty() {
            return self.arrive_barrier(block, w, pc, inst, kind, on, group);
        }
        let numbers = self.fetch_defined(block, w, inst, 0, on, Use::Mask)?;
        let mut rest = on;
        while rest != 0 {
            let first = numbers.values[rest.trailing_zeros() as usize % 32];
            let same = lanes(rest).filter(|&lane| numbers.values[lane] == first);
            let same = same.fold(0, |mask, lane| mask | 1 << lane);
            rest &= !same;
            self.arrive_barrier(block, w, pc, inst, kind, same, same)?;
        }
        block.warps[w].set_pc(group & !on, pc + 1);
        Ok(Flow::Diverged)
    }

    /// Lanes arrive at one barrier of the block.
    #[allow(clippy::too_many_arguments)]
    fn arrive_barrier(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        kind: BarrierKind,
        on: u32,
        group: u32,
    ) -> ExecutionResult<Flow> {
        let (counted, arrive) = match kind {
            BarrierKind::Sync => (inst.operands.len() > 1, false),
            BarrierKind::Arrive => (true, true),
            BarrierKind::Reduce(_) => (inst.operands.len() > 2, false),
            BarrierKind::Warp | BarrierKind::ClusterArrive | BarrierKind::ClusterWait => {
                return Err(self.not_supported(block, w, on, inst, "no barrier of a block"));
            }
        };
        let number = self.barrier_operand(block, w, inst, 0, on)?;
        if number >= BARRIERS as u64 {
            return Err(self.fault_of(block, w, on, inst, Fault::BadBarrier(number)));
        }
        let expected = match counted {
            true => {
                let count = self.barrier_operand(block, w, inst, 1, on)?;
                if count == 0 || count % 32 != 0 || count > 1024 {
                    return Err(self.fault_of(block, w, on, inst, Fault::BadBarrier(count)));
                }
                Some(count as u32)
            }
            false => None,
        };
        block.barriers[number as usize].expected = expected;
        let warp = &mut block.warps[w];
        warp.set_pc(group & !on, pc + 1);
        if arrive && !(inst.aligned() && on != warp.live()) {
            let count = rounded(warp, on);
            self.count_arrival(block, w, on, number as usize, count);
            self.observer.executed(block, w, pc, inst, on);
            block.warps[w].set_pc(on, pc + 1);
        } else {
            let waits_for = number as u8 | if arrive { ARRIVING } else { 0 };
            warp.set_pc(on, pc);
            warp.at_barrier |= on;
            lanes(on).for_each(|lane| warp.barrier[lane] = waits_for);
        }
        self.release_barriers(block)?;
        Ok(Flow::Diverged)
    }

    fn count_arrival(&mut self, block: &mut Block, w: usize, on: u32, number: usize, count: u32) {
        block.barriers[number].arrived += count;
        self.observer.arrived(block, w, on, number);
    }

    /// Warps execute `bar.arrive` as a whole: lets those arrive of which all lanes have come there.
    fn arrive_together(&mut self, block: &mut Block) {
        for w in 0..block.warps.len() {
            let warp = &block.warps[w];
            let live = warp.live();
            let lane = live.trailing_zeros() as usize % LANES;
            let number = warp.barrier[lane];
            let all = live != 0
                && live & !warp.at_barrier == 0
                && number & ARRIVING != 0
                && warp.lanes_at(live, warp.pc[lane]) == live;
            if !all {
                continue;
            }
            let pc = warp.pc[lane];
            self.count_arrival(block, w, live, usize::from(number & !ARRIVING), 32);
            let program = self.program;
            if let Some(inst) = program.code.get(pc as usize) {
                self.observer.executed(block, w, pc, inst, live);
            }
            let warp = &mut block.warps[w];
            warp.at_barrier &= !live;
            lanes(live).for_each(|lane| warp.pc[lane] += 1);
        }
    }

    /// An operand of a barrier: the same number in all lanes.
    fn barrier_operand(
        &self,
        block: &Block,
        w: usize,
        inst: &Inst,
        index: usize,
        on: u32,
    ) -> ExecutionResult<u64> {
        if inst.operands.is_empty() && index == 0 {
            return Ok(0);
        }
        let column = self.fetch_defined(block, w, inst, index, on, Use::Mask)?;
        let first = column.values[on.trailing_zeros() as usize % 32];
        match lanes(on).find(|&lane| column.values[lane] != first) {
            None => Ok(first),
            Some(lane) => Err(self.fault(block, w, lane, inst, Fault::DivergentBarrier)),
        }
    }

    /// Opens every barrier for which all expected threads are there.
    pub(super) fn release_barriers(&mut self, block: &mut Block) -> ExecutionResult<()> {
        self.arrive_together(block);
        let mut used = 0u16;
        for warp in &block.warps {
            for lane in lanes(warp.at_barrier & warp.live()) {
                if warp.barrier[lane] & ARRIVING == 0 {
                    used |= 1 << (warp.barrier[lane] % BARRIERS as u8);
                }
            }
        }
        for number in (0..BARRIERS).filter(|number| used >> number & 1 != 0) {
            let waiting: u32 = block.warps.iter().map(|w| at(w, number).count_ones()).sum();
            let barrier = block.barriers[number];
            let complete = match barrier.expected {
                Some(expected) => {
                    let here: u32 = block.warps.iter().map(|w| rounded(w, at(w, number))).sum();
                    here + barrier.arrived >= expected
                }
                None => waiting > 0 && block.warps.iter().all(|w| at(w, number) == w.live()),
            };
            if complete {
                self.open_barrier(block, number)?;
            }
        }
        Ok(())
    }

    fn open_barrier(&mut self, block: &mut Block, number: usize) -> ExecutionResult<()> {
        self.check_alignment(block, number)?;
        self.reduce(block, number)?;
        self.observer.barrier(block, number);
        self.report_barrier(block, number);
        block.barriers[number] = Default::default();
        for warp in &mut block.warps {
            let here = at(warp, number);
            warp.at_barrier &= !here;
            lanes(here).for_each(|lane| warp.pc[lane] += 1);
        }
        Ok(())
    }

    /// Reports to the observer which lanes go on after a barrier.
    fn report_barrier(&mut self, block: &mut Block, number: usize) {
        let program = self.program;
        for w in 0..block.warps.len() {
            for (base, mut waiting) in block.warps[w].by_base(at(&block.warps[w], number)) {
                block.warps[w].registers.base = base;
                while waiting != 0 {
                    let warp = &block.warps[w];
                    let pc = warp.pc[waiting.trailing_zeros() as usize];
                    let together = warp.lanes_at(waiting, pc);
                    waiting &= !together;
                    if let Some(inst) = program.code.get(pc as usize) {
                        self.observer.executed(block, w, pc, inst, together);
                    }
                }
            }
        }
    }

    /// `bar` and `barrier.aligned` want all threads of a warp at the same instruction.
    fn check_alignment(&self, block: &Block, number: usize) -> ExecutionResult<()> {
        for (w, warp) in block.warps.iter().enumerate() {
            let here = at(warp, number);
            let aligned = lanes(here).find(|&lane| {
                let inst = self.program.code.get(warp.pc[lane] as usize);
                inst.is_some_and(Inst::aligned)
            });
            if let Some(lane) = aligned
                && warp.lanes_at(here, warp.pc[lane]) != warp.live()
            {
                return Err(self.waiting_fault(block, w, lane, Fault::DivergentBarrier));
            }
        }
        Ok(())
    }

    /// `bar.red`: the predicates of all waiting threads.
    fn reduce(&mut self, block: &mut Block, number: usize) -> ExecutionResult<()> {
        let program = self.program;
        let mut count = 0u64;
        let mut threads = 0u64;
        let mut readers = Vec::new();
        for w in 0..block.warps.len() {
            for lane in lanes(at(&block.warps[w], number)) {
                let warp = &mut block.warps[w];
                warp.registers.base = warp.base[lane];
                let Some(inst) = program.code.get(warp.pc[lane] as usize) else {
                    continue;
                };
                let Action::Do(Opcode::Barrier {
                    kind: BarrierKind::Reduce(how),
                    ..
                }) = inst.source.action
                else {
                    continue;
                };
                let last = inst.operands.len().saturating_sub(1);
                let votes = self.fetch_defined(block, w, inst, last, 1 << lane, Use::Decision)?;
                count += votes.values[lane] & 1;
                threads += 1;
                readers.push((w, lane, inst, how));
            }
        }
        for (w, lane, inst, how) in readers {
            let result = match how {
                VoteOrCount::Popc => count,
                VoteOrCount::And => u64::from(count == threads),
                VoteOrCount::Or => u64::from(count > 0),
            };
            if let Some(Some(dst)) = inst.results.first() {
                let warp = &mut block.warps[w];
                let base = warp.base[lane];
                warp.registers.write_lane(base, *dst, lane, result, 0);
            }
        }
        Ok(())
    }
}

/// Lanes of a warp that wait at a barrier.
pub(super) fn at(warp: &Warp, number: usize) -> u32 {
    lanes(warp.at_barrier & warp.live())
        .filter(|&lane| usize::from(warp.barrier[lane]) == number)
        .fold(0, |m, lane| m | 1 << lane)
}

/// Thread counts of barriers are in whole warps: a warp of which all are there counts 32.
fn rounded(warp: &Warp, here: u32) -> u32 {
    if here != 0 && here == warp.live() {
        32
    } else {
        here.count_ones()
    }
}
