//! Original against rewritten: made-up launches, runs of both, the first difference.

pub mod compare;
pub mod launches;
#[cfg(test)]
mod tests;

pub use compare::{Comparison, Kernel, compare};
