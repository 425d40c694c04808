//! Vector clocks over the threads of a grid, compact where the threads of a warp are equal.
//!
//! Each thread counts epochs: a new one begins whenever it lets others know of what it has done. A clock says for each
//! thread up to which epoch its accesses are known to come before.

use crate::lanes::LANES;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The position of a thread in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) block: u32,
    /// Warp of the block.
    pub(super) warp: u32,
    pub(super) lane: u32,
}

/// The epochs of the threads of one warp.
#[derive(Clone, Debug, PartialEq, Eq)]
enum WarpClock {
    Uniform(u32),
    Lanes(Box<[u32; LANES]>),
}

/// The epochs of the threads of one block; warps after the last are at 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BlockClock {
    warps: Vec<WarpClock>,
}

/// Epochs by thread; 0 for those of whom nothing is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    blocks: BTreeMap<u32, Rc<BlockClock>>,
}

impl WarpClock {
    fn lanes(&mut self) -> &mut [u32; LANES] {
        if let WarpClock::Uniform(epoch) = *self {
            *self = WarpClock::Lanes(Box::new([epoch; LANES]));
        }
        match self {
            WarpClock::Lanes(lanes) => lanes,
            WarpClock::Uniform(_) => unreachable!("made individual above"),
        }
    }

    fn join(&mut self, other: &WarpClock) {
        match (&mut *self, other) {
            (WarpClock::Uniform(a), WarpClock::Uniform(b)) => *a = (*a).max(*b),
            (_, WarpClock::Uniform(b)) => self.lanes().iter_mut().for_each(|a| *a = (*a).max(*b)),
            (_, WarpClock::Lanes(b)) => {
                for (a, b) in self.lanes().iter_mut().zip(b.iter()) {
                    *a = (*a).max(*b);
                }
            }
        }
    }

    fn raise(&mut self, lanes: u32, epoch: u32) {
        match self {
            WarpClock::Uniform(known) if *known >= epoch => {}
            _ if lanes == u32::MAX => self.join(&WarpClock::Uniform(epoch)),
            _ => {
                for (lane, known) in self.lanes().iter_mut().enumerate() {
                    if lanes >> lane & 1 != 0 {
                        *known = (*known).max(epoch);
                    }
                }
            }
        }
        self.compact();
    }

    /// Back to one number where all are equal.
    fn compact(&mut self) {
        if let WarpClock::Lanes(lanes) = self
            && lanes.iter().all(|&e| e == lanes[0])
        {
            *self = WarpClock::Uniform(lanes[0]);
        }
    }

    fn unordered(&self, lanes: u32, epoch: u32) -> u32 {
        match self {
            WarpClock::Uniform(known) if *known >= epoch => 0,
            WarpClock::Uniform(_) => lanes,
            WarpClock::Lanes(known) => {
                let late = known.iter().enumerate().filter(|&(_, &k)| k < epoch);
                late.fold(0, |m, (lane, _)| m | 1 << lane) & lanes
            }
        }
    }
}

impl BlockClock {
    fn warp(&mut self, warp: u32) -> &mut WarpClock {
        let index = warp as usize;
        if self.warps.len() <= index {
            self.warps.resize(index + 1, WarpClock::Uniform(0));
        }
        &mut self.warps[index]
    }

    fn join(&mut self, other: &BlockClock) {
        for (warp, clock) in other.warps.iter().enumerate() {
            self.warp(warp as u32).join(clock);
        }
    }
}

impl Clock {
    /// The lanes of those asked for whose accesses in this epoch are not known to come before.
    pub(super) fn unordered(&self, block: u32, warp: u32, lanes: u32, epoch: u32) -> u32 {
        self.blocks
            .get(&block)
            .and_then(|b| b.warps.get(warp as usize))
            .map_or(lanes, |clock| clock.unordered(lanes, epoch))
    }

    /// Adds what another clock knows.
    pub(super) fn join(&mut self, other: &Clock) {
        for (&block, clock) in &other.blocks {
            match self.blocks.get_mut(&block) {
                None => {
                    self.blocks.insert(block, Rc::clone(clock));
                }
                Some(known) if Rc::ptr_eq(known, clock) => {}
                Some(known) => Rc::make_mut(known).join(clock),
            }
        }
    }

    /// Adds lanes of a warp up to an epoch.
    pub(super) fn raise(&mut self, block: u32, warp: u32, lanes: u32, epoch: u32) {
        let clock = self.blocks.entry(block).or_default();
        Rc::make_mut(clock).warp(warp).raise(lanes, epoch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_know_the_epochs_that_were_raised() {
        let mut clock = Clock::default();
        assert_eq!(clock.unordered(3, 1, 0b11, 1), 0b11);
        clock.raise(3, 1, 0b01, 4);
        assert_eq!(clock.unordered(3, 1, 0b11, 4), 0b10);
        assert_eq!(clock.unordered(3, 1, 0b11, 5), 0b11);
        assert_eq!(clock.unordered(3, 0, 0b1, 1), 0b1);
        clock.raise(3, 1, u32::MAX, 2);
        assert_eq!(clock.unordered(3, 1, u32::MAX, 2), 0);
        assert_eq!(clock.unordered(3, 1, u32::MAX, 3), !1);
    }

    #[test]
    fn joins_take_the_later_epoch_of_each_thread() {
        let (mut a, mut b) = (Clock::default(), Clock::default());
        a.raise(0, 0, 0b0011, 5);
        b.raise(0, 0, 0b0110, 7);
        b.raise(9, 2, u32::MAX, 1);
        let before = b.clone();
        a.join(&b);
        assert_eq!(a.unordered(0, 0, 0b1111, 7), 0b1001);
        assert_eq!(a.unordered(0, 0, 0b1111, 5), 0b1000);
        assert_eq!(a.unordered(9, 2, u32::MAX, 1), 0);
        // What was shared between clocks stays as it was.
        a.raise(9, 2, 1, 8);
        assert_eq!(b.unordered(9, 2, 1, 8), 1);
        assert_eq!(before.unordered(9, 2, 1, 1), 0);
    }

    #[test]
    fn equal_lanes_are_one_number() {
        let mut warp = WarpClock::Uniform(1);
        warp.raise(0xffff, 3);
        assert!(matches!(warp, WarpClock::Lanes(_)));
        warp.raise(0xffff_0000, 3);
        assert_eq!(warp, WarpClock::Uniform(3));
    }
}
