//! Variables of ptxasw in the environment.

use std::env;
use std::ffi::OsStr;

/// How they start.
const PREFIX: &[u8] = b"PTXASW_";
/// Those that say where tools are: no choices, but facts of a machine.
const TOOLS: &[&str] = &[
    "PTXASW_BITWUZLA",
    "PTXASW_CUOBJDUMP",
    "PTXASW_CVC5",
    "PTXASW_LLC",
    "PTXASW_NVCC",
    "PTXASW_NVDISASM",
    "PTXASW_NVDISASM_12",
    "PTXASW_NVPTX_AS",
    "PTXASW_PTXAS",
    "PTXASW_TOOLCHAIN",
];

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
