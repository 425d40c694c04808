//! Loads that fewer threads execute, and what lanes hand to each other.

use super::Names;
use super::cases::*;
use super::patched;
use crate::outputs::Kind;
use ptxasw::ir::function::{BlockId, InstId};
use ptxasw::ir::op::{Op, Permute};
use ptxasw::ir::opcode::{Opcode, ShuffleMode, VoteMode};
use ptxasw::ir::patch::{
    Chosen, CloneId, Cursor, Guarded, Location, Patch, Point, Ref, RegionClone, Settled,
};
use ptxasw::ir::types::{Special, Type};

const PLAIN: &str = "
  %b = load i32, ptr %src1, align 4
  %sum = add i32 %a, %b
  store i32 %sum, ptr %dst, align 4
  store i32 %b, ptr %dst1, align 4
  %src3 = getelementptr inbounds i32, ptr %src, i64 3
  %c = load i32, ptr %src3, align 4
  store i32 %c, ptr %dst2, align 4
  ret void
";

const NARROW: &str = "
  %p = getelementptr i8, ptr %src1, i64 1
  %n = load i8, ptr %p, align 1
  %h = load half, ptr %src1, align 2
  %z = sext i8 %n to i32
  %f = fpext half %h to float
  store i32 %z, ptr %dst, align 4
  store float %f, ptr %dst1, align 4
  %v = load <4 x i32>, ptr %src, align 16
  %src4 = getelementptr inbounds i32, ptr %src, i64 4
  %w = load <2 x float>, ptr %src4, align 8
  %x = extractelement <2 x float> %w, i32 1
  %dst4 = getelementptr inbounds i32, ptr %dst, i64 4
  store <4 x i32> %v, ptr %dst4, align 16
  store float %x, ptr %dst2, align 4
  ret void
";

/// The IR has no operation for a quotient of numbers.
const OPAQUE: &str = "
  %f = load float, ptr %src1, align 4
  %q = fdiv contract float %f, 3.0
  store float %q, ptr %dst, align 4
  ret void
";

pub(super) const LOOP: &str = "
  %n = and i32 %tid, 7
  br label %loop

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 1, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds i32, ptr %src, i32 %j
  %b = load i32, ptr %p, align 4
  %t = add i32 %s, %b
  %next = add i32 %j, 1
  %again = icmp ule i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  store i32 %t, ptr %dst, align 4
  ret void
";

/// A loop carries what a load promises.
const CARRIED: &str = "
  br label %loop

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %r = phi i32 [ 1, %entry ], [ %b, %loop ]
  %p = getelementptr inbounds i32, ptr %src, i32 %j
  %b = load i32, ptr %p, align 4, !range !0, !invariant.load !1
  %next = add i32 %j, 1
  %again = icmp ule i32 %next, 5
  br i1 %again, label %loop, label %end

end:
  store i32 %r, ptr %dst, align 4
  ret void
";

const PROMISING: &str = "
  %b = load i32, ptr %src1, align 4, !range !0, !noundef !1, !invariant.load !1
  store i32 %b, ptr %dst, align 4
  ret void
";
const METADATA: &str = "!0 = !{i32 0, i32 100}\n!1 = !{}\n";

pub(super) const BRANCH: &str = "
  %m = and i32 %tid, 3
  %c = icmp ne i32 %m, 0
  br i1 %c, label %then, label %join

then:
  %b = load i32, ptr %src1, align 4
  store i32 %b, ptr %dst1, align 4
  br label %join

join:
  %x = phi i32 [ %a, %entry ], [ %b, %then ]
  store i32 %x, ptr %dst, align 4
  ret void
";

/// Products and sums that are fused where they are in one block: numbers from 1 to 2, of which all bits count.
const FUSED: &str = "
  %ma = and i32 %a, 8388607
  %na = or i32 %ma, 1065353216
  %x = bitcast i32 %na to float
  %p = fmul contract float %x, %x
  %b = load i32, ptr %src1, align 4
  %mb = and i32 %b, 8388607
  %nb = or i32 %mb, 1065353216
  %y = bitcast i32 %nb to float
  %s = fadd contract float %p, %y
  %q = fmul contract float %y, %x
  store float %s, ptr %dst, align 4
  %src3 = getelementptr inbounds i32, ptr %src, i64 3
  %c = load i32, ptr %src3, align 4
  %mc = and i32 %c, 8388607
  %nc = or i32 %mc, 1065353216
  %z = bitcast i32 %nc to float
  %t = fsub contract float %q, %z
  %u = fadd contract float %p, %z
  store float %t, ptr %dst1, align 4
  store float %u, ptr %dst2, align 4
  ret void
