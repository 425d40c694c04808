//! The stage in clang: by the wrapper of its driver, and as a plugin.

mod host;
mod place;
mod plugin;
mod settings;
mod wrapper;
