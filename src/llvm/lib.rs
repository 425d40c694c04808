//! The part of ptxasw that reads and writes LLVM IR for NVPTX.
//!
//! A package of its own, since the drop-in assembler must start in milliseconds: LLVM is linked only into what reads LLVM
//! IR. The `ptxasw` command hands such inputs to the program `ptxasw-llvm` next to it, whose command line is in `cli/`.
//!
//! | module | what |
//! | --- | --- |
//! | [`read`], [`view`], [`text`], [`target`] | a module of LLVM's, what is asked of it, its text |
//! | [`lower`], [`numbering`], [`kernels`], [`linkage`] | its functions in SSA form, and who calls whom |
//! | [`binding`], [`write`](mod@write), [`carry_out`] | what passes may ask about it; patches, and modules that they have changed |
//! | [`module`], [`mark`], [`origins`] | a module as the driver's front end has it |
//! | [`stage`], [`outputs`], [`record`] | the whole stage, and what it writes |
//! | [`passes`] | passes of LLVM that run before |
//! | [`plugin`], [`host`], [`version`] | in the compiler's own process |
//!
//! It knows the driver and what that knows. Commands are known to the program alone.
//!
//! # Invariants
//! 1. A module is rewritten as a whole or not at all, and is valid afterwards.
//! 2. A panic stays in the stage: the compiler gets its own module.

pub mod binding;
pub mod carry_out;
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
