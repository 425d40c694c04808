//! What some blocks of a launch execute and access, and which accesses L1, L2 and memory answer.
//!
//! The blocks are those that one multiprocessor holds at a time in the middle of the grid: the GPU deals blocks out in turn, so
//! they are as far apart as it has multiprocessors. Of small grids all blocks are executed. L1 is a least recently used cache of lines of 128 bytes with sectors, in which
//! the warps take turns access by access; stores write through. Of what L1 does not have, memory gives each sector once, and L2
//! the rest; where all that the launch touches fits L2, memory gives nothing, as kernels are timed again and again. Where the lanes
//! of an access are far apart, its addresses are taken to be random: L2 has as much of the buffer as fits one of its halves, each of
//! which keeps a copy for its multiprocessors (NVIDIA A100 Tensor Core GPU Architecture, 2020).

use super::arch::Gpu;
use ptxasw_executor::launch::{Fill, InstanceError, LaunchSpec};
use ptxasw_executor::profile::{Direction, Profile, SECTOR, WarpAccess, profile, region_of};
use ptxasw_executor::{ExecutionError, Fault, Launch, Options};
use ptxasw_ptx::decode::form::{Function, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Most blocks that are executed, and how many even where a multiprocessor holds fewer: some may be at an edge.
const BLOCKS: u64 = 16;
const FEW: u64 = 4;
/// Buffers of so many bytes and more hold zeros if they hold floating-point numbers, which seldom decide a path or an address.
const LARGE: u64 = 1 << 24;
/// Bytes between the lanes of an access from which on it is taken to be scattered.
const SCATTERED: u64 = 1 << 20;
/// Sectors of a line of L1.
const LINE_SECTORS: u64 = 4;
/// Shared memory that a multiprocessor may set aside, in KiB; the rest is L1 (CUDA C++ Programming Guide, compute capability 8.0, 9.0).
const CARVEOUTS: [u64; 10] = [0, 8, 16, 32, 64, 100, 132, 164, 196, 228];
/// Shared memory that the system takes for each block since sm_80.
const SYSTEM_SHARED: u64 = 1024;
/// What is always L1.
const RESERVED: u64 = 28 * 1024;

/// A launch to trace.
#[derive(Clone, Debug)]
pub struct Work {
    launch: Launch,
    /// Buffers of zeros that are not there yet, and their bytes.
    sparse: Vec<(usize, u64)>,
    /// Bytes of each buffer.
    sizes: Vec<u64>,
}

impl Work {
    /// A launch as it is described; large buffers of floating-point numbers are taken to hold zeros.
    ///
    /// # Errors
    /// As [`LaunchSpec::instantiate`].
    pub fn of_spec(spec: &LaunchSpec) -> Result<Self, InstanceError> {
        let sizes: Vec<u64> = spec.buffers.iter().map(|buffer| buffer.bytes()).collect();
        let mut spec = spec.clone();
        let mut sparse = Vec::new();
        for (number, buffer) in spec.buffers.iter_mut().enumerate() {
            let zeros = buffer.element.is_float() || matches!(buffer.fill, Fill::Zero);
            if sizes[number] >= LARGE && zeros {
                sparse.push((number, sizes[number]));
                buffer.count = 0;
                buffer.fill = Fill::Zero;
            }
        }
        Ok(Work {
            launch: spec.instantiate()?,
            sparse,
            sizes,
        })
    }

    /// A launch that is in memory as a whole.
    pub fn of_launch(launch: Launch) -> Self {
        let sizes = launch.buffers.iter();
        Work {
            sizes: sizes.map(|buffer| buffer.bytes.len() as u64).collect(),
            sparse: Vec::new(),
            launch,
        }
    }

    /// The launch, and the buffers in it that hold zeros and are not there yet, with their bytes, as
    /// [`mod@ptxasw_executor::profile`] takes them.
    pub fn parts(&self) -> (&Launch, &[(usize, u64)]) {
        (&self.launch, &self.sparse)
    }

    /// Blocks of the grid.
    pub fn blocks(&self) -> u64 {
        self.launch.grid.iter().map(|&n| u64::from(n)).product()
    }

    /// Warps of a block.
    pub fn warps(&self) -> u64 {
        let threads = self.launch.block.iter().map(|&n| u64::from(n));
        threads.product::<u64>().div_ceil(32).max(1)
    }

    /// Why a GPU refuses the launch (CUDA C++ Programming Guide, technical specifications), if it does. `shared` has a block's bytes, `warps`
    /// are those that registers leave room for.
    pub fn refusal(&self, gpu: &Gpu, shared: u64, warps: u64) -> Option<&'static str> {
        let [_, y, z] = self.launch.grid;
        let threads: u64 = self.launch.block.iter().map(|&n| u64::from(n)).product();
        match () {
            _ if threads > 1024 => Some("more than 1024 threads in a block"),
            _ if y.max(z) > 65535 => {
                Some("more than 65535 blocks in the second or third direction")
            }
            _ if shared + SYSTEM_SHARED > gpu.l1_bytes.value as u64 - RESERVED => {
                Some("more shared memory than a multiprocessor has")
            }
            _ if self.warps() > warps => Some("more registers than a multiprocessor has"),
            _ => None,
        }
    }

    /// Bytes of dynamic shared memory of a block.
    pub fn dynamic_shared(&self) -> u64 {
        u64::from(self.launch.dynamic_shared)
    }
}

