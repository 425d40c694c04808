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
    /// Sectors and lanes of its accesses to memory, by line.
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

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_ptx as ptx;

    /// The function stores on line 6; the kernel `k` calls it, and `other` is not executed.
    const CALLED: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.func f(.reg .b64 %a)\n{\n\
        st.global.u64 [%a], %a;\nret;\n}\n.visible .entry k(.param .u64 a)\n{\n.reg .b64 %a;\nld.param.u64 %a, [a];\n\
        call.uni f, (%a);\nret;\n}\n.visible .entry other()\n{\nret;\n}\n";

    #[test]
    fn what_a_called_function_executes_has_lines() {
        let tree = ptx::parse(CALLED.as_bytes()).unwrap();
        let module = ptx::decode::decode(&tree).unwrap();
        let [called, kernel, _] = &module.functions[..] else {
            panic!("{:?}", module.functions);
        };
        let line = |at: u32| 1 + CALLED[..at as usize].matches('\n').count() as u32;
        let store = called.instructions[0].span.start;
        let mut trace = Trace::default();
        let of_kernel = kernel.instructions.iter().map(|one| one.span.start);
        trace
            .executions
            .extend(of_kernel.chain([store]).map(|begin| (begin, 2.0)));
        trace.accesses.insert(store, Accesses::default());
        let lines = Lines::new(&module, kernel, &trace, line).unwrap();
        let mut counted: Vec<(u32, f64)> = lines.counts.into_iter().collect();
        counted.sort_by_key(|&(line, _)| line);
        assert_eq!(
            counted,
            [(6, 2.0), (7, 0.0), (12, 2.0), (13, 2.0), (14, 2.0)]
        );
        assert!(lines.accesses.contains_key(&6));
    }
}
