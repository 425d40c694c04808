//! Decided cases against every value: numbers of few bits, all threads, all uniform values.

use super::*;
use proptest::prelude::*;
use ptxasw_emulator::term::{Symbol, SymbolId, Variance, mix};
use ptxasw_ir::divergence::Level;

/// Bits of indices; addresses have 64.
const WIDTH: u8 = 5;
/// Threads of the row: not all numbers of `WIDTH` bits.
const THREADS: u64 = 24;

/// Values tried for one claim.
const TRIALS: u64 = 3000;

/// A random index, built from `%tid.x`, two uniform values and constants.
#[derive(Clone, Debug)]
struct Shape {
    /// What is done with the sum `u + tid + c`.
    kind: u8,
    constant: u64,
    divisor: u64,
    pitch: u64,
    signed: bool,
}

#[derive(Clone, Debug)]
struct Guard {
    /// Of the remainder, else of the sum.
    of_remainder: bool,
    upper: bool,
    signed: bool,
    by_uniform: bool,
    constant: u64,
}

struct Setting {
    terms: Terms,
    tid: TermId,
    base: TermId,
    u: TermId,
    w: TermId,
}

fn setting() -> Setting {
    let mut terms = Terms::new();
    let tid = terms.symbol(Symbol::new("tid.x", WIDTH, Variance::TidX).within(0, THREADS - 1));
    let base = terms.symbol(Symbol::new("a", 64, Variance::Of(Level::Uniform)));
    let u = terms.symbol(Symbol::new("u", WIDTH, Variance::Of(Level::Uniform)));
    let w = terms.symbol(Symbol::new("w", WIDTH, Variance::Of(Level::Uniform)));
    Setting {
        terms,
        tid,
        base,
        u,
        w,
    }
}

impl Setting {
    fn sum(&mut self, constant: u64) -> TermId {
        let sum = self.terms.add(self.u, self.tid);
        self.terms.offset(sum, constant)
    }

    fn divisor(&mut self, shape: &Shape) -> TermId {
        match shape.divisor {
            0 => self.w,
            // Some negative ones, too.
            number @ 9.. => self
                .terms
                .constant(WIDTH, number.wrapping_mul(3).wrapping_neg()),
            number => self.terms.constant(WIDTH, number),
        }
    }

    fn index(&mut self, shape: &Shape) -> TermId {
        let x = self.sum(shape.constant);
        let divisor = self.divisor(shape);
        let terms = &mut self.terms;
        let is_signed = shape.signed;
        match shape.kind {
            0 => {
                let (row, column) = (
                    terms.div(is_signed, x, divisor),
                    terms.rem(is_signed, x, divisor),
                );
                let row = terms.scale(row, shape.pitch);
                terms.add(row, column)
            }
            1 => terms.rem(is_signed, x, divisor),
            2 => {
                let less = terms.less(is_signed, x, divisor);
                terms.ite(less, x, divisor)
            }
            3 => {
                let low = terms.constant(WIDTH, shape.pitch);
                let less = terms.less(is_signed, x, low);
                terms.ite(less, low, x)
            }
            4 => {
                let equal = terms.equal(x, divisor);
                let low = terms.constant(WIDTH, shape.pitch);
                terms.ite(equal, low, x)
            }
            5 => {
                let mask = terms.constant(WIDTH, 7);
                let three = terms.constant(WIDTH, 3);
                let (row, column) = (terms.lshr(x, three), terms.and(x, mask));
                let row = terms.scale(row, shape.pitch);
                terms.add(row, column)
            }
            // Mirrors, with conditions on the sum without its constant, as compilers write them.
            7 => {
                let bare = terms.offset(x, shape.constant.wrapping_neg());
                let low = terms.constant(WIDTH, shape.pitch.wrapping_sub(shape.constant));
                let less = terms.less(is_signed, bare, low);
                let twice = terms.constant(WIDTH, 2 * shape.pitch);
                let mirrored = terms.sub(twice, x);
                terms.ite(less, mirrored, x)
            }
            8 => {
                let bare = terms.offset(x, shape.constant.wrapping_neg());
                let high = terms.offset(divisor, shape.constant.wrapping_neg());
                let less = terms.less(is_signed, bare, high);
                let twice = terms.scale(divisor, 2);
                let mirrored = terms.sub(twice, x);
                let inner = terms.ite(less, x, mirrored);
                let low = terms.constant(WIDTH, shape.pitch);
                let below = terms.less(is_signed, x, low);
                let mirrored = terms.sub(low, x);
                terms.ite(below, mirrored, inner)
            }
            9 => {
                let next = terms.offset(x, 1);
                let less = terms.less(is_signed, next, divisor);
                let bit = terms.zext(less, WIDTH);
                terms.add(x, bit)
            }
            _ => x,
        }
    }

