//! Values that are computed differently, and what steps can read.

use super::*;
use ptxasw::ir::op::{Comparison, Op, Product};
use ptxasw::ir::opcode::Access;
use ptxasw::ir::patch::{Directives, Point, Step, Variable, VariableId};
use ptxasw::ir::types::{Special, Type};

fn is_product(opcode: &Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Op(Op::Mul {
            product: Product::Low,
            ..
        })
    )
}

/// `x + x` for `x * 2`.
fn doubled(function: &Function) -> Patch {
    let id = find(function, 0, is_product);
    let inst = function.inst(id);
    let mut patch = Patch::default();
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, inst.origin);
    let x = Ref::Value(inst.args[0]);
    let Opcode::Op(Op::Mul { width, .. }) = inst.opcode else {
        panic!("a product")
    };
    let sum = cursor.single(Op::Add { width }, &[x, x]);
    cursor.done(&mut patch, Point::Before(id));
    patch.redirect.push(redirect(completed(function, id), sum));
    patch.remove.push(removal(id));
    patch
}

#[test]
fn a_product_becomes_a_sum() {
    let text = kernel("\tmul.lo.s32 %r3, %r2, 2;\n\tst.global.u32 [%rd6], %r3;\n\tret;\n");
    let after = same(&text, doubled);
    assert!(!after.contains("mul.lo"), "{after}");
    assert!(after.contains("\tadd.s32 %r3, %r2, %r2;\n"), "{after}");
}

#[test]
fn operands_that_are_not_simple_registers() {
    let store = "\n\tst.global.u32 [%rd6], %r3;\n\tret;\n";
    for product in [
        // The register is written again.
        "add.s32 %r4, %r2, 1; mul.lo.s32 %r3, %r4, 2; add.s32 %r4, %r4, 5; st.global.u32 [%rd6+4], %r4;",
        // Its own operand.
        "mov.u32 %r3, %r2; mul.lo.s32 %r3, %r3, 2;",
        // A float's register.
        "ld.global.f32 %f1, [%rd7]; mov.b32 %r5, %f1; mul.lo.s32 %r3, %r5, 2;",
        // A guard: where it is false, the old value stays.
        "mov.u32 %r3, 7; setp.gt.u32 %p1, %r2, 3; @%p1 mul.lo.s32 %r3, %r2, 2;",
        // A special register, and one of 16 bits.
        "cvt.u16.u32 %h1, %r2; mul.lo.s16 %h2, %h1, 2; cvt.u32.u16 %r3, %h2;",
        // In a loop.
        "mov.u32 %r4, 0; mov.u32 %r3, 1;\nL: mul.lo.s32 %r3, %r3, 2; add.s32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 3; @%p1 bra L;",
    ] {
        let text = kernel(&format!("\t{product}{store}"));
        let guarded = product.contains('@') && !product.contains("bra");
        let patch = |function: &Function| {
            let mut patch = doubled(function);
            if guarded {
                // What the statement leaves is the select's choice.
                let id = find(function, 0, is_product);
                let select = find(function, 0, |opcode| {
                    matches!(opcode, Opcode::Op(Op::Select { .. }))
                });
                let args = function.inst(select).args.clone();
                let Insertion { steps, .. } = &mut patch.insert[0];
                let Step::Inst { results, .. } = &steps[0] else {
                    panic!()
                };
                let sum = Ref::New(results[0].value);
                let mut next = 9;
                let mut cursor = Cursor::new(&mut next, function.inst(id).origin);
                let chosen = cursor.single(
                    Op::Select { width: 32 },
                    &[sum, args[1].into(), args[2].into()],
                );
                cursor.done(&mut patch, Point::Before(id));
                patch.redirect[0].to = chosen;
            }
            patch
        };
        let after = same(&text, patch);
        assert!(!after.contains("mul.lo"), "{after}");
    }
}