";

/// The load of a statement.
fn load_of(names: &Names, name: &str) -> InstId {
    let function = &names.0.function;
    let origin = function.inst(names.inst(name)).origin;
    let mut insts = (0..).map(InstId).zip(&function.insts);
    let found =
        insts.find(|(_, inst)| inst.origin == origin && matches!(inst.opcode, Opcode::Load(_)));
    found.expect("a load").0
}

/// In front of a statement.
fn before(names: &Names, name: &str) -> Point {
    let function = &names.0.function;
    let origin = function.inst(names.inst(name)).origin;
    let mut insts = (0..).map(InstId).zip(&function.insts);
    let found = insts.find(|(_, inst)| inst.origin == origin);
    Point::Before(found.expect("an instruction").0)
}

pub(super) fn guarded(
    names: &Names,
    name: &str,
    condition: (Ref, bool),
    otherwise: &[Ref],
) -> Guarded {
    let chosen = (0..).zip(otherwise).map(|(scalar, &to)| Chosen {
        value: names.scalar(name, scalar),
        to,
    });
    Guarded {
        clone: None,
        inst: load_of(names, name),
        condition,
        otherwise: chosen.collect(),
    }
}

pub(super) const CLONE: Option<CloneId> = Some(CloneId(0));

pub(super) fn in_clone(point: Point) -> Location {
    Location {
        clone: CLONE,
        point,
    }
}

pub(super) fn region(
    names: &Names,
    condition: Ref,
    blocks: &[&str],
    settled: &[(BlockId, bool)],
) -> Patch {
    let settled = settled.iter().map(|&(block, then)| Settled { block, then });
    let clone = RegionClone {
        id: CloneId(0),
        enter: Point::End(BlockId(0)),
        condition,
        after: None,
        blocks: blocks.iter().map(|name| names.block(name)).collect(),
        exits: Vec::new(),
        settled: settled.collect(),
        together: true,
    };
    Patch {
        clones: vec![clone],
        ..Patch::default()
    }
}

/// The second one asks what the first one gave.
fn two_loads(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let odd_tid = at(&mut patch, before(names, "%b"), |cursor| odd(cursor, TID));
    let b: Ref = names.value("%b").into();
    let odd_b = at(&mut patch, before(names, "%c"), |cursor| odd(cursor, b));
    patch.guard = vec![
        guarded(names, "%b", (odd_tid, false), &[word(7)]),
        guarded(names, "%c", (odd_b, true), &[b]),
    ];
    patch
}

fn all_types(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let when = at(&mut patch, before(names, "%n"), |cursor| odd(cursor, TID));
    let condition = (when, false);
    let a = names.value("%a").into();
    patch.guard = vec![
        guarded(names, "%n", condition, &[Ref::Constant(8, 0xfe)]),
        guarded(names, "%h", condition, &[Ref::Constant(16, 0x3c00)]),
        guarded(names, "%v", condition, &[word(1), a, word(3), word(4)]),
    ];
    // Of what nobody reads nothing is chosen.
    let mut part = guarded(names, "%w", condition, &[word(0), word(0x4000_0000)]);
    part.otherwise.remove(0);
    patch.guard.push(part);
    patch
}

fn hidden_user(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let when = at(&mut patch, before(names, "%f"), |cursor| odd(cursor, TID));
    let six = word(0x40c0_0000);
    patch.guard = vec![guarded(names, "%f", (when, false), &[six])];
    patch
}

/// Elsewhere the sum so far.
fn in_a_loop(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let j = names.value("%j").into();
    let when = at(&mut patch, before(names, "%b"), |cursor| odd(cursor, j));
    let sum = names.value("%s").into();
    patch.guard = vec![guarded(names, "%b", (when, false), &[sum])];
    patch
}

fn second_bit(cursor: &mut Cursor) -> Ref {
    let shift = Op::Shr {
        width: 32,
        signed: false,
    };
    let shifted = cursor.single(shift, &[TID, word(1)]);
    odd(cursor, shifted)
}