/// The blocks that a multiprocessor holds, and how much of its memory is L1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Residency {
    /// Blocks.
    pub blocks: u64,
    /// Bytes of L1.
    pub l1: u64,
}

impl Residency {
    /// By registers (`warps` that they leave room for), shared memory of a block, and the launch.
    pub fn new(gpu: &Gpu, warps: u64, shared: u64, work: &Work) -> Self {
        let capacity = gpu.l1_bytes.value as u64;
        let of_block = match shared {
            0 => SYSTEM_SHARED,
            some => some + SYSTEM_SHARED,
        };
        let most = (warps / work.warps())
            .min(gpu.blocks.value as u64)
            .min((capacity - RESERVED) / of_block)
            .max(1);
        let share = work.blocks().div_ceil(gpu.multiprocessors.value as u64);
        let blocks = most.min(share);
        let set_aside = CARVEOUTS
            .iter()
            .map(|kib| kib * 1024)
            .find(|&bytes| bytes >= most * of_block);
        let set_aside = set_aside.unwrap_or(capacity - RESERVED);
        Residency {
            blocks,
            l1: capacity.saturating_sub(set_aside).max(16 * 1024),
        }
    }
}

/// What one statement accesses, on the average of its executions.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Accesses {
    /// Passes through the banks.
    pub passes: f64,
    /// Sectors.
    pub sectors: f64,
    /// Share of the executions that find not all in L1.
    pub missing: f64,
    /// Sectors that L1 does not have, where it does not have all.
    pub missed: f64,
    /// Share of these (of a store: of all) that memory is asked for.
    pub from_memory: f64,
    /// Share of a store's sectors that it writes in part.
    pub partial: f64,
}

/// What the blocks did.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// How often a warp executes each statement, by its begin in the text.
    pub executions: FxHashMap<u32, f64>,
    /// What statements access.
    pub accesses: FxHashMap<u32, Accesses>,
    /// Whether the step limit has left out some of the blocks.
    pub cut: bool,
}

