//! What a report holds. The page is made of this alone, and `--json` prints it: `docs/reference/report.schema.json` is its schema.
//!
//! Line numbers begin at 1; 0 means that there is no line. The lists of a kernel are in text order.

use ptxasw_driver::report::verdict::Word;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// Goes up when a field changes its meaning or goes away.
pub const FORMAT: u32 = 3;

/// What became of some modules.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Report {
    /// A command line that makes it again.
    pub command: String,
    /// All kernels in one line.
    pub verdict: Verdict,
    /// The architecture that is shown first: one of whose GPUs there are figures, where there is one.
    pub arch: Option<String>,
    /// What soundness rests on and nobody has proved.
    pub assumed: Vec<String>,
    /// In the order of the arguments.
    pub modules: Vec<Module>,
    /// Of a whole build, where the report is made of its statistics.
    pub build: Option<Build>,
}

/// Kernels by what became of them.
#[derive(Clone, Default, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Verdict {
    /// The number of kernels.
    pub kernels: u32,
    /// Changed, and by the estimate faster by 3 % or more.
    pub faster: u32,
    /// Changed, and not faster by 3 % by the estimate, or there is none.
    pub changed: u32,
    /// Looked at, and as they were.
    pub unchanged: u32,
    /// Not looked at.
    pub declined: u32,
    /// The counts as one line of words.
    pub line: String,
}

/// What the statistics of a build say.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Build {
    /// The folder, or the command that made the build.
    pub folder: String,
    /// Modules that were seen.
    pub modules: u64,
    /// A row for each figure: what it is, and its value.
    pub figures: Vec<Figure>,
}

/// A named figure of a build.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Figure {
    /// What is counted.
    pub name: String,
    /// The value, with its unit.
    pub value: String,
}

/// A module of PTX with its kernels.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Module {
    /// As messages name it.
    pub path: String,
    /// What made it, as far as its head says so.
    pub compiler: Option<String>,
    /// The `.target` directive: `sm_80`.
    pub target: String,
    /// The PTX that came.
    pub input: String,
    /// The PTX that goes to the assembler; none where it is the same.
    pub output: Option<String>,
    /// Maps each output line to its input line; an inserted line maps to the line at the insertion point. Empty without an output.
    pub output_lines: Vec<u32>,
    /// Files that the module names as its source.
    pub sources: Vec<SourceFile>,
    /// From which line of the input on which line of which source is in force.
    pub positions: Vec<Position>,
    /// Kernels and functions with a body.
    pub kernels: Vec<Kernel>,
}

/// A file that `.file` names.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct SourceFile {
    /// As the module names it.
    pub name: String,
    /// Its text, where it is at hand.
    pub text: Option<String>,
}

/// A `.loc` directive.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Position {
    /// Its line in the input.
    pub line: u32,
    /// Index into [`Module::sources`].
    pub source: u32,
    /// Line of the source.
    pub source_line: u32,
}

/// One kernel, or function with a body.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Kernel {
    /// As the text has it.
    pub name: String,
    /// As the source has it: demangled.
    pub title: String,
    /// Whether it is a kernel.
    pub entry: bool,
    /// Where it begins in its source.
    pub position: Option<Position>,
    /// The verdict on the architecture that is shown first.
    #[cfg_attr(test, schemars(with = "String"))]
    pub verdict: Word,
    /// One line that says so, with the most important reason.
    pub summary: String,
    /// What would make it faster than it is now, the best first.
    pub more: Vec<More>,
    /// Why the original is kept although something was done.
    pub reverted: Option<String>,
    /// First and last line in the input.
    pub input: [u32; 2],
    /// First and last line in the output.
    pub output: [u32; 2],
    /// Loads by what became of them.
    pub loads: Fates,
    /// Stores by what became of them.
    pub stores: Fates,
    /// What it costs on GPUs.
    pub targets: Vec<Target>,
    /// Accesses of the input, in its order.
    pub before: Vec<Access>,
    /// Accesses of the output, in its order; empty where it is the same.
    pub after: Vec<Access>,
    /// From where loads take what they loaded before.
    pub links: Vec<Link>,
    /// Loads that lanes share.
    pub groups: Vec<Group>,
    /// What was remarked on it.
    pub remarks: Vec<Remark>,
    /// Loads that stay, by reason.
    pub why_not: Vec<WhyNot>,
    /// What changes rest on.
    pub evidence: Evidence,
}

