//! The plan: which loads become shuffles, from which sources, under which clamp, and why.
//!
//! Plain data: the emitters consume it, the reports show it, `--plan` writes it as JSON. Statement numbers are those of
//! the front end ([`ptxasw_ir::function::Inst::origin`]): for PTX the index of the statement in the function's body.

use ptxasw_base::named::{Named, named};
use ptxasw_emulator::certificate::{Certificate, KernelCertificates, Obligation};
use ptxasw_ir::function::{BlockId, InstId, Value};
use ptxasw_ir::lanes::LaneMap;
use ptxasw_ir::patch::Point;
use serde::Serialize;
use std::borrow::Cow;
use std::sync::Arc;

/// How shuffles of a region are wrapped: the origin of the clamp that distinguishes corner lanes from covered ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wrapping {
    /// Member mask proved to be the whole warp: `-1`. In a copy for whole warps it always is.
    Full,
    /// `R`: the whole warp is here and my row reaches the warp's end, else my own lane.
    Row,
    /// `F`: the whole warp is here, rows of any shape.
    AnyRow,
    /// `F31`: the whole warp is here, rows are proved to be whole warps.
    WholeRows,
    /// The paper's own scheme, with the row checks that make it sound outside loops.
    Paper,
    /// One more load after the source serves the corner lanes of all its destinations; rows are whole warps. Under a
    /// guard in a copy for whole warps, in which the destinations' loads are gone.
    Halo,
}

impl Wrapping {
    /// All of them.
    pub const ALL: [Wrapping; 6] = [
        Wrapping::Full,
        Wrapping::Row,
        Wrapping::AnyRow,
        Wrapping::WholeRows,
        Wrapping::Paper,
        Wrapping::Halo,
    ];

    /// The name that `--scheme` takes.
    pub fn name(self) -> &'static str {
        Named::name(self)
    }
}

named!(Wrapping {
    "full" = Wrapping::Full, "The member mask is proved to be the whole warp";
    "R" = Wrapping::Row, "The whole warp is here and each lane's row reaches the end of the warp";
    "F" = Wrapping::AnyRow, "The whole warp is here, rows of any shape";
    "F31" = Wrapping::WholeRows, "As F; rows are proved to be whole warps";
    "paper" = Wrapping::Paper, "The paper's own scheme, with row checks";
    "halo" = Wrapping::Halo, "One more load of a source serves all its corner lanes where it can; rows are whole warps";
});

/// A member mask of its own: a register that each step sets when it is passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mask {
    /// In the order in which a lane first passes them.
    pub steps: Vec<MaskStep>,
}

/// A place at which a mask is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MaskStep {
    /// Right before this statement.
    pub before: u32,
    /// Index into [`Plan::masks`]: the mask of the lanes at that place; none for `activemask`.
    pub from: Option<u32>,
    /// By a ballot at the branch that the statement is: of those that take it, or of those that don't. Else all lanes go on.
    pub taken: Option<bool>,
    /// Where it is in the function.
    #[serde(skip)]
    pub at: Point,
    /// By a ballot: of those for which this is true, or false.
    #[serde(skip)]
    pub voted: Option<(Value, bool)>,
}

/// The halo load of a source: lanes `0 ... down-1` load 32 strides further on, lanes `32-up ... 31` 32 strides back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Halo {
    /// Destinations have the distances `1 ... down`.
    pub down: u8,
    /// And `-1 ... -up`.
    pub up: u8,
    /// Bytes from lane to lane.
    pub stride: i64,
}

impl Wrapping {
    /// Chosen by the user, its masks are tracked where lanes diverge.
    pub fn tracks(self) -> bool {
        matches!(self, Wrapping::Row | Wrapping::AnyRow | Wrapping::WholeRows)
    }
}

/// A run-time check of one register, or of the difference of two: `register - minus + offset <= limit`, unsigned, in the
/// registers' width. Where it fails, lanes
/// are corner lanes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Check {
    /// The register that holds the value, as the text names it.
    pub register: Box<str>,
    /// The register that is subtracted, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minus: Option<Box<str>>,
    /// The values in these registers.
    #[serde(skip)]
    pub values: (Value, Option<Value>),
    /// 32 or 64.
    pub width: u8,
    /// Added, modulo 2^width.
    pub offset: u64,
    /// Upper bound, unsigned.
    pub limit: u64,
    /// It has the same result in all lanes that are at one place together.
    pub uniform: bool,
    /// For reports: ``nx >= 0``.
    pub meaning: String,
}

impl Check {
    /// It looks at nothing but the sign of a 32-bit register.
    pub fn is_sign(&self) -> bool {
        let rest = (self.width, self.offset, self.limit);
        self.minus.is_none() && rest == (32, 0, u64::from(u32::MAX >> 1))
    }
}

