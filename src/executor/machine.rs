//! The machine: one step of a group of lanes, whatever the schedule.

use super::asynchronous::Landing;
use super::counters::Counters;
use super::error::{ExecutionError, Fault, Use, error};
use super::lanes::{LANES, lanes};
use super::launch::{Launch, Random};
use super::layout::parameter_memory;
use super::memory::Arena;
use super::observer::Observer;
use super::program::{Inst, Program};
use super::state::{Block, Point};
use super::{FinalVariable, Options, Outcome, Warning};
use ptxasw_ir::opcode::{BarrierKind, Opcode};
use ptxasw_ptx::decode::form::{Action, Function};

/// Everything but the blocks that are running.
pub(super) struct Machine<'a, O> {
    pub(super) program: &'a Program<'a>,
    pub(super) launch: &'a Launch,
    pub(super) global: Arena,
    pub(super) parameters: Arena,
    pub(super) counters: Counters,
    pub(super) warnings: Vec<Warning>,
    pub(super) options: Options,
    /// The adversary's dice; none in lockstep.
    pub(super) random: Option<Random>,
    /// When asynchronous copies land.
    pub(super) landing: Landing,
    /// The lane that `elect` prefers, and those after it.
    pub(super) first_elected: u32,
    /// Steps taken.
    pub(super) steps: u64,
    /// Ticks of the clocks in a step.
    pub(super) pace: u64,
    /// Who watches.
    pub(super) observer: &'a mut O,
}

/// How a group goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// All lanes with the next instruction.
    Next,
    /// All lanes at this instruction; their registers are where `Registers::base` says.
    Jump(u32),
    /// Lanes diverged, exited or wait; their program counters are set.
    Diverged,
}

pub(super) type ExecutionResult<T> = Result<T, ExecutionError>;

impl<'a, O: Observer> Machine<'a, O> {
    pub(super) fn new(
        program: &'a Program<'a>,
        function: &Function,
        launch: &'a Launch,
        options: Options,
        observer: &'a mut O,
    ) -> ExecutionResult<Self> {
        Ok(Machine {
            program,
            launch,
            global: program.layout.global_memory(launch),
            parameters: parameter_memory(function, launch)?,
            counters: Counters::default(),
            warnings: Vec::new(),
            options,
            random: None,
            landing: Landing::default(),
            first_elected: 0,
            steps: 0,
            pace: 1,
            observer,
        })
    }

    /// The block of this number, before its first instruction.
    pub(super) fn new_block(&self, number: u64) -> Block {
        Block::new(self.program, self.launch.block, self.launch.grid, number)
    }

    /// What is left after the last block.
    pub(super) fn finish(mut self, blocks: u64) -> Outcome {
        let threads: u64 = self.launch.block.iter().map(|&n| u64::from(n)).product();
        self.counters.warps = blocks * threads.div_ceil(32);
        let mut regions = self.global.regions.into_iter();
        let buffers = regions
            .by_ref()
            .zip(&self.launch.buffers)
            .map(|(region, buffer)| region.into_final(buffer.element))
            .collect();
        let statics = self.program.layout.statics.iter();
        let variables = statics
            .zip(regions)
            .zip(self.launch.buffers.len()..)
            .filter(|((_, region), _)| !region.read_only)
            .map(|((variable, region), number)| FinalVariable {
                name: variable.name.clone(),
                region: number,
                memory: region.into_final((variable.ty.bits / 8).clamp(1, 8)),
            });
        Outcome {
            buffers,
            variables: variables.collect(),
            counters: self.counters,
            warnings: self.warnings,
        }
    }

    /// An error at an instruction.
    pub(super) fn fault(
        &self,
        block: &Block,
        w: usize,
        lane: usize,
        inst: &Inst,
        fault: Fault,
    ) -> ExecutionError {
        ExecutionError {
            fault,
            span: inst.source.span,
            thread: Some(block.thread(w, lane)),
        }
    }

    /// As [`Machine::fault`], of the lowest lane of a mask.
    pub(super) fn fault_of(
        &self,
        block: &Block,
        w: usize,
        mask: u32,
        inst: &Inst,
        fault: Fault,
    ) -> ExecutionError {
        let lane = mask.trailing_zeros() as usize % LANES;
        self.fault(block, w, lane, inst, fault)
    }