/// Executes the blocks that one multiprocessor holds.
///
/// # Errors
/// A block has a fault, or the first one does not end within `steps`.
pub fn trace(
    module: &Module,
    function: &Function,
    work: &Work,
    gpu: &Gpu,
    residency: Residency,
    steps: u64,
) -> Result<Trace, ExecutionError> {
    let total = work.blocks();
    let apart = gpu.multiprocessors.value as u64;
    let blocks: Vec<u64> = match total <= BLOCKS {
        true => (0..total).collect(),
        false => {
            let count = residency.blocks.clamp(FEW, BLOCKS);
            let apart = apart.min(total / count);
            (0..count)
                .map(|number| (total / 2 + number * apart) % total)
                .collect()
        }
    };
    let options = Options {
        step_limit: steps,
        undefined_results: true,
        ..Options::default()
    };
    let (result, profile) = profile(
        module,
        function,
        &work.launch,
        &work.sparse,
        options,
        &blocks,
    );
    // Some of the blocks will do where all of them take too many steps.
    if let Err(error) = result
        && (profile.blocks == 0 || !matches!(error.fault, Fault::StepLimit(_)))
    {
        return Err(error);
    }
    let share = profile.blocks as f64 / residency.blocks as f64;
    let l1 = residency.l1 as f64 * share.min(1.0);
    Ok(Trace {
        executions: profile
            .executions
            .iter()
            .map(|(&statement, &count)| (statement, count as f64 / profile.warps as f64))
            .collect(),
        accesses: accesses(&profile, work, l1 as u64, gpu),
        cut: profile.cut || profile.blocks < blocks.len() as u64,
    })
}

/// Sums over the executions of a statement.
#[derive(Default)]
struct Sums {
    count: f64,
    passes: f64,
    sectors: f64,
    missing: f64,
    missed: f64,
    from_memory: f64,
    partial: f64,
}

fn accesses(profile: &Profile, work: &Work, l1: u64, gpu: &Gpu) -> FxHashMap<u32, Accesses> {
    let mut cache = Cache::new(l1 / (LINE_SECTORS * SECTOR));
    let mut sums: FxHashMap<u32, Sums> = FxHashMap::default();
    // What is asked of L2 by region, loads and stores apart: in all, and each sector once.
    let mut asked: FxHashMap<(usize, bool), (u64, FxHashSet<u64>)> = FxHashMap::default();
    let mut missed = Vec::new();
    let mut by_statement: Vec<(u32, usize, bool, u64, bool)> = Vec::new();
    let longest = profile.accesses.iter().map(Vec::len).max().unwrap_or(0);
    for turn in 0..longest {
        for access in profile.accesses.iter().filter_map(|warp| warp.get(turn)) {
            let sum = sums.entry(access.statement).or_default();
            sum.count += 1.0;
            sum.passes += f64::from(access.passes);
            sum.sectors += access.sectors.len() as f64;
            missed.clear();
            look_up(&mut cache, access, &mut missed);
            if access.direction != Direction::Load {
                sum.partial += partial(access);
            }
            if missed.is_empty() {
                continue;
            }
            sum.missing += 1.0;
            sum.missed += missed.len() as f64;
            let store = access.direction != Direction::Load;
            let region = region_of(missed[0]);
            let (all, once) = asked.entry((region, store)).or_default();
            *all += missed.len() as u64;
            once.extend(missed.iter().copied());
            let [first, last] = [access.sectors.first(), access.sectors.last()]
                .map(|one| one.copied().unwrap_or(0));
            let scattered = (last - first) * SECTOR > SCATTERED;
            by_statement.push((
                access.statement,
                region,
                store,
                missed.len() as u64,
                scattered,
            ));
        }
    }
    // Of the whole launch, where all blocks are as those that were executed.
    let scale = work.blocks() as f64 / profile.blocks.max(1) as f64;
    let footprint = |(region, _): &(usize, bool), once: &FxHashSet<u64>| {
        let size = work.sizes.get(*region).copied().unwrap_or(u64::MAX);
        (once.len() as f64 * scale * SECTOR as f64).min(size as f64)
    };
    let whole: f64 = asked
        .iter()
        .map(|(key, (_, once))| footprint(key, once))
        .sum();
    let fits = whole <= gpu.l2_bytes.value;
    for (statement, region, store, sectors, scattered) in by_statement {
        let key = (region, store);
        let (all, once) = &asked[&key];
        let found = footprint(&key, once);
        let share = match fits {
            true => 0.0,
            false if scattered => (1.0 - gpu.l2_bytes.value / 2.0 / found).max(0.0),
            false => found / (*all as f64 * scale * SECTOR as f64),
        };
        if let Some(sum) = sums.get_mut(&statement) {
            sum.from_memory += sectors as f64 * share.min(1.0);
        }
    }
    let mean = |sum: Sums| Accesses {
        passes: sum.passes / sum.count,
        sectors: sum.sectors / sum.count,
        missing: sum.missing / sum.count,
        missed: sum.missed / sum.missing.max(1.0),
        from_memory: sum.from_memory / sum.missed.max(1.0),
        partial: sum.partial / sum.sectors.max(1.0),
    };
    sums.into_iter()
        .map(|(statement, sum)| (statement, mean(sum)))
        .collect()
}

