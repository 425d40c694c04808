//! From the syntax tree to the register form.

pub mod form;
