//! The certificates of shuffles: what CONTRACT.md, "The claim", asks for, as [`ptxasw_emulator::certificate`] has it.
//!
//! `collect` makes them (`carried` those of what loops carry), `parts` are the hypotheses that the wrappings guarantee.

mod carried;
mod collect;
mod parts;

pub(super) use parts::{Emitted, Evidence};

use ptxasw_emulator::certificate::Certifier;

/// Prints the obligations of the shuffles of one function.
pub(super) struct ShuffleCertifier<'a>(pub Certifier<'a>);
