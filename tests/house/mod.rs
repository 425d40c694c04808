//! Whether citations, links and commands of comments and pages lead somewhere.

mod citations;
mod commands;
mod links;
mod mutations;
