//! Random patches: each is refused, or makes a well-formed function that reads back as it prints.

use super::attacks::MOVED;
use super::clones::LOOP;
use super::*;
use crate::verify::verify as violations;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;

/// Patches that are tried, unless `PROPTEST_CASES` says how many.
const CASES: u32 = 4000;
/// One more than the largest number of an instruction or value that a patch names: some are not there.
const NAMES: u32 = 10;

fn point() -> impl Strategy<Value = Point> {
    prop_oneof![
        (0..NAMES).prop_map(|id| Point::Before(InstId(id))),
        (0..NAMES).prop_map(|id| Point::After(InstId(id))),
        (0..4u32).prop_map(|id| Point::Start(BlockId(id))),
        (0..4u32).prop_map(|id| Point::End(BlockId(id))),
    ]
}

fn clone_id() -> impl Strategy<Value = Option<CloneId>> {
    option::weighted(0.3, (0..2u32).prop_map(CloneId))
}

fn location() -> impl Strategy<Value = Location> {
    (clone_id(), point()).prop_map(|(clone, point)| Location { clone, point })
}

/// What is read: of 32 bits most often.
fn read() -> impl Strategy<Value = Ref> {
    prop_oneof![
        4 => (0..NAMES).prop_map(|number| Ref::Value(Value(number))),
        2 => (0..3u32).prop_map(|number| Ref::New(NewValue(number))),
        1 => (0..2u32).prop_map(|number| Ref::Variable(VariableId(number))),
        2 => (0..9u64).prop_map(|bits| Ref::Constant(32, bits)),
        1 => Just(Ref::Special(32, Special::LaneId)),
    ]
}

fn bit() -> impl Strategy<Value = Ref> {
    prop_oneof![
        3 => (0..2u64).prop_map(|bits| Ref::Constant(1, bits)),
        1 => read(),
    ]
}

fn sum() -> impl Strategy<Value = Step> {
    let guard = option::weighted(0.1, (bit(), any::<bool>()));
    (read(), read(), 0..3u32, guard).prop_map(|(a, b, number, guard)| Step::Inst {
        opcode: Opcode::Op(Op::Add { width: 32 }),
        args: vec![a, b],
        results: vec![NewResult {
            value: NewValue(number),
            width: 32,
        }],
        guard,
        origin: 1,
        keep: false,
    })
}

fn step() -> impl Strategy<Value = Step> {
    let decision = (bit(), vec(sum(), 0..2), vec(sum(), 0..2), read(), read());
    let decision = decision.prop_map(|(condition, then, otherwise, yes, no)| Step::If {
        condition,
        then,
        otherwise,
        results: vec![Merged {
            result: NewResult {
                value: NewValue(2),
                width: 32,
            },
            then: yes,
            otherwise: no,
        }],
        origin: 1,
    });
    prop_oneof![3 => sum(), 1 => decision]
}

fn region() -> impl Strategy<Value = RegionClone> {
    let exit = (point(), option::of(bit())).prop_map(|(at, stay)| Exit { at, stay });
    let blocks = vec((0..4u32).prop_map(BlockId), 0..3);
    let parts = (0..2u32, point(), bit(), blocks, vec(exit, 0..2));
    parts.prop_map(|(id, enter, condition, blocks, exits)| RegionClone {
        id: CloneId(id),
        enter,
        condition,
        after: None,
        blocks,
        exits,
        settled: Vec::new(),
        together: false,
    })
}

/// Iterations of a loop in copies of their own, some of which are left or take one edge of a branch, and a step somewhere.
fn chained() -> impl Strategy<Value = Patch> {
    let header = prop_oneof![3 => Just(1), 1 => 0..4u32].prop_map(BlockId);
    let settled = ((0..4u32).prop_map(BlockId), any::<bool>());
    let settled = settled.prop_map(|(block, then)| Settled { block, then });
    let insertion = (location(), vec(step(), 1..3)).prop_map(|(at, steps)| Insertion { at, steps });
    let exits = option::weighted(0.2, region()).prop_map(|left| left.map(|left| left.exits));
    let parts = (
        (header, region()),
        vec(exits, 2..4),
        option::weighted(0.2, settled),
        option::of(insertion),
    );
    parts.prop_map(|((header, mut first), exits, settled, insertion)| {
        first.enter = Point::Start(header);
        first.settled.extend(settled);
        // Most loops here are of one block.
        first.blocks.truncate(first.blocks.len() / 2);
        let clone = |(number, exits): (u32, Option<Vec<Exit>>)| RegionClone {
            id: CloneId(number),
            after: number.checked_sub(1).map(CloneId),
            exits: exits.unwrap_or_default(),
            ..first.clone()
        };
        Patch {
            insert: insertion.into_iter().collect(),
            clones: (0..).zip(exits).map(clone).collect(),
            ..Patch::default()
        }
    })
}

fn patch() -> impl Strategy<Value = Patch> {
    let insertion = (location(), vec(step(), 1..3)).prop_map(|(at, steps)| Insertion { at, steps });
    let redirect = (clone_id(), 0..NAMES, read()).prop_map(|(clone, value, to)| Redirect {
        clone,
        value: Value(value),
        to,
    });
    let relocation = (0..NAMES, location()).prop_map(|(inst, to)| Relocation {
        inst: InstId(inst),
        to,
    });
    let removal = (clone_id(), 0..NAMES).prop_map(|(clone, inst)| Removal {
        clone,
        inst: InstId(inst),
    });
    let variable = vec((location(), read()), 1..3).prop_map(|sets| Variable { width: 32, sets });
    let parts = (
        vec(insertion, 0..2),
        vec(redirect, 0..2),
        vec(relocation, 0..2),
        vec(removal, 0..2),
        vec(variable, 0..2),
        vec(region(), 0..2),
    );
    parts.prop_map(
        |(insert, redirect, relocate, remove, variables, clones)| Patch {
            insert,
            redirect,
            relocate,
            remove,
            variables,
            clones,
            ..Patch::default()
        },
    )
}

#[test]
fn random_patches() {
    let texts = [TWICE, DIAMOND, LOOP, MOVED];
    let functions = texts.map(|text| parse(text).unwrap());
    let mut runner = TestRunner::new(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").map_or(CASES, |cases| cases.parse().unwrap()),
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let (accepted, chains) = (Cell::new(0), Cell::new(0));
    let patches = prop_oneof![3 => patch(), 1 => chained()];
    let result = runner.run(&(0..functions.len(), patches), |(number, patch)| {
        let function = &functions[number];
        if let Ok(verified) = verify(function, &patch) {
            let changed = verified.applied.function;
            prop_assert_eq!(violations(&changed), []);
            let printed = changed.to_string();
            let back = parse(&printed).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(back.to_string(), printed);
            accepted.set(accepted.get() + u32::from(!patch.is_empty()));
            let chain = patch.clones.iter().any(|clone| clone.after.is_some());
            chains.set(chains.get() + u32::from(chain));
        }
        Ok(())
    });
    result.expect("every patch is refused or makes a function");
    assert!(accepted.get() > 0, "all patches are refused");
    assert!(chains.get() > 0, "all chains are refused");
}
