//! Remarks for other programs: LLVM's optimization records, or lines of JSON.

mod collect;
mod json;
mod yaml;

pub use collect::{Language, Remark, all};

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

/// The remark that a kernel went back to its original, or that a level of loads is not taken with it.
pub fn write_sent_back(format: Format, name: &str, kernel: &str, message: &str) -> Vec<u8> {
    written(
        format,
        &[collect::sent_back(name, kernel, message.to_owned())],
    )
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
