//! The decoder of machine code and the counting of load rounds, over what the real `ptxas` makes.

mod listing;
mod reference;
mod rounds;
