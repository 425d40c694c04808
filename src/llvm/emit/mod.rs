//! The LLVM IR back end: a [`Plan`] becomes instructions, with what the PTX back end writes as the model. No load of IR has a
//! guard, so that corner loads stand in blocks of their own.
//!
//! - `region`: the set-up of a region, one function for each wrapping;
//! - `copy`: copies for whole warps;
//! - `checks`: run-time checks, and what they take from a set-up;
//! - `masks`: masks that are tracked by ballots;
//! - `values`: loaded values as words, and back;
//! - `exchange`: one shuffle and its condition;
//! - `sink`: arithmetic that is kept together;
//! - `destination`: what becomes of a destination;
//! - `code`: new instructions.

mod checks;
mod code;
mod copied;
mod copy;
mod destination;
mod exchange;
mod halo;
mod masks;
mod region;
mod setup;
mod sink;
pub mod values;

use crate::binding::is_load;
use crate::numbering::Numbering;
use checks::{Names, ptxasw_drop_flags};
use code::Code;
use copied::Copies;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};
use inkwell::module::Module;
use ptxasw::ptx::emit::Variant;
use ptxasw::shuffle::plan::{Plan, Shuffle, Source};
use rustc_hash::{FxHashMap, FxHashSet};
use setup::Setup;
use std::ffi::c_uint;
use values::{Form, MAX_BYTES, Words};

/// Why a plan can't be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The plan names a function that the module has not.
    #[error("the module has no function {0} with a body")]
    NoFunction(u32),
    /// The function has no such instruction.
    #[error("the function has no instruction {0}")]
    NoInstruction(u32),
    /// The instruction is no load, or one of values that can't be taken apart.
    #[error("instruction {0} is not a load that can be rewritten")]
    NotALoad(u32),
    /// A check names a value that the function has not, or not of that width.
    #[error("the function has no value `{0}` of the width that a check asks for")]
    NoValue(String),
    /// Something is named that the plan does not have; or a byte of a destination comes from nowhere.
    #[error("the plan does not cover its instruction {0}")]
    Inconsistent(u32),
}

/// Carries out the plan of one function. All places are looked up before anything is changed.
///
/// # Errors
/// The plan does not fit the function, of which parts may then be rewritten already: a fault of ours.
pub fn emit(
    module: &Module,
    numbering: &Numbering,
    plan: &Plan,
    variant: Variant,
) -> Result<(), Error> {
    if plan.shuffles.is_empty() {
        return Ok(());
    }
    let writer = Writer::new(module.as_mut_ptr(), numbering, plan, variant)?;
    let setups = writer.set_up_regions(numbering)?;
    let mut sources = Vec::with_capacity(plan.sources.len());
    let needed = plan.needed_bytes(MAX_BYTES);
    let needed = needed.map_err(Error::Inconsistent)?;
    for (index, needed) in needed.into_iter().enumerate() {
        sources.push(writer.source(index, needed, &setups)?);
    }
    // From the last one: what a corner load cuts off of its block is then short.
    for index in (0..plan.shuffles.len()).rev() {
        writer.destination(index, &sources)?;
    }
    let function = numbering.instruction(1).ok_or(Error::NoInstruction(1))?;
    unsafe { ptxasw_talks(function.raw()) };
    Ok(())
}

unsafe extern "C" {
    /// In C++: a function that holds an instruction talks to other lanes now.
    fn ptxasw_talks(inside: LLVMValueRef);
}

/// What the destinations of a source read.
struct Ready {
    words: Words,
    /// Those of the halo load.
    halo: Words,
    setup: Option<Setup>,
}

/// A load: its instruction, and the form of its value.
#[derive(Clone, Copy)]
struct Load {
    instruction: LLVMValueRef,
    form: Form,
    /// It is that of a copy.
    copied: bool,
}

struct Writer<'p> {
    plan: &'p Plan,
    variant: Variant,
    code: Code,
    /// Values by their names.
    values: FxHashMap<Box<str>, LLVMValueRef>,
    copies: Copies,
    /// The places of the plan's sources.
    sources: Vec<Place>,
    /// The loads of the plan's shuffles.
    destinations: Vec<Load>,
}

/// Where a source's words are made.
#[derive(Clone, Copy)]
struct Place {
    value: LLVMValueRef,
    /// What it is a copy of, if it is one.
    original: Option<LLVMValueRef>,
    form: Form,
    before: LLVMValueRef,
}

fn instruction(numbering: &Numbering, statement: u32) -> Result<LLVMValueRef, Error> {
    let found = numbering.instruction(statement.max(1));
    Ok(found.ok_or(Error::NoInstruction(statement))?.raw())
}

