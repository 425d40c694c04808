//! Random kernels for the memory pass: each thread loads and stores a few bytes of its own, in all widths, by two pointers that
//! may be one, under predicates, on two paths, in loops, in blocks of one and two dimensions.
//!
//! A [`Kernel`] is a tree of steps: `ptx` writes it as PTX, the tests of `src/llvm` as LLVM IR.

mod launches;
pub mod ptx;

use crate::random::numbers::Random;
use ptxasw::executor::Launch;
use ptxasw::passes::memory::{Loads, MemoryOptions};

/// Bytes of each thread in the array of both pointers, and in the array of results.
pub const OWN_BYTES: u64 = 256;
/// Where the first pointer points to in a thread's bytes; there is room for the second before it and after it.
const MIDDLE: u64 = 96;
/// Offsets that are accessed.
const WINDOW: u64 = 48;
/// 32-bit registers that values travel through, 64-bit ones, and predicates.
pub const WORDS: u64 = 8;
pub const LONGS: u64 = 3;
const PREDICATES: u64 = 3;
/// Where a thread's words and its longs are in the array of results.
pub const WORDS_AT: u64 = 0;
pub const LONGS_AT: u64 = 64;

/// What is loaded and stored: elements of a vector, or one.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Bits of an element in memory.
    pub bits: u64,
    /// It is extended by its sign.
    pub signed: bool,
    pub elements: u64,
}

impl Form {
    pub fn bytes(&self) -> u64 {
        self.bits / 8 * self.elements
    }

    /// Its elements are in 64-bit registers.
    pub fn is_long(&self) -> bool {
        self.bits == 64
    }
}

const fn form(bits: u64, signed: bool, elements: u64) -> Form {
    Form {
        bits,
        signed,
        elements,
    }
}

const FORMS: [Form; 11] = [
    form(8, false, 1),
    form(8, true, 1),
    form(16, false, 1),
    form(16, true, 1),
    form(32, false, 1),
    form(64, false, 1),
    form(32, false, 2),
    form(16, false, 2),
    form(8, false, 4),
    form(32, false, 4),
    form(64, false, 2),
];

/// What an address is counted from: always bytes of the thread alone.
#[derive(Clone, Copy, Debug)]
pub enum Base {
    First,
    Second,
    /// The first pointer, as a generic one.
    Generic,
    Shared,
    /// After the first pointer, as far as a word says under a mask.
    Indexed {
        word: u64,
        mask: u64,
    },
}

/// An access.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub form: Form,
    pub base: Base,
    pub offset: u64,
    /// Its first register; others follow.
    pub register: u64,
    /// A predicate, and whether it has to be false.
    pub guard: Option<(u64, bool)>,
}

impl Access {
    /// The numbers of its registers, all different.
    pub fn registers(&self) -> impl Iterator<Item = u64> + use<> {
        let of = if self.form.is_long() { LONGS } else { WORDS };
        let first = self.register;
        (0..self.form.elements).map(move |at| (first + at) % of)
    }
}

#[derive(Clone, Debug)]
pub enum KernelStep {
    Load(Access),
    Store(Access),
    /// `a = 3 * b + c`, of words.
    Sum {
        a: u64,
        b: u64,
        c: u64,
    },
    /// `a = b ^ c`
    Xor {
        a: u64,
        b: u64,
        c: u64,
    },
    /// A long becomes 77 times a word, and what it was.
    Long {
        long: u64,
        a: u64,
    },
    /// A predicate becomes `a < b`, of signed words.
    Less {
        predicate: u64,
        a: u64,
        b: u64,
    },
    /// Where the predicate is true the first, else the second.
    Either(u64, [Vec<KernelStep>; 2]),
    /// So many times.
    Repeat(u64, Vec<KernelStep>),
    Barrier,
}

/// A kernel of three pointers (the array of loads and stores, that array or another one, the results) and a number.
pub struct Kernel {
    pub steps: Vec<KernelStep>,
    pub launches: Vec<Launch>,
}

