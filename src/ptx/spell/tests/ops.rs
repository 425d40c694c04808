//! All operations, with all values of their fields: also those that nothing makes.

use ptxasw_ir::op::*;
use ptxasw_ir::types::{Kind, Space, Type};

const BOOLS: [bool; 2] = [false, true];
const WIDTHS: [u8; 5] = [1, 8, 16, 32, 64];
const PRODUCTS: [Product; 3] = [Product::Low, Product::High, Product::Wide];
const LOGIC: [Option<Logic>; 4] = [None, Some(Logic::And), Some(Logic::Or), Some(Logic::Xor)];
const COMPARISONS: [Comparison; 14] = [
    Comparison::Eq,
    Comparison::Ne,
    Comparison::Lt,
    Comparison::Le,
    Comparison::Gt,
    Comparison::Ge,
    Comparison::EqU,
    Comparison::NeU,
    Comparison::LtU,
    Comparison::LeU,
    Comparison::GtU,
    Comparison::GeU,
    Comparison::Num,
    Comparison::Nan,
];
const ROUNDINGS: [Rounding; 8] = [
    Rounding::Nearest,
    Rounding::Contractible,
    Rounding::Zero,
    Rounding::Down,
    Rounding::Up,
    Rounding::NearestAway,
    Rounding::Approximate,
    Rounding::Full,
];
const FLOAT_OPS: [FloatOp; 20] = [
    FloatOp::Add,
    FloatOp::Sub,
    FloatOp::Mul,
    FloatOp::Fma,
    FloatOp::Div,
    FloatOp::Rcp,
    FloatOp::Sqrt,
    FloatOp::Rsqrt,
    FloatOp::Neg,
    FloatOp::Abs,
    FloatOp::Min,
    FloatOp::Max,
    FloatOp::Min3,
    FloatOp::Max3,
    FloatOp::Sin,
    FloatOp::Cos,
    FloatOp::Lg2,
    FloatOp::Ex2,
    FloatOp::Tanh,
    FloatOp::CopySign,
];
const CLASSES: [TestClass; 6] = [
    TestClass::Finite,
    TestClass::Infinite,
    TestClass::Number,
    TestClass::NotANumber,
    TestClass::Normal,
    TestClass::Subnormal,
];
const PERMUTATIONS: [Permute; 7] = [
    Permute::Index,
    Permute::F4e,
    Permute::B4e,
    Permute::Rc8,
    Permute::Ecl,
    Permute::Ecr,
    Permute::Rc16,
];
const SPACES: [Space; 8] = [
    Space::Generic,
    Space::Global,
    Space::Const,
    Space::Shared,
    Space::SharedCluster,
    Space::Local,
    Space::ParamEntry,
    Space::ParamFunc,
];

/// All pairs.
fn pairs<A: Copy, B: Copy>(first: &[A], second: &[B]) -> Vec<(A, B)> {
    let pair = |&a: &A| second.iter().map(move |&b| (a, b));
    first.iter().flat_map(pair).collect()
}

/// All types of up to 64 bits.
fn types() -> Vec<Type> {
    let integers = pairs(
        &[Kind::Bits, Kind::Unsigned, Kind::Signed],
        &[8, 16, 32, 64],
    );
    let packed = [
        Kind::Float16x2,
        Kind::BFloat16x2,
        Kind::Unsigned16x2,
        Kind::Signed16x2,
    ];
    let mut types: Vec<Type> = integers.into_iter().map(|(k, b)| Type::new(k, b)).collect();
    types.extend(packed.map(|kind| Type::new(kind, 32)));
    types.extend([16, 32, 64].map(|bits| Type::new(Kind::Float, bits)));
    types.extend([
        Type::PRED,
        Type::new(Kind::BFloat, 16),
        Type::new(Kind::Other, 32),
    ]);
    types
}

fn modes() -> Vec<FloatMode> {
    let flags = (0..32u8).collect::<Vec<_>>();
    let mode = |(rounding, flags): (Rounding, u8)| FloatMode {
        rounding,
        ftz: flags & 1 != 0,
        saturate: flags & 2 != 0,
        relu: flags & 4 != 0,
        nan: flags & 8 != 0,
        xorsign_abs: flags & 16 != 0,
    };
    pairs(&ROUNDINGS, &flags).into_iter().map(mode).collect()
}

/// Every operation.
pub(super) fn all() -> Vec<Op> {
    let mut ops = vec![Op::Fns];
    for width in WIDTHS {
        of_width(width, &mut ops);
    }
    constants(&mut ops);
    comparisons(&mut ops);
    floats(&mut ops);
    conversions(&mut ops);
    movements(&mut ops);
    ops
}

