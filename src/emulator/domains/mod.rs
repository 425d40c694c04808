//! What terms say of numbers and addresses: intervals, bounds of differences, the distance of two addresses, and whether an
//! event may change the bytes of a load.

pub mod alias;
pub mod difference_bounds;
pub mod disjointness;
pub mod intervals;
