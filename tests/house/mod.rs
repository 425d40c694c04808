//! The shape of the code: what imports what, and whether citations and links lead somewhere.

mod citations;
mod commands;
mod imports;
mod links;
mod mutations;
mod sources;