    fn address(&mut self, shape: &Shape, offset: u64) -> TermId {
        let index = self.index(shape);
        let wide = match shape.signed {
            true => self.terms.sext(index, 64),
            false => self.terms.zext(index, 64),
        };
        let scaled = self.terms.scale(wide, 4);
        let sum = self.terms.add(self.base, scaled);
        self.terms.offset(sum, offset.wrapping_mul(4))
    }

    fn guard(&mut self, guard: &Guard, shape: &Shape) -> TermId {
        let x = self.sum(0);
        let divisor = self.divisor(shape);
        let terms = &mut self.terms;
        let left = match guard.of_remainder {
            true => terms.rem(shape.signed, x, divisor),
            false => x,
        };
        let right = match guard.by_uniform {
            true => terms.offset(divisor, guard.constant),
            false => terms.constant(WIDTH, guard.constant),
        };
        let less = terms.less(guard.signed, left, right);
        match guard.upper {
            true => less,
            false => terms.not(less),
        }
    }
}

/// Whether the claim's own conditions hold for these values, and if so, whether both addresses are equal.
fn verdict(
    terms: &mut Terms,
    decided: &Decided,
    addresses: (TermId, TermId),
    values: &dyn Fn(SymbolId) -> u64,
) -> Option<bool> {
    for check in &decided.wanted {
        let width = terms.width(check.term);
        let mask = u64::MAX >> (64 - width);
        let minus = check.minus.map_or(0, |minus| terms.evaluate(minus, values));
        let tested = terms.evaluate(check.term, values);
        if tested.wrapping_sub(minus).wrapping_add(check.offset) & mask > check.limit {
            return None;
        }
    }
    for obligation in &decided.obligations {
        let width = terms.width(obligation.index);
        let index = terms.evaluate(obligation.index, values);
        let (value, range) = match obligation.signed {
            true => {
                let half = 1i64 << (width - 1);
                (signed(width, index), -half..half)
            }
            false => (index as i64, 0..1i64 << width),
        };
        if !range.contains(&(value + obligation.delta)) {
            return None;
        }
    }
    let (from, to) = addresses;
    Some(terms.evaluate(from, values) == terms.evaluate(to, values))
}

fn shape() -> impl Strategy<Value = Shape> {
    (0u8..10, 0u64..32, 0u64..11, 0u64..12, any::<bool>()).prop_map(
        |(kind, constant, divisor, pitch, signed)| Shape {
            kind,
            constant: constant.wrapping_sub(16) & 31,
            divisor,
            pitch,
            signed,
        },
    )
}

