//! Changes to a function, as data.
//!
//! A pass does not rewrite a function; it says by a [`Patch`] what is to become of it. [`apply`] makes the changed
//! function, for the verifier, the cost model and the next pass; [`verify`](fn@verify) hands out a [`Verified`] patch, and a back end
//! carries out nothing else. A patch is plain data and serialises.
//!
//! # Statements
//! The text that a function was read from consists of statements, and a statement may be several adjacent instructions: those
//! that share an [`origin`](super::function::Inst::origin). A text has no place inside a statement, so a statement is inserted
//! at, removed, and moved as a whole, and only what leaves it is redirected.
//!
//! # Values
//! A [`Ref`] to a value of the function means what its instruction gives, in the copy of the code that ran. A redirected
//! value has a new meaning for the instructions of the function alone: steps that mention it get what the instruction itself
//! gave.
//!
//! # Guarded loads
//! A [`Guarded`] load stays at its place, with its text and all its hints, and fewer threads execute it. The value that the
//! other threads get is given for each value that is read.
//!
//! # Clones
//! A [`RegionClone`] is a second copy of a region, entered where a condition holds at run time. It has its own copies of the
//! values that are defined in it, and leaves to the original wherever a branch leads out of its blocks, or at an [`Exit`].
//! After it each value is that of the copy that ran: [`apply`] makes the block parameters. What lanes do together (barriers,
//! shuffles) is cloned only where all lanes come to the same copy (`convergence`).
//!
//! # Chains
//! Clones of a loop may form a chain: one that comes [`after`](RegionClone::after) another is entered where that one would begin the
//! next iteration, so that several iterations follow each other, each in a copy of its own. The last one begins the next iteration
//! in the original, where the condition of the first is asked again.
//!
//! | file | what |
//! | --- | --- |
//! | `cursor` | patches are written as one writes code |
//! | `text` | what a pass may ask about the text that the function was read from |
//! | `error`, `position` | why a patch makes no function; where points are |
//! | `agenda` | what happens where |
//! | `convergence` | what lanes do together, and clones |
//! | `guards` | conditions in place of guards |
//! | `applied`, `apply`, `draft`, `emit`, `repair`, `upward` | the changed function: entry and checks, what is built, its code, its SSA form |

mod agenda;
mod applied;
mod apply;
mod convergence;
mod cursor;
mod draft;
mod emit;
mod error;
mod guards;
mod position;
mod repair;
#[cfg(test)]
mod tests;
mod text;
mod upward;

pub use agenda::{Agenda, Wanted};
pub use applied::Applied;
pub use apply::{Verified, apply, verify};
pub use cursor::Cursor;
pub use error::PatchError;
pub use position::{Copied, Position, Positions, completed_elements};
pub use text::{Place, Readable, Site, Target, Text, Uncopyable};

use super::function::{BlockId, InstId, Value};
use super::opcode::Opcode;
use super::types::{Space, Special};
use serde::{Deserialize, Serialize};

/// A value that a patch makes. Unique in the patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NewValue(pub u32);

/// A clone of a region. Unique in the patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CloneId(pub u32);

/// A variable of a patch: an index into [`Patch::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VariableId(pub u32);

/// A place between two statements of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Point {
    /// In front of the statement of this instruction.
    Before(InstId),
    /// After the statement of this instruction.
    After(InstId),
    /// After the parameters of a block.
    Start(BlockId),
    /// In front of the end of a block.
    End(BlockId),
}

/// A place in the function, or in one of its clones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Location {
    /// None: in the original.
    pub clone: Option<CloneId>,
    /// Where.
    pub point: Point,
}

impl From<Point> for Location {
    fn from(point: Point) -> Self {
        Location { clone: None, point }
    }
}

/// What a step reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ref {
    /// A value of the function, as its instruction gives it.
    Value(Value),
    /// The result of a step.
    New(NewValue),
    /// What a variable holds here.
    Variable(VariableId),
    /// A constant of so many bits.
    Constant(u8, u64),
    /// A special register that does not change within a thread, of so many bits.
    Special(u8, Special),
}

impl From<Value> for Ref {
    fn from(value: Value) -> Self {
        Ref::Value(value)
    }
}

impl From<NewValue> for Ref {
    fn from(value: NewValue) -> Self {
        Ref::New(value)
    }
}

/// A result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewResult {
    /// What later steps of the patch read it by.
    pub value: NewValue,
    /// Bits.
    pub width: u8,
}

/// One result of a run-time decision: what it is on either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merged {
    /// The result.
    pub result: NewResult,
    /// Where the condition is true.
    pub then: Ref,
    /// Where it is false.
    pub otherwise: Ref,
}

/// Code that a patch inserts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// An instruction.
    Inst {
        /// What it does.
        opcode: Opcode,
        /// Operands.
        args: Vec<Ref>,
        /// Results.
        results: Vec<NewResult>,
        /// Executed only where this predicate is true (or, with `true`, false). Elsewhere its results are undefined: a select after it
        /// defines what they are there. Pure operations have none.
        guard: Option<(Ref, bool)>,
        /// The statement whose place it takes: debug lines are those of that one.
        #[serde(default)]
        origin: u32,
        /// It stays although nobody reads it: it steers the assembler (an unread `activemask`).
        #[serde(default)]
        keep: bool,
    },
    /// A decision at run time.
    If {
        /// One bit.
        condition: Ref,
        /// Where it is true.
        then: Vec<Step>,
        /// Where it is false.
        otherwise: Vec<Step>,
        /// What comes out.
        results: Vec<Merged>,
        /// The statement whose place it takes.
        origin: u32,
    },
}

/// Steps at a place. Several insertions at one place keep the order of the patch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insertion {
    /// Where.
    pub at: Location,
    /// What.
    pub steps: Vec<Step>,
}

