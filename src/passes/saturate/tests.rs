//! The rules of saturation: each holds, is used with its permissions alone, and does something that no other does.

mod permissions;
mod proofs;
mod sides;
mod table;
