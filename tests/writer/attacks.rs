//! Patches that a text can say wrongly: each is written as [`apply`](ptxasw::ir::patch::apply) has it, or refused.

use super::*;
use ptxasw::ir::op::{Comparison, Op};
use ptxasw::ir::opcode::Access;
use ptxasw::ir::patch::{
    Amend, Amendment, CloneId, Directives, RegionClone, Relocation, Step, verify as verified,
};
use ptxasw::ir::types::{Special, Type};

fn region(enter: Point, blocks: &[BlockId]) -> RegionClone {
    RegionClone {
        id: CloneId(0),
        enter,
        condition: Ref::Constant(1, 1),
        after: None,
        blocks: blocks.to_vec(),
        exits: Vec::new(),
        settled: Vec::new(),
        together: false,
    }
}

fn in_clone(point: Point) -> Location {
    Location {
        clone: Some(CloneId(0)),
        point,
    }
}

fn sums(opcode: &Opcode) -> bool {
    matches!(opcode, Opcode::Op(Op::Add { width: 32 }))
}

/// Stores a value so many bytes after the address at which the first store of a function stores.
fn stored(function: &Function, value: Ref, offset: i64, number: u32) -> Step {
    let store = function.inst(find(function, 0, is_store));
    let Opcode::Store(access) = &store.opcode else {
        panic!("a store")
    };
    let access = Access { offset, ..*access };
    let (mut patch, mut next) = (Patch::default(), number);
    let mut cursor = Cursor::new(&mut next, store.origin);
    cursor.inst(
        Opcode::Store(access),
        &[store.args[0].into(), value],
        &[],
        None,
    );
    cursor.done(&mut patch, Point::Start(BlockId(0)));
    patch.insert.remove(0).steps.remove(0)
}

fn insertion(at: impl Into<Location>, steps: Vec<Step>) -> Insertion {
    Insertion {
        at: at.into(),
        steps,
    }
}

/// The text that a patch gives does what another text does.
fn does(after: Result<String, WriteError>, by_hand: &str) {
    let after = after.expect("the patch is written");
    let found = verdict(by_hand, &after);
    assert!(matches!(found, Verdict::Equal), "{found:?}\n{after}");
}

/// The parameters of a device function are values of its first block that no statement gives.
#[test]
fn a_device_function_with_parameters_in_registers() {
    let text = format!(
        "{HEADER}.visible .func f(.reg .b64 %out, .reg .b32 %n)\n{{\n\t.reg .b32 %r<8>;\n\t.reg .b64 %rd<4>;\n\
         \tadd.s32 %r1, %n, 1;\n\tadd.s32 %r2, %r1, 2;\n\tst.global.u32 [%out], %r2;\n\tret;\n}}\n"
    );
    let after = written(&text, |function| {
        let (first, second) = (find(function, 0, sums), find(function, 1, sums));
        let mut patch = Patch {
            clones: vec![region(Point::Before(second), &[])],
            redirect: vec![Redirect {
                clone: Some(CloneId(0)),
                ..redirect(result(function, second), Ref::Constant(32, 77))
            }],
            ..Patch::default()
        };
        let mut next = 0;
        let mut cursor = Cursor::new(&mut next, 0);
        cursor.single(Op::Not { width: 32 }, &[Ref::Special(32, Special::LaneId)]);
        cursor.done(&mut patch, Point::Before(first));
        patch
    });
    let after = after.unwrap();
    for line in ["add.s32 %r2, %r1, 2;", "st.global.u32 [%out], %r2;", "ret;"] {
        assert_eq!(after.matches(line).count(), 2, "{after}");
    }
    let at = |what: &str| after.find(what).unwrap();
    assert!(at("mov.b32 %r2, 77;") < at("[%out], %r2;"), "{after}");
    assert!(at(".reg .b64 %rd<4>;") < at("%laneid"), "{after}");
}

