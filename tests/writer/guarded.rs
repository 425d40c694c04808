//! Loads that fewer threads execute.

use super::clones::odd;
use super::*;
use ptxasw::ir::op::Op;
use ptxasw::ir::opcode::ShuffleMode;
use ptxasw::ir::patch::{Chosen, CloneId, Guarded, RegionClone};
use ptxasw::ir::types::Special;

pub(super) const PARITY: &str = "\tand.b32 %r9, %r2, 1;\n\tsetp.ne.u32 %p1, %r9, 0;\n";
pub(super) const THREAD: Ref = Ref::Special(32, Special::Tid(0));

/// The completed values of the first load's statement with numbers in place of them.
pub(super) fn elsewhere(function: &Function, from: u64) -> Vec<(Value, Ref)> {
    let positions = Positions::new(function);
    let load = find(function, 0, is_load);
    let statement = positions.statement(load).unwrap();
    let read = |value: &Value| {
        let mut insts = statement.iter();
        insts.any(|&id| function.inst(id).args.contains(value))
    };
    let given = statement.iter().flat_map(|&id| &function.inst(id).results);
    let completed = given.copied().filter(|value| !read(value));
    let numbered = completed.zip(from..);
    let constant = |value: Value, number| Ref::Constant(function.value(value).width, number);
    numbered
        .map(|(value, number)| (value, constant(value, number)))
        .collect()
}

/// What is chosen in place of values.
fn chosen(values: &[(Value, Ref)]) -> Vec<Chosen> {
    let values = values.iter();
    values.map(|&(value, to)| Chosen { value, to }).collect()
}

/// The first load is executed by threads with an odd number alone, that pass its own guard; or `negated`, by the even ones.
pub(super) fn guard(function: &Function, values: &[(Value, Ref)], negated: bool) -> Patch {
    let load = find(function, 0, is_load);
    let (mut patch, mut next) = (Patch::default(), 0);
    let at = Point::Before(load);
    let mut condition = odd(&mut patch, &mut next, at);
    if let Some((own, not)) = function.inst(load).guard {
        let mut cursor = Cursor::new(&mut next, 0);
        let own = match not {
            false => own.into(),
            true => cursor.single(Op::Not { width: 1 }, &[own.into()]),
        };
        condition = cursor.single(Op::And { width: 1 }, &[condition, own]);
        cursor.done(&mut patch, at);
    }
    patch.guard.push(Guarded {
        clone: None,
        inst: load,
        condition: (condition, negated),
        otherwise: chosen(values),
    });
    patch
}

/// The text that is written, which does the same as one that somebody wrote by hand.
pub(super) fn as_by_hand(
    text: &str,
    by_hand: &str,
    patch: impl FnOnce(&Function) -> Patch,
) -> String {
    let after = written(text, patch).expect("the patch is written");
    let found = verdict(by_hand, &after);
    assert!(matches!(found, Verdict::Equal), "{found:?}\n{after}");
    after
}

/// Loads with what is stored of them, and what puts 5, 6, ... into their registers.
const WIDTHS: [(&str, &str, &str); 9] = [
    (
        "ld.global.u32 %r3, [%rd7];",
        "mov.u32 %r3, 5;",
        "u32 [%rd6], %r3",
    ),
    (
        "ld.global.nc.L1::evict_last.f32 %f1, [%rd7];",
        "mov.b32 %f1, 5;",
        "f32 [%rd6], %f1",
    ),
    (
        "ld.global.s8 %r3, [%rd7];",
        "mov.u32 %r3, 5;",
        "u32 [%rd6], %r3",
    ),
    (
        "ld.global.u16 %h1, [%rd7];",
        "mov.u16 %h1, 5;",
        "u16 [%rd6], %h1",
    ),
    (
        "ld.global.u64 %rd8, [%rd7];",
        "mov.u64 %rd8, 5;",
        "u64 [%rd6], %rd8",
    ),
    (
        "ld.global.u8 %b, [%rd7];",
        "mov.u16 %h1, 5; cvt.u8.u16 %b, %h1;",
        "u8 [%rd6], %b",
    ),
    (
        "ld.global.b128 %q, [%rd7];",
        "mov.u64 %rd8, 5; mov.u64 %rd9, 6; mov.b128 %q, {%rd8, %rd9};",
        "b128 [%rd6], %q",
    ),
    (
        "ld.global.v2.u32 {%r3, %r4}, [%rd7];",
        "mov.u32 %r3, 5; mov.u32 %r4, 6;",
        "v2.u32 [%rd6], {%r3, %r4}",
    ),
    (
        ".pragma \"used_bytes_mask 0xffff\";\n\tld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd7];",
        "mov.b32 %f1, 5; mov.b32 %f2, 6; mov.b32 %f3, 7; mov.b32 %f4, 8;",
        "v4.f32 [%rd6], {%f1, %f2, %f3, %f4}",
    ),
];

