//! What the warps of some blocks execute, and where they access memory: for estimates of time, which need no results.
//!
//! Blocks run one after the other, each to its end, so a block that waits for another one that is left out never ends.

use super::launch::Launch;
use super::machine::Machine;
use super::observer::{Observer, TouchKind, Touched};
use super::program::Inst;
use super::state::Block;
use super::{ExecutionError, Options, prepare};
use ptxasw_ir::types::Space;
use ptxasw_ptx::decode::form::{Function, Module};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Bytes that caches and memory move at a time.
pub const SECTOR: u64 = 32;
/// Most accesses that are kept.
const MOST_ACCESSES: usize = 1 << 21;
/// Distance of the numbers of sectors of two regions: no region is larger.
const REGION_SECTORS: u64 = 1 << 32;
/// Banks of the memory in a multiprocessor, each four bytes wide.
const BANKS: usize = 32;

/// Whether an access reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Both at once.
    Atomic,
}

/// One access of one warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpAccess {
    /// Begin of the statement in the text.
    pub statement: u32,
    /// What it does.
    pub direction: Direction,
    /// Passes that the banks need: the most words that one bank has to give, at least 1.
    pub passes: u16,
    /// Bytes of all lanes together.
    pub bytes: u32,
    /// The sectors in global memory, each once, in order: see [`region_of`]. Empty for shared and local memory.
    pub sectors: SmallVec<[u64; 4]>,
}

/// The region (the launch's buffers, then the module's variables) of a sector of [`WarpAccess::sectors`].
pub fn region_of(sector: u64) -> usize {
    (sector / REGION_SECTORS) as usize
}

/// What the blocks of a run did.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// Blocks that came to their end.
    pub blocks: u64,
    /// Warps of these.
    pub warps: u64,
    /// How often warps executed each statement, by its begin in the text; a warp whose lanes are apart counts for each
    /// group of them.
    pub executions: FxHashMap<u32, u64>,
    /// The accesses of each warp, in its order.
    pub accesses: Vec<Vec<WarpAccess>>,
    /// Whether there were more accesses than are kept.
    pub cut: bool,
}

/// Runs some blocks of a launch, by their numbers. `zeros` are buffers that hold zeros in place of what the launch has for them, each
/// with its bytes; they cost no memory where nobody writes.
///
/// # Errors
/// The first fault; with it what blocks before it did.
pub fn profile(
    module: &Module,
    function: &Function,
    launch: &Launch,
    zeros: &[(usize, u64)],
    options: Options,
    blocks: &[u64],
) -> (Result<(), ExecutionError>, Profile) {
    let mut profiler = Profiler::default();
    let result = run(
        module,
        function,
        launch,
        zeros,
        options,
        blocks,
        &mut profiler,
    );
    (result, profiler.done)
}

fn run(
    module: &Module,
    function: &Function,
    launch: &Launch,
    zeros: &[(usize, u64)],
    options: Options,
    blocks: &[u64],
    profiler: &mut Profiler,
) -> Result<(), ExecutionError> {
    let (program, _) = prepare(module, function, launch)?;
    let mut machine = Machine::new(&program, function, launch, options, profiler)?;
    for &(region, bytes) in zeros {
        machine.global.regions[region].become_zeros(bytes as usize);
    }
    for &block in blocks {
        machine.run_blocks(block..block + 1)?;
    }
    Ok(())
}

#[derive(Default)]
struct Profiler {
    done: Profile,
    /// Of the block that is running.
    executions: FxHashMap<u32, u64>,
    accesses: Vec<Vec<WarpAccess>>,
    kept: usize,
    /// Of the statement that is being executed.
    touched: Vec<Touched>,
}

impl Observer for Profiler {
    fn executed(&mut self, block: &Block, w: usize, _: u32, inst: &Inst, _: u32) {
        let statement = inst.source.span.start;
        *self.executions.entry(statement).or_default() += 1;
        if self.touched.is_empty() {
            return;
        }
        self.accesses.resize_with(block.warps.len(), Vec::new);
        if self.kept >= MOST_ACCESSES {
            self.done.cut = true;
        } else {
            self.kept += 1;
            self.accesses[w].push(access(statement, &self.touched));
        }
        self.touched.clear();
    }

