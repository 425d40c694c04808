//! Cycles of a kernel in a launch, what its warps wait for, and the ratio of two kernels with its range.

use super::arch::Gpu;
use super::bound::{bound, needs};
use super::by_line::Lines;
use super::operation::{Cause, Load, Op, Unit, Work as Asked};
use super::sass::{Condition, Counts, Instruction, KernelCode, Kind, Refusal, Space};
use super::timeline::{Replay, replay};
use super::trace::{Accesses, Residency, Work, trace};
use ptxasw_base::threads;
use ptxasw_executor::ExecutionError;
use ptxasw_ptx::decode::form::{Function, Module};
use serde::Serialize;

/// Most warps that are replayed: as many as a multiprocessor holds.
const MOST_WARPS: u64 = 64;
/// Instructions of all warps of a round up to which each uncertain figure is varied by itself.
const SHORT: u64 = 1 << 20;
/// By how much machine instructions may be more than what they come from, or fewer. Division is some ten of them, and moves are none.
const APART: f64 = 3.0;
/// Share of a multiprocessor's time from which on a limit is named.
const NEAR: f64 = 0.85;

/// Why there is no estimate.
#[derive(Debug, thiserror::Error)]
pub enum NoEstimate {
    /// No figures of a GPU.
    #[error("no figures of a GPU of sm_{0}")]
    Target(u32),
    /// The code is not understood.
    #[error("{0}")]
    Code(#[from] Refusal),
    /// The run of the PTX fails.
    #[error("the launch cannot be executed: {0}")]
    Run(#[from] ExecutionError),
    /// The machine code has no line table.
    #[error("the machine code has no line of the PTX")]
    NoLines,
    /// The GPU refuses the launch.
    #[error("the launch is refused: {0}")]
    Launch(&'static str),
    /// Statements share a line, and so what they did cannot be distinguished.
    #[error("several statements on line {0}")]
    SharedLine(u32),
    /// Copies and matrix products of whole warp groups.
    #[error("asynchronous operations of sm_90 at {0:#x}")]
    Asynchronous(u32),
    /// A function whose code is elsewhere.
    #[error("a call at {0:#x}")]
    Call(u32),
    /// What is replayed is not what the run of the PTX executed: iterations of a loop are missing, or counted twice.
    #[error("{machine} machine instructions were found for {statements} executed statements")]
    Apart {
        /// Of a warp, in the replay.
        machine: u64,
        /// Of a warp, in the run.
        statements: u64,
    },
}

/// What a kernel's time is bound by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limiter {
    /// Warps wait for results, and there are too few of them.
    Latency,
    /// Memory's bytes in a second.
    Memory,
    /// Pipes and schedulers.
    Pipes,
    /// The start of blocks.
    Blocks,
}

impl Limiter {
    /// In words: what completes "bound by".
    pub fn name(self) -> &'static str {
        match self {
            Limiter::Latency => "latency",
            Limiter::Memory => "the bandwidth of memory",
            Limiter::Pipes => "pipes",
            Limiter::Blocks => "the start of blocks",
        }
    }
}

/// What a kernel costs in a launch.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// Cycles of a warp.
    pub cycles: f64,
    /// Microseconds of the launch.
    pub time: f64,
    /// Of these, what a launch that does nothing takes.
    pub launch: f64,
    /// Shares of the warp's cycles by what they go by on, in the order of [`Cause::ALL`].
    pub shares: [f64; 8],
    /// What bounds it.
    pub limiter: Limiter,
    /// Instructions of a warp.
    pub instructions: f64,
    /// Warps that the launch keeps on a multiprocessor.
    pub warps: u64,
    /// Whether not all of the blocks were executed that a multiprocessor holds.
    pub cut: bool,
    /// Shares of the cycles that schedulers, pipes and levels of memory are busy: see [`needs`].
    #[serde(skip)]
    pub busy: Vec<(&'static str, f64)>,
}

/// All that does not depend on uncertain figures.
pub struct Kernel {
    gpu: Gpu,
    ops: Vec<Op>,
    residency: Residency,
    warps: u64,
    blocks: u64,
    cut: bool,
    path: Option<Executed>,
}

impl Kernel {
    /// Executes a launch and finds out what a warp does. `line` gives the line of a byte of the text; `steps` bounds the run.
    ///
    /// # Errors
    /// Something about the code or the run is unknown.
    pub fn new(
        code: &KernelCode,
        module: &Module,
        function: &Function,
        work: &Work,
        line: impl Fn(u32) -> u32,
        steps: u64,
    ) -> Result<Self, NoEstimate> {
        let gpu = Gpu::of(code.target).ok_or(NoEstimate::Target(code.target))?;
        let instructions = code.instructions.as_ref().map_err(|&refusal| refusal)?;
        if code.lines.is_empty() {
            return Err(NoEstimate::NoLines);
        }
        let shared = work.dynamic_shared() + code.shared;
        if let Some(why) = work.refusal(&gpu, shared, u64::from(code.resident_warps())) {
            return Err(NoEstimate::Launch(why));
        }
        let residency = resident(code, work, &gpu);
        let trace = trace(module, function, work, &gpu, residency, steps)?;
        let lines = Lines::new(module, function, &trace, line)?;
        let executed = code.executed(|line| lines.counts.get(&line).copied())?;
        let path = lines.path(code);
        let end = instructions.last().map_or(0, |last| last.at);
        let mut ops = Vec::new();
        for one in executed {
            let instruction = &instructions[one.index];
            match instruction.kind {
                Kind::Asynchronous => return Err(NoEstimate::Asynchronous(instruction.at)),
                // Those of the same section are the slow paths of divisions, which ordinary values do not take.
                Kind::Call if instruction.target.is_none_or(|to| to >= end) => {
                    return Err(NoEstimate::Call(instruction.at));
                }
                _ => {}
            }
            let accesses = code
                .line(instruction.at)
                .and_then(|line| lines.accesses.get(&line));
            ops.push(op(instruction, accesses.copied(), one.weight));
        }
        let statements: f64 = trace.executions.values().sum();
        let machine: f64 = ops.iter().map(|op| op.weight).sum();
        if are_apart(machine, statements) {
            return Err(NoEstimate::Apart {
                machine: machine.round() as u64,
                statements: statements.round() as u64,
            });
        }
        Ok(Kernel {
            gpu,
            ops,
            residency,
            warps: work.warps(),
            blocks: work.blocks(),
            cut: trace.cut,
            path,
        })
    }