/// Where a clone is entered right after a redirected value, its steps still read what the instruction gave.
#[test]
fn a_clone_after_a_redirected_value() {
    for at_start in [false, true] {
        let text = match at_start {
            false => {
                "\tld.global.u32 %r3, [%rd7];\n\tadd.s32 %r4, %r3, 1;\n\tst.global.u32 [%rd6], %r4;\n\tret;\n"
            }
            true => {
                "\tmov.u32 %r3, 9;\n\tsetp.gt.u32 %p1, %r2, 3;\n\t@%p1 bra L;\n\tadd.s32 %r3, %r2, 2;\nL:\n\tshl.b32 %r4, %r3, 1;\n\tst.global.u32 [%rd6], %r4;\n\tret;\n"
            }
        };
        let text = kernel(text);
        let after = written(&text, |function| {
            let store = find(function, 0, is_store);
            let block = function.inst(store).block;
            let (value, enter) = match at_start {
                false => {
                    let load = find(function, 0, is_load);
                    (result(function, load), Point::After(load))
                }
                true => (function.block(block).params[0], Point::Start(block)),
            };
            Patch {
                redirect: vec![redirect(value, Ref::Constant(32, 5))],
                clones: vec![region(enter, &[])],
                insert: vec![insertion(
                    in_clone(Point::Before(store)),
                    vec![stored(function, value.into(), 4, 0)],
                )],
                ..Patch::default()
            }
        });
        let place = if at_start { "L:\n" } else { "[%rd7];\n" };
        let by_hand = text
            .replace(
                place,
                &format!("{place}\tmov.u32 %r9, %r3;\n\tmov.u32 %r3, 5;\n"),
            )
            .replace("\tret;", "\tst.global.u32 [%rd6+4], %r9;\n\tret;");
        does(after, &by_hand);
    }
}

/// The end of a guarded return is no place, in clones neither.
#[test]
fn code_in_front_of_a_guarded_return_in_a_clone() {
    let text =
        kernel("\tsetp.gt.u32 %p1, %r2, 3;\n\t@%p1 ret;\n\tst.global.u32 [%rd6], %r2;\n\tret;\n");
    let patch = |function: &Function, steps: bool| {
        let compare = find(function, 0, |opcode| {
            matches!(opcode, Opcode::Op(Op::Compare { .. }))
        });
        let end = BlockId(1);
        assert!(function.block(end).insts.is_empty());
        let mut patch = Patch {
            clones: vec![region(Point::Before(compare), &[end])],
            ..Patch::default()
        };
        if steps {
            let step = stored(function, Ref::Constant(32, 1), 8, 0);
            let at = in_clone(Point::Start(end));
            patch.insert.push(insertion(at, vec![step]));
        }
        patch
    };
    let refused = written(&text, |function| patch(function, true));
    assert!(matches!(refused, Err(WriteError::Place(_))), "{refused:?}");
    same(&text, |function| patch(function, false));
}

/// Of two results in one register the first is nowhere.
#[test]
fn a_register_that_a_statement_writes_twice() {
    let text =
        kernel("\tld.global.v2.u32 {%r3, %r3}, [%rd7];\n\tst.global.u32 [%rd6], %r3;\n\tret;\n");
    let refused = written(&text, |function| {
        let (load, store) = (find(function, 0, is_load), find(function, 0, is_store));
        let first = function.inst(load).results[0].into();
        let step = stored(function, first, 4, 0);
        Patch {
            insert: vec![insertion(Point::Before(store), vec![step])],
            ..Patch::default()
        }
    });
    assert!(
        matches!(refused, Err(WriteError::Unreadable(_))),
        "{refused:?}"
    );
}

/// PTX has `[%rd1+-4]`, and no `[%rd1-4]`.
#[test]
fn offsets_below_zero() {
    let text = kernel("\tst.global.u32 [%rd6+4], %r2;\n\tret;\n");
    let after = written(&text, |function| {
        let store = find(function, 0, is_store);
        let step = stored(function, Ref::Constant(32, 3), -4, 0);
        Patch {
            insert: vec![insertion(Point::Before(store), vec![step])],
            ..Patch::default()
        }
    });
    assert!(after.unwrap().contains("[%rd6+-4], "));
}

#[test]
fn accesses_that_can_not_be_amended() {
    let amended = |access: &str| {
        let text = kernel(&format!("{access}\tst.global.u32 [%rd6], %r3;\n\tret;\n"));
        written(&text, |function| Patch {
            amend: vec![Amendment {
                clone: None,
                inst: find(function, 0, is_load),
                amend: Amend::NonCoherent,
            }],
            ..Patch::default()
        })
    };
    let refused = amended("\tld.global.lu.u32 %r3, [%rd7];\n");
    assert!(
        matches!(refused, Err(WriteError::Statement(_))),
        "{refused:?}"
    );
    // Another spelling of the same access, for which there is no such form.
    let weak = "\tld.weak.global.u32 %r3, [%rd7];\n";
    assert!(amended(weak).unwrap().contains(weak));
}

