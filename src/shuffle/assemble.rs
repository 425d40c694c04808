//! From proved pairs to the plan: regions, their wrappings and places, and where run-time checks go.

use super::certificate::{Certifier, Emitted, Evidence};
use super::convergence::Waits;
use super::copies::outline::{Outline, Outliner};
use super::lanes;
use super::place::{self, Holders, Place, Registers, Wanted};
use super::plan::{Check, Part, Plan, Region, Shuffle, Source, WarpCopy, Wrapping};
use super::refusal::{ConditionName, Refusal};
use super::synthesis::{Home, Options, Proved, ProvedPart};
use super::upward;
use crate::emulator::term::{TermId, Terms};
use crate::emulator::trace::Event;
use crate::ir::analyses::Analyses;
use crate::ir::function::{BlockId, Function, Value};
use crate::mutation::{Mutation, active};
use rustc_hash::FxHashMap;

/// Threads of a warp.
const WARP: u64 = 32;

/// What the plan is made from.
pub(super) struct Kernel<'a> {
    pub function: &'a Function,
    pub analyses: &'a Analyses,
    pub registers: &'a dyn Registers,
    pub values: &'a [Option<TermId>],
    /// The event of a load by its number.
    pub events: &'a dyn Fn(u32) -> &'a Event,
    pub waits: &'a Waits,
    /// Draws the copies for whole warps.
    pub copies: Outliner<'a>,
}

/// A region, as far as it is known.
struct Planned {
    region: Region,
    place: Place,
    /// The copy that it belongs to.
    copy: Option<WarpCopy>,
}

type Regions = FxHashMap<Home, Result<Planned, Refusal>>;

