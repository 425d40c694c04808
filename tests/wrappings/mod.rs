//! The wrappings: their text, that it assembles, and that it computes what the original computes.

mod costs;
mod execution;
mod golden;
mod kernels;
mod ptxas;
mod refused;
