//! The barrier of a cluster (PTX ISA, "barrier.cluster"). A cluster is one block here.
//!
//! A thread that waits goes on when all threads of the cluster have arrived as often as it has; threads that have exited
//! count as arrived.

use super::lanes::lanes;
use super::machine::{Flow, Machine};
use super::observer::Observer;
use super::state::Block;

impl<O: Observer> Machine<'_, O> {
    /// `barrier.cluster.arrive`
    pub(super) fn arrive_cluster(&mut self, block: &mut Block, w: usize, on: u32) {
        let warp = &mut block.warps[w];
        lanes(on).for_each(|lane| warp.cluster_arrivals[lane] += 1);
        self.observer.arrived_at_cluster(block, w, on);
        self.release_cluster(block);
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
        self.release_cluster(block);
        Flow::Diverged
    }

    /// Lets those go on for whom all others have arrived.
    pub(super) fn release_cluster(&mut self, block: &mut Block) {
        if block.warps.iter().all(|warp| warp.at_cluster == 0) {
            return;
        }
        let arrivals = block.warps.iter().flat_map(|warp| {
            let live = lanes(warp.live());
            live.map(|lane| warp.cluster_arrivals[lane])
        });
        let complete = arrivals.min().unwrap_or(u32::MAX);
        for w in 0..block.warps.len() {
            let warp = &mut block.warps[w];
            let done =
                lanes(warp.at_cluster).filter(|&lane| warp.cluster_arrivals[lane] <= complete);
            let done = done.fold(0, |mask, lane| mask | 1 << lane);
            warp.at_cluster &= !done;
            lanes(done).for_each(|lane| warp.pc[lane] += 1);
            if done != 0 {
                self.observer.left_cluster(block, w, done);
            }
        }
    }
}