/// A place from which all lanes of one `activemask` reach every shuffle of the region.
#[derive(Clone, Debug, Serialize)]
pub struct Region {
    /// The set-up goes right before this statement.
    pub before: u32,
    /// Where that is in the function.
    #[serde(skip)]
    pub at: Point,
    /// How its shuffles are wrapped.
    pub wrapping: Wrapping,
    /// For [`Wrapping::Full`]: `ntid.x` is proved to be a multiple of 32, so that no row check is needed.
    pub whole_rows: bool,
    /// Some shift is to a higher lane.
    pub down: bool,
    /// Some shift is to a lower lane.
    pub up: bool,
    /// Some lane map is no shift: then it is to be checked that rows are whole groups of so many lanes, 1 if that is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u8>,
    /// Checks whose registers hold their values at the set-up: they are folded into the clamp of the region.
    pub checks: Vec<Check>,
    /// Index into [`Plan::copies`]: its shuffles are in that copy, and all lanes of the warp are there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy: Option<u32>,
    /// Index into [`Plan::masks`]: its mask is not read at the set-up but comes from ballots in front of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask: Option<u32>,
}

/// A second text of a part of the kernel, which only whole warps run, with all lanes together. It works on the same
/// registers as the first, so that every point of it may go on at the same point of the original.
#[derive(Clone, Debug, Serialize)]
pub struct WarpCopy {
    /// The entry is right before this statement.
    pub before: u32,
    /// The statement at which the copy is entered.
    pub entry: u32,
    /// The block at whose end the copy is entered; its branch is part of the copy.
    #[serde(skip)]
    pub above: BlockId,
    /// The blocks that are copied as a whole.
    #[serde(skip)]
    pub blocks: Vec<BlockId>,
    /// The copied statements, in the order of the text.
    pub parts: Vec<CopiedPart>,
    /// Branches at which lanes may diverge. In front of each a vote decides whether the warp stays; else it goes on in front of
    /// the original branch.
    pub leaves: Vec<Leave>,
}

/// Adjacent statements that are copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CopiedPart {
    /// The first.
    pub first: u32,
    /// The one after the last.
    pub end: u32,
    /// The statement that the last runs into, if it is not the first of the next part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub onward: Option<u32>,
}

/// A branch of a copy at which lanes may diverge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Leave {
    /// The statement.
    pub statement: u32,
    /// Under which outcome the warp stays in the copy.
    pub stay: Stay,
    /// The block that ends with it.
    #[serde(skip)]
    pub block: BlockId,
    /// The copy has the edge alone that is taken where the condition is true, or false; else both.
    #[serde(skip)]
    pub then: Option<bool>,
}

/// The outcomes of a branch under which a warp stays in a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stay {
    /// Where all lanes take the branch.
    Taken,
    /// Where no lane takes it.
    Next,
    /// Either outcome, if it is the same in all lanes; or any target of a branch by a table, if all lanes have the same index.
    Either,
}

/// A source load.
#[derive(Clone, Debug, Serialize)]
pub struct Source {
    /// Its statement.
    pub statement: u32,
    /// Its load.
    #[serde(skip)]
    pub inst: InstId,
    /// What its statement gives, element by element; none where an element is dropped.
    #[serde(skip)]
    pub elements: Vec<Option<Value>>,
    /// Index into [`Plan::regions`].
    pub region: u32,
    /// Its register does not hold the loaded value at some destination: the value is copied to a new register of the
    /// function's scope right after the load.
    pub copy: bool,
    /// The value is not the one that the load brings in this iteration, but the one that the loop carries into it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carried: Option<Carried>,
    /// Checks of values that only exist at the source: they give this source's destinations a clamp of their own.
    pub checks: Vec<Check>,
    /// For [`Wrapping::Halo`], if it has destinations that one can serve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halo: Option<Halo>,
    /// Index into [`Plan::copies`]: the load of that copy, not the one of the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
    /// The load has a guard that some lanes of the mask may fail: a vote of all decides, and where it fails all are corner
    /// lanes.
    pub vote: bool,
}

/// A value that a loop carries from one iteration into the next: it is copied to a new register at the start of the
/// iteration, since its own may be written to before the value is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Carried {
    /// The copy is right before this statement.
    pub before: u32,
    /// The parameter of a block that is this value.
    #[serde(skip)]
    pub parameter: Value,
    /// Its block.
    #[serde(skip)]
    pub block: BlockId,
    /// The register that holds the value there, as the text names it.
    pub register: Box<str>,
    /// Bits of the register.
    pub bits: u8,
    /// It is of an integer or untyped type.
    pub integer: bool,
    /// Bits of the element that was loaded.
    pub element_bits: u8,
    /// Narrow elements are sign-extended.
    pub signed: bool,
    /// The loop needs the value after its load, too, and moves it away itself: the copy costs nothing.
    pub moved: bool,
}

