//! The plan, shuffle by shuffle: which sources and regions are used, and where run-time checks go.

use super::kernel::{Kernel, Regions};
use super::last_uses::last_uses;
use super::placement::{Holders, Place, Wanted};
use crate::shuffle::certify::ShuffleCertifier;
use crate::shuffle::certify::{Emitted, Evidence};
use crate::shuffle::model::proved::{Proved, ProvedPart, RegionKey};
use crate::shuffle::plan::{Carried, Check, Condition, Part, Plan, Region, Shuffle, Source};
use crate::shuffle::refusal::{Refusal, c1};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::Terms;
use ptxasw_emulator::trace::Event;
use ptxasw_ir::function::{BlockId, InstId, Value};
use ptxasw_ir::patch::completed_elements;
use ptxasw_ir::types::Kind;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;

/// Where a check is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// In the region's set-up.
    Region,
    /// After the source.
    Source,
    /// At the destination.
    Destination,
}

/// A plan in the making.
pub(super) struct Builder<'k, 'a, 'c> {
    kernel: &'k Kernel<'a>,
    terms: &'k mut Terms,
    certifier: Option<&'k mut ShuffleCertifier<'c>>,
    holders: Option<Holders>,
    /// The checks that were asked for: most sources have several destinations that want the same.
    checked: FxHashMap<(Place, Wanted), Option<Rc<Emitted>>>,
    plan: Plan,
    regions: Regions,
    /// Numbers of regions in the plan.
    numbers: FxHashMap<RegionKey, u32>,
    /// Numbers of sources in the plan, by load, region and whether there is a vote.
    sources: FxHashMap<(u32, Option<RegionKey>, bool), u32>,
    /// Numbers of copies in the plan, by part.
    copies: FxHashMap<u32, u32>,
    last_uses: Option<FxHashMap<Value, u32>>,
}

impl<'k, 'a, 'c> Builder<'k, 'a, 'c> {
    pub fn new(
        kernel: &'k Kernel<'a>,
        terms: &'k mut Terms,
        certifier: Option<&'k mut ShuffleCertifier<'c>>,
        regions: Regions,
    ) -> Self {
        Builder {
            kernel,
            terms,
            certifier,
            holders: None,
            checked: FxHashMap::default(),
            plan: Plan {
                kernel: kernel.function.name.clone(),
                ..Plan::default()
            },
            regions,
            numbers: FxHashMap::default(),
            sources: FxHashMap::default(),
            copies: FxHashMap::default(),
            last_uses: None,
        }
    }

