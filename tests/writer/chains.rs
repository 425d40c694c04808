//! Iterations of a loop, each in a copy of its own: the text does what the loop did, or what the copies change.

use super::guarded::as_by_hand;
use super::*;
use ptxasw::ir::cfg::Cfg;
use ptxasw::ir::dominators::DominatorTree;
use ptxasw::ir::function::Terminator;
use ptxasw::ir::loops::LoopNest;
use ptxasw::ir::op::{Comparison, Op};
use ptxasw::ir::patch::{CloneId, Exit, RegionClone, Settled};
use ptxasw::ir::types::Type;

const SUM: &str = "\tadd.s32 %r6, %r6, %r5;\n";
const COUNT: &str = "\tadd.s32 %r5, %r5, 1;\n\tsetp.le.u32 %p1, %r5, %r4;\n";

/// A kernel with a loop that sums up how often it has gone round: up to eight times.
pub(super) fn looping(body: &str) -> String {
    let body = body.replace("SUM;\n", SUM).replace("COUNT;\n", COUNT);
    kernel(&format!(
        "\tand.b32 %r4, %r2, 7;\n\tmov.u32 %r5, 0;\n\tmov.u32 %r6, 0;\n{body}\
         \tst.global.u32 [%rd6], %r6;\n\tst.global.u32 [%rd6+4], %r5;\n\tret;\n"
    ))
}

/// The loop of one block.
pub(super) const PLAIN: &str = "L:\nSUM;\nCOUNT;\n\t@%p1 bra L;\n";

/// How a loop may be written.
const LOOPS: [&str; 12] = [
    PLAIN,
    // The jump back is a block of its own.
    "L:\nSUM;\nCOUNT;\n\t@!%p1 bra E;\n\tbra.uni L;\nE:\n",
    // The latch runs into the header.
    "\tbra M;\nL:\n\txor.b32 %r6, %r6, 21;\nM:\nSUM;\nCOUNT;\n\t@%p1 bra L;\n",
    // The latch comes behind what follows the loop.
    "\tbra L;\nE:\n\tbra F;\nL:\nSUM;\nCOUNT;\n\t@!%p1 bra E;\n\txor.b32 %r6, %r6, 21;\n\tbra L;\nF:\n",
    // Some iterations skip a block.
    "L:\nSUM;\n\tsetp.gt.u32 %p2, %r6, 9;\n\t@%p2 bra S;\n\tadd.s32 %r6, %r6, 3;\nS:\nCOUNT;\n\t@%p1 bra L;\n",
    // Two blocks go back.
    "L:\nSUM;\nCOUNT;\n\t@!%p1 bra E;\n\tsetp.gt.u32 %p2, %r6, 9;\n\t@%p2 bra L;\n\tadd.s32 %r6, %r6, 3;\n\tbra L;\nE:\n",
    // Some threads return in the middle.
    "L:\nSUM;\n\tsetp.gt.u32 %p2, %r6, 12;\n\t@%p2 ret;\nCOUNT;\n\t@%p1 bra L;\n",
    // A loop in the loop.
    "L:\nSUM;\n\tand.b32 %r7, %r5, 3;\nI:\n\tadd.s32 %r6, %r6, %r7;\n\tsub.s32 %r7, %r7, 1;\n\tsetp.gt.s32 %p2, %r7, 0;\n\
     \t@%p2 bra I;\nCOUNT;\n\t@%p1 bra L;\n",
    // Scopes: in the body, and around the latch.
    "L:\nSUM;\n\t{\n\t.reg .b32 %t;\n\txor.b32 %t, %r6, 5;\n\tadd.s32 %r6, %t, 1;\n\t}\nCOUNT;\n\t@%p1 bra L;\n",
    "L:\nSUM;\n\t{\n\t.reg .pred %q;\nCOUNT;\n\tnot.pred %q, %p1;\n\t@!%q bra L;\n\t}\n",
    // Tables: in the body, and at its end.
    "L:\nSUM;\n\tand.b32 %r7, %r5, 1;\n\tT: .branchtargets A, B;\n\tbrx.idx %r7, T;\nA:\n\tadd.s32 %r6, %r6, 7;\nB:\nCOUNT;\n\t@%p1 bra L;\n",
    "L:\nSUM;\nCOUNT;\n\tselp.b32 %r7, 0, 1, %p1;\n\tT: .branchtargets L, E;\n\tbrx.idx %r7, T;\nE:\n",
];

