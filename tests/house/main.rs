//! The shape of the code: what imports what, and whether citations lead somewhere.

mod citations;
mod imports;
mod sources;
