//! Original against rewritten: both run with the same launches under the same schedules, and all that they leave in
//! global memory is compared, bit for bit.
//!
//! | file | what |
//! | --- | --- |
//! | `given` | launches that are written down |
//! | `launches` | launches made up from parameters and guards |
//! | `session` | one kernel: its launches in order, within a budget, up to the first finding |
//! | `runs`, `compare` | one launch under all schedules; what two runs leave in memory |
//! | `reach` | what no launch reached: blocks, trip counts, changed accesses |
//! | `tally` | in how many launches two kernels are equal |
//! | `stability` | what depends on the schedule in the original already |
//! | `blame`, `matching` | the rewritten load that a difference comes from |
//! | `gpu` | the same on a real device, and times |
//! | `schedules` | lists of schedules as users write them |
//!
//! It knows PTX and the executor, and of machine code how it is made. It knows neither passes nor what they prove with: the judge is
//! independent of what it judges.

mod blame;
mod compare;
mod given;
pub mod gpu;
mod launches;
mod matching;
mod reach;
mod runs;
mod schedules;
mod session;
mod stability;
mod tally;
#[cfg(test)]
mod tests;

pub use blame::ReplacedLoad;
pub use compare::{Memory, Value};
pub use given::{Given, MADE_UP_STEPS, Size};
pub use launches::made_up_launches;
pub use reach::{LoopReach, Reach};
pub use runs::Tolerated;
pub use schedules::{ScheduleError, parse_schedules};
pub use tally::{LeftOut, Tally};

use ptxasw_base::kernel_filter::Selection;
use ptxasw_base::progress::Progress;
use ptxasw_base::threads;
use ptxasw_executor::{Counters, ExecutionError, Launch, Race, Schedule, Thread, Warning};
use ptxasw_ir::types::Type;
use ptxasw_ptx::ast::{self, Span};
use ptxasw_ptx::decode::{self, form};
use ptxasw_ptx::error::Unreadable;
use runs::{PairRun, ScheduleOutcome};
use std::thread;

/// A module that is read and decoded.
#[derive(Debug)]
pub struct Module<'a> {
    /// Its syntax tree, with the text.
    pub tree: ast::Module<'a>,
    /// Its register form.
    pub form: form::Module,
}

impl<'a> Module<'a> {
    /// Reads a text.
    ///
    /// # Errors
    /// It is not PTX, or a body does not make sense.
    pub fn read(text: &'a [u8]) -> Result<Self, Unreadable> {
        let tree = ptxasw_ptx::parse(text)?;
        let form = decode::decode(&tree)?;
        Ok(Module { tree, form })
    }

    /// The kernel of that name, if it has a body.
    pub fn kernel(&self, name: &str) -> Option<Kernel<'_>> {
        self.kernels().find(|k| &*k.function.name == name)
    }

    /// All kernels with a body, in order.
    pub fn kernels(&self) -> impl Iterator<Item = Kernel<'_>> {
        let functions = self.form.functions.iter();
        let kernels = functions.filter(|function| function.entry && function.defined);
        kernels.map(|function| Kernel {
            text: self.tree.text(),
            module: &self.form,
            function,
        })
    }
}

/// A kernel to run: a function and the module that it is in.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<'a> {
    /// The module's text.
    pub text: &'a [u8],
    /// The module.
    pub module: &'a form::Module,
    /// The kernel.
    pub function: &'a form::Function,
}

impl<'a> Kernel<'a> {
    /// The kernel of that name in a decoded text.
    pub fn named(text: &'a [u8], module: &'a form::Module, name: &str) -> Option<Self> {
        let mut functions = module.functions.iter();
        let function = functions.find(|one| one.entry && one.defined && *one.name == *name)?;
        Some(Kernel {
            text,
            module,
            function,
        })
    }
}

/// A launch that the user gives.
#[derive(Clone, Debug)]
pub struct NamedLaunch {
    /// What reports call it.
    pub name: String,
    /// The kernel that it is for; none: any.
    pub kernel: Option<String>,
    /// What is run.
    pub launch: Launch,
}