    /// The machine instructions that the launch executes.
    pub fn executed(&self) -> Option<&Executed> {
        self.path.as_ref()
    }

    /// With the figures as they are.
    pub fn estimate(&self) -> Estimate {
        self.with(&self.gpu)
    }

    /// The time of this kernel by that of another: above 1 the other one is faster. First with the figures as they are, then the
    /// least and the largest of what comes of uncertain figures at the ends of their ranges: one after the other, or all together
    /// where kernels are long.
    pub fn ratio(&self, other: &Kernel) -> [f64; 3] {
        self.ratio_on(other, self.ends(self.steps().max(other.steps())))
    }

    /// As [`ratio`](Self::ratio), with all uncertain figures at the ends of their ranges together: a few replays in place of some fifty.
    pub fn ratio_at_extremes(&self, other: &Kernel) -> [f64; 3] {
        self.ratio_on(other, self.gpu.extremes())
    }

    fn ratio_on(&self, other: &Kernel, ends: Vec<Gpu>) -> [f64; 3] {
        let ratio = |gpu: &Gpu| self.with(gpu).time / other.with(gpu).time;
        let point = ratio(&self.gpu);
        let mut range = [point, point, point];
        for value in threads::each(0, ends, |_| 1, |gpu| ratio(&gpu)) {
            range = [point, range[1].min(value), range[2].max(value)];
        }
        range
    }

    /// About how many instructions are replayed for a ratio to another kernel like this one.
    pub fn effort(&self) -> u64 {
        let replays = 2 * (1 + self.ends(self.steps()).len() as u64);
        replays.saturating_mul(self.steps())
    }

    /// The GPUs with which a ratio is computed, besides the one with the figures as they are.
    fn ends(&self, steps: u64) -> Vec<Gpu> {
        match steps <= SHORT {
            true => self.gpu.ends(),
            false => self.gpu.extremes(),
        }
    }