/// The outermost loop of a function: its header, and its other blocks.
fn shape(function: &Function) -> (BlockId, Vec<BlockId>) {
    let cfg = Cfg::new(function);
    let nest = LoopNest::new(&cfg, &DominatorTree::dominators(&cfg));
    let outer = nest.ids().find(|&id| nest.get(id).parent.is_none());
    let outer = outer.expect("a loop");
    let header = nest.get(outer).header;
    let blocks = nest.blocks(outer).iter().copied();
    (header, blocks.filter(|&block| block != header).collect())
}

/// So many copies of the loop.
fn chain(function: &Function, copies: u32, condition: Ref) -> Vec<RegionClone> {
    let (header, blocks) = shape(function);
    let clone = |number: u32| RegionClone {
        id: CloneId(number),
        enter: Point::Start(header),
        condition,
        after: number.checked_sub(1).map(CloneId),
        blocks: blocks.clone(),
        exits: Vec::new(),
        settled: Vec::new(),
        together: false,
    };
    (0..copies).map(clone).collect()
}

fn always(function: &Function, copies: u32) -> Patch {
    Patch {
        clones: chain(function, copies, Ref::Constant(1, 1)),
        ..Patch::default()
    }
}

fn is_sum(opcode: &Opcode) -> bool {
    matches!(opcode, Opcode::Op(Op::Add { width: 32 }))
}

const AT_MOST: Op = Op::Compare {
    comparison: Comparison::Le,
    ty: Type::U32,
    logic: None,
    ftz: false,
};

/// How often the loop has gone round, and its limit.
fn numbers(function: &Function) -> [Value; 2] {
    let sum = function.inst(find(function, 0, is_sum));
    let compare = find(function, 0, |opcode| *opcode == Opcode::Op(AT_MOST));
    [sum.args[1], function.inst(compare).args[1]]
}

/// The lowest bit of a word.
const LOW: Op = Op::Extend {
    from: 32,
    to: 1,
    signed: false,
};

/// In each copy but the first the sum is ten times the copy's number more.
pub(super) fn more_in_each(function: &Function, copies: u32) -> Patch {
    let mut patch = always(function, copies);
    let sum = find(function, 0, is_sum);
    let mut next = 0;
    for number in 1..copies {
        let clone = Some(CloneId(number));
        let value = result(function, sum);
        let mut cursor = Cursor::new(&mut next, function.inst(sum).origin);
        let args = [value.into(), Ref::Constant(32, u64::from(10 * number))];
        let to = cursor.single(Op::Add { width: 32 }, &args);
        let point = Point::After(sum);
        cursor.done(&mut patch, Location { clone, point });
        patch.redirect.push(Redirect {
            clone,
            ..redirect(value, to)
        });
    }
    patch
}

/// The same by hand: the copies take turns.
pub(super) fn more_by_turns(body: &str, copies: u32) -> String {
    let more = format!("{SUM}\trem.u32 %r20, %r5, {copies};\n\tmad.lo.s32 %r6, %r20, 10, %r6;\n");
    looping(&body.replace("SUM;\n", &more))
}

/// The branch by which a loop is left, and whether its true predicate stays.
fn way_out(function: &Function) -> Option<(BlockId, bool)> {
    let (header, mut blocks) = shape(function);
    blocks.push(header);
    blocks.iter().find_map(|&block| {
        let Terminator::Branch {
            then, otherwise, ..
        } = &function.block(block).terminator
        else {
            return None;
        };
        let stays = [then, otherwise].map(|target| blocks.contains(&target.block));
        (stays[0] != stays[1]).then_some((block, stays[0]))
    })
}

#[test]
fn every_loop_in_copies() {
    for body in LOOPS {
        let text = looping(body);
        for copies in [1, 3] {
            same(&text, |function| always(function, copies));
            // Entered where the number is odd: iterations are in the original, too.
            same(&text, |function| {
                let mut patch = Patch::default();
                let mut next = 0;
                let mut cursor = Cursor::new(&mut next, 0);
                let odd = cursor.single(LOW, &[numbers(function)[0].into()]);
                cursor.done(&mut patch, Point::Start(shape(function).0));
                patch.clones = chain(function, copies, odd);
                patch
            });
        }
    }
}

