//! How steps are spelled: numbers, results that nobody reads, guards, names.

use super::clones::odd;
use super::guarded::{THREAD, elsewhere, guard};
use super::*;
use ptxasw::ir::op::{Op, Permute};
use ptxasw::ir::opcode::{BarrierKind, ShuffleMode, VoteMode};
use ptxasw::ir::patch::Step;
use ptxasw::ptx::ast::Item;
use ptxasw::ptx::text::registers::has_made_names;

/// Numbers in the text where the grammar has them, and no predicate that nobody reads.
#[test]
fn numbers_and_unread_predicates() {
    let text = kernel("\tld.global.u32 %r3, [%rd7];\n\tst.global.u32 [%rd6], %r3;\n\tret;\n");
    let after = written(&text, |function| {
        let load = find(function, 0, is_load);
        let (mut patch, mut next) = (Patch::default(), 0);
        let number = |number: i32| Ref::Constant(32, u64::from(number as u32));
        let mut cursor = Cursor::new(&mut next, function.inst(load).origin);
        let bit = Op::Extend {
            from: 32,
            to: 1,
            signed: false,
        };
        let odd = cursor.single(bit, &[THREAD]);
        let either = [number(5), number(-1), odd];
        let mut sum = cursor.single(Op::Select { width: 32 }, &either);
        let bytes = [sum, number(0), number(0x5410)];
        sum = cursor.single(Op::Prmt(Permute::Index), &bytes);
        let (mode, sync) = (ShuffleMode::Index, true);
        let lane = [sum, number(0), number(31), number(-1)];
        let shuffle = Opcode::Shuffle { mode, sync };
        sum = cursor.inst(shuffle, &lane, &[32, 1], None)[0].into();
        let mode = VoteMode::Ballot;
        let vote = Opcode::Vote { mode, sync };
        let votes = cursor.inst(vote, &[odd, number(-1)], &[32], None)[0];
        sum = cursor.single(Op::Add { width: 32 }, &[sum, votes.into()]);
        let kind = BarrierKind::Warp;
        let barrier = Opcode::Barrier {
            kind,
            aligned: false,
        };
        cursor.inst(barrier, &[number(-1)], &[], None);
        cursor.done(&mut patch, Point::Before(load));
        patch.redirect.push(redirect(result(function, load), sum));
        patch.remove.push(removal(load));
        patch
    });
    let after = after.expect("the patch is written");
    for line in [
        "selp.b32 %ptxaswp_r1, 5, -1, %ptxaswp_p0;",
        "prmt.b32 %ptxaswp_r2, %ptxaswp_r1, 0, 21520;",
        "shfl.sync.idx.b32 %ptxaswp_r3, %ptxaswp_r2, 0, 31, -1;",
        "vote.sync.ballot.b32 %ptxaswp_r4, %ptxaswp_p0, -1;",
        "add.s32 %r3, %ptxaswp_r3, %ptxaswp_r4;",
        "bar.warp.sync -1;",
    ] {
        let digits = |line: &str| -> String {
            let plain = |letter: &char| !letter.is_ascii_digit();
            line.chars().filter(plain).collect()
        };
        let there = after.lines().any(|one| digits(one.trim()) == digits(line));
        assert!(there, "{line}\n{after}");
    }
    assert!(!after.contains("mov.b32"), "{after}");
    read(&after);
}

/// A mask that is taken under a guard for what it does to the assembler.
#[test]
fn a_step_with_a_guard_that_stays() {
    let text = kernel("\tst.global.u32 [%rd6], %r2;\n\tret;\n");
    let patch = |function: &Function| {
        let at = Point::Before(find(function, 0, is_store));
        let (mut patch, mut next) = (Patch::default(), 0);
        let odd = odd(&mut patch, &mut next, at);
        let mut cursor = Cursor::new(&mut next, 0);
        cursor.inst(Opcode::ActiveMask, &[], &[32], Some((odd, true)));
        cursor.done(&mut patch, at);
        let Some(Step::Inst { keep, .. }) = patch.insert[1].steps.first_mut() else {
            panic!("a step")
        };
        *keep = true;
        patch
    };
    let after = same(&text, patch);
    let mask = "\t@!%ptxaswp_p0 activemask.b32 %ptxaswp_r";
    assert!(after.contains(mask), "{after}");
}

