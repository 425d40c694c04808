//! Branches and loops: statements that move, clones, variables.

use super::Names;
use super::cases::*;
use ptxasw::ir::function::BlockId;
use ptxasw::ir::op::{Comparison, Op};
use ptxasw::ir::patch::{
    CloneId, Cursor, Exit, Location, Patch, Point, Redirect, Ref, RegionClone, Relocation, Removal,
    Variable, VariableId,
};
use ptxasw::ir::types::Type;

const DIAMOND: &str = "
  %m = and i32 %tid, 3
  %c = icmp ne i32 %m, 0
  %k = mul i32 %tid, 5
  br i1 %c, label %then, label %join

then:
  %b = load i32, ptr %src1, align 4
  %more = add i32 %b, %k
  store i32 %more, ptr %dst1, align 4
  %last = xor i32 %more, 77
  br label %join

join:
  %x = phi i32 [ %a, %entry ], [ %last, %then ]
  %y = add i32 %x, %k
  store i32 %y, ptr %dst, align 4
  %z = add i32 %y, %m
  store i32 %z, ptr %dst2, align 4
  ret void
";

pub(super) const SWITCH: &str = "
  %m = and i32 %tid, 7
  switch i32 %m, label %one [
    i32 1, label %two
    i32 2, label %two
    i32 7, label %one
  ]

one:
  br label %two

two:
  %x = phi i32 [ 4, %entry ], [ 4, %entry ], [ %a, %one ]
  store i32 %x, ptr %dst, align 4
  ret void
";

pub(super) const LOOP: &str = "
  %n = and i32 %tid, 7
  br label %loop

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ %a, %entry ], [ %t, %loop ]
  %r = phi i32 [ 3, %entry ], [ %s, %loop ]
  %t = mul i32 %s, 3
  %next = add i32 %j, 1
  store i32 %t, ptr %dst1, align 4
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  %sum = add i32 %t, %r
  store i32 %sum, ptr %dst, align 4
  store i32 %next, ptr %dst2, align 4
  ret void
";

/// The load of one side is executed on both.
fn hoisted(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let inst = names.inst("%b");
    patch.relocate.push(Relocation {
        inst,
        to: Point::End(BlockId(0)).into(),
    });
    at(&mut patch, Point::Start(names.block("join")), |cursor| {
        store(
            cursor,
            names.value("%dst").into(),
            12,
            names.value("%b").into(),
        );
        word(0)
    });
    patch
}

fn sunk(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let inst = names.inst("%k");
    let to = Point::Before(names.inst("%c")).into();
    patch.relocate.push(Relocation { inst, to });
    patch
}

fn region(names: &Names, enter: Point, condition: Ref, blocks: &[&str]) -> RegionClone {
    RegionClone {
        id: CloneId(0),
        enter,
        condition,
        after: None,
        blocks: blocks.iter().map(|name| names.block(name)).collect(),
        exits: Vec::new(),
        settled: Vec::new(),
        together: false,
    }
}

fn in_clone(point: Point) -> Location {
    let clone = Some(CloneId(0));
    Location { clone, point }
}

/// Both copies of the branch: in the clone the loaded value is one more, and after it each lane has its own.
fn cloned(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let enter = Point::Before(names.inst("%c"));
    let condition = at(&mut patch, enter, |cursor| odd(cursor, TID));
    patch.clones = vec![region(names, enter, condition, &["then"])];
    let b = names.value("%b");
    let after = in_clone(Point::After(names.inst("%b")));
    let more = at(&mut patch, after, |cursor| add(cursor, b.into(), word(1)));
    patch.redirect.push(Redirect {
        clone: Some(CloneId(0)),
        value: b,
        to: more,
    });
    // A step after both reads the value of the copy that ran.
    at(&mut patch, Point::Before(names.inst("%y")), |cursor| {
        let k = names.value("%k").into();
        let x = names.value("%x").into();
        let sum = add(cursor, k, x);
        store(cursor, names.value("%dst").into(), 12, sum);
        sum
    });
    patch
}

/// The clone has its own constant in place of what it computes, and no store.
fn edited_clone(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let enter = Point::End(BlockId(0));
    let condition = at(&mut patch, enter, |cursor| odd(cursor, TID));
    patch.clones = vec![region(names, enter, condition, &["then", "join"])];
    let clone = Some(CloneId(0));
    patch.remove.push(Removal {
        clone,
        inst: names.store(0),
    });
    patch.remove.push(Removal {
        clone,
        inst: names.inst("%y"),
    });
    patch.redirect.push(Redirect {
        clone,
        value: names.value("%y"),
        to: word(11),
    });
    patch
}

/// A `switch` is cloned with all that it is made of.
fn cloned_switch(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let enter = Point::After(names.inst("%m"));
    let condition = at(&mut patch, enter, |cursor| odd(cursor, TID));
    let mut clone = region(names, enter, condition, &[]);
    clone.blocks = (1..names.0.function.blocks.len() as u32)
        .map(BlockId)
        .collect();
    patch.clones = vec![clone];
    let x = names.value("%x");
    let start = in_clone(Point::Start(names.block("two")));
    let more = at(&mut patch, start, |cursor| add(cursor, x.into(), word(1)));
    patch.redirect.push(Redirect {
        clone: Some(CloneId(0)),
        value: x,
        to: more,
    });
    patch
}

