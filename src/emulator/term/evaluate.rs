//! The value of terms under an assignment of their symbols: for one thread, or for a row of neighbouring threads at once.

use super::symbol::{FunctionId, SymbolId, Variance};
use super::{Binary, Node, TermId, Terms, Unary, mask, signed};
use ptxasw_ir::divergence::Level;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Threads of a row: `t - 31` to `t + 31`.
pub const ROW_THREADS: usize = 63;
/// Values of 32-bit symbols that can have any value and are one in a row lie from here to its double; thread indices stay
/// below, so that bounds of arrays, row lengths and clamps are beyond them.
pub const ROW_BASE: u64 = 1 << 10;
/// Bits that are one in all of those.
pub const ROW_MASK: u64 = 31;
/// How far above their least value symbols of at most 32 bits are that differ between threads.
pub const ROW_SPREAD: u64 = 1 << 9;
/// How far above their least value symbols with a narrower range are, those that make up thread indices.
pub const INDEX_SPREAD: u64 = 1 << 4;
/// Index of thread `t` itself in a row.
pub const ROW_CENTRE: usize = 31;
/// Threads of a warp.
pub const WARP_THREADS: usize = 32;
/// Threads that are evaluated at once: their values are two cache lines for each term, and together the memory it takes.
const STRIPE: usize = 16;

/// One pseudo-random assignment for a row of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowAssignment {
    /// Determines the value of each symbol but those below, within its range.
    pub seed: u64,
    /// `%tid.x` of thread `t`; its neighbours' differ by their distance, modulo 2^width.
    pub tid_x: u64,
    /// `%laneid` of thread `t`, likewise.
    pub lane_id: u64,
}

/// Terms in the order of evaluation, made once for any number of assignments.
pub struct Order {
    terms: Vec<TermId>,
    /// Where the roots are.
    roots: Vec<usize>,
    /// Widths and positions of all operands, those of one term in a row.
    operands: Vec<(u8, u32)>,
    /// One past the last operand of each term.
    ends: Vec<u32>,
}

impl Order {
    /// All that `roots` are made of.
    pub fn new(terms: &Terms, roots: &[TermId]) -> Self {
        let order = terms.reachable(roots);
        let position: FxHashMap<TermId, u32> =
            order.iter().zip(0..).map(|(&t, at)| (t, at)).collect();
        Order::with_positions(terms, roots, order, |t| position[&t])
    }

    /// As [`Order::new`], where the roots are made of most terms that there are: without hashing, in time linear in all of
    /// them.
    pub fn of_most(terms: &Terms, roots: &[TermId]) -> Self {
        // Operands have smaller ids than what is made of them.
        let end = roots.iter().map(|root| root.index() + 1).max();
        let mut position = vec![u32::MAX; end.unwrap_or(0)];
        for root in roots {
            position[root.index()] = 0;
        }
        for index in (0..position.len()).rev() {
            if position[index] != u32::MAX {
                let node = terms.node(TermId(index as u32));
                node.for_each_operand(|operand| position[operand.index()] = 0);
            }
        }
        let mut order = Vec::new();
        for (index, position) in position.iter_mut().enumerate() {
            if *position != u32::MAX {
                *position = order.len() as u32;
                order.push(TermId(index as u32));
            }
        }
        Order::with_positions(terms, roots, order, |t| position[t.index()])
    }

    fn with_positions(
        terms: &Terms,
        roots: &[TermId],
        order: Vec<TermId>,
        position: impl Fn(TermId) -> u32,
    ) -> Self {
        let (mut operands, mut ends) = (Vec::new(), Vec::with_capacity(order.len()));
        for &t in &order {
            terms.node(t).for_each_operand(|operand| {
                operands.push((terms.width(operand), position(operand)));
            });
            ends.push(operands.len() as u32);
        }
        Order {
            roots: roots.iter().map(|&root| position(root) as usize).collect(),
            terms: order,
            operands,
            ends,
        }
    }

    /// Terms and operands: what one evaluation takes.
    pub fn work(&self) -> usize {
        self.terms.len() + self.operands.len()
    }

