//! Chains of clones: iterations of a loop that follow each other, each in a copy of its own.

use super::clones::LOOP;
use super::*;
use crate::op::Comparison;
use crate::types::Type;
use crate::verify::Violation;

/// So many copies of a loop, of which some blocks beside the header are given.
pub(super) fn chain(header: u32, blocks: &[u32], copies: u32, condition: Ref) -> Vec<RegionClone> {
    let enter = Point::Start(BlockId(header));
    let clone = |number: u32| RegionClone {
        id: CloneId(number),
        after: number.checked_sub(1).map(CloneId),
        ..region(enter, condition, blocks, &[])
    };
    (0..copies).map(clone).collect()
}

fn always(header: u32, blocks: &[u32], copies: u32) -> Patch {
    Patch {
        clones: chain(header, blocks, copies, Ref::Constant(1, 1)),
        ..Patch::default()
    }
}

fn in_copy(number: u32, point: Point) -> Location {
    let clone = Some(CloneId(number));
    Location { clone, point }
}

/// A step that adds a number to a value, in one copy.
fn added(patch: &mut Patch, at: impl Into<Location>, to: Ref, number: u64) -> Ref {
    let mut next = 10 * patch.insert.len() as u32;
    let mut cursor = Cursor::new(&mut next, 3);
    let sum = cursor.single(Op::Add { width: 32 }, &[to, Ref::Constant(32, number)]);
    cursor.done(patch, at);
    sum
}

/// Whether a loop that goes on while its number, after it is counted, is below a limit goes on so many times more.
fn goes_on(patch: &mut Patch, header: u32, number: Ref, limit: Ref, times: u64) -> Ref {
    let start = Point::Start(BlockId(header));
    let last = added(patch, start, number, times);
    let mut next = 1000;
    let mut cursor = Cursor::new(&mut next, 3);
    let compare = Op::Compare {
        comparison: Comparison::Lt,
        ty: Type::U32,
        logic: None,
        ftz: false,
    };
    let more = cursor.op(compare, &[last, limit])[0].into();
    cursor.done(patch, start);
    more
}

/// The numbers that a function stores.
fn stored(function: &Function, seed: u64) -> Vec<u64> {
    let stores = run(function, seed).into_iter();
    stores.map(|(_, value)| value).collect()
}

/// Iterations of `LOOP`, and of the other loops here.
fn iterations(seed: u64) -> u64 {
    ((seed ^ 6) & 7).max(1)
}

/// What `LOOP` stores where each iteration adds a number of its own to the sum.
fn sums(seed: u64, more: impl Fn(u64) -> u64) -> Vec<u64> {
    let mut sum = 0;
    let sums = (0..iterations(seed)).map(|number| {
        sum += number + more(number);
        sum
    });
    let mut all: Vec<u64> = sums.collect();
    all.push(sum);
    all
}

/// A loop of several blocks, one of which not all iterations execute.
const GUARDED: &str = "kernel f(p: u64 ptr) {
block0:
    v1: b64 = load.paramentry.u64 &p ; 0
    v2: b32 = and.32 %tid.x, 7 ; 1
    jump block1(0, 0) ; 2
block1(v3: b32, v4: b32):
    v5: pred = extend.32.1 v3 ; 3
    v6: b32 = add.32 v4, v3 ; 4
    branch v5, block2, block3(v6) ; 5
block2:
    v7: b32 = add.32 v6, 100 ; 6
    store.global.b32[+8] v1, v7 ; 7
    jump block3(v7) ; 8
block3(v8: b32):
    v9: b32 = add.32 v3, 1 ; 9
    v10: pred, v11: pred = compare.lt.u32 v9, v2 ; 10
    branch v10, block1(v9, v8), block4 ; 11
block4:
    store.global.b32 v1, v8 ; 12
    store.global.b32[+4] v1, v9 ; 13
    return ; 14
}
";

