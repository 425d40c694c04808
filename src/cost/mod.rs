//! What a kernel costs, read off the machine code that `ptxas` made of it.
//!
//! Only the code itself is asked, by a decoder of our own: no verdict depends on whether `nvdisasm` is installed.

pub mod sass;