#[test]
fn directives_that_a_function_can_not_have() {
    let text = kernel("\tst.global.u32 [%rd6], %r2;\n\tret;\n");
    let bounded = text.replace("\n{", "\n.maxntid 64, 1, 1\n{");
    let device = format!("{HEADER}.visible .func f()\n{{\n\tret;\n}}\n");
    let threads = |x| Directives {
        required_threads: Some([x, 1, 1]),
        ..Directives::default()
    };
    let registers = |count| Directives {
        max_registers: Some(count),
        ..Directives::default()
    };
    for (text, directives) in [
        (&bounded, threads(32)),
        (&text, threads(0)),
        (&text, registers(0)),
        (&device, threads(32)),
        (&device, registers(32)),
    ] {
        let refused = written(text, |_| Patch {
            directives,
            ..Patch::default()
        });
        assert!(
            matches!(refused, Err(WriteError::Directive(_))),
            "{refused:?}"
        );
    }
}

/// A statement does not leave the scope of what it names.
#[test]
fn a_load_of_a_variable_of_an_inner_scope() {
    let text = kernel(
        "\tadd.s32 %r8, %r2, 1;\n\t{\n\t.local .align 4 .b32 x;\n\tld.local.u32 %r3, [x];\n\t}\n\tst.global.u32 [%rd6], %r3;\n\tst.global.u32 [%rd6+4], %r8;\n\tret;\n",
    );
    let refused = written(&text, |function| Patch {
        relocate: vec![Relocation {
            inst: find(function, 0, is_load),
            to: Point::Before(find(function, 0, sums)).into(),
        }],
        ..Patch::default()
    });
    assert!(matches!(refused, Err(WriteError::Name(_))), "{refused:?}");
}

/// What is defined further down in the text is read further up.
#[test]
fn the_order_of_the_text_is_not_that_of_execution() {
    let text = kernel(
        "\tbra B;\nA:\n\tst.global.u32 [%rd6], %r2;\n\tret;\nB:\n\tadd.s32 %r3, %r2, 1;\n\tbra A;\n",
    );
    let after = written(&text, |function| {
        let mut patch = Patch::default();
        let mut next = 0;
        let sum = find(function, 0, sums);
        let mut cursor = Cursor::new(&mut next, function.inst(sum).origin);
        let own = result(function, sum).into();
        let more = cursor.either(
            Ref::Constant(1, 1),
            32,
            |cursor| cursor.single(Op::Add { width: 32 }, &[own, own]),
            |_| own,
        );
        cursor.done(&mut patch, Point::After(sum));
        let store = find(function, 0, is_store);
        let step = stored(function, more, 4, 9);
        patch
            .insert
            .push(insertion(Point::Before(store), vec![step]));
        patch
    });
    let by_hand = text
        .replace("%r2, 1;\n", "%r2, 1;\n\tadd.s32 %r9, %r3, %r3;\n")
        .replace("\tret;", "\tst.global.u32 [%rd6+4], %r9;\n\tret;");
    does(after, &by_hand);
}

/// An instruction has the widths that its registers have.
#[test]
fn widths_that_an_instruction_does_not_have() {
    let text = kernel("\tst.global.u32 [%rd6], %r2;\n\tret;\n");
    let vote = Opcode::Vote {
        mode: ptxasw::ir::opcode::VoteMode::Ballot,
        sync: true,
    };
    let word = Ref::Constant(32, 1);
    for (opcode, args, width) in [
        (Opcode::ActiveMask, vec![], 64),
        (vote.clone(), vec![Ref::Constant(1, 1), word], 64),
        (vote, vec![word, word], 32),
    ] {
        let refused = written(&text, |function| {
            let (mut patch, mut next) = (Patch::default(), 0);
            let mut cursor = Cursor::new(&mut next, 0);
            cursor.inst(opcode, &args, &[width], None);
            cursor.done(&mut patch, Point::Before(find(function, 0, is_store)));
            patch
        });
        assert!(matches!(refused, Err(WriteError::Opcode(_))), "{refused:?}");
    }
}

