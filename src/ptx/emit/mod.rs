//! The PTX back end: a [`Plan`] becomes text edits, and what no edit touches stays byte for byte.
//!
//! - `setup`: what the set-up of a region leaves for its shuffles; `region`: the set-up, one function for each wrapping; `rows`: the ends of rows; `narrow`: what checks and votes take from it;
//! - `source`, `destination`: what is written behind a source and at a destination;
//! - `value`: loaded values as words, and back;
//! - `exchange`: one shuffle and its predicates;
//! - `ahead`: shuffles that stand behind the source;
//! - `halo`: one load behind the source for the corner lanes of its destinations;
//! - `masks`: masks that are tracked by ballots;
//! - `copy`: copies for whole warps;
//! - `code`: lines of instructions, and run-time checks;
//! - `load`: which loads can be rewritten;
//! - `layout`: where new lines go;
//! - `registers`: new names that clash with nothing;
//! - [`edit`]: edits and their application.

mod ahead;
mod code;
mod copy;
mod destination;
pub mod edit;
mod exchange;
mod halo;
pub(in crate::ptx) mod layout;
mod load;
mod masks;
mod narrow;
mod region;
pub(in crate::ptx) mod registers;
mod rows;
mod setup;
mod source;
mod value;
pub mod version;

use crate::ptx::ast::{Body, Item, Module, Variable};
use crate::ptx::decode::declared;
use crate::shuffle::plan::{Plan, Region, Shuffle, Source, Wrapping};
use ahead::Ahead;
use code::Code;
use copy::{CopyWriter, Entry, Labels};
use edit::Edit;
use layout::{Layout, Place, front};
pub use load::fits;
use load::{Load, Loads, MAX_BYTES};
use region::Tracked;
pub use registers::register_of_earlier_run;
use registers::{Class, Registers};
use setup::Setup;
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
    /// The statement is not a load, or one of values that the emitter can't take apart.
    #[error("statement {0} is not a load that can be rewritten")]
    NotALoad(u32),
    /// A shuffle or source names a source or region that the plan does not have, a direction that its region lacks, bytes
    /// that a load has not, or a lane outside of the warp; or a byte of a destination comes from nowhere.
    #[error("the plan does not cover its statement {0}")]
    Inconsistent(u32),
}

/// The edits that carry out `plans`, each of a function of its own, in `module`: sorted, without overlap.
///
/// # Errors
/// The first plan that does not fit.
pub fn emit(module: &Module, plans: &[&Plan], variant: Variant) -> Result<Vec<Edit>, Error> {
    let emitter = Emitter::new(module, variant);
    let mut edits = Vec::new();
    for plan in plans {
        edits.append(&mut emitter.emit(plan)?);
    }
    edits.sort_by_key(|edit| edit.at.start);
    Ok(edits)
}

/// What the plans of all functions of a module are written with.
pub struct Emitter<'m, 't> {
    module: &'m Module<'t>,
    variant: Variant,
    /// Of new names.
    prefix: String,
    /// Variables of shared memory outside of functions.
    shared: Vec<&'m Variable>,
}

impl<'m, 't> Emitter<'m, 't> {
    /// For one module.
    pub fn new(module: &'m Module<'t>, variant: Variant) -> Self {
        Emitter {
            module,
            variant,
            prefix: registers::free_prefix(module.text, registers::STEM),
            shared: declared::shared(module),
        }
    }

