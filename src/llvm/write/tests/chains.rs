//! Chains of clones: iterations of a loop, each in a copy of its own.

use super::cases::*;
use super::guarded::LOOP as LOADS;
use super::regions::LOOP;
use super::{Names, module, patched};
use crate::outputs::Kind;
use ptxasw::ir::function::{BlockId, Value};
use ptxasw::ir::op::{Comparison, Op};
use ptxasw::ir::patch::{
    CloneId, Cursor, Exit, Location, Patch, Point, Redirect, Ref, RegionClone, Relocation, Removal,
    Settled, Variable, VariableId,
};
use ptxasw::ir::types::Type;

/// Some iterations skip a block; the loop is left in its middle.
const BLOCKS: &str = "
  %n = and i32 %tid, 7
  br label %head

head:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %s = phi i32 [ %a, %entry ], [ %u, %latch ]
  %t = add i32 %s, %j
  %bit = and i32 %t, 1
  %even = icmp eq i32 %bit, 0
  br i1 %even, label %join, label %more

more:
  %b = load i32, ptr %src1, align 4
  %m = mul i32 %b, 3
  store i32 %m, ptr %dst1, align 4
  br label %join

join:
  %u = phi i32 [ %t, %head ], [ %m, %more ]
  %stay = icmp ult i32 %j, %n
  br i1 %stay, label %latch, label %end

latch:
  %next = add i32 %j, 1
  br label %head

end:
  %sum = add i32 %u, %j
  store i32 %sum, ptr %dst, align 4
  ret void
";

const ALL_BLOCKS: &[&str] = &["head", "more", "join", "latch"];

/// The sum of one iteration takes the product of the one before, as it is rounded.
const ROUNDED: &str = "
  %n = and i32 %tid, 7
  %ma = and i32 %a, 8388607
  %na = or i32 %ma, 1065353216
  %x = bitcast i32 %na to float
  br label %loop

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = phi float [ %x, %entry ], [ %q, %loop ]
  %s = fadd contract float %p, %x
  %bits = bitcast float %s to i32
  %mi = and i32 %bits, 8388607
  %ni = or i32 %mi, 1065353216
  %w = bitcast i32 %ni to float
  %q = fmul contract float %w, %w
  %next = add i32 %j, 1
  %again = icmp ule i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  store float %q, ptr %dst, align 4
  store float %s, ptr %dst1, align 4
  ret void
";

/// A `switch` goes back by two of its edges.
const SWITCHED: &str = "
  %n = and i32 %tid, 7
  br label %loop

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ], [ %next, %loop ]
  %t = phi i32 [ %a, %entry ], [ %u, %loop ], [ %u, %loop ]
  %u = mul i32 %t, 3
  %next = add i32 %j, 1
  %again = icmp ult i32 %next, %n
  %which = select i1 %again, i32 %next, i32 0
  switch i32 %which, label %end [
    i32 0, label %last
    i32 1, label %loop
    i32 2, label %loop
    i32 700, label %last
  ]

last:
  store i32 %u, ptr %dst, align 4
  br label %end

end:
  store i32 %next, ptr %dst1, align 4
  ret void
";

fn in_copy(number: u32, point: Point) -> Location {
    let clone = Some(CloneId(number));
    Location { clone, point }
}

/// So many copies of a loop, of which the header and the other blocks are given.
fn chain(names: &Names, blocks: &[&str], copies: u32, condition: Ref) -> Vec<RegionClone> {
    let blocks: Vec<_> = blocks.iter().map(|name| names.block(name)).collect();
    let clone = |number: u32| RegionClone {
        id: CloneId(number),
        enter: Point::Start(blocks[0]),
        condition,
        after: number.checked_sub(1).map(CloneId),
        blocks: blocks[1..].to_vec(),
        exits: Vec::new(),
        settled: Vec::new(),
        together: false,
    };
    (0..copies).map(clone).collect()
}