    /// The error of a form that is not known; `what` says more than the opcode.
    pub(super) fn not_supported(
        &self,
        block: &Block,
        w: usize,
        mask: u32,
        inst: &Inst,
        what: &str,
    ) -> ExecutionError {
        let what = match inst.source.action {
            Action::Do(Opcode::Call { .. }) => what.to_owned(),
            _ => format!("`{}`: {what}", self.program.spelling(inst)),
        };
        self.fault_of(block, w, mask, inst, Fault::NotSupported(what))
    }

    /// Runs lanes, all at the same place, until they diverge, wait, come to `stop`, or have taken `budget` steps. Gives the
    /// place of the last instruction executed.
    pub(super) fn run_group(
        &mut self,
        block: &mut Block,
        w: usize,
        group: u32,
        stop: Point,
        budget: &mut u64,
    ) -> ExecutionResult<Point> {
        let warp = &mut block.warps[w];
        let Point { mut pc, base } = warp.point(group.trailing_zeros() as usize % LANES);
        warp.registers.base = base;
        let mut last = Point { pc, base };
        loop {
            let base = block.warps[w].registers.base;
            if stop.is(pc, base) || *budget == 0 {
                block.warps[w].set_pc(group, pc);
                return Ok(last);
            }
            *budget -= 1;
            last = Point { pc, base };
            match self.step(block, w, pc, group)? {
                Flow::Next => pc += 1,
                Flow::Jump(target) => pc = target,
                Flow::Diverged => return Ok(last),
            }
        }
    }

    /// Executes one instruction for a group of lanes that are before it.
    fn step(&mut self, block: &mut Block, w: usize, pc: u32, group: u32) -> ExecutionResult<Flow> {
        let program = self.program;
        let Some(inst) = program.code.get(pc as usize) else {
            block.warps[w].set_pc(group, pc);
            return self.exit(block, w, group);
        };
        self.steps += 1;
        if self.steps > self.options.step_limit {
            let limit = Fault::StepLimit(self.options.step_limit);
            return Err(self.fault_of(block, w, group, inst, limit));
        }
        let on = self.guarded(block, w, inst, group)?;
        if matches!(inst.source.action, Action::Branch { .. }) {
            self.observer.decided(block, w, pc, on, group);
        }
        if on == 0 {
            return Ok(Flow::Next);
        }
        self.counters.instructions += 1;
        self.counters.thread_instructions += u64::from(on.count_ones());
        if !matches!(inst.source.action, Action::Do(_)) {
            self.observer.branched(block, w, inst, on, group);
        }
        match &inst.source.action {
            Action::Do(opcode) => {
                let flow = self.perform(block, w, pc, inst, opcode, on, group)?;
                if flow == Flow::Next {
                    self.observer.executed(block, w, pc, inst, on);
                }
                Ok(flow)
            }
            Action::Branch { target, .. } => {
                let target = inst.start + target;
                Ok(Self::branch(block, w, pc, target, on, group))
            }
            Action::BranchIndexed { targets, .. } => {
                self.branch_indexed(block, w, pc, inst, targets, on, group)
            }
            Action::Return => self.leave(block, w, pc, inst, on, group),
            Action::Exit => {
                let warp = &mut block.warps[w];
                warp.set_pc(on, pc);
                warp.set_pc(group & !on, pc + 1);
                self.exit(block, w, on)
            }
            Action::Trap => Err(self.fault_of(block, w, on, inst, Fault::Trap)),
        }
    }

    /// The lanes of the group in which the guard holds.
    fn guarded(&self, block: &Block, w: usize, inst: &Inst, group: u32) -> ExecutionResult<u32> {
        let Some((reg, negated)) = inst.source.guard else {
            return Ok(group);
        };
        let (set, undefined) = block.warps[w].registers.predicate(reg.0, group);
        if undefined != 0 {
            let fault = Fault::Undefined(Use::Decision);
            return Err(self.fault_of(block, w, undefined, inst, fault));
        }
        Ok(if negated { group & !set } else { set })
    }

    fn branch(block: &mut Block, w: usize, pc: u32, target: u32, on: u32, group: u32) -> Flow {
        if on == group {
            return Flow::Jump(target);
        }
        let warp = &mut block.warps[w];
        warp.set_pc(on, target);
        warp.set_pc(group & !on, pc + 1);
        Flow::Diverged
    }

