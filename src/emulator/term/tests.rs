//! Tests of the algebra: each named rule on an example, and all of them against evaluation.

use super::*;
use proptest::prelude::*;
use ptxasw_ir::divergence::Level;
use ptxasw_ir::lanes::LaneMap;
use rustc_hash::FxHashMap;

fn symbol(terms: &mut Terms, name: &str, width: u8) -> TermId {
    terms.symbol(Symbol::new(name, width, Variance::Of(Level::Uniform)))
}

fn tid(terms: &mut Terms) -> TermId {
    terms.symbol(Symbol::new("tid.x", 32, Variance::TidX).within(0, 1023))
}

#[test]
fn sums_cancel_and_print() {
    let mut terms = Terms::new();
    let a = symbol(&mut terms, "a", 64);
    let i = symbol(&mut terms, "i", 32);
    let extended = terms.sext(i, 64);
    let scaled = terms.scale(extended, 4);
    let address = terms.add(a, scaled);
    let address = terms.offset(address, 8);
    assert_eq!(terms.display(address).to_string(), "a + 4*sext64(i) + 8");
    let back = terms.sub(address, scaled);
    assert_eq!(terms.offset(back, 8u64.wrapping_neg()), a);
    let zero = terms.sub(address, address);
    assert_eq!(terms.as_const(zero), Some(0));
}

#[test]
fn truncation_undoes_extension() {
    let mut terms = Terms::new();
    let i = symbol(&mut terms, "i", 32);
    let j = symbol(&mut terms, "j", 32);
    let sum = terms.add(i, j);
    let extended = terms.sext(sum, 64);
    assert_eq!(terms.truncate(extended, 32), sum);
    let (wide_i, wide_j) = (terms.sext(i, 64), terms.zext(j, 64));
    let wide = terms.add(wide_i, wide_j);
    assert_eq!(terms.truncate(wide, 32), sum);
    assert_ne!(extended, wide);
    // `and x, 0xffffffff` is the same extension.
    let low = terms.constant(64, 0xffff_ffff);
    let masked = terms.and(extended, low);
    assert_eq!(masked, terms.zext(sum, 64));
}

#[test]
fn extension_of_a_bounded_sum_distributes() {
    let mut terms = Terms::new();
    let x = tid(&mut terms);
    let next = terms.offset(x, 1);
    let wide = terms.zext(x, 64);
    let expected = terms.offset(wide, 1);
    assert_eq!(terms.zext(next, 64), expected);
    assert_eq!(terms.sext(next, 64), expected);
    let before = terms.offset(x, u64::MAX);
    let expected = terms.offset(wide, u64::MAX);
    assert_eq!(terms.sext(before, 64), expected);
    assert_ne!(terms.zext(before, 64), expected);
}

#[test]
fn an_extension_undoes_an_extraction_within_range_only() {
    let mut terms = Terms::new();
    for (greatest, fits) in [(255, true), (256, false)] {
        let x = Symbol::new(format!("x{greatest}"), 32, Variance::Of(Level::Uniform))
            .within(0, greatest);
        let x = terms.symbol(x);
        let low = terms.truncate(x, 8);
        assert_eq!(terms.zext(low, 32) == x, fits);
        // From -128 to 127, or to 128.
        let centred = terms.offset(x, 128u64.wrapping_neg());
        let low = terms.truncate(centred, 8);
        assert_eq!(terms.sext(low, 32) == centred, fits);
        // From 127 down to -128, or to -129.
        let mirrored = terms.sum(32, 127, &[(x, u64::MAX)]);
        let low = terms.truncate(mirrored, 8);
        assert_eq!(terms.sext(low, 32) == mirrored, fits);
    }
}

#[test]
fn xor_of_an_aligned_term_is_affine() {
    let mut terms = Terms::new();
    let n = symbol(&mut terms, "n", 32);
    let n = terms.sext(n, 64);
    let aligned = terms.scale(n, 4);
    let minus_four = terms.constant(64, 4u64.wrapping_neg());
    let flipped = terms.xor(aligned, minus_four);
    let negated = terms.neg(aligned);
    assert_eq!(flipped, terms.offset(negated, 4u64.wrapping_neg()));
}

#[test]
fn packed_halves_are_joined() {
    let mut terms = Terms::new();
    let x = symbol(&mut terms, "x", 64);
    let low = terms.extract(x, 0, 32);
    let high = terms.extract(x, 32, 32);
    assert_eq!(terms.concat(high, low), x);
    let (a, b) = (symbol(&mut terms, "a", 32), symbol(&mut terms, "b", 32));
    let packed = terms.concat(a, b);
    assert_eq!(terms.extract(packed, 0, 32), b);
    assert_eq!(terms.extract(packed, 32, 32), a);
    let third = terms.extract(packed, 8, 16);
    assert_eq!(third, terms.extract(b, 8, 16));
}