impl<'p> Writer<'p> {
    fn new(
        module: LLVMModuleRef,
        numbering: &Numbering,
        plan: &'p Plan,
        variant: Variant,
    ) -> Result<Self, Error> {
        let names = numbering.by_name().into_iter();
        let mut writer = Writer {
            plan,
            variant,
            code: Code::new(module),
            values: names
                .map(|(name, value)| (name.into(), value.raw()))
                .collect(),
            copies: Copies::default(),
            sources: Vec::new(),
            destinations: Vec::new(),
        };
        writer.copies = Copies::write(
            plan,
            &writer.used(),
            numbering,
            &writer.code,
            &writer.values,
        )?;
        let destinations = plan.shuffles.iter();
        let destinations =
            destinations.map(|shuffle| writer.load(numbering, shuffle.destination, shuffle.within));
        writer.destinations = destinations.collect::<Result<_, _>>()?;
        if variant == Variant::Normal {
            let kept = writer.kept(numbering);
            unsafe { sink::sink(&writer.corners(), &kept) };
        }
        let sources = plan.sources.iter();
        let sources = sources.map(|source| writer.source_place(numbering, source));
        writer.sources = sources.collect::<Result<_, _>>()?;
        Ok(writer)
    }

    /// The loads behind which blocks of corner loads stand; behind its source a halo load stands, too.
    fn corners(&self) -> Vec<LLVMValueRef> {
        let shuffled = self.plan.shuffles.iter().zip(&self.destinations);
        let corners = shuffled.filter(|(shuffle, _)| !shuffle.lanes.is_own());
        corners.map(|(_, load)| load.instruction).collect()
    }

