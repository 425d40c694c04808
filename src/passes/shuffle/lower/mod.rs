//! The plan as a [`Patch`]: once for both back ends.
//!
//! | file | what |
//! | --- | --- |
//! | `scheme` | the three questions of a scheme: member mask, ends of rows, corner lanes |
//! | `masks` | masks that are tracked by ballots |
//! | `setup`, `narrow` | mask and clamps of a region, and what checks and votes take from them |
//! | `clones` | copies for whole warps |
//! | `source`, `halo` | what belongs to a source |
//! | `destination`, `exchange` | what becomes of a destination |
//! | `words` | loaded values as words, and back |
//! | `resolve` | what is read of loads that are gone |
//! | `code`, `checks` | new instructions, and checks at run time |

mod checks;
mod clones;
mod code;
mod destination;
mod exchange;
mod halo;
mod masks;
mod narrow;
mod resolve;
mod scheme;
mod setup;
mod source;
mod words;

use super::plan::{Plan, Region, Shuffle, Source, Wrapping};
use code::Code;
use masks::Masks;
use ptxasw_ir::function::{Function, InstId};
use ptxasw_ir::patch::{CloneId, Patch, PatchError, Point, Positions, Target};
use scheme::{Mask, Scheme};
use setup::{Setup, Thread, Writer};
use words::MAX_BYTES;

/// The first target on which shuffles side by side cost no less than those apart.
const NO_GAIN_AHEAD: u32 = 90;

/// What is made of a covered load. All but [`Variant::Normal`] give wrong results on purpose: they are the paper's measuring
/// variants, which separate the cost of the corner case from the gain of the shuffle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// A shuffle, and the load in corner lanes.
    #[default]
    Normal,
    /// No load and no shuffle: the value is a copy of the source's.
    NoLoad,
    /// A shuffle only.
    NoCorner,
}

/// Why a plan makes no patch: an internal error. Numbers are those of statements unless noted otherwise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The statement is not a load, or one of values that can't be taken apart.
    #[error("statement {0} is not a load that can be rewritten")]
    NotALoad(u32),
    /// A shuffle or source names a source or region that the plan does not have, a direction that its region lacks, bytes
    /// that a load has not, or a lane outside of the warp; or a byte of a destination comes from nowhere.
    #[error("the plan does not cover its statement {0}")]
    Inconsistent(u32),
    /// There is no mask of this number, or it is made from itself alone.
    #[error("the plan has no mask {0}")]
    NoMask(u32),
    /// A load is not where it was found.
    #[error(transparent)]
    Patch(#[from] PatchError),
}

/// The patch that carries out a plan of a function.
///
/// # Errors
/// The plan does not fit the function.
pub fn lower(
    function: &Function,
    plan: &Plan,
    target: Target,
    variant: Variant,
) -> Result<Patch, Error> {
    if plan.shuffles.is_empty() {
        return Ok(Patch::default());
    }
    let mut lowering = Lowering {
        function,
        positions: Positions::new(function),
        plan,
        target,
        variant,
        patch: Patch::default(),
        next: 0,
        copied: vec![false; plan.copies.len()],
    };
    lowering.write()?;
    resolve::resolve(function, &mut lowering.patch);
    Ok(lowering.patch)
}

/// A patch in the making.
struct Lowering<'a> {
    function: &'a Function,
    positions: Positions<'a>,
    plan: &'a Plan,
    target: Target,
    variant: Variant,
    patch: Patch,
    /// The number of the next new value.
    next: u32,
    /// Copies of the plan that some shuffle needs.
    copied: Vec<bool>,
}

/// What a region is needed for.
#[derive(Clone, Copy, Default)]
struct Demand {
    /// It has a shuffle.
    used: bool,
    /// One of its sources or destinations narrows the clamp.
    narrowed: bool,
}