#[test]
fn fields_are_masks_and_shifts() {
    let mut terms = Terms::new();
    let x = symbol(&mut terms, "x", 32);
    let five = terms.constant(32, 5);
    let down = terms.lshr(x, five);
    let up = terms.shl(down, five);
    let mask = terms.constant(32, 32u64.wrapping_neg());
    let masked = terms.and(x, mask);
    assert_eq!(up, masked);
    let low = terms.constant(32, 31);
    let lane = terms.and(x, low);
    let or = terms.or(masked, lane);
    assert_eq!(or, x);
    // A multiple of the mask's step moves through it.
    let moved = terms.offset(x, 64);
    let moved = terms.and(moved, mask);
    assert_eq!(moved, terms.offset(masked, 64));
}

#[test]
fn booleans_are_normal() {
    let mut terms = Terms::new();
    let (p, q) = (symbol(&mut terms, "p", 1), symbol(&mut terms, "q", 1));
    let (np, nq) = (terms.not(p), terms.not(q));
    let or = terms.or(p, q);
    let and = terms.and(np, nq);
    assert_eq!(terms.not(or), and);
    let never = terms.and(p, np);
    assert_eq!(terms.as_const(never), Some(0));
    let always = terms.or(p, np);
    assert_eq!(terms.as_const(always), Some(1));
    let (x, y) = (symbol(&mut terms, "x", 32), symbol(&mut terms, "y", 32));
    let one = terms.ite(p, x, y);
    assert_eq!(terms.ite(np, y, x), one);
    let incremented = terms.offset(x, 1);
    let choice = terms.ite(p, incremented, x);
    let bit = terms.zext(p, 32);
    assert_eq!(choice, terms.add(x, bit));
    let zero = terms.constant(32, 0);
    assert_eq!(terms.not_equal(bit, zero), p);
}

#[test]
fn comparisons_with_constants_have_one_form() {
    let mut terms = Terms::new();
    let x = symbol(&mut terms, "x", 32);
    let (seven, eight) = (terms.constant(32, 7), terms.constant(32, 8));
    let below = terms.sless(x, eight);
    let above = terms.sless(seven, x);
    assert_eq!(terms.not(below), above);
    let t = tid(&mut terms);
    let limit = terms.constant(32, 1024);
    let inside = terms.sless(t, limit);
    assert_eq!(terms.as_const(inside), Some(1));
}

#[test]
fn products_are_multiplied_out() {
    let mut terms = Terms::new();
    let (x, y) = (symbol(&mut terms, "x", 32), symbol(&mut terms, "y", 32));
    let x1 = terms.offset(x, 1);
    let product = terms.mul(x1, y);
    let plain = terms.mul(y, x);
    assert_eq!(product, terms.add(plain, y));
}

#[test]
fn lanes_shift() {
    let mut terms = Terms::new();
    let x = tid(&mut terms);
    let loaded = terms.symbol(Symbol::new("ld1", 32, Variance::Of(Level::Divergent)));
    let row = terms.symbol(Symbol::new("tid.y", 32, Variance::Of(Level::Row)).within(0, 1023));
    let sum = terms.sum(32, 0, &[(x, 4), (loaded, 1), (row, 1)]);
    assert!(!terms.is_row_uniform(sum) && terms.is_row_uniform(row) && !terms.is_uniform(row));
    let shifted = terms.shift_lane(sum, 2);
    assert_eq!(
        terms.display(shifted).to_string(),
        "4*tid.x + tid.y + ld1@2 + 8"
    );
    assert_eq!(terms.shift_lane(shifted, -2), sum);
    let three = terms.shift_lane(shifted, 1);
    assert_eq!(three, terms.shift_lane(sum, 3));
    let mut rows = [[0; ROW_THREADS]; 2];
    let assignment = RowAssignment {
        seed: 7,
        tid_x: 100,
        lane_id: 4,
    };
    let order = Order::new(&terms, &[sum, shifted]);
    terms.evaluate_row(&order, &assignment, |root, first, values| {
        rows[root][first..first + values.len()].copy_from_slice(values);
    });
    assert_eq!(rows[0][ROW_CENTRE + 2], rows[1][ROW_CENTRE]);
    assert_ne!(rows[0][ROW_CENTRE], rows[1][ROW_CENTRE]);
}