/// What is compared, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The launches; if there are none, they are made up.
    pub launches: Vec<NamedLaunch>,
    /// The schedules, each with every launch.
    pub schedules: Vec<Schedule>,
    /// Kernels to compare.
    pub kernels: Selection,
    /// Of random contents of made-up buffers.
    pub seed: u64,
    /// Most warp instructions, roughly, that made-up launches of all kernels may take together.
    pub steps: u64,
    /// A member mask that names exited lanes is undefined behaviour.
    pub strict_masks: bool,
    /// Elements of 4 and 8 bytes, read as floating-point numbers, may differ by so many units in the last place. 0: all is
    /// compared bit for bit.
    pub tolerance: u64,
    /// Threads; 0 for as many as there are processors. Results are the same on any number.
    pub jobs: usize,
    /// Receives the progress, in launches.
    pub progress: Progress,
}

impl Options {
    /// Whether a kernel of this name is compared: launches are made up, or one is for it.
    pub fn has_launch(&self, name: &str) -> bool {
        let mut launches = self.launches.iter();
        let fits = |launch: &NamedLaunch| launch.kernel.as_deref().is_none_or(|k| k == name);
        self.launches.is_empty() || launches.any(fits)
    }
}

/// The default of [`Options::steps`]: some seconds.
pub const STEPS: u64 = 1 << 23;

/// The default of [`Options::schedules`]: lockstep, and so many adversaries.
pub const SEEDS: u64 = 4;

impl Default for Options {
    fn default() -> Self {
        let adversaries = (1..=SEEDS).map(|seed| Schedule::Independent { seed });
        Options {
            launches: Vec::new(),
            schedules: std::iter::once(Schedule::Lockstep)
                .chain(adversaries)
                .collect(),
            kernels: Selection::default(),
            seed: 1,
            steps: STEPS,
            strict_masks: false,
            tolerance: 0,
            jobs: 0,
            progress: Progress::hidden(),
        }
    }
}

/// What was found about a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Runs were compared, and nothing differs.
    Equal,
    /// An element differs.
    Different(Box<Difference>),
    /// The rewritten kernel has no defined meaning, or does not end, where the original has one.
    UndefinedBehaviour(Box<NewFault>),
    /// There is no verdict.
    CouldNotRun(Reason),
}

/// Why there is no verdict on a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The executor does not know something in the rewritten kernel.
    NotSupported(ExecutionError),
    /// All runs of the original failed; the first of them.
    Original(ExecutionError),
    /// There is no launch, or none for this kernel.
    NoLaunch,
    /// The original fails under every schedule in a launch of the user; others were compared.
    GivenLaunch {
        /// The launch, as text.
        launch: String,
        /// How it fails, under the first schedule.
        error: ExecutionError,
    },
    /// The rewritten kernel does not end, and the original does not always end either. No run that ends shows anything about
    /// some shuffle.
    MayNotEnd {
        /// The launch, as text.
        launch: String,
        /// A schedule under which the original does not end.
        schedule: Schedule,
        /// Where that run of the original was given up.
        error: ExecutionError,
    },
    /// The rewritten module has no kernel of that name.
    Missing,
    /// The rewritten text is no module: an internal error.
    Unreadable(String),
    /// No run of the original stored anything.
    NothingStored,
    /// No launch reaches some inserted or changed access: see [`Reach::changed`].
    Unreached,
    /// Nothing but what differs in the original from schedule to schedule, too: a data race, most likely.
    Race {
        /// Where the two kernels differ.
        memory: Vec<Memory>,
        /// The race, if it was seen.
        race: Option<Box<Race>>,
    },
}

