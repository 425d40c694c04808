//! The PTX back end: a [`Plan`] becomes text edits, and what no edit touches stays byte for byte.
//!
//! - `region`: the set-up of a region, one function for each wrapping;
//! - `exchange`: one shuffle and its predicates;
//! - `early`, `halo`: wrappings whose corner loads stand behind the source;
//! - `copy`: copies for whole warps;
//! - `code`: lines of instructions, and run-time checks;
//! - `load`: which loads can be rewritten;
//! - `layout`: where new lines go;
//! - `registers`: new names that clash with nothing;
//! - [`edit`]: edits and their application.

mod code;
mod copy;
mod early;
pub mod edit;
mod exchange;
mod halo;
mod layout;
mod load;
mod region;
mod registers;
pub mod version;

use crate::emulator::term::LaneMap;
use crate::mutation::{Mutation, active};
use crate::ptx::ast::{Body, Item, Module};
use crate::shuffle::plan::{Part, Plan, Region, Shuffle};
use code::Code;
use copy::{CopyWriter, Entry, Labels};
use early::Early;
use edit::Edit;
use exchange::Exchange;
use layout::{Layout, Place, front};
use load::Load;
use region::Setup;
use registers::{Class, Registers};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// What is made of a covered load. All but [`Variant::Normal`] give wrong results on purpose: they are the paper's
/// measuring variants, which tell the cost of the corner case from the gain of the shuffle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// A shuffle, and the load in corner lanes.
    #[default]
    Normal,
    /// No load and no shuffle: the register is a copy of the source's.
    NoLoad,
    /// A shuffle only.
    NoCorner,
}

/// Why a plan cannot be written into a module. The first number is the statement's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// The plan names an item that is no function with a body.
    #[error("item {0} of the module is not a function with a body")]
    NoFunction(u32),
    /// The function has no such statement.
    #[error("the function has no statement {0}")]
    NoStatement(u32),
    /// The statement is not a load of one 32-bit register.
    #[error("statement {0} is not a load of one 32-bit register")]
    NotALoad(u32),
    /// The load has a guard of its own.
    #[error("the load of statement {0} has a guard predicate")]
    Guarded(u32),
    /// A shuffle or source names a source or region that the plan does not have, a direction that its region lacks, or
    /// a lane outside of the warp.
    #[error("the plan does not cover its statement {0}")]
    Inconsistent(u32),
}

/// The edits that carry out `plans` in `module`: sorted, without overlap.
pub fn emit(module: &Module, plans: &[Plan], variant: Variant) -> Result<Vec<Edit>, Error> {
    let prefix = registers::free_prefix(module.text);
    let mut layout = Layout::new(module);
    for plan in plans.iter().filter(|plan| !plan.shuffles.is_empty()) {
        let body = match module.items.get(plan.item as usize) {
            Some(Item::Function(function)) => function.body.as_ref(),
            _ => None,
        };
        let mut writer = Writer {
            module,
            body: body.ok_or(Error::NoFunction(plan.item))?,
            plan,
            variant,
            layout: &mut layout,
            copies: plan.copies.iter().map(|_| Copied::new(module)).collect(),
            registers: Registers::new(&prefix),
            upward: early::by_source(plan),
            prefix: &prefix,
        };
        writer.write()?;
    }
    Ok(layout.finish())
}

/// Writes one plan.
struct Writer<'m, 't, 'l, 'p> {
    module: &'m Module<'t>,
    body: &'m Body,
    plan: &'m Plan,
    variant: Variant,
    layout: &'l mut Layout<'t>,
    copies: Vec<Copied<'t>>,
    registers: Registers<'p>,
    /// Indices of the shuffles of each source whose corner loads move up.
    upward: FxHashMap<u32, Vec<usize>>,
    prefix: &'p str,
}

/// A copy in the making.
struct Copied<'t> {
    /// Edits of the copied text.
    edits: Layout<'t>,
    /// What stands in front of it; none if no shuffle needs the copy.
    entry: Option<Entry>,
}

impl<'t> Copied<'t> {
    fn new(module: &Module<'t>) -> Self {
        Copied {
            edits: Layout::new(module),
            entry: None,
        }
    }
}

/// What the destinations of a source read.
struct Ready {
    /// The register that holds the loaded value.
    value: String,
    /// Mask and clamps; none if no destination shuffles.
    setup: Option<Setup>,
    /// What corner lanes loaded early, by destination.
    early: FxHashMap<u32, Early>,
    /// The register of the halo load.
    halo: Option<String>,
}