    /// The edits that carry out one plan.
    ///
    /// # Errors
    /// The plan does not fit.
    pub fn emit(&self, plan: &Plan) -> Result<Vec<Edit>, Error> {
        if plan.shuffles.is_empty() {
            return Ok(Vec::new());
        }
        let module = self.module;
        let mut layout = Layout::new(module);
        let body = match module.items.get(plan.item as usize) {
            Some(Item::Function(function)) => function.body.as_ref(),
            _ => None,
        };
        let body = body.ok_or(Error::NoFunction(plan.item))?;
        let mut writer = Writer {
            module,
            body,
            plan,
            variant: self.variant,
            loads: Load::read_all(module, &self.shared, body, rewritten(plan))?,
            copies: plan.copies.iter().map(|_| Copied::new(module)).collect(),
            registers: Registers::new(&self.prefix),
            ahead: Ahead::new(module, body, plan),
            prefix: &self.prefix,
        };
        writer.write(&mut layout)?;
        Ok(layout.finish())
    }
}

/// The statements of a plan's loads.
fn rewritten(plan: &Plan) -> Vec<u32> {
    let sources = plan
        .sources
        .iter()
        .filter(|source| source.carried.is_none())
        .map(|source| source.statement);
    let destinations = plan.shuffles.iter().map(|shuffle| shuffle.destination);
    sources.chain(destinations).collect()
}

/// Writes one plan.
struct Writer<'m, 't, 'p> {
    module: &'m Module<'t>,
    body: &'m Body,
    plan: &'m Plan,
    variant: Variant,
    /// By their statements.
    loads: Loads<'t>,
    copies: Vec<Copied<'t>>,
    registers: Registers<'p>,
    /// None where no shuffle moves up.
    ahead: Option<Ahead<'t>>,
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

impl<'t> Writer<'_, 't, '_> {
    fn write(&mut self, layout: &mut Layout<'t>) -> Result<(), Error> {
        let masks = self.write_masks(layout)?;
        let setups = self.set_up_regions(layout, &masks)?;
        let mut sources = Vec::with_capacity(self.plan.sources.len());
        let needed = self.plan.needed_bytes(MAX_BYTES);
        let needed = needed.map_err(Error::Inconsistent)?;
        let both = self.sources_of_both();
        for ((source, needed), both) in self.plan.sources.iter().zip(needed).zip(both) {
            let one = self.within(layout, source.within, |writer, layout| {
                writer.source(layout, source, (needed, both), &setups)
            });
            sources.push(one?);
        }
        for shuffle in &self.plan.shuffles {
            self.within(layout, shuffle.within, |writer, layout| {
                writer.destination(layout, shuffle, &sources)
            })?;
        }
        self.write_copies(layout)?;
        layout.declare(self.body, &self.registers.declarations());
        Ok(())
    }

