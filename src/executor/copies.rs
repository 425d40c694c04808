//! Asynchronous copies from global to shared memory (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous
//! copy": `cp.async`, `cp.async.commit_group`, `cp.async.wait_group`, `cp.async.wait_all`).
//!
//! The source is read and the bytes land at any moment between the copy and the wait for it, those of one copy at once,
//! different copies in any order. Lockstep and some adversaries take the last moment, others the first one or any. For who
//! watches, the memory is touched at the wait, whenever the bytes have landed.

use super::asynchronous::{Asynchronous, Form, Landing, Limit, Pending, WORD};
use super::error::{Fault, Use};
use super::lanes::{Column, lanes};
use super::locate::Request;
use super::machine::{ExecutionResult, Machine};
use super::memory::MemoryLocation;
use super::observer::{Observer, TouchKind, Touched};
use super::program::Inst;
use super::state::Block;
use ptxasw_ir::types::Space;

impl<O: Observer> Machine<'_, O> {
    /// An instruction of this module.
    pub(super) fn asynchronous(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        what: Asynchronous,
        on: u32,
    ) -> ExecutionResult<()> {
        match what {
            Asynchronous::Copy(form) => return self.copy(block, w, pc, inst, form, on),
            Asynchronous::Commit => {
                let groups = &mut block.warps[w].copies.groups;
                lanes(on).for_each(|lane| groups[lane] += 1);
            }
            Asynchronous::WaitGroup => {
                let left = self.fetch(block, w, inst, 0)?.values[0];
                let left = u32::try_from(left).unwrap_or(u32::MAX);
                let groups = block.warps[w].copies.groups;
                self.wait(block, w, on, |lane| groups[lane].saturating_sub(left));
            }
            Asynchronous::WaitAll => self.wait(block, w, on, |_| u32::MAX),
        }
        Ok(())
    }

    /// `cp.async`: faults are those of the moment of the copy.
    fn copy(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        form: Form,
        on: u32,
    ) -> ExecutionResult<()> {
        let taken = self.taken(block, w, inst, form, on)?;
        let reading = lanes(on).filter(|&lane| taken.values[lane] > 0);
        let reading = reading.fold(0, |mask, lane| mask | 1 << lane);
        let to = self.fetch_defined(block, w, inst, 0, on, Use::Address)?;
        let from = self.fetch_defined(block, w, inst, 1, reading, Use::Address)?;
        let (bytes, [to_offset, from_offset]) = (form.bytes, form.offsets);
        for lane in lanes(on) {
            let address = to.values[lane].wrapping_add_signed(to_offset);
            let taken = taken.values[lane] as u8;
            let to = Request {
                space: Space::Shared,
                address,
                bytes: bytes.into(),
                write: true,
            };
            let to = self.place_of(block, w, lane, to, bytes);
            let from = (taken > 0).then(|| {
                let from = Request {
                    space: Space::Global,
                    address: from.values[lane].wrapping_add_signed(from_offset),
                    bytes: taken.into(),
                    write: false,
                };
                self.place_of(block, w, lane, from, bytes)
            });
            let failed = |fault| self.fault(block, w, lane, inst, fault);
            let pending = Pending {
                lane: lane as u8,
                group: block.warps[w].copies.groups[lane],
                pc,
                to: to.map_err(failed)?,
                from: from.transpose().map_err(failed)?,
                taken,
                bytes,
                landed: false,
            };
            block.warps[w].copies.pending.push(pending);
            let at_once = match &self.landing {
                Landing::AtOnce => true,
                Landing::Sometime(_) => self.landing.roll(4) == 0,
                Landing::AtWait | Landing::Backwards => false,
            };
            if at_once {
                let last = block.warps[w].copies.pending.len() - 1;
                self.land(block, w, last);
            }
        }
        Ok(())
    }

    /// How many bytes each lane reads.
    fn taken(
        &self,
        block: &Block,
        w: usize,
        inst: &Inst,
        form: Form,
        on: u32,
    ) -> ExecutionResult<Column> {
        let all = u64::from(form.bytes);
        let mut taken = match form.limit {
            Limit::All => return Ok(Column::splat(all)),
            _ => self.fetch_defined(block, w, inst, 3, on, Use::Decision)?,
        };
        for lane in lanes(on) {
            let value = &mut taken.values[lane];
            *value = match form.limit {
                Limit::Ignore => (1 - (*value & 1)) * all,
                _ => u64::from(*value as u32),
            };
            if *value > all {
                let what = "a source larger than the destination";
                return Err(self.not_supported(block, w, 1 << lane, inst, what));
            }
        }
        Ok(taken)
    }

    /// Ends the wait of lanes for all copies of groups before the one that `before` gives for each lane.
    fn wait(&mut self, block: &mut Block, w: usize, on: u32, before: impl Fn(usize) -> u32) {
        let done = |copy: &Pending| {
            let lane = usize::from(copy.lane);
            on >> lane & 1 != 0 && copy.group < before(lane)
        };
        let count = block.warps[w].copies.pending.len();
        let backwards = matches!(self.landing, Landing::Backwards);
        for i in 0..count {
            let index = if backwards { count - 1 - i } else { i };
            if done(&block.warps[w].copies.pending[index]) {
                self.land(block, w, index);
            }
        }
        let pending = &mut block.warps[w].copies.pending;
        let finished: Vec<Pending> = pending.iter().copied().filter(done).collect();
        pending.retain(|copy| !done(copy));
        for copy in finished {
            self.report(block, w, &copy);
        }
    }

    /// The bytes of a copy land, if they have not yet.
    fn land(&mut self, block: &mut Block, w: usize, index: usize) {
        let copy = &mut block.warps[w].copies.pending[index];
        if std::mem::replace(&mut copy.landed, true) {
            return;
        }
        let copy = *copy;
        let mut bytes = copy.from.map_or_else(Default::default, |from| {
            self.global.regions[from.region].bytes_from(from.offset, copy.taken.into())
        });
        bytes.values.resize(copy.bytes.into(), 0);
        bytes.undefined.resize(copy.bytes.into(), 0);
        block.shared.regions[copy.to.region].store_bytes(copy.to.offset, &bytes);
    }

    /// Reports a copy to the observer, word by word.
    fn report(&mut self, block: &Block, w: usize, copy: &Pending) {
        let Some(inst) = self.program.code.get(copy.pc as usize) else {
            return;
        };
        let thread = block.first_thread + w as u64 * 32 + u64::from(copy.lane);
        let read = copy.from.map(|from| (from, copy.taken, TouchKind::Load));
        let written = (copy.to, copy.bytes, TouchKind::Store);
        for (place, bytes, kind) in read.into_iter().chain([written]) {
            for at in (0..bytes).step_by(WORD.into()) {
                let touched = Touched {
                    thread,
                    place: MemoryLocation {
                        offset: place.offset + usize::from(at),
                        ..place
                    },
                    bytes: (bytes - at).min(WORD).into(),
                    kind,
                    unchanged: false,
                };
                self.observer.touched(block, inst, touched);
            }
        }
    }

    /// Between two turns some copies land, if the adversary likes.
    pub(super) fn land_some(&mut self, resident: &mut [Block]) {
        while matches!(self.landing, Landing::Sometime(_)) && self.landing.roll(2) == 0 {
            let mut candidates = Vec::new();
            for (b, block) in resident.iter().enumerate() {
                for (w, warp) in block.warps.iter().enumerate() {
                    let pending = warp.copies.pending.iter().enumerate();
                    let flying = pending.filter(|(_, copy)| !copy.landed);
                    candidates.extend(flying.map(|(i, _)| (b, w, i)));
                }
            }
            let pick = self.landing.roll(candidates.len() as u64) as usize;
            let Some(&(b, w, index)) = candidates.get(pick) else {
                return;
            };
            self.land(&mut resident[b], w, index);
        }
    }

    /// Finds bytes whose address must be a multiple of `align`.
    fn place_of(
        &self,
        block: &Block,
        w: usize,
        lane: usize,
        request: Request,
        align: u8,
    ) -> Result<MemoryLocation, Fault> {
        let address = request.address;
        let place = self.locate(block, w, lane, request)?;
        match address % u64::from(align) {
            0 => Ok(place),
            _ => Err(Fault::Misaligned {
                address,
                bytes: align.into(),
            }),
        }
    }
}