    /// The terms, operands first.
    pub fn terms(&self) -> &[TermId] {
        &self.terms
    }

    /// Widths and positions of the operands of the term at a position.
    fn operands(&self, at: usize) -> &[(u8, u32)] {
        let start = match at {
            0 => 0,
            _ => self.ends[at - 1] as usize,
        };
        &self.operands[start..self.ends[at] as usize]
    }
}

impl Terms {
    /// The value of `t`, each symbol's value taken from `symbols`, each uninterpreted function a fixed hash of its
    /// identity and arguments. Linear in the size of the term.
    pub fn evaluate(&self, t: TermId, symbols: &dyn Fn(SymbolId) -> u64) -> u64 {
        self.evaluate_all(&[t], symbols)
            .first()
            .copied()
            .unwrap_or(0)
    }

    /// As [`Terms::evaluate`], for several terms at once.
    pub fn evaluate_all(&self, roots: &[TermId], symbols: &dyn Fn(SymbolId) -> u64) -> Vec<u64> {
        self.evaluate_in(&Order::new(self, roots), symbols, &mut Vec::new())
    }

    /// As [`Terms::evaluate_all`], for the roots of an order. `values` is room for those of all terms.
    pub fn evaluate_in(
        &self,
        order: &Order,
        symbols: &dyn Fn(SymbolId) -> u64,
        values: &mut Vec<u64>,
    ) -> Vec<u64> {
        values.clear();
        for (at, &t) in order.terms.iter().enumerate() {
            let operands = order.operands(at);
            let value = self.evaluate_node(t, symbols, operands, |at| values[at as usize]);
            values.push(value);
        }
        order.roots.iter().map(|&root| values[root]).collect()
    }

    /// The values of an order's roots in 63 neighbouring threads: `put(root, thread, values)` is called with those in a few
    /// threads at a time, `thread` being the first. `Lane` symbols have independent values, each copy
    /// `name@n` the value that `name` has `n` threads on; uniform and row symbols have one value.
    pub fn evaluate_row(
        &self,
        order: &Order,
        assignment: &RowAssignment,
        put: impl FnMut(usize, usize, &[u64]),
    ) {
        let symbols = |id, thread: usize| {
            self.value_in_row(id, assignment, thread as i64 - ROW_CENTRE as i64)
        };
        self.evaluate_threads(order, ROW_THREADS, &symbols, put);
    }

    /// The values of an order's roots in the 32 threads of a warp of a block whose rows are whole warps; `tid_x` is lane 0's, a
    /// multiple of 32.
    pub fn evaluate_warp(&self, order: &Order, seed: u64, tid_x: u64) -> Vec<[u64; WARP_THREADS]> {
        let assignment = RowAssignment {
            seed,
            tid_x,
            lane_id: 0,
        };
        let symbols = |id, lane: usize| {
            let value = self.value_in_row(id, &assignment, lane as i64);
            let symbol = self.symbol_data(id);
            // The size of a block is one of these.
            let bounded = symbol.unsigned_range.1 < mask(symbol.width);
            let whole = value.next_multiple_of(WARP_THREADS as u64);
            match symbol.variance {
                Variance::Of(Level::Uniform) if bounded && whole <= symbol.unsigned_range.1 => {
                    whole
                }
                _ => value,
            }
        };
        let mut rows = vec![[0; WARP_THREADS]; order.roots.len()];
        self.evaluate_threads(order, WARP_THREADS, &symbols, |root, first, values| {
            rows[root][first..first + values.len()].copy_from_slice(values);
        });
        rows
    }