/// A destination load that becomes a shuffle.
#[derive(Clone, Debug, Serialize)]
pub struct Shuffle {
    /// Its statement.
    pub destination: u32,
    /// Its load.
    #[serde(skip)]
    pub inst: InstId,
    /// As [`Source::elements`].
    #[serde(skip)]
    pub elements: Vec<Option<Value>>,
    /// What its bytes are, in their order.
    pub parts: Vec<Part>,
    /// From which lane; the own one is a `mov`, which needs neither region nor corner load.
    #[serde(flatten)]
    pub lanes: LaneMap,
    /// For [`Wrapping::Halo`]: the halo load of its source serves its corner lanes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub upward: bool,
    /// Checks of values that only exist at the destination: they narrow the clamp of this shuffle alone.
    pub checks: Vec<Check>,
    /// Index into [`Plan::copies`]: the load of that copy, not the one of the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
    /// How each condition of CONTRACT.md, "The claim", was met, C1 to C6 in order.
    pub conditions: Arc<[Condition]>,
    /// What was proved, where certificates were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
}

/// A load that could be a shuffle and stays a load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Declined {
    /// Its statement.
    pub statement: u32,
    /// What the shuffle would cost.
    pub reason: String,
}

/// Bytes of a destination that one source gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Index into [`Plan::sources`].
    pub source: u32,
    /// Where they begin in the source's bytes.
    pub byte: u8,
    /// Where they begin in the destination's bytes.
    pub at: u8,
    /// How many.
    pub bytes: u8,
}

impl Part {
    /// Whether it stays inside of accesses of so many bytes.
    pub fn fits_in(&self, total: u8) -> bool {
        let end = self.byte.max(self.at).checked_add(self.bytes);
        end.is_some_and(|end| end <= total)
    }

    /// The bytes of the source that it takes, as a bit mask; of at most 32.
    pub fn taken(&self) -> u32 {
        (((1u64 << self.bytes) - 1) << self.byte) as u32
    }
}

/// One condition and how it was met.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Condition {
    /// `C1` ... `C6`.
    pub name: &'static str,
    /// Proved how.
    pub proof: Cow<'static, str>,
}

/// What is done to one kernel.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Plan {
    /// The kernel's name.
    pub kernel: Box<str>,
    /// The front end's number of the function: for PTX the item in the module.
    pub item: u32,
    /// Copies that have a shuffle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<WarpCopy>,
    /// Masks of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub masks: Vec<Mask>,
    /// Regions that have a shuffle.
    pub regions: Vec<Region>,
    /// Sources that have a destination.
    pub sources: Vec<Source>,
    /// In the order of the text.
    pub shuffles: Vec<Shuffle>,
    /// Loads whose shuffle is proved, but not known to pay.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub declined: Vec<Declined>,
    /// What certificates of its shuffles share, where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub obligations: Vec<Obligation>,
}

impl Plan {
    /// Some shuffle rests on values that are looked at when the kernel runs.
    pub fn has_checks(&self) -> bool {
        let regions = self.regions.iter().any(|one| !one.checks.is_empty());
        let sources = self.sources.iter().any(|one| !one.checks.is_empty());
        regions || sources || self.shuffles.iter().any(|one| !one.checks.is_empty())
    }

    /// What was proved for its shuffles, where certificates were asked for.
    pub fn certificates(&self) -> KernelCertificates<'_> {
        let shuffles = self.shuffles.iter();
        KernelCertificates {
            kernel: &self.kernel,
            obligations: &self.obligations,
            shuffles: shuffles
                .map(|one| (one.lanes, one.certificate.as_ref()))
                .collect(),
        }
    }

    /// For a mask that a loop carries: the step by which its lanes are first read, by `activemask`. All lanes that
    /// come to where the mask is used have passed it, once. None if there are several.
    pub fn first_reading(&self, mask: u32) -> Option<&MaskStep> {
        let (mut reading, mut carried) = (None::<&MaskStep>, false);
        let (mut seen, mut rest) = (vec![false; self.masks.len()], vec![mask]);
        while let Some(mask) = rest.pop() {
            if std::mem::replace(seen.get_mut(mask as usize)?, true) {
                carried = true;
                continue;
            }
            for step in &self.masks[mask as usize].steps {
                match step.from {
                    Some(from) => rest.push(from),
                    None if reading.is_none_or(|first| first.before == step.before) => {
                        reading = Some(step);
                    }
                    None => return None,
                }
            }
        }
        reading.filter(|_| carried)
    }
}
