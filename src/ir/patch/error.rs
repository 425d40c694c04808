//! Why a patch makes no function.

use super::{CloneId, Point};
use crate::ir::function::{InstId, Value};
use crate::ir::verify::Violation;

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
    #[error("{0} has an effect: it can't be removed")]
    Effect(InstId),
    /// A removed instruction's value is still read.
    #[error("{0} is removed and still read")]
    StillRead(Value),
    /// A value is redirected to one that is not there where it is defined.
    #[error("{0} is read in place of a value that is defined where it is not there")]
    NotThere(Value),
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
