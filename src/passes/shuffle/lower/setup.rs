//! The set-up of a region: its member mask, and the operands that distinguish corner lanes from covered ones.
//!
//! The clamp of `shfl.sync` is computed per lane, so that the shuffle's own predicate is exactly "my source lane can be used":
//! the own lane as clamp makes a lane a corner for every distance. The paper's scheme compares for each shuffle instead. See
//! CONTRACT.md, "Schemes".

use super::checks;
use super::code::{Code, word};
use super::scheme::{Corner as Corners, Mask, Rows, Scheme};
use crate::shuffle::plan::{Check, Region};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::op::Comparison;
use ptxasw_ir::opcode::VoteMode;
use ptxasw_ir::patch::Ref;
use ptxasw_ir::types::{Special, Type};

/// Threads of a warp.
pub(super) const WARP: u32 = 32;
/// The last lane.
pub(super) const LAST: u32 = WARP - 1;

/// What the shuffles of a region read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setup {
    /// The member mask.
    pub mask: Ref,
    /// The lane, where it was needed.
    pub lane: Option<Ref>,
    /// How corner lanes of shifts are found.
    pub corner: Corner,
    /// For other lane maps the predicate of covered lanes: the whole warp is here, rows are whole groups of lanes.
    pub together: Option<Ref>,
    /// Where a halo load serves corner lanes.
    pub ring: Option<Ring>,
}

/// How corner lanes are found. An operand is there if the region has shuffles of its direction.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Corner {
    /// The shuffle's own predicate, under these clamps.
    Clamp {
        /// The last usable lane, for shifts from higher lanes.
        down: Option<Ref>,
        /// The first usable lane, for shifts from lower lanes.
        up: Option<Ref>,
    },
    /// Compares in front of each shuffle.
    Compare {
        /// A predicate: all distances make this lane a corner.
        all: Ref,
        /// The lane.
        lane: Ref,
        /// `ntid.x - tid.x`, for shifts from higher lanes.
        rest: Option<Ref>,
        /// `tid.x`, for shifts from lower lanes.
        tid: Option<Ref>,
    },
}

/// What the destinations that a halo load serves read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ring {
    /// The predicate of warps that are here as a whole, where rows consist of whole warps: equal in all lanes. None in a copy,
    /// where all are.
    pub whole: Option<Ref>,
    /// The lane.
    pub lane: Ref,
    /// Bit `N` shows that lane `lane + N` is beyond the warp's end: the lane to give is one that loaded the halo.
    pub down: Option<Ref>,
    /// Bit `N` likewise for lane `lane - N`.
    pub up: Option<Ref>,
}

/// What a set-up is made from.
pub(super) struct Writer<'r, 'c, 'n> {
    pub region: &'r Region,
    /// The mask, where it is made in front of the set-up.
    pub tracked: Option<Ref>,
    /// Some source or destination narrows the clamp by checks of its own.
    pub narrowed: bool,
    /// The code in which the set-up is placed.
    pub code: &'c mut Code<'n>,
}

