//! Values of all kinds are read and replaced: pointers, parameters, phis, parts of structs, addresses of variables, results of
//! communication between lanes, and what LLVM has no value for.

use super::Names;
use super::cases::*;
use ptxasw::ir::function::{Base, Value, ValueDef};
use ptxasw::ir::op::Op;
use ptxasw::ir::opcode::{Access, BarrierKind, Opcode, ShuffleMode, VoteMode, VoteOrCount};
use ptxasw::ir::patch::{Amend, Amendment, Cursor, Patch, Point, Ref};
use ptxasw::ir::types::{LaneMask, Space, Special, Type};

const STRUCT: &str = "
  %s = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %a, i32 5)
  %low = extractvalue { i32, i1 } %s, 0
  %high = extractvalue { i32, i1 } %s, 1
  %word = zext i1 %high to i32
  store i32 %low, ptr %dst, align 4
  store i32 %word, ptr %dst1, align 4
  ret void
";

const MEMORY: &str = "
  %local = alloca [4 x i32], align 4
  %at = getelementptr inbounds i32, ptr %local, i64 1
  store i32 %a, ptr %at, align 4
  %cell = getelementptr inbounds [64 x i32], ptr addrspace(3) @buffer, i64 0, i64 %i
  store i32 %a, ptr addrspace(3) %cell, align 4
  %b = load i32, ptr %at, align 4
  %c = load i32, ptr addrspace(3) %cell, align 4
  store i32 %b, ptr %dst, align 4
  store i32 %c, ptr %dst1, align 4
  ret void
";

const JOIN: &str = "
  %c = icmp slt i32 %a, 0
  br i1 %c, label %then, label %join

then:
  br label %join

join:
  %x = phi i32 [ %a, %entry ], [ 9, %then ]
  %y = phi ptr [ %src1, %entry ], [ %src, %then ]
  %b = load i32, ptr %y, align 4
  store i32 %x, ptr %dst, align 4
  store i32 %b, ptr %dst1, align 4
  ret void
";

const PLAIN: &str = "
  store i32 %a, ptr %dst, align 4
  ret void
";

fn part_of_struct(names: &Names) -> Patch {
    let mut patch = Patch::default();
    redirect(&mut patch, names.scalar("%s", 0), word(17));
    patch
}

fn truth_of_struct(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let own = names.scalar("%s", 1);
    let not = at(&mut patch, Point::After(names.inst("%s")), |cursor| {
        cursor.single(Op::Not { width: 1 }, &[own.into()])
    });
    redirect(&mut patch, own, not);
    patch
}

fn pointer(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let dst1 = names.value("%dst1");
    let moved = at(&mut patch, Point::After(names.inst("%dst1")), |cursor| {
        cursor.single(Op::Add { width: 64 }, &[dst1.into(), Ref::Constant(64, 16)])
    });
    redirect(&mut patch, dst1, moved);
    patch
}

/// A parameter has its new meaning from the start on.
fn parameter(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let own = names.value("%in");
    let first = Point::After(names.inst_of(0));
    let moved = at(&mut patch, first, |cursor| {
        cursor.single(Op::Add { width: 64 }, &[own.into(), Ref::Constant(64, 16)])
    });
    redirect(&mut patch, own, moved);
    patch
}

fn phis(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let (x, y) = (names.value("%x"), names.value("%y"));
    let start = Point::Start(names.block("join"));
    let more = at(&mut patch, start, |cursor| add(cursor, x.into(), word(1)));
    let next = at(&mut patch, start, |cursor| {
        cursor.single(Op::Add { width: 64 }, &[y.into(), Ref::Constant(64, 4)])
    });
    redirect(&mut patch, x, more);
    redirect(&mut patch, y, next);
    patch
}

/// A branch condition is inverted.
fn condition(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let own = names.value("%c");
    let not = at(&mut patch, Point::After(names.inst("%c")), |cursor| {
        cursor.single(Op::Not { width: 1 }, &[own.into()])
    });
    redirect(&mut patch, own, not);
    patch
}

