//! From proved pairs to the plan: regions, their wrappings and places, and where run-time checks go.

use super::builder::Builder;
use super::choice::{whole, wrapping};
use super::clone::outline::Outline;
use super::halo;
use super::kernel::{Kernel, Planned, Regions};
use super::placement::{self, Place};
use crate::shuffle::certify::ShuffleCertifier;
use crate::shuffle::model::options::Options;
use crate::shuffle::model::proved::{Proved, RegionKey};
use crate::shuffle::plan::{Plan, Region, Wrapping};
use crate::shuffle::prove::lanes;
use crate::shuffle::refusal::{Refusal, c4};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::Terms;
use ptxasw_emulator::trace::Event;
use ptxasw_ir::function::BlockId;
use rustc_hash::FxHashMap;

/// Makes the plan. A shuffle whose region has no place or whose checks have no register is dropped with a refusal.
pub(in crate::shuffle) fn plan(
    kernel: &Kernel,
    terms: &mut Terms,
    options: &Options,
    certifier: Option<&mut ShuffleCertifier>,
    proved: &mut Vec<Proved>,
    refusals: &mut [Option<Box<Refusal>>],
) -> Plan {
    proved.sort_by_key(|shuffle| (kernel.events)(shuffle.destination).origin);
    let mut drop = |shuffle: &Proved, refusal: Refusal| {
        refusals[shuffle.destination as usize] = Some(refusal.into())
    };
    let mut regions = Regions::default();
    for (region_key, inside) in by_region_key(proved) {
        let planned = match region_key {
            RegionKey::Head(head) => planned(kernel, options, head, &inside),
            RegionKey::Copy(number) => copied(kernel, number, &inside),
            RegionKey::Mask(mask) => tracked(kernel, options, mask, &inside),
        };
        regions.insert(region_key, planned);
    }
    let mut keep = |shuffle: &Proved| {
        let refusal = unfit(kernel, &regions, shuffle);
        let kept = refusal.is_none();
        if let Some(refusal) = refusal {
            drop(shuffle, refusal);
        }
        kept
    };
    proved.retain(&mut keep);
    let mut builder = Builder::new(kernel, terms, certifier, regions);
    proved.retain(|shuffle| match builder.add(shuffle) {
        Ok(()) => true,
        Err(refusal) => {
            drop(shuffle, refusal);
            false
        }
    });
    let mut plan = builder.finish();
    halo::mark(kernel, terms, &mut plan, proved);
    plan
}

/// The real shuffles of each region.
fn by_region_key(proved: &[Proved]) -> FxHashMap<RegionKey, Vec<&Proved>> {
    let mut regions: FxHashMap<RegionKey, Vec<&Proved>> = FxHashMap::default();
    for shuffle in proved.iter().filter(|shuffle| !shuffle.lanes.is_own()) {
        regions.entry(shuffle.region_key).or_default().push(shuffle);
    }
    regions
}

/// Why a shuffle can't be written though it is proved, if so.
fn unfit(kernel: &Kernel, regions: &Regions, shuffle: &Proved) -> Option<Refusal> {
    // A thread in a copy does not execute the original of the source.
    let parts = kernel.copies.parts;
    let destination = (kernel.events)(shuffle.destination);
    let bypassed = shuffle.parts.iter().find_map(|part| {
        let source = (kernel.events)(part.source);
        let number = parts.of(source.block)?;
        let copied = matches!(regions.get(&RegionKey::Copy(number)), Some(Ok(_)));
        (copied && parts.of(destination.block) != Some(number)).then_some(source)
    });
    if let Some(source) = bypassed {
        return Some(Refusal::new(&c4::SOURCE_COPIED).at(source.origin, "source"));
    }
    let planned = match regions
        .get(&shuffle.region_key)
        .filter(|_| !shuffle.lanes.is_own())?
    {
        Err(refusal) => return Some(refusal.clone()),
        Ok(planned) => planned,
    };
    let inside = parts.of(planned.place.block);
    if inside.is_some_and(|number| matches!(regions.get(&RegionKey::Copy(number)), Some(Ok(_)))) {
        return Some(Refusal::new(&c4::MASK_COPIED));
    }
    // What waits is never in a copy.
    kernel
        .waits
        .between(kernel.analyses, planned.place, destination)
        .filter(|_| planned.copy.is_none() && !active(Mutation::WaitsIgnored))
        .map(waiting)
}

