//! Patches of functions in IR text, judged by an interpreter of pure functions.

mod attacks;
mod chains;
mod clones;
mod mutated;
mod random;

use super::*;
use crate::function::{Function, Terminator, ValueDef};
use crate::op::Op;
use crate::opcode::Opcode;
use crate::semantics::fold;
use crate::text::parse;
use crate::types::Special;

/// Blocks after which a run is cut off.
const STEPS: usize = 200;

/// What a function stores, in order: address and value. Loads give a number that depends on the address and on the stores before;
/// special registers depend on the seed.
pub(super) fn run(function: &Function, seed: u64) -> Vec<(u64, u64)> {
    let mut values = vec![0u64; function.values.len()];
    for (slot, data) in values.iter_mut().zip(&function.values) {
        *slot = match &data.def {
            ValueDef::Constant(bits) => *bits,
            ValueDef::Special(special) => seed ^ format!("{special}").len() as u64,
            ValueDef::Address(_, offset) => 1000 + *offset as u64,
            _ => 0,
        };
    }
    let mut stores = Vec::new();
    let mut block = BlockId(0);
    for _ in 0..STEPS {
        for &id in &function.block(block).insts {
            let inst = function.inst(id);
            let args: Vec<u64> = inst.args.iter().map(|a| values[a.index()]).collect();
            let on = inst
                .guard
                .is_none_or(|(guard, not)| (values[guard.index()] & 1 == 1) != not);
            let results: Vec<u64> = match &inst.opcode {
                Opcode::Op(op) => fold(op, &args).into_iter().collect(),
                Opcode::Load(access) => {
                    let address = args[0].wrapping_add_signed(access.offset);
                    let last = stores.iter().rev().find(|(at, _)| *at == address);
                    let value = last.map_or(address.wrapping_mul(0x9e37_79b9), |(_, v)| *v);
                    (0..inst.results.len() as u64).map(|i| value + i).collect()
                }
                Opcode::Store(access) if on => {
                    stores.push((args[0].wrapping_add_signed(access.offset), args[1]));
                    Vec::new()
                }
                _ => vec![0; inst.results.len()],
            };
            for (result, bits) in inst.results.iter().zip(results) {
                if on {
                    let width = function.value(*result).width;
                    let mask = if width >= 64 {
                        u64::MAX
                    } else {
                        (1 << width) - 1
                    };
                    values[result.index()] = bits & mask;
                }
            }
        }
        let next = match &function.block(block).terminator {
            Terminator::Jump(target) => target,
            Terminator::Branch {
                condition,
                then,
                otherwise,
                ..
            } => match values[condition.index()] & 1 {
                1 => then,
                _ => otherwise,
            },
            _ => return stores,
        };
        let args: Vec<u64> = next.args.iter().map(|a| values[a.index()]).collect();
        for (param, arg) in function.block(next.block).params.iter().zip(args) {
            values[param.index()] = arg;
        }
        block = next.block;
    }
    stores
}

/// The changed function; it is well formed, and the patch survives being written and read.
fn applied(function: &Function, patch: &Patch) -> Function {
    let json = serde_json::to_string(patch).unwrap();
    let back: Patch = serde_json::from_str(&json).unwrap();
    assert_eq!(*patch, back);
    match verify(function, patch) {
        Ok(verified) => verified.applied.function,
        Err(error) => panic!("{error}\n{:#?}\n{function}", patch),
    }
}

/// The changed function, which does what the original does.
fn same(function: &Function, patch: &Patch) -> Function {
    let changed = applied(function, patch);
    for seed in 0..16 {
        assert_eq!(run(function, seed), run(&changed, seed), "{changed}");
    }
    changed
}

const TWICE: &str = "kernel f(p: u64 ptr) {
block0:
    v1: b64 = load.paramentry.u64 &p ; 0
    v2: b32 = mul.low.32 %tid.x, 2 ; 1
    v3: b32 = load.global.u32[+4] v1 ; 2
    v4: b32 = add.32 v2, v3 ; 3
    store.global.b32 v1, v4 ; 4
    return ; 5
}
";

fn value(number: u32) -> Value {
    Value(number)
}

#[test]
fn a_value_is_computed_in_another_way() {
    let function = parse(TWICE).unwrap();
    let mut patch = Patch::default();
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, 1);
    let x = Ref::Value(function.insts[1].args[0]);
    let sum = cursor.single(Op::Add { width: 32 }, &[x, x]);
    cursor.done(&mut patch, Point::Before(InstId(1)));
    patch.redirect.push(Redirect {
        clone: None,
        value: value(2),
        to: sum,
    });
    patch.remove.push(Removal {
        clone: None,
        inst: InstId(1),
    });
    let changed = same(&function, &patch);
    let text = changed.to_string();
    assert!(
        text.contains("add.32 %tid.x, %tid.x ; 1") && !text.contains("mul"),
        "{text}"
    );
}

