//! The text of a module and how it changes: edits, where new lines go, new names, the line that says by which passes a body was
//! made, and the version that its header says.

pub mod edit;
pub mod layout;
pub mod mark;
pub mod registers;
pub mod version;