/// All instructions of the function that use a value read another one instead. It must be there right after the value's own
/// statement, with what is inserted there: the text defines it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redirect {
    /// Whose copy of the value; none: that of the original.
    pub clone: Option<CloneId>,
    /// The completed value of a statement: a load, its extension and its select are one.
    pub value: Value,
    /// What is read instead.
    pub to: Ref,
}

/// A change of an instruction that keeps its text, with all hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Amend {
    /// A generic access is one of this state space: of `Global`, whose addresses are their own generic addresses. Accesses of
    /// other spaces need another operand.
    Space(Space),
    /// A load goes through the non-coherent path.
    NonCoherent,
}

impl Amend {
    /// The opcode with this change; none where it does not fit: only weak loads of global memory become non-coherent, and only generic
    /// accesses get another space.
    fn applied_to(self, opcode: &Opcode) -> Option<Opcode> {
        let mut opcode = opcode.clone();
        match (&mut opcode, self) {
            (Opcode::Load(access) | Opcode::Store(access), Amend::Space(space))
                if access.space == Space::Generic && space == Space::Global =>
            {
                access.space = space;
            }
            (Opcode::Load(access), Amend::NonCoherent)
                if access.space == Space::Global && access.order.is_weak() =>
            {
                access.non_coherent = true;
            }
            _ => return None,
        }
        Some(opcode)
    }
}

/// An instruction and what is changed of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amendment {
    /// In which copy.
    pub clone: Option<CloneId>,
    /// The instruction.
    pub inst: InstId,
    /// What is changed.
    pub amend: Amend,
}

/// A load that is executed at its place, but only where a condition holds: a statement with one weak load.
///
/// Where the statement has a guard of its own, that is replaced: the condition must imply it. Where the own guard fails, the
/// statement does nothing, as before; what is chosen instead is for those that pass it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guarded {
    /// In which copy.
    pub clone: Option<CloneId>,
    /// The load.
    pub inst: InstId,
    /// Executed where this is true (or, with `true`, false).
    pub condition: (Ref, bool),
    /// What is read elsewhere. Completed values of the statement that are not named here must not be read.
    pub otherwise: Vec<Chosen>,
}

/// A completed value of a guarded load's statement, and what it is where the load is not executed. That is there in front of the
/// statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// The value.
    pub value: Value,
    /// What it is instead.
    pub to: Ref,
}

/// A statement and where it is executed instead. It has no effect, and may read memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relocation {
    /// One of its instructions.
    pub inst: InstId,
    /// Its new place, in the same copy of the code.
    pub to: Location,
}

/// A statement that goes. Its results must be redirected or unread; it has no effect, or is a weak store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// From which copy.
    pub clone: Option<CloneId>,
    /// One of its instructions.
    pub inst: InstId,
}

/// Something that is set at several places, such as a mask that a loop carries. It is set on every path to where it is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Bits.
    pub width: u8,
    /// Where it gets which value.
    pub sets: Vec<(Location, Ref)>,
}

/// A point at which a clone goes on in the original: after what is inserted there in either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    /// Where.
    pub at: Point,
    /// The clone goes on where this is true; none: it never does.
    pub stay: Option<Ref>,
}

/// A second copy of a region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegionClone {
    /// What insertions and targets of the patch refer to it by.
    pub id: CloneId,
    /// Where it is entered, after what is inserted there: from here to the end of this block is copied.
    pub enter: Point,
    /// It is entered where this is true. Nothing asks for that of one that comes after another.
    pub condition: Ref,
    /// The clone of the same loop that it comes after: it is entered where that one goes back to the start of the block in which
    /// both are entered, the loop's header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<CloneId>,
    /// Further blocks that are copied, not the one in which it is entered. Branches to others lead to the original.
    pub blocks: Vec<BlockId>,
    /// Where else it leaves.
    pub exits: Vec<Exit>,
    /// Branches of which it has one edge only: its condition, or an [`Exit`] in front of the branch, lets no other thread come
    /// there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settled: Vec<Settled>,
    /// All threads of a warp agree about its condition, and about each exit: who makes the patch knows it, and it holds by
    /// votes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub together: bool,
}

impl RegionClone {
    /// The condition, if it is asked: not of a clone that comes after another.
    pub fn asked(&self) -> Option<Ref> {
        self.after.is_none().then_some(self.condition)
    }
}

/// A branch of a clone that takes one edge only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// The block that it ends.
    pub block: BlockId,
    /// It goes where the branch goes that is true.
    pub then: bool,
}

/// What the back end says of the whole function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Directives {
    /// `.maxnreg`: most registers of a thread.
    pub max_registers: Option<u32>,
    /// `.reqntid`: the block's shape is exactly this.
    pub required_threads: Option<[u32; 3]>,
    /// The lowest version of PTX that knows all that is inserted: major, minor.
    pub version: Option<(u8, u8)>,
}

/// Changes to a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Patch {
    /// Code that is inserted.
    pub insert: Vec<Insertion>,
    /// Values that are read in place of others.
    pub redirect: Vec<Redirect>,
    /// Loads that fewer threads execute.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guard: Vec<Guarded>,
    /// Instructions that are changed.
    pub amend: Vec<Amendment>,
    /// Statements that move.
    pub relocate: Vec<Relocation>,
    /// Statements that go.
    pub remove: Vec<Removal>,
    /// What is set at several places.
    pub variables: Vec<Variable>,
    /// Regions with a second copy.
    pub clones: Vec<RegionClone>,
    /// Directives of the function.
    pub directives: Directives,
}

impl Patch {
    /// Nothing changes.
    pub fn is_empty(&self) -> bool {
        *self == Patch::default()
    }
}