    #[allow(clippy::too_many_arguments)]
    fn branch_indexed(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        targets: &[u32],
        on: u32,
        group: u32,
    ) -> ExecutionResult<Flow> {
        let index = self.fetch_defined(block, w, inst, 0, on, Use::Decision)?;
        for lane in lanes(on) {
            let Some(&target) = usize::try_from(index.values[lane])
                .ok()
                .and_then(|i| targets.get(i))
            else {
                let fault = Fault::BadBranch(index.values[lane]);
                return Err(self.fault(block, w, lane, inst, fault));
            };
            block.warps[w].pc[lane] = inst.start + target;
        }
        block.warps[w].set_pc(group & !on, pc + 1);
        Ok(Flow::Diverged)
    }

    /// Ends lanes; others may have waited for this.
    pub(super) fn exit(&mut self, block: &mut Block, w: usize, mask: u32) -> ExecutionResult<Flow> {
        block.warps[w].exited |= mask;
        self.release_sync(block, w)?;
        self.release_barriers(block)?;
        self.release_cluster(block);
        Ok(Flow::Diverged)
    }

    /// Executes an instruction that is no branch, for the lanes `on` of the group.
    #[allow(clippy::too_many_arguments)]
    fn perform(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        opcode: &Opcode,
        on: u32,
        group: u32,
    ) -> ExecutionResult<Flow> {
        match opcode {
            Opcode::Op(op) => self.operate(block, w, inst, op, on)?,
            Opcode::Load(access) => self.load(block, w, inst, access, on)?,
            Opcode::Store(access) => self.store(block, w, pc, inst, access, on)?,
            Opcode::Atomic { .. } => self.atomic(block, w, pc, inst, opcode, on)?,
            // Every schedule here is an interleaving: memory is sequentially consistent.
            Opcode::Fence(..) => self.observer.fence(block, w, inst, on),
            Opcode::Nop => {}
            Opcode::Barrier {
                kind: BarrierKind::Warp,
                ..
            }
            | Opcode::Shuffle { sync: true, .. }
            | Opcode::Vote { sync: true, .. }
            | Opcode::Match { .. }
            | Opcode::Redux { .. }
            | Opcode::Elect => return self.arrive_sync(block, w, pc, inst, on, group),
            Opcode::Shuffle { .. } | Opcode::Vote { .. } | Opcode::ActiveMask => {
                self.collective(block, w, inst, on)?;
            }
            Opcode::Barrier {
                kind: BarrierKind::ClusterArrive,
                ..
            } => self.arrive_cluster(block, w, on),
            Opcode::Barrier {
                kind: BarrierKind::ClusterWait,
                ..
            } => return Ok(self.wait_cluster(block, w, pc, on, group)),
            Opcode::Barrier { kind, .. } => {
                return self.arrive_barriers(block, w, pc, inst, *kind, on, group);
            }
            Opcode::Call { .. } => return self.call(block, w, pc, inst, on, group),
            // A debugger's business.
            Opcode::Opaque { .. } if self.program.spelling(inst) == "brkpt" => {}
            Opcode::Opaque { .. } => match inst.asynchronous {
                Some(what) => self.asynchronous(block, w, pc, inst, what, on)?,
                None => {
                    let what = format!("`{}`", self.program.spelling(inst));
                    return Err(self.fault_of(block, w, on, inst, Fault::NotSupported(what)));
                }
            },
        }
        Ok(Flow::Next)
    }
}

/// Checks the sizes of the launch; gives the number of blocks.
pub(super) fn check_sizes(launch: &Launch) -> ExecutionResult<u64> {
    let bad = |what: &str| error(Fault::BadLaunch(what.to_owned()));
    let bad_block = || bad("a block has 1 to 1024 threads");
    if launch.block.iter().any(|&n| n > 1024) {
        return Err(bad_block());
    }
    let threads: u64 = launch.block.iter().map(|&n| u64::from(n)).product();
    if threads == 0 || threads > 1024 {
        return Err(bad_block());
    }
    let blocks = launch
        .grid
        .iter()
        .try_fold(1u64, |n, &d| n.checked_mul(u64::from(d)));
    match blocks {
        Some(n) if n > 0 && n.saturating_mul(threads) < 1 << 32 => Ok(n),
        _ => Err(bad("a grid has 1 to 2^32 threads here")),
    }
}