#[test]
fn predicates_narrow_values_and_special_registers() {
    let text = kernel(
        "\tld.global.u8 %r3, [%rd7];\n\tst.global.u32 [%rd6], %r3;\n\tst.global.u8 [%rd6+4], %r3;\n\tret;\n",
    );
    let after = written(&text, |function| {
        let load = find(function, 0, is_load);
        let (byte, whole) = (result(function, load), completed(function, load));
        let mut patch = Patch::default();
        let mut next = 0;
        let mut cursor = Cursor::new(&mut next, function.inst(load).origin);
        let lane = Ref::Special(32, Special::Tid(0));
        let bit = Op::Extend {
            from: 32,
            to: 1,
            signed: false,
        };
        let odd = cursor.single(bit, &[lane]);
        let same = Op::Compare {
            comparison: Comparison::Ge,
            ty: Type::U32,
            logic: None,
            ftz: false,
        };
        let always = cursor.op(same, &[lane, Ref::Constant(32, 0)])[0];
        let chosen = cursor.single(
            Op::Select { width: 1 },
            &[odd, Ref::Constant(1, 0), always.into()],
        );
        let inverted = cursor.single(Op::Not { width: 8 }, &[byte.into()]);
        let wide = cursor.single(
            Op::Extend {
                from: 8,
                to: 32,
                signed: false,
            },
            &[inverted],
        );
        let picked = cursor.single(Op::Select { width: 32 }, &[wide, whole.into(), chosen]);
        cursor.done(&mut patch, after_statement(function, load));
        patch.redirect.push(redirect(whole, picked));
        patch
    });
    let after = after.unwrap();
    // By hand: odd lanes invert.
    let by_hand = text.replace(
        "[%rd7];\n",
        "[%rd7];\n\tand.b32 %r9, %r2, 1;\n\tsetp.ne.u32 %p1, %r9, 0;\n\txor.b32 %r8, %r3, 255;\n\t@%p1 mov.u32 %r3, %r8;\n",
    );
    let found = verdict(&by_hand, &after);
    assert!(matches!(found, Verdict::Equal), "{found:?}\n{after}");
    assert!(!matches!(verdict(&text, &after), Verdict::Equal));
}

/// A variable that a loop carries: how often the loop ran.
#[test]
fn a_variable_that_a_loop_carries() {
    let text = kernel(
        "\tand.b32 %r4, %r2, 3;\n\tmov.u32 %r5, 0;\nL:\n\tadd.s32 %r5, %r5, 1;\n\tsetp.le.u32 %p1, %r5, %r4;\n\t@%p1 bra L;\n\
         \tst.global.u32 [%rd6], %r5;\n\tret;\n",
    );
    let after = written(&text, |function| {
        let (store, counted) = (find(function, 0, is_store), VariableId(0));
        let body = ptxasw::ir::function::BlockId(1);
        let mut patch = Patch::default();
        let mut next = 0;
        let mut cursor = Cursor::new(&mut next, 0);
        let more = cursor.single(
            Op::Add { width: 32 },
            &[Ref::Variable(counted), Ref::Constant(32, 1)],
        );
        cursor.done(&mut patch, Point::End(body));
        let entry = Point::End(ptxasw::ir::function::BlockId(0));
        patch.variables.push(Variable {
            width: 32,
            sets: vec![
                (entry.into(), Ref::Constant(32, 0)),
                (Point::End(body).into(), more),
            ],
        });
        let mut cursor = Cursor::new(&mut next, function.inst(store).origin);
        let twice = cursor.single(
            Op::Add { width: 32 },
            &[Ref::Variable(counted), Ref::Constant(32, 100)],
        );
        let args = [function.inst(store).args[0].into(), twice];
        cursor.inst(function.inst(store).opcode.clone(), &args, &[], None);
        cursor.done(&mut patch, Point::Before(store));
        patch.remove.push(removal(store));
        patch
    });
    let after = after.unwrap();
    let by_hand = text.replace(
        "\tst.global.u32 [%rd6], %r5;",
        "\tadd.s32 %r5, %r5, 100;\n\tst.global.u32 [%rd6], %r5;",
    );
    let found = verdict(&by_hand, &after);
    assert!(matches!(found, Verdict::Equal), "{found:?}\n{after}");
}

