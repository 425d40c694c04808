//! Which instructions an execution reaches, and the trip counts of its loops.

use super::launch::Launch;
use super::observer::{Observer, Touched};
use super::program::Inst;
use super::state::Block;
use super::trips::{Loop, Trips};
use super::{ExecutionError, Options, Outcome, Schedule, observed};
use ptxasw_ir::types::Space;
use ptxasw_ptx::decode::form::{Function, Module};
use std::ops::Range;

/// The instructions that several lanes of a warp have executed together, by the number that [`super::instruction_at`]
/// takes: a shuffle of a single lane moves nothing. A guarded one counts where its guard holds; branches, calls and exits
/// do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    executed: Vec<bool>,
    /// Those that a single lane has executed, too.
    by_any: Vec<bool>,
    pub(super) trips: Trips,
    /// By region of global memory, the bytes from the first that is accessed to the last.
    extents: Vec<Range<usize>>,
    detailed: bool,
}

impl Coverage {
    /// Nothing reached yet; of this kernel trips of loops and extents of accesses are looked at, too.
    pub fn detailed(kernel: &Function) -> Self {
        Coverage {
            trips: Trips::of(&kernel.instructions),
            detailed: true,
            ..Coverage::default()
        }
    }

    /// Whether lanes have executed an instruction together.
    pub fn has(&self, instruction: u32) -> bool {
        let executed = self.executed.get(instruction as usize);
        executed.is_some_and(|&executed| executed)
    }

    /// Whether any lane has executed an instruction.
    pub fn has_any(&self, instruction: u32) -> bool {
        let executed = self.by_any.get(instruction as usize);
        executed.is_some_and(|&executed| executed)
    }

    /// The loops of the kernel.
    pub fn loops(&self) -> &[Loop] {
        &self.trips.loops
    }

    /// The bytes of a region of global memory (the launch's buffers, then the module's variables) from the first that was accessed to the last;
    /// empty if none was.
    pub fn extent(&self, region: usize) -> Range<usize> {
        self.extents.get(region).cloned().unwrap_or(0..0)
    }

    /// Adds what another run of the same kernel has executed.
    pub fn merge(&mut self, other: &Coverage) {
        add(&mut self.executed, &other.executed);
        add(&mut self.by_any, &other.by_any);
        self.trips.merge(&other.trips);
    }
}

fn add(own: &mut Vec<bool>, other: &[bool]) {
    if own.len() < other.len() {
        own.resize(other.len(), false);
    }
    for (own, other) in own.iter_mut().zip(other) {
        *own |= other;
    }
}

impl Observer for Coverage {
    #[inline]
    fn executed(&mut self, _: &Block, _: usize, pc: u32, _: &Inst, on: u32) {
        let pc = pc as usize;
        if self.executed.len() <= pc {
            self.executed.resize(pc + 1, false);
            self.by_any.resize(pc + 1, false);
        }
        self.executed[pc] |= on.count_ones() > 1;
        self.by_any[pc] |= on != 0;
    }

    fn touched(&mut self, _: &Block, _: &Inst, touched: Touched) {
        let place = touched.place;
        if !self.detailed || !matches!(place.space, Space::Global) {
            return;
        }
        if self.extents.len() <= place.region {
            self.extents.resize(place.region + 1, 0..0);
        }
        let end = place.offset + touched.bytes as usize;
        let extent = &mut self.extents[place.region];
        *extent = match extent.end == 0 {
            true => place.offset..end,
            false => extent.start.min(place.offset)..extent.end.max(end),
        };
    }

    fn decided(&mut self, block: &Block, w: usize, pc: u32, on: u32, group: u32) {
        let warp = block.first_thread + 32 * w as u64;
        self.trips.decided(warp, pc, on, group);
    }
}

/// As [`super::run_with`], and returns what was reached, beginning with `coverage`. `jobs` is not looked at.
///
/// # Errors
/// As [`super::run`].
pub fn run_covered(
    module: &Module,
    function: &Function,
    launch: &Launch,
    schedule: Schedule,
    options: Options,
    mut coverage: Coverage,
) -> Result<(Outcome, Coverage), ExecutionError> {
    let outcome = observed(module, function, launch, schedule, options, &mut coverage)?;
    Ok((outcome, coverage))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_ptx as ptx;

    #[test]
    fn a_single_lane_is_no_company() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\
            .reg .pred %p<2>;\n.reg .b32 %r<4>;\nmov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 3;\n\
            @%p1 mov.u32 %r2, 1;\nsetp.eq.u32 %p1, %r1, 40;\n@%p1 mov.u32 %r2, 2;\nret;\n}\n";
        let tree = ptx::parse(text.as_bytes()).unwrap();
        let module = ptx::decode::decode(&tree).unwrap();
        let kernel = &module.functions[0];
        let launch = Launch::new([1; 3], [32, 1, 1]);
        let options = Options::default();
        let (_, coverage) = run_covered(
            &module,
            kernel,
            &launch,
            Schedule::Lockstep,
            options,
            Coverage::default(),
        )
        .unwrap();
        let together: Vec<bool> = (0..5).map(|number| coverage.has(number)).collect();
        let by_any: Vec<bool> = (0..5).map(|number| coverage.has_any(number)).collect();
        assert_eq!(together, [true, true, false, true, false]);
        assert_eq!(by_any, [true, true, true, true, false]);
    }
}