/// A load and its store, with what one thread after the other has in front of them.
fn one_load(above: &str, guard: &str, load: &str, store: &str) -> String {
    let load = match load.rsplit_once('\t') {
        Some((pragma, load)) => format!("{pragma}\t{guard}{load}"),
        None => format!("{guard}{load}"),
    };
    kernel(&format!(
        "\t.reg .b8 %b;\n\t.reg .b128 %q;\n{above}\t{load}\n\tst.global.{store};\n\tret;\n"
    ))
}

#[test]
fn registers_of_all_widths() {
    for (load, moves, store) in WIDTHS {
        for negated in [false, true] {
            let text = one_load("", "", load, store);
            let not = if negated { "@!%p1 " } else { "@%p1 " };
            let by_hand = one_load(&format!("{PARITY}\t{moves}\n"), not, load, store);
            let patch = |function: &Function| guard(function, &elsewhere(function, 5), negated);
            let after = as_by_hand(&text, &by_hand, patch);
            let words = load.split('\t').next_back().unwrap();
            let not = if negated { "!" } else { "" };
            let guarded = format!("\t@{not}%ptxaswp_p0 {words}\n");
            assert!(after.contains(&guarded), "{after}");
        }
    }
}

/// Where the own guard fails the register keeps its value.
#[test]
fn loads_with_a_guard_of_their_own() {
    for (load, moves, store) in WIDTHS {
        for (own, not) in [("%p2", "!%p2"), ("!%p2", "%p2")] {
            let old = moves.replace(", 5", ", 15").replace(", 6", ", 16");
            let old = old.replace(", 7", ", 17").replace(", 8", ", 18");
            let above = format!("\t{old}\n\tsetp.gt.u32 %p2, %r2, 3;\n");
            let text = one_load(&above, &format!("@{own} "), load, store);
            let choice = "L:\n\tmov.pred %p3, %p1;\n";
            let choice = format!("{above}{PARITY}\t@{not} bra L;\n\t{moves}\n{choice}");
            let both = format!("{choice}\t@{not} mov.pred %p3, 0;\n");
            let by_hand = one_load(&both, "@%p3 ", load, store);
            as_by_hand(&text, &by_hand, |function| {
                guard(function, &elsewhere(function, 5), false)
            });
        }
    }
}

#[test]
fn an_address_that_is_overwritten() {
    let stored = |load: &str| kernel(&format!("{load}\tst.global.u64 [%rd6], %rd7;\n\tret;\n"));
    let numbers = |function: &Function| guard(function, &elsewhere(function, 5), false);
    let text = stored("\tld.global.u64 %rd7, [%rd7];\n");
    let by_hand = stored(&format!(
        "{PARITY}\t@%p1 ld.global.u64 %rd7, [%rd7];\n\t@!%p1 mov.u64 %rd7, 5;\n"
    ));
    let after = as_by_hand(&text, &by_hand, numbers);
    let following = "[%rd7];\n\t@!%ptxaswp_p0 mov.b64 %rd7, 5;\n";
    assert!(after.contains(following), "{after}");
    for (own, not) in [("%p2", "!%p2"), ("!%p2", "%p2")] {
        let test = "\tsetp.gt.u32 %p2, %r2, 3;\n";
        let text = stored(&format!("{test}\t@{own} ld.global.u64 %rd7, [%rd7];\n"));
        let by_hand = stored(&format!(
            "{test}{PARITY}\t@{not} bra L;\n\t@%p1 ld.global.u64 %rd7, [%rd7];\n\t@!%p1 mov.u64 %rd7, 5;\nL:\n"
        ));
        as_by_hand(&text, &by_hand, numbers);
    }
}

