//! The state of registers, warps and blocks.

use super::asynchronous::Copies;
use super::error::Thread;
use super::lanes::{Column, LANES, lanes};
use super::memory::{Arena, Region};
use super::program::{Dst, Program, Src};
use ptxasw_ir::semantics::concrete::cut;
use smallvec::SmallVec;

/// Hardware barriers of a block.
pub(super) const BARRIERS: usize = 16;

/// The registers of a warp, column by column.
#[derive(Debug)]
pub(super) struct Registers {
    /// First column of the activation that runs: registers are numbered from it.
    pub(super) base: u32,
    values: Vec<[u64; LANES]>,
    /// Lanes with an undefined byte.
    poison: Vec<u32>,
    /// The undefined bytes of those lanes.
    bytes: Vec<[u8; LANES]>,
}

impl Registers {
    fn new(count: usize) -> Self {
        Registers {
            base: 0,
            values: vec![[0; LANES]; count],
            poison: vec![u32::MAX; count],
            bytes: vec![[0xff; LANES]; count],
        }
    }

    /// Makes `count` columns from `base` on undefined in some lanes.
    pub(super) fn fresh(&mut self, base: u32, count: u32, mask: u32) {
        let (first, end) = (base as usize, (base + count) as usize);
        if self.values.len() < end {
            self.values.resize(end, [0; LANES]);
            self.poison.resize(end, u32::MAX);
            self.bytes.resize(end, [0xff; LANES]);
        }
        for (poison, bytes) in self.poison[first..end]
            .iter_mut()
            .zip(&mut self.bytes[first..end])
        {
            *poison |= mask;
            match mask {
                u32::MAX => *bytes = [0xff; LANES],
                _ => lanes(mask).for_each(|lane| bytes[lane] = 0xff),
            }
        }
    }

    #[inline]
    fn column(&self, reg: u32) -> usize {
        (self.base + reg) as usize
    }

    /// The column of a register.
    pub(super) fn read(&self, reg: u32) -> Column {
        let column = self.column(reg);
        Column {
            values: self.values[column],
            poison: self.poison[column],
        }
    }

    /// The value of a register in one lane.
    pub(super) fn value(&self, reg: u32, lane: usize) -> u64 {
        self.values[self.column(reg)][lane]
    }

    /// Copies the values of a register; the lanes with undefined bytes.
    pub(super) fn copy(&self, reg: u32, to: &mut [u64; LANES]) -> u32 {
        let column = self.column(reg);
        *to = self.values[column];
        self.poison[column]
    }

    /// The lanes, of those asked for, in which a predicate register is set, and those in which it is undefined.
    pub(super) fn predicate(&self, reg: u32, lanes_asked: u32) -> (u32, u32) {
        let column = self.column(reg);
        let mut set = 0;
        for (lane, value) in self.values[column].iter().enumerate() {
            set |= ((value & 1) as u32) << lane;
        }
        (set & lanes_asked, self.poison[column] & lanes_asked)
    }

    /// The value of a plain operand in one lane, and its undefined bytes.
    pub(super) fn plain(&self, src: Src, lane: usize) -> Option<(u64, u8)> {
        match src {
            Src::Reg(reg) => {
                let value = self.values[self.column(reg)][lane];
                Some((value, self.reg_bytes(reg, lane)))
            }
            Src::Imm(bits) => Some((bits, 0)),
            _ => None,
        }
    }

    /// The undefined bytes of one operand in one lane.
    pub(super) fn poison_bytes(&self, src: Src, lane: usize) -> u8 {
        match src {
            Src::Reg(reg) | Src::NotReg(reg) => self.reg_bytes(reg, lane),
            Src::Part { reg, .. } | Src::Sum { reg, .. } => match self.reg_bytes(reg, lane) {
                0 => 0,
                _ => 0xff,
            },
            Src::Imm(_) | Src::Special(_) | Src::Frame { .. } | Src::Unknown(_) => 0,
        }
    }

    fn reg_bytes(&self, reg: u32, lane: usize) -> u8 {
        let column = self.column(reg);
        if self.poison[column] >> lane & 1 == 0 {
            0
        } else {
            self.bytes[column][lane]
        }
    }

    /// Writes the lanes of `mask`, cut to the register's width, all defined but those in `column.poison`.
    pub(super) fn write(&mut self, dst: Dst, mask: u32, column: &Column) {
        let reg = self.column(dst.reg);
        let target = &mut self.values[reg];
        if mask == u32::MAX {
            *target = column.values;
            if dst.ty.bits < 64 {
                target.iter_mut().for_each(|v| *v = cut(dst.ty.bits, *v));
            }
        } else {
            for lane in lanes(mask) {
                target[lane] = cut(dst.ty.bits, column.values[lane]);
            }
        }
        self.poison[reg] = (self.poison[reg] & !mask) | (column.poison & mask);
        for lane in lanes(column.poison & mask) {
            self.bytes[reg][lane] = 0xff;
        }
    }

