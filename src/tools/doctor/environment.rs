//! Variables of ptxasw in the environment.

use ptxasw_driver::pipeline::settings::words::TOOLS;
use std::env;
use std::ffi::OsStr;

/// How they start.
const PREFIX: &[u8] = b"PTXASW_";

/// Whether a variable of that name changes what a call does, other than by where its tools are.
pub fn is_setting(name: &OsStr) -> bool {
    let is_tool = TOOLS.iter().any(|tool| name == *tool);
    name.as_encoded_bytes().starts_with(PREFIX) && !is_tool
}

/// The settings that are set: `PTXASW_OFF=1`.
pub fn settings() -> Vec<String> {
    let set = env::vars_os().filter(|(name, value)| is_setting(name) && !value.is_empty());
    let mut all: Vec<String> = set
        .map(|(name, value)| format!("{}={}", name.display(), value.display()))
        .collect();
    all.sort();
    all
}