fn always(names: &Names, blocks: &[&str], copies: u32) -> Patch {
    Patch {
        clones: chain(names, blocks, copies, Ref::Constant(1, 1)),
        ..Patch::default()
    }
}

/// Entered where an iteration's number is odd: others are in the original.
fn of_odd_iterations(names: &Names, blocks: &[&str], copies: u32) -> Patch {
    let mut patch = Patch::default();
    let start = Point::Start(names.block(blocks[0]));
    let j = names.value("%j").into();
    let condition = at(&mut patch, start, |cursor| odd(cursor, j));
    patch.clones = chain(names, blocks, copies, condition);
    patch
}

/// Whether so many more iterations follow.
fn more_follow(
    patch: &mut Patch,
    names: &Names,
    block: &str,
    times: u32,
    comparison: Comparison,
) -> Ref {
    let [j, n] = ["%j", "%n"].map(|name| names.value(name).into());
    at(patch, Point::Start(names.block(block)), |cursor| {
        let last = add(cursor, j, word(times));
        #[rustfmt::skip]
        let compare = Op::Compare { comparison, ty: Type::U32, logic: None, ftz: false };
        cursor.op(compare, &[last, n])[0].into()
    })
}

fn redirected(patch: &mut Patch, number: u32, value: Value, to: Ref) {
    let clone = Some(CloneId(number));
    patch.redirect.push(Redirect { clone, value, to });
}

/// In each copy a value is ten times the copy's number more.
fn more_in_each(names: &Names, patch: &mut Patch, name: &str) {
    let value = names.value(name);
    for number in 0..patch.clones.len() as u32 {
        let after = in_copy(number, Point::After(names.inst(name)));
        let more = at(patch, after, |cursor| {
            add(cursor, value.into(), word(10 * number))
        });
        redirected(patch, number, value, more);
    }
}

fn three_copies(names: &Names) -> Patch {
    always(names, &["loop"], 3)
}

fn three_copies_of_blocks(names: &Names) -> Patch {
    always(names, ALL_BLOCKS, 3)
}

fn of_a_switch(names: &Names) -> Patch {
    let mut patch = three_copies(names);
    for clone in &mut patch.clones {
        let parts = (0..).map(BlockId).zip(&names.0.parts);
        let inner = parts.filter(|(_, part)| part.is_none());
        clone.blocks.extend(inner.map(|(block, _)| block));
    }
    more_in_each(names, &mut patch, "%u");
    patch
}

fn odd_iterations(names: &Names) -> Patch {
    of_odd_iterations(names, &["loop"], 2)
}

fn odd_iterations_of_blocks(names: &Names) -> Patch {
    of_odd_iterations(names, ALL_BLOCKS, 2)
}

fn taking_turns(names: &Names) -> Patch {
    let mut patch = three_copies(names);
    more_in_each(names, &mut patch, "%t");
    patch
}

fn taking_turns_in_blocks(names: &Names) -> Patch {
    let mut patch = three_copies_of_blocks(names);
    more_in_each(names, &mut patch, "%t");
    patch
}

/// A copy begins with another sum.
fn another_start(names: &Names) -> Patch {
    let mut patch = always(names, &["loop"], 2);
    let s = names.value("%s");
    let start = in_copy(1, Point::Start(names.block("loop")));
    let more = at(&mut patch, start, |cursor| add(cursor, s.into(), word(1)));
    redirected(&mut patch, 1, s, more);
    patch
}

/// Both numbers are loaded in front of the first iteration: only the last copy can be left.
fn loaded_at_once(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let more = more_follow(&mut patch, names, "loop", 1, Comparison::Le);
    patch.clones = chain(names, &["loop"], 2, more);
    let block = names.block("loop");
    patch.clones[0].settled.push(Settled { block, then: true });
    let p = names.value("%p").into();
    let loaded = at(
        &mut patch,
        in_copy(0, Point::After(names.inst("%p"))),
        |cursor| load(cursor, p, 4),
    );
    redirected(&mut patch, 1, names.value("%b"), loaded);
    patch.remove.push(Removal {
        clone: Some(CloneId(1)),
        inst: names.inst("%b"),
    });
    patch
}

