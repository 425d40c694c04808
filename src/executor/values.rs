//! Operands and pure operations.

use super::error::{Fault, Use};
use super::lanes::{Column, LANES, lanes};
use super::machine::{ExecutionResult, Machine};
use super::memory::{WINDOW_BYTES, window};
use super::observer::Observer;
use super::poison::{byte_mask, poison_of};
use super::program::{Dst, Inst, MAX_OPERANDS, Src};
use super::state::Block;
use ptxasw_ir::op::Op;
use ptxasw_ir::semantics::concrete::{cut, signed_value};
use ptxasw_ir::semantics::{Concrete, apply, result_widths};
use ptxasw_ir::types::{LaneMask, Space, Special};
use ptxasw_ptx::decode::special_name;

/// Most results of an operation: `mov` into a vector of eight.
const MAX_RESULTS: usize = 8;
/// Operands of most operations, which have one result: others need larger arrays.
const USUAL_OPERANDS: usize = 3;

impl<O: Observer> Machine<'_, O> {
    /// Operand number `index` in all lanes. Lanes outside the group have values without meaning.
    pub(super) fn fetch(
        &self,
        block: &Block,
        w: usize,
        inst: &Inst,
        index: usize,
    ) -> ExecutionResult<Column> {
        let Some(&src) = inst.operands.get(index) else {
            return Err(self.not_supported(block, w, 1, inst, "a form without this operand"));
        };
        self.fetch_source(block, w, inst, src)
    }

    /// As [`Machine::fetch`], of an operand of the activation that runs.
    pub(super) fn fetch_source(
        &self,
        block: &Block,
        w: usize,
        inst: &Inst,
        src: Src,
    ) -> ExecutionResult<Column> {
        let warp = &block.warps[w];
        Ok(match src {
            Src::Reg(reg) => warp.registers.read(reg),
            Src::NotReg(reg) => {
                let mut column = warp.registers.read(reg);
                column.values.iter_mut().for_each(|v| *v ^= 1);
                column
            }
            Src::Part {
                reg,
                bit,
                width,
                signed,
            } => {
                let mut column = warp.registers.read(reg);
                for value in &mut column.values {
                    let part = cut(width, *value >> bit);
                    *value = match signed {
                        true => signed_value(width, part) as u64,
                        false => part,
                    };
                }
                column
            }
            Src::Sum { reg, bits, offset } => {
                let mut column = warp.registers.read(reg);
                for value in &mut column.values {
                    *value = cut(bits, value.wrapping_add_signed(offset));
                }
                column
            }
            Src::Imm(bits) => Column::splat(bits),
            Src::Special(special) => self.special(block, w, special).ok_or_else(|| {
                let name = match special {
                    Special::Other(number) => special_name(number).map(|(name, _)| name),
                    _ => None,
                };
                let what = format!("special register {}", name.unwrap_or("of this name"));
                self.not_supported(block, w, 1, inst, &what)
            })?,
            Src::Frame { variable, offset } => {
                let mut column = Column::ZERO;
                for (value, first) in column.values.iter_mut().zip(warp.local_base) {
                    let address = self.program.layout.local_address(first + variable);
                    *value = address.wrapping_add_signed(offset);
                }
                column
            }
            Src::Unknown(why) => {
                let why = self.program.unknown.get(why as usize);
                let what = format!("the address of {}", why.map_or("a symbol", String::as_str));
                return Err(self.not_supported(block, w, 1, inst, &what));
            }
        })
    }

    /// An operand that must be defined in the lanes of `on`.
    pub(super) fn fetch_defined(
        &self,
        block: &Block,
        w: usize,
        inst: &Inst,
        index: usize,
        on: u32,
        used: Use,
    ) -> ExecutionResult<Column> {
        let column = self.fetch(block, w, inst, index)?;
        match column.poison & on {
            0 => Ok(column),
            undefined => Err(self.fault_of(block, w, undefined, inst, Fault::Undefined(used))),
        }
    }

    fn special(&self, block: &Block, w: usize, special: Special) -> Option<Column> {
        let axis = |dimensions: [u32; 3], axis: u8| {
            let value = dimensions.get(usize::from(axis)).copied().unwrap_or(0);
            Column::splat(u64::from(value))
        };
        let mut column = Column::ZERO;
        let mut each = |f: &dyn Fn(usize) -> u32| {
            for (lane, value) in column.values.iter_mut().enumerate() {
                *value = u64::from(f(lane));
            }
            column
        };
        Some(match special {
            Special::Tid(a) => each(&|lane| {
                block
                    .tid(w as u32, lane)
                    .get(usize::from(a))
                    .copied()
                    .unwrap_or(0)
            }),
            Special::Ntid(a) => axis(block.size, a),
            Special::Ctaid(a) => axis(block.id, a),
            Special::Nctaid(a) => axis(self.launch.grid, a),
            Special::LaneId => each(&|lane| lane as u32),
            Special::WarpId => Column::splat(w as u64),
            Special::NWarpId => Column::splat(block.warps.len() as u64),
            Special::LaneMask(which) => each(&|lane| lane_mask(which, lane)),
            Special::DynamicSharedSize => Column::splat(u64::from(self.launch.dynamic_shared)),
            Special::TotalSharedSize => Column::splat(
                block
                    .shared
                    .regions
                    .iter()
                    .map(|r| r.bytes.len() as u64)
                    .sum(),
            ),
            Special::GridId | Special::SmId => Column::ZERO,
            Special::NSmId => Column::splat(1),
            Special::Clock => Column::splat(self.steps.wrapping_mul(self.pace)),
            Special::Other(number) => match special_name(number)? {
                // A cluster is one block here.
                ("%clusterid", a) => axis(block.id, a),
                ("%nclusterid", a) => axis(self.launch.grid, a),
                ("%cluster_ctaid" | "%cluster_ctarank" | "%is_explicit_cluster", _) => Column::ZERO,
                ("%cluster_nctaid" | "%cluster_nctarank", _) => Column::splat(1),
                _ => return None,
            },
        })
    }

    /// A pure operation.
    pub(super) fn operate(
        &mut self,
        block: &mut Block,
        w: usize,
        inst: &Inst,
        op: &Op,
        on: u32,
    ) -> ExecutionResult<()> {
        let count = inst.widths.len();
        if inst.operands.len() < count || count > MAX_OPERANDS {
            return Err(self.not_supported(block, w, on, inst, "this form"));
        }
        if count <= USUAL_OPERANDS && inst.results.len() <= 1 {
            self.operate_with::<USUAL_OPERANDS, 1>(block, w, inst, op, on)
        } else {
            self.operate_with::<MAX_OPERANDS, MAX_RESULTS>(block, w, inst, op, on)
        }
    }

    /// As [`Machine::operate`], with room for so many operands and results.
    fn operate_with<const OPERANDS: usize, const RESULTS: usize>(
        &mut self,
        block: &mut Block,
        w: usize,
        inst: &Inst,
        op: &Op,
        on: u32,
    ) -> ExecutionResult<()> {
        let count = inst.widths.len();
        let mut columns = [[0; LANES]; OPERANDS];
        let mut undefined = 0;
        for (i, column) in columns[..count].iter_mut().enumerate() {
            match inst.operands[i] {
                Src::Reg(reg) => undefined |= block.warps[w].registers.copy(reg, column),
                Src::Imm(bits) => column.fill(bits),
                _ => {
                    let fetched = self.fetch(block, w, inst, i)?;
                    *column = fetched.values;
                    undefined |= fetched.poison;
                }
            }
            if inst.cut >> i & 1 != 0 {
                let width = inst.widths[i];
                column.iter_mut().for_each(|v| *v = cut(width, *v));
            }
        }
        let mut results = [Column::ZERO; RESULTS];
        match op {
            Op::ToGeneric { space, .. } | Op::FromGeneric { space, .. } => {
                let to = matches!(op, Op::ToGeneric { .. });
                for lane in lanes(on) {
                    results[0].values[lane] = convert_address(*space, to, columns[0][lane]);
                }
            }
            Op::IsSpace { space } => {
                for lane in lanes(on) {
                    let found = self.space_of(block, w, lane, columns[0][lane]);
                    results[0].values[lane] = u64::from(found == *space);
                }
            }
            _ => evaluate(op, on, &columns[..count], &mut results),
        }
        // Before the results are written: one of them may go to a register that is read.
        let marks = poison_of_results(block, w, inst, op, undefined & on, &columns[..count]);
        self.write_results(block, w, inst, op, on, &mut results);
        for (dst, lane, bytes) in marks {
            block.warps[w].registers.set_poison(dst, lane, bytes);
        }
        Ok(())
    }

    /// Writes what an operation gives; conversions fill the rest of a wider register.
    fn write_results(
        &self,
        block: &mut Block,
        w: usize,
        inst: &Inst,
        op: &Op,
        on: u32,
        results: &mut [Column],
    ) {
        for (dst, result) in inst.results.iter().zip(results) {
            let Some(dst) = *dst else { continue };
            if let Op::Convert { to, .. } = op
                && to.signed()
                && dst.ty.bits > to.bits
            {
                for value in &mut result.values {
                    *value = signed_value(to.bits, *value) as u64;
                }
            }
            block.warps[w].registers.write(dst, on, result);
        }
    }
}

