//! Loads and atomics.

use super::counters::SECTOR_BYTES;
use super::error::{Fault, Use};
use super::lanes::{Column, lanes};
use super::locate::Request;
use super::machine::{ExecutionResult, Machine};
use super::observer::{Observer, TouchKind, Touched};
use super::poison::byte_mask;
use super::program::Inst;
use super::state::Block;
use ptxasw_ir::op::{FloatMode, FloatOp, Op};
use ptxasw_ir::opcode::{Access, AtomicOp, Opcode};
use ptxasw_ir::semantics::concrete::signed_value;
use ptxasw_ir::semantics::{Concrete, apply};
use ptxasw_ir::types::{Space, Type};

/// Number of a thread in the grid.
pub(super) fn thread_number(block: &Block, w: usize, lane: usize) -> u64 {
    block.first_thread + w as u64 * 32 + lane as u64
}

impl<O: Observer> Machine<'_, O> {
    /// `ld`
    pub(super) fn load(
        &mut self,
        block: &mut Block,
        w: usize,
        inst: &Inst,
        access: &Access,
        on: u32,
    ) -> ExecutionResult<()> {
        match access.elements {
            1 => self.load_elements::<1>(block, w, inst, access, on),
            _ => self.load_elements::<8>(block, w, inst, access, on),
        }
    }

    /// As [`Machine::load`], of at most so many elements.
    fn load_elements<const MOST: usize>(
        &mut self,
        block: &mut Block,
        w: usize,
        inst: &Inst,
        access: &Access,
        on: u32,
    ) -> ExecutionResult<()> {
        let size = self.element_size(block, w, inst, access.ty, on)?;
        let address = self.fetch_defined(block, w, inst, 0, on, Use::Address)?;
        let elements = usize::from(access.elements).min(MOST);
        let mut results = [Column::ZERO; MOST];
        let mut poison = [[0u8; 32]; MOST];
        let mut sectors = Sectors::default();
        for lane in lanes(on) {
            let request = Request {
                space: access.space,
                address: address.values[lane].wrapping_add_signed(access.offset),
                bytes: access.bytes(),
                write: false,
            };
            let place = self
                .locate(block, w, lane, request)
                .map_err(|f| self.fault(block, w, lane, inst, f))?;
            if place.space == Space::Global {
                sectors.add(request.address, request.bytes);
            }
            let touched = Touched {
                thread: thread_number(block, w, lane),
                place,
                bytes: request.bytes,
                kind: TouchKind::Load,
                unchanged: false,
            };
            self.observer.touched(block, inst, touched);
            let region = &self.arena(block, w, lane, place.space).regions[place.region];
            for (i, result) in results[..elements].iter_mut().enumerate() {
                if access.non_coherent && region.is_written(place.offset + i * size, size) {
                    let address = request.address;
                    return Err(self.fault(block, w, lane, inst, Fault::NotConstant { address }));
                }
                let (value, mut undefined) = region.read(place.offset + i * size, size);
                if let Some(used) = inst.source.used_bytes {
                    undefined |= !(used >> (i * size)) as u8 & byte_mask(access.ty.bits);
                }
                result.values[lane] = value;
                poison[i][lane] = undefined;
            }
        }
        self.count_load(sectors);
        for (i, dst) in inst.results.iter().enumerate().take(elements) {
            let Some(dst) = *dst else { continue };
            if access.ty.signed() && dst.ty.bits > access.ty.bits {
                for value in &mut results[i].values {
                    *value = signed_value(access.ty.bits, *value) as u64;
                }
            }
            let registers = &mut block.warps[w].registers;
            registers.write(dst, on, &results[i]);
            for lane in lanes(on).filter(|&lane| poison[i][lane] != 0) {
                registers.set_poison(dst, lane, poison[i][lane]);
            }
        }
        Ok(())
    }

    fn count_load(&mut self, sectors: Sectors) {
        if sectors.lanes != 0 {
            self.counters.global_loads += 1;
            self.counters.global_load_lanes += sectors.lanes;
            self.counters.global_load_sectors += sectors.count();
        }
    }

    /// `atom` and `red`: the lanes one after the other, in an order that the adversary may choose.
    pub(super) fn atomic(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        opcode: &Opcode,
        on: u32,
    ) -> ExecutionResult<()> {
        let Opcode::Atomic {
            op,
            ty,
            space,
            offset,
            ..
        } = *opcode
        else {
            return Ok(());
        };
        let size = self.element_size(block, w, inst, ty, on)?;
        let address = self.fetch_defined(block, w, inst, 0, on, Use::Address)?;
        let b = self.fetch_defined(block, w, inst, 1, on, Use::Store)?;
        let c = match op {
            AtomicOp::CompareExchange => self.fetch_defined(block, w, inst, 2, on, Use::Store)?,
            _ => Column::ZERO,
        };
        let mut old = Column::ZERO;
        for lane in self.shuffled(on) {
            let request = Request {
                space,
                address: address.values[lane].wrapping_add_signed(offset),
                bytes: size as u32,
                write: true,
            };
            let place = self
                .locate(block, w, lane, request)
                .map_err(|f| self.fault(block, w, lane, inst, f))?;
            let touched = Touched {
                thread: thread_number(block, w, lane),
                place,
                bytes: request.bytes,
                kind: TouchKind::Atomic,
                unchanged: false,
            };
            self.observer.touched(block, inst, touched);
            let arena = self.arena(block, w, lane, place.space);
            let (before, undefined) = arena.regions[place.region].read(place.offset, size);
            let ftz = place.space == Space::Global;
            let after = combine(op, ty, ftz, before, b.values[lane], c.values[lane])
                .ok_or_else(|| self.not_supported(block, w, 1 << lane, inst, "this atomic"))?;
            // Undefined bytes go on, but for an exchange, which does not look at them.
            let still = if op == AtomicOp::Exchange {
                0
            } else {
                undefined
            };
            self.put(block, w, lane, pc, inst, place, size, after, still)?;
            old.values[lane] = before;
            if undefined != 0 {
                old.poison |= 1 << lane;
            }
        }
        if let Some(Some(dst)) = inst.results.first() {
            block.warps[w].registers.write(*dst, on, &old);
        }
        Ok(())
    }

    /// The lanes of a mask, in the adversary's order if there is one.
    fn shuffled(&mut self, mask: u32) -> Vec<usize> {
        let mut order: Vec<usize> = lanes(mask).collect();
        if let Some(random) = &mut self.random {
            for i in (1..order.len()).rev() {
                order.swap(i, random.below(i as u64 + 1) as usize);
            }
        }
        order
    }

    pub(super) fn element_size(
        &self,
        block: &Block,
        w: usize,
        inst: &Inst,
        ty: Type,
        on: u32,
    ) -> ExecutionResult<usize> {
        match ty.bits {
            8 | 16 | 32 | 64 => Ok(usize::from(ty.bits / 8)),
            _ => Err(self.not_supported(block, w, on, inst, "memory elements of this width")),
        }
    }
}