/// All copies go on, the last one to the test.
fn settled_in_blocks(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let more = more_follow(&mut patch, names, "head", 1, Comparison::Lt);
    patch.clones = chain(names, ALL_BLOCKS, 2, more);
    let block = names.block("join");
    for clone in &mut patch.clones {
        clone.settled.push(Settled { block, then: true });
    }
    patch
}

/// The second copy is left in front of its sum by some; one statement moves to its start.
fn left_and_moved(names: &Names) -> Patch {
    let mut patch = always(names, &["loop"], 3);
    let leave = Point::Before(names.inst("%t"));
    let stay = at(&mut patch, in_copy(1, leave), |cursor| odd(cursor, TID));
    let stay = Some(stay);
    patch.clones[1].exits = vec![Exit { at: leave, stay }];
    patch.relocate.push(Relocation {
        inst: names.inst("%next"),
        to: in_copy(2, Point::Start(names.block("loop"))),
    });
    patch
}

/// Each copy counts in its own way.
fn counted(names: &Names) -> Patch {
    let mut patch = three_copies(names);
    let held = Ref::Variable(VariableId(0));
    let end = Point::End(BlockId(0));
    let mut sets = vec![(end.into(), word(40))];
    for number in 0..3 {
        let latch = in_copy(number, Point::End(names.block("loop")));
        let count = |cursor: &mut Cursor| add(cursor, held, word(number + 1));
        sets.push((latch, at(&mut patch, latch, count)));
    }
    patch.variables = vec![Variable { width: 32, sets }];
    let mut next = 5000;
    let mut cursor = Cursor::new(&mut next, 3);
    store(&mut cursor, names.value("%dst").into(), 12, held);
    cursor.done(&mut patch, Point::Start(names.block("end")));
    patch
}

fn iterations(tid: u32) -> u32 {
    (tid & 7).max(1)
}

/// What `LOOP` stores if an iteration adds a number to `%t`, and another one to `%s` before.
fn stored(tid: u32, input: &[u32], row: &mut [u32], more: fn(u32) -> [u32; 2]) {
    let (mut s, mut r) = (input[0], 3);
    for number in 0..iterations(tid) {
        let [early, late] = more(number);
        s = s.wrapping_add(early);
        let t = s.wrapping_mul(3).wrapping_add(late);
        (row[1], row[0]) = (t, t.wrapping_add(r));
        (s, r) = (t, s);
    }
}