/// What an address is computed from, of which LLVM has no value: it is computed anew, from redirected operands.
fn inside_a_statement(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let function = &names.0.function;
    let source = names.inst("%src");
    let insts = &function.block(function.inst(source).block).insts;
    let first = insts
        .iter()
        .find(|id| function.inst(**id).origin == function.inst(source).origin);
    let bytes = function.inst(*first.expect("an instruction")).results[0];
    assert!(names.0.scalars[bytes.index()].is_none());
    let i = names.value("%i");
    let one = Ref::Constant(64, 1);
    let flipped = at(&mut patch, Point::After(names.inst("%i")), |cursor| {
        cursor.single(Op::Xor { width: 64 }, &[i.into(), one])
    });
    redirect(&mut patch, i, flipped);
    at(&mut patch, Point::Before(names.store(0)), |cursor| {
        #[rustfmt::skip]
        let low = Op::Extend { from: 64, to: 32, signed: false };
        let low = cursor.single(low, &[bytes.into()]);
        store(cursor, names.value("%dst").into(), 12, low);
        low
    });
    patch
}

fn address(names: &Names, space: Space) -> Value {
    let is = |def: &ValueDef| matches!(def, ValueDef::Address(Base::Variable(one, _), _) if *one == space);
    let values = &names.0.function.values;
    Value(
        values
            .iter()
            .position(|data| is(&data.def))
            .expect("an address") as u32,
    )
}

/// Variables are accessed in their own spaces.
fn variables(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let shared = address(names, Space::Shared);
    at(&mut patch, Point::Before(names.store(3)), |cursor| {
        let of = |space, offset| Access {
            space,
            ..access(Type::B32, 1, offset)
        };
        let local = Opcode::Load(of(Space::Local, 4));
        let local = cursor.inst(local, &[address(names, Space::Local).into()], &[32], None)[0];
        let sum = add(cursor, local.into(), word(1));
        let place = Opcode::Store(of(Space::Shared, 128));
        cursor.inst(place, &[shared.into(), sum], &[], None);
        let again = Opcode::Load(of(Space::Shared, 128));
        let again = cursor.inst(again, &[shared.into()], &[32], None)[0];
        store(cursor, names.value("%dst").into(), 12, again.into());
        word(0)
    });
    patch.amend = vec![Amendment {
        clone: None,
        inst: names.inst("%a"),
        amend: Amend::NonCoherent,
    }];
    patch
}

/// Warp-level instructions: shuffles, votes, matches.
fn lanes(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let all = word(u32::MAX);
    let a: Ref = names.value("%a").into();
    let dst: Ref = names.value("%dst").into();
    at(&mut patch, Point::Before(names.store(1)), |cursor| {
        let tid = TID;
        let truth = odd(cursor, tid);
        let mode = ShuffleMode::Down;
        let shuffle = Opcode::Shuffle { mode, sync: true };
        let shuffled = cursor.inst(shuffle, &[a, word(1), word(31), all], &[32, 1], None);
        store(cursor, dst, 8, shuffled[0].into());
        let mode = VoteMode::Ballot;
        let ballot = Opcode::Vote { mode, sync: true };
        let ballot = cursor.inst(ballot, &[truth, all], &[32], None)[0];
        store(cursor, dst, 12, ballot.into());
        let quarter = cursor.single(Op::And { width: 32 }, &[tid, word(3)]);
        let same = Opcode::Match {
            all: false,
            width: 32,
        };
        let same = cursor.inst(same, &[quarter, all], &[32], None)[0];
        store(cursor, dst, 16, same.into());
        let kind = BarrierKind::Reduce(VoteOrCount::Popc);
        let aligned = true;
        let count = Opcode::Barrier { kind, aligned };
        let count = cursor.inst(count, &[word(0), truth], &[32], None)[0];
        store(cursor, dst, 20, count.into());
        let kind = BarrierKind::Sync;
        cursor.inst(Opcode::Barrier { kind, aligned }, &[word(0)], &[], None);
        let kind = BarrierKind::Warp;
        let aligned = false;
        cursor.inst(Opcode::Barrier { kind, aligned }, &[all], &[], None);
        let mask = cursor.inst(Opcode::ActiveMask, &[], &[32], None)[0];
        let below = Ref::Special(32, Special::LaneMask(LaneMask::Lt));
        let last = cursor.single(Op::Xor { width: 32 }, &[mask.into(), below]);
        store(cursor, dst, 24, last);
        last
    });
    patch
}

