//! Whether a load of a later iteration may be executed in front of stores of earlier ones: what the pass can prove or test once these
//! iterations follow each other in straight-line code. It decides whether that is worth the while, and nothing else: what is moved then is
//! proved anew.

use super::checks::Checks;
use super::entry::{Entry, Roots, Tester};
use super::exits::Loops;
use super::region::Region;
use crate::Session;
use ptxasw_emulator::Emulation;
use ptxasw_emulator::domains::alias::{self, Bytes};
use ptxasw_emulator::domains::disjointness::Distances;
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_emulator::trace::{Event, EventKind};
use ptxasw_ir::function::{BlockId, InstId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Pairs of a load and a store of a loop that are looked at.
const MAX_PAIRS: usize = 256;

/// The first store that keeps one of some loads of a loop with these blocks from that; none if they may all be executed so many iterations ahead.
pub fn first_hit(
    session: &Session,
    blocks: &[BlockId],
    loads: &[InstId],
    ahead: u32,
) -> Option<InstId> {
    let mut emulation = session.emulation()?;
    let Emulation {
        terms,
        trace,
        values,
        counters,
        conditions,
        defining_blocks,
        ..
    } = &mut *emulation;
    let id = blocks
        .first()
        .and_then(|&header| session.analyses().loops.innermost(header));
    let mut all = counters.iter();
    let counter = all
        .find(|(_, counted)| Some(counted.inside) == id)
        .map(|(&term, _)| term);
    let inside: FxHashSet<BlockId> = blocks.iter().copied().collect();
    let events = trace
        .events
        .iter()
        .filter(|event| inside.contains(&event.block));
    let (stores, loaded): (Vec<&Event>, Vec<&Event>) = events
        .filter(|event| event.carried.is_none())
        .partition(|event| matches!(event.kind, EventKind::Store(_)));
    let roots = Roots::new(session.function, &trace.events);
    let region = Region::whole(session.function);
    let entry = Entry::new(session, values, terms, &region, Tester::Block);
    let loops = Loops {
        function: session.function,
        analyses: session.analyses(),
        conditions,
        defining_blocks,
        counters,
        values,
    };
    let mut ahead = Ahead {
        session,
        counter,
        defining_blocks,
        inside: &inside,
        iterations: ahead,
        checks: Checks::new(entry, &roots, loops),
        distances: Distances::default(),
        shifted: FxHashMap::default(),
    };
    let mut pairs = 0;
    loads.iter().find_map(|&load| {
        let event = loaded.iter().find(|event| event.inst == load)?;
        pairs += stores.len();
        let mut stores = stores.iter();
        let hit = stores.find(|store| pairs > MAX_PAIRS || !ahead.passes(terms, event, store));
        hit.map(|store| store.inst)
    })
}

struct Ahead<'s> {
    session: &'s Session<'s>,
    counter: Option<TermId>,
    defining_blocks: &'s FxHashMap<TermId, BlockId>,
    /// The blocks of the loop.
    inside: &'s FxHashSet<BlockId>,
    /// How many iterations a load may be executed earlier.
    iterations: u32,
    checks: Checks<'s>,
    distances: Distances,
    /// Addresses in later iterations.
    shifted: FxHashMap<(TermId, u32), TermId>,
}

impl Ahead<'_> {
    /// Whether a load may be executed in front of a store of each of the iterations before its own.
    fn passes(&mut self, terms: &mut Terms, load: &Event, store: &Event) -> bool {
        let non_coherent = load.load().is_some_and(|access| access.non_coherent);
        let (read, written) = (load.bytes(), store.bytes());
        let assumed = self.session.memory.assumed;
        if non_coherent || alias::objects_apart(&written, &read, assumed).is_some() {
            return true;
        }
        if read
            .address
            .is_some_and(|address| self.is_open(terms, address))
        {
            return false;
        }
        let is_kernel = self.session.function.entry;
        let blocks = (store.block, load.block);
        (1..=self.iterations).all(|iterations| {
            let read = Bytes {
                address: read
                    .address
                    .map(|address| self.later(terms, address, iterations)),
                ..read
            };
            let pair = (&written, &read);
            alias::apart(terms, &mut self.distances, &written, &read, assumed).is_some()
                || is_kernel
                    && self
                        .checks
                        .apart(terms, &mut self.distances, pair, blocks)
                        .is_some()
        })
    }

    /// Whether nothing is known of an address in other iterations: it changes by more than the number of steps.
    fn is_open(&self, terms: &Terms, address: TermId) -> bool {
        terms.any_part(address, &mut FxHashMap::default(), |part| {
            let defined_in = self.defining_blocks.get(&part);
            Some(part) != self.counter
                && defined_in.is_some_and(|block| self.inside.contains(block))
        })
    }

    /// An address so many iterations later.
    fn later(&mut self, terms: &mut Terms, address: TermId, iterations: u32) -> TermId {
        let Some(counter) = self.counter else {
            return address;
        };
        let known = self.shifted.entry((address, iterations));
        *known.or_insert_with(|| {
            let later = terms.offset(counter, iterations.into());
            terms.replace(address, &FxHashMap::from_iter([(counter, later)]))
        })
    }
}
