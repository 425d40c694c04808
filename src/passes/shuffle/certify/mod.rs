//! The certificates of shuffles: what CONTRACT.md, "The claim", asks for, as [`crate::certificate`] has it.
//!
//! `collect` makes them (`carried` those of what loops carry), `parts` are the hypotheses that the wrappings guarantee.

mod carried;
mod collect;
mod parts;

pub(super) use parts::{Emitted, Evidence};