/// A loop in a loop.
const NESTED: &str = "kernel f(p: u64 ptr) {
block0:
    v1: b64 = load.paramentry.u64 &p ; 0
    v2: b32 = and.32 %tid.x, 7 ; 1
    jump block1(0, 0) ; 2
block1(v3: b32, v4: b32):
    v5: b32 = and.32 v3, 3 ; 3
    jump block2(0, v4) ; 4
block2(v6: b32, v7: b32):
    v8: b32 = add.32 v7, v3 ; 5
    v9: b32 = add.32 v6, 1 ; 6
    store.global.b32 v1, v8 ; 7
    v10: pred, v11: pred = compare.lt.u32 v9, v5 ; 8
    branch v10, block2(v9, v8), block3 ; 9
block3:
    v12: b32 = add.32 v3, 1 ; 10
    v13: pred, v14: pred = compare.lt.u32 v12, v2 ; 11
    branch v13, block1(v12, v8), block4 ; 12
block4:
    store.global.b32[+4] v1, v9 ; 13
    return ; 14
}
";

/// The loops above: header, other blocks, latch; the number that they count, and its limit.
const LOOPS: [(&str, u32, &[u32], u32); 4] = [
    (LOOP, 1, &[], 1),
    (GUARDED, 1, &[2, 3], 3),
    (NESTED, 1, &[2, 3], 3),
    // Blocks after the loop are copied, too.
    (GUARDED, 1, &[2, 3, 4], 3),
];

/// Entered always, never, and in some iterations: each copy leaves the loop where the original does.
#[test]
fn a_chain_does_what_the_loop_does() {
    for (text, header, blocks, _) in LOOPS {
        let function = parse(text).unwrap();
        for copies in 1..=3 {
            for condition in [0, 1] {
                let condition = Ref::Constant(1, condition);
                let clones = chain(header, blocks, copies, condition);
                let patch = Patch {
                    clones,
                    ..Patch::default()
                };
                same(&function, &patch);
            }
            let mut patch = Patch::default();
            let mut next = 0;
            let mut cursor = Cursor::new(&mut next, 3);
            let low = Op::Extend {
                from: 32,
                to: 1,
                signed: false,
            };
            let odd = cursor.single(low, &[value(3).into()]);
            cursor.done(&mut patch, Point::Start(BlockId(header)));
            patch.clones = chain(header, blocks, copies, odd);
            same(&function, &patch);
        }
    }
}