/// Makes the plan. A shuffle whose region has no place or whose checks have no register is dropped with a refusal.
pub(super) fn plan(
    kernel: &Kernel,
    terms: &mut Terms,
    options: &Options,
    certifier: Option<&mut Certifier>,
    proved: &mut Vec<Proved>,
    refusals: &mut [Option<Refusal>],
) -> Plan {
    proved.sort_by_key(|shuffle| (kernel.events)(shuffle.destination).origin);
    let mut drop =
        |shuffle: &Proved, refusal: Refusal| refusals[shuffle.destination as usize] = Some(refusal);
    let mut regions = Regions::default();
    for (home, inside) in by_home(proved) {
        let planned = match home {
            Home::Head(head) => planned(kernel, options, head, &inside),
            Home::Copy(number) => copied(kernel, number, &inside),
        };
        regions.insert(home, planned);
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
    let mut builder = Builder {
        kernel,
        terms,
        certifier,
        holders: None,
        plan: Plan {
            kernel: kernel.function.name.clone(),
            ..Plan::default()
        },
        regions,
        numbers: FxHashMap::default(),
        sources: FxHashMap::default(),
        copies: FxHashMap::default(),
    };
    proved.retain(|shuffle| match builder.add(shuffle) {
        Ok(()) => true,
        Err(refusal) => {
            drop(shuffle, refusal);
            false
        }
    });
    let mut plan = builder.finish();
    upward::mark(kernel, terms, &mut plan, proved);
    plan
}

/// The real shuffles of each region.
fn by_home(proved: &[Proved]) -> FxHashMap<Home, Vec<&Proved>> {
    let mut regions: FxHashMap<Home, Vec<&Proved>> = FxHashMap::default();
    for shuffle in proved.iter().filter(|shuffle| !shuffle.lanes.is_own()) {
        regions.entry(shuffle.home).or_default().push(shuffle);
    }
    regions
}

/// Why a shuffle can't be written though it is proved, if so.
fn unfit(kernel: &Kernel, regions: &Regions, shuffle: &Proved) -> Option<Refusal> {
    // On its way through a copy a thread does not pass the original of the source.
    let parts = kernel.copies.parts;
    let destination = (kernel.events)(shuffle.destination);
    let bypassed = shuffle.parts.iter().find_map(|part| {
        let source = (kernel.events)(part.source);
        let number = parts.of(source.block)?;
        let copied = matches!(regions.get(&Home::Copy(number)), Some(Ok(_)));
        (copied && parts.of(destination.block) != Some(number)).then_some(source)
    });
    if let Some(source) = bypassed {
        let reason = "the source is in a part of which whole warps run a copy";
        return Some(Refusal::new(ConditionName::C4, reason).at(source.origin, "source"));
    }
    let planned = match regions
        .get(&shuffle.home)
        .filter(|_| !shuffle.lanes.is_own())?
    {
        Err(refusal) => return Some(refusal.clone()),
        Ok(planned) => planned,
    };
    let inside = parts.of(planned.place.block);
    if inside.is_some_and(|number| matches!(regions.get(&Home::Copy(number)), Some(Ok(_)))) {
        let reason = "its mask would be read in a part of which whole warps run a copy";
        return Some(Refusal::new(ConditionName::C4, reason));
    }
    // What waits is never in a copy.
    kernel
        .waits
        .between(kernel.analyses, planned.place, destination)
        .filter(|_| planned.copy.is_none() && !active(Mutation::WaitsIgnored))
        .map(waiting)
}

/// The copy for the shuffles of a part, and its region.
fn copied(kernel: &Kernel, number: u32, inside: &[&Proved]) -> Result<Planned, Refusal> {
    let users: Vec<BlockId> = inside
        .iter()
        .map(|shuffle| (kernel.events)(shuffle.destination).block)
        .collect();
    let Outline { copy, place } = kernel.copies.draw(number, &users)?;
    let (_, whole_rows) = whole(kernel.function);
    let region = Region {
        before: place.statement,
        wrapping: kernel.copies.parts.get(number).kind,
        whole_rows,
        down: inside.iter().any(|shuffle| shuffle.lanes.steps() > 0),
        up: inside.iter().any(|shuffle| shuffle.lanes.steps() < 0),
        group: None,
        checks: Vec::new(),
        copy: None,
    };
    Ok(Planned {
        region,
        place,
        copy: Some(copy),
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
    let place = place::set_up(kernel.analyses, kernel.registers, head, &users)?;
    let (wrapping, whole_rows) = wrapping(kernel.function, options, head)?;
    let region = Region {
        before: place.statement,
        wrapping,
        whole_rows,
        down: inside.iter().any(|shuffle| shuffle.lanes.steps() > 0),
        up: inside.iter().any(|shuffle| shuffle.lanes.steps() < 0),
        group: lanes::group(kernel.function, inside.iter().map(|shuffle| shuffle.lanes)),
        checks: Vec::new(),
        copy: None,
    };
    Ok(Planned {
        region,
        place,
        copy: None,
    })
}

/// Whether the block's threads, and whether its rows, are proved to be whole warps.
fn whole(function: &Function) -> (bool, bool) {
    let shape = function.required_threads.map(|shape| shape.map(u64::from));
    let threads = shape.is_some_and(|shape| shape.iter().product::<u64>() % WARP == 0);
    let rows = match active(Mutation::FullInNarrowRows) {
        true => threads,
        false => shape.is_some_and(|[x, ..]| x > 0 && x % WARP == 0),
    };
    (threads, rows)
}

/// The rule at the end of wrappings.md for regions that converge, or the user's choice where it is proved.
fn wrapping(
    function: &Function,
    options: &Options,
    head: BlockId,
) -> Result<(Wrapping, bool), Refusal> {
    let shape = function.required_threads.map(|shape| shape.map(u64::from));
    let (whole_warps, whole_rows) = whole(function);
    let whole_mask = whole_warps && head == BlockId(0);
    let refuse = |condition, reason: &str| {
        Err(Refusal::new(condition, reason).lift("`__launch_bounds__` can't tell; `.reqntid` does"))
    };
    let chosen = match options.wrapping.filter(|wrapping| !wrapping.copies()) {
        Some(Wrapping::Full) if !whole_mask => {
            return refuse(
                ConditionName::C4,
                "wrapping `full`: the whole warp is not proved to be here",
            );
        }
        Some(Wrapping::WholeRows) if !whole_rows => {
            return refuse(
                ConditionName::C5,
                "wrapping `F31`: rows are not proved to be whole warps",
            );
        }
        Some(Wrapping::Halo) if shape.is_some() && !whole_rows => {
            return refuse(
                ConditionName::C5,
                "wrapping `halo`: rows are not whole warps",
            );
        }
        Some(chosen) => chosen,
        None if whole_mask && whole_rows => Wrapping::Full,
        None if whole_rows => Wrapping::WholeRows,
        None if shape.is_some() && !whole_warps => Wrapping::Contiguous,
        None if shape.is_some_and(|[x, ..]| x >= WARP) => Wrapping::Row,
        None => Wrapping::AnyRow,
    };
    Ok((chosen, whole_rows))
}

/// Where a check is made.
enum Level {
    /// In the region's set-up.
    Region,
    /// Behind the source.
    Source,
}

struct Builder<'k, 'a, 'c> {
    kernel: &'k Kernel<'a>,
    terms: &'k mut Terms,
    certifier: Option<&'k mut Certifier<'c>>,
    holders: Option<Holders>,
    plan: Plan,
    regions: Regions,
    /// Numbers of regions in the plan.
    numbers: FxHashMap<Home, u32>,
    /// Numbers of sources in the plan, by load, region and whether there is a vote.
    sources: FxHashMap<(u32, Option<Home>, bool), u32>,
    /// Numbers of copies in the plan, by part.
    copies: FxHashMap<u32, u32>,
}

impl Builder<'_, '_, '_> {
    fn add(&mut self, shuffle: &Proved) -> Result<(), Refusal> {
        let home = (!shuffle.lanes.is_own()).then_some(shuffle.home);
        let destination = (self.kernel.events)(shuffle.destination);
        let mut found = Vec::with_capacity(shuffle.parts.len());
        for part in &shuffle.parts {
            let source = (self.kernel.events)(part.source);
            let checks = self.checks(part, home, source)?;
            let distance = self.distance_check(part, source, destination)?;
            found.push((part, source, checks, distance));
        }
        let (mut parts, mut own_checks) = (Vec::new(), Vec::new());
        let (mut conditions, mut evidence) = (Vec::new(), Vec::new());
        for (part, source, checks, distance) in found {
            let number = self.source(part, home, source);
            self.note_checks(number, &checks);
            parts.extend(part.bytes.iter().map(|&(at, bytes)| Part {
                source: number,
                byte: (i64::from(at) + part.skip) as u8,
                at,
                bytes,
            }));
            for condition in &part.conditions {
                if !conditions.contains(condition) {
                    conditions.push(condition.clone());
                }
            }
            evidence.push(Evidence {
                part,
                source,
                checks: checks.into_iter().map(|(_, emitted)| emitted).collect(),
                distance: distance.clone(),
            });
            own_checks.extend(distance.map(|one| one.check));
        }
        parts.sort_unstable_by_key(|part| part.at);
        let certificate = self
            .certifier
            .as_mut()
            .map(|certifier| certifier.shuffle(self.terms, shuffle, destination, &evidence));
        let within = self.within(destination.block);
        self.plan.shuffles.push(Shuffle {
            destination: destination.origin,
            parts,
            lanes: shuffle.lanes,
            through_temporary: false,
            upward: false,
            checks: own_checks,
            within,
            conditions,
            certificate,
        });
        Ok(())
    }

    /// Puts checks where they are made: into the set-up of the region, or behind the source.
    fn note_checks(&mut self, source: u32, checks: &[(Level, Emitted)]) {
        let source = &mut self.plan.sources[source as usize];
        let mut region = self.plan.regions.get_mut(source.region as usize);
        for (level, Emitted { check, .. }) in checks {
            let list = match (level, &mut region) {
                (Level::Region, Some(region)) => &mut region.checks,
                _ => &mut source.checks,
            };
            if !list.contains(check) {
                list.push(check.clone());
            }
        }
    }

    /// The checks of a part, in the order of what its proof wants: in the region's set-up where a register holds the value there, else behind the source.
    fn checks(
        &mut self,
        part: &ProvedPart,
        home: Option<Home>,
        source: &Event,
    ) -> Result<Vec<(Level, Emitted)>, Refusal> {
        let mut checks = Vec::new();
        let Some(Ok(planned)) = home.and_then(|home| self.regions.get(&home)) else {
            return match part.wanted.is_empty() {
                true => Ok(checks),
                false => Err(no_register(source)),
            };
        };
        let set_up = planned.place;
        let here = Place {
            block: source.block,
            statement: source.origin,
        };
        // A source in front of the set-up has no clamp yet that its checks could narrow.
        let behind_set_up = if here.block == set_up.block {
            set_up.statement <= here.statement
        } else {
            self.kernel
                .analyses
                .dominators
                .dominates(set_up.block, here.block)
        };
        for wanted in &part.wanted {
            if active(Mutation::WrapCheckDropped) {
                continue;
            }
            if let Some(check) = self.check(set_up, wanted) {
                checks.push((Level::Region, check));
            } else if let Some(check) = behind_set_up.then(|| self.check(here, wanted)).flatten() {
                checks.push((Level::Source, check));
            } else {
                return Err(no_register(source));
            }
        }
        Ok(checks)
    }

    /// `addr_D - addr_S = distance`, by the registers of both addresses.
    fn distance_check(
        &mut self,
        part: &ProvedPart,
        source: &Event,
        destination: &Event,
    ) -> Result<Option<Emitted>, Refusal> {
        let Some(distance) = part
            .distance
            .filter(|_| !active(Mutation::DistanceCheckDropped))
        else {
            return Ok(None);
        };
        let address = |event: &Event| {
            let base = *self.kernel.function.inst(event.inst).args.first()?;
            let held = self.kernel.registers.held(base)?;
            let wide = self.kernel.function.value(base).width == 64;
            (wide && held.stable && held.integer).then(|| {
                (
                    held.name,
                    base,
                    event.load().map_or(0, |access| access.offset),
                )
            })
        };
        let (from, to) = (address(source), address(destination));
        let (Some((minus, from_base, from)), Some((register, to_base, to))) = (from, to) else {
            return Err(no_register(source));
        };
        let term = |value: Value| self.kernel.values[value.index()];
        let (Some(from_base), Some(to_base)) = (term(from_base), term(to_base)) else {
            return Err(no_register(source));
        };
        let between_registers = distance.wrapping_sub(to as u64).wrapping_add(from as u64);
        let check = Check {
            register,
            minus: Some(minus),
            width: 64,
            offset: between_registers.wrapping_neg(),
            limit: 0,
            meaning: format!("the addresses are {} bytes apart", distance as i64),
        };
        Ok(Some(Emitted {
            check,
            tested: self.terms.sub(to_base, from_base),
        }))
    }

    fn check(&mut self, place: Place, wanted: &Wanted) -> Option<Emitted> {
        let Kernel {
            function,
            analyses,
            registers,
            values,
            ..
        } = *self.kernel;
        let holders = self
            .holders
            .get_or_insert_with(|| Holders::new(function, self.terms, values, registers));
        let (check, value, minus) =
            holders.check(function, analyses, self.terms, registers, place, wanted)?;
        let mut tested = values[value.index()]?;
        if let Some(minus) = minus {
            tested = self.terms.sub(tested, values[minus.index()]?);
        }
        Some(Emitted { check, tested })
    }

    /// The number of a part's source in the plan.
    fn source(&mut self, part: &ProvedPart, home: Option<Home>, event: &Event) -> u32 {
        let key = (part.source, home, part.vote);
        if let Some(&number) = self.sources.get(&key) {
            return number;
        }
        let region = match home {
            Some(home) => self.region(home),
            None => u32::MAX,
        };
        let loaded = self.kernel.registers.loaded(event.origin);
        let stable = loaded.is_some_and(|loaded| {
            let mut registers = loaded.elements.iter().flatten();
            registers.all(|register| register.stable)
        });
        let within = self.within(event.block);
        let number = self.plan.sources.len() as u32;
        self.plan.sources.push(Source {
            statement: event.origin,
            region,
            copy: !stable && !active(Mutation::StaleSource),
            checks: Vec::new(),
            halo: None,
            within,
            vote: part.vote,
        });
        self.sources.insert(key, number);
        number
    }

    fn region(&mut self, home: Home) -> u32 {
        if let Some(&number) = self.numbers.get(&home) {
            return number;
        }
        let copy = match home {
            Home::Copy(part) => self.copy(part),
            Home::Head(_) => None,
        };
        let Some(Ok(planned)) = self.regions.get(&home) else {
            return u32::MAX;
        };
        let number = self.plan.regions.len() as u32;
        self.plan.regions.push(Region {
            copy,
            ..planned.region.clone()
        });
        self.numbers.insert(home, number);
        number
    }

    /// The copy that the loads of a block are changed in, if any.
    fn within(&mut self, block: BlockId) -> Option<u32> {
        let part = self.kernel.copies.parts.of(block)?;
        self.copy(part)
    }

    /// The number of the copy of a part in the plan.
    fn copy(&mut self, part: u32) -> Option<u32> {
        if let Some(&number) = self.copies.get(&part) {
            return Some(number);
        }
        let planned = self.regions.get(&Home::Copy(part))?.as_ref().ok()?;
        let number = self.plan.copies.len() as u32;
        self.plan.copies.push(planned.copy.clone()?);
        self.copies.insert(part, number);
        Some(number)
    }

    /// The plan, without copies that no shuffle is left in.
    fn finish(mut self) -> Plan {
        let used: Vec<bool> = (0..self.plan.copies.len() as u32)
            .map(|copy| {
                let shuffles = &self.plan.shuffles;
                shuffles
                    .iter()
                    .any(|shuffle| !shuffle.lanes.is_own() && shuffle.within == Some(copy))
            })
            .collect();
        let mut next = 0;
        let renamed: Vec<Option<u32>> = used
            .iter()
            .map(|&used| {
                next += u32::from(used);
                used.then(|| next - 1)
            })
            .collect();
        let rename = |copy: &mut Option<u32>| {
            *copy = copy.and_then(|copy| renamed[copy as usize]);
        };
        let plan = &mut self.plan;
        plan.regions
            .iter_mut()
            .for_each(|one| rename(&mut one.copy));
        plan.sources
            .iter_mut()
            .for_each(|one| rename(&mut one.within));
        plan.shuffles
            .iter_mut()
            .for_each(|one| rename(&mut one.within));
        let mut used = used.into_iter();
        plan.copies.retain(|_| used.next().unwrap_or(false));
        self.plan
    }
}

fn waiting(origin: u32) -> Refusal {
    Refusal::new(
        ConditionName::C4,
        "lanes of the mask may wait for each other before they get here",
    )
    .at(origin, "waits for other threads")
    .lift("the loads on one side of it")
}

fn no_register(source: &Event) -> Refusal {
    Refusal::new(
        ConditionName::C1,
        "a 32-bit index may wrap, and no register keeps it for a check at run time",
    )
    .at(source.origin, "source")
    .lift("a bounds check of the index, or `--assume nowrap`")
}