/// What is chosen is what the registers held, swapped.
#[test]
fn registers_that_change_places() {
    let body = |more: &str, guard: &str| {
        kernel(&format!(
            "\tadd.s32 %r3, %r2, 7;\n\tadd.s32 %r4, %r2, 9;\n{more}\t{guard}ld.global.v2.u32 {{%r3, %r4}}, [%rd7];\n\
             \tst.global.v2.u32 [%rd6], {{%r3, %r4}};\n\tret;\n"
        ))
    };
    let swapped = "\tmov.u32 %r8, %r3;\n\tmov.u32 %r3, %r4;\n\tmov.u32 %r4, %r8;\n";
    let by_hand = body(&format!("{PARITY}{swapped}"), "@%p1 ");
    as_by_hand(&body("", ""), &by_hand, |function| {
        let is_sum = |opcode: &Opcode| matches!(opcode, Opcode::Op(Op::Add { width: 32 }));
        let sums = [1, 0].map(|number| result(function, find(function, number, is_sum)));
        let values = elsewhere(function, 0).into_iter().zip(sums);
        let values: Vec<_> = values
            .map(|((value, _), sum)| (value, sum.into()))
            .collect();
        guard(function, &values, false)
    });
}

/// In a loop: one more than what the register held, which the next turn may have again.
#[test]
fn in_a_loop() {
    let body = |load: &str| {
        kernel(&format!(
            "\tand.b32 %r4, %r2, 3;\n\tmov.u32 %r5, 0;\n\tmov.u32 %r7, 0;\nL:\n\tsetp.ne.u32 %p2, %r5, 1;\n{load}\tadd.s32 %r6, %r6, %r7;\n\
             \tadd.s32 %r5, %r5, 1;\n\tsetp.le.u32 %p3, %r5, %r4;\n\t@%p3 bra L;\n\tst.global.u32 [%rd6], %r7;\n\tret;\n"
        ))
    };
    let by_hand = body(&format!(
        "{PARITY}\tand.pred %p1, %p1, %p2;\n\t@%p2 add.s32 %r7, %r7, 1;\n\t@%p1 ld.global.u32 %r7, [%rd7];\n"
    ));
    let text = body("\t@%p2 ld.global.u32 %r7, [%rd7];\n");
    as_by_hand(&text, &by_hand, |function| {
        let load = find(function, 0, is_load);
        let value = completed(function, load);
        let select = find(function, 0, |opcode| {
            matches!(opcode, Opcode::Op(Op::Select { .. }))
        });
        let old = function.inst(select).args[1];
        let (mut patch, mut next) = (Patch::default(), 50);
        let mut cursor = Cursor::new(&mut next, 0);
        let one = [old.into(), Ref::Constant(32, 1)];
        let more = cursor.single(Op::Add { width: 32 }, &one);
        cursor.done(&mut patch, Point::Before(load));
        let guarded = guard(function, &[(value, more)], false);
        patch.insert.extend(guarded.insert);
        patch.guard = guarded.guard;
        patch
    });
}

