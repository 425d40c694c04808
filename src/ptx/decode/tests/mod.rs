//! Tests of the decoder: spellings, bodies, errors.

mod bodies;
mod errors;
mod spellings;