/// Some lanes leave the clone in the middle of its last block.
fn exit_in_mid_block(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let enter = Point::End(BlockId(0));
    let mut clone = region(names, enter, Ref::Constant(1, 1), &["then", "join"]);
    let leave = Point::After(names.store(1));
    let stay = at(&mut patch, in_clone(leave), |cursor| {
        let half = cursor.single(
            Op::Shr {
                width: 32,
                signed: false,
            },
            &[TID, word(1)],
        );
        odd(cursor, half)
    });
    clone.exits = vec![Exit {
        at: leave,
        stay: Some(stay),
    }];
    patch.clones = vec![clone];
    // Only those that stay come here.
    at(
        &mut patch,
        in_clone(Point::After(names.inst("%z"))),
        |cursor| {
            store(
                cursor,
                names.value("%dst").into(),
                12,
                names.value("%z").into(),
            );
            word(0)
        },
    );
    // And all others here.
    at(&mut patch, Point::After(names.inst("%z")), |cursor| {
        store(
            cursor,
            names.value("%dst").into(),
            16,
            names.value("%y").into(),
        );
        word(0)
    });
    patch
}

/// Two numbers that the loop carries.
fn variables(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let (first, second) = (Ref::Variable(VariableId(0)), Ref::Variable(VariableId(1)));
    let entry = Point::End(BlockId(0));
    let latch = Point::End(names.block("loop"));
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, 3);
    let more = add(&mut cursor, first, word(2));
    let own = add(&mut cursor, second, first);
    cursor.done(&mut patch, Point::Before(names.inst("%next")));
    let variable = |start: u32, step: Ref| Variable {
        width: 32,
        sets: vec![(entry.into(), word(start)), (latch.into(), step)],
    };
    patch.variables = vec![variable(40, more), variable(100, own)];
    let mut cursor = Cursor::new(&mut next, 3);
    let dst = names.value("%dst").into();
    store(&mut cursor, dst, 12, first);
    store(&mut cursor, dst, 16, second);
    cursor.done(&mut patch, Point::Start(names.block("end")));
    patch
}

/// A fast loop that goes on in the original's when a test fails.
fn fast_loop(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let enter = Point::End(BlockId(0));
    let mut clone = region(names, enter, Ref::Constant(1, 1), &["loop"]);
    let leave = Point::After(names.inst("%t"));
    let stay = at(&mut patch, in_clone(leave), |cursor| {
        let ty = Type::U32;
        let (comparison, logic, ftz) = (Comparison::Lt, None, false);
        #[rustfmt::skip]
        let compare = Op::Compare { comparison, ty, logic, ftz };
        cursor.op(compare, &[names.value("%j").into(), word(3)])[0].into()
    });
    clone.exits = vec![Exit {
        at: leave,
        stay: Some(stay),
    }];
    patch.clones = vec![clone];
    at(&mut patch, Point::After(names.store(0)), |cursor| {
        store(cursor, names.value("%dst").into(), 12, word(1));
        word(0)
    });
    patch
}

pub(super) const CASES: &[Case] = &[
    Case {
        name: "a load is executed earlier",
        body: DIAMOND,
        make: hoisted,
        changed: |_, input, row| row[3] = input[1],
    },
    Case {
        name: "what moves is there in time",
        body: DIAMOND,
        make: sunk,
        changed: same,
    },
    Case {
        name: "a region has a clone",
        body: DIAMOND,
        make: cloned,
        changed: |tid, input, row| {
            if tid & 1 == 1 {
                let more = input[1].wrapping_add(1).wrapping_add(5 * tid);
                row[1] = more;
                row[0] = (more ^ 77).wrapping_add(5 * tid);
                row[2] = row[0].wrapping_add(tid & 3);
            }
            row[3] = row[0];
        },
    },
    Case {
        name: "a clone is edited alone",
        body: DIAMOND,
        make: edited_clone,
        changed: |tid, _, row| {
            if tid & 1 == 1 {
                row[1] = 0;
                row[0] = 11;
                row[2] = 11 + (tid & 3);
            }
        },
    },
    Case {
        name: "a clone of a switch",
        body: SWITCH,
        make: cloned_switch,
        changed: |tid, _, row| row[0] = row[0].wrapping_add(tid & 1),
    },
    Case {
        name: "a clone leaves in the middle of a block",
        body: DIAMOND,
        make: exit_in_mid_block,
        changed: |tid, _, row| match tid >> 1 & 1 {
            1 => row[3] = row[2],
            _ => row[4] = row[0],
        },
    },
    Case {
        name: "variables that a loop carries",
        body: LOOP,
        make: variables,
        changed: |_, _, row| {
            let (mut first, mut second) = (40, 100);
            for _ in 0..row[2] {
                (first, second) = (first + 2, second + first);
            }
            (row[3], row[4]) = (first, second);
        },
    },
    Case {
        name: "a loop has a clone that it leaves",
        body: LOOP,
        make: fast_loop,
        changed: |_, _, row| row[3] = u32::from(row[2] >= 4),
    },
];
