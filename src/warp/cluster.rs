//! The barrier of a cluster (PTX ISA, "barrier.cluster"). A cluster is one block here.
//!
//! A thread that waits goes on when all threads of the cluster have arrived as often as it has; threads that have exited
//! count as arrived.

use super::machine::{Flow, Machine};
use super::observer::Observer;
use super::state::{Block, lanes};

impl<O: Observer> Machine<'_, O> {
    /// `barrier.cluster.arrive`
    pub(super) fn arrive_cluster(&mut self, block: &mut Block, w: usize, on: u32) {
        let warp = &mut block.warps[w];
        lanes(on).for_each(|lane| warp.cluster_arrivals[lane] += 1);
        release_cluster(block);
    }

    /// `barrier.cluster.wait`
    pub(super) fn wait_cluster(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        on: u32,
        group: u32,
    ) -> Flow {
        let warp = &mut block.warps[w];
        warp.set_pc(group & !on, pc + 1);
        warp.set_pc(on, pc);
        warp.at_cluster |= on;
        release_cluster(block);
        Flow::Parted
    }
}

/// Lets those go on for whom all others have arrived.
pub(super) fn release_cluster(block: &mut Block) {
    let waiting = block.warps.iter().any(|warp| warp.at_cluster != 0);
    if !waiting {
        return;
    }
    let arrivals = block.warps.iter().flat_map(|warp| {
        let live = lanes(warp.live());
        live.map(|lane| warp.cluster_arrivals[lane])
    });
    let complete = arrivals.min().unwrap_or(u32::MAX);
    for warp in &mut block.warps {
        for lane in lanes(warp.at_cluster) {
            if warp.cluster_arrivals[lane] <= complete {
                warp.at_cluster &= !(1 << lane);
                warp.pc[lane] += 1;
            }
        }
    }
}
