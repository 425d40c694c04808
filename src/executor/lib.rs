//! PTX on a CPU: runs a kernel of a module on the host, thread by thread, with every access checked (`examples/execute.rs`).
//!
//! It is the judge of every rewriting, and so it shares nothing with what it judges but the decoded text
//! ([`ptxasw_ptx::decode::form`]) and the meaning of each operation ([`ptxasw_ir::semantics`]).
//!
//! Values may be undefined, byte by byte: registers and memory that nobody has written, and what a shuffle takes from a
//! lane that takes no part. That is an error only where it matters: in a store to global memory, an atomic, an address,
//! a guard, a member mask. Operations on undefined values give undefined values.
//!
//! | file | what |
//! | --- | --- |
//! | [`mod@launch`] | what to run |
//! | `program`, `linkage`, `layout`, `reconvergence` | the kernel and the functions that it can call made ready |
//! | `memory`, `spacing`, `lanes`, `state` | checked memory, where buffers begin, values of lanes, registers of warps |
//! | `machine`, `values`, `poison`, `locate`, `access`, `stores`, `calls`, `collective`, `waiting`, `cluster`, `asynchronous`, `copies` | one step of a group of lanes |
//! | `lockstep`, `independent` | which group runs next |
//! | `parallel` | blocks at the same time |
//! | `observer`, `coverage`, `trips`, `fixed_trips`, `follow`, [`tracer`], [`mod@profile`], [`participation`], `precise` | who watches an execution; what it reaches; trip counts of loops; those that are constants; the steps of one thread; a text of what lanes do; what some blocks execute and access; which lanes load and shuffle; what numbers would be in more than twice the precision |
//! | `races` | the data-race detector |
//!
//! # Invariants
//! 1. What an access reads or writes was allocated, initialised and aligned, or the run ends with an error at its statement.
//! 2. The same launch and schedule give the same outcome, on any number of threads.
//! 3. It knows no pass, no emulator and no solver.

mod access;
mod asynchronous;
mod calls;
mod cluster;
mod collective;
mod copies;
mod counters;
mod coverage;
mod error;
mod fixed_trips;
mod follow;
mod independent;
mod lanes;
pub mod launch;
mod layout;
mod linkage;
mod locate;
mod lockstep;
mod machine;
mod memory;
mod observer;
mod parallel;
pub mod participation;
mod poison;
mod precise;
pub mod profile;
mod program;
mod races;
mod reconvergence;
mod spacing;
mod state;
mod stores;
#[cfg(test)]
mod tests;
pub mod tracer;
mod trips;
mod values;
mod waiting;

pub use calls::MAX_CALL_DEPTH;
pub use counters::Counters;
pub use coverage::{Coverage, run_covered};
pub use error::{ExecutionError, Fault, Thread, Use};
pub use follow::{Event, follow};
pub use launch::{Argument, Buffer, Launch};
pub use linkage::{callable, instruction_at};
pub use memory::{WRITER_GRANULE, Writer};
pub use precise::run_precise;
pub use races::{AccessKind, MAX_RACES, Race, RaceKind, Races, RacingAccess, find_races};
pub use spacing::Spacing;
pub use trips::{Loop, MANY};

use error::error;
use machine::{Machine, check_sizes};
use observer::Observer;
use program::Program;
use ptxasw_ptx::ast::Span;
use ptxasw_ptx::decode::form::{Function, Module};
use std::fmt;
use std::str::FromStr;

/// Which lanes run together, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Lanes that part meet again at the immediate post-dominator; blocks and warps in order.
    Lockstep,
    /// Independent thread scheduling by an adversary.
    Independent {
        /// Of its random choices.
        seed: u64,
    },
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::Lockstep => f.write_str("lockstep"),
            Schedule::Independent { seed } => write!(f, "its:{seed}"),
        }
    }
}

impl FromStr for Schedule {
    type Err = String;

    /// `lockstep` or `its:SEED`.
    fn from_str(text: &str) -> Result<Self, String> {
        let seed = text.strip_prefix("its:").and_then(|seed| seed.parse().ok());
        match seed {
            Some(seed) => Ok(Schedule::Independent { seed }),
            None if text == "lockstep" => Ok(Schedule::Lockstep),
            None => Err("expected `lockstep` or `its:SEED`".to_owned()),
        }
    }
}

