//! Replays of sequences that are written down here.

use super::*;
use crate::cost::operation::Load;

/// A load from memory of one sector, and one that needs its result.
fn load(waits: u8) -> Op {
    let load = Load {
        passes: 1.0,
        missing: 1.0,
        missed: 1.0,
        from_memory: 1.0,
    };
    Op {
        write: Some(0),
        waits,
        ..Op::alone(Work::Load(load))
    }
}

fn end() -> Op {
    Op {
        waits: 1,
        ..Op::alone(Work::Compute(Unit::Single))
    }
}

#[test]
fn dependent_loads_cost_a_latency_each_and_independent_ones_one() {
    let gpu = Gpu::of(90).unwrap();
    let latency = gpu.memory_latency.value;
    let cycles = |ops: &[Op]| replay(ops, &gpu, 1, 1, gpu.memory_rate(132.0), false).cycles;
    let chain = cycles(&[load(0), load(1), load(1), load(1), end()]);
    let at_once = cycles(&[load(0), load(0), load(0), load(0), end()]);
    assert!((chain / latency - 4.0).abs() < 0.1, "{chain}");
    assert!((at_once / latency - 1.0).abs() < 0.1, "{at_once}");
}

#[test]
fn many_warps_hide_latency_until_a_pipe_is_full() {
    let gpu = Gpu::of(90).unwrap();
    let doubles = vec![Op::alone(Work::Compute(Unit::Double)); 100];
    let mut ops = vec![load(0)];
    ops.extend(doubles);
    ops.push(end());
    // Cycles of the multiprocessor for each block.
    let rate = |blocks: usize| {
        let replay = replay(&ops, &gpu, blocks, 4, gpu.memory_rate(132.0), true);
        replay.cycles / blocks as f64
    };
    assert!(rate(1) > gpu.memory_latency.value);
    // Each scheduler takes 200 cycles for a block's warp.
    assert!((rate(16) / 200.0 - 1.0).abs() < 0.1, "{}", rate(16));
}

#[test]
fn barriers_wait_for_the_last_warp() {
    let gpu = Gpu::of(90).unwrap();
    let barrier = Op::alone(Work::Barrier);
    let ops = [
        load(0),
        Op {
            waits: 1,
            ..barrier
        },
        end(),
    ];
    let one = replay(&ops, &gpu, 2, 8, gpu.memory_rate(132.0), true);
    let barriers = one.shares[Cause::Barrier as usize];
    assert!(
        one.cycles > gpu.memory_latency.value && barriers > 0.0,
        "{one:?}"
    );
    assert_eq!(one, replay(&ops, &gpu, 2, 8, gpu.memory_rate(132.0), true));
}

#[test]
fn weights_stand_for_executions() {
    let gpu = Gpu::of(90).unwrap();
    let mut ops = vec![load(1); 4];
    let once = replay(&ops, &gpu, 1, 1, gpu.memory_rate(132.0), false).cycles;
    for op in &mut ops {
        op.weight = 10.0;
    }
    let ten = replay(&ops, &gpu, 1, 1, gpu.memory_rate(132.0), false).cycles;
    assert!((ten / once - 10.0).abs() < 0.01);
}
