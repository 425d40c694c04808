//! The part of ptxasw that reads and writes LLVM IR for NVPTX.
//!
//! A package of its own, since the drop-in assembler must start in milliseconds: LLVM is linked only into what reads LLVM
//! IR. The `ptxasw` command hands such inputs to the program `ptxasw-llvm` next to it.

pub mod binding;
pub mod carry_out;
pub mod cli;
pub mod host;
pub mod kernels;
pub mod linkage;
pub mod lower;
pub mod mark;
pub mod module;
mod mutation;
pub mod numbering;
pub mod origins;
pub mod outputs;
pub mod passes;
pub mod plugin;
pub mod read;
pub mod record;
mod short_floats;
pub mod stage;
pub mod target;
pub mod text;
pub mod version;
pub mod view;
pub mod write;
