//! Integer and bit instructions (PTX ISA, "Integer Arithmetic", "Extended-Precision", "Logic and Shift").

use super::modifiers::Spelling;
use super::shape::{Plain, Shape, op};
use ptxasw_ir::op::{Logic, Op, Permute, Product};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::{Kind, Type};

/// `.and`, `.or`, `.xor`
const LOGIC: &[(&str, Logic)] = &[("and", Logic::And), ("or", Logic::Or), ("xor", Logic::Xor)];

fn product(s: &mut Spelling) -> Option<Product> {
    s.choose(&[
        ("lo", Product::Low),
        ("hi", Product::High),
        ("wide", Product::Wide),
    ])
}

/// The type of a product.
fn product_type(product: Product, ty: Type) -> Type {
    match product {
        Product::Wide => Type::new(ty.kind, ty.bits.saturating_mul(2)),
        _ => ty,
    }
}

fn carried(opcode: Op, sources: &[Type], carry_in: bool, carry_out: bool) -> Option<Shape> {
    let mut plain = Plain::new(Opcode::Op(opcode), sources);
    plain.carry_in = carry_in;
    plain.carry_out = carry_out;
    Some(plain.into())
}

/// `add`, `sub`, with `.sat` and `.cc`.
pub(super) fn add(s: &mut Spelling, subtract: bool) -> Option<Shape> {
    let ty = s.integer()?;
    let width = ty.bits;
    if s.take("cc") {
        return carry(ty, subtract, false, true);
    }
    let operation = match (s.take("sat"), subtract) {
        (true, _) if ty != Type::S32 => return None,
        (true, _) => Op::AddSaturate { subtract },
        (false, false) => Op::Add { width },
        (false, true) => Op::Sub { width },
    };
    op(operation, &[ty, ty])
}

/// `addc`, `subc`
pub(super) fn addc(s: &mut Spelling, subtract: bool) -> Option<Shape> {
    let ty = s.integer()?;
    let carry_out = s.take("cc");
    carry(ty, subtract, true, carry_out)
}

fn carry(ty: Type, subtract: bool, carry_in: bool, carry_out: bool) -> Option<Shape> {
    if ty.bits < 32 {
        return None;
    }
    let operation = Op::Carry {
        subtract,
        width: ty.bits,
        carry_in,
        carry_out,
    };
    carried(operation, &[ty, ty], carry_in, carry_out)
}

/// `mul`
pub(super) fn mul(s: &mut Spelling) -> Option<Shape> {
    let (product, ty) = (product(s)?, s.integer()?);
    if product == Product::Wide && ty.bits == 64 {
        return None;
    }
    let operation = Op::Mul {
        product,
        width: ty.bits,
        signed: ty.signed(),
    };
    op(operation, &[ty, ty])
}

/// `mad`, `madc`, with `.sat` and `.cc`.
pub(super) fn mad(s: &mut Spelling, carry_in: bool) -> Option<Shape> {
    let (product, ty) = (product(s)?, s.integer()?);
    let (width, signed) = (ty.bits, ty.signed());
    let carry_out = s.take("cc");
    if carry_in || carry_out {
        if product == Product::Wide || width < 32 {
            return None;
        }
        let operation = Op::MulAddCarry {
            product,
            width,
            signed,
            carry_in,
            carry_out,
        };
        return carried(operation, &[ty, ty, ty], carry_in, carry_out);
    }
    let saturate = s.take("sat");
    if saturate && (product != Product::High || ty != Type::S32)
        || product == Product::Wide && width == 64
    {
        return None;
    }
    let operation = Op::MulAdd {
        product,
        width,
        signed,
        saturate,
    };
    op(operation, &[ty, ty, product_type(product, ty)])
}

/// `mul24`, `mad24`
pub(super) fn mul24(s: &mut Spelling, add: bool) -> Option<Shape> {
    let (product, ty) = (product(s)?, s.integer()?);
    if product == Product::Wide || ty.bits != 32 {
        return None;
    }
    let operation = Op::Mul24 {
        product,
        signed: ty.signed(),
        add,
    };
    op(operation, &[ty; 3][..if add { 3 } else { 2 }])
}