/// Limits and rules of a run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Most instructions that groups of lanes may execute, before the run ends with [`Fault::StepLimit`].
    pub step_limit: u64,
    /// A member mask that names exited lanes is a fault, not a warning.
    pub strict_masks: bool,
    /// Undefined values may be stored in global memory: nobody reads the results of the run.
    pub undefined_results: bool,
    /// Blocks that may run at the same time, in lockstep and unwatched; the result is the same for any number.
    pub jobs: usize,
}

/// The default of [`Options::step_limit`].
pub const STEP_LIMIT: u64 = 1 << 28;

impl Default for Options {
    fn default() -> Self {
        Options {
            step_limit: STEP_LIMIT,
            strict_masks: false,
            undefined_results: false,
            jobs: 1,
        }
    }
}

/// Something that is allowed and yet worth knowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The statement.
    pub span: Span,
    /// The first thread concerned.
    pub thread: Thread,
    /// What.
    pub kind: WarningKind,
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningKind {
    /// A member mask names lanes that have exited. The PTX ISA lets `.sync` instructions wait for the others only.
    ExitedLanes {
        /// The mask.
        mask: u32,
        /// Lanes of it that have exited.
        exited: u32,
    },
    /// `vprintf`: nothing is printed, and 0 is returned.
    IgnoredPrint,
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            WarningKind::IgnoredPrint => write!(f, "`vprintf` prints nothing here"),
            WarningKind::ExitedLanes { mask, exited } => Fault::ExitedLanes { mask, exited }.fmt(f),
        }
    }
}

/// The result of a run: memory, counters and warnings.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The launch's buffers, in their order.
    pub buffers: Vec<FinalBuffer>,
    /// The module's variables in global memory, in their order.
    pub variables: Vec<FinalVariable>,
    /// What was done.
    pub counters: Counters,
    /// Each statement once.
    pub warnings: Vec<Warning>,
}

/// A `.global` variable of the module after the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalVariable {
    /// Its mangled name, as the module declares it.
    pub name: Box<str>,
    /// Its region in global memory: after the launch's buffers, constant variables counted.
    pub region: usize,
    /// Its bytes.
    pub memory: FinalBuffer,
}

/// A buffer after the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalBuffer {
    /// The contents.
    pub bytes: Vec<u8>,
    /// Bytes of an element, as in the launch.
    pub element: u8,
    /// For each four bytes who stored there last; empty if nobody did.
    pub writers: Vec<Writer>,
    /// 1 for each byte that is still uninitialised; empty if none is.
    pub undefined: Vec<u8>,
}

/// Runs a kernel.
///
/// # Errors
/// The first fault, with the statement and the thread: see [`Fault`].
pub fn run(
    module: &Module,
    function: &Function,
    launch: &Launch,
    schedule: Schedule,
) -> Result<Outcome, ExecutionError> {
    run_with(module, function, launch, schedule, Options::default())
}

/// As [`run`], with limits of one's own.
///
/// # Errors
/// As [`run`].
pub fn run_with(
    module: &Module,
    function: &Function,
    launch: &Launch,
    schedule: Schedule,
    options: Options,
) -> Result<Outcome, ExecutionError> {
    if options.jobs > 1 && schedule == Schedule::Lockstep {
        let (program, blocks) = prepare(module, function, launch)?;
        if let Some(outcome) = parallel::run(&program, function, launch, options, blocks) {
            return Ok(outcome);
        }
    }
    observed(module, function, launch, schedule, options, &mut ())
}

/// Checks the launch and makes the kernel ready; gives the number of blocks, too.
fn prepare<'a>(
    module: &'a Module,
    function: &'a Function,
    launch: &Launch,
) -> Result<(Program<'a>, u64), ExecutionError> {
    let blocks = check_sizes(launch)?;
    if !function.entry || !function.defined {
        let what = format!("{} is no kernel with a body", function.name);
        return Err(error(Fault::BadLaunch(what)));
    }
    Ok((Program::new(module, function, launch)?, blocks))
}

/// As [`run_with`], watched.
fn observed<O: Observer>(
    module: &Module,
    function: &Function,
    launch: &Launch,
    schedule: Schedule,
    options: Options,
    observer: &mut O,
) -> Result<Outcome, ExecutionError> {
    let (program, blocks) = prepare(module, function, launch)?;
    let mut machine = Machine::new(&program, function, launch, options, observer)?;
    match schedule {
        Schedule::Lockstep => machine.run_blocks(0..blocks)?,
        Schedule::Independent { seed } => machine.run_independent(blocks, seed)?,
    }
    Ok(machine.finish(blocks))
}