fn guard() -> impl Strategy<Value = Guard> {
    (
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        -3i64..4,
    )
        .prop_map(
            |(of_remainder, upper, signed, by_uniform, constant)| Guard {
                of_remainder,
                upper,
                signed,
                by_uniform,
                constant: constant as u64 & 31,
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Where facts hold in all lanes between, checks pass in the destination's, and what is left to show holds, both
    /// addresses are equal.
    #[test]
    fn decided_cases_are_right(
        shape in shape(),
        plain in any::<bool>(),
        shift in -2i64..3,
        lanes in prop_oneof![-3i8..0, 1i8..4],
        guards in proptest::collection::vec(guard(), 0..4),
    ) {
        let mut setting = setting();
        let other = Shape {
            kind: if plain { 6 } else { shape.kind },
            constant: shape.constant.wrapping_add(shift as u64) & 31,
            ..shape.clone()
        };
        let source = setting.address(&shape, 0);
        let offset = i64::from(lanes) - shift;
        let to = setting.address(&other, offset as u64);
        let facts: Vec<TermId> = guards
            .iter()
            .map(|guard| setting.guard(guard, &shape))
            .collect();
        let Setting { mut terms, tid, u, w, .. } = setting;
        let from = terms.shift_lane(source, lanes);
        let Some(decided) = decide(&mut terms, from, to, lanes, &facts, &[]) else {
            return Ok(());
        };
        let everywhere: Vec<TermId> = (lanes.min(0)..=lanes.max(0))
            .flat_map(|lane| facts.iter().map(move |&fact| (fact, lane)))
            .map(|(fact, lane)| terms.shift_lane(fact, lane))
            .collect();
        let rules = decided.rules.clone();
        let rules: Vec<TermId> = rules
            .into_iter()
            .map(|rule| {
                let open = terms.not(rule.premise);
                terms.or(open, rule.conclusion)
            })
            .collect();
        let id = |t: TermId| match *terms.node(t) {
            Node::Symbol(id) => id,
            _ => unreachable!("a symbol"),
        };
        let (tid, u, w) = (id(tid), id(u), id(w));
        for trial in 0..TRIALS {
            let hash = mix(trial, 0x5eed);
            let (thread, uniform) = (hash % THREADS, (hash >> 8) & 31);
            // Small divisors make rows that end.
            let other = match hash >> 60 {
                0..8 => (hash >> 16) % 9,
                _ => (hash >> 16) & 31,
            };
            let there = thread as i64 + i64::from(lanes);
            if !(0..THREADS as i64).contains(&there) {
                continue;
            }
            let values = |symbol: SymbolId| match symbol {
                _ if symbol == tid => thread,
                _ if symbol == u => uniform,
                _ if symbol == w => other,
                _ => 1 << 20,
            };
            let broken = terms.evaluate_all(&rules, &values).contains(&0);
            prop_assert!(!broken, "a rule of {:?}", decided);
            if terms.evaluate_all(&everywhere, &values).contains(&0) {
                continue;
            }
            let equal = verdict(&mut terms, &decided, (from, to), &values);
            prop_assert!(
                equal != Some(false),
                "tid {} u {} w {}: {:?}\n{}\n{}",
                thread,
                uniform,
                other,
                decided,
                terms.display(from),
                terms.display(to)
            );
        }
    }
}

/// A row of a volume: the guard on the column decides the plane, too, for extents whose product does not wrap.
#[test]
fn the_column_decides_the_plane() {
    let mut terms = Terms::new();
    let tid = terms.symbol(Symbol::new("tid.x", 32, Variance::TidX).within(0, 1023));
    let base = terms.symbol(Symbol::new("a", 64, Variance::Of(Level::Uniform)));
    let [start, nx, ny] = ["start", "nx", "ny"]
        .map(|name| terms.symbol(Symbol::new(name, 32, Variance::Of(Level::Uniform))));
    let i = terms.add(start, tid);
    let plane = terms.mul(nx, ny);
    let z = terms.div(true, i, plane);
    let x = terms.rem(true, i, nx);
    let z = terms.scale(z, 3);
    let index = terms.add(z, x);
    let wide = terms.sext(index, 64);
    let address = terms.add(base, wide);
    let to = terms.offset(address, 1);
    let from = terms.shift_lane(address, 1);
    let one = terms.constant(32, 1);
    let below = terms.less(true, x, one);
    let inside = terms.not(below);
    let decided = decide(&mut terms, from, to, 1, &[inside], &[]).expect("one row");
    let limits: Vec<u64> = decided.wanted.iter().map(|check| check.limit).collect();
    assert_eq!(limits, [46339, 46339]);
    assert!(
        decide(&mut terms, from, to, 1, &[], &[]).is_some_and(|decided| {
            // Without the guard, remainders are checked.
            decided.wanted.iter().any(|check| check.minus.is_some())
        })
    );
}

/// `%tid.x`, an array's address, and two uniform numbers of 32 bits.
fn symbols() -> (Terms, [TermId; 4]) {
    let mut terms = Terms::new();
    let tid = terms.symbol(Symbol::new("tid.x", 32, Variance::TidX).within(0, 1023));
    let base = terms.symbol(Symbol::new("a", 64, Variance::Of(Level::Uniform)));
    let [start, n] = ["start", "n"]
        .map(|name| terms.symbol(Symbol::new(name, 32, Variance::Of(Level::Uniform))));
    (terms, [tid, base, start, n])
}

/// Half of all numbers away, which a signed remainder does not distinguish from zero.
#[test]
fn half_of_all_numbers_is_no_step_in_a_row() {
    let (mut terms, [tid, base, start, n]) = symbols();
    let here = terms.add(start, tid);
    let far = terms.offset(here, 0x7fff_ffff);
    let [here, far] = [here, far].map(|i| terms.rem(true, i, n));
    let here = terms.offset(here, 0x8000_0000);
    let [to, source] = [here, far].map(|index| {
        let wide = terms.sext(index, 64);
        terms.add(base, wide)
    });
    let from = terms.shift_lane(source, 1);
    assert!(decide(&mut terms, from, to, 1, &[], &[]).is_none());
}

/// A mirrored border: both arms move with the lanes, and the guard keeps the index away from a wrap.
#[test]
fn a_mirror_is_alike_under_its_guard() {
    let (mut terms, [tid, base, start, n]) = symbols();
    let i = terms.add(start, tid);
    let guard = terms.less(true, i, n);
    // `at + k` mirrored at 0 and, for k > 0, at `n`.
    let mirror = |terms: &mut Terms, k: i64| {
        let at = terms.offset(i, k as u64);
        let low = terms.constant(32, (-k) as u64 & 0xffff_ffff);
        let below = terms.less(true, i, low);
        let zero = terms.constant(32, 0);
        let negative = terms.sub(zero, at);
        let inside = terms.less(true, at, n);
        let twice = terms.scale(n, 2);
        let beyond = terms.sub(twice, at);
        let beyond = terms.offset(beyond, (-2i64) as u64);
        let upper = match k > 0 {
            true => terms.ite(inside, at, beyond),
            false => at,
        };
        let index = terms.ite(below, negative, upper);
        let wide = terms.sext(index, 64);
        let scaled = terms.scale(wide, 4);
        terms.add(base, scaled)
    };
    for (source, destination) in [(-1, 0), (0, -1), (-1, 1), (-2, 2), (2, -2)] {
        let lanes = (destination - source) as i8;
        let address = mirror(&mut terms, source);
        let from = terms.shift_lane(address, lanes);
        let to = mirror(&mut terms, destination);
        let decided = decide(&mut terms, from, to, lanes, &[guard], &[]).expect("alike");
        assert!(decided.wanted.is_empty(), "{source} {destination}");
        assert!(decided.obligations.is_empty(), "{source} {destination}");
        assert!(decided.used.contains(&guard));
        // Without the guard the index may wrap, and only a check decides.
        if let Some(unguarded) = decide(&mut terms, from, to, lanes, &[], &[]) {
            assert!(!unguarded.wanted.is_empty(), "{source} {destination}");
        }
    }
}