/// Applies the operation lane by lane.
fn evaluate(op: &Op, on: u32, columns: &[[u64; LANES]], results: &mut [Column]) {
    let mut args = [0; MAX_OPERANDS];
    let args = &mut args[..columns.len()];
    for lane in lanes(on) {
        for (arg, column) in args.iter_mut().zip(columns) {
            *arg = column[lane];
        }
        let mut values = apply(&mut Concrete, op, args);
        if let Op::Rem { width, .. } = *op
            && args[1] == 0
        {
            // PTX leaves it open. This is what `ptxas` makes of 32 bits, which is not what solvers take it for.
            values[0] = cut(width, u64::MAX);
        }
        for (result, value) in results.iter_mut().zip(values) {
            result.values[lane] = value;
        }
    }
}

fn lane_mask(which: LaneMask, lane: usize) -> u32 {
    let eq = 1u32 << lane;
    let lt = eq - 1;
    match which {
        LaneMask::Eq => eq,
        LaneMask::Lt => lt,
        LaneMask::Le => lt | eq,
        LaneMask::Gt => !(lt | eq),
        LaneMask::Ge => !lt,
    }
}

/// `cvta` and `cvta.to`.
fn convert_address(space: Space, to_generic: bool, address: u64) -> u64 {
    match window(space) {
        None => address,
        Some(base) if to_generic => base.wrapping_add(address),
        Some(base) => address.wrapping_sub(base),
    }
}

