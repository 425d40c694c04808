//! Branches of which a clone has one edge.

use super::cases::*;
use super::guarded::{BRANCH, CLONE, LOOP, in_clone, region};
use super::{Names, patched};
use crate::outputs::Kind;
use ptxasw::ir::function::BlockId;
use ptxasw::ir::op::{Comparison, Op};
use ptxasw::ir::patch::{Cursor, Exit, Patch, Point, Redirect, Ref};
use ptxasw::ir::types::Type;

fn nonzero(cursor: &mut Cursor, names: &Names) -> Ref {
    let compare = Op::Compare {
        comparison: Comparison::Ne,
        ty: Type::U32,
        logic: None,
        ftz: false,
    };
    Ref::New(cursor.op(compare, &[names.value("%m").into(), word(0)])[0])
}

/// The clone is for lanes that take the branch.
fn settled_then(names: &Names) -> Patch {
    let mut patch = region(names, Ref::Constant(1, 1), &["then"], &[(BlockId(0), true)]);
    let end = Point::End(BlockId(0));
    patch.clones[0].condition = at(&mut patch, end, |cursor| nonzero(cursor, names));
    let value = names.value("%b");
    patch.redirect.push(Redirect {
        clone: CLONE,
        value,
        to: word(8),
    });
    patch
}

/// The clone is for lanes that do not.
fn settled_otherwise(names: &Names) -> Patch {
    let mut patch = region(
        names,
        Ref::Constant(1, 1),
        &["join"],
        &[(BlockId(0), false)],
    );
    let end = Point::End(BlockId(0));
    patch.clones[0].condition = at(&mut patch, end, |cursor| {
        let truth = nonzero(cursor, names);
        cursor.single(Op::Not { width: 1 }, &[truth])
    });
    at(
        &mut patch,
        in_clone(Point::Start(names.block("join"))),
        |cursor| {
            store(
                cursor,
                names.value("%dst").into(),
                8,
                names.value("%x").into(),
            );
            word(0)
        },
    );
    patch
}

/// A loop that its test leaves, not its branch.
fn settled_loop(names: &Names) -> Patch {
    let block = names.block("loop");
    let mut patch = region(names, Ref::Constant(1, 1), &["loop"], &[(block, true)]);
    let at = Point::After(names.inst("%again"));
    let stay = Some(names.value("%again").into());
    patch.clones[0].exits = vec![Exit { at, stay }];
    patch
}

pub(super) const CASES: &[Case] = &[
    Case {
        name: "a branch of a loop is always taken",
        body: LOOP,
        make: settled_loop,
        changed: same,
    },
    Case {
        name: "a branch of a clone is always taken",
        body: BRANCH,
        make: settled_then,
        changed: |tid, _, row| {
            if tid & 3 != 0 {
                (row[0], row[1]) = (8, 8);
            }
        },
    },
    Case {
        name: "a branch of a clone is never taken",
        body: BRANCH,
        make: settled_otherwise,
        changed: |tid, input, row| {
            if tid & 3 == 0 {
                row[2] = input[0];
            }
        },
    },
];

#[test]
fn a_switch_is_not_settled() {
    let one = "  switch i32 %tid, label %two [ i32 1, label %one ]
one:
  br label %two
two:
  ret void\n";
    let make = |names: &Names| {
        let blocks = ["one", "two"];
        region(names, Ref::Constant(1, 1), &blocks, &[(BlockId(0), true)])
    };
    let error = patched(&kernel(one), &make, Kind::Ir).unwrap_err();
    assert!(error.contains("is a part of a `switch`"), "{error}");
}
