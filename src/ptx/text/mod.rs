//! The text of a module and how it changes: edits, where new lines go, new names, and the version that its header says.

pub mod edit;
pub mod layout;
pub mod registers;
pub mod version;