/// Operations on integers and bits of a width.
fn of_width(width: u8, ops: &mut Vec<Op>) {
    ops.extend([
        Op::Copy { width },
        Op::Add { width },
        Op::Sub { width },
        Op::Abs { width },
        Op::Neg { width },
        Op::And { width },
        Op::Or { width },
        Op::Xor { width },
        Op::Not { width },
        Op::LogicalNot { width },
        Op::Shl { width },
        Op::Bfi { width },
        Op::Clz { width },
        Op::Popc { width },
        Op::Brev { width },
        Op::Select { width },
    ]);
    for signed in BOOLS {
        ops.extend([
            Op::Sad { width, signed },
            Op::Div { width, signed },
            Op::Rem { width, signed },
            Op::Shr { width, signed },
            Op::Bfe { width, signed },
        ]);
        #[rustfmt::skip]
        ops.extend(BOOLS.map(|relu| Op::Min { width, signed, relu }));
        #[rustfmt::skip]
        ops.extend(BOOLS.map(|relu| Op::Max { width, signed, relu }));
        #[rustfmt::skip]
        ops.extend(BOOLS.map(|shift| Op::Bfind { width, signed, shift }));
        for product in PRODUCTS {
            #[rustfmt::skip]
            ops.push(Op::Mul { product, width, signed });
            #[rustfmt::skip]
            ops.extend(BOOLS.map(|saturate| Op::MulAdd { product, width, signed, saturate }));
        }
    }
    for (carry_in, carry_out) in pairs(&BOOLS, &BOOLS) {
        for (product, flag) in pairs(&PRODUCTS, &BOOLS) {
            #[rustfmt::skip]
            ops.push(Op::Carry { subtract: flag, width, carry_in, carry_out });
            #[rustfmt::skip]
            ops.push(Op::MulAddCarry { product, width, signed: flag, carry_in, carry_out });
        }
    }
    for (float, ftz) in pairs(&BOOLS, &BOOLS) {
        ops.push(Op::SelectSign { width, float, ftz });
    }
    for space in SPACES {
        ops.push(Op::ToGeneric { space, width });
        ops.push(Op::FromGeneric { space, width });
    }
}

/// Operations on integers and bits that have one width.
fn constants(ops: &mut Vec<Op>) {
    ops.extend(PERMUTATIONS.map(Op::Prmt));
    ops.extend(SPACES.map(|space| Op::IsSpace { space }));
    for (table, predicate) in pairs(&(0..=255).collect::<Vec<u8>>(), &LOGIC) {
        ops.push(Op::Lop3 { table, predicate });
    }
    for flag in BOOLS {
        ops.push(Op::AddSaturate { subtract: flag });
        ops.push(Op::Bmsk { wrap: flag });
        for signed in BOOLS {
            ops.push(Op::Szext { wrap: flag, signed });
            #[rustfmt::skip]
            ops.push(Op::Funnel { left: signed, wrap: flag });
            #[rustfmt::skip]
            ops.push(Op::Dp4a { signed_a: flag, signed_b: signed });
            #[rustfmt::skip]
            ops.extend(BOOLS.map(|high| Op::Dp2a { signed_a: flag, signed_b: signed, high }));
            #[rustfmt::skip]
            ops.extend(PRODUCTS.map(|product| Op::Mul24 { product, signed, add: flag }));
        }
    }
}

fn comparisons(ops: &mut Vec<Op>) {
    let types = types();
    for (comparison, logic) in pairs(&COMPARISONS, &LOGIC) {
        for (ty, ftz) in pairs(&types, &BOOLS) {
            #[rustfmt::skip]
            ops.push(Op::Compare { comparison, ty, logic, ftz });
            #[rustfmt::skip]
            ops.extend(types.iter().map(|&to| Op::Set { comparison, ty, to, logic, ftz }));
        }
    }
    for (class, ty) in pairs(&CLASSES, &types) {
        ops.push(Op::Test { class, ty });
    }
}

fn floats(ops: &mut Vec<Op>) {
    for (op, ty) in pairs(&FLOAT_OPS, &types()) {
        let with = |mode| Op::Float { op, ty, mode };
        ops.extend(modes().into_iter().map(with));
    }
}

fn conversions(ops: &mut Vec<Op>) {
    let modes = pairs(&modes(), &BOOLS);
    for (from, to) in pairs(&types(), &types()) {
        #[rustfmt::skip]
        ops.extend(modes.iter().map(|&(mode, integral)| Op::Convert { from, to, mode, integral }));
    }
    for (from, to) in pairs(&[1, 8, 16, 24, 32, 64], &WIDTHS) {
        ops.extend(BOOLS.map(|signed| Op::Extend { from, to, signed }));
    }
}

fn movements(ops: &mut Vec<Op>) {
    let parts = [(2, 8), (2, 16), (4, 8), (2, 32), (4, 16), (8, 8)];
    for (parts, width) in parts {
        ops.push(Op::Pack { parts, width });
        ops.push(Op::Unpack { parts, width });
    }
    #[rustfmt::skip]
    ops.push(Op::Copies { count: 2, width: 64 });
}