fn in_a_clone(names: &Names) -> Patch {
    let mut patch = region(names, Ref::Constant(1, 1), &["then"], &[]);
    let when = at(&mut patch, Point::End(BlockId(0)), |cursor| {
        odd(cursor, TID)
    });
    patch.clones[0].condition = when;
    let place = in_clone(before(names, "%b"));
    let second = at(&mut patch, place, second_bit);
    patch.guard = vec![Guarded {
        clone: CLONE,
        ..guarded(names, "%b", (second, false), &[word(5)])
    }];
    patch
}

/// What is chosen is what the load gives, through the own lane; and a store is under a guard.
fn products_and_sums(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let (src, dst): (Ref, Ref) = (names.value("%src").into(), names.value("%dst").into());
    let when = at(&mut patch, before(names, "%b"), |cursor| odd(cursor, TID));
    let same = at(&mut patch, before(names, "%b"), |cursor| {
        let again = load(cursor, src, 4);
        let mode = ShuffleMode::Index;
        let shuffle = Opcode::Shuffle { mode, sync: true };
        let lane = Ref::Special(32, Special::LaneId);
        let args = [again, lane, word(31), word(u32::MAX)];
        cursor.inst(shuffle, &args, &[32], None)[0].into()
    });
    patch.guard = vec![guarded(names, "%b", (when, false), &[same])];
    at(&mut patch, Point::After(names.inst("%c")), |cursor| {
        let store = Opcode::Store(access(Type::B32, 1, 16));
        cursor.inst(store, &[dst, word(9)], &[], Some((when, false)));
        when
    });
    patch
}

/// All that shuffles need; what is executed under a guard is read under it only.
fn talking(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let dst = names.value("%dst").into();
    at(&mut patch, Point::Before(names.store(0)), |cursor| {
        let a = add(cursor, TID, word(100));
        let shuffle = |cursor: &mut Cursor, mode, by, clamp, mask, guard| {
            let shuffle = Opcode::Shuffle { mode, sync: true };
            let args = [a, word(by), word(clamp), mask];
            cursor.inst(shuffle, &args, &[32, 1], guard)
        };
        let vote = |cursor: &mut Cursor, mode, truth, width| -> Ref {
            let vote = Opcode::Vote { mode, sync: true };
            cursor.inst(vote, &[truth, word(u32::MAX)], &[width], None)[0].into()
        };
        let lane = Ref::Special(32, Special::LaneId);
        let odd_lane = odd(cursor, lane);
        let when = Some((odd_lane, false));
        let mask = cursor.inst(Opcode::ActiveMask, &[], &[32], when)[0].into();
        let other = shuffle(cursor, ShuffleMode::Butterfly, 2, 31, mask, when)[0].into();
        let mine = cursor.single(Op::Select { width: 32 }, &[other, a, odd_lane]);
        store(cursor, dst, 12, mine);
        let all = word(u32::MAX);
        let up = shuffle(cursor, ShuffleMode::Up, 1, 0, all, None);
        let low = cursor.single(
            Op::Select { width: 32 },
            &[up[0].into(), word(9), up[1].into()],
        );
        let first = shuffle(cursor, ShuffleMode::Index, 0, 31, all, None)[0].into();
        let both = cursor.single(
            Op::Pack {
                parts: 2,
                width: 32,
            },
            &[low, first],
        );
        let halves = cursor.op(
            Op::Unpack {
                parts: 2,
                width: 32,
            },
            &[both],
        );
        store(cursor, dst, 16, halves[0].into());
        store(cursor, dst, 20, halves[1].into());
        let bytes = [first, a, word(0x6420)];
        let bytes = cursor.single(Op::Prmt(Permute::Index), &bytes);
        store(cursor, dst, 24, bytes);
        let ballot = vote(cursor, VoteMode::Ballot, odd_lane, 32);
        let alike = vote(cursor, VoteMode::Uniform, odd_lane, 1);
        let held = vote(cursor, VoteMode::All, alike, 1);
        let seen = cursor.single(Op::Select { width: 32 }, &[word(1), ballot, held]);
        store(cursor, dst, 28, seen);
        seen
    });
    patch
}