    /// Instructions of all warps that a multiprocessor holds.
    fn steps(&self) -> u64 {
        self.ops.len() as u64 * self.residency.blocks * self.warps
    }

    fn with(&self, gpu: &Gpu) -> Estimate {
        let multiprocessors = gpu.multiprocessors.value;
        let share = self.blocks as f64 / multiprocessors;
        let places = self.residency.blocks;
        let of_block = self.warps.min(MOST_WARPS);
        let full = share > places as f64;
        let active = multiprocessors.min(self.blocks as f64);
        let memory_rate = gpu.memory_rate(active);
        let mut done = replay(
            &self.ops,
            gpu,
            places as usize,
            of_block as usize,
            memory_rate,
            full,
        );
        let needs = needs(&self.ops, gpu, places * of_block, memory_rate);
        let (least, cause) = bound(&needs);
        if done.cycles < least {
            done.shares[cause as usize] += least - done.cycles;
            done.cycles = least;
        }
        let rounds = if full { share / places as f64 } else { 1.0 };
        let replayed = done.cycles * rounds;
        let starts = gpu.block_start.value * share;
        let cycles = replayed.max(starts);
        let launch = gpu.launch.value;
        let time = cycles / gpu.clock.value + launch;
        let limiter = match () {
            _ if starts > replayed * NEAR => Limiter::Blocks,
            _ => self.limiter(&done, places, memory_rate),
        };
        let total: f64 = done.shares.iter().sum();
        Estimate {
            cycles: done.cycles,
            time,
            launch,
            shares: done.shares.map(|share| share / total.max(1.0)),
            limiter,
            instructions: self.ops.iter().map(|op| op.weight).sum(),
            warps: places * of_block,
            cut: self.cut,
            busy: needs
                .iter()
                .map(|need| (need.name, need.cycles / done.cycles.max(1.0)))
                .collect(),
        }
    }

    /// Memory where its bytes take nearly all of the time, pipes where warps wait for these most.
    fn limiter(&self, done: &Replay, places: u64, memory_rate: f64) -> Limiter {
        let sectors = |op: &Op| match op.work {
            Asked::Load(load) => load.missing * load.missed * load.from_memory,
            Asked::Store { from_memory, .. } => from_memory,
            _ => 0.0,
        };
        let bytes: f64 = self
            .ops
            .iter()
            .map(|op| sectors(op) * op.weight * 32.0)
            .sum();
        let of_all = bytes * (places * self.warps) as f64;
        let [pipe, issue] = [Cause::Pipe, Cause::Issue].map(|cause| done.shares[cause as usize]);
        let total: f64 = done.shares.iter().sum();
        if of_all / memory_rate > done.cycles * NEAR {
            Limiter::Memory
        } else if pipe + issue > total / 2.0 {
            Limiter::Pipes
        } else {
            Limiter::Latency
        }
    }
}

/// Machine instructions that a launch executes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Executed {
    /// Each of them once; no rounds.
    pub counts: Counts,
    /// Times that a warp waits for memory along its path, every loop taken once: [`KernelCode::path_counts_where`]. None where
    /// that path leaves out what is executed.
    pub rounds: Option<u32>,
}

/// The machine instructions that a launch executes, on a GPU of which there may be no figures: which blocks run together is decided
/// by those of the newest one.
///
/// # Errors
/// The run of the PTX fails.
pub fn executed(
    code: &KernelCode,
    module: &Module,
    function: &Function,
    work: &Work,
    line: impl Fn(u32) -> u32,
    steps: u64,
) -> Result<Option<Executed>, NoEstimate> {
    let newest = Gpu::targets().max().and_then(Gpu::of);
    let gpu = newest.ok_or(NoEstimate::Target(code.target))?;
    let residency = resident(code, work, &gpu);
    let trace = trace(module, function, work, &gpu, residency, steps)?;
    Ok(Lines::new(module, function, &trace, line)?.path(code))
}

/// The blocks of a launch that a multiprocessor holds.
fn resident(code: &KernelCode, work: &Work, gpu: &Gpu) -> Residency {
    let shared = work.dynamic_shared() + code.shared;
    Residency::new(gpu, u64::from(code.resident_warps()), shared, work)
}

