//! The PTX back end: a [`Plan`] becomes text edits, and what no edit touches stays byte for byte.
//!
//! - `region`: the set-up of a region, one function for each wrapping;
//! - `load`: which loads can be rewritten;
//! - `layout`: where new lines go;
//! - `registers`: new names that clash with nothing;
//! - [`edit`]: edits and their application.

mod code;
pub mod edit;
mod layout;
mod load;
mod region;
mod registers;

use crate::ptx::ast::{Body, Item, Module};
use crate::shuffle::plan::{Plan, Shuffle};
use code::Code;
use edit::Edit;
use layout::{Layout, Place, front};
use load::Load;
use region::{Corner, Setup};
use registers::{Class, Registers};
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
            registers: Registers::new(&prefix),
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
    registers: Registers<'p>,
}

/// What the destinations of a source read.
struct Ready {
    /// The register that holds the loaded value.
    value: String,
    /// Mask and clamps; none if no destination shuffles.
    setup: Option<Setup>,
}

impl Writer<'_, '_, '_, '_> {
    fn write(&mut self) -> Result<(), Error> {
        let setups = self.set_up_regions()?;
        let sources = self.prepare_sources(&setups)?;
        for shuffle in &self.plan.shuffles {
            let source = sources.get(shuffle.source as usize);
            let source = source.ok_or(Error::Inconsistent(shuffle.destination))?;
            self.destination(shuffle, source)?;
        }
        self.layout
            .declare(self.body, &self.registers.declarations());
        Ok(())
    }

    /// Whether the shuffle becomes a `shfl`, not a `mov`.
    fn shuffles(&self, shuffle: &Shuffle) -> bool {
        shuffle.delta != 0 && self.variant != Variant::NoLoad
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
            let source = self.plan.sources.get(shuffle.source as usize);
            let Some(source) = source else { continue };
            if let Some((used, checks)) = demands.get_mut(source.region as usize) {
                *used = true;
                *checks |= !source.checks.is_empty();
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
                let mut code = Code::default();
                let setup = region::set_up(region, source_checks, &mut code, &mut self.registers);
                let place = front(self.module, self.body, region.before);
                self.layout.before(Place::Setup, place, &code.lines, "");
                Ok(Some(setup))
            })
            .collect()
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
            self.layout
                .behind(Place::BehindSource, load.span.end, &code.lines);
            ready.push(Ready { value, setup });
        }
        Ok(ready)
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
        let setup = source
            .setup
            .as_ref()
            .ok_or(Error::Inconsistent(shuffle.destination))?;
        // Without a corner load nothing reads the address any more.
        let through = self.variant == Variant::Normal
            && (shuffle.through_temporary || load.base == Some(load.register));
        let target = match through {
            true => self.registers.fresh(Class::Word),
            false => load.register.to_string(),
        };
        let mut code = Code::default();
        let (covered, corner) = self.shuffle(shuffle, setup, value, &target, &mut code)?;
        if self.variant == Variant::NoCorner {
            self.layout.replace(load.span, code.lines.concat());
            return Ok(());
        }
        let place = front(self.module, self.body, shuffle.destination);
        if place == load.span.start {
            self.layout.before(
                Place::Destination,
                place,
                &code.lines,
                &format!("@{corner} "),
            );
        } else {
            self.layout
                .before(Place::Destination, place, &code.lines, "");
            self.layout.before(
                Place::Destination,
                load.span.start,
                &[],
                &format!("@{corner} "),
            );
        }
        if through {
            let back = format!("@{covered} mov.b32 {}, {target};", load.register);
            self.layout
                .behind(Place::Completion, load.span.end, &[back]);
        }
        Ok(())
    }

    /// Writes the `shfl.sync` into `target`. Gives the guards of covered and of corner lanes.
    fn shuffle(
        &mut self,
        shuffle: &Shuffle,
        setup: &Setup,
        value: &str,
        target: &str,
        code: &mut Code,
    ) -> Result<(String, String), Error> {
        let down = shuffle.delta > 0;
        let distance = shuffle.delta.unsigned_abs();
        if distance > 31 {
            return Err(Error::Inconsistent(shuffle.destination));
        }
        let direction = if down { "down" } else { "up" };
        let mask = &setup.mask;
        let with_corner = self.variant == Variant::Normal;
        let line = |target: &str, clamp: &str| {
            format!("shfl.sync.{direction}.b32 {target}, {value}, {distance}, {clamp}, {mask};")
        };
        match &setup.corner {
            Corner::Clamp {
                down: last,
                up: first,
            } => {
                let clamp = if down { last } else { first };
                if clamp.is_empty() {
                    return Err(Error::Inconsistent(shuffle.destination));
                }
                if !with_corner {
                    code.push(line(target, clamp));
                    return Ok(Default::default());
                }
                let covered = self.registers.fresh(Class::Predicate);
                code.push(line(&format!("{target}|{covered}"), clamp));
                let corner = format!("!{covered}");
                Ok((covered, corner))
            }
            Corner::Compare {
                all,
                lane,
                rest,
                tid,
            } => {
                let (bound, reach) = if down { ("31", rest) } else { ("0", tid) };
                if reach.is_empty() {
                    return Err(Error::Inconsistent(shuffle.destination));
                }
                if !with_corner {
                    code.push(line(target, bound));
                    return Ok(Default::default());
                }
                let corner = self.registers.fresh(Class::Predicate);
                if down {
                    let last = 31 - distance;
                    code.push(format!("setp.gt.or.s32 {corner}, {lane}, {last}, {all};"));
                    code.push(format!(
                        "setp.le.or.s32 {corner}, {reach}, {distance}, {corner};"
                    ));
                } else {
                    code.push(format!(
                        "setp.lt.or.s32 {corner}, {lane}, {distance}, {all};"
                    ));
                    code.push(format!(
                        "setp.lt.or.s32 {corner}, {reach}, {distance}, {corner};"
                    ));
                }
                code.push(line(target, bound));
                let covered = format!("!{corner}");
                Ok((covered, corner))
            }
        }
    }
}