#[test]
fn a_load_under_a_run_time_test() {
    let function = parse(TWICE).unwrap();
    let mut patch = Patch::default();
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, 2);
    let load = function.insts[2].opcode.clone();
    let address = Ref::Value(value(1));
    let low = Ref::Value(value(2));
    let bit = cursor.single(
        Op::Extend {
            from: 32,
            to: 1,
            signed: false,
        },
        &[low],
    );
    let loaded = cursor.either(
        bit,
        32,
        |_| Ref::Constant(32, 7),
        |side| side.inst(load, &[address], &[32], None)[0].into(),
    );
    cursor.done(&mut patch, Point::Before(InstId(2)));
    patch.redirect.push(Redirect {
        clone: None,
        value: value(3),
        to: loaded,
    });
    patch.remove.push(Removal {
        clone: None,
        inst: InstId(2),
    });
    // The product by 2 is even: the other side is taken.
    let changed = same(&function, &patch);
    assert_eq!(changed.blocks.len(), 4, "{changed}");
}

/// Steps see what an instruction itself gives, all others what it is redirected to.
#[test]
fn a_redirected_value_is_still_there_for_steps() {
    let function = parse(TWICE).unwrap();
    let mut patch = Patch::default();
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, 2);
    let own = Ref::Value(value(3));
    let more = cursor.single(Op::Add { width: 32 }, &[own, Ref::Constant(32, 5)]);
    cursor.done(&mut patch, Point::After(InstId(2)));
    patch.redirect.push(Redirect {
        clone: None,
        value: value(3),
        to: more,
    });
    let changed = applied(&function, &patch);
    let stored = |function: &Function| run(function, 3)[0].1;
    assert_eq!(stored(&changed), stored(&function) + 5, "{changed}");
}

const DIAMOND: &str = "kernel f(p: u64 ptr) {
block0:
    v1: b64 = load.paramentry.u64 &p ; 0
    v2: b32 = xor.32 %tid.x, 5 ; 1
    v3: b32 = add.32 v2, %laneid ; 2
    v4: pred, v5: pred = compare.gt.u32 v3, 9 ; 3
    branch v4, block1, block2(v3) ; 4
block1:
    v6: b32 = add.32 v3, 100 ; 5
    store.global.b32[+8] v1, v6 ; 6
    jump block2(v6) ; 7
block2(v7: b32):
    v8: b32 = add.32 v7, v2 ; 8
    store.global.b32 v1, v8 ; 9
    v9: b32 = add.32 v8, v3 ; 10
    store.global.b32[+4] v1, v9 ; 11
    return ; 12
}
";

fn region(enter: Point, condition: Ref, blocks: &[u32], exits: &[Exit]) -> RegionClone {
    RegionClone {
        id: CloneId(0),
        enter,
        condition,
        after: None,
        blocks: blocks.iter().map(|&block| BlockId(block)).collect(),
        exits: exits.to_vec(),
        settled: Vec::new(),
        together: false,
    }
}