/// By names alone, if the line is lost.
#[test]
fn names_that_are_recognised() {
    let text = kernel("\tld.global.u32 %r3, [%rd7];\n\tst.global.u32 [%rd6], %r3;\n\tret;\n");
    let body = |text: &str| {
        let module = ptxasw::ptx::parse(text.as_bytes()).expect("the text is PTX");
        let mut bodies = module.items.iter().filter_map(|item| match item {
            Item::Function(function) => function.body.as_ref(),
            _ => None,
        });
        has_made_names(&module, bodies.next().expect("a body"))
    };
    assert!(!body(&text));
    for stem in [Stem::Pass, Stem::Shuffle] {
        let patch = |function: &Function| guard(function, &elsewhere(function, 5), false);
        let after = signed(&text, Signature { stem, mark: None }, patch);
        let after = after.expect("the patch is written");
        assert!(body(&after) && !after.contains("//"), "{after}");
    }
}

/// The line comes first, and the next patch changes it where it is.
#[test]
fn the_line_that_marks_a_body() {
    let text = kernel("\tld.global.u32 %r3, [%rd7];\n\tst.global.u32 [%rd6], %r3;\n\tret;\n");
    let stem = Stem::Pass;
    let marked = |text: &str, said| {
        let patch = |function: &Function| guard(function, &elsewhere(function, 5), false);
        let mark = Some(said);
        signed(text, Signature { stem, mark }, patch).expect("the patch is written")
    };
    let once = marked(&text, "1: memory");
    let first = "{\n\t// ptxasw 1: memory\n\t.reg .pred %ptxaswp_p";
    assert!(once.contains(first), "{once}");
    let twice = marked(&once, "1: memory scalar");
    assert!(twice.contains("\t// ptxasw 1: memory scalar\n"), "{twice}");
    assert_eq!(twice.matches("// ptxasw").count(), 1, "{twice}");
    let same = marked(&once, "1: memory");
    assert_eq!(same.matches("// ptxasw 1: memory\n").count(), 1, "{same}");
    // Windows, and a body in one line.
    let lines = marked(&text.replace('\n', "\r\n"), "1: memory");
    assert!(lines.contains("{\r\n\t// ptxasw 1: memory\r\n"), "{lines}");
    let narrow = text.replace("{\n\t.reg .pred", "{ .reg .pred");
    let narrow = marked(&narrow, "1: memory");
    assert!(narrow.contains("// ptxasw 1: memory\n"), "{narrow}");
}

/// What is written of a store that skips elements is read as that store, and no register holds what nobody reads.
#[test]
fn a_store_that_skips_elements() {
    let store = "st.global.v8.b32 [%rd6], {%r2, _, %r2, _, _, _, _, %r1};";
    let text = kernel(&format!("\t{store}\n\tret;\n"));
    let again = |function: &Function| {
        let (mut patch, mut next) = (Patch::default(), 0);
        let id = find(function, 0, is_store);
        let inst = function.inst(id);
        let mut cursor = Cursor::new(&mut next, inst.origin);
        let args: Vec<Ref> = inst.args.iter().map(|&arg| arg.into()).collect();
        cursor.inst(inst.opcode.clone(), &args, &[], None);
        cursor.done(&mut patch, Point::Before(id));
        patch.remove.push(removal(id));
        patch
    };
    let after = written(&text, again).expect("the patch is written");
    assert!(after.contains(store), "{after}");
    assert!(!after.contains("mov.b32"), "{after}");
    let opcode = |text: &str| {
        let module = ptxasw::ptx::parse(text.as_bytes()).expect("the text is PTX");
        let form = decode(&module).expect("it has a meaning");
        let function = lower(&form, &form.functions[0])
            .expect("it is lowered")
            .function;
        function.inst(find(&function, 0, is_store)).opcode.clone()
    };
    assert_eq!(opcode(&after), opcode(&text));
}