/// What an atomic leaves in memory; none for types that it does not have.
fn combine(op: AtomicOp, ty: Type, ftz: bool, old: u64, b: u64, c: u64) -> Option<u64> {
    combine_operation(op, ty, ftz).map_or_else(
        || match op {
            AtomicOp::Exchange => Some(b),
            AtomicOp::CompareExchange => Some(if old == b { c } else { old }),
            AtomicOp::Inc => Some(if old >= b { 0 } else { old + 1 }),
            AtomicOp::Dec => Some(if old == 0 || old > b { b } else { old - 1 }),
            _ => None,
        },
        |op| apply(&mut Concrete, &op, &[old, b]).first().copied(),
    )
}

/// The pure operation that an atomic or a reduction applies of two values. `ftz`: in global memory `.f32` sums are flushed
/// (PTX ISA, `atom`: "atom.add.f32 on global memory flushes subnormal inputs and results to sign-preserving zero").
pub(super) fn combine_operation(op: AtomicOp, ty: Type, ftz: bool) -> Option<Op> {
    let (width, signed) = (ty.bits, ty.signed());
    if ty.float() {
        let op = match op {
            AtomicOp::Add => FloatOp::Add,
            AtomicOp::Min => FloatOp::Min,
            AtomicOp::Max => FloatOp::Max,
            _ => return None,
        };
        let mode = FloatMode {
            ftz: ftz && ty == Type::F32,
            ..FloatMode::NEAREST
        };
        return Some(Op::Float { op, ty, mode });
    }
    let relu = false;
    Some(match op {
        AtomicOp::Add => Op::Add { width },
        AtomicOp::Min => Op::Min {
            width,
            signed,
            relu,
        },
        AtomicOp::Max => Op::Max {
            width,
            signed,
            relu,
        },
        AtomicOp::And => Op::And { width },
        AtomicOp::Or => Op::Or { width },
        AtomicOp::Xor => Op::Xor { width },
        _ => return None,
    })
}