/// A region of these shuffles, so far without checks, mask or copy, with its scheme and whether rows are known to be whole warps.
fn region(
    kernel: &Kernel,
    place: Place,
    (wrapping, whole_rows): (Wrapping, bool),
    inside: &[&Proved],
) -> Region {
    Region {
        before: place.statement,
        at: place.point(kernel.function),
        wrapping,
        whole_rows,
        down: inside.iter().any(|shuffle| shuffle.lanes.steps() > 0),
        up: inside.iter().any(|shuffle| shuffle.lanes.steps() < 0),
        group: lanes::group(kernel.function, inside.iter().map(|shuffle| shuffle.lanes)),
        checks: Vec::new(),
        copy: None,
        mask: None,
    }
}

/// The copy for the shuffles of a part, and its region.
fn copied(kernel: &Kernel, number: u32, inside: &[&Proved]) -> Result<Planned, Refusal> {
    let mut users: Vec<BlockId> = inside
        .iter()
        .map(|shuffle| (kernel.events)(shuffle.destination).block)
        .collect();
    // All lanes vote after a predicated source.
    let voting = inside.iter().flat_map(|shuffle| &shuffle.parts);
    let voting = voting.filter(|part| part.vote);
    users.extend(voting.map(|part| (kernel.events)(part.source).block));
    let Outline { copy, place } = kernel.copies.draw(number, &users)?;
    let (_, whole_rows) = whole(kernel.function);
    let kind = kernel.copies.parts.get(number).kind;
    let region = region(kernel, place, (kind, whole_rows), inside);
    Ok(Planned {
        region,
        place,
        copy: Some(copy),
    })
}

/// The region of a tracked mask.
fn tracked(
    kernel: &Kernel,
    options: &Options,
    mask: u32,
    inside: &[&Proved],
) -> Result<Planned, Refusal> {
    let users: Vec<&Event> = inside
        .iter()
        .flat_map(|shuffle| {
            let sources = shuffle.parts.iter().map(|part| part.source);
            sources.chain([shuffle.destination])
        })
        .map(|load| (kernel.events)(load))
        .collect();
    let place = kernel.tracker.place(kernel.masks, mask, &users)?;
    let (wrapping, whole_rows) = wrapping(kernel.function, options, place.block)?;
    let region = Region {
        before: place.statement,
        at: place.point(kernel.function),
        wrapping,
        whole_rows,
        down: inside.iter().any(|shuffle| shuffle.lanes.steps() > 0),
        up: inside.iter().any(|shuffle| shuffle.lanes.steps() < 0),
        group: None,
        checks: Vec::new(),
        copy: None,
        mask: Some(mask),
    };
    Ok(Planned {
        region,
        place,
        copy: None,
    })
}

/// The place and the wrapping of a region.
fn planned(
    kernel: &Kernel,
    options: &Options,
    head: BlockId,
    inside: &[&Proved],
) -> Result<Planned, Refusal> {
    let dominators = &kernel.analyses.dominators;
    // The mask is read in front of the sources where they are in the region, else in front of the destination.
    let users: Vec<&Event> = inside
        .iter()
        .flat_map(|shuffle| shuffle.parts.iter().map(move |part| (shuffle, part)))
        .map(|(shuffle, part)| {
            let source = (kernel.events)(part.source);
            if dominators.dominates(head, source.block) {
                source
            } else {
                (kernel.events)(shuffle.destination)
            }
        })
        .collect();
    let place = placement::set_up(kernel.analyses, kernel.text, head, &users)?;
    let (wrapping, whole_rows) = wrapping(kernel.function, options, head)?;
    let region = region(kernel, place, (wrapping, whole_rows), inside);
    Ok(Planned {
        region,
        place,
        copy: None,
    })
}

fn waiting(origin: u32) -> Refusal {
    Refusal::new(&c4::WAITS).at(origin, "waits for other threads")
}