impl Writer<'_, '_, '_> {
    /// Writes the set-up. `thread`: what depends on nothing but the thread, computed where it is not computed again in each
    /// iteration of a loop.
    pub fn write(mut self, thread: Option<Thread>) -> Setup {
        let region = self.region;
        let scheme = Scheme::of(region);
        let mask = match (scheme.mask, self.tracked) {
            (Mask::Whole, _) => word(u32::MAX),
            _ if active(Mutation::FullMask) => word(u32::MAX),
            (Mask::Tracked(_), Some(mask)) => mask,
            _ => self.code.active_mask(None),
        };
        let mut setup = Setup {
            mask,
            lane: None,
            corner: Corner::Clamp {
                down: None,
                up: None,
            },
            together: None,
            ring: None,
        };
        if region.shifts() {
            self.shifts(scheme, thread, &mut setup);
        }
        if let Some(group) = region.group {
            setup.together = Some(self.together(mask, group));
        }
        setup
    }

    fn shifts(&mut self, scheme: Scheme, thread: Option<Thread>, setup: &mut Setup) {
        let region = self.region;
        let plain = (scheme.mask, scheme.rows, scheme.corner)
            == (Mask::Whole, Rows::Whole, Corners::Load)
            && region.checks.is_empty()
            && !self.narrowed;
        let thread = match thread {
            Some(thread) => thread,
            None if plain => Thread::default(),
            None => Thread::read(region, scheme.rows, self.code),
        };
        setup.lane = thread.lane;
        let mut holds = match scheme.mask {
            Mask::Whole if region.copy.is_some() && scheme.corner == Corners::Halo => None,
            Mask::Whole => self.checked(),
            _ => Some(self.whole_warp(setup.mask)),
        };
        match scheme.rows {
            Rows::AskedWhole => holds = self.whole_groups(WARP as u8, holds),
            Rows::AskedReaching => holds = self.reaching(&thread, holds),
            _ => {}
        }
        if scheme.corner == Corners::Halo {
            // Checks are made by all lanes for all: a chain of neighbours leads from the halo to the lane that it stands for.
            if !region.checks.is_empty() {
                let mask = setup.mask;
                holds = holds.map(|holds| self.code.vote(VoteMode::All, holds, mask));
            }
            setup.ring = thread.lane.map(|lane| self.ring(holds, lane));
        }
        setup.corner = match scheme.rows {
            Rows::Compared => self.compared(&thread, holds),
            Rows::Any => Corner::Clamp {
                down: thread.last.map(|last| self.row_end(last, &thread, holds)),
                up: thread
                    .first
                    .map(|first| self.row_start(first, &thread, holds)),
            },
            _ => Corner::Clamp {
                down: region
                    .down
                    .then(|| self.narrow(word(LAST), thread.lane, holds)),
                up: region.up.then(|| self.narrow(word(0), thread.lane, holds)),
            },
        };
    }

    /// `clamp` where the predicate holds, else the own lane.
    fn narrow(&mut self, clamp: Ref, lane: Option<Ref>, holds: Option<Ref>) -> Ref {
        match (holds, lane) {
            (Some(holds), Some(lane)) => self.code.select(32, clamp, lane, holds),
            _ => clamp,
        }
    }

    /// The clamp of rows of any shape: `last` is the lane of the last thread of my row, were the warp long enough. The own lane is
    /// never beyond the end.
    fn row_end(&mut self, last: Ref, thread: &Thread, holds: Option<Ref>) -> Ref {
        match thread.bounded {
            true => self.narrow(last, thread.lane, holds),
            false => {
                let last = self.narrow(last, thread.lane, holds);
                self.code.min(last, word(LAST))
            }
        }
    }

    fn row_start(&mut self, first: Ref, thread: &Thread, holds: Option<Ref>) -> Ref {
        match thread.bounded {
            true => self.narrow(first, thread.lane, holds),
            false => {
                let first = self.narrow(first, thread.lane, holds);
                self.code.max(first, word(0))
            }
        }
    }

    /// My row reaches both ends of the warp that matter.
    fn reaching(&mut self, thread: &Thread, mut holds: Option<Ref>) -> Option<Ref> {
        let (Some(tid), Some(lane)) = (thread.tid, thread.lane) else {
            return holds;
        };
        if active(Mutation::RowCheckDropped) {
            return holds;
        }
        if let Some((last, width)) = thread.last.zip(thread.width) {
            let inside = (last, width);
            holds = Some(self.code.compare(Comparison::Lt, Type::S32, inside, holds));
        }
        if self.region.up {
            holds = Some(
                self.code
                    .compare(Comparison::Ge, Type::S32, (tid, lane), holds),
            );
        }
        holds
    }

    /// The paper's scheme: lanes of an incomplete warp are corners for every distance.
    fn compared(&mut self, thread: &Thread, holds: Option<Ref>) -> Corner {
        let whole = holds.unwrap_or(Ref::Constant(1, 1));
        Corner::Compare {
            all: self.code.not(1, whole),
            lane: thread.lane.unwrap_or(word(0)),
            rest: thread.last,
            tid: thread.tid.filter(|_| self.region.up),
        }
    }

    /// A predicate: the mask names the whole warp, and the region's checks hold.
    fn whole_warp(&mut self, mask: Ref) -> Ref {
        let mask = match active(Mutation::MaskNotTested) {
            true => word(u32::MAX),
            false => mask,
        };
        let checks = &self.region.checks;
        // The assembler makes one instruction of the mask's test and that of one sign.
        let sign = checks.iter().position(Check::is_sign);
        let (tested, all) = match sign {
            None => (mask, u32::MAX),
            Some(at) => checks::mask_and_sign(mask, &checks[at], self.code),
        };
        let mut whole = Some(self.code.equals(tested, all, None));
        for (index, check) in checks.iter().enumerate() {
            if Some(index) != sign {
                whole = checks::hold(std::slice::from_ref(check), whole, self.code);
            }
        }
        whole.unwrap_or(Ref::Constant(1, 1))
    }

    /// A predicate: the region's checks hold; none if there are none.
    pub fn checked(&mut self) -> Option<Ref> {
        checks::hold(&self.region.checks, None, self.code)
    }

    /// A predicate: `held`, if it is there, and rows are whole groups of so many lanes.
    pub fn whole_groups(&mut self, group: u8, held: Option<Ref>) -> Option<Ref> {
        if active(Mutation::RowGroupsUnchecked) {
            return held;
        }
        let width = self.code.special(Special::Ntid(0));
        let rest = self.code.and(32, width, word(u32::from(group) - 1));
        Some(self.code.equals(rest, 0, held))
    }

    /// The predicate of lanes whose warp is here as a whole, in rows of whole groups: the lanes of a group are then one after
    /// the other in one row (see `shuffle::prove::lanes`).
    fn together(&mut self, mask: Ref, group: u8) -> Ref {
        let whole = self.whole_warp(mask);
        match group {
            1 => whole,
            _ => self.whole_groups(group, Some(whole)).unwrap_or(whole),
        }
    }

    fn ring(&mut self, whole: Option<Ref>, lane: Ref) -> Ring {
        // A shift by 32 gives 0.
        let down = (self.region.down).then(|| self.code.shl(word(u32::MAX - 1), lane));
        let up = self.region.up.then(|| {
            let left = self.code.sub(32, word(WARP), lane);
            self.code.shl(word(u32::MAX), left)
        });
        Ring {
            whole,
            lane,
            down,
            up,
        }
    }
}