impl Writer<'_, '_, '_, '_> {
    fn write(&mut self) -> Result<(), Error> {
        let setups = self.set_up_regions()?;
        let sources = self.prepare_sources(&setups)?;
        for shuffle in &self.plan.shuffles {
            let inconsistent = Error::Inconsistent(shuffle.destination);
            let [Part { source, byte: 0 }] = *shuffle.parts else {
                return Err(inconsistent);
            };
            let source = sources.get(source as usize).ok_or(inconsistent)?;
            self.within(shuffle.within, |writer| writer.destination(shuffle, source))?;
        }
        self.write_copies()?;
        self.layout
            .declare(self.body, &self.registers.declarations());
        Ok(())
    }

    /// Works on the text of a copy, if there is one, in place of the original.
    fn within<T>(&mut self, copy: Option<u32>, work: impl FnOnce(&mut Self) -> T) -> T {
        let used = |copy: &u32| {
            let found = self.copies.get(*copy as usize);
            found.is_some_and(|copied| copied.entry.is_some())
        };
        let Some(copy) = copy.filter(used) else {
            return work(self);
        };
        std::mem::swap(self.layout, &mut self.copies[copy as usize].edits);
        let done = work(self);
        std::mem::swap(self.layout, &mut self.copies[copy as usize].edits);
        done
    }

    /// Puts the copies in front of their originals.
    fn write_copies(&mut self) -> Result<(), Error> {
        if self.copies.is_empty() {
            return Ok(());
        }
        let mut labels = Labels::new(self.module, self.body, self.prefix, self.plan.item);
        let copies = std::mem::take(&mut self.copies);
        for ((copied, copy), number) in copies.into_iter().zip(&self.plan.copies).zip(0..) {
            let Some(entry) = copied.entry else { continue };
            let writer = CopyWriter {
                labels: &mut labels,
                copy,
                number,
                entry,
                edits: copied.edits,
                layout: self.layout,
            };
            writer.write(&mut self.registers)?;
        }
        Ok(())
    }

    /// Whether the shuffle becomes a `shfl`, not a `mov`.
    fn shuffles(&self, shuffle: &Shuffle) -> bool {
        !shuffle.lanes.is_own() && self.variant != Variant::NoLoad
    }

    /// What each region is needed for: whether it has a shuffle, and whether one of its sources has checks.
    fn demands(&self) -> Vec<(bool, bool)> {
        let mut demands = vec![(false, false); self.plan.regions.len()];
        for shuffle in self
            .plan
            .shuffles
            .iter()
            .filter(|shuffle| self.shuffles(shuffle))
        {
            let sources = shuffle.parts.iter();
            for source in sources.filter_map(|part| self.plan.sources.get(part.source as usize)) {
                if let Some((used, checks)) = demands.get_mut(source.region as usize) {
                    *used = true;
                    *checks |= !source.checks.is_empty() || !shuffle.checks.is_empty();
                }
            }
        }
        demands
    }

    /// The set-up of each region; none for a region without a shuffle.
    fn set_up_regions(&mut self) -> Result<Vec<Option<Setup>>, Error> {
        let plan = self.plan;
        let regions = plan.regions.iter().zip(self.demands());
        regions
            .map(|(region, (used, source_checks))| {
                if !used {
                    return Ok(None);
                }
                if region.before as usize >= self.body.statements.len() {
                    return Err(Error::NoStatement(region.before));
                }
                if let Some(copy) = region.copy {
                    return self.set_up_copy(region, copy, source_checks).map(Some);
                }
                let mut code = Code::default();
                let setup = region::set_up(region, source_checks, &mut code, &mut self.registers);
                let place = front(self.module, self.body, region.before);
                self.layout.before(Place::Setup, place, &code.lines);
                Ok(Some(setup))
            })
            .collect()
    }

    /// The mask in front of a copy, and its clamps: behind the test if both stand at one place.
    fn set_up_copy(
        &mut self,
        region: &Region,
        number: u32,
        source_checks: bool,
    ) -> Result<Setup, Error> {
        let copy = self.plan.copies.get(number as usize);
        let copy = copy.ok_or(Error::Inconsistent(region.before))?;
        let (mut before, mut behind) = (Code::default(), Code::default());
        let mask = before.word(&mut self.registers, |new| format!("activemask.b32 {new};"));
        let setup = region::set_up(region, source_checks, &mut behind, &mut self.registers);
        let mut entry = Entry {
            mask,
            ..Entry::default()
        };
        if region.before == copy.before {
            entry.before_test = before.lines;
            entry.behind_test = behind.lines;
        } else {
            before.lines.append(&mut behind.lines);
            let place = front(self.module, self.body, region.before);
            self.layout.before(Place::Setup, place, &before.lines);
        }
        self.copies[number as usize].entry = Some(entry);
        Ok(setup)
    }