/// The distinct sectors that the lanes of one load touch.
#[derive(Default)]
struct Sectors {
    lanes: u64,
    numbers: smallvec::SmallVec<[u64; 64]>,
}

impl Sectors {
    fn add(&mut self, address: u64, bytes: u32) {
        self.lanes += 1;
        let last = (address + u64::from(bytes) - 1) / SECTOR_BYTES;
        for sector in address / SECTOR_BYTES..=last {
            if self.numbers.last() != Some(&sector) {
                self.numbers.push(sector);
            }
        }
    }

    fn count(mut self) -> u64 {
        if !self.numbers.is_sorted() {
            self.numbers.sort_unstable();
        }
        self.numbers.dedup();
        self.numbers.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atomics() {
        let of = |op, old, b, c| combine(op, Type::U32, false, old, b, c);
        assert_eq!(of(AtomicOp::Add, 0xffff_ffff, 2, 0), Some(1));
        assert_eq!(of(AtomicOp::Inc, 5, 5, 0), Some(0));
        assert_eq!(of(AtomicOp::Inc, 4, 5, 0), Some(5));
        assert_eq!(of(AtomicOp::Dec, 0, 5, 0), Some(5));
        assert_eq!(of(AtomicOp::Dec, 6, 5, 0), Some(5));
        assert_eq!(of(AtomicOp::Dec, 5, 5, 0), Some(4));
        assert_eq!(of(AtomicOp::CompareExchange, 7, 7, 9), Some(9));
        assert_eq!(of(AtomicOp::CompareExchange, 8, 7, 9), Some(8));
        let min = combine(AtomicOp::Min, Type::S32, false, 0xffff_ffff, 3, 0);
        assert_eq!(min, Some(0xffff_ffff));
        let half = |v: f32| u64::from(v.to_bits());
        let sum = |ftz, a, b| combine(AtomicOp::Add, Type::F32, ftz, a, b, 0);
        assert_eq!(sum(true, half(1.5), half(2.0)), Some(half(3.5)));
        assert_eq!(sum(false, 1, 2), Some(3));
        assert_eq!(sum(true, 1, 2), Some(0));
    }

    #[test]
    fn sectors() {
        let mut sectors = Sectors::default();
        for lane in 0..32 {
            sectors.add(0x100 + 4 * lane, 4);
        }
        assert_eq!((sectors.lanes, sectors.count()), (32, 4));
        let mut reversed = Sectors::default();
        for lane in (0..32).rev() {
            reversed.add(0x11c + 4 * lane, 4);
        }
        assert_eq!(reversed.count(), 5);
    }
}