/// What depends on nothing but the thread.
#[derive(Clone, Copy, Default)]
pub(super) struct Thread {
    pub lane: Option<Ref>,
    tid: Option<Ref>,
    width: Option<Ref>,
    /// Where rows are of any shape: the lanes of the first and the last thread of my row. For [`Rows::AskedReaching`] `tid.x` of
    /// lane 31, were it in my row; for [`Rows::Compared`] the threads from me to the end of my row.
    first: Option<Ref>,
    last: Option<Ref>,
    /// First and last are lanes of the warp.
    bounded: bool,
}

impl Thread {
    /// Reads what the set-up of a region needs.
    pub fn read(region: &Region, rows: Rows, code: &mut Code) -> Self {
        let mut thread = Thread {
            lane: Some(lane(code)),
            ..Thread::default()
        };
        let dropped = active(Mutation::RowCheckDropped);
        if matches!(rows, Rows::Whole | Rows::AskedWhole) {
            return thread;
        }
        let (Some(lane), tid) = (thread.lane, code.special(Special::Tid(0))) else {
            return thread;
        };
        thread.tid = Some(tid);
        if region.down {
            thread.width = Some(code.special(Special::Ntid(0)));
        }
        match (rows, thread.width) {
            (Rows::Any, _) if dropped => {
                thread.last = region.down.then_some(word(LAST));
                thread.first = region.up.then_some(word(0));
            }
            (Rows::Any, width) => {
                let first = code.sub(32, lane, tid);
                thread.first = region.up.then_some(first);
                thread.last = width.map(|width| {
                    let end = code.add(32, first, width);
                    code.add(32, end, word(u32::MAX))
                });
            }
            (Rows::AskedReaching, Some(_)) => {
                let first = code.sub(32, tid, lane);
                thread.last = Some(code.add(32, first, word(LAST)));
            }
            (Rows::Compared, Some(width)) => {
                thread.last = Some(match dropped {
                    true => word(WARP),
                    false => code.sub(32, width, tid),
                });
            }
            _ => {}
        }
        if dropped && rows == Rows::Compared {
            thread.tid = Some(word(WARP));
        }
        thread
    }

    /// As they are in a loop: with the ends of rows within the warp.
    pub fn bounded(mut self, rows: Rows, code: &mut Code) -> Self {
        if rows == Rows::Any {
            self.last = self.last.map(|last| code.min(last, word(LAST)));
            self.first = self.first.map(|first| code.max(first, word(0)));
            self.bounded = true;
        }
        self
    }
}

fn lane(code: &mut Code) -> Ref {
    if active(Mutation::LaneOfTid) {
        let tid = code.special(Special::Tid(0));
        return code.and(32, tid, word(LAST));
    }
    code.special(Special::LaneId)
}
