//! Where the bytes that a load reads are already in registers (R and F of the contract): a search from the load against the
//! paths that lead to it, up to the accesses that have the bytes.

use super::accesses::{AccessId, Element, MemoryAccess, Piece};
use super::conflicts::{Conflicts, Passed, Span};
use super::reason::Kept;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::TermId;
use ptxasw_ir::function::{BlockId, InstId};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::opcode::Opcode;
use rustc_hash::FxHashSet;

/// Blocks that are looked at for one piece.
const MAX_BLOCKS: usize = 64;
/// Accesses that bring a piece on different paths. More would cost more moves than the load.
const MAX_SOURCES: usize = 8;

/// Where a piece of a load comes from.
#[derive(Clone, Debug)]
pub struct Available {
    /// The accesses that bring it: one that dominates the load, or one for each group of paths.
    pub sources: Vec<Element>,
    /// What was passed, and why.
    pub passed: Vec<Passed>,
}

/// The state of a search for one piece of a load.
struct Search {
    load: AccessId,
    piece: Piece,
    sources: Vec<Element>,
    spans: Vec<Span>,
    crossed: Vec<LoopId>,
    seen: FxHashSet<BlockId>,
    /// What does not serve although it has the bytes.
    unfit: Option<AccessId>,
}

impl Conflicts<'_> {
    /// Where an element of a load comes from.
    ///
    /// # Errors
    /// Why it has to be loaded.
    pub fn available(&mut self, load: AccessId, element: u8) -> Result<Available, Kept> {
        let piece = self
            .known
            .accesses
            .piece(load, element)
            .ok_or(Kept::NoPlace)?;
        let mut search = Search {
            load,
            piece,
            sources: Vec::new(),
            spans: Vec::new(),
            crossed: Vec::new(),
            seen: FxHashSet::default(),
            unfit: None,
        };
        self.search(&mut search)?;
        let Search {
            spans,
            sources,
            crossed,
            ..
        } = search;
        let mut passed = Vec::new();
        let access = *self.known.accesses.get(load);
        if !access.reads_constant() {
            let bytes = self.bytes(&access);
            let guarded = self.guarded(&access, &bytes);
            for span in &spans {
                self.no_store(span, &guarded, &crossed, &mut passed)?;
            }
        }
        Ok(Available { sources, passed })
    }

    /// Goes back from the load to the accesses that have its bytes.
    fn search(&mut self, search: &mut Search) -> Result<(), Kept> {
        let load = *self.known.accesses.get(search.load);
        let mut work = vec![(load.block, load.position)];
        while let Some((block, end)) = work.pop() {
            self.spend(1)?;
            if self.known.analyses.loops.irreducible(block) {
                return Err(Kept::SomePath);
            }
            let here = block == load.block && end == load.position;
            let found = self.source_in(block, end, here, search);
            let from = found.map_or(0, |found| {
                self.known.accesses.get(found.access).position + 1
            });
            if let Some(stop) = self.stop_in(block, from, end, &load) {
                return Err(Kept::Stop(stop));
            }
            search.spans.push((block, from..end));
            match found {
                // Its own value of the iteration before is what that came from.
                Some(found) if found.access == search.load => {}
                Some(found) => {
                    if !search.sources.contains(&found) {
                        search.sources.push(found);
                    }
                }
                None => self.go_back(block, search, &mut work)?,
            }
        }
        if self.comes_back(search) {
            return Err(Kept::SomePath);
        }
        match search.sources.len() {
            0 => Err(self.nothing(search)),
            1..=MAX_SOURCES => Ok(()),
            _ => Err(Kept::Limit),
        }
    }

    /// Whether a path from a source leaves the region that is changed, and comes to the load through its entry: the source may have been
    /// executed in the other copy.
    fn comes_back(&self, search: &Search) -> bool {
        let Some(region) = &self.decided.region else {
            return false;
        };
        let around = self.known.analyses.loops.innermost(region.block).is_some();
        let left = |(block, _): &Span| *block != region.block && !region.has(*block);
        let inside = |source: &Element| self.is_inside(self.known.accesses.get(source.access));
        around && search.spans.iter().any(left) && search.sources.iter().any(inside)
    }

    /// The blocks in front of one that has not the bytes.
    fn go_back(
        &mut self,
        block: BlockId,
        search: &mut Search,
        work: &mut Vec<(BlockId, u32)>,
    ) -> Result<(), Kept> {
        let analyses = self.known.analyses;
        let header = analyses
            .loops
            .innermost(block)
            .filter(|&id| analyses.loops.get(id).header == block);
        let mut any = false;
        for before in analyses.cfg.predecessors(block) {
            any = true;
            if let Some(id) = header.filter(|&id| analyses.loops.contains(id, before)) {
                let address = self.event_address(search.load).ok_or(Kept::NoPlace)?;
                let invariant = self.separation.is_invariant(self.terms, address, id);
                if !invariant.ok_or(Kept::Limit)? {
                    return Err(match search.sources.is_empty() {
                        true => self.nothing(search),
                        false => Kept::OtherIteration,
                    });
                }
                search.crossed.push(id);
            }
            if search.seen.insert(before) {
                work.push((before, self.known.accesses.block(before).len));
            }
        }
        match any && search.seen.len() <= MAX_BLOCKS {
            true => Ok(()),
            false if any => Err(Kept::Limit),
            false => Err(match search.sources.is_empty() {
                true => self.nothing(search),
                false => Kept::SomePath,
            }),
        }
    }

    /// Why nothing was found on a path.
    fn nothing(&self, search: &Search) -> Kept {
        search.unfit.map_or(Kept::First, Kept::Guard)
    }

    fn event_address(&self, id: AccessId) -> Option<TermId> {
        self.known.events[self.known.accesses.get(id).event as usize].address
    }

    /// The last access in front of a position of a block whose register has the piece wherever the load is executed.
    fn source_in(
        &self,
        block: BlockId,
        end: u32,
        here: bool,
        search: &mut Search,
    ) -> Option<Element> {
        let accesses = self.known.accesses;
        let load = accesses.get(search.load);
        let unfit = &mut search.unfit;
        let serves = |id: AccessId| {
            let source = accesses.get(id);
            if source.partial || self.decided.gone.contains(&id) && source.is_store {
                return false;
            }
            // The bytes of the non-coherent path are those of before the kernel.
            if source.is_store && load.reads_constant() {
                return false;
            }
            let same = here && source.guard == load.guard;
            let serves = source.guard.is_none() || same || active(Mutation::GuardIgnored);
            if !serves {
                *unfit = Some(id);
            }
            serves
        };
        accesses.last_with(block, end, search.piece, serves)
    }

    /// The last instruction of a run that no load may be replaced across. Bytes that nobody writes are only kept from what is not
    /// known.
    fn stop_in(&self, block: BlockId, from: u32, end: u32, load: &MemoryAccess) -> Option<InstId> {
        if active(Mutation::StopCrossed) {
            return None;
        }
        let stops = &self.known.accesses.block(block).stops;
        let start = stops.partition_point(|&(at, _)| at < from);
        let past = stops.partition_point(|&(at, _)| at < end);
        let mut inside = stops[start..past.max(start)].iter().rev();
        let unknown = |id: InstId| {
            matches!(
                self.known.function.inst(id).opcode,
                Opcode::Call { .. } | Opcode::Opaque { .. } | Opcode::Nop
            )
        };
        let constant = load.reads_constant();
        inside
            .find(|&&(_, id)| !constant || unknown(id))
            .map(|&(_, id)| id)
    }
}