/// Which iteration is in which copy.
#[test]
fn copies_take_turns() {
    for body in LOOPS {
        for copies in 2..=3 {
            as_by_hand(&looping(body), &more_by_turns(body, copies), |function| {
                more_in_each(function, copies)
            });
        }
    }
}

/// Copies that are only left by the last one, or by none: one text runs into the next.
#[test]
fn copies_that_go_on() {
    let mut count = 0;
    for body in LOOPS {
        // Other branches leave the loop, too.
        if body.contains("ret;") {
            continue;
        }
        for (copies, settled) in [(2, 1), (2, 2), (3, 2), (3, 3)] {
            let module = looping(body);
            let mut found = None;
            let after = written(&module, |function| {
                let Some((block, then)) = way_out(function) else {
                    return Patch::default();
                };
                found = Some(block);
                let [number, limit] = numbers(function).map(Ref::Value);
                let mut patch = Patch::default();
                let mut next = 0;
                let mut cursor = Cursor::new(&mut next, 0);
                let times = Ref::Constant(32, settled as u64);
                let last = cursor.single(Op::Add { width: 32 }, &[number, times]);
                let more = cursor.op(AT_MOST, &[last, limit])[0].into();
                cursor.done(&mut patch, Point::Start(shape(function).0));
                patch.clones = chain(function, copies, more);
                for clone in &mut patch.clones[..settled] {
                    clone.settled.push(Settled { block, then });
                }
                patch
            });
            if found.is_none() {
                continue;
            }
            let after = after.expect("the patch is written");
            let judged = verdict(&module, &after);
            assert!(matches!(judged, Verdict::Equal), "{judged:?}\n{after}");
            count += 1;
            // A loop of one block is one straight line.
            if body == PLAIN {
                let last = usize::from(settled == copies as usize);
                assert_eq!(after.matches("bra ").count(), 4 - last, "{after}");
            }
        }
    }
    assert_eq!(count, 4 * (LOOPS.len() - 2));
}

/// What a step reads of the iteration's start has a copy of its own in each iteration.
#[test]
fn values_at_the_start_of_an_iteration() {
    for body in LOOPS {
        let kept = format!("\tmov.u32 %r21, %r6;\n{SUM}\tst.global.u32 [%rd6+8], %r21;\n");
        let by_hand = looping(&body.replace("SUM;\n", &kept));
        as_by_hand(&looping(body), &by_hand, |function| {
            let mut patch = always(function, 3);
            let sum = find(function, 0, is_sum);
            let store = function.inst(find(function, 0, is_store));
            let mut opcode = store.opcode.clone();
            if let Opcode::Store(access) = &mut opcode {
                access.offset = 8;
            }
            let mut next = 0;
            let copies = (0..3).map(|number| Some(CloneId(number)));
            for clone in copies.chain([None]) {
                let mut cursor = Cursor::new(&mut next, function.inst(sum).origin);
                let args = [store.args[0].into(), function.inst(sum).args[0].into()];
                cursor.inst(opcode.clone(), &args, &[], None);
                let point = Point::After(sum);
                cursor.done(&mut patch, Location { clone, point });
            }
            patch
        });
    }
}

/// The number that an iteration begins with is another one in later copies.
#[test]
fn parameters_of_later_copies() {
    let more = format!("\trem.u32 %r20, %r5, 2;\n\tmad.lo.s32 %r6, %r20, 10, %r6;\n{SUM}");
    for body in LOOPS {
        let by_hand = looping(&body.replace("SUM;\n", &more));
        as_by_hand(&looping(body), &by_hand, |function| {
            let mut patch = always(function, 2);
            let (header, _) = shape(function);
            let clone = Some(CloneId(1));
            let value = parameter(function, header);
            let mut next = 0;
            let mut cursor = Cursor::new(&mut next, 0);
            let args = [value.into(), Ref::Constant(32, 10)];
            let to = cursor.single(Op::Add { width: 32 }, &args);
            let point = Point::Start(header);
            cursor.done(&mut patch, Location { clone, point });
            patch.redirect.push(Redirect {
                clone,
                ..redirect(value, to)
            });
            patch
        });
    }
}