impl Kernel {
    /// The verdict on an architecture, if the kernel was looked at there.
    pub fn verdict_on(&self, arch: Option<&str>) -> Word {
        let mut targets = self.targets.iter();
        let target = targets.find(|target| Some(&*target.arch) == arch);
        target.map_or(self.verdict, |target| target.verdict)
    }
}

/// What another option would be worth.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct More {
    /// What the user would do.
    pub what: String,
    /// The architecture of the estimate.
    pub arch: String,
    /// The original's time by that with the option: the point, the least, the largest.
    pub ratio: [f64; 3],
}

/// Loads or stores of the input of a kernel by what became of them: each counts once.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Fates {
    /// All of them.
    pub all: u32,
    /// No longer there: a register has the value of a load, another store overwrites a store.
    pub removed: u32,
    /// Replaced by a shuffle.
    pub shuffled: u32,
    /// Became part of a wider access.
    pub widened: u32,
    /// Issued earlier, above stores.
    pub moved: u32,
    /// Changed in another way: a known state space, the non-coherent path.
    pub other: u32,
    /// Could become a shuffle, and are not known to pay.
    pub declined: u32,
    /// Stay as they are.
    pub kept: u32,
}

/// What a kernel costs on one GPU.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Target {
    /// The architecture: `sm_80`.
    pub arch: String,
    /// The original kernel.
    pub before: Option<Version>,
    /// The rewritten kernel; none where it is unchanged.
    pub after: Option<Version>,
    /// The old time by the new one, above 1 where the new one is faster: the point, the least, the largest.
    pub ratio: Option<[f64; 3]>,
    /// The verdict on this architecture.
    #[cfg_attr(test, schemars(with = "String"))]
    pub verdict: Word,
    /// The launch that times are for, in one line.
    pub launch: Option<String>,
    /// Whether the launch is made up, as none is written down.
    pub made_up: bool,
    /// Why there is no machine code, no estimate or no ratio.
    pub unknown: Option<String>,
    /// Registers of a thread and the warps that they leave room for: the last number of registers of each step.
    pub staircase: Vec<[u32; 2]>,
}

/// What the assembler made of a kernel.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Version {
    /// Registers per thread.
    pub registers: u32,
    /// Resident warps per multiprocessor, as limited by registers.
    pub warps: u32,
    /// Machine instructions that the launch executes, each counted once.
    pub instructions: Option<u32>,
    /// Of these, loads and stores of global memory.
    pub memory: Option<u32>,
    /// Of these, those of local memory: spilled registers, mostly.
    pub local: Option<u32>,
    /// Times that a warp waits for memory, every loop taken once; none where it is not clear which way warps go.
    pub rounds: Option<u32>,
    /// Cycles of a warp.
    pub cycles: Option<f64>,
    /// Microseconds of the launch.
    pub time: Option<f64>,
    /// The limiter that the clock names.
    pub bound: Option<String>,
    /// What the cycles of a warp go by on: shares of 1.
    pub waits: Vec<Share>,
    /// How busy each pipe of the multiprocessor is: shares of the cycles, 1 where it is the limit.
    pub pipes: Vec<Share>,
    /// The machine code, for the first GPU and where `nvdisasm` is at hand.
    pub code: Code,
}

/// A named share of a whole.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Share {
    /// The cause or pipe.
    pub name: String,
    /// From 0 to 1.
    pub share: f64,
}

/// Machine code: instruction *i* is at byte 16 *i* of the kernel. Texts and lines apart are a fourth of the page smaller.
#[derive(Clone, Default, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Code {
    /// The instructions as `nvdisasm` writes them, each on a line.
    pub text: String,
    /// The line of the PTX that each comes from: of the input in `before`, of the output in `after`; 0 if unknown.
    pub lines: Vec<u32>,
}

/// What a statement does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AccessKind {
    /// A load.
    Load,
    /// A store.
    Store,
    /// An atomic operation or a reduction.
    Atomic,
    /// A warp shuffle, which accesses no memory.
    Shuffle,
    /// A barrier, which accesses no memory.
    Barrier,
}

