//! Machine code: the assembler that makes it, what it costs, and what is remembered of both.
//!
//! | module | what |
//! | --- | --- |
//! | [`toolchain`] | compilers and assemblers: where they are, how they are called, what they report; architectures, occupancy |
//! | [`cost`] | what a kernel costs, by its machine code and a run of its PTX: the clock |
//! | [`cache`] | what assemblers made of texts, from one run of the program to the next |
//!
//! It knows PTX and the executor, and no pass.
//!
//! # Invariants
//! 1. Machine code is read by a decoder of its own: what is found does not depend on whether `nvdisasm` is installed.
//! 2. Whatever a cache says, an assembler would have said.

pub mod cache;
pub mod cost;
pub mod toolchain;