/// `sad`
pub(super) fn sad(s: &mut Spelling) -> Option<Shape> {
    let ty = s.integer()?;
    let operation = Op::Sad {
        width: ty.bits,
        signed: ty.signed(),
    };
    op(operation, &[ty, ty, Type::new(Kind::Unsigned, ty.bits)])
}

/// `vadd`, `vsub` of whole words with a third one that is added, as GCC writes them.
pub(super) fn sum_of_three(s: &mut Spelling, subtract: bool) -> Option<Shape> {
    let (_, one, other) = (word(s)?, word(s)?, word(s)?);
    if !s.take("add") {
        return None;
    }
    op(Op::SumOfThree { subtract }, &[one, other, Type::U32])
}

fn word(s: &mut Spelling) -> Option<Type> {
    s.integer().filter(|ty| ty.bits == 32)
}

/// `div`, `rem`
pub(super) fn div(s: &mut Spelling, remainder: bool) -> Option<Shape> {
    let ty = s.integer()?;
    let (width, signed) = (ty.bits, ty.signed());
    let operation = match remainder {
        true => Op::Rem { width, signed },
        false => Op::Div { width, signed },
    };
    op(operation, &[ty, ty])
}

/// `abs`, `neg`
pub(super) fn abs(s: &mut Spelling, negate: bool) -> Option<Shape> {
    let ty = s.integer().filter(|t| t.signed())?;
    let width = ty.bits;
    let operation = match negate {
        true => Op::Neg { width },
        false => Op::Abs { width },
    };
    op(operation, &[ty])
}

/// `min`, `max`
pub(super) fn min(s: &mut Spelling, max: bool) -> Option<Shape> {
    let ty = s.integer()?;
    let (width, signed) = (ty.bits, ty.signed());
    let relu = s.take("relu");
    if relu && ty != Type::S32 {
        return None;
    }
    let operation = match max {
        true => Op::Max {
            width,
            signed,
            relu,
        },
        false => Op::Min {
            width,
            signed,
            relu,
        },
    };
    op(operation, &[ty, ty])
}

/// `popc`, `clz`, `brev`
pub(super) fn count(s: &mut Spelling) -> Option<Shape> {
    let ty = s.bits().filter(|t| t.bits >= 32)?;
    let width = ty.bits;
    let operation = match s.base {
        "popc" => Op::Popc { width },
        "clz" => Op::Clz { width },
        _ => Op::Brev { width },
    };
    op(operation, &[ty])
}

/// `bfind`
pub(super) fn bfind(s: &mut Spelling) -> Option<Shape> {
    let ty = s.integer().filter(|t| t.bits >= 32)?;
    let shift = s.take("shiftamt");
    let operation = Op::Bfind {
        width: ty.bits,
        signed: ty.signed(),
        shift,
    };
    op(operation, &[ty])
}

/// `fns`
pub(super) fn fns(s: &mut Spelling) -> Option<Shape> {
    s.bits().filter(|t| t.bits == 32)?;
    op(Op::Fns, &[Type::B32, Type::B32, Type::S32])
}

/// `bfe`
pub(super) fn bfe(s: &mut Spelling) -> Option<Shape> {
    let ty = s.integer().filter(|t| t.bits >= 32)?;
    let operation = Op::Bfe {
        width: ty.bits,
        signed: ty.signed(),
    };
    op(operation, &[ty, Type::U32, Type::U32])
}

/// `bfi`
pub(super) fn bfi(s: &mut Spelling) -> Option<Shape> {
    let ty = s.bits().filter(|t| t.bits >= 32)?;
    op(Op::Bfi { width: ty.bits }, &[ty, ty, Type::U32, Type::U32])
}

/// `.wrap` or `.clamp`: true for `.wrap`.
fn wrap(s: &mut Spelling) -> Option<bool> {
    s.choose(&[("wrap", true), ("clamp", false)])
}