    /// The values of an order's roots in neighbouring threads, a few at a time, given those of the symbols in each.
    fn evaluate_threads(
        &self,
        order: &Order,
        threads: usize,
        symbols: &dyn Fn(SymbolId, usize) -> u64,
        mut put: impl FnMut(usize, usize, &[u64]),
    ) {
        let mut values: Vec<[u64; STRIPE]> = vec![[0; STRIPE]; order.terms.len()];
        for first in (0..threads).step_by(STRIPE) {
            for (at, &t) in order.terms.iter().enumerate() {
                let uniform = self.is_row_uniform(t);
                if uniform && first > 0 {
                    continue;
                }
                let operands = order.operands(at);
                let in_thread = |thread: usize| {
                    let symbols = |id| symbols(id, first + thread);
                    self.evaluate_node(t, &symbols, operands, |at| values[at as usize][thread])
                };
                values[at] = if uniform {
                    [in_thread(0); STRIPE]
                } else {
                    self.rows_of(t, operands, &values)
                        .unwrap_or_else(|| std::array::from_fn(in_thread))
                };
            }
            let count = STRIPE.min(threads - first);
            for (root, &at) in order.roots.iter().enumerate() {
                put(root, first, &values[at][..count]);
            }
        }
    }

    /// The values of a common operation in all threads, the operation being matched once.
    fn rows_of(
        &self,
        t: TermId,
        operands: &[(u8, u32)],
        values: &[[u64; STRIPE]],
    ) -> Option<[u64; STRIPE]> {
        let mask = mask(self.width(t));
        let row = |at: u32| &values[at as usize];
        match (self.node(t), operands) {
            (Node::Affine { constant, terms }, _) => {
                let mut sum = [*constant; STRIPE];
                for (&(_, at), &(_, coefficient)) in operands.iter().zip(terms) {
                    add_multiple(&mut sum, coefficient, row(at));
                }
                Some(sum.map(|value| value & mask))
            }
            (Node::Unary(op, _), &[(from, a)]) => {
                Some(row(a).map(|value| unary(*op, from, value) & mask))
            }
            (Node::Binary(op, ..), &[(from, a), (_, b)]) => {
                let (a, b) = (row(a), row(b));
                Some(std::array::from_fn(|thread| {
                    binary(*op, from, a[thread], b[thread]) & mask
                }))
            }
            _ => None,
        }
    }

    /// The value of a symbol `distance` threads from the row's centre.
    fn value_in_row(&self, id: SymbolId, assignment: &RowAssignment, distance: i64) -> u64 {
        let symbol = self.symbol_data(id);
        let (least, greatest) = symbol.unsigned_range;
        // Of narrow values only small ones: ordinary index arithmetic then does not wrap, and addresses that differ only by a
        // wrap are seen to be equal.
        let (least, limit) = match symbol.width {
            32 if greatest - least == mask(32) => {
                let hash = mix(assignment.seed, u64::from(id.0)) % ROW_BASE;
                let wide = matches!(
                    symbol.variance,
                    Variance::Of(Level::Uniform) | Variance::Of(Level::Row)
                );
                if wide {
                    // As masks they keep the lanes apart.
                    return (ROW_BASE + hash) | ROW_MASK;
                }
                (least, ROW_SPREAD)
            }
            0..=32 if symbol.variance == Variance::Of(Level::Divergent) => (least, ROW_SPREAD),
            0..=32 => (least, INDEX_SPREAD),
            _ => (least, u64::MAX),
        };
        let random = |hash: u64| match (greatest - least).min(limit).checked_add(1) {
            Some(count) => least + hash % count,
            None => hash,
        };
        match symbol.variance {
            Variance::TidX => assignment.tid_x.wrapping_add_signed(distance) & mask(symbol.width),
            Variance::LaneId => {
                assignment.lane_id.wrapping_add_signed(distance) & mask(symbol.width)
            }
            Variance::Of(Level::Uniform) | Variance::Of(Level::Row) => {
                random(mix(assignment.seed, u64::from(id.0)))
            }
            Variance::Of(Level::Divergent) => {
                let (mut base, mut thread) = (id, distance);
                while let Some((of, map)) = self.lane_copy(base) {
                    let number = assignment.tid_x.wrapping_add_signed(thread);
                    thread = thread.wrapping_add(map.distance_at(number));
                    base = of;
                }
                random(mix(mix(assignment.seed, u64::from(base.0)), thread as u64))
            }
        }
    }