#[test]
fn directives_and_an_unread_mask() {
    let text =
        kernel("\tst.global.u32 [%rd6], %r2;\n\tret;\n").replace(".version 8.0", ".version 6.0");
    let mask = |function: &Function| {
        let mut patch = Patch {
            directives: Directives {
                max_registers: Some(64),
                required_threads: None,
                version: Some((6, 1)),
            },
            ..Patch::default()
        };
        let mut next = 0;
        let mut cursor = Cursor::new(&mut next, 0);
        cursor.inst(Opcode::ActiveMask, &[], &[32], None);
        cursor.done(&mut patch, Point::Before(find(function, 0, is_store)));
        patch
    };
    let after = same(&text, mask);
    assert!(
        after.contains(".version 6.2\n") && after.contains("\n.maxnreg 64\n{"),
        "{after}"
    );
    assert!(after.contains("\tactivemask.b32 %ptxaswp_r0;\n"), "{after}");
    assert_eq!(
        written(&after, mask),
        Err(WriteError::Directive(".maxnreg"))
    );
}

/// A step belongs to the line of the statement that it stands for; what follows belongs to its own.
#[test]
fn lines_of_the_source() {
    let text = kernel(
        "\t.loc 1 10 1\n\tmul.lo.s32 %r3, %r2, 2;\n\t.loc 1 20 1\n\tadd.s32 %r4, %r2, 1;\n\tadd.s32 %r5, %r4, %r3;\n\tst.global.u32 [%rd6], %r5;\n\tret;\n",
    );
    let text = text.replace(".address_size 64\n", ".address_size 64\n.file 1 \"k.cu\"\n");
    let after = same(&text, |function| {
        let mut patch = doubled(function);
        // In front of the last sum.
        let sums = |opcode: &Opcode| matches!(opcode, Opcode::Op(Op::Add { width: 32 }));
        patch.insert[0].at = Point::Before(find(function, 0, sums)).into();
        let value = patch.redirect[0].value;
        let Step::Inst { results, .. } = &patch.insert[0].steps[0] else {
            panic!()
        };
        assert_eq!(patch.redirect[0], redirect(value, results[0].value.into()));
        patch.insert[0].at = Point::Before(find(function, 0, is_product)).into();
        let mut next = 5;
        let mut cursor = Cursor::new(
            &mut next,
            function.inst(find(function, 0, is_product)).origin,
        );
        cursor.single(Op::Not { width: 32 }, &[Ref::Special(32, Special::LaneId)]);
        cursor.done(&mut patch, Point::Before(find(function, 1, sums)));
        patch
    });
    let lines: Vec<&str> = after.lines().map(str::trim).collect();
    let at = lines
        .iter()
        .position(|line| line.starts_with("not.b32"))
        .unwrap();
    assert_eq!(lines[at - 2], ".loc 1 10 1", "{after}");
    assert_eq!(lines[at + 1], ".loc 1 20 1", "{after}");
}

/// The halves of a register of 128 bits get their values at once.
#[test]
fn halves_are_defined_together() {
    let body = |load: &str| {
        kernel(&format!(
            "\t.reg .b128 %q;\n{load}\tst.global.b128 [%rd6], %q;\n\tret;\n"
        ))
    };
    let text = body("\tld.global.b128 %q, [%rd7];\n");
    let after = written(&text, |function| {
        let whole = find(function, 0, is_load);
        let load = function.inst(whole);
        let Opcode::Load(access) = load.opcode else {
            panic!("a load")
        };
        let (mut patch, mut next) = (Patch::default(), 0);
        let mut cursor = Cursor::new(&mut next, load.origin);
        let halves = [0, 8].map(|offset| {
            let half = Access {
                elements: 1,
                offset,
                ..access
            };
            cursor.load(half, load.args[0].into(), 64)
        });
        cursor.done(&mut patch, Point::Before(whole));
        // In whatever order the patch names them.
        for (&value, to) in load.results.iter().zip(halves).rev() {
            let clone = None;
            patch.redirect.push(Redirect { clone, value, to });
        }
        patch.remove.push(Removal {
            clone: None,
            inst: whole,
        });
        patch
    });
    let after = after.expect("the patch is written");
    assert!(after.contains("mov.b128 %q, {"), "{after}");
    let found = verdict(&text, &after);
    assert!(matches!(found, Verdict::Equal), "{found:?}\n{after}");
}
