//! What was seen of one file.

use ptxasw_driver::report::stats::Figures;
use serde::{Deserialize, Serialize};

/// The assembler's answer for a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assembly {
    /// It was not asked: there is none for this target, or nobody wanted to know.
    #[default]
    NotAsked,
    /// It takes the text.
    Accepted,
    /// It does not; the first line of its complaint.
    Refused(String),
}

/// What was seen of one file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// Its path below the folder.
    pub path: String,
    /// Of the text and of all that was asked, as 32 digits.
    pub digest: String,
    /// Of the text.
    pub bytes: u64,
    /// Why it could not be rewritten, if so: it is no PTX to us.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// A fault of ours: a panic, or a plan that did not fit.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<String>,
    /// Without shuffles the text comes out as it went in.
    pub identical: bool,
    /// The text was changed.
    pub rewritten: bool,
    /// Of the original.
    pub original: Assembly,
    /// Of the rewritten text, where it is another one.
    pub output: Assembly,
    /// Kernels that were executed before and after, and gave the same.
    pub equal: u64,
    /// Kernels that did not.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub different: Vec<String>,
    /// Kernels that could not be executed.
    pub not_run: u64,
    /// Kernels, loads, and what became of them. The time is that of the rewriting alone.
    pub figures: Figures,
    /// Of `ptxas` with the original.
    pub assembler_milliseconds: f64,
}

impl Record {
    /// What is wrong with us, in words: nothing should be.
    pub fn complaints(&self) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(fault) = &self.fault {
            found.push(format!("fault: {fault}"));
        }
        if let (Some(error), Assembly::Accepted) = (&self.error, &self.original) {
            found.push(format!("ptxas takes it, we don't: {error}"));
        }
        if self.error.is_none() && self.fault.is_none() && !self.identical {
            found.push("without a shuffle the text is another".to_string());
        }
        if let (Assembly::Accepted, Assembly::Refused(why)) = (&self.original, &self.output) {
            found.push(format!("ptxas refuses the rewritten text: {why}"));
        }
        for kernel in &self.different {
            found.push(format!("kernel `{kernel}` gives other results"));
        }
        found
    }
}