/// A load is guarded in a clone; steps after it read what it gives there.
#[test]
fn in_a_clone() {
    let body = |load: &str| {
        kernel(&format!(
            "{load}\tst.global.u64 [%rd6], %rd8;\n\tst.global.u64 [%rd6+8], %rd9;\n\tret;\n"
        ))
    };
    let text = body("\tmov.u64 %rd9, 0;\n\t{\n\tld.global.u64 %rd8, [%rd7];\n\t}\n");
    let by_hand = body(&format!(
        "\tmov.u64 %rd9, 0;\n{PARITY}\tsetp.gt.u32 %p2, %r2, 3;\n\tand.pred %p3, %p1, %p2;\n\tld.global.u64 %rd8, [%rd7];\n\
         \t@%p3 mov.u64 %rd8, 5;\n\t@%p1 mov.u64 %rd9, %rd8;\n"
    ));
    let after = as_by_hand(&text, &by_hand, |function| {
        let load = find(function, 0, is_load);
        let zero = find(function, 0, |opcode| {
            matches!(opcode, Opcode::Op(Op::Copy { width: 64 }))
        });
        let (mut patch, mut next) = (Patch::default(), 0);
        let (enter, clone) = (Point::Before(zero), Some(CloneId(0)));
        let condition = odd(&mut patch, &mut next, enter);
        patch.clones.push(RegionClone {
            id: CloneId(0),
            enter,
            condition,
            after: None,
            blocks: Vec::new(),
            exits: Vec::new(),
            settled: Vec::new(),
            together: false,
        });
        let mut cursor = Cursor::new(&mut next, 0);
        let greater = Op::Compare {
            comparison: ptxasw::ir::op::Comparison::Gt,
            ty: ptxasw::ir::types::Type::U32,
            logic: None,
            ftz: false,
        };
        let test = cursor.op(greater, &[THREAD, Ref::Constant(32, 3)])[0];
        let point = Point::Before(load);
        cursor.done(&mut patch, Location { clone, point });
        patch.guard.push(Guarded {
            clone,
            inst: load,
            condition: (test.into(), true),
            otherwise: chosen(&elsewhere(function, 5)),
        });
        // The other register is what the load gave, in the clone.
        patch.redirect.push(Redirect {
            clone,
            ..redirect(result(function, zero), Ref::Constant(64, 0))
        });
        let store = find(function, 1, is_store);
        let mut cursor = Cursor::new(&mut next, function.inst(store).origin);
        let inst = function.inst(store);
        let args = [inst.args[0].into(), result(function, load).into()];
        cursor.inst(inst.opcode.clone(), &args, &[], None);
        let point = Point::After(store);
        cursor.done(&mut patch, Location { clone, point });
        patch
    });
    assert_eq!(after.matches("ld.global.u64").count(), 2, "{after}");
}

/// A lane's neighbour has the value: what it gives is in the old register at once.
fn exchanged(function: &Function, read_later: bool) -> Patch {
    let load = find(function, 0, is_load);
    let (mut patch, mut next) = (Patch::default(), 0);
    let mut cursor = Cursor::new(&mut next, function.inst(load).origin);
    let mask = cursor.inst(Opcode::ActiveMask, &[], &[32], None)[0];
    let args = [
        THREAD,
        Ref::Constant(32, 1),
        Ref::Constant(32, 31),
        mask.into(),
    ];
    let mode = ShuffleMode::Down;
    let shuffle = Opcode::Shuffle { mode, sync: true };
    let given = cursor.inst(shuffle, &args, &[32, 1], None);
    cursor.done(&mut patch, Point::Before(load));
    patch.guard.push(Guarded {
        clone: None,
        inst: load,
        condition: (given[1].into(), true),
        otherwise: chosen(&[(result(function, load), given[0].into())]),
    });
    if read_later {
        let store = find(function, 0, is_store);
        let mut cursor = Cursor::new(&mut next, function.inst(store).origin);
        let inst = function.inst(store);
        let mut opcode = inst.opcode.clone();
        if let Opcode::Store(access) = &mut opcode {
            access.offset = 4;
        }
        let args = [inst.args[0].into(), given[0].into()];
        cursor.inst(opcode, &args, &[], None);
        cursor.done(&mut patch, Point::After(store));
    }
    patch
}