    fn evaluate_node(
        &self,
        t: TermId,
        symbols: &dyn Fn(SymbolId) -> u64,
        operands: &[(u8, u32)],
        value: impl Fn(u32) -> u64,
    ) -> u64 {
        let width = self.width(t);
        match self.node(t) {
            Node::Symbol(id) => symbols(*id) & mask(width),
            Node::Uninterpreted { function, .. } => {
                let args = operands.iter().map(|&(_, at)| value(at));
                self.hash_function(*function, args) & mask(width)
            }
            node => {
                let operands: SmallVec<[(u8, u64); 4]> = operands
                    .iter()
                    .map(|&(width, at)| (width, value(at)))
                    .collect();
                apply(node, width, &operands)
            }
        }
    }

    /// An uninterpreted function's value: one function among all that there are.
    fn hash_function(&self, function: FunctionId, args: impl Iterator<Item = u64>) -> u64 {
        args.fold(mix(0x5851_f42d_4c95_7f2d, u64::from(function.0)), mix)
    }
}

/// A well-mixed hash of two numbers (the finaliser of SplitMix64).
pub fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.rotate_left(23) ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Adds a multiple of one row to another. Most of what addresses are made of are sums: the threads of one at a time are
/// vectors to the compiler.
fn add_multiple(row: &mut [u64; STRIPE], factor: u64, values: &[u64; STRIPE]) {
    for (sum, value) in row.iter_mut().zip(values) {
        *sum = sum.wrapping_add(factor.wrapping_mul(*value));
    }
}

/// The value of a node other than a symbol or uninterpreted function, given the widths and values of its operands.
pub(super) fn apply(node: &Node, width: u8, operands: &[(u8, u64)]) -> u64 {
    let value =
        match (node, operands) {
            (Node::Const(bits), _) => *bits,
            (Node::Affine { constant, terms }, _) => terms.iter().zip(operands).fold(
                *constant,
                |sum, (&(_, coefficient), &(_, value))| {
                    sum.wrapping_add(coefficient.wrapping_mul(value))
                },
            ),
            (Node::Product(_), _) => operands
                .iter()
                .fold(1, |product: u64, &(_, value)| product.wrapping_mul(value)),
            (Node::Unary(op, _), &[(from, a)]) => unary(*op, from, a),
            (Node::Binary(op, ..), &[(from, a), (_, b)]) => binary(*op, from, a, b),
            (Node::Ite(..), &[(_, condition), (_, a), (_, b)]) => {
                if condition == 1 {
                    a
                } else {
                    b
                }
            }
            _ => 0,
        };
    value & mask(width)
}

fn unary(op: Unary, from: u8, a: u64) -> u64 {
    match op {
        Unary::Not => !a,
        Unary::Zext => a,
        Unary::Sext => signed(from, a) as u64,
        Unary::Extract(low) => a >> low,
        Unary::Popc => u64::from(a.count_ones()),
        Unary::Clz => u64::from(a.leading_zeros()) + u64::from(from) - 64,
        Unary::Brev => a.reverse_bits() >> (64 - from),
    }
}

fn binary(op: Binary, width: u8, a: u64, b: u64) -> u64 {
    let (x, y) = (signed(width, a), signed(width, b));
    match op {
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl if b < u64::from(width) => a << b,
        Binary::Lshr if b < u64::from(width) => a >> b,
        Binary::Shl | Binary::Lshr => 0,
        Binary::Ashr => (x >> b.min(u64::from(width) - 1)) as u64,
        Binary::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        Binary::URem => a.checked_rem(b).unwrap_or(a),
        Binary::SDiv if y == 0 => u64::MAX,
        Binary::SDiv => x.wrapping_div(y) as u64,
        Binary::SRem if y == 0 => a,
        Binary::SRem => x.wrapping_rem(y) as u64,
        Binary::UMulHigh => ((u128::from(a) * u128::from(b)) >> width) as u64,
        Binary::SMulHigh => ((i128::from(x) * i128::from(y)) >> width) as u64,
        Binary::Equal => u64::from(a == b),
        Binary::ULess => u64::from(a < b),
        Binary::SLess => u64::from(x < y),
    }
}