pub(super) const CASES: &[Case] = &[
    Case {
        name: "two guarded loads in one block",
        body: PLAIN,
        make: two_loads,
        changed: |tid, input, row| {
            let b = if tid & 1 == 1 { input[1] } else { 7 };
            let c = if b & 1 == 0 { input[3] } else { b };
            (row[0], row[1], row[2]) = (input[0].wrapping_add(b), b, c);
        },
    },
    Case {
        name: "guarded loads of narrow numbers and vectors",
        body: NARROW,
        make: all_types,
        changed: |tid, input, row| {
            if tid & 1 == 0 {
                (row[0], row[1], row[2]) = (u32::MAX - 1, 0x3f80_0000, 0x4000_0000);
                row[4..].copy_from_slice(&[1, input[0], 3, 4]);
            }
        },
    },
    Case {
        name: "a user of a guarded load that the IR does not know",
        body: OPAQUE,
        make: hidden_user,
        changed: |tid, _, row| {
            if tid & 1 == 0 {
                row[0] = 0x4000_0000;
            }
        },
    },
    Case {
        name: "a guarded load in a clone",
        body: BRANCH,
        make: in_a_clone,
        changed: |tid, _, row| {
            if tid & 3 == 1 {
                (row[0], row[1]) = (5, 5);
            }
        },
    },
    Case {
        name: "a guarded load in a loop",
        body: LOOP,
        make: in_a_loop,
        changed: |tid, input, row| {
            row[0] = (0..)
                .zip(&input[..=tid as usize & 7])
                .fold(1, |sum: u32, (j, &one)| {
                    sum.wrapping_add(if j & 1 == 1 { one } else { sum })
                });
        },
    },
    Case {
        name: "shuffles, votes and masks, some under guards",
        body: PLAIN,
        make: talking,
        changed: |tid, _, row| {
            row[3] = 100 + if tid & 1 == 1 { tid ^ 2 } else { tid };
            row[4] = if tid == 0 { 9 } else { 99 + tid };
            row[5] = 100;
            row[6] = 100 | (100 + tid) << 16;
            row[7] = 0xaaaa_aaaa;
        },
    },
    Case {
        name: "products and sums around guarded loads",
        body: FUSED,
        make: products_and_sums,
        changed: |tid, _, row| row[4] = 9 * (tid & 1),
    },
];

/// The line of an instruction in the text that a patch is written as.
fn line(body: &str, make: super::Make, name: &str) -> Result<String, String> {
    let text = patched(&(kernel(body) + METADATA), make, Kind::Ir)?;
    let line = text.lines().find(|line| line.contains(name));
    line.map(str::to_owned).ok_or(text)
}

fn promising(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let when = at(&mut patch, before(names, "%b"), |cursor| odd(cursor, TID));
    patch.guard = vec![guarded(names, "%b", (when, false), &[word(999)])];
    patch
}

fn shuffled(names: &Names) -> Patch {
    let mut patch = Patch::default();
    at(&mut patch, Point::Before(names.store(0)), |cursor| {
        let r = names.value("%r").into();
        let more = add(cursor, r, word(1));
        let mode = ShuffleMode::Down;
        let shuffle = Opcode::Shuffle { mode, sync: true };
        let args = [more, word(1), word(31), word(u32::MAX)];
        let other = cursor.inst(shuffle, &args, &[32], None)[0].into();
        store(cursor, names.value("%dst").into(), 4, other);
        other
    });
    patch
}

/// What is promised of a loaded value is not believed of another one.
pub(super) fn judge() -> Result<(), String> {
    for (body, make) in [
        (PROMISING, promising as fn(&Names) -> Patch),
        (CARRIED, shuffled),
    ] {
        let load = line(body, &make, "!invariant.load")?;
        if load.contains("!range") || load.contains("!noundef") {
            return Err(load);
        }
    }
    Ok(())
}

#[test]
fn promises_of_values_that_others_get() {
    assert_eq!(judge(), Ok(()));
}

#[test]
fn a_function_that_talks_says_so() {
    let text = patched(&(kernel(CARRIED) + METADATA), &shuffled, Kind::Ir).unwrap();
    let kernel = text
        .lines()
        .find(|line| line.starts_with("define"))
        .expect("a kernel");
    let group = kernel
        .rsplit(" #")
        .next()
        .and_then(|rest| rest.split(' ').next());
    let group = format!("attributes #{} = ", group.expect("attributes"));
    let line = text.lines().find(|line| line.starts_with(&group));
    assert!(
        line.is_some_and(|line| line.contains("convergent")),
        "{text}"
    );
}
