//! Why a patch makes no function.

use super::{CloneId, Point, VariableId};
use crate::function::{BlockId, InstId, Value};
use crate::types::Special;
use crate::verify::Violation;

/// Why a patch makes no function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// It names something that the function does not have.
    #[error("there is no {0}")]
    Unknown(String),
    /// A place in the middle of a statement, which no text has.
    #[error("{0:?} is in the middle of a statement")]
    InsideStatement(Point),
    /// It defines something twice.
    #[error("{0} is defined twice")]
    Twice(String),
    /// A copy of a region does not contain the instruction or the place.
    #[error("clone {0:?} does not contain {1}")]
    NotCloned(CloneId, String),
    /// An instruction with an effect is removed, or moved.
    #[error("{0} has an effect: it can't be removed or moved")]
    Effect(InstId),
    /// A value is read where its instruction was removed, or moved away.
    #[error("{0} is removed and still read")]
    StillRead(Value),
    /// A value is redirected that its own statement goes on with: what leaves the statement is another one.
    #[error("{0} is not what its statement gives: the statement goes on with it")]
    InsideValue(Value),
    /// A load's own guard is replaced by a condition that does not imply it.
    #[error("{0} would be executed where its own guard keeps it from that")]
    GuardLost(InstId),
    /// A variable is read where some path has not set it.
    #[error("{0:?} is read where a path comes that does not set it")]
    Unset(VariableId),
    /// A special register that changes while a thread runs is no constant.
    #[error("{0} changes while a thread runs")]
    Changes(Special),
    /// What lanes do together would be doubled, and some of them may come to one copy, some to the other.
    #[error(
        "clone {0:?} doubles {1}, which lanes execute together, and they may differ about its condition"
    )]
    Convergent(CloneId, InstId),
    /// A clone comes after one of another region, or one that another comes after.
    #[error("clone {0:?} does not come after a clone of its own loop")]
    Chain(CloneId),
    /// What is read in place of a value, or set, has another width.
    #[error("{what} has {found} bits where {expected} are needed")]
    Width {
        /// What is redirected or set.
        what: String,
        /// Its width.
        found: u8,
        /// The width of the value or variable that it replaces.
        expected: u8,
    },
    /// A value is redirected to one that is not there where it is defined.
    #[error("{0} is read in place of a value that is defined where it is not there")]
    NotThere(Value),
    /// A moved instruction reads a redirected value in front of the place at which that is defined.
    #[error("in {0} a value is redirected behind the place at which a moved instruction reads it")]
    Early(BlockId),
    /// Values are redirected to each other in a ring.
    #[error("{0} is redirected to itself")]
    Ring(Value),
    /// An amendment that does not fit the instruction.
    #[error("{0} can't be amended so")]
    Amend(InstId),
    /// The function that it makes is not well formed.
    #[error("the patched function is not well formed: {0}")]
    Violation(Violation),
}