/// A memory access, shuffle or barrier in program order.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Access {
    /// Its line in the text it belongs to: input for `before`, output for `after`.
    pub line: u32,
    /// The kind of statement.
    pub kind: AccessKind,
    /// `global`, `shared`, `local`, `const`, or `generic`; empty for shuffles and barriers.
    pub space: String,
    /// Bytes per lane.
    pub bytes: u32,
    /// Whether a predicate guards it.
    pub guarded: bool,
    /// Loop nesting depth.
    pub depth: u32,
}

/// A load takes what another one loaded.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Link {
    /// Line of the load in the input.
    pub destination: u32,
    /// Line of the access that it takes its value from, or moved to, in the input.
    pub source: u32,
    /// The lane that gives it, such as `lane i+1`; none for the own one.
    pub lanes: Option<String>,
    /// What was done, in words.
    pub what: String,
}

/// Loads that take from each other's lanes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Group {
    /// The scheme, as `--scheme` takes it.
    pub scheme: String,
    /// What it does, in one line.
    pub about: String,
    /// Line of the input in front of which mask and clamp are made.
    pub line: u32,
    /// Checked at run time, each in words.
    pub checks: Vec<String>,
    /// Whether the output has it; otherwise it is what the scheme would do.
    pub done: bool,
    /// One for each load: sources, each followed by what takes from it.
    pub rows: Vec<Row>,
    /// What lanes do in some warps of some blocks.
    pub frames: Vec<Frame>,
}

/// A load of a group.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Row {
    /// Its line in the input.
    pub line: u32,
    /// Its statement in the input.
    pub text: String,
    /// The row that it takes from, and which lane's value; none for a source.
    pub takes: Option<Takes>,
}

/// What lanes of a row take.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Takes {
    /// Number of the row, from 0.
    pub row: u32,
    /// How the other lane is found.
    pub map: TakesMap,
    /// The distance, the mask, or the lane.
    pub by: i32,
}

/// How a lane finds the one that it takes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TakesMap {
    /// The own number and a distance.
    Shift,
    /// The own number with bits flipped.
    Xor,
    /// A lane of this number.
    Lane,
}

/// The lanes of one executed warp.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Frame {
    /// Block and warp, in words.
    pub name: String,
    /// For each row 32 characters: `L` the lane loads, `S` it takes from another lane, `C` it is a corner lane and loads, `.` it
    /// takes no part.
    pub cells: Vec<String>,
}

/// What was remarked on a place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Remark {
    /// Line of the input; 0 for the whole kernel.
    pub line: u32,
    /// Another line that matters: of the source of a value, or of what prevents a change.
    pub other: Option<u32>,
    /// The name of the pass; `shuffle` for shuffles.
    pub pass: String,
    /// Its name, to filter by.
    pub name: String,
    /// Whether something was done.
    pub done: bool,
    /// In words.
    pub message: String,
    /// What would lift a refusal.
    pub lift: Option<String>,
}

/// Loads that stay for one reason.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct WhyNot {
    /// As `ptxasw explain CODE` takes it; empty for a reason of a pass over the SSA IR.
    pub code: String,
    /// In words.
    pub text: String,
    /// Whether the change is proved and not known to pay, rather than not proved.
    pub declined: bool,
    /// Lines of the loads in the input.
    pub lines: Vec<u32>,
    /// The one change of the source or option of the command that lifts it.
    pub lift: Option<String>,
    /// What that would be worth, where it can be said.
    pub worth: Option<String>,
}

/// What changes rest on.
#[derive(Clone, Default, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Evidence {
    /// Claims, grouped by pass, statement and proof.
    pub claims: Vec<Claim>,
    /// How many questions were decided by what: algebra, a solver, a cache.
    pub questions: Vec<Count>,
    /// What was compared by execution; none where nothing was asked for.
    pub compared: Option<String>,
}

/// Claims of one kind.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Claim {
    /// The pass that rests on it.
    pub pass: String,
    /// What is claimed, in words.
    pub what: String,
    /// How it was shown, in words.
    pub how: String,
    /// Lines of the input.
    pub lines: Vec<u32>,
}

/// A name and a number.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Count {
    /// What is counted.
    pub name: String,
    /// The count.
    pub count: u64,
}
