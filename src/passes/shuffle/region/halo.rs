//! Scheme `halo`: one more load after the source serves the corner lanes of its destinations.
//!
//! What lanes at one end of the warp would load at the destinations, lanes at its other end load after the source, for all
//! destinations at once. Source and destinations must be control-equivalent, in one iteration: they are in one basic
//! block, none is predicated, and nothing between them orders memory, waits, ends the thread or is unknown (C3 has seen to
//! stores). Then only bytes are read that the same launch reads anyway, and they are the same. Whatever does not meet the
//! conditions keeps its corner load at the destination.
//!
//! The destinations of a source read `addr_S + s*N` in their own thread, `s` one constant, for `N = 1 ... K` and
//! `-1 ... -M`. By C1 with `N = 1`, addresses grow by `s` from lane to lane of a whole warp in one row. Lane `j < K` loads
//! `addr_S + 32*s`, which is what lane 31 would load for `N = j+1`; lane `32-j`, `0 < j <= M`, loads `addr_S - 32*s`,
//! which is what lane 0 would load for `N = -j`.

use super::kernel::Kernel;
use crate::shuffle::model::proved::Proved;
use crate::shuffle::plan::{Halo, Plan, Region, Wrapping};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::certificate::Structural;
use ptxasw_emulator::term::Terms;
use ptxasw_emulator::trace::Event;
use ptxasw_ir::function::{BlockId, Function, InstId, ValueDef};
use ptxasw_ir::opcode::Opcode;
use rustc_hash::FxHashMap;

/// Threads of a warp.
const WARP: i64 = 32;
/// Bits of the only values that the scheme moves.
const WORD: u8 = 32;

/// Decides for each shuffle of the plan whether a halo serves it; `proved` are the plan's shuffles, in its order.
pub(super) fn mark(kernel: &Kernel, terms: &mut Terms, plan: &mut Plan, proved: &[Proved]) {
    let is_halo = |region: &Region| region.wrapping == Wrapping::Halo;
    if !plan.regions.iter().any(is_halo) {
        return;
    }
    let marker = Marker {
        kernel,
        obstacles: obstacles(kernel.function),
    };
    let mut steps: Vec<Vec<StridedDestination>> = vec![Vec::new(); plan.sources.len()];
    for (index, proved) in proved.iter().enumerate().take(plan.shuffles.len()) {
        let ([part], [of]) = (&*plan.shuffles[index].parts, &*proved.parts) else {
            continue;
        };
        let number = part.source as usize;
        let Some(source) = plan.sources.get(number) else {
            continue;
        };
        let region = plan.regions.get(source.region as usize);
        let checked = !plan.shuffles[index].checks.is_empty() || !source.checks.is_empty();
        if checked || !region.is_some_and(is_halo) {
            continue;
        }
        let (from, to) = (
            (kernel.events)(of.source),
            (kernel.events)(proved.destination),
        );
        let movable = marker.movable(from, to) && marker.has_pointer(from);
        let Some(delta) = proved.lanes.shift().filter(|_| movable) else {
            continue;
        };
        steps[number].extend(
            step(terms, from, to, delta).map(|stride| StridedDestination {
                shuffle: index,
                delta,
                stride,
            }),
        );
    }
    for (number, steps) in steps.iter().enumerate() {
        halo(plan, number, steps);
    }
    for shuffle in plan.shuffles.iter_mut().filter(|shuffle| shuffle.upward) {
        let stride = shuffle.parts.first().and_then(|part| {
            let halo = plan.sources.get(part.source as usize)?.halo?;
            Some(halo.stride)
        });
        if let (Some(certificate), Some(stride)) = (&mut shuffle.certificate, stride) {
            certificate.structural.push(Structural {
                condition: "C3".into(),
                line: None,
                how: format!("{HALO}; addresses are {stride} bytes apart from lane to lane"),
            });
        }
    }
}

/// In certificates.
const HALO: &str = "the halo load is placed behind the source: same block, no guard, nothing between that orders memory, waits \
                    or ends the thread; it reads what lanes 0 and 31 would read at the destinations";

/// A destination `delta` steps of `stride` bytes from its source.
#[derive(Clone, Copy)]
struct StridedDestination {
    shuffle: usize,
    delta: i8,
    stride: i64,
}