/// The space of a generic address (`Global` where it is no window), and the address in it.
pub(super) fn resolve_generic(address: u64) -> (Space, u64) {
    for space in [Space::Shared, Space::Local, Space::ParamEntry] {
        if let Some(base) = window(space)
            && address.wrapping_sub(base) < WINDOW_BYTES
        {
            return (space, address - base);
        }
    }
    (Space::Global, address)
}

/// The undefined bytes of the results of lanes that have an undefined operand.
fn poison_of_results(
    block: &Block,
    w: usize,
    inst: &Inst,
    op: &Op,
    undefined: u32,
    columns: &[[u64; LANES]],
) -> Vec<(Dst, usize, u8)> {
    let (registers, mut marks) = (&block.warps[w].registers, Vec::new());
    if undefined == 0 {
        return marks;
    }
    let widths = result_widths(op);
    for lane in lanes(undefined) {
        let (mut poison, mut args) = ([0; MAX_OPERANDS], [0; MAX_OPERANDS]);
        for (i, &src) in inst.operands.iter().enumerate().take(inst.widths.len()) {
            let used = byte_mask(inst.widths[i]);
            poison[i] = registers.poison_bytes(src, lane) & used;
            args[i] = columns[i][lane];
        }
        for (i, dst) in inst.results.iter().enumerate() {
            if let Some(dst) = *dst {
                let mask = byte_mask(*widths.get(i).unwrap_or(&64));
                let bytes = poison_of(op, i, &poison, &args) & mask;
                marks.push((dst, lane, bytes));
            }
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generic_windows() {
        let generic = convert_address(Space::Shared, true, 0x100);
        assert_eq!(resolve_generic(generic), (Space::Shared, 0x100));
        assert_eq!(convert_address(Space::Shared, false, generic), 0x100);
        assert_eq!(resolve_generic(0x7000_1234_0000).0, Space::Global);
    }
}