/// Whether a replay cannot be that of a run.
fn are_apart(machine: f64, statements: f64) -> bool {
    machine > statements * APART || statements > machine * APART
}

fn op(instruction: &Instruction, accesses: Option<Accesses>, weight: f64) -> Op {
    let control = instruction.control;
    let left = match instruction.kind {
        Kind::ScoreboardWait { scoreboard, left } => Some((scoreboard, left)),
        _ => None,
    };
    Op {
        work: work(instruction, accesses),
        stall: control.stall,
        waits: control.waits,
        write: control.write_barrier,
        read: control.read_barrier,
        left,
        weight,
    }
}

fn work(instruction: &Instruction, accesses: Option<Accesses>) -> Asked {
    // Without a run it is one pass that finds what it looks for: spilled registers, mostly.
    let known = accesses.unwrap_or(Accesses {
        passes: 1.0,
        ..Accesses::default()
    });
    let executed = accesses.is_some();
    let load = Load {
        passes: known.passes,
        missing: known.missing,
        missed: known.missed,
        from_memory: known.from_memory,
    };
    // A part of a sector is read and written.
    let sectors = known.sectors * (1.0 + 0.3 * known.partial);
    let store = Asked::Store {
        sectors,
        from_memory: known.sectors * known.from_memory,
    };
    match instruction.kind {
        Kind::Load(Space::Constant) => Asked::Constant,
        Kind::Load(Space::Shared) | Kind::Atomic(Space::Shared) | Kind::Store(Space::Shared) => {
            Asked::Shared(known.passes)
        }
        Kind::Load(Space::Local) | Kind::Store(Space::Local) => Asked::Load(load),
        // Guarded, and never executed.
        Kind::Load(_) | Kind::Store(_) | Kind::Atomic(_) | Kind::Reduction(_) | Kind::Copy
            if !executed =>
        {
            Asked::Compute(Unit::Single)
        }
        Kind::Load(_) | Kind::Copy => Asked::Load(load),
        Kind::Atomic(_) => Asked::Load(Load {
            missing: 1.0,
            missed: known.sectors,
            ..load
        }),
        Kind::Store(_) | Kind::Reduction(_) => store,
        Kind::Shuffle => Asked::Shuffle,
        Kind::Barrier => Asked::Barrier,
        Kind::Branch(Condition::Converged) => Asked::Compute(Unit::Single),
        Kind::Other | Kind::Vote => Asked::Compute(unit(instruction.opcode)),
        _ => Asked::Compute(Unit::Single),
    }
}

/// The pipe of an opcode that touches neither memory nor control flow (names as `nvdisasm` has them).
fn unit(opcode: u16) -> Unit {
    match opcode {
        // `DSETP`, `DMUL`, `DADD`, `DFMA`.
        0x028..=0x02b => Unit::Double,
        // `HMMA`, `IMMA`, `DMMA`.
        0x037..=0x03a | 0x03c | 0x03f | 0x040 => Unit::Matrix,
        // `IADD3`, `LOP3`, `ISETP`, `SHF`, `LEA`, `IMAD`, `IMAD.WIDE`, `IMAD.HI`.
        0x00c | 0x010..=0x012 | 0x017 | 0x019 | 0x024..=0x027 => Unit::Integer,
        // Conversions, `MUFU`, `S2R`, `POPC`, `FLO`, `BREV`.
        0x100..=0x113 | 0x119 => Unit::Slow,
        _ => Unit::Single,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_of_another_run_is_refused() {
        // A loop that `ptxas` unrolled and that was not found, and one that was counted twice.
        assert!(are_apart(132.0, 29153.0) && are_apart(77.0, 495.0) && are_apart(301.0, 100.0));
        assert!(!are_apart(300.0, 100.0) && !are_apart(100.0, 300.0) && !are_apart(0.0, 0.0));
        let apart = NoEstimate::Apart {
            machine: 132,
            statements: 29153,
        };
        let said = "132 machine instructions were found for 29153 executed statements";
        assert_eq!(apart.to_string(), said);
    }
}
