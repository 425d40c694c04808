//! What terms say of numbers and addresses: intervals, bounds of differences, the distance of two addresses, and whether an
//! event may change the bytes of a load.

pub mod alias;
pub mod intervals;
pub mod disjointness;
pub mod difference_bounds;