#[test]
fn what_is_computed_for_a_load_alone_is_in_its_register() {
    for (register, read_later) in [("%r3", false), ("%f1", false), ("%r3", true)] {
        let body = |load: &str, more: &str| {
            kernel(&format!(
                "{load}\tst.global.b32 [%rd6], {register};\n{more}\tret;\n"
            ))
        };
        let text = body(&format!("\tld.global.b32 {register}, [%rd7];\n"), "");
        let more = if read_later {
            "\tst.global.u32 [%rd6+4], %r8;\n"
        } else {
            ""
        };
        let by_hand = body(
            &format!(
                "\tactivemask.b32 %r9;\n\tshfl.sync.down.b32 %r8|%p1, %r2, 1, 31, %r9;\n\tmov.b32 {register}, %r8;\n\
                 \t@!%p1 ld.global.b32 {register}, [%rd7];\n"
            ),
            more,
        );
        let patch = |function: &Function| exchanged(function, read_later);
        let after = as_by_hand(&text, &by_hand, patch);
        let shuffle = format!("shfl.sync.down.b32 {register}|%ptxaswp_p0, ");
        assert_eq!(after.contains(&shuffle), !read_later, "{after}");
        let load = format!("31, %ptxaswp_r0;\n\t@!%ptxaswp_p0 ld.global.b32 {register}, [%rd7];\n");
        assert_eq!(after.contains(&load), !read_later, "{after}");
    }
}

/// An address that is read keeps its register until then.
#[test]
fn nothing_is_computed_in_the_register_of_an_address() {
    let text = kernel(
        "\tmov.u64 %rd8, %rd7;\n\tld.global.u64 %rd8, [%rd8];\n\tst.global.u64 [%rd6], %rd8;\n\tret;\n",
    );
    let by_hand = kernel(&format!(
        "{PARITY}\tld.global.u64 %rd8, [%rd7];\n\tadd.s64 %rd9, %rd7, 5;\n\t@!%p1 mov.u64 %rd8, %rd9;\n\tst.global.u64 [%rd6], %rd8;\n\tret;\n"
    ));
    let value = |function: &Function| {
        let load = find(function, 0, is_load);
        let (mut patch, mut next) = (Patch::default(), 50);
        let mut cursor = Cursor::new(&mut next, 0);
        let base = function.inst(load).args[0].into();
        let args = [base, Ref::Constant(64, 5)];
        let sum = cursor.single(Op::Add { width: 64 }, &args);
        cursor.done(&mut patch, Point::Before(load));
        let guarded = guard(function, &[(result(function, load), sum)], false);
        patch.insert.extend(guarded.insert);
        patch.guard = guarded.guard;
        patch
    };
    let after = written(&text, value).expect("the patch is written");
    let found = verdict(&by_hand, &after);
    assert!(matches!(found, Verdict::Equal), "{found:?}\n{after}");
    assert!(
        after.contains("@!%ptxaswp_p0 mov.b64 %rd8, %ptxaswp_rd"),
        "{after}"
    );
}

#[test]
fn what_can_not_be_guarded() {
    // What is chosen is one of the statement's own.
    let text = kernel(
        "\tld.global.v2.u32 {%r3, %r4}, [%rd7];\n\tst.global.v2.u32 [%rd6], {%r3, %r4};\n\tret;\n",
    );
    let refused = written(&text, |function| {
        let mut values = elsewhere(function, 5);
        values[1].1 = values[0].0.into();
        guard(function, &values, false)
    });
    assert!(
        matches!(refused, Err(WriteError::Statement(_))),
        "{refused:?}"
    );
    // An element of a vector register.
    let text = kernel(
        "\t.reg .v2 .b32 %v;\n\tld.global.u32 %v.x, [%rd7];\n\tst.global.u32 [%rd6], %v.x;\n\tret;\n",
    );
    let numbers = |function: &Function| guard(function, &elsewhere(function, 5), false);
    let refused = written(&text, numbers);
    assert!(
        matches!(refused, Err(WriteError::Unnamed(_))),
        "{refused:?}"
    );
    // A register that the caller reads.
    let text = format!(
        "{HEADER}.visible .func (.reg .b32 %r0) k(.reg .b64 %rd1)\n{{\n\t.reg .b32 %r9;\n\tld.global.u32 %r0, [%rd1];\n\tret;\n}}\n"
    );
    let refused = written(&text, |function| guard(function, &[], false));
    assert!(
        matches!(refused, Err(WriteError::Statement(_))),
        "{refused:?}"
    );
    assert!(written(&text, numbers).is_ok());
}