/// A compare of two numbers, one of them in front: `ptxas` takes one number, anywhere.
#[test]
fn operations_on_numbers_alone() {
    let text = kernel("\tst.global.u32 [%rd6], %r2;\n\tret;\n");
    let after = written(&text, |function| {
        let (mut patch, mut next) = (Patch::default(), 0);
        let mut cursor = Cursor::new(&mut next, 0);
        let compare = Op::Compare {
            comparison: Comparison::Lt,
            ty: Type::U32,
            logic: None,
            ftz: false,
        };
        let less = cursor.op(
            compare,
            &[Ref::Constant(32, 7), Ref::Constant(32, u64::MAX)],
        )[0];
        let chosen = cursor.single(
            Op::Select { width: 32 },
            &[Ref::Constant(32, 1), Ref::Constant(32, 2), less.into()],
        );
        cursor.done(&mut patch, Point::Before(find(function, 0, is_store)));
        let store = find(function, 0, is_store);
        let step = stored(function, chosen, 4, 9);
        patch
            .insert
            .push(insertion(Point::After(store), vec![step]));
        assert!(verified(function, &patch).is_ok());
        patch
    });
    let by_hand = text.replace(
        "\tret;",
        "\tmov.u32 %r9, 1;\n\tst.global.u32 [%rd6+4], %r9;\n\tret;",
    );
    does(after, &by_hand);
}

/// Nothing in a device function reads what it returns in a register.
#[test]
fn what_a_device_function_returns() {
    let text = format!(
        "{HEADER}.visible .func (.reg .b32 %ret) f(.reg .b32 %n)\n{{\n\t.reg .b32 %r<8>;\n\tadd.s32 %ret, %n, 1;\n\tadd.s32 %r1, %n, 2;\n\tret;\n}}\n"
    );
    let removed = |number: usize| {
        written(&text, |function| Patch {
            remove: vec![removal(find(function, number, sums))],
            ..Patch::default()
        })
    };
    assert!(matches!(removed(0), Err(WriteError::Statement(_))));
    let after = removed(1).unwrap();
    assert!(
        !after.contains("%r1,") && after.contains("%ret, %n"),
        "{after}"
    );
}

/// A register of an inner scope does not get its value outside of it.
#[test]
fn a_statement_leaves_the_scope_of_its_register() {
    let text = kernel(
        "\t{\n\t.reg .b32 %x;\n\tadd.s32 %x, %r2, 1;\n\t}\n\tshl.b32 %r8, %r2, 1;\n\tst.global.u32 [%rd6], %r8;\n\tret;\n",
    );
    let refused = written(&text, |function| Patch {
        relocate: vec![Relocation {
            inst: find(function, 0, sums),
            to: Point::Before(find(function, 0, is_store)).into(),
        }],
        ..Patch::default()
    });
    assert!(
        matches!(refused, Err(WriteError::Statement(_))),
        "{refused:?}"
    );
}
/// `ptxas` wants the line of a caller above what is inlined there.
#[test]
fn a_line_that_is_inlined_further_down() {
    let inlined = ".loc 1 30 1, function_name $L_f, inlined_at 1 20 1";
    let text = kernel(&format!(
        "\t.loc 1 10 1\n\tadd.s32 %r3, %r2, 1;\n\t.loc 1 20 1\n\tshl.b32 %r4, %r3, 1;\n\t{inlined}\n\tst.global.u32 [%rd6], %r4;\n\tret;\n"
    ));
    let text = text.replace(".address_size 64\n", ".address_size 64\n.file 1 \"k.cu\"\n");
    for (further, line) in [(false, ".loc 1 30 1"), (true, inlined)] {
        let after = written(&text, |function| {
            let store = find(function, 0, is_store);
            let (mut patch, mut next) = (Patch::default(), 0);
            let mut cursor = Cursor::new(&mut next, function.inst(store).origin);
            cursor.single(Op::Not { width: 32 }, &[Ref::Special(32, Special::LaneId)]);
            let at = match further {
                false => Point::Before(find(function, 0, sums)),
                true => Point::After(store),
            };
            cursor.done(&mut patch, at);
            patch
        });
        let after = after.unwrap();
        let lines: Vec<&str> = after.lines().map(str::trim).collect();
        let at = lines.iter().position(|line| line.starts_with("not.b32"));
        let above = lines[..at.unwrap()].iter().rev();
        let found = above.copied().find(|line| line.starts_with(".loc"));
        assert_eq!(found, Some(line), "{after}");
    }
}