/// The first element in which two runs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The launch, as text.
    pub launch: String,
    /// The schedule of both runs.
    pub schedule: Schedule,
    /// Where.
    pub memory: Memory,
    /// Parameters of the kernel that point into the buffer.
    pub parameters: Vec<Box<str>>,
    /// The element in it.
    pub element: usize,
    /// Bytes of an element.
    pub size: u8,
    /// How the element is read.
    pub ty: Type,
    /// After the original.
    pub original: Value,
    /// After the rewritten kernel.
    pub rewritten: Value,
    /// The store that wrote the rewritten kernel's value; if nobody wrote it, the one that wrote the original's.
    pub store: Option<Store>,
    /// The rewritten load that it comes from.
    pub load: Option<ReplacedLoad>,
    /// A data race that the original has in this launch of the user's: it may be the reason.
    pub race: Option<Box<Race>>,
}

/// Who stored a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// In the rewritten kernel; else in the original only.
    pub rewritten: bool,
    /// The thread.
    pub thread: Thread,
    /// The statement, in that kernel's text.
    pub span: Span,
}

/// A fault that only the rewritten kernel has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFault {
    /// The launch, as text.
    pub launch: String,
    /// The schedule of both runs.
    pub schedule: Schedule,
    /// What went wrong.
    pub error: ExecutionError,
}

/// A launch that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchReport {
    /// The launch, as text.
    pub launch: String,
    /// Threads of a block.
    pub block: [u32; 3],
    /// Schedules under which all memory is equal.
    pub equal: usize,
    /// Memory that depends on the schedule in the original: not compared there.
    pub racy: Vec<Memory>,
    /// The data race that this comes from, if it was seen.
    pub race: Option<Box<Race>>,
    /// Schedules under which the original failed, and how.
    pub skipped: Vec<(Schedule, ExecutionError)>,
    /// Pairs of runs that were not compared because the rewritten kernel did not end, as the original under another schedule.
    pub may_not_end: usize,
    /// Buffers overlap in it, or values are extreme. It was made up to find a difference; that the
    /// original races or fails in it shows nothing about either kernel.
    pub adversarial: bool,
    /// No lane came to an access: nothing follows from equal results.
    pub idle: bool,
}

impl LaunchReport {
    /// Takes note of a pair of runs of an adversarial launch in which the original races or fails.
    fn set_aside(&mut self, pair: PairRun) {
        match pair.found {
            ScheduleOutcome::Racy(places, race) => {
                self.racy.extend(places);
                if self.race.is_none() {
                    self.race = race;
                }
            }
            ScheduleOutcome::Skipped(skip) | ScheduleOutcome::MayNotEnd(skip) => {
                self.skipped.push(skip)
            }
            _ => {}
        }
    }
}

/// What was done for one kernel, and what came of it.
#[derive(Clone, Debug)]
pub struct KernelReport {
    /// The mangled name of the original, which the rewritten one keeps.
    pub kernel: String,
    /// The finding.
    pub verdict: Verdict,
    /// The launches, in the order in which they were tried, up to the first finding.
    pub launches: Vec<LaunchReport>,
    /// Launches that were not tried, for want of steps.
    pub left_out: usize,
    /// In what results differ at most, where [`Options::tolerance`] lets them.
    pub tolerated: Tolerated,
    /// Counts of the original and of the rewritten kernel, over all compared runs.
    pub counts: [Counters; 2],
    /// Warnings of the rewritten kernel, each statement once.
    pub warnings: Vec<Warning>,
    /// Shuffles of the rewritten kernel that several lanes have executed together in no run that is equal: nothing was
    /// found out about them.
    pub unreached: Vec<Span>,
    /// What no launch that is equal has reached.
    pub reach: Reach,
}

impl KernelReport {
    /// About a kernel that has not been run.
    pub fn new(kernel: &str, reason: Reason) -> Self {
        KernelReport {
            kernel: kernel.to_owned(),
            verdict: Verdict::CouldNotRun(reason),
            launches: Vec::new(),
            left_out: 0,
            tolerated: Tolerated::default(),
            counts: [Counters::default(); 2],
            warnings: Vec::new(),
            unreached: Vec::new(),
            reach: Reach::default(),
        }
    }

