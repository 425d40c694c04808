//! What a warp executes, as far as time depends on it: what each instruction asks of the multiprocessor, and what it waits for.

use super::arch::Gpu;

/// What a warp's cycles go by on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The cycles that the schedule gives to instructions.
    Issue,
    /// Results from memory beyond L2.
    Memory,
    /// Results from L2.
    L2,
    /// Results from L1.
    L1,
    /// Results from shared memory and shuffles.
    Shared,
    /// Results of slow pipes, constants and all else that scoreboards count.
    Other,
    /// Pipes that are not free, schedulers that issue for other warps.
    Pipe,
    /// The other warps of the block, at a barrier.
    Barrier,
}

impl Cause {
    /// All, in the order of [`Replay::shares`](super::timeline::Replay::shares).
    pub const ALL: [Cause; 8] = [
        Cause::Issue,
        Cause::Memory,
        Cause::L2,
        Cause::L1,
        Cause::Shared,
        Cause::Other,
        Cause::Pipe,
        Cause::Barrier,
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Issue => "instructions",
            Cause::Memory => "memory",
            Cause::L2 => "L2",
            Cause::L1 => "L1",
            Cause::Shared => "shared memory",
            Cause::Other => "slow pipes",
            Cause::Pipe => "busy pipes",
            Cause::Barrier => "barriers",
        }
    }
}

/// A pipe of each scheduler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Single precision and all that is as fast.
    Single,
    /// Double precision.
    Double,
    /// Integers.
    Integer,
    /// Conversions, reciprocals, special registers.
    Slow,
    /// Matrix products.
    Matrix,
}

impl Unit {
    /// All of them, in their order.
    pub const ALL: [Unit; 5] = [
        Unit::Single,
        Unit::Double,
        Unit::Integer,
        Unit::Slow,
        Unit::Matrix,
    ];
    /// How many there are.
    pub const COUNT: usize = Unit::ALL.len();

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Single => "single precision",
            Unit::Double => "double precision",
            Unit::Integer => "integers",
            Unit::Slow => "slow pipe",
            Unit::Matrix => "matrix products",
        }
    }

    /// Cycles between two instructions of one scheduler.
    pub fn interval(self, gpu: &Gpu) -> f64 {
        match self {
            Unit::Single => gpu.single.value,
            Unit::Double => gpu.double.value,
            Unit::Integer => gpu.integer.value,
            Unit::Slow => gpu.slow.value,
            Unit::Matrix => gpu.matrix.value,
        }
    }

    /// Cycles to the result, where a scoreboard waits for it.
    pub fn latency(self, gpu: &Gpu) -> f64 {
        match self {
            Unit::Single | Unit::Integer => 6.0,
            Unit::Double => 10.0,
            Unit::Slow => gpu.slow_latency.value,
            Unit::Matrix => 32.0,
        }
    }
}

/// What an instruction asks of the multiprocessor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Work {
    /// A pipe of the scheduler.
    Compute(Unit),
    /// A bank of constants.
    Constant,
    /// Shared memory, so many passes.
    Shared(f64),
    /// Another lane's value.
    Shuffle,
    /// A load.
    Load(Load),
    /// A store: cycles by sectors, and sectors that go to memory.
    Store {
        /// Sectors.
        sectors: f64,
        /// Of these.
        from_memory: f64,
    },
    /// A barrier of the block.
    Barrier,
}

/// A load, by what is known of its executions.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Load {
    /// Passes through the banks.
    pub passes: f64,
    /// Share of the executions that L1 does not answer.
    pub missing: f64,
    /// Sectors of one of these.
    pub missed: f64,
    /// Share of them that L2 does not have either.
    pub from_memory: f64,
}

/// An instruction of the sequence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Op {
    /// What it asks.
    pub work: Work,
    /// Cycles to the next one.
    pub stall: u8,
    /// Scoreboards that must be free, one bit each.
    pub waits: u8,
    /// The scoreboard that counts it until its result is there.
    pub write: Option<u8>,
    /// The scoreboard that counts it until its operands are read.
    pub read: Option<u8>,
    /// A scoreboard, and how many operations it may still count.
    pub left: Option<(u8, u8)>,
    /// How many executions it is counted as.
    pub weight: f64,
}

#[cfg(test)]
impl Op {
    /// An instruction that waits for nothing, and that nothing waits for.
    pub fn alone(work: Work) -> Op {
        Op {
            work,
            stall: 1,
            waits: 0,
            write: None,
            read: None,
            left: None,
            weight: 1.0,
        }
    }
}
