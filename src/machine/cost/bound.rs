//! The least time that a multiprocessor needs for what its warps ask of it, whatever their order: what pipes, schedulers, L1, L2 and
//! memory take one after the other.
//!
//! The replay lists only some iterations of a loop, and may find the pipes empty more often than they are.

use super::arch::Gpu;
use super::operation::{Cause, Op, Unit, Work};
use super::timeline::SCHEDULERS;

/// How long all warps together occupy one resource.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Need {
    /// The scheduler, pipe or memory level.
    pub name: &'static str,
    /// Busy cycles.
    pub cycles: f64,
    /// The cause of waits where this resource is the limiter.
    pub cause: Cause,
}

/// Cycles that `warps` warps keep each pipe and each level of memory busy. `memory_rate` is the multiprocessor's share of memory,
/// in bytes for each cycle.
pub fn needs(ops: &[Op], gpu: &Gpu, warps: u64, memory_rate: f64) -> Vec<Need> {
    let mut issue = 0.0;
    let mut units = [0.0; Unit::COUNT];
    let (mut passes, mut l2, mut memory) = (0.0, 0.0, 0.0);
    for op in ops {
        issue += op.weight;
        match op.work {
            Work::Compute(unit) => units[unit as usize] += op.weight * unit.interval(gpu),
            Work::Shared(count) => passes += op.weight * count,
            Work::Shuffle => passes += op.weight,
            Work::Load(load) => {
                let bytes = load.missing * load.missed * 32.0;
                passes += op.weight * load.passes;
                l2 += op.weight * bytes / gpu.l2_bytes_per_cycle.value;
                memory += op.weight * bytes * load.from_memory;
            }
            Work::Store {
                sectors,
                from_memory,
            } => {
                passes += op.weight;
                l2 += op.weight * sectors * gpu.store_sector.value;
                memory += op.weight * from_memory * 32.0;
            }
            Work::Constant | Work::Barrier => {}
        }
    }
    let each = warps.div_ceil(SCHEDULERS as u64) as f64;
    let all = warps as f64;
    let need = |name, cycles, cause| Need {
        name,
        cycles,
        cause,
    };
    let mut needs = vec![need("schedulers", issue * each, Cause::Pipe)];
    let units = Unit::ALL.into_iter().zip(units);
    needs.extend(units.map(|(unit, cycles)| need(unit.name(), cycles * each, Cause::Pipe)));
    needs.extend([
        need(
            "loads, stores, shuffles",
            passes * gpu.pass.value * all,
            Cause::L1,
        ),
        need("L2", l2 * all, Cause::L2),
        need("memory", memory / memory_rate * all, Cause::Memory),
    ]);
    needs
}

/// The least time for all that is asked for, and what it goes by on.
pub fn bound(needs: &[Need]) -> (f64, Cause) {
    let most = |most: (f64, Cause), one: &Need| match most.0 < one.cycles {
        true => (one.cycles, one.cause),
        false => most,
    };
    needs.iter().fold((0.0, Cause::Pipe), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(ops: &[Op], gpu: &Gpu, warps: u64, memory_rate: f64) -> (f64, Cause) {
        super::bound(&needs(ops, gpu, warps, memory_rate))
    }

    fn op(work: Work, weight: f64) -> Op {
        Op {
            weight,
            ..Op::alone(work)
        }
    }

    #[test]
    fn what_is_asked_for_most_decides() {
        let gpu = Gpu::of(90).unwrap();
        let single = op(Work::Compute(Unit::Single), 1000.0);
        let load = Work::Load(crate::cost::operation::Load {
            passes: 1.0,
            missing: 1.0,
            missed: 4.0,
            from_memory: 1.0,
        });
        // 64 warps are sixteen for each scheduler.
        assert_eq!(bound(&[single], &gpu, 64, 16.0), (16000.0, Cause::Pipe));
        assert_eq!(bound(&[single], &gpu, 1, 16.0), (1000.0, Cause::Pipe));
        let (cycles, cause) = bound(&[single, op(load, 1000.0)], &gpu, 64, 16.0);
        assert_eq!(cause, Cause::Memory);
        assert!((cycles - 64.0 * 1000.0 * 128.0 / 16.0).abs() < 1e-6);
        assert_eq!(bound(&[], &gpu, 64, 16.0).0, 0.0);
    }
}
