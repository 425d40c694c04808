//! What a kernel costs, read off the machine code that `ptxas` made of it, and of a run of its PTX in the warp executor.
//!
//! | file | what |
//! | --- | --- |
//! | [`sass`] | machine code: control flow, rounds, what a warp executes |
//! | [`arch`] | figures of GPUs, each with its source |
//! | [`mod@trace`] | what some blocks of a launch execute and access, and which accesses caches answer |
//! | [`operation`] | what an instruction asks of the multiprocessor |
//! | [`timeline`] | the resident warps of a multiprocessor, replayed |
//! | [`mod@bound`] | the least that pipes and memory need for all of it |
//! | [`estimate`] | all of it together: cycles, what warps wait for, ratios with their range |
//! | [`source`] | modules and launches that are predicted |
//!
//! Only the code itself is asked, by a decoder of our own: no verdict depends on whether `nvdisasm` is installed.

pub mod arch;
pub mod bound;
mod by_line;
pub mod estimate;
pub mod operation;
pub mod sass;
pub mod source;
pub mod timeline;
pub mod trace;