    pub fn add(&mut self, shuffle: &Proved) -> Result<(), Refusal> {
        let region_key = (!shuffle.lanes.is_own()).then_some(shuffle.region_key);
        let destination = (self.kernel.events)(shuffle.destination);
        let mut found: SmallVec<[_; 1]> = SmallVec::new();
        for part in &shuffle.parts {
            let source = (self.kernel.events)(part.source);
            if source.carried.is_some() && self.carried(source).is_none() {
                return Err(no_register(source));
            }
            let checks = self.checks(part, region_key, (source, destination))?;
            let distance = self.distance_check(part, source, destination)?;
            found.push((part, source, checks, distance));
        }
        let (mut parts, mut own_checks) = (Vec::new(), Vec::new());
        let mut conditions: Option<Arc<[Condition]>> = None;
        let mut evidence = Vec::new();
        for (part, source, checks, distance) in found {
            let number = self.source(part, region_key, source);
            self.note_checks(number, &checks);
            parts.extend(part.bytes.iter().map(|&(at, bytes)| Part {
                source: number,
                byte: (i64::from(at) + part.skip) as u8,
                at,
                bytes,
            }));
            conditions = Some(match conditions {
                None => part.conditions.clone(),
                Some(all) => all_of(&all, &part.conditions),
            });
            let late = checks
                .iter()
                .filter(|(level, _)| *level == Level::Destination);
            for (_, one) in late {
                if !own_checks.contains(&one.check) {
                    own_checks.push(one.check.clone());
                }
            }
            evidence.extend(part.basis.as_deref().map(|basis| Evidence {
                part,
                basis,
                source,
                checks: checks.into_iter().map(|(_, emitted)| emitted).collect(),
                distance: distance.clone(),
            }));
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
            inst: destination.inst,
            elements: self.elements(destination),
            parts,
            lanes: shuffle.lanes,
            upward: false,
            checks: own_checks,
            within,
            conditions: conditions.unwrap_or_default(),
            certificate,
        });
        Ok(())
    }

    /// Puts checks where they are made: into the set-up of the region, or after the source.
    fn note_checks(&mut self, source: u32, checks: &[(Level, Rc<Emitted>)]) {
        let source = &mut self.plan.sources[source as usize];
        let mut region = self.plan.regions.get_mut(source.region as usize);
        for (level, emitted) in checks {
            let check = &emitted.check;
            let list = match (level, &mut region) {
                (Level::Destination, _) => continue,
                (Level::Region, Some(region)) => &mut region.checks,
                _ => &mut source.checks,
            };
            if !list.contains(check) {
                list.push(check.clone());
            }
        }
    }

    /// The checks of a part, in the order of what its proof wants: in the region's set-up where a register holds the value
    /// there, else after the source, or at the destination of what a loop carries.
    fn checks(
        &mut self,
        part: &ProvedPart,
        region_key: Option<RegionKey>,
        (source, destination): (&Event, &Event),
    ) -> Result<Vec<(Level, Rc<Emitted>)>, Refusal> {
        let mut checks = Vec::new();
        let Some(Ok(planned)) = region_key.and_then(|region_key| self.regions.get(&region_key))
        else {
            return match part.wanted.is_empty() {
                true => Ok(checks),
                false => Err(no_register(source)),
            };
        };
        let set_up = planned.place;
        // At the start of an iteration little is computed yet.
        let (later, level) = match source.carried {
            Some(_) => (destination, Level::Destination),
            None => (source, Level::Source),
        };
        let here = Place {
            block: later.block,
            statement: later.origin,
        };
        // A source in front of the set-up has no clamp yet that its checks could narrow.
        let after_set_up = if here.block == set_up.block {
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
            } else if let Some(check) = after_set_up.then(|| self.check(here, wanted)).flatten() {
                checks.push((level, check));
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
            // The registers of the load in the loop are those of another iteration.
            if event.carried.is_some() {
                return None;
            }
            let base = *self.kernel.function.inst(event.inst).args.first()?;
            let held = self.kernel.text.held(base)?;
            let wide = self.kernel.function.value(base).width == 64;
            (wide && held.stable && held.integer).then(|| {
                (
                    Box::<str>::from(held.name),
                    base,
                    event.load().map_or(0, |access| access.offset),
                )
            })
        };
        let (from, to) = (address(source), address(destination));
        let (Some((minus, from_value, from)), Some((register, to_value, to))) = (from, to) else {
            return Err(no_register(source));
        };
        let term = |value: Value| self.kernel.values[value.index()];
        let (Some(from_base), Some(to_base)) = (term(from_value), term(to_value)) else {
            return Err(no_register(source));
        };
        let between_registers = distance.wrapping_sub(to as u64).wrapping_add(from as u64);
        let check = Check {
            register,
            minus: Some(minus),
            values: (to_value, Some(from_value)),
            width: 64,
            offset: between_registers.wrapping_neg(),
            limit: 0,
            uniform: false,
            meaning: format!("the addresses are {} bytes apart", distance as i64),
        };
        Ok(Some(Emitted {
            check,
            tested: self.terms.sub(to_base, from_base),
        }))
    }

    fn check(&mut self, place: Place, wanted: &Wanted) -> Option<Rc<Emitted>> {
        if let Some(known) = self.checked.get(&(place, *wanted)) {
            return known.clone();
        }
        let check = self.check_anew(place, wanted).map(Rc::new);
        self.checked.insert((place, *wanted), check.clone());
        check
    }

    fn check_anew(&mut self, place: Place, wanted: &Wanted) -> Option<Emitted> {
        let Kernel {
            function,
            analyses,
            text,
            values,
            ..
        } = *self.kernel;
        let holders = self
            .holders
            .get_or_insert_with(|| Holders::new(function, self.terms, values, text));
        let (check, value, minus) =
            holders.check(function, analyses, self.terms, text, place, wanted)?;
        let mut tested = values[value.index()]?;
        if let Some(minus) = minus {
            tested = self.terms.sub(tested, values[minus.index()]?);
        }
        Some(Emitted { check, tested })
    }

    /// The number of a part's source in the plan.
    fn source(&mut self, part: &ProvedPart, region_key: Option<RegionKey>, event: &Event) -> u32 {
        let key = (part.source, region_key, part.vote);
        if let Some(&number) = self.sources.get(&key) {
            return number;
        }
        let region = match region_key {
            Some(region_key) => self.region(region_key),
            None => u32::MAX,
        };
        let carried = self.carried(event);
        let loaded = self.kernel.text.loaded(event.origin);
        let stable = loaded.is_some_and(|loaded| {
            let mut registers = loaded.elements.iter().flatten();
            registers.all(|register| register.stable)
        });
        let within = self.within(event.block);
        let number = self.plan.sources.len() as u32;
        self.plan.sources.push(Source {
            statement: event.origin,
            inst: event.inst,
            elements: self.elements(event),
            region,
            copy: match carried {
                Some(_) => true,
                None => !stable,
            },
            carried,
            checks: Vec::new(),
            halo: None,
            within,
            vote: part.vote,
        });
        self.sources.insert(key, number);
        number
    }

    /// What the statement of a load gives, element by element.
    fn elements(&self, event: &Event) -> Vec<Option<Value>> {
        let (function, text) = (self.kernel.function, self.kernel.text);
        let Some(loaded) = text.loaded(event.origin) else {
            return Vec::new();
        };
        let values = completed_elements(function, event.inst);
        // A register of 128 bits is two elements.
        let halves = (values.len() / loaded.elements.len().max(1)).max(1);
        let bytes = event
            .load()
            .map_or(0, |access| u32::from(access.ty.bits / 8));
        let used = |index: usize| {
            let of_element = (1u64 << bytes.min(32)) - 1;
            let first = bytes * index as u32;
            let used = loaded
                .used_bytes
                .map(|used| used.checked_shr(first).unwrap_or(0));
            used.is_none_or(|used| used & of_element != 0)
        };
        let there = |index: usize| {
            loaded
                .elements
                .get(index / halves)
                .is_some_and(Option::is_some)
        };
        let values = values.into_iter().enumerate();
        values
            .map(|(index, value)| (there(index) && used(index)).then_some(value))
            .collect()
    }

    /// Where a loop carries a value, if the source is one.
    fn carried(&mut self, event: &Event) -> Option<Carried> {
        let Kernel { trace, text, .. } = *self.kernel;
        let carried = trace.carried.get(event.carried? as usize)?;
        let element = event.load()?.ty;
        let register = text.carrier(carried.parameter, element)?;
        Some(Carried {
            before: text.first_statement(event.block)?,
            parameter: carried.parameter,
            block: event.block,
            bits: register.ty.bits,
            integer: matches!(register.ty.kind, Kind::Bits | Kind::Unsigned | Kind::Signed),
            register: register.name,
            element_bits: element.bits,
            signed: element.signed(),
            moved: self.needed_after(carried.parameter, event.inst),
        })
    }

    /// Whether the kernel itself needs a parameter of a loop's header after the load in the loop, in the order of the text.
    fn needed_after(&mut self, parameter: Value, load: InstId) -> bool {
        let function = self.kernel.function;
        let last = self.last_uses.get_or_insert_with(|| last_uses(function));
        let last = last.get(&parameter).copied();
        last.is_some_and(|last| last > function.inst(load).origin)
    }

    fn region(&mut self, region_key: RegionKey) -> u32 {
        if let Some(&number) = self.numbers.get(&region_key) {
            return number;
        }
        let copy = match region_key {
            RegionKey::Copy(part) => self.copy(part),
            RegionKey::Head(_) | RegionKey::Mask(_) => None,
        };
        let Some(Ok(planned)) = self.regions.get(&region_key) else {
            return u32::MAX;
        };
        let number = self.plan.regions.len() as u32;
        self.plan.regions.push(Region {
            copy,
            ..planned.region.clone()
        });
        self.numbers.insert(region_key, number);
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
        let planned = self.regions.get(&RegionKey::Copy(part))?.as_ref().ok()?;
        let number = self.plan.copies.len() as u32;
        self.plan.copies.push(planned.copy.clone()?);
        self.copies.insert(part, number);
        Some(number)
    }

    /// The plan, without copies that no shuffle is left in.
    pub fn finish(mut self) -> Plan {
        let mut used = vec![false; self.plan.copies.len()];
        for shuffle in &self.plan.shuffles {
            if let Some(copy) = shuffle.within.filter(|_| !shuffle.lanes.is_own()) {
                used[copy as usize] = true;
            }
        }
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
        let wanted: Vec<u32> = plan.regions.iter().filter_map(|one| one.mask).collect();
        let (masks, numbers) = self.kernel.masks.planned(&wanted);
        for region in &mut plan.regions {
            region.mask = region.mask.and_then(|mask| numbers[mask as usize]);
        }
        plan.masks = masks;
        let mut used = used.into_iter();
        plan.copies.retain(|_| used.next().unwrap_or(false));
        self.plan
    }
}

/// The conditions of several parts, each once.
fn all_of(one: &Arc<[Condition]>, other: &Arc<[Condition]>) -> Arc<[Condition]> {
    let more = other.iter().filter(|condition| !one.contains(condition));
    let all: Vec<_> = one.iter().chain(more).cloned().collect();
    match all.len() == one.len() {
        true => one.clone(),
        false => all.into(),
    }
}

fn no_register(source: &Event) -> Refusal {
    Refusal::new(&c1::OVERFLOW_UNCHECKED).at(source.origin, "source")
}
