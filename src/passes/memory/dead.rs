//! Stores whose bytes the thread overwrites before anybody may read them (D of the contract).

use super::accesses::{AccessId, MemoryAccess};
use super::conflicts::{Conflicts, Passed, Span};
use super::reason::Kept;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{BlockId, InstId};
use rustc_hash::FxHashSet;

/// What shows that a store is dead.
#[derive(Clone, Debug)]
pub struct Dead {
    /// The stores that overwrite it.
    pub covers: Vec<AccessId>,
    /// The loads between that read other bytes, and why.
    pub passed: Vec<Passed>,
}

/// Blocks that are looked at after one store.
const MAX_BLOCKS: usize = 64;

impl Conflicts<'_> {
    /// Whether stores overwrite all bytes of a store on all paths from it, with nothing between that may read one of them.
    ///
    /// # Errors
    /// Why the store has to stay.
    pub fn dead(&mut self, store: AccessId) -> Result<Dead, Kept> {
        let access = *self.known.accesses.get(store);
        let (mut spans, mut covers): (Vec<Span>, Vec<AccessId>) = (Vec::new(), Vec::new());
        let mut seen = FxHashSet::default();
        let mut work = vec![(access.block, access.position + 1)];
        while let Some((block, from)) = work.pop() {
            self.spend(1)?;
            let cover = self.cover_in(block, from, store);
            let len = self.known.accesses.block(block).len;
            let end = cover.map_or(len, |id| self.known.accesses.get(id).position);
            if let Some(stop) = self.first_stop(block, from, end) {
                return Err(Kept::Stop(stop));
            }
            spans.push((block, from..end));
            match cover {
                Some(id) => covers.push(id),
                None => self.go_on(block, &access, &mut seen, &mut work)?,
            }
        }
        let bytes = self.bytes(&access);
        let guarded = self.guarded(&access, &bytes);
        let mut passed = Vec::new();
        for span in &spans {
            self.no_load(span, &guarded, &mut passed)?;
        }
        Ok(Dead { covers, passed })
    }

    /// The successors of a block that does not overwrite the bytes. A loop that is entered may never end, and another iteration
    /// has other addresses: both are no path to an overwriting store.
    fn go_on(
        &mut self,
        block: BlockId,
        store: &MemoryAccess,
        seen: &mut FxHashSet<BlockId>,
        work: &mut Vec<(BlockId, u32)>,
    ) -> Result<(), Kept> {
        let analyses = self.known.analyses;
        let around = analyses.loops.innermost(store.block);
        let mut any = false;
        for next in analyses.cfg.successors(block) {
            any = true;
            let header = around.is_some_and(|id| analyses.loops.get(id).header == next);
            let leaves = analyses.loops.innermost(next) != around;
            if header || leaves || analyses.loops.irreducible(next) {
                return Err(Kept::SomePath);
            }
            if seen.insert(next) {
                work.push((next, 0));
            }
        }
        match any && seen.len() <= MAX_BLOCKS {
            true => Ok(()),
            false => Err(Kept::SomePath),
        }
    }

    /// The first store from a position of a block on that writes all bytes of another wherever that is executed.
    fn cover_in(&mut self, block: BlockId, from: u32, store: AccessId) -> Option<AccessId> {
        let accesses = self.known.accesses;
        let dead = accesses.get(store);
        let (shape, start) = dead.place?;
        let bytes = |access: &MemoryAccess| i64::from(access.access.bytes());
        let end = start.checked_add(bytes(dead))?;
        let listed = accesses.block(block);
        let classes = listed.shapes.get(&shape)?;
        self.spend(classes.len()).ok()?;
        let mut best: Option<AccessId> = None;
        for &class in classes {
            let stores = &listed.stores[&class];
            let reach = accesses.class(class).bytes.count;
            let first = match active(Mutation::CoverOfPart) {
                true => start.checked_sub(i64::from(reach) - 1)?,
                false => end.checked_sub(i64::from(reach))?,
            };
            // What is narrower covers nothing.
            if first > start {
                continue;
            }
            for all in stores.by_constant.range(first..=start).map(|(_, all)| all) {
                let at = all.partition_point(|&id| accesses.get(id).position < from);
                let covers = |&&id: &&AccessId| {
                    let cover = accesses.get(id);
                    let same = block == dead.block && cover.guard == dead.guard;
                    let all = writes_all(cover, dead) || active(Mutation::CoverOfPart);
                    all && !self.decided.gone.contains(&id) && (cover.guard.is_none() || same)
                };
                if let Some(&id) = all[at..].iter().find(covers)
                    && best.is_none_or(|best| id < best)
                {
                    best = Some(id);
                }
            }
        }
        best
    }

    fn first_stop(&self, block: BlockId, from: u32, end: u32) -> Option<InstId> {
        let stops = &self.known.accesses.block(block).stops;
        let at = stops.partition_point(|&(at, _)| at < from);
        stops.get(at).filter(|stop| stop.0 < end).map(|stop| stop.1)
    }
}

/// Whether a store writes all bytes that another one of its shape writes.
fn writes_all(cover: &MemoryAccess, dead: &MemoryAccess) -> bool {
    let (Some((_, first)), Some((_, start))) = (cover.place, dead.place) else {
        return false;
    };
    let each = dead.element_bytes();
    let Ok(skip) = u32::try_from(start.wrapping_sub(first)) else {
        return false;
    };
    let mut elements = dead.access.accessed();
    elements.all(|element| {
        let from = skip + u32::from(element) * each;
        cover.access.accesses_all(from..from + each) || active(Mutation::SkippedWritten)
    })
}