/// The bytes from lane to lane, if the destination's address is so many lanes away from the source's in one thread.
fn step(terms: &mut Terms, source: &Event, destination: &Event, delta: i8) -> Option<i64> {
    let apart = terms.difference(source.address?, destination.address?)? as i64;
    let stride = apart / i64::from(delta);
    (delta != 0 && stride * i64::from(delta) == apart).then_some(stride)
}

/// The halo of one source: the longest run of distances from 1 upward and from -1 downward.
fn halo(plan: &mut Plan, source: usize, steps: &[StridedDestination]) {
    let Some(stride) = steps
        .iter()
        .find(|step| step.delta.abs() == 1)
        .map(|step| step.stride)
        .filter(|&stride| fits_offset(stride))
    else {
        return;
    };
    let there = |delta: i64| {
        let mut found = steps.iter();
        found.any(|step| i64::from(step.delta) == delta && step.stride == stride)
    };
    let run = |sign: i64, most: i64| (1..=most).take_while(|&n| there(sign * n)).count() as i64;
    let down = run(1, WARP - 1);
    let up = run(-1, WARP - 1 - down);
    for step in steps {
        let delta = i64::from(step.delta);
        plan.shuffles[step.shuffle].upward = step.stride == stride && (-up..=down).contains(&delta);
    }
    if let Some(source) = plan.sources.get_mut(source) {
        source.halo = Some(Halo {
            down: down as u8 + u8::from(active(Mutation::HaloReadsBeyond)),
            up: up as u8,
            stride,
        });
    }
}

/// Whether a halo load's address differs by what an instruction can add.
fn fits_offset(stride: i64) -> bool {
    stride
        .checked_mul(WARP)
        .is_some_and(|far| i32::try_from(far.unsigned_abs()).is_ok())
}

struct Marker<'k, 'a> {
    kernel: &'k Kernel<'a>,
    /// Statements of each block that no load moves across, in order.
    obstacles: FxHashMap<BlockId, Vec<u32>>,
}

impl Marker<'_, '_> {
    /// Whether what corner lanes load at the destination can be loaded after the source as well.
    fn movable(&self, source: &Event, destination: &Event) -> bool {
        let clear = |from: u32, to: u32| {
            let at = self.obstacles.get(&source.block);
            at.is_none_or(|at| {
                let next = at.partition_point(|&at| at <= from);
                at.get(next).is_none_or(|&next| next > to)
            })
        };
        source.block == destination.block
            && source.position < destination.position
            && source.carried.is_none()
            && !source.guarded
            && !destination.guarded
            && self.is_word(source.inst)
            && self.is_word(destination.inst)
            && clear(source.origin, destination.origin)
    }

    fn is_word(&self, load: InstId) -> bool {
        let function = self.kernel.function;
        let inst = function.inst(load);
        let Opcode::Load(access) = &inst.opcode else {
            return false;
        };
        let [result] = *inst.results else {
            return false;
        };
        let word = access.ty.bits == WORD && access.elements == 1;
        let loaded = self.kernel.text.loaded(inst.origin);
        let held = loaded.is_some_and(|loaded| {
            let elements = &loaded.elements[..];
            matches!(elements, [Some(element)] if element.exact)
        });
        word && held && function.value(result).width == WORD
    }

    /// Whether the source's address is in a register of 64 bits.
    fn has_pointer(&self, source: &Event) -> bool {
        let function = self.kernel.function;
        // The warp's other end is less than 2^32 bytes from it.
        let offset = source.load().map(|access| access.offset);
        if offset.is_none_or(|offset| i32::try_from(offset).is_err()) {
            return false;
        }
        function
            .inst(source.inst)
            .args
            .first()
            .is_some_and(|&base| {
                let base = function.value(base);
                let named = matches!(base.def, ValueDef::Result(..) | ValueDef::Parameter(..));
                named && base.width == 64
            })
    }
}

/// What loads must not be moved across.
fn obstacles(function: &Function) -> FxHashMap<BlockId, Vec<u32>> {
    let mut found: FxHashMap<BlockId, Vec<u32>> = FxHashMap::default();
    for inst in &function.insts {
        let harmless = match &inst.opcode {
            Opcode::Op(_) | Opcode::Store(_) | Opcode::Nop | Opcode::ActiveMask => true,
            Opcode::Load(access) => access.order.is_weak(),
            _ => false,
        };
        if !harmless {
            found.entry(inst.block).or_default().push(inst.origin);
        }
    }
    for statements in found.values_mut() {
        statements.sort_unstable();
    }
    found
}
