//! A list of all operations, with all their parameters or, where they are many, a selection.

use crate::op::*;
use crate::types::{Kind, Space, Type};

const BOOLS: [bool; 2] = [false, true];
const WIDTHS: [u8; 3] = [16, 32, 64];
const WIDE: [u8; 2] = [32, 64];
const PRODUCTS: [Product; 2] = [Product::Low, Product::High];
const LOGIC: [Option<Logic>; 4] = [None, Some(Logic::And), Some(Logic::Or), Some(Logic::Xor)];

pub const COMPARISONS: [Comparison; 14] = [
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

pub fn integer_types() -> Vec<Type> {
    let kinds = [Kind::Bits, Kind::Unsigned, Kind::Signed];
    let widths = [8, 16, 32, 64];
    kinds
        .into_iter()
        .flat_map(|kind| widths.map(|bits| Type::new(kind, bits)))
        .collect()
}

fn float_types() -> Vec<Type> {
    vec![
        Type::new(Kind::Float, 16),
        Type::new(Kind::BFloat, 16),
        Type::F32,
        Type::F64,
    ]
}

fn packed_types() -> Vec<Type> {
    [
        Kind::Float16x2,
        Kind::BFloat16x2,
        Kind::Unsigned16x2,
        Kind::Signed16x2,
    ]
    .map(|kind| Type::new(kind, 32))
    .to_vec()
}

/// Every operation.
pub fn all() -> Vec<Op> {
    [
        arithmetic(),
        bitwise(),
        fields(),
        compare(),
        convert(),
        floating(),
    ]
    .concat()
}

fn arithmetic() -> Vec<Op> {
    let mut ops = Vec::new();
    for subtract in BOOLS {
        ops.push(Op::AddSaturate { subtract });
    }
    for width in WIDTHS {
        ops.extend([
            Op::Add { width },
            Op::Sub { width },
            Op::Abs { width },
            Op::Neg { width },
            Op::LogicalNot { width },
            Op::Shl { width },
        ]);
        for signed in BOOLS {
            ops.extend([
                Op::Sad { width, signed },
                Op::Div { width, signed },
                Op::Rem { width, signed },
                Op::Shr { width, signed },
            ]);
            for relu in BOOLS {
                ops.push(Op::Min {
                    width,
                    signed,
                    relu,
                });
                ops.push(Op::Max {
                    width,
                    signed,
                    relu,
                });
            }
        }
    }
    for signed in BOOLS {
        ops.extend(products(signed));
        for signed_b in BOOLS {
            ops.push(Op::Dp4a {
                signed_a: signed,
                signed_b,
            });
            for high in BOOLS {
                ops.push(Op::Dp2a {
                    signed_a: signed,
                    signed_b,
                    high,
                });
            }
        }
    }
    ops.extend(carries());
    ops
}

fn products(signed: bool) -> Vec<Op> {
    let mut ops = vec![Op::MulAdd {
        product: Product::High,
        width: 32,
        signed,
        saturate: true,
    }];
    let widths = WIDTHS.into_iter().flat_map(|w| PRODUCTS.map(|p| (p, w)));
    for (product, width) in widths.chain([(Product::Wide, 16), (Product::Wide, 32)]) {
        ops.push(Op::Mul {
            product,
            width,
            signed,
        });
        ops.push(Op::MulAdd {
            product,
            width,
            signed,
            saturate: false,
        });
    }
    for (product, add) in PRODUCTS.into_iter().flat_map(|p| BOOLS.map(|add| (p, add))) {
        ops.push(Op::Mul24 {
            product,
            signed,
            add,
        });
    }
    ops
}

fn carries() -> Vec<Op> {
    let mut ops = Vec::new();
    let bools = || BOOLS.into_iter();
    for (width, carry_in, carry_out) in WIDE
        .into_iter()
        .flat_map(|w| bools().flat_map(move |i| bools().map(move |o| (w, i, o))))
    {
        for flag in BOOLS {
            ops.push(Op::Carry {
                subtract: flag,
                width,
                carry_in,
                carry_out,
            });
            for product in PRODUCTS {
                ops.push(Op::MulAddCarry {
                    product,
                    width,
                    signed: flag,
                    carry_in,
                    carry_out,
                });
            }
        }
    }
    ops
}

fn bitwise() -> Vec<Op> {
    let mut ops = vec![Op::Fns];
    for width in [1, 8, 16, 32, 64] {
        ops.extend([
            Op::Copy { width },
            Op::And { width },
            Op::Or { width },
            Op::Xor { width },
            Op::Not { width },
            Op::Select { width },
        ]);
    }
    for table in 0..=u8::MAX {
        for predicate in LOGIC {
            ops.push(Op::Lop3 { table, predicate });
        }
    }
    for mode in [
        Permute::Index,
        Permute::F4e,
        Permute::B4e,
        Permute::Rc8,
        Permute::Ecl,
        Permute::Ecr,
        Permute::Rc16,
    ] {
        ops.push(Op::Prmt(mode));
    }
    ops
}

fn fields() -> Vec<Op> {
    let mut ops = Vec::new();
    for wrap in BOOLS {
        ops.push(Op::Bmsk { wrap });
        for flag in BOOLS {
            ops.push(Op::Funnel { left: flag, wrap });
            ops.push(Op::Szext { wrap, signed: flag });
        }
    }
    for width in WIDE {
        ops.extend([
            Op::Bfi { width },
            Op::Clz { width },
            Op::Popc { width },
            Op::Brev { width },
        ]);
        for signed in BOOLS {
            ops.push(Op::Bfe { width, signed });
            for shift in BOOLS {
                ops.push(Op::Bfind {
                    width,
                    signed,
                    shift,
                });
            }
        }
    }
    ops
}

fn compare() -> Vec<Op> {
    let mut ops = Vec::new();
    for (comparison, logic) in COMPARISONS
        .into_iter()
        .flat_map(|c| LOGIC.map(|logic| (c, logic)))
    {
        let ftz = logic.is_none();
        for ty in [integer_types(), float_types(), packed_types()].concat() {
            ops.push(Op::Compare {
                comparison,
                ty,
                logic,
                ftz,
            });
            for to in [Type::U32, Type::F32, Type::new(Kind::Float, 16)] {
                ops.push(Op::Set {
                    comparison,
                    ty,
                    to,
                    logic,
                    ftz,
                });
            }
        }
    }
    for width in WIDTHS {
        for (float, ftz) in [(false, false), (true, false), (true, true)] {
            ops.push(Op::SelectSign { width, float, ftz });
        }
    }
    for class in [
        TestClass::Finite,
        TestClass::Infinite,
        TestClass::Number,
        TestClass::NotANumber,
        TestClass::Normal,
        TestClass::Subnormal,
    ] {
        for ty in [Type::F32, Type::F64] {
            ops.push(Op::Test { class, ty });
        }
    }
    ops
}

fn convert() -> Vec<Op> {
    let mut ops = Vec::new();
    let types = [integer_types(), float_types()].concat();
    let mode = FloatMode::NEAREST;
    let saturate = FloatMode {
        saturate: true,
        ftz: true,
        rounding: Rounding::Zero,
        ..mode
    };
    for &from in &types {
        for &to in &types {
            for (mode, integral) in [(mode, false), (saturate, true)] {
                ops.push(Op::Convert {
                    from,
                    to,
                    mode,
                    integral,
                });
            }
        }
    }
    for to in [Kind::Float16x2, Kind::BFloat16x2] {
        ops.push(Op::Convert {
            from: Type::F32,
            to: Type::new(to, 32),
            mode,
            integral: false,
        });
    }
    for (from, to) in [1, 8, 16, 24, 32, 64]
        .into_iter()
        .flat_map(|from| [1, 8, 16, 32, 64].map(|to| (from, to)))
    {
        for signed in BOOLS {
            ops.push(Op::Extend { from, to, signed });
        }
    }
    for (parts, width) in [(2, 8), (2, 16), (4, 8), (2, 32), (4, 16), (8, 8)] {
        ops.push(Op::Pack { parts, width });
        ops.push(Op::Unpack { parts, width });
    }
    ops.push(Op::Copies {
        count: 2,
        width: 64,
    });
    for space in [
        Space::Generic,
        Space::Global,
        Space::Const,
        Space::Shared,
        Space::SharedCluster,
        Space::Local,
        Space::ParamEntry,
        Space::ParamFunc,
    ] {
        ops.push(Op::IsSpace { space });
        for width in WIDE {
            ops.push(Op::ToGeneric { space, width });
            ops.push(Op::FromGeneric { space, width });
        }
    }
    ops
}

pub const FLOAT_OPS: [FloatOp; 20] = [
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

fn floating() -> Vec<Op> {
    let mut ops = Vec::new();
    let modes = [
        FloatMode::NEAREST,
        FloatMode {
            ftz: true,
            rounding: Rounding::Down,
            ..FloatMode::NEAREST
        },
        FloatMode {
            relu: true,
            nan: true,
            xorsign_abs: true,
            rounding: Rounding::Up,
            ..FloatMode::NEAREST
        },
        FloatMode {
            saturate: true,
            rounding: Rounding::Approximate,
            ..FloatMode::NEAREST
        },
        FloatMode {
            rounding: Rounding::Full,
            ..FloatMode::NEAREST
        },
    ];
    let packed = [Kind::Float16x2, Kind::BFloat16x2].map(|kind| Type::new(kind, 32));
    for ty in [float_types(), packed.to_vec()].concat() {
        for (op, mode) in FLOAT_OPS
            .into_iter()
            .flat_map(|op| modes.map(|mode| (op, mode)))
        {
            ops.push(Op::Float { op, ty, mode });
        }
    }
    ops
}