/// Code under conditions under conditions.
fn nested(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let a: Ref = names.value("%a").into();
    let sum = at(
        &mut patch,
        Point::Before(names.store(0)),
        |cursor: &mut Cursor| {
            let (outer, inner) = (odd(cursor, TID), odd(cursor, a));
            let none = |_: &mut Cursor| word(1);
            let deep = |cursor: &mut Cursor| cursor.either(inner, 32, |_| word(3), |_| word(2));
            let sum = cursor.either(outer, 32, deep, none);
            cursor.either(inner, 32, |cursor| add(cursor, sum, word(10)), |_| sum)
        },
    );
    at(&mut patch, Point::After(names.store(1)), |cursor| {
        store(cursor, names.value("%dst").into(), 12, sum);
        sum
    });
    patch
}

pub(super) const CASES: &[Case] = &[
    Case {
        name: "a part of a struct",
        body: STRUCT,
        make: part_of_struct,
        changed: |_, _, row| row[0] = 17,
    },
    Case {
        name: "a truth value of a struct",
        body: STRUCT,
        make: truth_of_struct,
        changed: |_, _, row| row[1] ^= 1,
    },
    Case {
        name: "a pointer",
        body: STRUCT,
        make: pointer,
        changed: |_, _, row| (row[1], row[5]) = (0, row[1]),
    },
    Case {
        name: "a parameter",
        body: STRUCT,
        make: parameter,
        changed: |_, input, row| {
            let (low, high) = input[4].overflowing_mul(5);
            (row[0], row[1]) = (low, high.into());
        },
    },
    Case {
        name: "phis",
        body: JOIN,
        make: phis,
        changed: |_, input, row| {
            row[0] += 1;
            row[1] = if (input[0] as i32) < 0 {
                input[1]
            } else {
                input[2]
            };
        },
    },
    Case {
        name: "a condition",
        body: JOIN,
        make: condition,
        changed: |_, input, row| match (input[0] as i32) < 0 {
            true => (row[0], row[1]) = (input[0], input[1]),
            false => (row[0], row[1]) = (9, input[0]),
        },
    },
    Case {
        name: "what LLVM has no value for",
        body: PLAIN,
        make: inside_a_statement,
        changed: |tid, _, row| row[3] = 32 * tid,
    },
    Case {
        name: "variables in their own spaces",
        body: MEMORY,
        make: variables,
        changed: |_, input, row| row[3] = input[0].wrapping_add(1),
    },
    Case {
        name: "what lanes tell each other",
        body: STRUCT,
        make: lanes,
        changed: |tid, input, row| {
            row[2] = if tid == 31 { input[0] } else { input[ROW] };
            row[3] = 0xaaaa_aaaa;
            row[4] = 0x1111_1111 << (tid & 3);
            row[5] = 16;
            row[6] = u32::MAX ^ ((1 << tid) - 1);
        },
    },
    Case {
        name: "conditions under conditions",
        body: STRUCT,
        make: nested,
        changed: |tid, input, row| {
            let inner = input[0] & 1;
            row[3] = if tid & 1 == 1 { 2 + inner } else { 1 } + 10 * inner;
        },
    },
];
