//! Stores.

use super::access::thread_number;
use super::error::{Fault, Use};
use super::lanes::lanes;
use super::locate::Request;
use super::machine::{ExecutionResult, Machine};
use super::memory::{MemoryLocation, Writer};
use super::observer::{Observer, TouchKind, Touched};
use super::poison::byte_mask;
use super::program::Inst;
use super::state::Block;
use ptxasw_ir::opcode::Access;
use ptxasw_ir::types::Space;

impl<O: Observer> Machine<'_, O> {
    /// `st`. Undefined bytes may go to shared and local memory, and are read from there as undefined.
    pub(super) fn store(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        access: &Access,
        on: u32,
    ) -> ExecutionResult<()> {
        let size = self.element_size(block, w, inst, access.ty, on)?;
        let address = self.fetch_defined(block, w, inst, 0, on, Use::Address)?;
        for i in access.accessed().map(usize::from) {
            let values = self.fetch(block, w, inst, i + 1)?;
            for lane in lanes(on) {
                let place = self
                    .element(block, w, lane, access, address.values[lane], i)
                    .map_err(|f| self.fault(block, w, lane, inst, f))?;
                let mut undefined = 0;
                if values.poison >> lane & 1 != 0 {
                    let src = inst.operands[i + 1];
                    let bytes = block.warps[w].registers.poison_bytes(src, lane);
                    undefined = bytes & byte_mask(access.ty.bits);
                }
                let value = values.values[lane];
                let region = &self.arena(block, w, lane, place.space).regions[place.region];
                let touched = Touched {
                    thread: thread_number(block, w, lane),
                    place,
                    bytes: size as u32,
                    kind: TouchKind::Store,
                    unchanged: O::VALUES && region.holds(place.offset, size, value, undefined),
                };
                self.observer.touched(block, inst, touched);
                self.put(block, w, lane, pc, inst, place, size, value, undefined)?;
            }
        }
        Ok(())
    }

    /// Finds the bytes of an element that a lane stores. Where elements are skipped, only those that are written need to be there;
    /// the whole access is aligned all the same.
    fn element(
        &self,
        block: &Block,
        w: usize,
        lane: usize,
        access: &Access,
        base: u64,
        element: usize,
    ) -> Result<MemoryLocation, Fault> {
        let whole = Request {
            space: access.space,
            address: base.wrapping_add_signed(access.offset),
            bytes: access.bytes(),
            write: true,
        };
        let skip = element * access.element_bytes() as usize;
        if access.skipped == 0 {
            let mut place = self.locate(block, w, lane, whole)?;
            place.offset += skip;
            return Ok(place);
        }
        let Request { address, bytes, .. } = whole;
        if address % u64::from(bytes) != 0 {
            return Err(Fault::Misaligned { address, bytes });
        }
        let part = Request {
            address: address.wrapping_add(skip as u64),
            bytes: access.element_bytes(),
            ..whole
        };
        self.locate(block, w, lane, part)
    }

    /// Writes the bytes of one lane and notes who did it.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn put(
        &mut self,
        block: &mut Block,
        w: usize,
        lane: usize,
        pc: u32,
        inst: &Inst,
        place: MemoryLocation,
        size: usize,
        value: u64,
        undefined: u8,
    ) -> ExecutionResult<()> {
        let global = place.space == Space::Global;
        if undefined != 0 && global && !self.options.undefined_results {
            return Err(self.fault(block, w, lane, inst, Fault::Undefined(Use::Store)));
        }
        let thread = thread_number(block, w, lane);
        let region = self.region_mut(block, w, lane, place);
        region.write(place.offset, size, value, undefined);
        if global {
            let writer = Writer {
                thread: thread as u32 + 1,
                instruction: pc,
            };
            region.note(place.offset, size, writer);
        }
        Ok(())
    }
}
