//! Shuffle synthesis: detect, prove, plan.

pub mod plan;
