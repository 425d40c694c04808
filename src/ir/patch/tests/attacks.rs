//! Patches that are ambiguous, or that no text can carry out: each has one meaning, or is refused.

use super::*;

/// A value that both sides of a diamond may define anew, and that is read after it.
const READ_AFTER: &str = "kernel f(p: u64 ptr) {
block0:
    v1: b64 = load.paramentry.u64 &p ; 0
    v2: b32 = and.32 %tid.x, 3 ; 1
    v3: b32 = add.32 v2, 7 ; 2
    jump block1 ; 3
block1:
    store.global.b32 v1, v3 ; 4
    return ; 5
}
";

/// A clone of everything from `add` on, up to the end of its block.
fn cloned(condition: Ref) -> Patch {
    Patch {
        clones: vec![region(Point::Before(InstId(2)), condition, &[], &[])],
        ..Patch::default()
    }
}

fn in_clone(point: Point) -> Location {
    Location {
        clone: Some(CloneId(0)),
        point,
    }
}

fn refused(function: &Function, patch: &Patch) -> PatchError {
    verify(function, patch).expect_err("the patch is accepted")
}

#[test]
fn a_value_that_one_copy_does_not_have() {
    let function = parse(READ_AFTER).unwrap();
    let mut patch = cloned(Ref::Constant(1, 1));
    patch.remove.push(Removal {
        clone: Some(CloneId(0)),
        inst: InstId(2),
    });
    assert_eq!(refused(&function, &patch), PatchError::StillRead(value(3)));
    // With another value in its place it is there.
    patch.redirect.push(Redirect {
        clone: Some(CloneId(0)),
        value: value(3),
        to: Ref::Constant(32, 1),
    });
    let changed = applied(&function, &patch);
    assert_eq!(run(&changed, 0)[0].1, 1, "{changed}");
    // But its own value is not.
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, 4);
    cursor.single(Op::Not { width: 32 }, &[value(3).into()]);
    cursor.done(&mut patch, Point::Start(BlockId(1)));
    assert_eq!(refused(&function, &patch), PatchError::StillRead(value(3)));
}

/// Steps after both copies get what the instruction of the one gave that ran, redirected or not.
#[test]
fn the_own_value_of_the_copy_that_ran() {
    let function = parse(READ_AFTER).unwrap();
    for taken in [0, 1] {
        let mut patch = cloned(Ref::Constant(1, taken));
        let clone = Some(CloneId(0));
        for (clone, number) in [(None, 100), (clone, 200)] {
            patch.redirect.push(Redirect {
                clone,
                value: value(3),
                to: Ref::Constant(32, number),
            });
        }
        let mut next = 0;
        let mut cursor = Cursor::new(&mut next, 4);
        let store = function.insts[3].opcode.clone();
        cursor.inst(store, &[value(1).into(), value(3).into()], &[], None);
        cursor.done(&mut patch, Point::Start(BlockId(1)));
        let changed = applied(&function, &patch);
        let own = run(&function, 5)[0].1;
        let stores: Vec<u64> = run(&changed, 5).iter().map(|one| one.1).collect();
        assert_eq!(stores, [own, 100 + 100 * taken], "{changed}");
    }
}

/// Of two sets at one place the later one counts; what a value is redirected to at that place is what was set before.
#[test]
fn sets_of_a_variable_have_an_order() {
    let function = parse(READ_AFTER).unwrap();
    let (after, variable) = (Point::After(InstId(2)), VariableId(0));
    let mut patch = Patch {
        redirect: vec![Redirect {
            clone: None,
            value: value(3),
            to: Ref::Variable(variable),
        }],
        ..Patch::default()
    };
    let sets = [(Point::Start(BlockId(0)), 1), (after, 2), (after, 3)];
    patch.variables.push(Variable {
        width: 32,
        sets: sets
            .iter()
            .map(|&(at, number)| (at.into(), Ref::Constant(32, number)))
            .collect(),
    });
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, 4);
    let store = function.insts[3].opcode.clone();
    let set = Ref::Variable(variable);
    cursor.inst(store, &[value(1).into(), set], &[], None);
    cursor.done(&mut patch, Point::Start(BlockId(1)));
    let changed = applied(&function, &patch);
    let stores: Vec<u64> = run(&changed, 5).iter().map(|one| one.1).collect();
    assert_eq!(stores, [3, 1], "{changed}");
}

