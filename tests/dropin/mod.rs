//! The drop-in assembler: what it passes through, what it rewrites, and that nothing breaks a build.

mod arguments;
mod bisect;
mod bundle;
mod cache;
mod faults;
mod hooks;
mod kills;
mod remarks;
mod sandbox;
mod settings;
mod transparent;