#[test]
fn what_else_a_patch_says() {
    let text = "kernel f(p: u64 ptr) {
block0:
    v1: b64 = load.paramentry.u64 &p ; 0
    v2: pred, v3: pred = compare.gt.u32 %tid.x, 3 ; 1
    v4: b32, v5: b32 = load.global.v2.u32 v1 ; 2
    @v2 v6: b32 = load.global.hints.u32[+16] v1 ; 3
    v7: b32 = select.32 v6, v4, v2 ; 3
    v8: b32 = add.32 v7, v5 ; 4
    store.global.b32 v1, v8 ; 5
    return ; 6
}
";
    let function = parse(text).unwrap();
    let mut patch = Patch {
        amend: vec![Amendment {
            clone: None,
            inst: InstId(3),
            amend: Amend::NonCoherent,
        }],
        directives: Directives {
            max_registers: Some(64),
            required_threads: Some([128, 1, 1]),
            version: Some((6, 2)),
        },
        ..Patch::default()
    };
    // One element of the vector, and what a guarded load leaves in its register.
    for (number, inst) in [(5, 2), (7, 4)] {
        patch.redirect.push(Redirect {
            clone: None,
            value: value(number),
            to: Ref::Constant(32, u64::from(number)),
        });
        assert_eq!(function.insts[inst].origin, number / 2);
    }
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, 2);
    cursor.inst(
        Opcode::ActiveMask,
        &[],
        &[32],
        Some((value(2).into(), true)),
    );
    cursor.done(&mut patch, Point::Before(InstId(2)));
    let changed = applied(&function, &patch).to_string();
    for line in [
        "required 128, 1, 1",
        "= activemask ; 2",
        "    @!v1 ",
        "load.global.nc.hints.u32[+16]",
        "= add.32 7, 5 ; 4",
    ] {
        assert!(changed.contains(line), "no `{line}` in\n{changed}");
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let function = parse(TWICE).unwrap();
    let redirect = |value: u32, to| Patch {
        redirect: vec![Redirect {
            clone: None,
            value: Value(value),
            to,
        }],
        ..Patch::default()
    };
    let insert = |point| Patch {
        insert: vec![Insertion {
            at: Location::from(point),
            steps: Vec::new(),
        }],
        ..Patch::default()
    };
    let remove = |inst| Patch {
        remove: vec![Removal {
            clone: None,
            inst: InstId(inst),
        }],
        ..Patch::default()
    };
    let error = |patch: &Patch| verify(&function, patch).unwrap_err().to_string();
    // It is there where it is used, but not where the old one was defined.
    let late = redirect(2, Ref::Value(value(3)));
    for (patch, words) in [
        (redirect(99, Ref::Constant(32, 0)), "there is no v99"),
        (
            redirect(2, Ref::New(NewValue(4))),
            "there is no NewValue(4)",
        ),
        (
            redirect(2, Ref::Constant(16, 0)),
            "bits where 32 are needed",
        ),
        (insert(Point::Before(InstId(9))), "there is no i9"),
        (insert(Point::End(BlockId(9))), "there is no block9"),
        (
            redirect(2, Ref::Special(32, Special::Clock)),
            "changes while a thread runs",
        ),
        (
            redirect(2, Ref::Variable(VariableId(0))),
            "there is no VariableId(0)",
        ),
        (remove(1), "v2 is removed and still read"),
        (
            late,
            "is read in place of a value that is defined where it is not there",
        ),
    ] {
        assert!(
            error(&patch).contains(words),
            "no `{words}` in {}",
            error(&patch)
        );
    }
    let relocate = Relocation {
        inst: InstId(1),
        to: Location::from(Point::Start(BlockId(0))),
    };
    let volatile = TWICE.replace("store.global", "store.global.volatile");
    let volatile = parse(&volatile).unwrap();
    let store = Relocation {
        inst: InstId(4),
        ..relocate
    };
    let moved = Patch {
        relocate: vec![store],
        ..Patch::default()
    };
    for (function, patch) in [(&volatile, remove(4)), (&function, moved)] {
        let found = verify(function, &patch).unwrap_err();
        assert_eq!(found, PatchError::Effect(InstId(4)));
    }
    // A weak store can go.
    assert!(verify(&function, &remove(4)).is_ok());
    let twice = Patch {
        relocate: vec![relocate, relocate],
        ..Patch::default()
    };
    let gone = Patch {
        relocate: vec![relocate],
        ..remove(1)
    };
    for patch in [twice, gone] {
        assert_eq!(error(&patch), "i1 is defined twice");
    }
    // An edit of a clone that does not have the instruction.
    let mut elsewhere = Patch {
        clones: vec![region(
            Point::Before(InstId(3)),
            Ref::Constant(1, 1),
            &[],
            &[],
        )],
        ..redirect(2, Ref::Constant(32, 0))
    };
    elsewhere.redirect[0].clone = Some(CloneId(0));
    assert_eq!(error(&elsewhere), "clone CloneId(0) does not contain v2");
    let statement = parse(&TWICE.replace("; 3", "; 2")).unwrap();
    let patch = insert(Point::Before(InstId(3)));
    let found = verify(&statement, &patch).unwrap_err();
    assert_eq!(found, PatchError::InsideStatement(Point::Before(InstId(3))));
}

/// What is assumed of a block may be computed in it: it holds after what the patch inserts.
#[test]
fn what_is_assumed_of_a_block_that_is_split() {
    let text = DIAMOND.replace("block0:\n", "block0:\n    assume v4\n");
    let function = parse(&text).unwrap();
    let mut patch = Patch::default();
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, 1);
    let one = |_: &mut Cursor| Ref::Constant(32, 1);
    cursor.either(Ref::Constant(1, 1), 32, one, one);
    cursor.done(&mut patch, Point::Before(InstId(2)));
    let changed = same(&function, &patch);
    let assumed = changed
        .blocks
        .iter()
        .filter(|block| !block.assumed.is_empty());
    assert_eq!(assumed.count(), 1, "{changed}");
}