    /// Works on the text of a copy, if there is one, in place of the original.
    fn within<T>(
        &mut self,
        layout: &mut Layout<'t>,
        copy: Option<u32>,
        work: impl FnOnce(&mut Self, &mut Layout<'t>) -> T,
    ) -> T {
        let used = |copy: &u32| {
            let found = self.copies.get(*copy as usize);
            found.is_some_and(|copied| copied.entry.is_some())
        };
        let Some(copy) = copy.filter(used) else {
            return work(self, layout);
        };
        std::mem::swap(layout, &mut self.copies[copy as usize].edits);
        let done = work(self, layout);
        std::mem::swap(layout, &mut self.copies[copy as usize].edits);
        done
    }

    /// Puts the copies in front of their originals.
    fn write_copies(&mut self, layout: &mut Layout<'t>) -> Result<(), Error> {
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
                layout,
            };
            writer.write(&mut self.registers)?;
        }
        Ok(())
    }

    /// Whether the shuffle becomes a `shfl`, not a `mov`.
    fn shuffles(&self, shuffle: &Shuffle) -> bool {
        !shuffle.lanes.is_own() && self.variant != Variant::NoLoad
    }

    /// Whether the original does the same as the copy that the shuffle stands in: it moves the thread's own value, which asks
    /// nothing of other lanes. Lanes that leave the copy between source and destination find the value, too.
    fn in_both(&self, shuffle: &Shuffle) -> bool {
        let mut sources = shuffle.parts.iter().map(|part| part.source as usize);
        let near = |number| {
            let source: Option<&Source> = self.plan.sources.get(number);
            source.is_some_and(|source| [None, shuffle.within].contains(&source.within))
        };
        shuffle.lanes.is_own() && shuffle.within.is_some() && sources.all(near)
    }

    /// For each source, whether some shuffle takes its value in a copy and in the original.
    fn sources_of_both(&self) -> Vec<bool> {
        let mut both = vec![false; self.plan.sources.len()];
        let shuffles = &self.plan.shuffles;
        for shuffle in shuffles.iter().filter(|shuffle| self.in_both(shuffle)) {
            for part in &shuffle.parts {
                both[part.source as usize] = true;
            }
        }
        both
    }

    /// While the text of a copy is worked on: the edits of the original.
    fn original(&mut self, copy: Option<u32>) -> Option<&mut Layout<'t>> {
        let copied = self.copies.get_mut(copy? as usize)?;
        // See `within`: the two are exchanged.
        copied.entry.is_some().then_some(&mut copied.edits)
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
                    *checks |=
                        source.vote || !source.checks.is_empty() || !shuffle.checks.is_empty();
                }
            }
        }
        demands
    }

    /// The set-up of each region; none for a region without a shuffle.
    fn set_up_regions(
        &mut self,
        layout: &mut Layout<'t>,
        masks: &[String],
    ) -> Result<Vec<Option<Setup>>, Error> {
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
                    return self
                        .set_up_copy(layout, region, copy, source_checks)
                        .map(Some);
                }
                let (mut code, mut first) = (Code::default(), Code::default());
                let place = region.mask.and_then(|mask| plan.first_reading(mask));
                let tracked = match region.mask {
                    Some(mask) => Some(Tracked {
                        mask: masks
                            .get(mask as usize)
                            .ok_or(Error::Inconsistent(region.before))?,
                        first: place.map(|_| &mut first),
                    }),
                    None => None,
                };
                let registers = &mut self.registers;
                let setup = region::set_up(region, source_checks, tracked, &mut code, registers);
                if let Some(place) = place {
                    self.write_step(layout, Place::Setup, place, &first.lines)?;
                }
                let place = front(self.module, self.body, region.before);
                layout.before(Place::Setup, place, &code.lines);
                Ok(Some(setup))
            })
            .collect()
    }

    /// The mask in front of a copy, and its clamps: behind the test if both stand at one place.
    fn set_up_copy(
        &mut self,
        layout: &mut Layout,
        region: &Region,
        number: u32,
        source_checks: bool,
    ) -> Result<Setup, Error> {
        let copy = self.plan.copies.get(number as usize);
        let copy = copy.ok_or(Error::Inconsistent(region.before))?;
        let here = region.before == copy.before;
        let (mut before, mut behind) = (Code::default(), Code::default());
        let registers = &mut self.registers;
        let mask = registers.fresh(Class::Word);
        // Where lanes meet again behind the copy, the assembler takes the way in for divergent if not all read the mask.
        let unread = here && region.wrapping == Wrapping::Halo;
        if !unread {
            before.push(format!("activemask.b32 {mask};"));
        }
        let mut region = region.clone();
        let sign = match here {
            true => region
                .checks
                .iter()
                .position(|check| check.uniform && check.is_sign()),
            false => None,
        };
        let sign = sign.map(|at| region.checks.remove(at).register.into_string());
        let condition = region::entry_condition(&region, &mut before, registers);
        let setup = region::set_up(&region, source_checks, None, &mut behind, registers);
        let mut entry = Entry {
            mask,
            unread,
            condition,
            sign,
            ..Entry::default()
        };
        if here {
            entry.before_test = before.lines;
            entry.behind_test = behind.lines;
        } else {
            before.lines.append(&mut behind.lines);
            let place = front(self.module, self.body, region.before);
            layout.before(Place::Setup, place, &before.lines);
        }
        self.copies[number as usize].entry = Some(entry);
        Ok(setup)
    }
}