    fn branched(&mut self, _: &Block, _: usize, inst: &Inst, _: u32, _: u32) {
        *self.executions.entry(inst.source.span.start).or_default() += 1;
    }

    fn touched(&mut self, _: &Block, _: &Inst, touched: Touched) {
        if !matches!(touched.place.space, Space::ParamEntry | Space::ParamFunc) {
            self.touched.push(touched);
        }
    }

    fn finished(&mut self, block: &Block) {
        self.done.blocks += 1;
        self.done.warps += block.warps.len() as u64;
        for (statement, count) in self.executions.drain() {
            *self.done.executions.entry(statement).or_default() += count;
        }
        self.accesses.resize_with(block.warps.len(), Vec::new);
        self.done.accesses.append(&mut self.accesses);
    }
}

/// The lanes of one statement together.
fn access(statement: u32, lanes: &[Touched]) -> WarpAccess {
    let mut words: SmallVec<[u64; 64]> = SmallVec::new();
    let mut sectors: SmallVec<[u64; 4]> = SmallVec::new();
    for one in lanes {
        let begin = one.place.region as u64 * REGION_SECTORS * SECTOR + one.place.offset as u64;
        let end = begin + u64::from(one.bytes.max(1));
        words.extend(begin / 4..end.div_ceil(4));
        if matches!(one.place.space, Space::Global) {
            sectors.extend(begin / SECTOR..end.div_ceil(SECTOR));
        }
    }
    words.sort_unstable();
    words.dedup();
    sectors.sort_unstable();
    sectors.dedup();
    let mut banks = [0u16; BANKS];
    for word in words {
        banks[(word % BANKS as u64) as usize] += 1;
    }
    WarpAccess {
        statement,
        direction: match lanes.first().map(|one| one.kind) {
            Some(TouchKind::Store) => Direction::Store,
            Some(TouchKind::Atomic) => Direction::Atomic,
            _ => Direction::Load,
        },
        passes: banks.into_iter().max().unwrap_or(1).max(1),
        bytes: lanes.iter().map(|one| one.bytes).sum(),
        sectors,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::Buffer;
    use ptxasw_ptx as ptx;

    /// One load and one store of each thread, eight bytes apart.
    const STRIDED: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n\
        .reg .b32 %r<4>;\n.reg .b64 %d<4>;\nld.param.u64 %d1, [a];\nmov.u32 %r1, %tid.x;\n\
        mul.wide.u32 %d2, %r1, 8;\nadd.u64 %d1, %d1, %d2;\nld.global.u32 %r2, [%d1];\nst.global.u32 [%d1], %r2;\nret;\n}\n";

    #[test]
    fn accesses_have_sectors_and_passes() {
        let tree = ptx::parse(STRIDED.as_bytes()).unwrap();
        let module = ptx::decode::decode(&tree).unwrap();
        let buffer = Buffer {
            bytes: Vec::new(),
            initialised: true,
            element: 4,
        };
        let launch = Launch::new([9, 1, 1], [64, 1, 1]).with_buffer(buffer);
        let zeros = [(0, 8 * 64)];
        let options = Options::default();
        let (result, profile) = profile(
            &module,
            &module.functions[0],
            &launch,
            &zeros,
            options,
            &[8],
        );
        result.unwrap();
        assert_eq!((profile.blocks, profile.warps), (1, 2));
        let [load, store] = &profile.accesses[1][..] else {
            panic!("{:?}", profile.accesses);
        };
        assert_eq!(
            (load.direction, store.direction),
            (Direction::Load, Direction::Store)
        );
        // Words 0, 2, 4, ... of 64: two in each bank that is used.
        assert_eq!((load.passes, load.bytes, load.sectors.len()), (2, 128, 8));
        assert_eq!((load.sectors[0], region_of(load.sectors[0])), (8, 0));
    }
}