#[test]
fn a_variable_that_a_path_does_not_set() {
    let function = parse(DIAMOND).unwrap();
    let mut patch = Patch::default();
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, 8);
    cursor.single(Op::Not { width: 32 }, &[Ref::Variable(VariableId(0))]);
    cursor.done(&mut patch, Point::Start(BlockId(2)));
    let set = (Point::End(BlockId(1)).into(), Ref::Constant(32, 1));
    patch.variables.push(Variable {
        width: 32,
        sets: vec![set],
    });
    assert_eq!(refused(&function, &patch), PatchError::Unset(VariableId(0)));
    // On the other path, too, and with another width.
    let set = (Point::End(BlockId(0)).into(), Ref::Constant(16, 1));
    patch.variables[0].sets.push(set);
    let error = refused(&function, &patch).to_string();
    assert!(error.contains("has 16 bits where 32 are needed"), "{error}");
}

pub(super) const MOVED: &str = "kernel f(p: u64 ptr) {
block0:
    v1: b64 = load.paramentry.u64 &p ; 0
    v2: b32 = and.32 %tid.x, 3 ; 1
    v3: b32 = add.32 %laneid, 7 ; 2
    v4: b32 = add.32 v2, 1 ; 3
    v5: b32 = xor.32 v4, v3 ; 4
    store.global.b32 v1, v5 ; 5
    return ; 6
}
";

fn moved(inst: u32, to: Point) -> Patch {
    Patch {
        relocate: vec![Relocation {
            inst: InstId(inst),
            to: to.into(),
        }],
        ..Patch::default()
    }
}

#[test]
fn a_moved_instruction_reads_what_is_there() {
    let function = parse(MOVED).unwrap();
    same(&function, &moved(3, Point::Before(InstId(2))));
    same(&function, &moved(2, Point::After(InstId(3))));
    // In front of what it reads.
    let above = refused(&function, &moved(3, Point::Before(InstId(1))));
    assert!(matches!(above, PatchError::Violation(_)), "{above}");
    // After what reads it.
    let below = refused(&function, &moved(3, Point::After(InstId(4))));
    assert_eq!(below, PatchError::StillRead(value(4)));
    // In front of where the text defines the new value, though that is there.
    let mut patch = moved(3, Point::Before(InstId(1)));
    patch.redirect.push(Redirect {
        clone: None,
        value: value(2),
        to: Ref::Special(32, Special::LaneId),
    });
    assert_eq!(refused(&function, &patch), PatchError::Early(BlockId(0)));
}

/// In one of two copies a value moves down past its use: what is read there is not what was computed before.
#[test]
fn a_value_that_moves_past_its_use_in_one_copy() {
    let function = parse(MOVED).unwrap();
    let mut patch = Patch {
        clones: vec![region(
            Point::Before(InstId(1)),
            Ref::Constant(1, 1),
            &[],
            &[],
        )],
        ..Patch::default()
    };
    patch.relocate.push(Relocation {
        inst: InstId(3),
        to: in_clone(Point::After(InstId(4))),
    });
    assert_eq!(refused(&function, &patch), PatchError::StillRead(value(4)));
}

/// A statement of three instructions: a guarded load of a byte into a wider register.
const STATEMENT: &str = "kernel f(p: u64 ptr) {
block0:
    v1: b64 = load.paramentry.u64 &p ; 0
    v2: pred, v3: pred = compare.gt.u32 %tid.x, 3 ; 1
    @v2 v4: b8 = load.global.u8 v1 ; 2
    v5: b32 = extend.8.32 v4 ; 2
    v6: b32 = select.32 v5, 9, v2 ; 2
    store.global.b32 v1, v6 ; 3
    return ; 4
}
";

#[test]
fn a_statement_is_changed_as_a_whole() {
    let function = parse(STATEMENT).unwrap();
    let redirect = |number: u32, width| Patch {
        redirect: vec![Redirect {
            clone: None,
            value: value(number),
            to: Ref::Constant(width, 77),
        }],
        remove: vec![Removal {
            clone: None,
            inst: InstId(3),
        }],
        ..Patch::default()
    };
    for (number, width) in [(4, 8), (5, 32)] {
        assert_eq!(
            refused(&function, &redirect(number, width)),
            PatchError::InsideValue(value(number))
        );
    }
    let changed = applied(&function, &redirect(6, 32));
    assert_eq!(run(&changed, 0)[0].1, 77, "{changed}");
    let text = changed.to_string();
    assert!(!text.contains("u8") && !text.contains("select"), "{text}");
    // It moves as a whole.
    let between = STATEMENT.replace("    store.", "    v7: b32 = add.32 1, 2 ; 5\n    store.");
    let function = parse(&between).unwrap();
    same(&function, &moved(3, Point::After(InstId(5))));
}

