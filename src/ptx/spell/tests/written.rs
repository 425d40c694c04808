//! How single statements are written.

use crate::spell::instruction;
use ptxasw_ir::op::{Comparison, FloatMode, FloatOp, Logic, Op, Permute, Product, Rounding};
use ptxasw_ir::types::{Kind, Space, Type};

fn compare(logic: Option<Logic>) -> Op {
    Op::Compare {
        comparison: Comparison::Lt,
        ty: Type::S32,
        logic,
        ftz: false,
    }
}

fn float(op: FloatOp, rounding: Rounding) -> Op {
    let mode = FloatMode {
        rounding,
        ftz: true,
        ..FloatMode::NEAREST
    };
    let ty = Type::F32;
    Op::Float { op, ty, mode }
}

#[test]
fn statements() {
    let lop3 = Op::Lop3 {
        table: 0x1b,
        predicate: None,
    };
    let (product, width, signed) = (Product::Wide, 32, true);
    let wide = Op::Mul {
        product,
        width,
        signed,
    };
    for (op, result, operands, expected) in [
        (
            Op::Add { width: 32 },
            "%r1",
            &["%r2", "5"][..],
            "add.s32 %r1, %r2, 5;",
        ),
        (wide, "%d1", &["%r2", "%r3"], "mul.wide.s32 %d1, %r2, %r3;"),
        (
            lop3,
            "%r1",
            &["%r2", "%r3", "%r4"],
            "lop3.b32 %r1, %r2, %r3, %r4, 0x1b;",
        ),
        (
            Op::Prmt(Permute::B4e),
            "%r1",
            &["%r2", "%r3", "%r4"],
            "prmt.b32.b4e %r1, %r2, %r3, %r4;",
        ),
        (Op::Copy { width: 1 }, "%p1", &["%p2"], "mov.pred %p1, %p2;"),
        (
            Op::Pack {
                parts: 2,
                width: 32,
            },
            "%d1",
            &["%r2", "%r3"],
            "mov.b64 %d1, {%r2, %r3};",
        ),
        (
            Op::Extend {
                from: 32,
                to: 64,
                signed: true,
            },
            "%d1",
            &["%r2"],
            "cvt.s64.s32 %d1, %r2;",
        ),
        (
            Op::Extend {
                from: 1,
                to: 32,
                signed: true,
            },
            "%r1",
            &["%p2"],
            "selp.s32 %r1, -1, 0, %p2;",
        ),
        (
            Op::ToGeneric {
                space: Space::Global,
                width: 64,
            },
            "%d1",
            &["%d2"],
            "cvta.global.u64 %d1, %d2;",
        ),
        (
            Op::FromGeneric {
                space: Space::Shared,
                width: 64,
            },
            "%d1",
            &["%d2"],
            "cvta.to.shared.u64 %d1, %d2;",
        ),
        (
            Op::IsSpace {
                space: Space::ParamEntry,
            },
            "%p1",
            &["%d2"],
            "isspacep.param %p1, %d2;",
        ),
        (
            float(FloatOp::Add, Rounding::Contractible),
            "%r1",
            &["%r2", "%r3"],
            "add.ftz.f32 %r1, %r2, %r3;",
        ),
        (
            float(FloatOp::Fma, Rounding::Nearest),
            "%r1",
            &["%r2", "%r3", "%r4"],
            "fma.rn.ftz.f32 %r1, %r2, %r3, %r4;",
        ),
        (
            float(FloatOp::Ex2, Rounding::Approximate),
            "%r1",
            &["%r2"],
            "ex2.approx.ftz.f32 %r1, %r2;",
        ),
    ] {
        let text = instruction(&op, &[Some(result)], operands);
        assert_eq!(text.as_deref(), Some(expected));
    }
}

#[test]
fn results_that_nobody_reads() {
    let (p, q) = (Some("%p1"), Some("%p2"));
    let less = |results: &[Option<&str>]| instruction(&compare(None), results, &["%r1", "%r2"]);
    assert_eq!(
        less(&[p, q]).as_deref(),
        Some("setp.lt.s32 %p1|%p2, %r1, %r2;")
    );
    assert_eq!(
        less(&[p, None]).as_deref(),
        Some("setp.lt.s32 %p1, %r1, %r2;")
    );
    assert_eq!(
        less(&[None, q]).as_deref(),
        Some("setp.lt.s32 _|%p2, %r1, %r2;")
    );
    assert_eq!(less(&[None, None]), None);
    let half = Op::Compare {
        comparison: Comparison::Lt,
        ty: Type::new(Kind::Float, 16),
        logic: None,
        ftz: false,
    };
    let less = |results: &[Option<&str>]| instruction(&half, results, &["%h1", "%h2"]);
    assert_eq!(
        less(&[p, None]).as_deref(),
        Some("setp.lt.f16 %p1, %h1, %h2;")
    );
    assert_eq!(less(&[p, q]), None);

    let table = Op::Lop3 {
        table: 3,
        predicate: Some(Logic::Or),
    };
    let lop3 =
        |results: &[Option<&str>]| instruction(&table, results, &["%r1", "%r2", "%r3", "%p3"]);
    let text = "lop3.or.b32 _|%p1, %r1, %r2, %r3, 0x03, %p3;";
    assert_eq!(lop3(&[None, p]).as_deref(), Some(text));
    assert_eq!(lop3(&[Some("%r4"), None]), None);

    let (parts, width) = (4, 16);
    let unpack =
        |results: &[Option<&str>]| instruction(&Op::Unpack { parts, width }, results, &["%d1"]);
    let text = "mov.b64 {_, %h1, _, %h2}, %d1;";
    assert_eq!(
        unpack(&[None, Some("%h1"), None, Some("%h2")]).as_deref(),
        Some(text)
    );
    assert_eq!(unpack(&[None; 4]), None);
}

#[test]
fn operands_and_results_are_counted() {
    let and = compare(Some(Logic::And));
    let text = "setp.lt.and.s32 %p1, %r1, %r2, !%p2;";
    let (p, operands) = (Some("%p1"), ["%r1", "%r2", "!%p2"]);
    assert_eq!(
        instruction(&and, &[p, None], &operands).as_deref(),
        Some(text)
    );
    assert_eq!(instruction(&and, &[p], &operands), None);
    assert_eq!(instruction(&and, &[p, None], &operands[..2]), None);
    assert_eq!(
        instruction(&Op::Add { width: 32 }, &[None], &["%r1", "%r2"]),
        None
    );
}

#[test]
fn types_that_pack_two_floats() {
    let op = Op::Convert {
        from: Type::F32,
        to: Type::new(Kind::BFloat16x2, 32),
        mode: FloatMode::NEAREST,
        integral: false,
    };
    let text = "cvt.rn.bf16x2.f32 %r1, %r2, %r3;";
    assert_eq!(
        instruction(&op, &[Some("%r1")], &["%r2", "%r3"]).as_deref(),
        Some(text)
    );
}
