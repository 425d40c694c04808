//! The wrappings: their text, that it assembles, and that it computes what the original computes.

#[path = "../answers/mod.rs"]
mod answers;
mod costs;
mod execution;
mod golden;
mod kernels;
mod ptxas;
mod refused;