/// What is known to go on is not asked, up to the last copy or with it.
#[test]
fn latches_that_are_settled() {
    for (text, header, blocks, latch) in LOOPS {
        let function = parse(text).unwrap();
        for copies in 1..=3 {
            for settled in [copies - 1, copies] {
                let mut patch = Patch::default();
                let [number, limit] = [value(3).into(), value(2).into()];
                let more = goes_on(&mut patch, header, number, limit, settled.into());
                patch.clones = chain(header, blocks, copies, more);
                for clone in &mut patch.clones[..settled as usize] {
                    let block = BlockId(latch);
                    clone.settled.push(Settled { block, then: true });
                }
                match verify(&function, &patch) {
                    Ok(_) => drop(same(&function, &patch)),
                    // Nothing leads to a copy of what is after the loop.
                    Err(PatchError::Violation(Violation::Unreachable(_))) => {
                        assert!(settled > 0 && blocks.contains(&4));
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
}

/// Each copy adds a number of its own: by that it is seen which iteration is in which copy.
#[test]
fn iterations_take_turns() {
    let function = parse(LOOP).unwrap();
    for copies in 1..=3 {
        let mut patch = always(1, &[], copies);
        for number in 0..copies {
            let after = in_copy(number, Point::After(InstId(2)));
            let more = 100 + 10 * u64::from(number);
            let to = added(&mut patch, after, value(5).into(), more);
            patch.redirect.push(Redirect {
                clone: Some(CloneId(number)),
                value: value(5),
                to,
            });
        }
        let changed = applied(&function, &patch);
        for seed in 0..16 {
            let expected = sums(seed, |number| 100 + 10 * (number % u64::from(copies)));
            assert_eq!(stored(&changed, seed), expected, "{changed}");
        }
    }
}

/// Parameters of the header are redirected in a copy that another leads to; where the original leads to a copy they are the
/// original's.
#[test]
fn parameters_of_a_later_copy() {
    let function = parse(LOOP).unwrap();
    let redirected = |number: u32| {
        let mut patch = always(1, &[], 2);
        let start = in_copy(number, Point::Start(BlockId(1)));
        let to = added(&mut patch, start, value(4).into(), 50);
        patch.redirect.push(Redirect {
            clone: Some(CloneId(number)),
            value: value(4),
            to,
        });
        patch
    };
    let changed = applied(&function, &redirected(1));
    for seed in 0..16 {
        let expected = sums(seed, |number| 50 * (number % 2));
        assert_eq!(stored(&changed, seed), expected, "{changed}");
    }
    let found = verify(&function, &redirected(0)).unwrap_err();
    assert_eq!(found, PatchError::NotCloned(CloneId(0), "v4".into()));
}

/// What moves to the start of a later copy is there for all of that copy.
#[test]
fn statements_move_in_a_later_copy() {
    let function = parse(LOOP).unwrap();
    for number in 0..2 {
        let mut patch = always(1, &[], 2);
        patch.relocate.push(Relocation {
            inst: InstId(4),
            to: in_copy(number, Point::Start(BlockId(1))),
        });
        same(&function, &patch);
    }
}

/// A step of a later copy reads what the copy in front of it gave, until its own instruction gives another.
#[test]
fn values_of_the_copy_in_front() {
    let function = parse(LOOP).unwrap();
    let mut patch = always(1, &[], 2);
    let (mut next, mut cursors) = (0, Vec::new());
    for point in [Point::Before(InstId(2)), Point::After(InstId(2))] {
        let mut cursor = Cursor::new(&mut next, 3);
        let store = function.insts[3].opcode.clone();
        let args = [value(1).into(), value(5).into()];
        cursor.inst(store, &args, &[], None);
        let mut one = Patch::default();
        cursor.done(&mut one, in_copy(1, point));
        cursors.append(&mut one.insert);
    }
    patch.insert = cursors;
    let changed = applied(&function, &patch);
    for seed in 0..16 {
        let all = sums(seed, |_| 0);
        let mut expected = Vec::new();
        for (number, &sum) in all[..all.len() - 1].iter().enumerate() {
            if number % 2 == 1 {
                expected.extend([all[number - 1], sum]);
            }
            expected.push(sum);
        }
        expected.extend(all.last());
        assert_eq!(stored(&changed, seed), expected, "{changed}");
    }
}

/// Each copy counts in its own way.
#[test]
fn a_variable_goes_through_all_copies() {
    let function = parse(LOOP).unwrap();
    for copies in 1..=3 {
        let mut patch = always(1, &[], copies);
        let held = Ref::Variable(VariableId(0));
        let mut sets = vec![(Point::End(BlockId(0)).into(), Ref::Constant(32, 40))];
        for number in 0..copies {
            let latch = in_copy(number, Point::End(BlockId(1)));
            let more = u64::from(number) + 1;
            sets.push((latch, added(&mut patch, latch, held, more)));
        }
        patch.variables.push(Variable { width: 32, sets });
        let mut next = 500;
        let mut cursor = Cursor::new(&mut next, 8);
        let store = function.insts[6].opcode.clone();
        cursor.inst(store, &[value(1).into(), held], &[], None);
        cursor.done(&mut patch, Point::Start(BlockId(2)));
        let changed = applied(&function, &patch);
        for seed in 0..16 {
            let mut expected = sums(seed, |_| 0);
            let turns = 0..iterations(seed);
            let counted: u64 = turns.map(|number| number % u64::from(copies) + 1).sum();
            expected.insert(expected.len() - 1, 40 + counted);
            assert_eq!(stored(&changed, seed), expected, "{changed}");
        }
    }
}

/// Copies are left in the middle of a block, to where the original goes on.
#[test]
fn copies_that_are_left() {
    let function = parse(GUARDED).unwrap();
    // In front of the counting, of the branch, and at the start.
    let points = [
        Point::Before(InstId(6)),
        Point::End(BlockId(1)),
        Point::Start(BlockId(1)),
        Point::Start(BlockId(2)),
    ];
    for at in points {
        for number in 0..3 {
            for stay in [Some(Ref::Constant(1, 0)), Some(Ref::Constant(1, 1)), None] {
                let mut patch = always(1, &[2, 3], 3);
                patch.clones[number].exits.push(Exit { at, stay });
                match verify(&function, &patch) {
                    Ok(_) => drop(same(&function, &patch)),
                    // Nothing comes to the copies after it.
                    Err(PatchError::Violation(Violation::Unreachable(_))) => {
                        assert_eq!(stay, None);
                    }
                    Err(error) => panic!("{error}: {at:?} {number}"),
                }
            }
        }
    }
}

/// A loop and the loop in it, each with a chain of its own.
#[test]
fn chains_of_two_loops() {
    let function = parse(NESTED).unwrap();
    let mut patch = always(1, &[2, 3], 2);
    for mut clone in chain(2, &[], 3, Ref::Constant(1, 1)) {
        clone.id.0 += 2;
        clone.after = clone.after.map(|before| CloneId(before.0 + 2));
        patch.clones.push(clone);
    }
    same(&function, &patch);
    // The original of both is still there: some iterations are in neither.
    patch.clones[0].condition = Ref::Constant(1, 0);
    same(&function, &patch);
}

#[test]
fn what_is_no_chain() {
    let function = parse(GUARDED).unwrap();
    type Change = fn(&mut Vec<RegionClone>);
    let changes: [(&str, u32, Change); 9] = [
        ("other blocks", 1, |clones| {
            clones[1].blocks = vec![BlockId(3)]
        }),
        ("another order of blocks", 1, |clones| {
            clones[1].blocks.reverse()
        }),
        ("another header", 1, |clones| {
            clones[1].enter = Point::Start(BlockId(4));
        }),
        ("not at the start", 1, |clones| {
            clones
                .iter_mut()
                .for_each(|clone| clone.enter = Point::After(InstId(2)));
        }),
        ("two after one", 2, |clones| {
            clones[2].after = Some(CloneId(0))
        }),
        ("after itself", 1, |clones| {
            clones[1].after = Some(CloneId(1))
        }),
        ("after nothing", 1, |clones| {
            clones[1].after = Some(CloneId(9))
        }),
        ("in a ring", 0, |clones| clones[0].after = Some(CloneId(2))),
        ("in front of the one before", 1, |clones| clones.swap(0, 1)),
    ];
    let patch = always(1, &[2, 3], 3);
    assert!(verify(&function, &patch).is_ok());
    for (what, id, change) in changes {
        let mut patch = patch.clone();
        change(&mut patch.clones);
        let found = verify(&function, &patch).unwrap_err();
        assert_eq!(found, PatchError::Chain(CloneId(id)), "{what}");
    }
    // What does not go back to its start is no loop: nothing comes to the second copy.
    let function = parse(DIAMOND).unwrap();
    let found = verify(&function, &always(2, &[], 2)).unwrap_err();
    assert!(
        matches!(found, PatchError::Violation(Violation::Unreachable(_))),
        "{found}"
    );
}

/// What lanes do together is in no chain, unless all threads of a warp are known to be in one copy.
#[test]
fn what_lanes_do_together() {
    let text = LOOP.replace("    v6:", "    barrier.sync.aligned 0 ; 9\n    v6:");
    let function = parse(&text).unwrap();
    let mut patch = always(1, &[], 2);
    let found = verify(&function, &patch).unwrap_err();
    assert_eq!(found, PatchError::Convergent(CloneId(1), InstId(4)));
    patch
        .clones
        .iter_mut()
        .for_each(|clone| clone.together = true);
    same(&function, &patch);
}
