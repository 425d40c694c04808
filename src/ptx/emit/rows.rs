//! Where my row begins and ends, in the text of a set-up.

use super::region::Writer;
use crate::support::mutation::{Mutation, active};

impl Writer<'_, '_, '_> {
    /// A predicate: `held`, if it is there, and rows are whole groups of so many lanes.
    pub(super) fn whole_groups(&mut self, group: u8, held: Option<String>) -> Option<String> {
        if active(Mutation::RowGroupsUnchecked) {
            return held;
        }
        let width = self.special("%ntid.x");
        let rest = self.word(|new| format!("and.b32 {new}, {width}, {};", group - 1));
        match held {
            None => Some(self.predicate(|new| format!("setp.eq.s32 {new}, {rest}, 0;"))),
            Some(held) => {
                self.push(format!("setp.eq.and.s32 {held}, {rest}, 0, {held};"));
                Some(held)
            }
        }
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
}
