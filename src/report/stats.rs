//! Figures of a build: what every call of the drop-in assembler saw and did, and their sum.

use crate::pipeline::Kernel;
use crate::shuffle::refusal::ConditionName;
use crate::shuffle::synthesis::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Counts over kernels; they add up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Modules.
    pub modules: u64,
    /// Modules that were left alone by a fault of ours or of their own.
    pub failed: u64,
    /// Kernels and device functions with loads.
    pub kernels: u64,
    /// Those that have shuffles.
    pub rewritten: u64,
    /// Kernels that went back to their original, because they lost registers or results differed.
    pub reverted: u64,
    /// Loads that could be covered by their kind.
    pub loads: u64,
    /// Loads that became shuffles, or moves within a thread.
    pub covered: u64,
    /// Loads that others take values of.
    pub sources: u64,
    /// Loads that stay, by condition and reason.
    pub kept: BTreeMap<String, u64>,
    /// Questions to the solver.
    pub queries: u64,
    /// Time of our own work.
    pub milliseconds: f64,
}

impl Figures {
    /// Those of one kernel.
    pub fn of(kernel: &Kernel) -> Self {
        let mut figures = Figures {
            kernels: 1,
            rewritten: u64::from(!kernel.plan.shuffles.is_empty()),
            queries: kernel.queries,
            ..Figures::default()
        };
        if let Some(refusal) = &kernel.skipped {
            figures.keep(format!("module: {}", refusal.reason), 1);
        }
        let dropped = kernel.is_dropped();
        figures.reverted = dropped.into();
        for load in &kernel.loads {
            figures.loads += 1;
            figures.sources += u64::from(load.source);
            match &load.outcome {
                Outcome::Covered(_) if dropped => {
                    let reason = "reverted: the kernel's results were not found equal";
                    figures.keep(reason.to_string(), 1);
                }
                Outcome::Covered(_) => figures.covered += 1,
                // A source is kept because others live on it: no reason to report.
                Outcome::Kept(_) if load.source => {}
                Outcome::Kept(refusal) => {
                    let reason = match refusal.condition {
                        // Its words have numbers in them.
                        ConditionName::Profit => {
                            "declined: proved, but not worth its cost".to_string()
                        }
                        other => format!("{}: {}", other.name(), refusal.reason),
                    };
                    figures.keep(reason, 1);
                }
            }
        }
        figures
    }

    fn keep(&mut self, reason: String, loads: u64) {
        if loads > 0 {
            *self.kept.entry(reason).or_default() += loads;
        }
    }

    /// Turns a rewritten kernel's figures into those of one that went back to its original.
    pub fn revert(&mut self) {
        self.reverted += self.rewritten;
        let covered = std::mem::take(&mut self.covered);
        self.rewritten = 0;
        self.keep(
            "reverted: the kernel lost warps by its registers, or spilled".into(),
            covered,
        );
    }

    /// Adds those of other modules.
    pub fn add(&mut self, other: &Figures) {
        self.modules += other.modules;
        self.failed += other.failed;
        self.kernels += other.kernels;
        self.rewritten += other.rewritten;
        self.reverted += other.reverted;
        self.loads += other.loads;
        self.covered += other.covered;
        self.sources += other.sources;
        self.queries += other.queries;
        self.milliseconds += other.milliseconds;
        for (reason, count) in &other.kept {
            self.keep(reason.clone(), *count);
        }
    }

    /// As a table.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let rows = [
            ("modules", self.modules),
            ("  left alone by a fault", self.failed),
            ("kernels", self.kernels),
            ("  with shuffles", self.rewritten),
            ("  gone back to their original", self.reverted),
            ("loads", self.loads),
            ("  covered", self.covered),
            ("  sources", self.sources),
            ("  kept", self.kept.values().sum()),
        ];
        for (name, count) in rows {
            let _ = writeln!(out, "{name:<32} {count:>10}");
        }
        let mut reasons: Vec<(&String, &u64)> = self.kept.iter().collect();
        reasons.sort_by(|one, other| other.1.cmp(one.1).then(one.0.cmp(other.0)));
        for (reason, count) in reasons {
            let _ = writeln!(out, "    {count:>8}  {reason}");
        }
        let _ = writeln!(out, "{:<32} {:>10}", "solver queries", self.queries);
        let _ = writeln!(out, "{:<32} {:>10.1}", "milliseconds", self.milliseconds);
        out
    }
}