#[test]
fn ideal_reading_opens_extensions() {
    let mut terms = Terms::new();
    let (a, i) = (symbol(&mut terms, "a", 64), symbol(&mut terms, "i", 32));
    let index = terms.offset(i, u64::MAX);
    let wide = terms.sext(index, 64);
    let address = terms.sum(64, 0, &[(a, 1), (wide, 4)]);
    let ideal = terms.ideal(address);
    assert_eq!(ideal.constant, -4);
    let wide_i = terms.sext(i, 64);
    assert_eq!(ideal.terms, vec![(a, 1), (wide_i, 4)]);
    assert_eq!(
        ideal.opened,
        vec![Opened {
            inner: index,
            signed: true
        }]
    );
}

#[test]
#[cfg_attr(miri, ignore = "it takes hours")]
fn deep_terms_need_no_stack() {
    let mut terms = Terms::new();
    let (x, y) = (symbol(&mut terms, "x", 32), tid(&mut terms));
    let mut deep = y;
    for _ in 0..50_000 {
        deep = terms.xor(deep, x);
        deep = terms.mul(deep, y);
    }
    let shifted = terms.shift_lane(deep, 1);
    assert_ne!(shifted, deep);
    terms.evaluate(shifted, &|_| 3);
    terms.truncate(deep, 8);
    terms.sext(deep, 64);
    assert!(terms.display(deep).to_string().contains("..."));
}

/// One step of a random program over a stack of terms.
#[derive(Clone, Debug)]
struct StackOperation {
    op: u8,
    a: usize,
    b: usize,
    c: usize,
    number: u64,
}

fn step() -> impl Strategy<Value = StackOperation> {
    let number = prop_oneof![
        any::<u64>(),
        0u64..70,
        (0u32..64).prop_map(|k| 1 << k),
        (0u32..64).prop_map(|k| (1u64 << k).wrapping_neg()),
        (0u32..64).prop_map(|k| (1u64 << k).wrapping_sub(1)),
    ];
    (0u8..26, 0usize..8, 0usize..8, 0usize..8, number).prop_map(|(op, a, b, c, number)| {
        StackOperation {
            op,
            a,
            b,
            c,
            number,
        }
    })
}

/// Symbols of the random programs with their value under test.
fn inputs(terms: &mut Terms, values: &[u64]) -> (Vec<(TermId, u64)>, FxHashMap<SymbolId, u64>) {
    let mut list = Vec::new();
    let mut map = FxHashMap::default();
    let widths = [32u8, 32, 64, 16, 1, 32];
    for (position, (&width, &value)) in widths.iter().zip(values).enumerate() {
        let mut description =
            Symbol::new(format!("s{position}"), width, Variance::Of(Level::Uniform));
        let mut value = value & mask(width);
        if position == 5 {
            description = description.within(3, 1023);
            value = 3 + value % 1021;
        }
        let t = terms.symbol(description);
        if let Node::Symbol(id) = *terms.node(t) {
            map.insert(id, value);
        }
        list.push((t, value));
    }
    (list, map)
}

/// Builds the step's term and computes its value independently of the arena.
fn execute(terms: &mut Terms, stack: &[(TermId, u64)], step: &StackOperation) -> (TermId, u64) {
    let pick = |position: usize| stack[stack.len() - 1 - position % stack.len()];
    let ((a, x), (b, y), (c, z)) = (pick(step.a), pick(step.b), pick(step.c));
    let width = terms.width(a);
    // Operands of one width, as the semantics guarantee.
    let (b, y) = resized(terms, b, y, width);
    let number = step.number & mask(width);
    let k = terms.constant(width, number);
    let unary = |terms: &mut Terms, op, to: u8| {
        let node = Node::Unary(op, a);
        (
            terms.apply_unary(op, to, a),
            evaluate::apply(&node, to, &[(width, x)]),
        )
    };
    let binary = |terms: &mut Terms, op, b: TermId, y: u64| {
        let node = Node::Binary(op, a, b);
        let t = terms.apply_binary(op, a, b);
        let to = terms.width(t);
        (t, evaluate::apply(&node, to, &[(width, x), (width, y)]))
    };
    let (b, y) = if step.number.is_multiple_of(3) {
        (k, number)
    } else {
        (b, y)
    };
    match step.op {
        0 => (terms.add(a, b), x.wrapping_add(y)),
        1 => (terms.sub(a, b), x.wrapping_sub(y)),
        2 => (terms.mul(a, b), x.wrapping_mul(y)),
        3 => (terms.scale(a, number), x.wrapping_mul(number)),
        4 => (terms.not(a), !x),
        5 => unary(terms, Unary::Zext, 64.min(width * 2)),
        6 => unary(terms, Unary::Sext, 64.min(width * 2)),
        7 => {
            let low = (step.number % u64::from(width)) as u8;
            let bits = 1 + (step.number >> 8) as u8 % (width - low);
            unary(terms, Unary::Extract(low), bits)
        }
        8 => unary(terms, Unary::Popc, width),
        9 => unary(terms, Unary::Clz, width),
        10 => unary(terms, Unary::Brev, width),
        11..=25 => {
            let ops = [
                Binary::And,
                Binary::Or,
                Binary::Xor,
                Binary::Shl,
                Binary::Lshr,
                Binary::Ashr,
                Binary::UDiv,
                Binary::URem,
                Binary::SDiv,
                Binary::SRem,
                Binary::UMulHigh,
                Binary::SMulHigh,
                Binary::Equal,
                Binary::ULess,
                Binary::SLess,
            ];
            let op = ops[usize::from(step.op) - 11];
            let small = step.number % 80;
            if matches!(op, Binary::Shl | Binary::Lshr | Binary::Ashr) && step.c.is_multiple_of(2) {
                let amount = terms.constant(width, small);
                let bits = small & mask(width);
                return binary(terms, op, amount, bits);
            }
            if step.c == 7 {
                let (bit, value) = resized(terms, c, z, 1);
                return (terms.ite(bit, a, b), if value == 1 { x } else { y });
            }
            binary(terms, op, b, y)
        }
        _ => (a, x),
    }
}

