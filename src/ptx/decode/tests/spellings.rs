//! Spelling by spelling: what an opcode means. The number is that of the operands.

use crate::decode::opcodes::shape;
use crate::decode::shape::{Atomic, Memory, Plain, Results, Shape, Written};
use crate::spell;
use ptxasw_ir::op::Comparison as C;
use ptxasw_ir::op::FloatOp as F;
use ptxasw_ir::op::{FloatMode, Logic, Op, Permute, Product, Rounding, TestClass};
use ptxasw_ir::opcode::{
    Access, AtomicOp, BarrierKind, Effects, Opcode, Order, Scope, ShuffleMode, VoteMode,
    VoteOrCount,
};
use ptxasw_ir::types::{Kind, Space, Type};

const U16: Type = Type::new(Kind::Unsigned, 16);
const S8: Type = Type::new(Kind::Signed, 8);
const U8: Type = Type::new(Kind::Unsigned, 8);
const F16: Type = Type::new(Kind::Float, 16);
const BF16: Type = Type::new(Kind::BFloat, 16);
const F16X2: Type = Type::new(Kind::Float16x2, 32);
const BF16X2: Type = Type::new(Kind::BFloat16x2, 32);
const N: FloatMode = FloatMode::NEAREST;
const A: FloatMode = rounded(Rounding::Approximate);
/// Without a rounding, where one can be given.
const C: FloatMode = rounded(Rounding::Contractible);

const fn rounded(rounding: Rounding) -> FloatMode {
    FloatMode { rounding, ..N }
}

const fn ftz(mode: FloatMode) -> FloatMode {
    FloatMode { ftz: true, ..mode }
}

const fn sat(mode: FloatMode) -> FloatMode {
    FloatMode {
        saturate: true,
        ..mode
    }
}

const fn relu(mode: FloatMode) -> FloatMode {
    FloatMode { relu: true, ..mode }
}

const fn nan(mode: FloatMode) -> FloatMode {
    FloatMode { nan: true, ..mode }
}

const fn float(op: F, ty: Type, mode: FloatMode) -> Op {
    Op::Float { op, ty, mode }
}

const fn compare(comparison: C, ty: Type) -> Op {
    Op::Compare {
        comparison,
        ty,
        logic: None,
        ftz: false,
    }
}

const fn convert(to: Type, from: Type, mode: FloatMode) -> Op {
    Op::Convert {
        from,
        to,
        mode,
        integral: false,
    }
}

const fn mul(product: Product, width: u8, signed: bool) -> Op {
    Op::Mul {
        product,
        width,
        signed,
    }
}

const fn mad(product: Product, width: u8, signed: bool) -> Op {
    Op::MulAdd {
        product,
        width,
        signed,
        saturate: false,
    }
}

const fn carry(subtract: bool, width: u8, carry_in: bool, carry_out: bool) -> Op {
    Op::Carry {
        subtract,
        width,
        carry_in,
        carry_out,
    }
}