/// The header's parameter that is not the number of iterations.
fn parameter(function: &Function, header: BlockId) -> Value {
    let number = numbers(function)[0];
    let mut all = function.block(header).params.iter().copied();
    all.find(|&one| one != number).expect("a parameter")
}

/// Each copy may be left in the middle.
#[test]
fn copies_that_are_left() {
    for body in LOOPS {
        let text = looping(body);
        for number in 0..3 {
            same(&text, |function| {
                let mut patch = always(function, 3);
                let at = Point::After(find(function, 0, is_sum));
                let mut next = 0;
                let mut cursor = Cursor::new(&mut next, 0);
                let stay = cursor.single(LOW, &[numbers(function)[1].into()]);
                let clone = Some(CloneId(number));
                cursor.done(&mut patch, Location { clone, point: at });
                let stay = Some(stay);
                patch.clones[number as usize].exits.push(Exit { at, stay });
                patch
            });
        }
    }
}

/// No copy can be left into a scope, nor begin in one.
#[test]
fn loops_with_scopes_around_a_place() {
    let scope = "\t{\n\t.reg .b32 %t;\n\txor.b32 %t, %r6, 5;\n\tmov.b32 %r6, %t;\n\t}\n";
    let left = looping(&format!("L:\nSUM;\n{scope}COUNT;\n\t@%p1 bra L;\n"));
    let refused = |text: &str, change: &dyn Fn(&Function, &mut Patch)| {
        let refused = written(text, |function| {
            let mut patch = always(function, 2);
            change(function, &mut patch);
            patch
        });
        assert!(
            matches!(refused, Err(WriteError::Uncopyable(_))),
            "{refused:?}"
        );
    };
    for number in 0..2 {
        refused(&left, &|function, patch| {
            let xor = |opcode: &Opcode| matches!(opcode, Opcode::Op(Op::Xor { width: 32 }));
            let at = Point::After(find(function, 0, xor));
            let stay = Some(Ref::Constant(1, 1));
            patch.clones[number].exits.push(Exit { at, stay });
        });
    }
    refused(
        &looping(&format!("L:\n{scope}SUM;\nCOUNT;\n\t@%p1 bra L;\n")),
        &|_, _| {},
    );
}

/// What a loop asks of the assembler it asks once, in front of the test: the copies are one iteration of it.
#[test]
fn pragmas_of_the_header() {
    let body = PLAIN.replace("L:\n", "L:\n\t.pragma \"nounroll\";\n");
    let after = same(&looping(&body), |function| always(function, 3));
    assert_eq!(after.matches(".pragma").count(), 1, "{after}");
    let (before, behind) = after.split_once("\t.pragma \"nounroll\";\n").unwrap();
    assert!(
        before.ends_with("L:\n") && behind.contains("@!%"),
        "{after}"
    );
}

/// Each copy has the lines of its statements, however it is entered.
#[test]
fn lines_of_each_copy() {
    let lines = "L:\n\t.loc 1 7 3\nSUM;\n\t.loc 1 8 3\nCOUNT;\n\t.loc 1 9 3\n\t@%p1 bra L;\n";
    let text = looping(lines).replace(
        "\tst.global.u32 [%rd6], ",
        "\t.loc 1 10 3\n\tst.global.u32 [%rd6], ",
    );
    let text = text.replace(".visible", ".file 1 \"a.cu\"\n.visible");
    for settled in [false, true] {
        let after = written(&text, |function| {
            let mut patch = always(function, 3);
            let (block, then) = way_out(function).expect("a loop that ends");
            for clone in patch.clones.iter_mut().take(2).filter(|_| settled) {
                clone.settled.push(Settled { block, then });
            }
            patch
        });
        let after = after.expect("the patch is written");
        let mut line = 0;
        for one in after.lines().map(str::trim) {
            // Whoever jumps there comes with any line.
            if one.ends_with(':') {
                line = 0;
            }
            if let Some(rest) = one.strip_prefix(".loc 1 ") {
                line = rest.split(' ').next().unwrap().parse().unwrap();
            }
            let expected = match one {
                "add.s32 %r6, %r6, %r5;" => 7,
                "add.s32 %r5, %r5, 1;" => 8,
                _ => continue,
            };
            assert_eq!(line, expected, "{after}");
        }
        assert_eq!(
            after.matches("add.s32 %r6, %r6, %r5;").count(),
            4,
            "{after}"
        );
    }
}