    /// Writes one lane of a register of the activation at `base`.
    pub(super) fn write_lane(&mut self, base: u32, dst: Dst, lane: usize, value: u64, poison: u8) {
        let column = (base + dst.reg) as usize;
        self.values[column][lane] = cut(dst.ty.bits, value);
        let used = cut(dst.ty.bits.div_ceil(8), 0xff) as u8;
        self.mark(column, lane, poison & used);
    }

    /// Marks the undefined bytes of a lane just written.
    pub(super) fn set_poison(&mut self, dst: Dst, lane: usize, bytes: u8) {
        self.mark(self.column(dst.reg), lane, bytes);
    }

    fn mark(&mut self, column: usize, lane: usize, bytes: u8) {
        let bit = 1 << lane;
        self.poison[column] = (self.poison[column] & !bit) | if bytes != 0 { bit } else { 0 };
        self.bytes[column][lane] = bytes;
    }
}

/// Where a lane is: before an instruction, with its registers in the columns from `base` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Point {
    pub(super) pc: u32,
    pub(super) base: u32,
}

impl Point {
    /// Where nobody ever is.
    pub(super) const NOWHERE: Point = Point {
        pc: u32::MAX,
        base: u32::MAX,
    };

    /// Before an instruction, in whatever activation of its function.
    pub(super) const fn anywhere(pc: u32) -> Point {
        Point { pc, base: u32::MAX }
    }

    /// Whether a lane that is at `pc`, with its registers from column `base` on, is here.
    pub(super) const fn is(self, pc: u32, base: u32) -> bool {
        self.pc == pc && (self.base == base || self.base == u32::MAX)
    }
}

/// What an activation returns to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The call.
    pub(super) call: u32,
    /// First column of the caller's registers.
    pub(super) base: u32,
    /// First region of the caller's variables in local memory.
    pub(super) local_base: u32,
    /// Bytes of local memory of all activations but the kernel's, up to this one.
    pub(super) bytes: u64,
}

/// Lanes that the lockstep schedule runs together, and where they are to meet their siblings again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) lanes: u32,
    /// Where these lanes stop.
    pub(super) reconverge: Point,
    /// Where the lanes meet again if they are found at different places.
    pub(super) split: Point,
}

/// A warp.
#[derive(Debug)]
pub(super) struct Warp {
    /// Lanes that exist.
    pub(super) present: u32,
    /// Lanes that have exited.
    pub(super) exited: u32,
    /// Lanes that wait for others of their mask.
    pub(super) at_sync: u32,
    /// Lanes that wait at a barrier of the block.
    pub(super) at_barrier: u32,
    /// Lanes that wait at the barrier of the cluster.
    pub(super) at_cluster: u32,
    /// How often each lane has arrived there.
    pub(super) cluster_arrivals: [u32; LANES],
    /// Next instruction of each lane.
    pub(super) pc: [u32; LANES],
    /// First column of registers of each lane's activation; the kernel's is 0.
    pub(super) base: [u32; LANES],
    /// First region of that activation's variables in local memory.
    pub(super) local_base: [u32; LANES],
    /// The activations of each lane but the kernel's, innermost last.
    pub(super) frames: [Vec<Frame>; LANES],
    /// Memory of activations that have ended, for others.
    pub(super) spare: Vec<Region>,
    /// Member mask of the lanes in `at_sync`.
    pub(super) masks: [u32; LANES],
    /// Barrier number of the lanes in `at_barrier`.
    pub(super) barrier: [u8; LANES],
    pub(super) registers: Registers,
    /// Local memory of each lane.
    pub(super) local: Vec<Arena>,
    /// Asynchronous copies.
    pub(super) copies: Copies,
    /// What the lockstep schedule knows of divergence, outermost first.
    pub(super) entries: Vec<Entry>,
}

impl Warp {
    /// Lanes that have not exited.
    pub(super) fn live(&self) -> u32 {
        self.present & !self.exited
    }

    /// Lanes that can go on.
    pub(super) fn runnable(&self) -> u32 {
        self.live() & !self.at_sync & !self.at_barrier & !self.at_cluster
    }

    /// The lanes of `mask` whose next instruction is `pc`.
    pub(super) fn lanes_at(&self, mask: u32, pc: u32) -> u32 {
        lanes(mask)
            .filter(|&lane| self.pc[lane] == pc)
            .fold(0, |m, lane| m | 1 << lane)
    }

    /// The lanes of `mask` that are at a place.
    pub(super) fn lanes_in(&self, mask: u32, point: Point) -> u32 {
        lanes(mask)
            .filter(|&lane| self.point(lane) == point)
            .fold(0, |m, lane| m | 1 << lane)
    }

