//! Provers of claims about [`Terms`](crate::term::Terms): algebra first, Z3 through one small interface.
//!
//! A [`Query`] claims that its goal holds wherever its hypotheses do, for all values of the symbols within their ranges.
//! [`Chain::new`] puts the usual provers in a row: what simplification has already decided never starts Z3, equal
//! queries are asked once, what a few pseudo-random values refute does not start it either, and the counts are kept for
//! reports.

mod chain;
pub mod disjoint;
mod edges;
#[cfg(feature = "z3")]
mod functions;
mod library;
mod limits;
mod operations;
mod query;
mod sampling;
#[cfg(feature = "z3")]
mod session;
mod size;
pub mod smtlib;
pub mod statement;
#[cfg(not(feature = "z3"))]
mod without;
mod z3;

pub use self::chain::{Account, Cached, Chain, Counting, Counts, Structural};
pub use self::library::library;
pub use self::library::{LibrarySource, Missing, NAMES as LIBRARY_NAMES, failure, load, load_from};
pub use self::limits::{KERNEL_GATES, Limits, QUERY_GATES, QUERY_RLIMIT, QUICK_GATES};
pub use self::query::{NoSolver, Proof, Query, Reading, Solver, Unknown, Verdict};
pub use self::sampling::Sampling;
pub use self::z3::{Decision, Z3Solver, decide_text};
#[cfg(not(feature = "z3"))]
use without::{self as functions, self as session};

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod tests;