pub(super) const CASES: &[Case] = &[
    Case {
        name: "a loop in three copies",
        body: LOOP,
        make: three_copies,
        changed: same,
    },
    Case {
        name: "a loop of several blocks in three copies",
        body: BLOCKS,
        make: three_copies_of_blocks,
        changed: same,
    },
    Case {
        name: "iterations in copies and in the original",
        body: LOOP,
        make: odd_iterations,
        changed: same,
    },
    Case {
        name: "iterations of several blocks in copies and in the original",
        body: BLOCKS,
        make: odd_iterations_of_blocks,
        changed: same,
    },
    Case {
        name: "copies take turns",
        body: LOOP,
        make: taking_turns,
        changed: |tid, input, row| stored(tid, input, row, |number| [0, 10 * (number % 3)]),
    },
    Case {
        name: "copies of several blocks take turns",
        body: BLOCKS,
        make: taking_turns_in_blocks,
        changed: |tid, input, row| {
            let mut s = input[0];
            for number in 0..=tid & 7 {
                let t = s.wrapping_add(number).wrapping_add(10 * (number % 3));
                s = t;
                if t & 1 == 1 {
                    s = input[1].wrapping_mul(3);
                    row[1] = s;
                }
                row[0] = s.wrapping_add(number);
            }
        },
    },
    Case {
        name: "copies of a loop that a switch ends take turns",
        body: SWITCHED,
        make: of_a_switch,
        changed: |tid, input, row| {
            let (mut u, mut number) = (input[0], 0);
            loop {
                u = u.wrapping_mul(3).wrapping_add(10 * (number % 3));
                number += 1;
                if !(number < tid & 7 && number < 3) {
                    break;
                }
            }
            if number >= tid & 7 {
                row[0] = u;
            }
        },
    },
    Case {
        name: "a copy begins with another number",
        body: LOOP,
        make: another_start,
        changed: |tid, input, row| stored(tid, input, row, |number| [number % 2, 0]),
    },
    Case {
        name: "loads of two iterations at once",
        body: LOADS,
        make: loaded_at_once,
        changed: same,
    },
    Case {
        name: "copies that all go on",
        body: BLOCKS,
        make: settled_in_blocks,
        changed: same,
    },
    Case {
        name: "a later copy is left",
        body: LOOP,
        make: left_and_moved,
        changed: same,
    },
    Case {
        name: "a variable goes through all copies",
        body: LOOP,
        make: counted,
        changed: |tid, _, row| {
            row[3] = 40
                + (0..iterations(tid))
                    .map(|number| number % 3 + 1)
                    .sum::<u32>();
        },
    },
    Case {
        name: "a product of the iteration before is rounded",
        body: ROUNDED,
        make: three_copies,
        changed: same,
    },
];

/// A loop with its lines, and what it says of itself.
const SAYING: &str = "
define ptx_kernel void @k(ptr %out, i32 %n) #0 !dbg !4 {
entry:
  br label %loop, !dbg !6

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %t = mul i32 %j, %j, !dbg !6
  store i32 %t, ptr %out, align 4, !dbg !7
  %next = add i32 %j, 1, !dbg !8
  %again = icmp ult i32 %next, %n, !dbg !8
  br i1 %again, label %loop, label %end, !dbg !8, !llvm.loop !9

end:
  ret void, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: \"a.cu\", directory: \"/\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
!4 = distinct !DISubprogram(name: \"k\", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
!6 = !DILocation(line: 3, column: 1, scope: !4)
!7 = !DILocation(line: 4, column: 1, scope: !4)
!8 = !DILocation(line: 5, column: 1, scope: !4)
!9 = distinct !{!9, !10}
!10 = !{!\"llvm.loop.mustprogress\"}
";

/// What follows a mark in a line, up to the next comma.
fn marked<'t>(line: &'t str, mark: &str) -> Option<&'t str> {
    let (_, rest) = line.split_once(mark)?;
    rest.split(',').next()
}

/// The last copy goes back in the loop of the original, and says the same of it; the others do not go back. All have the lines
/// of their statements.
#[test]
fn what_copies_say_of_the_loop() {
    for settled in [0, 2, 3] {
        let make = |names: &Names| {
            let mut patch = three_copies(names);
            let block = names.block("loop");
            for clone in &mut patch.clones[..settled] {
                clone.settled.push(Settled { block, then: true });
            }
            patch
        };
        let text = patched(&module(SAYING), &make, Kind::Ir).expect("written");
        let loops: Vec<&str> = text
            .lines()
            .filter_map(|line| marked(line, "!llvm.loop "))
            .collect();
        assert!(loops.len() == 2 && loops[0] == loops[1], "{text}");
        for (operation, wanted) in [("= mul i32", "line: 3"), ("store i32", "line: 4")] {
            let own = text.lines().filter(|line| line.contains(operation));
            assert_eq!(own.clone().count(), 4, "{text}");
            for place in own.map(|line| marked(line, "!dbg ").expect("a line")) {
                let node = format!("{place} = !DILocation({wanted}, ");
                assert!(text.contains(&node), "{node}\n{text}");
            }
        }
    }
}
