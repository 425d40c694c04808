//! What the blocks of a launch did, by the lines of the text, and the machine instructions that come from it.

use super::estimate::{Executed, NoEstimate};
use super::sass::KernelCode;
use super::trace::{Accesses, Trace};
use ptxasw_ptx::decode::form::{Function, Module};
use rustc_hash::FxHashMap;

/// A trace by the lines of the text.
pub(super) struct Lines {
    /// How often a warp executes what stands on a line.
    pub counts: FxHashMap<u32, f64>,
    /// What it accesses.
    pub accesses: FxHashMap<u32, Accesses>,
}

impl Lines {
    /// Of a kernel and the functions that it calls: `ptxas` inlines them, and their lines stay.
    pub(super) fn new(
        module: &Module,
        kernel: &Function,
        trace: &Trace,
        line: impl Fn(u32) -> u32,
    ) -> Result<Self, NoEstimate> {
        let mut lines = Lines {
            counts: FxHashMap::default(),
            accesses: FxHashMap::default(),
        };
        lines.add(kernel, trace, &line)?;
        let is_called = |one: &&Function| {
            let mut begins = one.instructions.iter().map(|one| one.span.start);
            !one.entry && begins.any(|begin| trace.executions.contains_key(&begin))
        };
        for called in module.functions.iter().filter(is_called) {
            lines.add(called, trace, &line)?;
        }
        Ok(lines)
    }

    fn add(
        &mut self,
        function: &Function,
        trace: &Trace,
        line: impl Fn(u32) -> u32,
    ) -> Result<(), NoEstimate> {
        for one in &function.instructions {
            let begin = one.span.start;
            let count = trace.executions.get(&begin).copied().unwrap_or(0.0);
            let before = self.counts.insert(line(begin), count);
            // What is executed as often, and touches no memory, is as good as one.
            let differs = before.is_some_and(|before| before != count);
            let known = self.accesses.contains_key(&line(begin));
            let found = trace.accesses.get(&begin);
            if differs || known && found.is_some() {
                return Err(NoEstimate::SharedLine(line(begin)));
            }
            if let Some(&found) = found {
                self.accesses.insert(line(begin), found);
            }
        }
        Ok(())
    }

    /// What is executed; none where the code is not understood.
    pub(super) fn path(&self, code: &KernelCode) -> Option<Executed> {
        let is_executed = |at: u32| {
            let count = self.counts.get(&code.line(at)?);
            count.map(|&count| count > 0.0)
        };
        let executed = code.executed_blocks(is_executed).ok()?;
        let is_executed = |at: u32| is_executed(at).unwrap_or_else(|| executed.contains(&at));
        let counts = code.static_counts_where(is_executed).ok()?;
        let path = code.path_counts_where(is_executed).ok()?.total;
        // `ptxas` may give an instruction to a statement that is not executed, and then a loop seems to be passed by.
        let is_whole = 2 * path.loads.device() >= counts.loads.device();
        Some(Executed {
            counts,
            rounds: is_whole.then_some(path.rounds),
        })
    }
}