/// The sectors of an access that L1 does not have; of a store or an atomic, all.
fn look_up(cache: &mut Cache, access: &WarpAccess, missed: &mut Vec<u64>) {
    for &sector in &access.sectors {
        let there = match access.direction {
            Direction::Load => cache.load(sector),
            _ => false,
        };
        if !there {
            missed.push(sector);
        }
    }
}

/// Sectors that a store writes in part: all bytes would fill so many fewer.
fn partial(access: &WarpAccess) -> f64 {
    let full = u64::from(access.bytes) / SECTOR;
    let sectors = access.sectors.len() as u64;
    sectors.saturating_sub(full) as f64
}

/// A least recently used cache of lines, each with a mark for every sector.
struct Cache {
    lines: u64,
    /// By line: when it was last used, and its sectors.
    known: FxHashMap<u64, (u64, u8)>,
    /// Lines in the order of their uses, old uses among them.
    uses: VecDeque<(u64, u64)>,
    time: u64,
}

impl Cache {
    fn new(lines: u64) -> Self {
        Cache {
            lines: lines.max(1),
            known: FxHashMap::default(),
            uses: VecDeque::new(),
            time: 0,
        }
    }

    /// Whether a sector is there; from now on it is.
    fn load(&mut self, sector: u64) -> bool {
        let (line, mark) = (sector / LINE_SECTORS, 1 << (sector % LINE_SECTORS));
        self.time += 1;
        let entry = self.known.entry(line).or_default();
        let there = entry.1 & mark != 0;
        *entry = (self.time, entry.1 | mark);
        self.uses.push_back((self.time, line));
        while self.known.len() as u64 > self.lines {
            let Some((time, line)) = self.uses.pop_front() else {
                break;
            };
            if self.known.get(&line).is_some_and(|&(last, _)| last == time) {
                self.known.remove(&line);
            }
        }
        there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_forgets_what_was_used_longest_ago() {
        let mut cache = Cache::new(2);
        // Two sectors of one line, then a second line.
        assert_eq!(
            [0, 1, 0, 4].map(|sector| cache.load(sector)),
            [false, false, true, false]
        );
        // The third line takes the place of the second, as the first was used since.
        assert_eq!(
            [1, 8, 0, 4].map(|sector| cache.load(sector)),
            [true, false, true, false]
        );
    }

    #[test]
    fn shared_memory_takes_room_from_blocks_and_from_the_cache() {
        let gpu = Gpu::of(90).unwrap();
        let work = |shared| {
            let mut launch = Launch::new([1 << 16, 1, 1], [128, 1, 1]);
            launch.dynamic_shared = shared;
            Work::of_launch(launch)
        };
        let room = |shared: u32| Residency::new(&gpu, 64, u64::from(shared), &work(shared));
        assert_eq!(room(0).blocks, 16);
        assert_eq!(
            [28000, 56000, 113000].map(|bytes| room(bytes).blocks),
            [8, 4, 2]
        );
        assert!(room(28000).l1 < room(0).l1);
        let few = Work::of_launch(Launch::new([200, 1, 1], [32, 1, 1]));
        assert_eq!(Residency::new(&gpu, 64, 0, &few).blocks, 2);
    }
}