/// Checks that each spelling is that operation, and that its sources fit the number of operands.
fn check(table: &[(&str, usize, Op)]) {
    for (text, operands, op) in table {
        match shape(text, *operands) {
            Shape::Plain(plain) => {
                assert_eq!(plain.opcode, Opcode::Op(*op), "{text}");
                assert_eq!(plain.sources.len() + 1, *operands, "{text}");
                check_back(op, *operands);
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// Checks that the operation's own spelling means the same; what needs the condition code has none.
fn check_back(op: &Op, operands: usize) {
    match spell::opcode(op) {
        Some(back) => match shape(&back.opcode, operands) {
            Shape::Plain(plain) => assert_eq!(plain.opcode, Opcode::Op(*op), "{}", back.opcode),
            other => panic!("{}: {other:?}", back.opcode),
        },
        None => assert!(matches!(op, Op::Carry { .. }), "{op:?}"),
    }
}

#[test]
fn integer_arithmetic() {
    use Product::{High, Low, Wide};
    check(&[
        ("add.u16", 3, Op::Add { width: 16 }),
        ("add.s32", 3, Op::Add { width: 32 }),
        ("add.u32", 3, Op::Add { width: 32 }),
        ("add.s64", 3, Op::Add { width: 64 }),
        ("add.sat.s32", 3, Op::AddSaturate { subtract: false }),
        ("add.s32.sat", 3, Op::AddSaturate { subtract: false }),
        ("sub.s32", 3, Op::Sub { width: 32 }),
        ("sub.u64", 3, Op::Sub { width: 64 }),
        ("sub.sat.s32", 3, Op::AddSaturate { subtract: true }),
        ("mul.lo.s32", 3, mul(Low, 32, true)),
        ("mul.lo.u64", 3, mul(Low, 64, false)),
        ("mul.hi.u32", 3, mul(High, 32, false)),
        ("mul.wide.s32", 3, mul(Wide, 32, true)),
        ("mul.wide.u16", 3, mul(Wide, 16, false)),
        ("mad.lo.s32", 4, mad(Low, 32, true)),
        ("mad.hi.u64", 4, mad(High, 64, false)),
        ("mad.wide.u32", 4, mad(Wide, 32, false)),
        (
            "mad.hi.sat.s32",
            4,
            Op::MulAdd {
                product: High,
                width: 32,
                signed: true,
                saturate: true,
            },
        ),
        (
            "mul24.lo.s32",
            3,
            Op::Mul24 {
                product: Low,
                signed: true,
                add: false,
            },
        ),
        (
            "mad24.hi.u32",
            4,
            Op::Mul24 {
                product: High,
                signed: false,
                add: true,
            },
        ),
        (
            "sad.u32",
            4,
            Op::Sad {
                width: 32,
                signed: false,
            },
        ),
        (
            "vadd.s32.s32.s32.add",
            4,
            Op::SumOfThree { subtract: false },
        ),
        ("vsub.u32.u32.u32.add", 4, Op::SumOfThree { subtract: true }),
        (
            "div.s32",
            3,
            Op::Div {
                width: 32,
                signed: true,
            },
        ),
        (
            "div.u64",
            3,
            Op::Div {
                width: 64,
                signed: false,
            },
        ),
        (
            "rem.u16",
            3,
            Op::Rem {
                width: 16,
                signed: false,
            },
        ),
        (
            "rem.s64",
            3,
            Op::Rem {
                width: 64,
                signed: true,
            },
        ),
        ("abs.s32", 2, Op::Abs { width: 32 }),
        ("abs.s16", 2, Op::Abs { width: 16 }),
        ("neg.s32", 2, Op::Neg { width: 32 }),
        ("neg.s64", 2, Op::Neg { width: 64 }),
        (
            "min.s32",
            3,
            Op::Min {
                width: 32,
                signed: true,
                relu: false,
            },
        ),
        (
            "min.u64",
            3,
            Op::Min {
                width: 64,
                signed: false,
                relu: false,
            },
        ),
        (
            "max.relu.s32",
            3,
            Op::Max {
                width: 32,
                signed: true,
                relu: true,
            },
        ),
        (
            "max.u16",
            3,
            Op::Max {
                width: 16,
                signed: false,
                relu: false,
            },
        ),
        ("popc.b32", 2, Op::Popc { width: 32 }),
        ("popc.b64", 2, Op::Popc { width: 64 }),
        ("clz.b32", 2, Op::Clz { width: 32 }),
        ("clz.b64", 2, Op::Clz { width: 64 }),
        ("brev.b32", 2, Op::Brev { width: 32 }),
        ("brev.b64", 2, Op::Brev { width: 64 }),
        ("fns.b32", 4, Op::Fns),
        (
            "bfind.u32",
            2,
            Op::Bfind {
                width: 32,
                signed: false,
                shift: false,
            },
        ),
        (
            "bfind.shiftamt.s64",
            2,
            Op::Bfind {
                width: 64,
                signed: true,
                shift: true,
            },
        ),
        (
            "bfe.u32",
            4,
            Op::Bfe {
                width: 32,
                signed: false,
            },
        ),
        (
            "bfe.s64",
            4,
            Op::Bfe {
                width: 64,
                signed: true,
            },
        ),
        ("bfi.b32", 5, Op::Bfi { width: 32 }),
        ("bfi.b64", 5, Op::Bfi { width: 64 }),
        (
            "szext.clamp.s32",
            3,
            Op::Szext {
                wrap: false,
                signed: true,
            },
        ),
        (
            "szext.wrap.u32",
            3,
            Op::Szext {
                wrap: true,
                signed: false,
            },
        ),
        ("bmsk.clamp.b32", 3, Op::Bmsk { wrap: false }),
        ("bmsk.wrap.b32", 3, Op::Bmsk { wrap: true }),
        (
            "dp4a.u32.s32",
            4,
            Op::Dp4a {
                signed_a: false,
                signed_b: true,
            },
        ),
        (
            "dp2a.hi.s32.u32",
            4,
            Op::Dp2a {
                signed_a: true,
                signed_b: false,
                high: true,
            },
        ),
    ]);
}

#[test]
fn carries() {
    check(&[
        ("add.cc.u32", 3, carry(false, 32, false, true)),
        ("add.cc.s64", 3, carry(false, 64, false, true)),
        ("addc.u32", 3, carry(false, 32, true, false)),
        ("addc.cc.u32", 3, carry(false, 32, true, true)),
        ("sub.cc.u32", 3, carry(true, 32, false, true)),
        ("subc.cc.u64", 3, carry(true, 64, true, true)),
        ("subc.s32", 3, carry(true, 32, true, false)),
    ]);
    for (text, product, carry_in, carry_out) in [
        ("mad.lo.cc.u32", Product::Low, false, true),
        ("madc.hi.u32", Product::High, true, false),
        ("madc.lo.cc.u32", Product::Low, true, true),
    ] {
        let op = Op::MulAddCarry {
            product,
            width: 32,
            signed: false,
            carry_in,
            carry_out,
        };
        match shape(text, 4) {
            Shape::Plain(plain) => {
                assert_eq!(plain.opcode, Opcode::Op(op), "{text}");
                assert_eq!(
                    (plain.carry_in, plain.carry_out),
                    (carry_in, carry_out),
                    "{text}"
                );
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn logic_and_shift() {
    check(&[
        ("and.b32", 3, Op::And { width: 32 }),
        ("and.pred", 3, Op::And { width: 1 }),
        ("or.b16", 3, Op::Or { width: 16 }),
        ("or.pred", 3, Op::Or { width: 1 }),
        ("xor.b64", 3, Op::Xor { width: 64 }),
        ("xor.pred", 3, Op::Xor { width: 1 }),
        ("not.b32", 2, Op::Not { width: 32 }),
        ("not.pred", 2, Op::Not { width: 1 }),
        ("cnot.b32", 2, Op::LogicalNot { width: 32 }),
        ("shl.b32", 3, Op::Shl { width: 32 }),
        ("shl.b64", 3, Op::Shl { width: 64 }),
        ("shl.b16", 3, Op::Shl { width: 16 }),
        (
            "shr.u32",
            3,
            Op::Shr {
                width: 32,
                signed: false,
            },
        ),
        (
            "shr.s64",
            3,
            Op::Shr {
                width: 64,
                signed: true,
            },
        ),
        (
            "shr.b32",
            3,
            Op::Shr {
                width: 32,
                signed: false,
            },
        ),
        (
            "shf.l.wrap.b32",
            4,
            Op::Funnel {
                left: true,
                wrap: true,
            },
        ),
        (
            "shf.r.clamp.b32",
            4,
            Op::Funnel {
                left: false,
                wrap: false,
            },
        ),
        ("prmt.b32", 4, Op::Prmt(Permute::Index)),
        ("prmt.b32.f4e", 4, Op::Prmt(Permute::F4e)),
        ("prmt.b32.b4e", 4, Op::Prmt(Permute::B4e)),
        ("prmt.b32.rc8", 4, Op::Prmt(Permute::Rc8)),
        ("prmt.b32.ecl", 4, Op::Prmt(Permute::Ecl)),
        ("prmt.b32.ecr", 4, Op::Prmt(Permute::Ecr)),
        ("prmt.b32.rc16", 4, Op::Prmt(Permute::Rc16)),
    ]);
    assert_eq!(shape("lop3.b32", 5), Shape::Lop3 { logic: None });
    let logic = Some(Logic::Or);
    assert_eq!(shape("lop3.or.b32", 6), Shape::Lop3 { logic });
}

#[test]
fn comparisons() {
    check(&[
        ("setp.eq.s32", 3, compare(C::Eq, Type::S32)),
        ("setp.ne.u16", 3, compare(C::Ne, U16)),
        ("setp.lt.s64", 3, compare(C::Lt, Type::S64)),
        ("setp.le.u32", 3, compare(C::Le, Type::U32)),
        ("setp.gt.f32", 3, compare(C::Gt, Type::F32)),
        ("setp.ge.f64", 3, compare(C::Ge, Type::F64)),
        ("setp.eq.b32", 3, compare(C::Eq, Type::B32)),
        ("setp.lo.u32", 3, compare(C::Lt, Type::U32)),
        ("setp.ls.u64", 3, compare(C::Le, Type::U64)),
        ("setp.hi.u32", 3, compare(C::Gt, Type::U32)),
        ("setp.hs.u32", 3, compare(C::Ge, Type::U32)),
        ("setp.equ.f32", 3, compare(C::EqU, Type::F32)),
        ("setp.neu.f64", 3, compare(C::NeU, Type::F64)),
        ("setp.ltu.f32", 3, compare(C::LtU, Type::F32)),
        ("setp.leu.f32", 3, compare(C::LeU, Type::F32)),
        ("setp.gtu.f16", 3, compare(C::GtU, F16)),
        ("setp.geu.bf16", 3, compare(C::GeU, BF16)),
        ("setp.num.f32", 3, compare(C::Num, Type::F32)),
        ("setp.nan.f32", 3, compare(C::Nan, Type::F32)),
        ("setp.lt.f16x2", 3, compare(C::Lt, F16X2)),
        (
            "setp.lt.and.s32",
            4,
            Op::Compare {
                comparison: C::Lt,
                ty: Type::S32,
                logic: Some(Logic::And),
                ftz: false,
            },
        ),
        (
            "setp.ftz.gt.xor.f32",
            4,
            Op::Compare {
                comparison: C::Gt,
                ty: Type::F32,
                logic: Some(Logic::Xor),
                ftz: true,
            },
        ),
        (
            "set.ne.u32.f32",
            3,
            Op::Set {
                comparison: C::Ne,
                ty: Type::F32,
                to: Type::U32,
                logic: None,
                ftz: false,
            },
        ),
        (
            "set.gt.or.ftz.f32.f32",
            4,
            Op::Set {
                comparison: C::Gt,
                ty: Type::F32,
                to: Type::F32,
                logic: Some(Logic::Or),
                ftz: true,
            },
        ),
        ("selp.b32", 4, Op::Select { width: 32 }),
        ("selp.f64", 4, Op::Select { width: 64 }),
        ("selp.u16", 4, Op::Select { width: 16 }),
        (
            "slct.u32.s32",
            4,
            Op::SelectSign {
                width: 32,
                float: false,
                ftz: false,
            },
        ),
        (
            "slct.ftz.f64.f32",
            4,
            Op::SelectSign {
                width: 64,
                float: true,
                ftz: true,
            },
        ),
    ]);
}

#[test]
fn floating_point() {
    check(&[
        ("add.f32", 3, float(F::Add, Type::F32, C)),
        ("add.rn.f32", 3, float(F::Add, Type::F32, N)),
        ("add.rn.ftz.f32", 3, float(F::Add, Type::F32, ftz(N))),
        ("add.ftz.rn.f32", 3, float(F::Add, Type::F32, ftz(N))),
        (
            "add.rz.ftz.sat.f32",
            3,
            float(F::Add, Type::F32, sat(ftz(rounded(Rounding::Zero)))),
        ),
        ("add.f64", 3, float(F::Add, Type::F64, C)),
        (
            "add.rm.f64",
            3,
            float(F::Add, Type::F64, rounded(Rounding::Down)),
        ),
        ("add.f16", 3, float(F::Add, F16, C)),
        ("add.rn.bf16x2", 3, float(F::Add, BF16X2, N)),
        ("sub.f32", 3, float(F::Sub, Type::F32, C)),
        ("sub.ftz.f16x2", 3, float(F::Sub, F16X2, ftz(C))),
        ("mul.f32", 3, float(F::Mul, Type::F32, C)),
        (
            "mul.rp.f64",
            3,
            float(F::Mul, Type::F64, rounded(Rounding::Up)),
        ),
        ("mul.sat.f16", 3, float(F::Mul, F16, sat(C))),
        ("fma.rn.f32", 4, float(F::Fma, Type::F32, N)),
        ("fma.rn.f64", 4, float(F::Fma, Type::F64, N)),
        ("fma.rn.relu.f16", 4, float(F::Fma, F16, relu(N))),
        ("fma.rn.ftz.f16x2", 4, float(F::Fma, F16X2, ftz(N))),
        ("fma.rn.bf16x2", 4, float(F::Fma, BF16X2, N)),
        ("mad.f32", 4, float(F::Fma, Type::F32, C)),
        ("mad.rn.ftz.f32", 4, float(F::Fma, Type::F32, ftz(N))),
        ("mad.rn.f64", 4, float(F::Fma, Type::F64, N)),
        ("div.rn.f32", 3, float(F::Div, Type::F32, N)),
        ("div.approx.f32", 3, float(F::Div, Type::F32, A)),
        (
            "div.full.ftz.f32",
            3,
            float(F::Div, Type::F32, ftz(rounded(Rounding::Full))),
        ),
        ("div.approx.f32", 3, float(F::Div, Type::F32, A)),
        ("div.rn.f64", 3, float(F::Div, Type::F64, N)),
        ("rcp.rn.f32", 2, float(F::Rcp, Type::F32, N)),
        ("rcp.approx.ftz.f64", 2, float(F::Rcp, Type::F64, ftz(A))),
        (
            "sqrt.rz.f64",
            2,
            float(F::Sqrt, Type::F64, rounded(Rounding::Zero)),
        ),
        ("sqrt.approx.f32", 2, float(F::Sqrt, Type::F32, A)),
        ("rsqrt.approx.f64", 2, float(F::Rsqrt, Type::F64, A)),
        ("sin.approx.ftz.f32", 2, float(F::Sin, Type::F32, ftz(A))),
        ("cos.approx.f32", 2, float(F::Cos, Type::F32, A)),
        ("lg2.approx.f32", 2, float(F::Lg2, Type::F32, A)),
        ("ex2.approx.ftz.f32", 2, float(F::Ex2, Type::F32, ftz(A))),
        ("ex2.approx.f16x2", 2, float(F::Ex2, F16X2, A)),
        ("tanh.approx.f32", 2, float(F::Tanh, Type::F32, A)),
        ("tanh.approx.bf16", 2, float(F::Tanh, BF16, A)),
        ("neg.f32", 2, float(F::Neg, Type::F32, N)),
        ("neg.bf16x2", 2, float(F::Neg, BF16X2, N)),
        ("abs.ftz.f32", 2, float(F::Abs, Type::F32, ftz(N))),
        ("min.f32", 3, float(F::Min, Type::F32, N)),
        ("min.NaN.f32", 3, float(F::Min, Type::F32, nan(N))),
        ("max.ftz.f32", 3, float(F::Max, Type::F32, ftz(N))),
        ("max.f64", 3, float(F::Max, Type::F64, N)),
        ("max.NaN.f16x2", 3, float(F::Max, F16X2, nan(N))),
        (
            "min.xorsign.abs.f32",
            3,
            float(
                F::Min,
                Type::F32,
                FloatMode {
                    xorsign_abs: true,
                    ..N
                },
            ),
        ),
        ("min.f32", 4, float(F::Min3, Type::F32, N)),
        (
            "max.abs.f32",
            4,
            float(
                F::Max3,
                Type::F32,
                FloatMode {
                    xorsign_abs: true,
                    ..N
                },
            ),
        ),
        ("max.f32", 4, float(F::Max3, Type::F32, N)),
        ("copysign.f64", 3, float(F::CopySign, Type::F64, N)),
        (
            "testp.notanumber.f32",
            2,
            Op::Test {
                class: TestClass::NotANumber,
                ty: Type::F32,
            },
        ),
        (
            "testp.subnormal.f64",
            2,
            Op::Test {
                class: TestClass::Subnormal,
                ty: Type::F64,
            },
        ),
    ]);
}

#[test]
fn conversions() {
    let rounded_to_integer = |ty, rounding| Op::Convert {
        from: ty,
        to: ty,
        mode: rounded(rounding),
        integral: true,
    };
    check(&[
        ("cvt.u64.u32", 2, convert(Type::U64, Type::U32, N)),
        ("cvt.s64.s32", 2, convert(Type::S64, Type::S32, N)),
        ("cvt.u32.u64", 2, convert(Type::U32, Type::U64, N)),
        ("cvt.u16.u8", 2, convert(U16, U8, N)),
        ("cvt.s32.s8", 2, convert(Type::S32, S8, N)),
        ("cvt.sat.s8.s32", 2, convert(S8, Type::S32, sat(N))),
        ("cvt.rn.f32.s32", 2, convert(Type::F32, Type::S32, N)),
        ("cvt.rn.f64.u64", 2, convert(Type::F64, Type::U64, N)),
        (
            "cvt.rzi.s32.f32",
            2,
            convert(Type::S32, Type::F32, rounded(Rounding::Zero)),
        ),
        (
            "cvt.rmi.ftz.s64.f32",
            2,
            convert(Type::S64, Type::F32, ftz(rounded(Rounding::Down))),
        ),
        (
            "cvt.rpi.u32.f64",
            2,
            convert(Type::U32, Type::F64, rounded(Rounding::Up)),
        ),
        ("cvt.rni.s32.f16", 2, convert(Type::S32, F16, N)),
        ("cvt.f64.f32", 2, convert(Type::F64, Type::F32, N)),
        ("cvt.ftz.f64.f32", 2, convert(Type::F64, Type::F32, ftz(N))),
        ("cvt.rn.f32.f64", 2, convert(Type::F32, Type::F64, N)),
        ("cvt.rn.f16.f32", 2, convert(F16, Type::F32, N)),
        ("cvt.f32.f16", 2, convert(Type::F32, F16, N)),
        ("cvt.f32.bf16", 2, convert(Type::F32, BF16, N)),
        ("cvt.rn.bf16.f32", 2, convert(BF16, Type::F32, N)),
        ("cvt.rn.relu.bf16.f32", 2, convert(BF16, Type::F32, relu(N))),
        ("cvt.rn.bf16.s32", 2, convert(BF16, Type::S32, N)),
        ("cvt.sat.f32.f32", 2, convert(Type::F32, Type::F32, sat(N))),
        ("cvt.ftz.f32.f32", 2, convert(Type::F32, Type::F32, ftz(N))),
        ("cvt.rn.f16x2.f32", 3, convert(F16X2, Type::F32, N)),
        (
            "cvt.rz.bf16x2.f32",
            3,
            convert(BF16X2, Type::F32, rounded(Rounding::Zero)),
        ),
        (
            "cvt.rni.f32.f32",
            2,
            rounded_to_integer(Type::F32, Rounding::Nearest),
        ),
        (
            "cvt.rzi.f64.f64",
            2,
            rounded_to_integer(Type::F64, Rounding::Zero),
        ),
        (
            "cvta.to.global.u64",
            2,
            Op::FromGeneric {
                space: Space::Global,
                width: 64,
            },
        ),
        (
            "cvta.global.u64",
            2,
            Op::ToGeneric {
                space: Space::Global,
                width: 64,
            },
        ),
        (
            "cvta.to.shared.u32",
            2,
            Op::FromGeneric {
                space: Space::Shared,
                width: 32,
            },
        ),
        (
            "cvta.shared::cluster.u64",
            2,
            Op::ToGeneric {
                space: Space::SharedCluster,
                width: 64,
            },
        ),
        (
            "cvta.param.u64",
            2,
            Op::ToGeneric {
                space: Space::ParamEntry,
                width: 64,
            },
        ),
        (
            "isspacep.shared",
            2,
            Op::IsSpace {
                space: Space::Shared,
            },
        ),
        (
            "isspacep.param::entry",
            2,
            Op::IsSpace {
                space: Space::ParamEntry,
            },
        ),
    ]);
}

fn access(space: Space, ty: Type) -> Access {
    Access {
        space,
        ty,
        elements: 1,
        order: Order::Weak,
        scope: Scope::System,
        non_coherent: false,
        offset: 0,
        hints: false,
        skipped: 0,
    }
}

fn memory(access: Access) -> Memory {
    Memory {
        access,
        bare_param: false,
        policy: false,
    }
}

#[test]
fn loads() {
    let global = access(Space::Global, Type::F32);
    let ordered = |order, scope| Access {
        order,
        scope,
        ..global
    };
    let hinted = Access {
        hints: true,
        ..global
    };
    let read_only = Access {
        non_coherent: true,
        ..global
    };
    for (text, expected) in [
        ("ld.global.f32", global),
        ("ld.f32.global", global),
        ("ld.weak.global.f32", global),
        ("ld.f32", access(Space::Generic, Type::F32)),
        ("ld.shared.f32", access(Space::Shared, Type::F32)),
        ("ld.shared::cta.f32", access(Space::Shared, Type::F32)),
        (
            "ld.shared::cluster.f32",
            access(Space::SharedCluster, Type::F32),
        ),
        ("ld.local.b64", access(Space::Local, Type::B64)),
        ("ld.const.u32", access(Space::Const, Type::U32)),
        ("ld.const[3].u32", access(Space::Const, Type::U32)),
        ("ld.param::entry.u64", access(Space::ParamEntry, Type::U64)),
        ("ld.param::func.b32", access(Space::ParamFunc, Type::B32)),
        (
            "ld.global.b128",
            Access {
                elements: 2,
                ..access(Space::Global, Type::B64)
            },
        ),
        ("ld.global.s8", access(Space::Global, S8)),
        ("ld.global.nc.f32", read_only),
        (
            "ld.global.nc.L1::no_allocate.L2::128B.v4.f32",
            Access {
                elements: 4,
                hints: true,
                ..read_only
            },
        ),
        (
            "ld.global.v2.f32",
            Access {
                elements: 2,
                ..global
            },
        ),
        (
            "ld.v8.global.f32",
            Access {
                elements: 8,
                ..global
            },
        ),
        (
            "ld.volatile.global.f32",
            ordered(Order::Volatile, Scope::System),
        ),
        ("ld.global.cv.f32", {
            Access {
                order: Order::Volatile,
                ..global
            }
        }),
        (
            "ld.relaxed.gpu.global.f32",
            ordered(Order::Relaxed, Scope::Device),
        ),
        (
            "ld.acquire.sys.global.f32",
            ordered(Order::Acquire, Scope::System),
        ),
        (
            "ld.global.acquire.cta.f32",
            ordered(Order::Acquire, Scope::Block),
        ),
        (
            "ld.mmio.relaxed.sys.global.f32",
            ordered(Order::Mmio, Scope::System),
        ),
        ("ld.global.ca.f32", hinted),
        ("ld.global.cg.f32", hinted),
        ("ld.global.L1::evict_last.f32", hinted),
        ("ld.global.L2::64B.f32", hinted),
        ("ldu.global.f32", global),
    ] {
        assert_eq!(shape(text, 2), Shape::Load(memory(expected)), "{text}");
    }
    assert_eq!(
        shape("ld.global.L2::cache_hint.f32", 3),
        Shape::Load(Memory {
            policy: true,
            ..memory(hinted)
        })
    );
    assert_eq!(
        shape("ld.param.u64", 2),
        Shape::Load(Memory {
            bare_param: true,
            ..memory(access(Space::ParamFunc, Type::U64))
        })
    );
}

#[test]
fn stores() {
    let global = access(Space::Global, Type::F32);
    for (text, expected) in [
        ("st.global.f32", global),
        ("st.f32", access(Space::Generic, Type::F32)),
        ("st.shared.u8", access(Space::Shared, U8)),
        (
            "st.volatile.f32",
            Access {
                order: Order::Volatile,
                ..access(Space::Generic, Type::F32)
            },
        ),
        (
            "st.release.gpu.global.f32",
            Access {
                order: Order::Release,
                scope: Scope::Device,
                ..global
            },
        ),
        (
            "st.global.wt.v4.f32",
            Access {
                elements: 4,
                hints: true,
                ..global
            },
        ),
    ] {
        assert_eq!(shape(text, 2), Shape::Store(memory(expected)), "{text}");
    }
}

#[test]
fn atomics() {
    let relaxed = Atomic {
        op: AtomicOp::Add,
        ty: Type::F32,
        space: Space::Global,
        order: Order::Relaxed,
        scope: Scope::Device,
        result: true,
        policy: false,
    };
    for (text, operands, expected) in [
        ("atom.global.add.f32", 3, relaxed),
        ("atom.add.global.f32", 3, relaxed),
        (
            "red.global.add.f32",
            2,
            Atomic {
                result: false,
                ..relaxed
            },
        ),
        (
            "atom.add.release.gpu.global.f32",
            3,
            Atomic {
                order: Order::Release,
                ..relaxed
            },
        ),
        (
            "atom.global.sys.cas.b64",
            4,
            Atomic {
                op: AtomicOp::CompareExchange,
                ty: Type::B64,
                scope: Scope::System,
                ..relaxed
            },
        ),
        (
            "atom.acq_rel.cta.shared.exch.b32",
            3,
            Atomic {
                op: AtomicOp::Exchange,
                ty: Type::B32,
                space: Space::Shared,
                order: Order::AcqRel,
                scope: Scope::Block,
                ..relaxed
            },
        ),
        (
            "atom.inc.u32",
            3,
            Atomic {
                op: AtomicOp::Inc,
                ty: Type::U32,
                space: Space::Generic,
                ..relaxed
            },
        ),
        (
            "red.relaxed.gpu.global.add.noftz.f16x2",
            2,
            Atomic {
                ty: F16X2,
                result: false,
                ..relaxed
            },
        ),
    ] {
        assert_eq!(shape(text, operands), Shape::Atomic(expected), "{text}");
    }
}

#[test]
fn warp_and_barriers() {
    let barrier = |kind, aligned| Opcode::Barrier { kind, aligned };
    for (text, operands, expected) in [
        ("bar.sync", 1, barrier(BarrierKind::Sync, true)),
        ("bar.sync", 2, barrier(BarrierKind::Sync, true)),
        ("bar.cta.sync", 1, barrier(BarrierKind::Sync, true)),
        ("barrier.sync", 1, barrier(BarrierKind::Sync, false)),
        ("barrier.sync.aligned", 2, barrier(BarrierKind::Sync, true)),
        ("bar.arrive", 2, barrier(BarrierKind::Arrive, true)),
        (
            "bar.red.popc.u32",
            3,
            barrier(BarrierKind::Reduce(VoteOrCount::Popc), true),
        ),
        (
            "barrier.cta.red.and.pred",
            4,
            barrier(BarrierKind::Reduce(VoteOrCount::And), false),
        ),
        ("bar.warp.sync", 1, barrier(BarrierKind::Warp, false)),
        (
            "barrier.cluster.arrive.release.aligned",
            0,
            barrier(BarrierKind::ClusterArrive, true),
        ),
        (
            "barrier.cluster.wait",
            0,
            barrier(BarrierKind::ClusterWait, false),
        ),
        ("membar.gl", 0, Opcode::Fence(Order::SeqCst, Scope::Device)),
        (
            "fence.sc.gpu",
            0,
            Opcode::Fence(Order::SeqCst, Scope::Device),
        ),
        (
            "fence.acq_rel.cta",
            0,
            Opcode::Fence(Order::AcqRel, Scope::Block),
        ),
        (
            "fence.proxy.async",
            0,
            Opcode::Fence(Order::SeqCst, Scope::System),
        ),
        (
            "shfl.sync.down.b32",
            5,
            Opcode::Shuffle {
                mode: ShuffleMode::Down,
                sync: true,
            },
        ),
        (
            "shfl.bfly.b32",
            4,
            Opcode::Shuffle {
                mode: ShuffleMode::Butterfly,
                sync: false,
            },
        ),
        (
            "vote.sync.ballot.b32",
            3,
            Opcode::Vote {
                mode: VoteMode::Ballot,
                sync: true,
            },
        ),
        (
            "vote.ballot.sync.b32",
            3,
            Opcode::Vote {
                mode: VoteMode::Ballot,
                sync: true,
            },
        ),
        (
            "vote.all.pred",
            2,
            Opcode::Vote {
                mode: VoteMode::All,
                sync: false,
            },
        ),
        (
            "match.any.sync.b32",
            3,
            Opcode::Match {
                all: false,
                width: 32,
            },
        ),
        (
            "match.all.sync.b64",
            3,
            Opcode::Match {
                all: true,
                width: 64,
            },
        ),
        (
            "redux.sync.add.s32",
            3,
            Opcode::Redux {
                op: AtomicOp::Add,
                ty: Type::S32,
                abs: false,
                nan: false,
            },
        ),
        (
            "redux.sync.min.abs.NaN.f32",
            3,
            Opcode::Redux {
                op: AtomicOp::Min,
                ty: Type::F32,
                abs: true,
                nan: true,
            },
        ),
        ("activemask.b32", 1, Opcode::ActiveMask),
        ("elect.sync", 2, Opcode::Elect),
    ] {
        match shape(text, operands) {
            Shape::Plain(plain) => {
                assert_eq!(plain.opcode, expected, "{text}");
                let named = usize::from(plain.results != Results::None);
                assert_eq!(plain.sources.len() + named, operands, "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn control() {
    for (text, operands, expected) in [
        ("bra", 1, Shape::Branch { uniform: false }),
        ("bra.uni", 1, Shape::Branch { uniform: true }),
        ("brx.idx", 2, Shape::BranchIndexed { uniform: false }),
        ("brx.idx.uni", 2, Shape::BranchIndexed { uniform: true }),
        ("ret", 0, Shape::Return),
        ("ret.uni", 0, Shape::Return),
        ("exit", 0, Shape::Exit),
        ("trap", 0, Shape::Trap),
        ("call", 3, Shape::Call),
        ("call.uni", 1, Shape::Call),
        ("mov.u32", 2, Shape::Move(Type::U32)),
        ("mov.pred", 2, Shape::Move(Type::PRED)),
        ("mov .b64", 2, Shape::Move(Type::B64)),
        ("prefetch.global.L2", 1, Shape::Nop),
        ("nanosleep.u32", 1, Shape::Nop),
        ("griddepcontrol.launch_dependents", 0, Shape::Nop),
        ("cp.async.bulk.prefetch.L2.global", 2, Shape::Nop),
    ] {
        assert_eq!(shape(text, operands), expected, "{text}");
    }
}

#[test]
fn opaque() {
    let pure = Effects::NONE;
    let waits = Effects {
        waits: true,
        convergent: true,
        ..Effects::NONE
    };
    let all = Effects::ALL;
    // An instruction with a name ends no thread.
    let both = Effects {
        exits: false,
        ..all
    };
    let writes = Effects {
        writes: true,
        ..Effects::NONE
    };
    let looks = Effects {
        polls: true,
        ..writes
    };
    for (text, expected, written) in [
        // Arithmetic that is not modelled computes from its operands all the same.
        ("add.b32", pure, Written::First),
        ("add.f32x2", pure, Written::First),
        ("add.rn.f32.f16", pure, Written::First),
        ("add.u16x2", pure, Written::First),
        ("fma.rn.oob.f16", pure, Written::First),
        ("mul.s32", pure, Written::First),
        ("mul.wide.s64", pure, Written::First),
        ("setp.lt.b32", pure, Written::First),
        ("cvt.f32.s32", pure, Written::First),
        ("cvt.s32.f32", pure, Written::First),
        ("cvt.f32.f64", pure, Written::First),
        ("cvt.rna.tf32.f32", pure, Written::First),
        ("cvt.rn.satfinite.e4m3x2.f32", pure, Written::First),
        ("cvt.pack.sat.s8.s32.b32", pure, Written::First),
        ("mov.v2.b32", pure, Written::First),
        ("vadd.s32.s32.s32", pure, Written::First),
        ("vsub.u32.u32.u32.sat.add", pure, Written::First),
        ("vsub.u32.u32.u32.max", pure, Written::First),
        ("vmad.u32.u32.u32.shr7", pure, Written::First),
        ("tex.2d.v4.f32.s32", pure, Written::First),
        ("suld.b.1d.b32.trap", pure, Written::First),
        ("mapa.shared::cluster.u32", pure, Written::First),
        // Across the lanes.
        (
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
            waits,
            Written::First,
        ),
        (
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
            waits,
            Written::First,
        ),
        (
            "wmma.load.a.sync.aligned.row.m16n16k16.f16",
            waits,
            Written::First,
        ),
        ("setmaxnreg.inc.sync.aligned.u32", waits, Written::None),
        ("tcgen05.ld.sync.aligned.16x64b.x2.b32", both, Written::Any),
        (
            "tcgen05.alloc.cta_group::1.sync.aligned.b32",
            both,
            Written::Any,
        ),
        ("wgmma.wait_group.sync.aligned", both, Written::First),
        (
            "stmatrix.sync.aligned.m8n8.x1.shared.b16",
            both,
            Written::First,
        ),
        (
            "wmma.store.d.sync.aligned.row.m16n16k16.f32",
            both,
            Written::First,
        ),
        ("barrier.cluster.frobnicate", both, Written::First),
        (
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned",
            both,
            Written::First,
        ),
        ("griddepcontrol.wait", both, Written::None),
        ("mbarrier.try_wait.shared.b64", both, Written::First),
        // Memory, and nobody is waited for.
        ("ld.relaxed.global.f32", looks, Written::First),
        ("ld.global.newhint.f32", looks, Written::First),
        ("atom.global.v2.f32.add", looks, Written::First),
        ("atom.global.b128.exch", looks, Written::First),
        ("multimem.ld_reduce.global.add.f32", looks, Written::First),
        ("mbarrier.arrive.shared.b64", looks, Written::First),
        ("mbarrier.test_wait.shared.b64", looks, Written::First),
        ("cp.async.ca.shared.global", looks, Written::First),
        ("cp.async.wait_group", looks, Written::None),
        (
            "cp.async.bulk.global.shared::cta.bulk_group",
            looks,
            Written::First,
        ),
        (
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32",
            looks,
            Written::First,
        ),
        (
            "clusterlaunchcontrol.try_cancel.async.shared::cta.b128",
            looks,
            Written::First,
        ),
        ("st.async.weak.shared::cluster.b32", writes, Written::First),
        ("sust.b.1d.b32.trap", writes, Written::First),
        (
            "tensormap.replace.tile.rank.global.b1024.b32",
            writes,
            Written::First,
        ),
        (
            "fence.proxy.tensormap::generic.acquire.gpu",
            writes,
            Written::None,
        ),
        ("discard.global.L2", writes, Written::None),
        ("stackrestore.u64", writes, Written::None),
        // In registers alone.
        ("mbarrier.pending_count.b64", pure, Written::First),
        (
            "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128",
            pure,
            Written::First,
        ),
        // Anything may happen.
        ("brkpt", all, Written::None),
        ("frobnicate.u32", all, Written::Any),
    ] {
        let operands = 3;
        match shape(text, operands) {
            Shape::Opaque {
                effects,
                written: found,
                carry,
            } => {
                assert_eq!(effects, expected, "{text}");
                assert_eq!(found, written, "{text}");
                assert!(!carry, "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    assert!(matches!(
        shape("add.cc.b32", 3),
        Shape::Opaque { carry: true, .. }
    ));
}

#[test]
fn odd_spellings_do_not_panic() {
    let many = ".rn".repeat(100);
    for text in [
        "",
        ".",
        "..",
        "ld.",
        "add..s32",
        "ld::global",
        &format!("add.f32{many}"),
    ] {
        for operands in 0..6 {
            shape(text, operands);
        }
    }
    let plain = Plain::new(Opcode::ActiveMask, &[]);
    assert_eq!(plain.results, Results::One);
}
