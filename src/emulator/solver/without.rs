//! In place of Z3 where the crate is built without it: every question stays open.

use super::library::Missing;
use super::smtlib::Text;
use super::z3::{Answer, Decision};
use libloading::Library;

/// Of no library.
pub struct Functions;

impl Functions {
    /// # Errors
    /// Always.
    pub fn of(_: &'static Library) -> Result<Self, Missing> {
        Err(missing())
    }
}

/// # Errors
/// Always.
pub fn ask(_: &Text, _: u32) -> Result<(Answer, u64), Missing> {
    Err(missing())
}

/// # Errors
/// Always.
pub fn decide(_: &str, _: usize, _: u32) -> Result<Decision, Missing> {
    Err(missing())
}

fn missing() -> Missing {
    Missing("this program is built without it".into())
}
