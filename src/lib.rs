//! ptxasw: an optimizing stage between a GPU compiler and `ptxas`.

pub mod emulator;
pub mod ir;
pub mod ptx;
pub mod shuffle;
pub mod solver;
pub mod toolchain;