fn resized(terms: &mut Terms, t: TermId, value: u64, width: u8) -> (TermId, u64) {
    (terms.zext(t, width), value & mask(width))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 2000 }))]

    /// Simplification keeps the value, known bits and ranges contain it, and rebuilding changes nothing of it.
    #[test]
    fn algebra_is_sound(
        values in proptest::array::uniform6(prop_oneof![any::<u64>(), 0u64..40, (0u64..40).prop_map(|x| x.wrapping_neg())]),
        steps in proptest::collection::vec(step(), 1..24),
    ) {
        let mut terms = Terms::new();
        let (mut stack, symbols) = inputs(&mut terms, &values);
        for step in &steps {
            let (t, value) = execute(&mut terms, &stack, step);
            let width = terms.width(t);
            let value = value & mask(width);
            let found = terms.evaluate(t, &|id| symbols[&id]);
            prop_assert_eq!(found, value, "{:?} gives {}", step, terms.display(t));
            let facts = *terms.facts(t);
            prop_assert_eq!(value & facts.zeros, 0);
            prop_assert_eq!(value & facts.ones, facts.ones);
            prop_assert!((facts.umin..=facts.umax).contains(&value));
            prop_assert!((facts.smin..=facts.smax).contains(&signed(width, value)));
            stack.push((t, value));
        }
    }

    /// A term in the thread that a lane map leads to has the value that the term itself has there.
    #[test]
    fn mapped_terms_are_those_of_the_other_lane(
        steps in proptest::collection::vec(step(), 1..16),
        kind in 0u8..3,
        number in 0u8..32,
        seed in any::<u64>(),
    ) {
        let map = match kind {
            0 => LaneMap::Shift(number as i8 - 16),
            1 => LaneMap::Xor(number.max(1)),
            _ => LaneMap::Lane(number),
        };
        let mut terms = Terms::new();
        let lane = Symbol::new("laneid", 32, Variance::LaneId).within(0, 31);
        let mut stack = vec![
            (symbol(&mut terms, "n", 32), 0),
            (terms.symbol(Symbol::new("row", 32, Variance::Of(Level::Row))), 0),
            (terms.symbol(Symbol::new("loaded", 32, Variance::Of(Level::Divergent))), 0),
            (terms.symbol(lane), 0),
            (tid(&mut terms), 0),
        ];
        for step in &steps {
            let (t, value) = execute(&mut terms, &stack, step);
            stack.push((t, value & mask(terms.width(t))));
        }
        let own: Vec<TermId> = stack.iter().map(|&(t, _)| t).collect();
        let mapped: Vec<TermId> = own.iter().map(|&t| terms.map_lane(t, map)).collect();
        let (own_rows, rows) = (
            terms.evaluate_warp(&Order::new(&terms, &own), seed, 480),
            terms.evaluate_warp(&Order::of_most(&terms, &mapped), seed, 480),
        );
        for ((own_row, row), &t) in own_rows.iter().zip(&rows).zip(&own) {
            for (i, &value) in row.iter().enumerate() {
                let other = match map {
                    LaneMap::Shift(delta) => i.checked_add_signed(delta.into()),
                    LaneMap::Xor(mask) => Some(i ^ usize::from(mask)),
                    LaneMap::Lane(lane) => Some(lane.into()),
                };
                let Some(&expected) = other.and_then(|other| own_row.get(other)) else {
                    continue;
                };
                prop_assert_eq!(value, expected, "lane {} {:?} of {}", i, map, terms.display(t));
            }
        }
    }
}