    /// The lanes of a mask by where their registers are.
    pub(super) fn by_base(&self, mask: u32) -> SmallVec<[(u32, u32); 1]> {
        let mut parts: SmallVec<[(u32, u32); 1]> = SmallVec::new();
        for lane in lanes(mask) {
            match parts.iter_mut().find(|(base, _)| *base == self.base[lane]) {
                Some((_, part)) => *part |= 1 << lane,
                None => parts.push((self.base[lane], 1 << lane)),
            }
        }
        parts
    }

    /// Where a lane is.
    pub(super) fn point(&self, lane: usize) -> Point {
        Point {
            pc: self.pc[lane],
            base: self.base[lane],
        }
    }

    /// Ends the innermost activation of a lane: it goes on after the call.
    pub(super) fn pop_frame(&mut self, lane: usize) {
        let Some(frame) = self.frames[lane].pop() else {
            return;
        };
        self.local[lane].truncate(self.local_base[lane] as usize, &mut self.spare);
        self.pc[lane] = frame.call + 1;
        self.base[lane] = frame.base;
        self.local_base[lane] = frame.local_base;
    }

    /// Where a lane returns to from its activation with the registers at `base`; where it is, if it has returned.
    pub(super) fn returns_to(&self, lane: usize, base: u32) -> Point {
        let mut of = self.base[lane];
        for frame in self.frames[lane].iter().rev() {
            if of <= base {
                break;
            }
            of = frame.base;
        }
        let frame = self.frames[lane]
            .iter()
            .rev()
            .find(|frame| frame.base < base);
        match frame {
            Some(frame) if of == base => Point {
                pc: frame.call + 1,
                base: frame.base,
            },
            _ => self.point(lane),
        }
    }

    /// Sets the next instruction of all lanes of `mask`.
    pub(super) fn set_pc(&mut self, mask: u32, pc: u32) {
        for lane in lanes(mask) {
            self.pc[lane] = pc;
        }
    }
}

/// A barrier of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Barrier {
    /// Threads that arrived without waiting (`bar.arrive`).
    pub(super) arrived: u32,
    /// The expected number of threads, where it was given.
    pub(super) expected: Option<u32>,
}

/// A block.
#[derive(Debug)]
pub(super) struct Block {
    /// `%ctaid`
    pub(super) id: [u32; 3],
    /// `%ntid`
    pub(super) size: [u32; 3],
    /// Number of its first thread in the grid.
    pub(super) first_thread: u64,
    pub(super) shared: Arena,
    pub(super) warps: Vec<Warp>,
    pub(super) barriers: [Barrier; BARRIERS],
}

impl Block {
    /// A block whose threads are all before the first instruction.
    pub(super) fn new(program: &Program, size: [u32; 3], grid: [u32; 3], number: u64) -> Self {
        let threads = size.iter().map(|&n| u64::from(n)).product::<u64>() as u32;
        let (gx, gy) = (u64::from(grid[0]), u64::from(grid[1]));
        let end = program.procedures[0].end;
        let warp = |index: u32| {
            let count = (threads - index * 32).min(32);
            let present = (u64::MAX >> (64 - count)) as u32;
            Warp {
                present,
                exited: 0,
                at_sync: 0,
                at_barrier: 0,
                at_cluster: 0,
                cluster_arrivals: [0; LANES],
                pc: [0; LANES],
                base: [0; LANES],
                local_base: [0; LANES],
                frames: Default::default(),
                spare: Vec::new(),
                masks: [0; LANES],
                barrier: [0; LANES],
                registers: Registers::new(program.procedures[0].registers as usize),
                local: (0..count).map(|_| program.local_memory()).collect(),
                copies: Copies::default(),
                entries: vec![Entry {
                    lanes: present,
                    reconverge: Point::NOWHERE,
                    split: Point { pc: end, base: 0 },
                }],
            }
        };
        Block {
            id: [
                (number % gx) as u32,
                (number / gx % gy) as u32,
                (number / (gx * gy)) as u32,
            ],
            size,
            first_thread: number * u64::from(threads),
            shared: program.layout.shared_memory(),
            warps: (0..threads.div_ceil(32)).map(warp).collect(),
            barriers: Default::default(),
        }
    }

    /// All threads have exited.
    pub(super) fn finished(&self) -> bool {
        self.warps.iter().all(|w| w.live() == 0)
    }

    /// `%tid` of a lane.
    pub(super) fn tid(&self, warp: u32, lane: usize) -> [u32; 3] {
        let t = warp * 32 + lane as u32;
        let [x, y, _] = self.size;
        [t % x, t / x % y, t / (x * y)]
    }

    /// The name of a lane for messages.
    pub(super) fn thread(&self, warp: usize, lane: usize) -> Thread {
        Thread {
            block: self.id,
            thread: self.tid(warp as u32, lane),
            warp: warp as u32,
            lane: lane as u32,
        }
    }
}
