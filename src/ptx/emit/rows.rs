//! Where my row begins and ends, in the text of a set-up.

use super::region::Writer;
use crate::mutation::{Mutation, active};

impl Writer<'_, '_, '_> {
    /// A predicate: `held`, if it is there, and rows are whole groups of so many lanes.
    pub(super) fn whole_groups(&mut self, group: u8, held: Option<String>) -> Option<String> {
        if active(Mutation::RowGroupsUnchecked) {
            return held;
        }
        let rest = self.beyond_groups(group);
        match held {
            None => Some(self.predicate(|new| format!("setp.eq.s32 {new}, {rest}, 0;"))),
            Some(held) => {
                self.push(format!("setp.eq.and.s32 {held}, {rest}, 0, {held};"));
                Some(held)
            }
        }
    }

    /// The threads of a row beyond its last whole group of so many lanes.
    pub(super) fn beyond_groups(&mut self, group: u8) -> String {
        let width = self.special("%ntid.x");
        let rest = group - 1;
        self.word(|new| format!("and.b32 {new}, {width}, {rest};"))
    }

    /// The lane of the last thread of my row: `laneid - tid.x + ntid.x - 1`.
    pub(super) fn last_of_row(&mut self, lane: &str, tid: &str) -> String {
        if active(Mutation::RowCheckDropped) {
            return "31".into();
        }
        let width = self.special("%ntid.x");
        let last = self.of_thread(|new| format!("sub.s32 {new}, {lane}, {tid};"));
        let once = self.once();
        once.push(format!("add.s32 {last}, {last}, {width};"));
        once.push(format!("add.s32 {last}, {last}, -1;"));
        last
    }

    /// The lane of the first thread of my row: `laneid - tid.x`.
    pub(super) fn first_of_row(&mut self, lane: &str, tid: &str) -> String {
        if active(Mutation::RowCheckDropped) {
            return "0".into();
        }
        self.of_thread(|new| format!("sub.s32 {new}, {lane}, {tid};"))
    }

    /// Threads from me to the end of my row: `ntid.x - tid.x`.
    pub(super) fn rest_of_row(&mut self, width: &str, tid: &str) -> String {
        if active(Mutation::RowCheckDropped) {
            return "32".into();
        }
        self.word(|new| format!("sub.s32 {new}, {width}, {tid};"))
    }

    /// The last of the lanes that are present from me upward without a gap, at most the last of my row. My own bit, added to
    /// the mask, is carried over just these.
    pub(super) fn last_present(
        &mut self,
        mask: &str,
        below: &str,
        lane: &str,
        tid: &str,
    ) -> String {
        let run = self.word(|new| format!("add.s32 {new}, {mask}, {below};"));
        self.push(format!("add.s32 {run}, {run}, 1;"));
        self.push(format!("not.b32 {run}, {run};"));
        self.push(format!("and.b32 {run}, {run}, {mask};"));
        self.push(format!("bfind.u32 {run}, {run};"));
        let last = self.last_of_row(lane, tid);
        self.word(|new| format!("min.s32 {new}, {run}, {last};"))
    }

    /// The lane above the highest absent one below me, or the first of my row.
    pub(super) fn first_present(
        &mut self,
        mask: &str,
        below: &str,
        lane: &str,
        tid: &str,
    ) -> String {
        let absent = self.word(|new| format!("not.b32 {new}, {mask};"));
        self.push(format!("and.b32 {absent}, {absent}, {below};"));
        self.push(format!("bfind.u32 {absent}, {absent};"));
        if self.first.is_some() {
            self.push(format!("add.s32 {absent}, {absent}, 1;"));
            let first = self.first_of_row(lane, tid);
            return self.word(|new| format!("max.s32 {new}, {absent}, {first};"));
        }
        let tid = match active(Mutation::RowCheckDropped) {
            true => "32",
            false => tid,
        };
        // Counted down from my own lane: one instruction less on sm_80 than by the first of my row.
        let present = self.word(|new| format!("sub.s32 {new}, {lane}, {absent};"));
        self.push(format!("add.s32 {present}, {present}, -1;"));
        self.push(format!("min.s32 {present}, {present}, {tid};"));
        self.word(|new| format!("sub.s32 {new}, {lane}, {present};"))
    }
}
