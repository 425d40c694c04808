//! The stage in clang: by the wrapper of its driver, and as a plugin.

mod bisect;
mod host;
mod optimized;
mod plugin;
mod registers;
mod sandbox;
mod settings;
mod wrapper;