    /// What names mean in a copy, or in the original.
    fn names(&self, within: Option<u32>) -> Names<'_> {
        Names {
            values: &self.values,
            copied: self.copies.get(within),
            copies: &self.copies,
        }
    }

    /// A load in a copy, or in the original.
    fn load(
        &self,
        numbering: &Numbering,
        statement: u32,
        within: Option<u32>,
    ) -> Result<Load, Error> {
        let found = numbering.instruction(statement).filter(|&one| is_load(one));
        let original = found.ok_or(Error::NotALoad(statement))?.raw();
        let form = values::form(unsafe { LLVMTypeOf(original) });
        let copied = self.copies.get(within);
        Ok(Load {
            instruction: copied.map_or(original, |copied| copied.of(original)),
            copied: copied.is_some_and(|copied| copied.has(original)),
            form: form.ok_or(Error::NotALoad(statement))?,
        })
    }

    fn source_place(&self, numbering: &Numbering, source: &Source) -> Result<Place, Error> {
        if source.vote {
            return Err(Error::Inconsistent(source.statement));
        }
        if let Some(carried) = &source.carried {
            let value = self.names(source.within).find(&carried.register)?;
            let form = values::form(unsafe { LLVMTypeOf(value) });
            let form = form.filter(|form| form.total() * 8 == carried.element_bits);
            let before = instruction(numbering, carried.before)?;
            let copied = self.copies.get(source.within);
            let original = self.names(None).find(&carried.register)?;
            return Ok(Place {
                value,
                original: Some(original).filter(|&original| original != value),
                form: form.ok_or(Error::NotALoad(source.statement))?,
                before: copied.map_or(before, |copied| copied.of(before)),
            });
        }
        let load = self.load(numbering, source.statement, source.within)?;
        let original = instruction(numbering, source.statement)?;
        Ok(Place {
            value: load.instruction,
            original: Some(original).filter(|_| load.copied),
            form: load.form,
            before: unsafe { LLVMGetNextInstruction(load.instruction) },
        })
    }

    /// Instructions that new ones stand in front of, or read.
    fn kept(&self, numbering: &Numbering) -> FxHashSet<LLVMValueRef> {
        let plan = self.plan;
        let copied = |within, value| match self.copies.get(within) {
            Some(copied) => copied.of(value),
            None => value,
        };
        let regions = plan.regions.iter();
        let places = regions.clone().map(|region| (region.before, None));
        let carried = plan
            .sources
            .iter()
            .filter_map(|source| Some((source.carried.as_ref()?.before, source.within)));
        let places = places.chain(carried);
        let checks = regions.map(|region| (&region.checks, None));
        let sources = plan.sources.iter();
        let checks = checks.chain(sources.map(|source| (&source.checks, source.within)));
        let shuffles = plan.shuffles.iter();
        let checks = checks.chain(shuffles.map(|shuffle| (&shuffle.checks, shuffle.within)));
        let checked = checks.flat_map(|(checks, within)| {
            let names = checks
                .iter()
                .flat_map(|check| [Some(&check.register), check.minus.as_ref()]);
            names.flatten().map(move |name| (name, within))
        });
        let read = checked.filter_map(|(name, within)| self.names(within).find(name).ok());
        let places = places.filter_map(|(place, within)| {
            Some(copied(within, instruction(numbering, place).ok()?))
        });
        places.chain(read).collect()
    }

    /// Whether the shuffle becomes one, not a copy.
    fn shuffles(&self, shuffle: &Shuffle) -> bool {
        !shuffle.lanes.is_own() && self.variant != Variant::NoLoad
    }

    /// The regions that have a shuffle.
    fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.plan.regions.len()];
        for shuffle in self.plan.shuffles.iter().filter(|one| self.shuffles(one)) {
            for part in &shuffle.parts {
                let source = self.plan.sources.get(part.source as usize);
                if let Some(used) = source.and_then(|source| used.get_mut(source.region as usize)) {
                    *used = true;
                }
            }
        }
        used
    }

    /// The set-up of each region; none for a region without a shuffle.
    fn set_up_regions(&self, numbering: &Numbering) -> Result<Vec<Option<Setup>>, Error> {
        // All places first: one region's set-up may stand in front of another's.
        let places = self.plan.regions.iter().map(|region| {
            let copy = region
                .copy
                .and_then(|number| self.plan.copies.get(number as usize));
            let at_entry = copy.is_some_and(|copy| copy.before == region.before);
            match self.copies.get(region.copy).filter(|_| at_entry) {
                Some(copied) => Ok(copied.entered),
                None => self.copies.place(numbering, region.before),
            }
        });
        let places: Vec<LLVMValueRef> = places.collect::<Result<_, _>>()?;
        let used = self.used();
        let masks = match used.contains(&true) {
            true => masks::write(self.plan, numbering, &self.copies, &self.code)?,
            false => vec![None; used.len()],
        };
        let regions = self.plan.regions.iter().zip(places).zip(masks).zip(used);
        regions
            .map(|(((region, place), mask), used)| {
                if !used {
                    return Ok(None);
                }
                self.code.before(place, place);
                region::set_up(region, mask, &self.code, self.names(None)).map(Some)
            })
            .collect()
    }

    /// Words behind a source, and what narrows the clamps of its destinations.
    fn source(&self, index: usize, needed: u32, setups: &[Option<Setup>]) -> Result<Ready, Error> {
        let (source, place) = (&self.plan.sources[index], self.sources[index]);
        if u64::from(needed) >> place.form.total() != 0 {
            return Err(Error::Inconsistent(source.statement));
        }
        unsafe { forget_promises(place.value) };
        let line = match unsafe { LLVMIsAInstruction(place.value).is_null() } {
            true => place.before,
            false => place.value,
        };
        self.code.before(place.before, line);
        let words = place.form.words(place.value, needed, &self.code);
        let setup = match setups.get(source.region as usize).and_then(Option::as_ref) {
            Some(setup) => {
                let names = self.names(source.within);
                let loaded = source.carried.is_none().then_some(place.value);
                Some(setup.narrowed(&source.checks, loaded, &self.code, names)?)
            }
            None => None,
        };
        let ring = setup.as_ref().and_then(|setup| setup.ring.as_ref());
        let halo = match (&source.halo, ring) {
            (Some(halo), Some(ring)) if self.variant == Variant::Normal => {
                let value = ring.load(halo, place, &self.code);
                self.code.before(place.before, line);
                place.form.words(value, needed, &self.code)
            }
            _ => Default::default(),
        };
        Ok(Ready { words, halo, setup })
    }
}

/// Takes from a load what it promises of the value that it loads: where a lane breaks a promise, its value was poison, and
/// now another lane has it, whose own load promised nothing. Of a value that a loop carries: from the loads that it comes from.
///
/// # Safety
/// It is an instruction or an argument.
unsafe fn forget_promises(source: LLVMValueRef) {
    const NOT_UNDEFINED: &str = "noundef";
    let mut seen = FxHashSet::default();
    let mut work = vec![source];
    while let Some(value) = work.pop() {
        unsafe {
            if !seen.insert(value) || LLVMIsAInstruction(value).is_null() {
                continue;
            }
            ptxasw_drop_flags(value);
            if !LLVMIsAPHINode(value).is_null() {
                work.extend((0..LLVMCountIncoming(value)).map(|n| LLVMGetIncomingValue(value, n)));
                continue;
            }
            let kind = LLVMGetMDKindIDInContext(
                LLVMGetTypeContext(LLVMTypeOf(value)),
                NOT_UNDEFINED.as_ptr().cast(),
                NOT_UNDEFINED.len() as c_uint,
            );
            LLVMSetMetadata(value, kind, std::ptr::null_mut());
        }
    }
}