/// A convergent instruction is duplicated only under a condition that is uniform in the block.
#[test]
fn a_clone_of_what_lanes_do_together() {
    let text = MOVED.replace("    v5: b32", "    barrier.sync.aligned 0 ; 7\n    v5: b32");
    let function = parse(&text).unwrap();
    let mut next = 0;
    for (read, uniform) in [(Special::LaneId, false), (Special::Ctaid(0), true)] {
        let mut patch = Patch::default();
        let mut cursor = Cursor::new(&mut next, 2);
        let bit = Op::Extend {
            from: 32,
            to: 1,
            signed: false,
        };
        let condition = cursor.single(bit, &[Ref::Special(32, read)]);
        let enter = Point::Before(InstId(2));
        cursor.done(&mut patch, enter);
        patch.clones.push(region(enter, condition, &[], &[]));
        match uniform {
            true => drop(same(&function, &patch)),
            false => assert!(
                matches!(refused(&function, &patch), PatchError::Convergent(..)),
                "lanes differ about the copy"
            ),
        }
    }
}

/// Lanes pass the clone's entry on one side of a branch, and meet at a barrier after it.
#[test]
fn a_clone_that_some_lanes_pass_by() {
    let barrier =
        |text: &str, at: &str| text.replace(at, &format!("    barrier.sync.aligned 0 ; 20\n{at}"));
    let text = barrier(DIAMOND, "    v8: b32");
    let function = parse(&text).unwrap();
    let uniform = Ref::Constant(1, 1);
    let patch = |enter, blocks: &[u32]| Patch {
        clones: vec![region(enter, uniform, blocks, &[])],
        ..Patch::default()
    };
    let on_one_side = patch(Point::Start(BlockId(1)), &[2]);
    assert!(matches!(
        refused(&function, &on_one_side),
        PatchError::Convergent(..)
    ));
    // The clone is left on one side of a branch, and the barrier after that is in both copies.
    let left = patch(Point::Before(InstId(1)), &[2]);
    assert!(matches!(
        refused(&function, &left),
        PatchError::Convergent(..)
    ));
    same(&function, &patch(Point::Before(InstId(1)), &[1, 2]));
    same(&function, &patch(Point::Before(InstId(1)), &[1]));
}

/// Numbers of bits that no type has, and products of them.
#[test]
fn widths_that_do_not_exist() {
    use crate::op::Product;
    let function = parse(TWICE).unwrap();
    let wide = Op::Mul {
        product: Product::Wide,
        width: 200,
        signed: false,
    };
    for (op, count) in [
        (wide, 2),
        (
            Op::Pack {
                parts: 3,
                width: 100,
            },
            3,
        ),
        (
            Op::Unpack {
                parts: 3,
                width: 100,
            },
            1,
        ),
    ] {
        for width in [0, 32, 100, 200] {
            let step = Step::Inst {
                opcode: Opcode::Op(op),
                args: vec![Ref::Constant(width, u64::MAX); count],
                results: vec![NewResult {
                    value: NewValue(0),
                    width,
                }],
                guard: None,
                origin: u32::MAX,
                keep: false,
            };
            let patch = Patch {
                insert: vec![Insertion {
                    at: Point::Start(BlockId(0)).into(),
                    steps: vec![step],
                }],
                ..Patch::default()
            };
            assert!(matches!(
                refused(&function, &patch),
                PatchError::Violation(_)
            ));
        }
    }
}

/// The generic address of shared memory is not its address there.
#[test]
fn a_space_that_needs_another_address() {
    use crate::types::Space;
    let generic = TWICE.replace("load.global.u32", "load.generic.u32");
    let function = parse(&generic).unwrap();
    let amend = |space| Patch {
        amend: vec![Amendment {
            clone: None,
            inst: InstId(2),
            amend: Amend::Space(space),
        }],
        ..Patch::default()
    };
    for space in [Space::Shared, Space::Local, Space::Const] {
        assert_eq!(
            refused(&function, &amend(space)),
            PatchError::Amend(InstId(2))
        );
    }
    same(&function, &amend(Space::Global));
}