    /// Pairs of runs that are equal.
    pub fn compared(&self) -> usize {
        self.launches.iter().map(|launch| launch.equal).sum()
    }

    /// Nothing was set aside because the original's result, or its end, depends on the schedule, and every shuffle was
    /// reached.
    pub fn without_reserve(&self) -> bool {
        let mut launches = self.launches.iter();
        let steady = |l: &LaunchReport| l.adversarial || (l.racy.is_empty() && l.may_not_end == 0);
        self.unreached.is_empty() && launches.all(steady)
    }
}

/// Why two modules cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("kernel `{kernel}`: {reason}")]
pub struct Mismatch {
    /// The kernel.
    pub kernel: String,
    /// What does not fit.
    pub reason: String,
    /// Its name in the rewritten text.
    pub span: Span,
}

/// Compares every kernel of the original with the one of the same name, in the order of the original.
///
/// # Errors
/// The parameters of a kernel differ.
pub fn verify(
    original: &Module,
    rewritten: &Module,
    options: &Options,
) -> Result<Vec<KernelReport>, Mismatch> {
    let wanted = |kernel: &Kernel| {
        let name = &kernel.function.name;
        options.kernels.has(name) && options.has_launch(name)
    };
    let mut both = Vec::new();
    for kernel in original.kernels().filter(wanted) {
        let other = rewritten.kernel(&kernel.function.name);
        if let Some(other) = other {
            same_parameters(rewritten, kernel, other)?;
        }
        both.push((kernel, other));
    }
    let share = Options {
        steps: options.steps / both.len().max(1) as u64,
        ..options.clone()
    };
    let pairs = both.into_iter();
    Ok(in_pool(options.jobs, || {
        let run = |(a, b): (Kernel, Option<Kernel>)| match b {
            Some(b) => session::run(a, b, &share),
            None => KernelReport::new(&a.function.name, Reason::Missing),
        };
        pairs.map(run).collect()
    }))
}

/// Compares one kernel with another that has the same parameters.
pub fn verify_kernel(original: Kernel, rewritten: Kernel, options: &Options) -> KernelReport {
    in_pool(options.jobs, || session::run(original, rewritten, options))
}

fn in_pool<T: Send>(jobs: usize, work: impl FnOnce() -> T + Send) -> T {
    let jobs = jobs.min(threads::MAX_JOBS);
    match rayon::ThreadPoolBuilder::new().num_threads(jobs).build() {
        // From a thread of its own: a worker of another pool that waits for this one would begin its next work meanwhile, file
        // upon file on one stack.
        Ok(pool) => thread::scope(|scope| {
            let waiting = scope.spawn(|| pool.install(work));
            waiting
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        }),
        Err(_) => work(),
    }
}

fn same_parameters(module: &Module, a: Kernel, b: Kernel) -> Result<(), Mismatch> {
    let (old, new) = (&a.function.parameters, &b.function.parameters);
    let reason = if old.len() != new.len() {
        let (old, new) = (old.len(), new.len());
        Some(format!("{new} parameters here, {old} in the original"))
    } else {
        let mut pairs = old.iter().zip(new);
        let other = pairs.find(|(a, b)| (a.bytes, a.offset) != (b.bytes, b.offset));
        other.map(|(a, b)| {
            let (name, at) = (&b.name, a.offset);
            let (here, there) = (b.bytes, a.bytes);
            format!(
                "parameter `{name}` has {here} bytes at offset {}, in the original {there} at {at}",
                b.offset
            )
        })
    };
    let item = module.tree.items.get(b.function.item as usize);
    let span = match item {
        Some(ast::Item::Function(function)) => function.name,
        _ => Span::default(),
    };
    reason.map_or(Ok(()), |reason| {
        Err(Mismatch {
            kernel: b.function.name.to_string(),
            reason,
            span,
        })
    })
}
