//! The LLVM IR back end: a [`Plan`] becomes instructions, with what the PTX back end writes as the model. No load of IR has a
//! guard, so that corner loads stand in blocks of their own.
//!
//! - `region`: the set-up of a region, one function for each wrapping;
//! - `checks`: run-time checks, and what they take from a set-up;
//! - `values`: loaded values as words, and back;
//! - `exchange`: one shuffle and its condition;
//! - `sink`: arithmetic that is kept together;
//! - `destination`: what becomes of a destination;
//! - `code`: new instructions.

mod checks;
mod code;
mod destination;
mod exchange;
mod region;
mod sink;
pub mod values;

use crate::binding::is_load;
use crate::numbering::Numbering;
use checks::{Names, ptxasw_drop_flags};
use code::Code;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};
use inkwell::module::Module;
use ptxasw::ptx::emit::Variant;
use ptxasw::shuffle::plan::{Plan, Shuffle, Wrapping};
use region::Setup;
use rustc_hash::FxHashSet;
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
    /// It is not written from IR.
    #[error("the wrapping {0:?} is not written from LLVM IR")]
    Wrapping(Wrapping),
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
    Ok(())
}

/// What the destinations of a source read.
struct Ready {
    words: Words,
    setup: Option<Setup>,
}

/// A load: its instruction, and the form of its value.
#[derive(Clone, Copy)]
struct Load {
    instruction: LLVMValueRef,
    form: Form,
}

struct Writer<'p> {
    plan: &'p Plan,
    variant: Variant,
    code: Code,
    names: Names,
    /// The places of the plan's sources.
    sources: Vec<Place>,
    /// The loads of the plan's shuffles.
    destinations: Vec<Load>,
}

/// Where a source's words are made.
#[derive(Clone, Copy)]
struct Place {
    value: LLVMValueRef,
    form: Form,
    before: LLVMValueRef,
}

fn instruction(numbering: &Numbering, statement: u32) -> Result<LLVMValueRef, Error> {
    let found = numbering.instruction(statement.max(1));
    Ok(found.ok_or(Error::NoInstruction(statement))?.raw())
}

fn load(numbering: &Numbering, statement: u32) -> Result<Load, Error> {
    let found = numbering.instruction(statement).filter(|&one| is_load(one));
    let instruction = found.ok_or(Error::NotALoad(statement))?.raw();
    let form = values::form(unsafe { LLVMTypeOf(instruction) });
    let form = form.ok_or(Error::NotALoad(statement))?;
    Ok(Load { instruction, form })
}

/// Instructions that new ones stand in front of, or read.
fn kept(numbering: &Numbering, plan: &Plan, names: &Names) -> FxHashSet<LLVMValueRef> {
    let regions = plan.regions.iter();
    let places = regions.clone().map(|region| region.before);
    let carried = plan
        .sources
        .iter()
        .filter_map(|source| source.carried.as_ref());
    let places = places.chain(carried.map(|carried| carried.before));
    let checks = regions.map(|region| &region.checks);
    let checks = checks.chain(plan.sources.iter().map(|source| &source.checks));
    let checks = checks.chain(plan.shuffles.iter().map(|shuffle| &shuffle.checks));
    let checked = checks.flatten().flat_map(|check| {
        let names = [Some(&check.register), check.minus.as_ref()];
        names.into_iter().flatten()
    });
    let read = checked.filter_map(|name| names.find(name).ok());
    let places = places.filter_map(|place| instruction(numbering, place).ok());
    places.chain(read).collect()
}

impl<'p> Writer<'p> {
    fn new(
        module: LLVMModuleRef,
        numbering: &Numbering,
        plan: &'p Plan,
        variant: Variant,
    ) -> Result<Self, Error> {
        let names = numbering.by_name().into_iter();
        let names = Names::new(
            names
                .map(|(name, value)| (name.into(), value.raw()))
                .collect(),
        );
        let destinations = plan.shuffles.iter().map(|shuffle| match shuffle {
            Shuffle {
                within: None,
                upward: false,
                ..
            } => load(numbering, shuffle.destination),
            _ => Err(Error::Inconsistent(shuffle.destination)),
        });
        let destinations: Vec<Load> = destinations.collect::<Result<_, _>>()?;
        if variant == Variant::Normal {
            let shuffled = plan.shuffles.iter().zip(&destinations);
            let corners = shuffled.filter(|(shuffle, _)| !shuffle.lanes.is_own());
            let corners: Vec<_> = corners.map(|(_, load)| load.instruction).collect();
            unsafe { sink::sink(&corners, &kept(numbering, plan, &names)) };
        }
        let sources = plan.sources.iter().map(|source| {
            if source.within.is_some() || source.halo.is_some() || source.vote {
                return Err(Error::Inconsistent(source.statement));
            }
            if let Some(carried) = &source.carried {
                let value = names.find(&carried.register)?;
                let form = values::form(unsafe { LLVMTypeOf(value) });
                let form = form.filter(|form| form.total() * 8 == carried.element_bits);
                return Ok(Place {
                    value,
                    form: form.ok_or(Error::NotALoad(source.statement))?,
                    before: instruction(numbering, carried.before)?,
                });
            }
            let load = load(numbering, source.statement)?;
            Ok(Place {
                value: load.instruction,
                form: load.form,
                before: unsafe { LLVMGetNextInstruction(load.instruction) },
            })
        });
        let sources = sources.collect::<Result<_, _>>()?;
        Ok(Writer {
            plan,
            variant,
            code: Code::new(module),
            names,
            sources,
            destinations,
        })
    }

    /// Whether the shuffle becomes one, not a copy.
    fn shuffles(&self, shuffle: &Shuffle) -> bool {
        !shuffle.lanes.is_own() && self.variant != Variant::NoLoad
    }

    /// The set-up of each region; none for a region without a shuffle.
    fn set_up_regions(&self, numbering: &Numbering) -> Result<Vec<Option<Setup>>, Error> {
        let mut used = vec![false; self.plan.regions.len()];
        for shuffle in self.plan.shuffles.iter().filter(|one| self.shuffles(one)) {
            for part in &shuffle.parts {
                let source = self.plan.sources.get(part.source as usize);
                if let Some(used) = source.and_then(|source| used.get_mut(source.region as usize)) {
                    *used = true;
                }
            }
        }
        // All places first: one region's set-up may stand in front of another's.
        let places = self
            .plan
            .regions
            .iter()
            .map(|region| instruction(numbering, region.before));
        let places: Vec<LLVMValueRef> = places.collect::<Result<_, _>>()?;
        let regions = self.plan.regions.iter().zip(places).zip(used);
        regions
            .map(|((region, place), used)| {
                if !used {
                    return Ok(None);
                }
                if region.copy.is_some() || region.mask.is_some() {
                    return Err(Error::Wrapping(region.wrapping));
                }
                self.code.before(place, place);
                region::set_up(region, &self.code, &self.names).map(Some)
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
            Some(setup) => Some(setup.narrowed(&source.checks, &self.code, &self.names)?),
            None => None,
        };
        Ok(Ready { words, setup })
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
