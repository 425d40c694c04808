//! The set-up of a region: its member mask, and the operands that tell corner lanes from covered ones.
//!
//! Wrappings F, F31 and R compute the clamp of `shfl.sync` per lane, so that the shuffle's own predicate is exactly
//! "my source lane can be used": own lane as clamp makes a lane a corner for every delta. The paper's wrapping compares
//! for each shuffle instead. See CONTRACT.md, "Schemes".

use super::code::{Code, fold_checks};
use super::narrow::fold_failures;
use super::registers::{Class, Registers};
use super::setup::{Corner, Setup};
use crate::shuffle::plan::{Check, Region, Wrapping};
use crate::support::mutation::{Mutation, active};

/// A mask that is made in front of the set-up, by ballots.
pub struct Tracked<'m, 'c> {
    /// Its register.
    pub mask: &'m str,
    /// What stands where the first of its masks is read, outside of all loops; none if there are several such places.
    pub first: Option<&'c mut Code>,
}

/// Writes the set-up of `region`. `source_checks`: some source of the region narrows the clamp by checks of its own.
pub fn set_up(
    region: &Region,
    source_checks: bool,
    tracked: Option<Tracked>,
    code: &mut Code,
    registers: &mut Registers,
) -> Setup {
    let (mask, first) = match tracked {
        Some(tracked) => (Some(tracked.mask), tracked.first),
        None => (None, None),
    };
    let mut writer = Writer {
        region,
        mask,
        code,
        first,
        registers,
    };
    let mut ring = None;
    let setup = match region.wrapping {
        _ if !region.shifts() => writer.mask_only(),
        Wrapping::Full => writer.full(source_checks),
        Wrapping::Row => writer.row(),
        Wrapping::AnyRow => writer.any_row(),
        Wrapping::WholeRows => writer.whole_rows(),
        Wrapping::Paper => writer.paper(),
        Wrapping::Halo => {
            let (setup, found) = match region.copy {
                Some(_) => writer.halo_in_copy(),
                None => writer.halo(),
            };
            ring = Some(found);
            setup
        }
    };
    let together = region
        .group
        .map(|group| writer.together(&setup.mask, group));
    Setup {
        together,
        ring,
        ..setup
    }
}

/// A predicate that must hold in all lanes of a warp that enters the region's copy, besides that all are there.
pub fn entry_condition(
    region: &Region,
    code: &mut Code,
    registers: &mut Registers,
) -> Option<String> {
    if !region.shifts() || region.wrapping != Wrapping::Halo {
        return None;
    }
    let mut writer = Writer {
        region,
        mask: None,
        code,
        first: None,
        registers,
    };
    writer.halo_condition()
}

/// The instructions of one set-up.
pub(super) struct Writer<'r, 'c, 'p> {
    pub(super) region: &'r Region,
    mask: Option<&'r str>,
    pub(super) code: &'c mut Code,
    /// See [`Tracked::first`].
    pub(super) first: Option<&'c mut Code>,
    registers: &'c mut Registers<'p>,
}

