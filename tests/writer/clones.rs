//! Regions that are duplicated.

use super::guarded::{PARITY, as_by_hand};
use super::*;
use ptxasw::ir::op::Op;
use ptxasw::ir::patch::{CloneId, Exit, RegionClone, Settled};
use ptxasw::ir::types::Special;

/// A test that half of the lanes pass.
pub(super) fn odd(patch: &mut Patch, next: &mut u32, at: Point) -> Ref {
    let mut cursor = Cursor::new(next, 0);
    let bit = Op::Extend {
        from: 32,
        to: 1,
        signed: false,
    };
    let bit = cursor.single(bit, &[Ref::Special(32, Special::Tid(0))]);
    cursor.done(patch, at);
    bit
}

const LOOPS: &str = "\tand.b32 %r4, %r2, 3;\n\tmov.u32 %r5, 0;\n\tmov.u32 %r6, 0;\nL:\n\tld.global.u32 %r7, [%rd7];\n\
    \tadd.s32 %r6, %r6, %r7;\n\tadd.s64 %rd7, %rd7, 4;\n\tadd.s32 %r5, %r5, 1;\n\tsetp.le.u32 %p1, %r5, %r4;\n\t@%p1 bra L;\n\
    \tst.global.u32 [%rd6], %r6;\n\tsetp.gt.u32 %p2, %r2, 9;\n\t@%p2 bra M;\n\tst.global.u32 [%rd6+4], %r5;\nM:\n\
    \tadd.s32 %r8, %r5, %r6;\n\tst.global.u32 [%rd6+8], %r8;\n\tret;\n";

