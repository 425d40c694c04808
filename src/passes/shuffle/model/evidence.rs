//! What the proofs of a pair rest on, as certificates and statistics name it.

use crate::shuffle::prove::address::NoWrap;
use crate::shuffle::prove::div_rem::Rule;
use crate::shuffle::prove::memory::Passed;
use crate::shuffle::prove::wrap::Discharge;
use ptxasw_emulator::term::TermId;
use ptxasw_ir::function::BlockId;

/// An index that was shown not to wrap.
#[derive(Clone, Debug)]
pub(in crate::shuffle) struct Guard {
    pub obligation: NoWrap,
    /// Whether it is proved, or which check at run time it needs.
    pub found: Discharge,
    /// The facts that it rests on; only where certificates are wanted.
    pub used: Vec<TermId>,
    /// The check that it rests on, among those wanted.
    pub check: Option<usize>,
}

/// Facts and rules that decided cases rest on.
#[derive(Clone, Debug, Default)]
pub(in crate::shuffle) struct RestsOn {
    /// Path conditions that hold in both lanes.
    pub facts: Vec<TermId>,
    /// What holds whatever the numbers are (see [`rules`](crate::shuffle::prove::div_rem::rules)), in the order in which
    /// one may need another.
    pub rules: Vec<Rule>,
}

/// By what the equality of bytes of a pair was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::shuffle) enum ProofMethod {
    Algebra,
    Ranges,
    Checks,
    Solver,
}

/// A carried value, shown to be what memory holds.
#[derive(Debug)]
pub(in crate::shuffle) struct Carried {
    /// One for each edge into the loop header.
    pub edges: Vec<Shown>,
}

/// What was shown of an edge.
#[derive(Debug)]
pub(in crate::shuffle) struct Shown {
    /// The event that brings the value.
    pub source: u32,
    /// The block that the edge comes from.
    pub from: BlockId,
    /// It goes back, from inside of the loop.
    pub back: bool,
    /// The addresses that are equal: of what is brought, of what is wanted; none if that was assumed.
    pub equal: Option<(TermId, TermId)>,
    /// The events that condition C3 looked at, each with why it does no harm.
    pub passed: Vec<Passed>,
}
