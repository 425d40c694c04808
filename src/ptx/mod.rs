//! The PTX front end and back end: text to syntax tree ([`ast`]), register form ([`decode`]), and back by edits ([`write`](mod@write)) of
//! its [`text`] or operation by operation ([`spell`]).

pub mod ast;
pub mod binding;
pub mod calls;
pub mod decode;
pub mod error;
mod lex;
pub mod lower;
mod parse;
pub mod spell;
pub mod text;
pub mod write;

pub use parse::{parse, parse_again, parse_on, parse_owned};