impl Lowering<'_> {
    fn write(&mut self) -> Result<(), Error> {
        let plan = self.plan;
        let demands = self.demands();
        for (region, demand) in plan.regions.iter().zip(&demands) {
            if let Some(copy) = region.copy.filter(|_| demand.used) {
                let copied = self.copied.get_mut(copy as usize);
                *copied.ok_or(Error::Inconsistent(region.before))? = true;
            }
        }
        let mut masks = match demands.iter().any(|demand| demand.used) {
            true => Some(Masks::write(self)?),
            false => None,
        };
        let mut setups = Vec::with_capacity(plan.regions.len());
        for (region, demand) in plan.regions.iter().zip(demands) {
            setups.push(match &mut masks {
                Some(masks) if demand.used => Some(self.set_up(region, demand, masks)?),
                _ => None,
            });
        }
        let needed = self.needed_bytes()?;
        let mut sources = Vec::with_capacity(plan.sources.len());
        for (source, needed) in plan.sources.iter().zip(needed) {
            sources.push(self.source(source, needed, &setups)?);
        }
        for shuffle in &plan.shuffles {
            self.destination(shuffle, &sources)?;
        }
        self.patch.directives.version = self.version();
        Ok(())
    }

    /// Mask and clamps of a region.
    fn set_up(
        &mut self,
        region: &Region,
        demand: Demand,
        masks: &mut Masks,
    ) -> Result<Setup, Error> {
        if let Some(copy) = region.copy {
            return self.set_up_copy(region, copy, demand.narrowed);
        }
        let scheme = Scheme::of(region);
        let tracked = match scheme.mask {
            Mask::Tracked(mask) => Some(masks.of(mask, self)?),
            _ => None,
        };
        let thread = match scheme.mask {
            Mask::Tracked(mask) if region.shifts() => self.read_once(region, scheme, mask),
            _ => None,
        };
        let mut code = Code::new(&mut self.next, region.before);
        let writer = Writer {
            region,
            tracked,
            narrowed: demand.narrowed,
            code: &mut code,
        };
        let setup = writer.write(thread);
        code.done(&mut self.patch, region.at);
        Ok(setup)
    }

    /// For a mask that a loop carries: what depends on the thread alone is computed where the first mask is read, outside of
    /// the loop.
    fn read_once(&mut self, region: &Region, scheme: Scheme, mask: u32) -> Option<Thread> {
        let at = self.plan.first_reading(mask)?.at;
        let mut code = Code::new(&mut self.next, region.before);
        let thread = Thread::read(region, scheme.rows, &mut code);
        let thread = thread.bounded(scheme.rows, &mut code);
        code.done(&mut self.patch, at);
        Some(thread)
    }

    /// Whether the shuffle becomes one, not a copy of the thread's own value.
    fn is_exchange(&self, shuffle: &Shuffle) -> bool {
        !shuffle.lanes.is_own() && self.variant != Variant::NoLoad
    }

    /// Whether the original does the same as the copy that the shuffle is in: it moves the thread's own value, which asks
    /// nothing of other lanes.
    fn in_both(&self, shuffle: &Shuffle) -> bool {
        let mut sources = shuffle.parts.iter().map(|part| part.source as usize);
        let near = |number| {
            let source: Option<&Source> = self.plan.sources.get(number);
            source.is_some_and(|source| [None, shuffle.within].contains(&source.within))
        };
        let own = shuffle.lanes.is_own() && self.within_of(shuffle).is_some();
        own && sources.all(near)
    }

    /// The copy of the code that a destination is changed in.
    fn within_of(&self, shuffle: &Shuffle) -> Option<CloneId> {
        let inst = self.function.insts.get(shuffle.inst.index())?;
        self.within(shuffle.within, inst.block)
    }

    /// What each region is needed for.
    fn demands(&self) -> Vec<Demand> {
        let mut demands = vec![Demand::default(); self.plan.regions.len()];
        let shuffles = self.plan.shuffles.iter();
        for shuffle in shuffles.filter(|shuffle| self.is_exchange(shuffle)) {
            let sources = shuffle.parts.iter();
            for source in sources.filter_map(|part| self.plan.sources.get(part.source as usize)) {
                if let Some(demand) = demands.get_mut(source.region as usize) {
                    demand.used = true;
                    demand.narrowed |=
                        source.vote || !source.checks.is_empty() || !shuffle.checks.is_empty();
                }
            }
        }
        demands
    }

    /// The bytes of each source that other lanes take, as a bit mask.
    fn needed_bytes(&self) -> Result<Vec<u32>, Error> {
        let mut needed = vec![0u32; self.plan.sources.len()];
        for shuffle in &self.plan.shuffles {
            for part in &shuffle.parts {
                let bytes = needed.get_mut(part.source as usize);
                let bytes = bytes.filter(|_| part.fits_in(MAX_BYTES));
                let bytes = bytes.ok_or(Error::Inconsistent(shuffle.destination))?;
                if self.is_exchange(shuffle) {
                    *bytes |= part.taken();
                }
            }
        }
        Ok(needed)
    }

    /// The point right after its source at which a shuffle can be placed as well.
    ///
    /// Where the assembler can't see that a warp is together, it writes each `shfl.sync` twice, for warps that are and for
    /// others, and both paths meet again after it. Shuffles side by side share that: k6 under F takes 60 instructions for 95
    /// on sm_80, k3 8 less in each iteration. From sm_90 on there is no gain.
    fn ahead(&self, shuffle: &Shuffle) -> Option<Point> {
        if self
            .target
            .architecture
            .is_none_or(|sm| sm >= NO_GAIN_AHEAD)
        {
            return None;
        }
        let [part] = shuffle.parts.as_slice() else {
            return None;
        };
        let source = self.plan.sources.get(part.source as usize)?;
        let region = self.plan.regions.get(source.region as usize)?;
        let (from, to) = (
            self.function.inst(source.inst),
            self.function.inst(shuffle.inst),
        );
        let plain = shuffle.checks.is_empty()
            && to.guard.is_none()
            && source.carried.is_none()
            && source.within == shuffle.within;
        let ready = region.mask.is_some() && region.before <= source.statement;
        let near = from.block == to.block && from.origin < to.origin;
        let last = self.last_of(source.inst).ok()?;
        (plain && ready && near).then_some(Point::After(last))
    }

    /// The first instruction of a load's statement.
    fn first_of(&self, load: InstId) -> Result<InstId, Error> {
        let statement = self.positions.statement(load)?;
        Ok(statement.first().copied().unwrap_or(load))
    }

    /// The last instruction of a load's statement.
    fn last_of(&self, load: InstId) -> Result<InstId, Error> {
        let statement = self.positions.statement(load)?;
        Ok(statement.last().copied().unwrap_or(load))
    }

    /// The version of PTX that set-ups need: `activemask` is of 6.2, `shfl.sync` of 6.0 (PTX ISA, "Release Notes").
    fn version(&self) -> Option<(u8, u8)> {
        let of_region = |wrapping| match wrapping {
            Wrapping::Full => (6, 0),
            _ => (6, 2),
        };
        let regions = self.plan.regions.iter();
        regions.map(|region| of_region(region.wrapping)).max()
    }
}
