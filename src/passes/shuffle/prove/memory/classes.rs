//! Events by what they can touch: of the many between two loads, those that have to be looked at one by one are found without
//! looking at the others.

use super::MAX_STORES;
use super::before::positions;
use super::parameters::ByParameters;
use ptxasw_emulator::domains::alias::{self, Assumptions, Bytes};
use ptxasw_emulator::domains::disjointness::Distances;
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_emulator::trace::{Event, Trace};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::loops::LoopId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;

/// Members of one class that are looked for: one more than a pair may have.
const MOST: usize = MAX_STORES + 1;

/// All events but weak loads.
pub(super) struct Classes {
    /// Their indices, in order.
    pub(super) events: Vec<u32>,
    classes: Vec<Class>,
}

/// Stores whose bytes differ in nothing but a constant of their addresses, or other events.
struct Class {
    /// None for events that are no stores, or have no address.
    stores: Option<Stores>,
    /// Positions in [`Classes::events`].
    members: Vec<u32>,
}

struct Stores {
    /// The bytes of the first.
    bytes: Bytes,
    shape: TermId,
    /// The innermost loop around them.
    inside: Option<LoopId>,
    /// Members by the constant of their addresses.
    by_constant: BTreeMap<i64, Vec<u32>>,
}

/// What is left to be looked at.
pub(super) struct Open {
    /// Indices of events, in order; some of them where they are more than [`MAX_STORES`].
    pub(super) events: Vec<u32>,
    /// What was taken for granted to leave out the others.
    pub(super) left_out: ByParameters,
}

impl Classes {
    pub(super) fn new(
        analyses: &Analyses,
        trace: &Trace,
        terms: &mut Terms,
        distances: &mut Distances,
    ) -> Self {
        let events: Vec<u32> = (0..trace.events.len() as u32)
            .filter(|&i| !is_weak_load(&trace.events[i as usize]))
            .collect();
        let mut classes: Vec<Class> = Vec::new();
        let mut numbers: FxHashMap<_, usize> = FxHashMap::default();
        for (position, &index) in events.iter().enumerate() {
            let event = &trace.events[index as usize];
            let inside = analyses.loops.innermost(event.block);
            let plain = matches!(alias::kills_all(event), Ok(None));
            let place = event.address.filter(|_| plain);
            let place = place.map(|address| distances.shape(terms, address));
            let key = place.map(|(shape, _)| {
                let Bytes {
                    count,
                    space,
                    counted_in,
                    provenance,
                    ..
                } = event.bytes();
                (shape, count, space, counted_in, provenance, inside)
            });
            let number = *numbers.entry(key).or_insert_with(|| {
                classes.push(Class {
                    stores: place.map(|(shape, _)| Stores {
                        bytes: event.bytes(),
                        shape,
                        inside,
                        by_constant: BTreeMap::new(),
                    }),
                    members: Vec::new(),
                });
                classes.len() - 1
            });
            let class = &mut classes[number];
            class.members.push(position as u32);
            if let (Some(stores), Some((_, constant))) = (&mut class.stores, place) {
                let of_constant = stores.by_constant.entry(constant as i64).or_default();
                of_constant.push(position as u32);
            }
        }
        Classes { events, classes }
    }

    /// Positions of the events with indices in a range.
    pub(super) fn positions(&self, range: Range<u32>) -> Range<usize> {
        positions(&self.events, range)
    }

    /// The events at positions in `spans` that may touch the bytes of one of two loads, of which the first is in block
    /// `source_block`, as far as objects and equal shapes decide it.
    pub(super) fn open(
        &self,
        spans: &[Range<usize>],
        loads: [(Bytes, TermId, u64); 2],
        source_block: BlockId,
        analyses: &Analyses,
        assumed: Assumptions,
    ) -> Open {
        let count: usize = spans.iter().map(ExactSizeIterator::len).sum();
        let mut open = Open {
            events: Vec::new(),
            left_out: ByParameters::default(),
        };
        if count <= self.classes.len() {
            let all = spans.iter().flat_map(|span| &self.events[span.clone()]);
            open.events = all.copied().collect();
            return open;
        }
        let mut found: Vec<u32> = Vec::new();
        for class in &self.classes {
            // Each can be there for both loads.
            if found.len() > 2 * MAX_STORES {
                break;
            }
            let mut members = inside(&class.members, spans);
            if members.next().is_none() {
                continue;
            }
            let Some(stores) = &class.stores else {
                add_inside(&mut found, &class.members, spans);
                continue;
            };
            let mut all = false;
            // In a loop without the source, the addresses of other iterations count.
            let this_iteration = stores
                .inside
                .is_none_or(|id| analyses.loops.contains(id, source_block));
            for (load, shape, constant) in loads {
                match alias::objects_apart(&stores.bytes, &load, assumed) {
                    Some(how) => open.left_out.add(how),
                    None if shape == stores.shape
                        && load.counted_in == stores.bytes.counted_in
                        && this_iteration =>
                    {
                        let overlapping = stores.overlapping(constant, load.count, spans);
                        found.extend(overlapping);
                    }
                    None => all = true,
                }
            }
            if all {
                add_inside(&mut found, &class.members, spans);
            }
        }
        // What is found lies in a few runs that ascend: a stable sort only merges them.
        found.sort();
        found.dedup();
        let index = |position: u32| self.events[position as usize];
        open.events = found.into_iter().map(index).collect();
        open
    }
}

impl Stores {
    /// Members in `spans` that write one of so many bytes from `constant`, counted from the same shape.
    fn overlapping(&self, constant: u64, bytes: u32, spans: &[Range<usize>]) -> Vec<u32> {
        let constant = constant as i64;
        let first = constant.checked_sub(i64::from(self.bytes.count) - 1);
        let last = constant.checked_add(i64::from(bytes) - 1);
        let (first, last) = match (first, last) {
            (Some(first), Some(last)) if first <= last => (first, last),
            // Around the wrap of the constants: all that may be.
            _ => (i64::MIN, i64::MAX),
        };
        let of_constants = self.by_constant.range(first..=last);
        of_constants
            .flat_map(|(_, members)| inside(members, spans))
            .take(MOST)
            .collect()
    }
}

/// Those of sorted positions that lie in one of the spans.
fn inside<'a>(members: &'a [u32], spans: &'a [Range<usize>]) -> impl Iterator<Item = u32> + 'a {
    spans
        .iter()
        .flat_map(|span| &members[positions(members, span.start as u32..span.end as u32)])
        .copied()
}

/// Adds those of sorted positions that lie in one of the spans; of too many for a pair only some.
fn add_inside(found: &mut Vec<u32>, members: &[u32], spans: &[Range<usize>]) {
    let mut room = MOST;
    for span in spans {
        let some = &members[positions(members, span.start as u32..span.end as u32)];
        let some = &some[..some.len().min(room)];
        found.extend_from_slice(some);
        room -= some.len();
    }
}

fn is_weak_load(event: &Event) -> bool {
    event.load().is_some_and(|access| access.order.is_weak())
}
