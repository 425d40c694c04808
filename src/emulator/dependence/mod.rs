//! Memory dependence in one thread: which accesses on the paths between two places may touch certain bytes. All passes that replace,
//! move or drop accesses ask it.
//!
//! | file | what |
//! | --- | --- |
//! | `accesses` | all weak accesses of a function by shape, constant and class, and what orders memory between them |
//! | `paths` | the spans of events between two accesses; the events in front of one, back to a barrier of the thread block |
//! | here | of the stores in a span, those that may write certain bytes |
//!
//! Of the many stores in a span, those that have to be compared one by one are found without a look at the others: objects decide for
//! a whole class, and in an ordered map constants of one shape find what overlaps. What is left is for [`Separation`], whose bounds
//! and solver compare two accesses.
//!
//! [`Separation`]: crate::solver::disjoint::Separation

mod accesses;
mod paths;

pub use accesses::{
    AccessId, Accesses, BlockAccesses, ClassId, Element, MAX_ELEMENT, MemoryAccess, Piece, Place,
    Shape, Stores, overlap,
};
pub use paths::{Between, Counted, Paths};

use crate::domains::alias::{self, Assumptions, Bytes, Harmless};
use ptxasw_ir::function::BlockId;
use ptxasw_ir::loops::{LoopId, LoopNest};
use std::ops::Range;

/// Events of a block at these positions.
pub type Span = (BlockId, Range<u32>);

/// The bytes that must not change, and where they are used.
#[derive(Clone, Copy, Debug)]
pub struct Guarded<'a> {
    /// Where the address has a term, which constants are compared with.
    pub place: Option<Place>,
    /// All bytes of the access.
    pub bytes: &'a Bytes,
    /// The block whose path conditions hold.
    pub here: BlockId,
}

impl Guarded<'_> {
    /// As it is compared with accesses that may be of another iteration: there, one shape may be another address.
    #[must_use]
    pub fn in_iteration(self, other: Option<LoopId>) -> Self {
        Guarded {
            place: self.place.filter(|_| other.is_none()),
            ..self
        }
    }
}

/// The outermost loop around a block whose iterations may be others there than those that an address in `here` speaks of: those that
/// `here` is not in, and those `crossed` on the way.
pub fn other_iteration(
    loops: &LoopNest,
    block: BlockId,
    here: BlockId,
    crossed: &[LoopId],
) -> Option<LoopId> {
    let differs = |id: &LoopId| !loops.contains(*id, here) || crossed.contains(id);
    loops.around(block).filter(differs).last()
}

impl Accesses {
    /// What [`Accesses::stored`] looks at.
    pub fn steps_of_stored(&self, (block, span): &Span) -> usize {
        span.len().min(self.block(*block).stores.len())
    }

    /// The classes of the stores in a span, ascending: by the accesses of the span, or by the classes of the block if those are fewer.
    pub fn stored(&self, (block, span): &Span) -> Vec<ClassId> {
        let listed = self.block(*block);
        if span.len() < listed.stores.len() {
            let run = self.inside(&listed.accesses, span).map(|id| self.get(id));
            let classes = run.filter(|one| one.is_store).map(|one| one.class);
            let mut classes: Vec<ClassId> = classes.collect();
            classes.sort_unstable();
            classes.dedup();
            return classes;
        }
        let position = |id: Option<&AccessId>| id.map(|&id| self.get(id).position);
        let inside = listed.stores.iter().filter(|(_, members)| {
            position(members.all.last()) >= Some(span.start)
                && position(members.all.first()) < Some(span.end)
        });
        inside.map(|(&class, _)| class).collect()
    }

    /// Adds those stores of a class in a span that may write guarded bytes, as far as objects and constants decide it; of more than
    /// `most` only some. Or else why none of the class writes them.
    pub fn may_write(
        &self,
        class: ClassId,
        (block, span): &Span,
        guarded: &Guarded,
        assumed: Assumptions,
        most: usize,
        open: &mut Vec<AccessId>,
    ) -> Option<Harmless> {
        let own = self.class(class);
        let how = alias::objects_apart(&own.bytes, guarded.bytes, assumed);
        let members = self.block(*block).stores.get(&class);
        let Some(members) = members.filter(|_| how.is_none()) else {
            return how;
        };
        let place = guarded.place.filter(|(shape, _)| own.shape == Some(*shape));
        let Some((_, start)) = place else {
            open.extend(self.inside(&members.all, span).take(most));
            return None;
        };
        let first = start.checked_sub(i64::from(own.bytes.count) - 1);
        let last = start.checked_add(i64::from(guarded.bytes.count) - 1);
        let range = match (first, last) {
            (Some(first), Some(last)) => first..=last,
            // Around the wrap of the constants: all of them.
            _ => i64::MIN..=i64::MAX,
        };
        let near = members.by_constant.range(range);
        let near = near.flat_map(|(_, all)| self.inside(all, span));
        open.extend(near.take(most));
        None
    }

    /// Those of ascending accesses of a block that lie in a span.
    pub fn inside<'a>(
        &'a self,
        all: &'a [AccessId],
        span: &Range<u32>,
    ) -> impl Iterator<Item = AccessId> + 'a {
        let start = all.partition_point(|&id| self.get(id).position < span.start);
        let end = all.partition_point(|&id| self.get(id).position < span.end);
        all[start..end.max(start)].iter().copied()
    }
}

#[cfg(test)]
mod tests;
