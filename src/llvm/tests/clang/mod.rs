//! The stage in clang: by the wrapper of its driver, and as a plugin.

mod host;
mod optimized;
mod place;
mod plugin;
mod registers;
mod settings;
mod wrapper;