    /// Copies and checks behind each source.
    fn prepare_sources(&mut self, setups: &[Option<Setup>]) -> Result<Vec<Ready>, Error> {
        let mut ready = Vec::with_capacity(self.plan.sources.len());
        for source in &self.plan.sources {
            let load = Load::read(self.module, self.body, source.statement)?;
            let mut code = Code::default();
            let mut value = load.register.to_string();
            if source.copy {
                value = code.word(&mut self.registers, |new| {
                    format!("mov.b32 {new}, {};", load.register)
                });
            }
            let setup = setups.get(source.region as usize).and_then(Option::as_ref);
            let setup = match setup {
                Some(setup) if !source.checks.is_empty() => {
                    Some(setup.narrowed(&source.checks, &mut code, &mut self.registers))
                }
                setup => setup.cloned(),
            };
            let mut one = Ready {
                value,
                setup,
                early: FxHashMap::default(),
                halo: None,
            };
            self.load_upward(source, ready.len() as u32, &mut one, &mut code)?;
            self.within(source.within, |writer| {
                writer
                    .layout
                    .behind(Place::BehindSource, load.span.end, &code.lines);
            });
            ready.push(one);
        }
        Ok(ready)
    }

    /// Lines in place of a destination.
    fn replaced(
        &mut self,
        shuffle: &Shuffle,
        load: &Load,
        mut lines: Vec<String>,
    ) -> Result<(), Error> {
        let last = lines
            .pop()
            .ok_or(Error::Inconsistent(shuffle.destination))?;
        let place = front(self.module, self.body, shuffle.destination);
        self.layout.before(Place::Shuffle, place, &lines);
        self.layout.replace(load.span, last);
        Ok(())
    }

    /// The shuffle (or `mov`) at a destination's place, and its corner load.
    fn destination(&mut self, shuffle: &Shuffle, source: &Ready) -> Result<(), Error> {
        let load = Load::read(self.module, self.body, shuffle.destination)?;
        let value = &source.value;
        if !self.shuffles(shuffle) {
            self.layout
                .replace(load.span, format!("mov.b32 {}, {value};", load.register));
            return Ok(());
        }
        let inconsistent = Error::Inconsistent(shuffle.destination);
        let Some(setup) = &source.setup else {
            return Err(inconsistent);
        };
        if shuffle.upward && self.variant == Variant::Normal {
            let lines = self
                .take_upward(shuffle, source, setup, &load)
                .ok_or(inconsistent.clone())?;
            if source.halo.is_none() {
                return self.replaced(shuffle, &load, lines);
            }
            let place = front(self.module, self.body, shuffle.destination);
            self.layout.before(Place::Shuffle, place, &lines);
            let whole = setup.ring.as_ref().map(|ring| format!("!{}", ring.whole));
            self.layout
                .guard(load.span.start, &whole.ok_or(inconsistent)?);
            return Ok(());
        }
        let mut code = Code::default();
        let narrowed = (!shuffle.checks.is_empty() && self.variant == Variant::Normal)
            .then(|| setup.narrowed(&shuffle.checks, &mut code, &mut self.registers));
        let mut exchange = Exchange {
            lanes: match shuffle.lanes {
                LaneMap::Shift(delta) if active(Mutation::WrongDirection) => LaneMap::Shift(-delta),
                lanes => lanes,
            },
            value,
            target: load.register,
            setup: narrowed.as_ref().unwrap_or(setup),
        };
        if self.variant == Variant::NoCorner || active(Mutation::NoCornerLoad) {
            let line = exchange.bare().ok_or(inconsistent)?;
            self.layout.replace(load.span, line);
            return Ok(());
        }
        let through = shuffle.through_temporary || load.base == Some(load.register);
        let temporary = through.then(|| self.registers.fresh(Class::Word));
        exchange.target = temporary.as_deref().unwrap_or(load.register);
        let guards = exchange.write(&mut code, &mut self.registers);
        let guards = guards.ok_or(inconsistent)?;
        let place = front(self.module, self.body, shuffle.destination);
        self.layout.before(Place::Shuffle, place, &code.lines);
        let guard = match active(Mutation::CornerInverted) {
            true => &guards.covered,
            false => &guards.corner,
        };
        if !active(Mutation::PredicatedOverwritten) {
            self.layout.guard(load.span.start, guard);
        }
        if let Some(temporary) = &temporary {
            let back = format!(
                "@{} mov.b32 {}, {temporary};",
                guards.covered, load.register
            );
            self.layout
                .behind(Place::Completion, load.span.end, &[back]);
        }
        Ok(())
    }
}
