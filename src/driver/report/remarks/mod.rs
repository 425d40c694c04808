//! Remarks for other programs: LLVM's optimization records, lines of JSON, or SARIF.

mod collect;
mod json;
mod sarif;
mod yaml;

pub use collect::{Language, Remark, all};
pub use sarif::log;

use crate::report::explain;
use std::path::Path;

/// A form of remarks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// LLVM's optimization records, which `opt-viewer` and `llvm-opt-report` read.
    Yaml,
    /// One JSON object on each line.
    Json,
}

impl Format {
    /// The one that a file's name asks for: `.yaml` and `.yml`, else JSON.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|name| name.to_str()) {
            Some("yaml" | "yml") => Format::Yaml,
            _ => Format::Json,
        }
    }
}

/// The remarks on a module.
pub fn write(format: Format, module: &explain::Subject) -> Vec<u8> {
    written(format, &all(module))
}

/// What became of kernels by their registers: those that went back to their original, or from a level of loads, and those that stay
/// with fewer warps, each with why.
pub fn write_judged(
    format: Format,
    name: &str,
    back: &[(&str, String)],
    accepted: &[&(String, String)],
) -> Vec<u8> {
    let back = back.iter();
    let back = back.map(|(kernel, what)| collect::sent_back(name, kernel, what.clone()));
    let accepted = accepted.iter();
    let accepted = accepted.map(|(kernel, why)| collect::accepted(name, kernel, why));
    written(format, &back.chain(accepted).collect::<Vec<Remark>>())
}

fn written(format: Format, remarks: &[Remark]) -> Vec<u8> {
    let mut out = Vec::new();
    for remark in remarks {
        match format {
            Format::Yaml => yaml::write(&mut out, remark),
            Format::Json => json::write(&mut out, remark),
        }
    }
    out
}