/// How far the pass goes: each seed has one of all ways in which it changes something.
pub fn options(seed: u64) -> MemoryOptions {
    let of = |values: [u32; 3]| values[(seed / 4 % 3) as usize];
    let loads = match seed % 4 {
        0 => Loads::Proofs,
        1 => Loads::Checked,
        2 => Loads::Bulk,
        _ => Loads::Always,
    };
    MemoryOptions {
        loads,
        max_live: of([8, 32, 64]),
        ..MemoryOptions::default()
    }
}

impl Kernel {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x5eed_acce55);
        let widest = 1 << random.below(5);
        let count = random.within(4, 24) as u64;
        let mut generator = Generator {
            random: &mut random,
            widest,
            room: ROOM,
            depth: 0,
        };
        let steps = generator.steps(count);
        let launches = (0..3).map(|_| launches::launch(&mut random, widest));
        Kernel {
            steps,
            launches: launches.collect(),
        }
    }
}

/// What accesses may touch, and how often they have a predicate.
#[derive(Clone, Copy)]
pub struct Room {
    /// Bytes after each pointer.
    pub window: u64,
    /// As many of them are reached by an index.
    pub indexed: u64,
    /// Of a hundred accesses.
    pub guarded: u64,
}

const ROOM: Room = Room {
    window: WINDOW,
    indexed: 32,
    guarded: 40,
};

/// Makes steps.
pub struct Generator<'r> {
    pub random: &'r mut Random,
    /// The widest access, in bytes: pointers are apart by a multiple of it.
    pub widest: u64,
    pub room: Room,
    /// Steps around the next one; there are barriers outside of all.
    pub depth: u32,
}

impl Generator<'_> {
    fn steps(&mut self, count: u64) -> Vec<KernelStep> {
        (0..count).map(|_| self.step()).collect()
    }

    pub fn step(&mut self) -> KernelStep {
        match self.random.below(20) {
            0..=7 => KernelStep::Load(self.access()),
            8..=13 => KernelStep::Store(self.access()),
            16 if self.depth < 2 => {
                let predicate = self.random.below(PREDICATES);
                KernelStep::Either(predicate, [self.part(0), self.part(0)])
            }
            17 if self.depth < 2 => {
                KernelStep::Repeat(self.random.within(1, 4) as u64, self.part(1))
            }
            18 if self.depth == 0 => KernelStep::Barrier,
            _ => self.compute(),
        }
    }

    /// Steps one level further in.
    fn part(&mut self, least: i64) -> Vec<KernelStep> {
        self.depth += 1;
        let count = self.random.within(least, least + 4) as u64;
        let steps = self.steps(count);
        self.depth -= 1;
        steps
    }

    fn word(&mut self) -> u64 {
        self.random.below(WORDS)
    }

    fn access(&mut self) -> Access {
        let form = loop {
            let form = FORMS[self.random.below(FORMS.len() as u64) as usize];
            if form.bytes() <= self.widest {
                break form;
            }
        };
        let bytes = form.bytes();
        let Room {
            window, indexed, ..
        } = self.room;
        let offset = bytes * self.random.below(window / bytes);
        let (base, offset) = match self.random.below(12) {
            0..=4 => (Base::First, offset),
            5..=7 => (Base::Second, offset),
            8 => (Base::Generic, offset),
            9 => (Base::Shared, offset),
            _ => {
                let (word, mask) = (self.word(), (indexed - 1) / bytes * bytes);
                let rest = (window - indexed).max(1);
                (Base::Indexed { word, mask }, offset % rest / bytes * bytes)
            }
        };
        let registers = if form.is_long() { LONGS } else { WORDS };
        Access {
            form,
            base,
            offset,
            register: self.random.below(registers),
            guard: self
                .random
                .chance(self.room.guarded)
                .then(|| (self.random.below(PREDICATES), self.random.chance(50))),
        }
    }

    fn compute(&mut self) -> KernelStep {
        let (a, b, c) = (self.word(), self.word(), self.word());
        match self.random.below(4) {
            0 => KernelStep::Sum { a, b, c },
            1 => KernelStep::Xor { a, b, c },
            2 => KernelStep::Long {
                long: self.random.below(LONGS),
                a,
            },
            _ => KernelStep::Less {
                predicate: self.random.below(PREDICATES),
                a,
                b,
            },
        }
    }
}
