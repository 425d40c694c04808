//! The symbolic walk through a function: terms, path conditions, induction variables, memory trace.

pub mod term;
