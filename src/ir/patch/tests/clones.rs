//! Regions with a second copy, and variables that loops carry: what they compute, entered and left anywhere.

use super::*;

/// Every region with one entry and with every condition: values that both copies define are merged after it.
#[test]
fn clones_do_what_the_original_does() {
    let function = parse(DIAMOND).unwrap();
    let points = function.insts.iter().enumerate();
    let points = points.map(|(id, _)| Point::Before(InstId(id as u32)));
    let first = [
        Point::End(BlockId(0)),
        Point::End(BlockId(1)),
        Point::Start(BlockId(2)),
    ];
    for enter in points.chain(first) {
        for blocks in [&[][..], &[1], &[2], &[1, 2]] {
            for condition in [0, 1] {
                let patch = Patch {
                    clones: vec![region(enter, Ref::Constant(1, condition), blocks, &[])],
                    ..Patch::default()
                };
                match verify(&function, &patch) {
                    Ok(_) => drop(same(&function, &patch)),
                    // Blocks that the clone does not come to.
                    Err(PatchError::Violation(crate::verify::Violation::Unreachable(_))) => {}
                    // The block in which it is entered is not copied once more.
                    Err(PatchError::Twice(_)) => {}
                    Err(error) => panic!("{error}: {enter:?} {blocks:?}"),
                }
            }
        }
    }
}

#[test]
fn a_clone_leaves_in_mid_block() {
    let function = parse(DIAMOND).unwrap();
    // In front of the second store of the last block, with all values that are live there.
    let leaving = Point::Before(InstId(8));
    for stay in [Some(Ref::Constant(1, 0)), Some(Ref::Constant(1, 1)), None] {
        let exit = Exit { at: leaving, stay };
        let enter = Point::Before(InstId(2));
        let clone = region(enter, Ref::Constant(1, 1), &[1, 2], &[exit]);
        let patch = Patch {
            clones: vec![clone],
            ..Patch::default()
        };
        same(&function, &patch);
    }
}

/// In the clone a load is replaced, in the original not; after them is what ran.
#[test]
fn a_clone_is_edited_alone() {
    let function = parse(DIAMOND).unwrap();
    for condition in [0, 1] {
        let enter = Point::Before(InstId(1));
        let mut patch = Patch {
            clones: vec![region(enter, Ref::Constant(1, condition), &[1], &[])],
            ..Patch::default()
        };
        let clone = Some(CloneId(0));
        let mut next = 0;
        let mut cursor = Cursor::new(&mut next, 5);
        let more = cursor.single(
            Op::Add { width: 32 },
            &[value(6).into(), Ref::Constant(32, 1)],
        );
        cursor.done(
            &mut patch,
            Location {
                clone,
                point: Point::After(InstId(4)),
            },
        );
        patch.redirect.push(Redirect {
            clone,
            value: value(6),
            to: more,
        });
        let changed = applied(&function, &patch);
        for seed in 0..16 {
            let (before, after) = (run(&function, seed), run(&changed, seed));
            let taken = before.len() == 3 && condition == 1;
            let first = |stores: &[(u64, u64)]| stores[0].1;
            assert_eq!(
                first(&after),
                first(&before) + u64::from(taken),
                "{changed}"
            );
        }
    }
}

pub(super) const LOOP: &str = "kernel f(p: u64 ptr) {
block0:
    v1: b64 = load.paramentry.u64 &p ; 0
    v2: b32 = and.32 %tid.x, 7 ; 1
    jump block1(0, 0) ; 2
block1(v3: b32, v4: b32):
    v5: b32 = add.32 v4, v3 ; 3
    store.global.b32 v1, v5 ; 4
    v6: b32 = add.32 v3, 1 ; 5
    v7: pred, v8: pred = compare.lt.u32 v6, v2 ; 6
    branch v7, block1(v6, v5), block2 ; 7
block2:
    store.global.b32[+4] v1, v5 ; 8
    return ; 9
}
";

/// A fast loop that goes on in the original's when a test fails.
#[test]
fn a_loop_has_a_clone() {
    let function = parse(LOOP).unwrap();
    let at = Point::Before(InstId(4));
    let exit = Exit {
        at,
        stay: Some(Ref::New(NewValue(0))),
    };
    let mut patch = Patch {
        clones: vec![region(
            Point::End(BlockId(0)),
            Ref::Constant(1, 1),
            &[1],
            &[exit],
        )],
        ..Patch::default()
    };
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, 4);
    cursor.op(
        Op::Extend {
            from: 32,
            to: 1,
            signed: false,
        },
        &[value(3).into()],
    );
    let clone = Some(CloneId(0));
    cursor.done(&mut patch, Location { clone, point: at });
    same(&function, &patch);
}

/// A mask that a loop carries: `apply` makes the parameters.
#[test]
fn a_variable_is_carried_by_a_loop() {
    let function = parse(LOOP).unwrap();
    let mut patch = Patch::default();
    let mask = VariableId(0);
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, 4);
    let read = cursor.single(
        Op::Add { width: 32 },
        &[Ref::Variable(mask), Ref::Constant(32, 2)],
    );
    cursor.done(&mut patch, Point::After(InstId(3)));
    patch.variables.push(Variable {
        width: 32,
        sets: vec![
            (Point::End(BlockId(0)).into(), Ref::Constant(32, 40)),
            (Point::End(BlockId(1)).into(), read),
        ],
    });
    let mut cursor = Cursor::new(&mut next, 8);
    let store = function.insts[6].opcode.clone();
    cursor.inst(store, &[value(1).into(), Ref::Variable(mask)], &[], None);
    cursor.done(&mut patch, Point::Start(BlockId(2)));
    let changed = applied(&function, &patch);
    for seed in 0..16 {
        let (before, after) = (run(&function, seed), run(&changed, seed));
        let iterations = before.len() as u64 - 1;
        assert_eq!(after[after.len() - 2].1, 40 + 2 * iterations, "{changed}");
    }
    assert_eq!(changed.block(BlockId(1)).params.len(), 3, "{changed}");
}