impl Writer<'_, '_, '_> {
    /// A new word, set by the line that `line` writes for its name.
    pub(super) fn word(&mut self, line: impl FnOnce(&str) -> String) -> String {
        self.code.word(self.registers, line)
    }

    /// A new predicate.
    pub(super) fn predicate(&mut self, line: impl FnOnce(&str) -> String) -> String {
        let name = self.registers.fresh(Class::Predicate);
        self.code.push(line(&name));
        name
    }

    pub(super) fn push(&mut self, line: String) {
        self.code.push(line);
    }

    /// Where what does not change while a thread runs is computed: not again in each iteration of a loop.
    pub(super) fn once(&mut self) -> &mut Code {
        match &mut self.first {
            Some(first) => first,
            None => self.code,
        }
    }

    /// A new word that depends on nothing but the thread.
    pub(super) fn of_thread(&mut self, line: impl FnOnce(&str) -> String) -> String {
        let name = self.registers.fresh(Class::Word);
        self.once().push(line(&name));
        name
    }

    pub(super) fn special(&mut self, name: &str) -> String {
        self.of_thread(|new| format!("mov.u32 {new}, {name};"))
    }

    pub(super) fn lane(&mut self) -> String {
        if active(Mutation::LaneOfTid) {
            let lane = self.special("%tid.x");
            self.once().push(format!("and.b32 {lane}, {lane}, 31;"));
            return lane;
        }
        self.special("%laneid")
    }

    pub(super) fn active_mask(&mut self) -> String {
        if active(Mutation::FullMask) {
            return "-1".into();
        }
        if let Some(mask) = self.mask {
            return mask.into();
        }
        self.word(|new| format!("activemask.b32 {new};"))
    }

    /// A predicate: the mask names the whole warp, and the region's checks hold.
    pub(super) fn whole_warp(&mut self, mask: &str) -> String {
        let mask = if active(Mutation::MaskNotTested) {
            "-1"
        } else {
            mask
        };
        // The assembler makes one instruction of the mask's test and that of one sign.
        let checks = &self.region.checks;
        let sign = checks.iter().position(Check::is_sign);
        let (tested, all) = match sign {
            None => (mask.to_string(), -1),
            Some(at) => {
                let register = &checks[at].register;
                let negative = self.word(|new| format!("and.b32 {new}, {register}, -2147483648;"));
                let absent = self.word(|new| format!("not.b32 {new}, {mask};"));
                self.push(format!("or.b32 {absent}, {absent}, {negative};"));
                (absent, 0)
            }
        };
        let whole = self.predicate(|new| format!("setp.eq.s32 {new}, {tested}, {all};"));
        let (first, rest) = match sign {
            None => (&checks[..0], &checks[..]),
            Some(at) => (&checks[..at], &checks[at + 1..]),
        };
        [first, rest].into_iter().fold(whole, |held, checks| {
            fold_checks(checks, Some(held), self.code, self.registers).unwrap_or_default()
        })
    }

    /// A predicate: the region's checks hold; none if there are none.
    pub(super) fn checked(&mut self) -> Option<String> {
        fold_checks(&self.region.checks, None, self.code, self.registers)
    }

    /// The clamps, each an operand for a direction that the region has.
    pub(super) fn clamps(
        &mut self,
        mut down: impl FnMut(&mut Self) -> String,
        mut up: impl FnMut(&mut Self) -> String,
    ) -> Corner {
        Corner::Clamp {
            down: self.region.down.then(|| down(self)),
            up: self.region.up.then(|| up(self)),
        }
    }

    /// `clamp` where `predicate` holds, else the own lane.
    pub(super) fn select(&mut self, clamp: &str, lane: &str, predicate: &Option<String>) -> String {
        match predicate {
            Some(predicate) => {
                self.word(|new| format!("selp.b32 {new}, {clamp}, {lane}, {predicate};"))
            }
            None => clamp.to_string(),
        }
    }

    /// No shift asks for a clamp.
    fn mask_only(&mut self) -> Setup {
        // In a copy all lanes are there.
        let whole = self.region.copy.is_some() || self.region.wrapping == Wrapping::Full;
        let mask = match whole {
            true => "-1".to_string(),
            false => self.active_mask(),
        };
        let (down, up) = (None, None);
        Setup {
            mask,
            lane: String::new(),
            corner: Corner::Clamp { down, up },
            together: None,
            ring: None,
        }
    }

    /// The predicate of lanes whose warp is here as a whole, in rows of whole groups: the lanes of a group are then one after
    /// the other in one row (see `shuffle::lanes`).
    fn together(&mut self, mask: &str, group: u8) -> String {
        // The assembler sees through a comparison of two immediates.
        let whole = self.whole_warp(mask);
        match group {
            1 => whole,
            _ => self.whole_groups(group, Some(whole)).unwrap_or_default(),
        }
    }

    /// All lanes are here; rows that are proved to be whole warps need nothing else.
    fn full(&mut self, source_checks: bool) -> Setup {
        let mask = "-1".to_string();
        if self.region.whole_rows {
            let needed = source_checks || !self.region.checks.is_empty();
            let lane = if needed { self.lane() } else { String::new() };
            let holds = self.checked();
            let corner = self.clamps(
                |w| w.select("31", &lane, &holds),
                |w| w.select("0", &lane, &holds),
            );
            return Setup::shifts(mask, lane, corner);
        }
        let lane = self.lane();
        let tid = self.special("%tid.x");
        let holds = self.checked();
        let corner = self.clamps(
            |w| {
                let last = w.last_of_row(&lane, &tid);
                let clamp = w.word(|new| format!("min.s32 {new}, {last}, 31;"));
                w.select(&clamp, &lane, &holds)
            },
            |w| {
                let first = w.first_of_row(&lane, &tid);
                let clamp = w.word(|new| format!("max.s32 {new}, {first}, 0;"));
                w.select(&clamp, &lane, &holds)
            },
        );
        Setup::shifts(mask, lane, corner)
    }

    /// R: all lanes are here and my row reaches both ends of the warp that matter.
    fn row(&mut self) -> Setup {
        let mask = self.active_mask();
        let lane = self.lane();
        let tid = self.special("%tid.x");
        let ok = self.whole_warp(&mask);
        if self.region.down && !active(Mutation::RowCheckDropped) {
            let width = self.special("%ntid.x");
            // tid.x of lane 31, were it in my row.
            let last = self.of_thread(|new| format!("sub.s32 {new}, {tid}, {lane};"));
            self.once().push(format!("add.s32 {last}, {last}, 31;"));
            self.push(format!("setp.lt.and.s32 {ok}, {last}, {width}, {ok};"));
        }
        if self.region.up && !active(Mutation::RowCheckDropped) {
            self.push(format!("setp.ge.and.s32 {ok}, {tid}, {lane}, {ok};"));
        }
        let ok = Some(ok);
        let corner = self.clamps(
            |w| w.select("31", &lane, &ok),
            |w| w.select("0", &lane, &ok),
        );
        Setup::shifts(mask, lane, corner)
    }

    /// F: all lanes are here; the clamps are the ends of my row.
    fn any_row(&mut self) -> Setup {
        let mask = self.active_mask();
        let lane = self.lane();
        let tid = self.special("%tid.x");
        let ok = self.whole_warp(&mask);
        let corner = self.clamps(
            |w| {
                let last = w.last_of_row(&lane, &tid);
                w.inner(&ok, &lane, |new| format!("min.s32 {new}, {last}, 31;"))
            },
            |w| {
                let first = w.first_of_row(&lane, &tid);
                if w.first.is_some() {
                    return w.inner(&ok, &lane, |new| format!("max.s32 {new}, {first}, 0;"));
                }
                // My own lane is not below 0: no second copy of it is needed.
                let first = w.word(|new| format!("selp.b32 {new}, {first}, {lane}, {ok};"));
                w.word(|new| format!("max.s32 {new}, {first}, 0;"))
            },
        );
        Setup::shifts(mask, lane, corner)
    }

    /// The clamp that `line` writes where `ok` holds, else the own lane.
    fn inner(&mut self, ok: &str, lane: &str, line: impl FnOnce(&str) -> String) -> String {
        if self.first.is_some() {
            let clamp = self.of_thread(line);
            return self.word(|new| format!("selp.b32 {new}, {clamp}, {lane}, {ok};"));
        }
        let clamp = self.word(|new| format!("mov.u32 {new}, {lane};"));
        self.push(format!("@{ok} {}", line(&clamp)));
        clamp
    }

    /// F31: all lanes are here, and rows are whole warps.
    fn whole_rows(&mut self) -> Setup {
        let mask = self.active_mask();
        let lane = self.lane();
        let ok = self.whole_warp(&mask);
        let ok = Some(ok);
        let corner = self.clamps(
            |w| w.select("31", &lane, &ok),
            |w| w.select("0", &lane, &ok),
        );
        Setup::shifts(mask, lane, corner)
    }

    /// The paper's wrapping: lanes of an incomplete warp are corners for every delta.
    fn paper(&mut self) -> Setup {
        let mask = self.active_mask();
        let lane = self.lane();
        let all = self.predicate(|new| format!("setp.ne.s32 {new}, {mask}, -1;"));
        let all = fold_failures(&self.region.checks, None, &all, self.code, self.registers);
        let tid = match active(Mutation::RowCheckDropped) {
            true => "32".into(),
            false => self.special("%tid.x"),
        };
        let rest = self.region.down.then(|| {
            let width = self.special("%ntid.x");
            self.rest_of_row(&width, &tid)
        });
        let corner = Corner::Compare {
            all,
            lane: lane.clone(),
            rest,
            tid: self.region.up.then_some(tid),
        };
        Setup::shifts(mask, lane, corner)
    }
}
