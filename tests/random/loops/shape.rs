//! What a random loop is like: how it counts, where its elements lie, and how their addresses are made.

use crate::random::numbers::Random;

/// Elements that an index may reach below and above the first one of a thread.
pub const BELOW: u64 = 36;
const ABOVE: u64 = 52;
/// Bytes behind the last element of a thread.
const REST: u64 = 64;

/// Where the elements of a thread lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// One after the other, in a row of the thread's own.
    Rows,
    /// A grid apart: threads take turns.
    Turns,
    /// The same, and the counter is the index: it begins with the thread's number.
    GridStride,
}

/// How the counter is compared with its bound for the loop to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Less,
    LessEqual,
    Unequal,
    Greater,
    GreaterEqual,
}

/// What counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counter {
    /// 32 bits.
    Word,
    /// 64 bits.
    Long,
    /// The pointer to the first array.
    Pointer,
}

/// What of the bounds is a thread's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Own {
    Nothing,
    /// Some threads end up to three iterations earlier.
    Bound,
    /// Every other thread begins one iteration later.
    First,
    /// The number of iterations is loaded in front of the loop.
    Loaded,
}

/// Where a loop is tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    Top,
    /// At the end, and in front of the loop as well.
    Guarded,
    /// At the end alone.
    Bottom,
}

/// How the address of an array's element is made in each iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// It stays.
    Fixed,
    /// From the counter, in one of several ways.
    Counter(u64),
    /// A pointer that takes so many elements in each iteration; none: as many as a parameter says.
    Pointer(Option<i64>),
}

/// All of it.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub layout: Layout,
    /// Bytes of an element.
    pub unit: u64,
    /// The widest access, in bytes.
    pub widest: u64,
    pub counter: Counter,
    pub signed: bool,
    pub relation: Relation,
    /// What is added to the counter; none: what a parameter says.
    pub step: Option<i64>,
    pub own: Own,
    pub test: Test,
    /// The counter is the index but for a constant: it may be about to wrap.
    pub biased: bool,
    /// Ways of the two arrays.
    pub ways: [Way; 2],
    /// A second number goes round, and may end the loop.
    pub second: bool,
    /// Blocks are rows of threads, and the kernel reads nothing else.
    pub flat: bool,
    /// Iterations branch; not where one array stays: a test over iterations decides about that.
    pub branches: bool,
    /// They store.
    pub stores: bool,
}

impl Shape {
    pub fn new(random: &mut Random) -> Self {
        let layout = match random.below(5) {
            0 | 1 => Layout::Rows,
            2 => Layout::Turns,
            _ => Layout::GridStride,
        };
        let widest = 1 << [0, 1, 2, 2, 2, 3, 3, 4][random.below(8) as usize];
        let counter = match (layout, random.below(6)) {
            (Layout::GridStride, 0) | (_, 1) => Counter::Long,
            (Layout::Rows | Layout::Turns, 0) => Counter::Pointer,
            _ => Counter::Word,
        };
        let way = |random: &mut Random| match random.below(8) {
            0..=3 => Way::Counter(random.below(4)),
            4 => Way::Pointer(None),
            _ => Way::Pointer(Some([1, 1, 1, 2, -1][random.below(5) as usize])),
        };
        let first = match counter {
            Counter::Pointer => Way::Counter(0),
            _ => way(random),
        };
        let second = match random.below(10) {
            0..=2 => Way::Fixed,
            3..=6 => first,
            _ => way(random),
        };
        let fixed = second == Way::Fixed;
        let down = random.chance(25);
        let step = match random.below(8) {
            0..=1 => Some(1),
            2..=3 if !fixed => Some(1),
            2..=4 => Some(2),
            5 => Some(3),
            _ => None,
        };
        let branches = random.chance(35) && !fixed;
        Shape {
            layout,
            unit: widest << random.below(2).min(u64::from(widest < 16)),
            widest,
            counter,
            signed: random.chance(70),
            relation: match (random.below(6), down) {
                (0, _) => Relation::Unequal,
                (2, _) if fixed => Relation::Unequal,
                (1, false) => Relation::LessEqual,
                (1, true) => Relation::GreaterEqual,
                (_, false) => Relation::Less,
                (_, true) => Relation::Greater,
            },
            step: step.map(|step| if down { -step } else { step }),
            own: match random.below(6) {
                0 => Own::Bound,
                1 => Own::First,
                2 if layout != Layout::GridStride => Own::Loaded,
                _ => Own::Nothing,
            },
            test: [Test::Top, Test::Guarded, Test::Guarded, Test::Bottom][random.below(4) as usize],
            biased: counter == Counter::Word
                && layout == Layout::Rows
                && random.chance(if fixed { 60 } else { 25 }),
            ways: [first, second],
            second: random.chance(if fixed { 60 } else { 40 }),
            flat: random.chance(60),
            branches,
            stores: fixed || random.chance(55),
        }
    }

    /// Bytes from a thread's first element to that of the next thread, and from one of its elements to the next, for so many threads.
    pub fn strides(&self, threads: u64) -> [u64; 2] {
        match self.layout {
            Layout::Rows => [(BELOW + ABOVE) * self.unit + REST, self.unit],
            _ => [self.unit, self.unit * threads],
        }
    }

    /// Bytes of an array for so many threads.
    pub fn bytes(&self, threads: u64) -> u64 {
        (BELOW + ABOVE) * self.unit * threads + REST * threads
    }

    /// The counter goes down, as far as it is known.
    pub fn goes_down(&self) -> bool {
        match self.relation {
            Relation::Greater | Relation::GreaterEqual => true,
            _ => self.step.is_some_and(|step| step < 0),
        }
    }
}
