//! What tuning has found: as `--json` has it, and `--resume` reads it.

use serde::{Deserialize, Serialize};

/// The version of this format; what is read must have the same.
pub const FORMAT: u32 = 1;

/// The choice that leaves a kernel as it is.
pub const ORIGINAL: &str = "off";

/// What was found for a module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tuning {
    /// The module, as the user named it.
    pub module: String,
    /// XXH3 of its text, in hexadecimal digits.
    pub digest: String,
    /// XXH3 of the options under which choices were made and compared.
    pub options: String,
    /// The GPU that was measured on, with its clocks.
    pub device: Option<String>,
    /// Its kernels, on each target.
    pub kernels: Vec<Kernel>,
}

/// What was found for a kernel on a target.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kernel {
    /// Its mangled name, which `ptxasw.toml` selects it by.
    pub kernel: String,
    /// The target: `sm_90`.
    pub target: String,
    /// What it was run with, in words.
    pub launch: String,
    /// Nobody has given it: too small for times.
    pub made_up: bool,
    /// XXH3 of all of the launch, in hexadecimal digits.
    pub launch_digest: String,
    /// What was made of it; the original is the first.
    pub rows: Vec<Row>,
    /// Why nothing could be estimated.
    pub not_estimated: Option<String>,
    /// Why nothing was measured although a GPU was there.
    pub not_measured: Option<String>,
    /// Choices that were not tried: they would have taken more work than was allowed.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// The row that is best, for the settings file; none where the default stays.
    pub best: Option<usize>,
}

/// What choices make of a kernel: all of them the same machine code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The choices, as the setting `tuned` has them; `off` is the original, and the empty one the default.
    pub choices: Vec<String>,
    /// XXH3 of the machine code, in hexadecimal digits.
    pub code: String,
    /// Registers of a thread.
    pub registers: u32,
    /// Warps that registers leave room for on a multiprocessor.
    pub warps: u32,
    /// Its results beside the original's.
    pub compared: Compared,
    /// Its gain by the clock.
    pub estimated: Option<Ratio>,
    /// Its gain on the GPU.
    pub measured: Option<Measured>,
}

/// The original's time by that of the rewritten kernel: above 1 it is faster.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// As it is.
    pub point: f64,
    /// The least that is likely.
    pub least: f64,
    /// The most.
    pub most: f64,
}

/// A ratio that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The median of pairs of samples, and the quartiles.
    pub ratio: Ratio,
    /// Pairs of samples.
    pub samples: u32,
    /// The slowest sample by the median, where it is far off: something else ran on the machine.
    pub outlier: Option<f64>,
}

/// A rewritten kernel's results beside the original's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compared {
    /// It is the original.
    Same,
    /// Equal, in so many pairs of runs.
    Equal(usize),
    /// Nothing could be compared here, and why: what was proved still holds.
    Unknown(String),
    /// They differ by how sums and products are rounded, which the module allows: the same choice without that is equal. It is not
    /// chosen unless the user says how much is tolerated.
    Rounded,
    /// The results differ, which is a miscompile: the row is never chosen.
    Different(String),
}

impl Row {
    /// Whether it is what the kernel is without any choice.
    pub fn is_default(&self) -> bool {
        self.choices.iter().any(String::is_empty)
    }

    /// Whether it may be chosen.
    pub fn is_sound(&self) -> bool {
        !matches!(self.compared, Compared::Different(_) | Compared::Rounded)
    }

    /// Its gain: measured, where `measured`, else estimated.
    pub fn ratio(&self, measured: bool) -> Option<Ratio> {
        match measured {
            true => self.measured.as_ref().map(|one| one.ratio),
            false => self.estimated,
        }
    }
}

impl Kernel {
    /// Whether its best row is for the settings file.
    pub fn is_chosen(&self) -> bool {
        self.best.is_some() && !self.made_up
    }

    /// Whether it was measured, so that estimates do not count.
    pub fn is_measured(&self) -> bool {
        self.rows.iter().any(|row| row.measured.is_some())
    }

    /// The ratios that can be compared: estimates, or what was measured with as many samples as the default was. Those that were
    /// slower after few samples are out of it.
    pub fn ratios(&self) -> Vec<Option<Ratio>> {
        let measured = self.is_measured();
        let samples = |row: &Row| row.measured.as_ref().map_or(0, |one| one.samples);
        let most = self.rows.iter().map(samples).max().unwrap_or(0);
        let rows = self.rows.iter();
        rows.map(|row| {
            row.ratio(measured)
                .filter(|_| !measured || samples(row) == most)
        })
        .collect()
    }
}

impl Ratio {
    /// Of the original.
    pub const ONE: Ratio = Ratio {
        point: 1.0,
        least: 1.0,
        most: 1.0,
    };
}
