//! What can go wrong in an execution: faults of the program, and forms that the executor does not know.

use ptxasw_ir::types::Space;
use ptxasw_ptx::ast::Span;
use std::fmt;

/// A thread of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread {
    /// `%ctaid`
    pub block: [u32; 3],
    /// `%tid`
    pub thread: [u32; 3],
    /// Index of the warp in its block.
    pub warp: u32,
    /// `%laneid`
    pub lane: u32,
}

impl Thread {
    /// The thread of a lane in the block of this number, by the sizes of grid and block.
    pub(super) fn at(grid: [u32; 3], size: [u32; 3], block: u64, warp: u32, lane: u32) -> Self {
        let (gx, gy) = (u64::from(grid[0]), u64::from(grid[1]));
        let t = warp * 32 + lane;
        Thread {
            block: [
                (block % gx) as u32,
                (block / gx % gy) as u32,
                (block / (gx * gy)) as u32,
            ],
            thread: [t % size[0], t / size[0] % size[1], t / (size[0] * size[1])],
            warp,
            lane,
        }
    }
}

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([bx, by, bz], [x, y, z]) = (self.block, self.thread);
        write!(
            f,
            "thread ({x},{y},{z}) of block ({bx},{by},{bz}), warp {} lane {}",
            self.warp, self.lane
        )
    }
}

/// Why an execution stopped, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}{}", .thread.map(|t| format!(" ({t})")).unwrap_or_default())]
pub struct ExecutionError {
    /// What happened.
    pub fault: Fault,
    /// The statement; empty where none is to blame (a bad launch).
    pub span: Span,
    /// The first thread concerned.
    pub thread: Option<Thread>,
}

impl ExecutionError {
    /// The program has no defined meaning: not a limit of the executor or of the launch.
    pub fn undefined_behaviour(&self) -> bool {
        !matches!(
            self.fault,
            Fault::NotSupported(_)
                | Fault::StepLimit(_)
                | Fault::CallDepth(_)
                | Fault::BadLaunch(_)
                | Fault::Trap
                | Fault::Assertion(_)
        )
    }
}

/// A use of a value for which uninitialised bytes are an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Stored to memory that other kernels or the host see, or combined with it by an atomic.
    Store,
    /// The address of an access.
    Address,
    /// A guard, a branch index or a barrier's predicate.
    Decision,
    /// A member mask, a barrier number or a thread count.
    Mask,
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Use::Store => "stored",
            Use::Address => "used as an address",
            Use::Decision => "used in a decision",
            Use::Mask => "used as a member mask or barrier operand",
        })
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No allocation holds all bytes of the access.
    #[error("{} of {bytes} bytes at {address:#x} ({space:?}) is out of bounds{}",
        if *.write { "store" } else { "load" }, near(.nearest))]
    OutOfBounds {
        /// The space of the instruction.
        space: Space,
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// A store or atomic.
        write: bool,
        /// Name of the closest allocation and the offset from its start.
        nearest: Option<(String, i64)>,
    },
    /// A generic access at an address of another space, which no `cvta` has made generic.
    #[error("generic {} of {bytes} bytes at {address:#x}, an address of {space:?} memory that was not converted by cvta",
        if *.write { "store" } else { "load" })]
    Unconverted {
        /// The space.
        space: Space,
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// A store or atomic.
        write: bool,
    },
    /// The address is no multiple of the access's size.
    #[error("access of {bytes} bytes at {address:#x} is misaligned")]
    Misaligned {
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
    },
    /// A store to constant memory or to the parameters of a kernel.
    #[error("store to read-only memory at {address:#x}")]
    ReadOnly {
        /// First byte.
        address: u64,
    },
    /// A load through the non-coherent path (`.nc`) of what this launch has written: it may see the old bytes or the new.
    #[error("`.nc` load at {address:#x}, which this launch has written")]
    NotConstant {
        /// First byte.
        address: u64,
    },
    /// A value with uninitialised bytes was used: it comes from memory or a register that nobody wrote, or was shuffled
    /// from a lane that took no part.
    #[error("an undefined value is {0}")]
    Undefined(Use),
    /// A member mask that does not name the executing lane.
    #[error("member mask {mask:#010x} does not name the executing lane")]
    MaskWithoutSelf {
        /// The mask.
        mask: u32,
    },
    /// A member mask that names lanes that a partial warp does not have.
    #[error("member mask {mask:#010x} names lanes that do not exist ({absent:#010x})")]
    MaskOfAbsentLanes {
        /// The mask.
        mask: u32,
        /// The lanes.
        absent: u32,
    },
    /// A member mask that names lanes that have exited, where [`super::Options::strict_masks`] forbids it.
    #[error("member mask {mask:#010x} names lanes that have exited ({exited:#010x})")]
    ExitedLanes {
        /// The mask.
        mask: u32,
        /// The lanes.
        exited: u32,
    },
    /// Two lanes wait for each other at one instruction with different masks.
    #[error("lanes disagree on the member mask: {mask:#010x}, but lane {other} has {others:#010x}")]
    DisagreeingMasks {
        /// Of the thread of the error.
        mask: u32,
        /// The other lane.
        other: u32,
        /// Its mask.
        others: u32,
    },
    /// Nobody can go on; the thread waits at a `.sync` instruction.
    #[error("deadlock: waits for lanes {missing:#010x} of member mask {mask:#010x}")]
    Deadlock {
        /// Its mask.
        mask: u32,
        /// Lanes of it that did not come.
        missing: u32,
    },
    /// Nobody can go on; the thread waits at a barrier.
    #[error("deadlock at barrier {0}")]
    BarrierDeadlock(u32),
    /// An aligned barrier that the threads of a warp met at different instructions.
    #[error("the threads of a warp are at different instructions at an aligned barrier")]
    DivergentBarrier,
    /// A barrier number above 15, or a thread count that is no positive multiple of 32.
    #[error("barrier operand {0} is out of range")]
    BadBarrier(u64),
    /// `brx.idx` past the end of its table.
    #[error("branch index {0} is out of range")]
    BadBranch(u64),
    /// An indirect call of an address that is not a function.
    #[error("indirect call to {0:#x}, which is not a function")]
    BadCall(u64),
    /// A call that does not pass as much as the function takes, or takes other than it gives.
    #[error("the call does not fit the parameters of {0}")]
    Signature(String),
    /// `trap`
    #[error("trap")]
    Trap,
    /// A device-side assertion (`__assertfail`), with its text.
    #[error("assertion {0} failed")]
    Assertion(String),
    /// The executor does not know the instruction or form.
    #[error("not supported: {0}")]
    NotSupported(String),
    /// More warp instructions than allowed.
    #[error("more than {0} warp instructions")]
    StepLimit(u64),
    /// Calls nested deeper than [`super::MAX_CALL_DEPTH`], or with more local memory than a thread can have.
    #[error("{0} nested calls: the stack of calls is full")]
    CallDepth(usize),
    /// Arguments that do not fit the kernel, or sizes out of range.
    #[error("bad launch: {0}")]
    BadLaunch(String),
}

fn near(nearest: &Option<(String, i64)>) -> String {
    match nearest {
        Some((name, offset)) => format!("; closest is {name}{offset:+}"),
        None => String::new(),
    }
}

/// An error that no statement is to blame for.
pub(super) fn error(fault: Fault) -> ExecutionError {
    ExecutionError {
        fault,
        span: Span::default(),
        thread: None,
    }
}
