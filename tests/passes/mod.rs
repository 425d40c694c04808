//! Passes over the SSA IR, each by itself and one after the other: what they do to kernels in PTX, and that the results stay.

mod annotated;
mod division;
mod in_turn;
mod loops;
mod memory;
mod saturate;
mod straight;
