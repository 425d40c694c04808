//! The decoder of machine code and the counting of load rounds, over what the real `ptxas` makes; and the lines that it is
//! attributed to.

mod attributed;
mod debug_lines;
pub mod listing;
mod reference;
mod rounds;