/// Every region with one entry, entered everywhere: the text does what it did.
#[test]
fn every_region_entered_everywhere() {
    let text = kernel(LOOPS);
    let module = ptxasw::ptx::parse(text.as_bytes()).unwrap();
    let form = decode(&module).unwrap();
    let function = lower(&form, &form.functions[0]).unwrap().function;
    let mut points: Vec<Point> = function.block_ids().map(Point::End).collect();
    points.extend((8..function.insts.len() as u32).map(|id| Point::Before(InstId(id))));
    let mut count = 0;
    for (number, &enter) in points.iter().enumerate() {
        for blocks in 0..1u32 << (function.blocks.len() - 1) {
            if !(number as u32 + blocks).is_multiple_of(3) {
                continue;
            }
            let blocks = function
                .block_ids()
                .filter(|block| block.0 > 0 && blocks >> (block.0 - 1) & 1 == 1)
                .collect();
            let mut patch = Patch::default();
            let condition = odd(&mut patch, &mut 0, enter);
            let leave = points[(number * 7) % points.len()];
            let clone = RegionClone {
                id: CloneId(0),
                enter,
                condition,
                after: None,
                blocks,
                exits: vec![],
                settled: Vec::new(),
                together: false,
            };
            let exit = Exit {
                at: leave,
                stay: Some(Ref::Constant(1, u64::from(number % 2 == 0))),
            };
            for exits in [vec![], vec![exit]] {
                let patch = Patch {
                    clones: vec![RegionClone {
                        exits,
                        ..clone.clone()
                    }],
                    ..patch.clone()
                };
                if verify(&function, &patch).is_ok() {
                    same(&text, |_| patch);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 20, "{count} clones");
}

/// In the clone a load is read twice as large; after both copies each thread has what its own computed.
#[test]
fn a_clone_is_edited_and_merged() {
    let text = kernel(
        "\tld.global.u32 %r3, [%rd7];\n\tadd.s32 %r4, %r3, 1;\n\tbra L;\nL:\n\tst.global.u32 [%rd6], %r4;\n\tst.global.u32 [%rd6+4], %r3;\n\tret;\n",
    );
    let after = written(&text, |function| {
        let load = find(function, 0, is_load);
        let enter = Point::Before(load);
        let mut patch = Patch::default();
        let mut next = 0;
        let condition = odd(&mut patch, &mut next, enter);
        let clone = Some(CloneId(0));
        patch.clones.push(RegionClone {
            id: CloneId(0),
            enter,
            condition,
            after: None,
            blocks: vec![],
            exits: vec![],
            settled: Vec::new(),
            together: false,
        });
        let value = result(function, load);
        let mut cursor = Cursor::new(&mut next, function.inst(load).origin);
        let twice = cursor.single(Op::Add { width: 32 }, &[value.into(), value.into()]);
        cursor.done(
            &mut patch,
            Location {
                clone,
                point: Point::After(load),
            },
        );
        patch.redirect.push(Redirect {
            clone,
            ..redirect(value, twice)
        });
        // After the join: what the load itself gave, in either copy.
        let store = find(function, 1, is_store);
        let mut cursor = Cursor::new(&mut next, function.inst(store).origin);
        let mut opcode = function.inst(store).opcode.clone();
        if let Opcode::Store(access) = &mut opcode {
            access.offset = 8;
        }
        let args = [function.inst(store).args[0].into(), value.into()];
        cursor.inst(opcode, &args, &[], None);
        cursor.done(&mut patch, Point::After(store));
        patch
    });
    let after = after.unwrap();
    let by_hand = kernel(
        "\tld.global.u32 %r3, [%rd7];\n\tmov.u32 %r10, %r3;\n\tand.b32 %r9, %r2, 1;\n\tsetp.ne.u32 %p1, %r9, 0;\n\t@%p1 add.s32 %r3, %r3, %r3;\n\
         \tadd.s32 %r4, %r3, 1;\n\tst.global.u32 [%rd6], %r4;\n\tst.global.u32 [%rd6+4], %r3;\n\tst.global.u32 [%rd6+8], %r10;\n\tret;\n",
    );
    let found = verdict(&by_hand, &after);
    assert!(matches!(found, Verdict::Equal), "{found:?}\n{after}");
}

/// A clone of some blocks that threads with an odd number enter at a place.
fn cloned(enter: Point, blocks: &[u32]) -> Patch {
    let mut patch = Patch::default();
    let condition = odd(&mut patch, &mut 0, enter);
    patch.clones.push(RegionClone {
        id: CloneId(0),
        enter,
        condition,
        after: None,
        blocks: blocks.iter().map(|&block| BlockId(block)).collect(),
        exits: vec![],
        settled: Vec::new(),
        together: false,
    });
    patch
}

/// The first instruction that comes from the body's own text.
fn after_first_copy(function: &Function) -> Point {
    Point::After(find(function, 0, |opcode| {
        matches!(opcode, Opcode::Op(Op::Copy { .. }))
    }))
}

#[test]
fn what_can_not_stand_in_the_text_twice() {
    let text = kernel(
        "\tmov.u32 %r3, 1;\n\t{\nW:\tadd.u32 %r3, %r3, 1;\n\tsetp.lt.u32 %p1, %r3, 3;\n\t@%p1 bra W;\n\t}\n\
         \tst.global.u32 [%rd6], %r3;\n\tret;\n",
    );
    let refused = written(&text, |_| cloned(Point::End(BlockId(0)), &[1, 2]));
    let Err(WriteError::Uncopyable(found)) = &refused else {
        panic!("{refused:?}")
    };
    assert!(
        found.to_string().contains("a label in an inner scope"),
        "{found}"
    );
}

/// Names of both copies are declared in front of the first.
#[test]
fn late_declarations_begin_the_body() {
    let text = kernel(
        "\tmov.u32 %r3, 1;\n\t.reg .b32 %x, %y<2>; // there\n\tmov.u32 %x, 4;\n\t.shared .b32 s[32]; mov.u32 %y1, s;\n\
         \tshl.b32 %r4, %r2, 2;\n\tadd.u32 %y1, %y1, %r4;\n\tst.shared.u32 [%y1], %x;\n\tld.shared.u32 %y0, [%y1];\n\
         \tst.global.u32 [%rd6], %y0;\n\tret;\n",
    );
    let after = same(&text, |function| cloned(after_first_copy(function), &[]));
    for name in [".reg .b32 %x, %y<2>;", ".shared .b32 s[32];"] {
        assert_eq!(after.matches(name).count(), 1, "{after}");
        assert!(after.find(name) < after.find("ld.param"), "{after}");
    }
    // What is mentioned in front of its declaration is something else there.
    let hidden = kernel(
        "\tmov.u32 %r3, %clock;\n\tmov.u32 %r3, 1;\n\t.reg .b32 %clock;\n\tmov.u32 %clock, 4;\n\
         \tst.global.u32 [%rd6], %clock;\n\tret;\n",
    );
    let refused = written(&hidden, |function| cloned(after_first_copy(function), &[]));
    let Err(WriteError::Uncopyable(found)) = &refused else {
        panic!("{refused:?}")
    };
    assert!(found.to_string().contains("a declaration"), "{found}");
}

/// Prototypes of inner scopes are there twice, those of the body once.
#[test]
fn prototypes_of_both_copies() {
    let text = kernel(
        "\tmov.u32 %r3, 1;\n\tmov.u64 %rd8, twice;\n\tP: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n\
         \tcall (%r4), %rd8, (%r2), P;\n\t{\n\tQ: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n\
         \tcall (%r5), %rd8, (%r4), Q;\n\t}\n\tst.global.u32 [%rd6], %r5;\n\tret;\n",
    );
    let callee = ".func (.reg .b32 r) twice(.reg .b32 a)\n{\n\tadd.u32 r, a, a;\n\tret;\n}\n";
    let text = text + callee;
    // Calls keep their lanes together: all threads agree about a parameter.
    let after = same(&text, |function| {
        let (mut patch, mut next) = (Patch::default(), 0);
        let enter = after_first_copy(function);
        let parameter = find(function, 2, |opcode| matches!(opcode, Opcode::Load(_)));
        let mut cursor = Cursor::new(&mut next, 0);
        let bit = Op::Extend {
            from: 32,
            to: 1,
            signed: false,
        };
        let condition = cursor.single(bit, &[result(function, parameter).into()]);
        cursor.done(&mut patch, enter);
        patch.clones.push(RegionClone {
            condition,
            after: None,
            together: true,
            ..cloned(enter, &[]).clones.remove(0)
        });
        patch
    });
    let count = |what: &str| after.matches(what).count();
    assert_eq!((count("P:"), count("Q:")), (1, 2), "{after}");
    assert_eq!((count(", P;"), count(", Q;")), (2, 2), "{after}");
}

/// What a loop asks of the assembler, its copy asks as well: in front of all instructions, also of those that are inserted.
#[test]
fn pragmas_of_both_copies() {
    let text = kernel(&LOOPS.replace("L:\n", "L:\n\t.pragma \"nounroll\";\n"));
    let after = same(&text, |function| {
        let mut patch = cloned(after_first_copy(function), &[1]);
        let clone = Some(CloneId(0));
        let point = Point::Start(BlockId(1));
        let mut next = 100;
        let mut cursor = Cursor::new(&mut next, 0);
        cursor.single(Op::Add { width: 32 }, &[Ref::Constant(32, 1); 2]);
        cursor.done(&mut patch, Location { clone, point });
        patch
    });
    let lines: Vec<&str> = after.lines().map(str::trim).collect();
    let pragmas = (1..lines.len()).filter(|&line| lines[line] == ".pragma \"nounroll\";");
    let labels: Vec<&str> = pragmas.map(|line| lines[line - 1]).collect();
    assert_eq!(labels.len(), 2, "{after}");
    assert!(labels.iter().all(|line| line.ends_with(':')), "{after}");
}

/// The clone that threads with an odd number enter in front of the first branch: there that takes one edge.
pub(super) fn settled(then: bool, blocks: &[u32]) -> Patch {
    let mut patch = Patch::default();
    let (block, id) = (BlockId(0), CloneId(0));
    let enter = Point::End(block);
    let condition = odd(&mut patch, &mut 0, enter);
    patch.clones.push(RegionClone {
        id,
        enter,
        condition,
        after: None,
        blocks: blocks.iter().map(|&block| BlockId(block)).collect(),
        exits: Vec::new(),
        settled: vec![Settled { block, then }],
        together: false,
    });
    patch
}

#[test]
fn branches_with_one_edge() {
    let mut count = 0;
    for branch in [
        "@%p2 bra L;",
        "@!%p2 bra L;",
        "@%p2 bra.uni L;",
        "@%p2 ret;",
        "@!%p2 exit;",
    ] {
        // Of the lanes of a warp all agree.
        let uniform = branch.contains("uni");
        let number = if uniform { "%r1" } else { "%r2" };
        let body = |more: &str| {
            kernel(&format!(
                "\tsetp.gt.u32 %p2, {number}, 5;\n{more}\t{branch}\n\tst.global.u32 [%rd6], %r2;\nL:\n\tst.global.u32 [%rd6+4], %r2;\n\tret;\n"
            ))
        };
        for then in [true, false] {
            let forced = match then {
                true => "\tor.pred %p2, %p2, %p1;\n",
                false => "\tnot.pred %p1, %p1;\n\tand.pred %p2, %p2, %p1;\n",
            };
            let by_hand = body(&format!("{PARITY}{forced}")).replace("bra.uni", "bra");
            for blocks in [&[][..], &[1], &[2], &[1, 2]] {
                // What no branch leads to is no part of a clone.
                let patch = settled(then, blocks);
                if is_sound(&body(""), &patch) {
                    as_by_hand(&body(""), &by_hand, |_| patch);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 20, "{count} clones");
}

fn is_sound(text: &str, patch: &Patch) -> bool {
    let module = ptxasw::ptx::parse(text.as_bytes()).expect("the text is PTX");
    let form = decode(&module).expect("the text has a meaning");
    let lowered = lower(&form, &form.functions[0]).expect("the function is lowered");
    verify(&lowered.function, patch).is_ok()
}

/// All threads agree about a parameter: nothing diverges at the clone's test, nor at its exits.
#[test]
fn threads_that_stay_together() {
    let text = kernel(
        "\tand.b32 %r4, %r1, 3;\n\tmov.u32 %r5, 0;\nL:\n\tadd.s32 %r6, %r5, %r2;\n\tadd.s32 %r5, %r5, 1;\n\tsetp.le.u32 %p1, %r5, %r4;\n\
         \t@%p1 bra L;\n\tst.global.u32 [%rd6], %r6;\n\tsetp.gt.u32 %p2, %r1, 9;\n\t@%p2 bra M;\n\tst.global.u32 [%rd6+4], %r5;\nM:\n\tret;\n",
    );
    let after = same(&text, |function| {
        let (mut patch, mut next) = (Patch::default(), 0);
        let enter = Point::End(BlockId(0));
        let mut cursor = Cursor::new(&mut next, 0);
        let parameter = function.inst(find(function, 2, |opcode| {
            matches!(opcode, Opcode::Load(_))
        }));
        let bit = Op::Extend {
            from: 32,
            to: 1,
            signed: false,
        };
        let condition = cursor.single(bit, &[parameter.results[0].into()]);
        cursor.done(&mut patch, enter);
        patch.clones.push(RegionClone {
            id: CloneId(0),
            enter,
            condition,
            after: None,
            blocks: vec![BlockId(1), BlockId(2)],
            exits: vec![Exit {
                at: Point::End(BlockId(1)),
                stay: Some(condition),
            }],
            settled: vec![],
            together: true,
        });
        patch
    });
    let lines = |what: &str| after.lines().filter(|line| line.contains(what)).count();
    // The test, the exit, and the loop's branch.
    assert_eq!(lines("bra.uni"), 3, "{after}");
    assert!(after.contains("@%p1 bra.uni $ptxaswp_"), "{after}");
    assert!(after.contains("@%p1 bra L;"), "{after}");
    let settled = written(&text, |_| {
        let mut patch = settled(true, &[]);
        patch.clones[0].enter = Point::End(BlockId(2));
        patch.clones[0].settled[0].block = BlockId(2);
        patch.insert[0].at = Point::End(BlockId(2)).into();
        patch.clones[0].together = true;
        patch
    });
    let settled = settled.expect("the patch is written");
    assert!(settled.contains("\tbra.uni M;\n"), "{settled}");
}