/// `szext`
pub(super) fn szext(s: &mut Spelling) -> Option<Shape> {
    let wrap = wrap(s)?;
    let ty = s.integer().filter(|t| t.bits == 32)?;
    let signed = ty.signed();
    op(Op::Szext { wrap, signed }, &[ty, Type::U32])
}

/// `bmsk`
pub(super) fn bmsk(s: &mut Spelling) -> Option<Shape> {
    let wrap = wrap(s)?;
    s.bits().filter(|t| t.bits == 32)?;
    op(Op::Bmsk { wrap }, &[Type::U32, Type::U32])
}

/// `dp4a`
pub(super) fn dp4a(s: &mut Spelling) -> Option<Shape> {
    let (a, b) = (s.integer()?, s.integer()?);
    if a.bits != 32 || b.bits != 32 {
        return None;
    }
    let operation = Op::Dp4a {
        signed_a: a.signed(),
        signed_b: b.signed(),
    };
    op(operation, &[Type::B32; 3])
}

/// `dp2a`
pub(super) fn dp2a(s: &mut Spelling) -> Option<Shape> {
    let high = s.choose(&[("lo", false), ("hi", true)])?;
    let (a, b) = (s.integer()?, s.integer()?);
    if a.bits != 32 || b.bits != 32 {
        return None;
    }
    let operation = Op::Dp2a {
        signed_a: a.signed(),
        signed_b: b.signed(),
        high,
    };
    op(operation, &[Type::B32; 3])
}

/// `and`, `or`, `xor`, `not`, `cnot`
pub(super) fn logic(s: &mut Spelling) -> Option<Shape> {
    let ty = s.ty().filter(|t| {
        t.kind == Kind::Predicate || t.kind == Kind::Bits && matches!(t.bits, 16 | 32 | 64)
    })?;
    let width = ty.bits;
    match s.base {
        "and" => op(Op::And { width }, &[ty, ty]),
        "or" => op(Op::Or { width }, &[ty, ty]),
        "xor" => op(Op::Xor { width }, &[ty, ty]),
        "not" => op(Op::Not { width }, &[ty]),
        _ if width > 1 => op(Op::LogicalNot { width }, &[ty]),
        _ => None,
    }
}

/// `lop3`, `lop3.BoolOp`
pub(super) fn lop3(s: &mut Spelling) -> Option<Shape> {
    s.bits().filter(|t| t.bits == 32)?;
    let logic = s.choose(LOGIC);
    Some(Shape::Lop3 { logic })
}

/// `shl`, `shr`
pub(super) fn shift(s: &mut Spelling) -> Option<Shape> {
    let ty = s.ty().filter(|t| {
        matches!(t.kind, Kind::Bits | Kind::Unsigned | Kind::Signed)
            && matches!(t.bits, 16 | 32 | 64)
    })?;
    let width = ty.bits;
    let operation = match s.base {
        "shl" => Op::Shl { width },
        _ => Op::Shr {
            width,
            signed: ty.signed(),
        },
    };
    op(operation, &[ty, Type::U32])
}

/// `shf`
pub(super) fn shf(s: &mut Spelling) -> Option<Shape> {
    let left = s.choose(&[("l", true), ("r", false)])?;
    let wrap = wrap(s)?;
    s.bits().filter(|t| t.bits == 32)?;
    op(
        Op::Funnel { left, wrap },
        &[Type::B32, Type::B32, Type::U32],
    )
}

/// `prmt`
pub(super) fn prmt(s: &mut Spelling) -> Option<Shape> {
    s.bits().filter(|t| t.bits == 32)?;
    let mode = s.choose(&[
        ("f4e", Permute::F4e),
        ("b4e", Permute::B4e),
        ("rc8", Permute::Rc8),
        ("ecl", Permute::Ecl),
        ("ecr", Permute::Ecr),
        ("rc16", Permute::Rc16),
    ]);
    op(
        Op::Prmt(mode.unwrap_or(Permute::Index)),
        &[Type::B32, Type::B32, Type::B32],
    )
}
