//! Every way to break the writer: the judge sees that the text does not do what the same patch does by hand, or that it is no
//! PTX. Unbroken, it finds the two equal.

mod guarded;

use super::clones::odd;
use super::guarded::PARITY;
use super::*;
use ptxasw::ir::op::Op;
use ptxasw::ir::patch::{
    Amend, Amendment, CloneId, Exit, RegionClone, Relocation, Variable, VariableId,
};
use ptxasw::ir::types::Space;
use ptxasw::support::mutation::{Mutation, WRITER, with};

/// What shows mutations: a text, a patch of it, and the text with the patch carried out by hand.
struct Case {
    mutations: &'static [Mutation],
    text: String,
    patch: fn(&Function) -> Patch,
    by_hand: String,
}

fn case(
    mutations: &'static [Mutation],
    text: &str,
    by_hand: &str,
    patch: fn(&Function) -> Patch,
) -> Case {
    let (text, by_hand) = (kernel(text), kernel(by_hand));
    Case {
        mutations,
        text,
        patch,
        by_hand,
    }
}

/// A store of a value beside the first one.
fn stored(
    function: &Function,
    patch: &mut Patch,
    at: Point,
    value: Ref,
    guard: Option<(Ref, bool)>,
) {
    let store = function.inst(find(function, 0, is_store));
    let mut opcode = store.opcode.clone();
    if let Opcode::Store(access) = &mut opcode {
        access.offset = 8;
    }
    let mut next = 100;
    let mut cursor = Cursor::new(&mut next, store.origin);
    cursor.inst(opcode, &[store.args[0].into(), value], &[], guard);
    cursor.done(patch, at);
}

fn is_sum(opcode: &Opcode) -> bool {
    matches!(opcode, Opcode::Op(Op::Add { width: 32 }))
}

/// The whole value of the first load is one that a cursor computes after it.
fn in_place_of_load(function: &Function, compute: impl FnOnce(&mut Cursor, Value) -> Ref) -> Patch {
    let load = find(function, 0, is_load);
    let (mut patch, mut next) = (Patch::default(), 0);
    let mut cursor = Cursor::new(&mut next, function.inst(load).origin);
    let to = compute(&mut cursor, result(function, load));
    cursor.done(&mut patch, after_statement(function, load));
    patch.redirect.push(redirect(completed(function, load), to));
    patch
}

/// Whether the number of the thread is odd.
fn parity(cursor: &mut Cursor) -> Ref {
    let lane = Ref::Special(32, ptxasw::ir::types::Special::Tid(0));
    let bit = Op::Extend {
        from: 32,
        to: 1,
        signed: false,
    };
    cursor.single(bit, &[lane])
}

const LOADED: &str = "\tld.global.u32 %r3, [%rd7];\n\tst.global.u32 [%rd6], %r3;\n\tret;\n";

fn values() -> Vec<Case> {
    let half = |word: &str| {
        format!(
            "\t.reg .b128 %q;\n\tld.global.b128 %q, [%rd7];\n\t{word}\n\tst.global.u32 [%rd6], %r3;\n\tret;\n"
        )
    };
    let choose = |yes: u32, no: u32| {
        format!(
            "\tld.global.u32 %r3, [%rd7];\n{PARITY}\tselp.b32 %r3, {yes}, {no}, %p1;\n\tst.global.u32 [%rd6], %r3;\n\tret;\n"
        )
    };
    vec![
        case(
            &[Mutation::OtherHalf],
            &half("mov.u32 %r3, 9;"),
            &half("ld.global.u32 %r3, [%rd7+8];"),
            |function| {
                let copy = find(function, 1, |opcode| {
                    matches!(opcode, Opcode::Op(Op::Copy { .. }))
                });
                let whole = find(function, 0, is_load);
                let (mut patch, mut next) = (Patch::default(), 0);
                let mut cursor = Cursor::new(&mut next, function.inst(copy).origin);
                let lower = Op::Extend {
                    from: 64,
                    to: 32,
                    signed: false,
                };
                let upper = function.inst(whole).results[1];
                let to = cursor.single(lower, &[upper.into()]);
                cursor.done(&mut patch, Point::After(copy));
                patch.redirect.push(redirect(result(function, copy), to));
                patch
            },
        ),
        case(
            &[Mutation::ArmsSwapped, Mutation::MergedOfFirst],
            LOADED,
            &choose(5, 9),
            |function| {
                in_place_of_load(function, |cursor, _| {
                    let odd = parity(cursor);
                    cursor.either(odd, 32, |_| Ref::Constant(32, 5), |_| Ref::Constant(32, 9))
                })
            },
        ),
        case(
            &[Mutation::PredicateChoiceSwapped],
            LOADED,
            &choose(9, 5),
            |function| {
                in_place_of_load(function, |cursor, _| {
                    let choice = [parity(cursor), Ref::Constant(1, 0), Ref::Constant(1, 1)];
                    let [odd, no, yes] = choice;
                    let even = cursor.single(Op::Select { width: 1 }, &[no, yes, odd]);
                    let numbers = [5, 9].map(|number| Ref::Constant(32, number));
                    let args = [numbers[0], numbers[1], even];
                    cursor.single(Op::Select { width: 32 }, &args)
                })
            },
        ),
        case(
            &[Mutation::ByteNotCut],
            &LOADED.replace("ld.global.u32", "ld.global.u8"),
            "\tld.global.u8 %r3, [%rd7];\n\txor.b32 %r3, %r3, 255;\n\tst.global.u32 [%rd6], %r3;\n\tret;\n",
            |function| {
                in_place_of_load(function, |cursor, byte| {
                    let inverted = cursor.single(Op::Not { width: 8 }, &[byte.into()]);
                    let wide = Op::Extend {
                        from: 8,
                        to: 32,
                        signed: false,
                    };
                    cursor.single(wide, &[inverted])
                })
            },
        ),
        case(
            &[
                Mutation::OldRegisterKept,
                Mutation::RedirectedReadDirectly,
                Mutation::CopyNotTaken,
                Mutation::OffsetLost,
            ],
            LOADED,
            "\tld.global.u32 %r3, [%rd7];\n\tst.global.u32 [%rd6+8], %r3;\n\tadd.s32 %r3, %r3, 5;\n\tst.global.u32 [%rd6], %r3;\n\tret;\n",
            |function| {
                let mut own = None;
                let mut patch = in_place_of_load(function, |cursor, loaded| {
                    own = Some(loaded);
                    let args = [loaded.into(), Ref::Constant(32, 5)];
                    cursor.single(Op::Add { width: 32 }, &args)
                });
                let at = Point::After(find(function, 0, is_store));
                let own = own.expect("the load has a value").into();
                stored(function, &mut patch, at, own, None);
                patch
            },
        ),
        case(
            &[Mutation::NotComputedAnew],
            "\tld.global.u32 %r3, [%rd7];\n\tst.global.u8 [%rd6], %r3;\n\tret;\n",
            "\tld.global.u32 %r3, [%rd7];\n\tst.global.u8 [%rd6], %r3;\n\tst.global.u8 [%rd6+8], %r3;\n\tret;\n",
            |function| {
                let store = find(function, 0, is_store);
                let byte = function.inst(store).args[1].into();
                let mut patch = Patch::default();
                stored(function, &mut patch, Point::After(store), byte, None);
                patch
            },
        ),
        case(
            &[Mutation::VariableNotSet],
            LOADED,
            "\tld.global.u32 %r3, [%rd7];\n\tst.global.u32 [%rd6], %r3;\n\tst.global.u32 [%rd6+8], %r3;\n\tret;\n",
            |function| {
                let (load, store) = (find(function, 0, is_load), find(function, 0, is_store));
                let loaded = result(function, load).into();
                let mut patch = Patch {
                    variables: vec![Variable {
                        width: 32,
                        sets: vec![(Point::After(load).into(), loaded)],
                    }],
                    ..Patch::default()
                };
                let held = Ref::Variable(VariableId(0));
                stored(function, &mut patch, Point::After(store), held, None);
                patch
            },
        ),
    ]
}

fn relocate(inst: InstId, to: Point) -> Patch {
    Patch {
        relocate: vec![Relocation {
            inst,
            to: to.into(),
        }],
        ..Patch::default()
    }
}

fn statements() -> Vec<Case> {
    let guarded = "\tmov.u32 %r3, 9;\n\tsetp.gt.u32 %p1, %r2, 3;\n\tadd.s32 %r8, %r2, 1;\n\t@%p1 ld.global.u32 %r3, [%rd7];\n\
        \tadd.s32 %r3, %r3, %r8;\n\tst.global.u32 [%rd6], %r3;\n\tret;\n";
    let one_lane = |above: &str, below: &str| {
        format!(
            "\tmul.wide.u32 %rd8, %r2, 1048576;\n\tadd.s64 %rd9, %rd7, %rd8;\n\tsetp.ne.u32 %p1, %r2, 0;\n{above}\t@%p1 bra L;\n\
             {below}\tst.global.u32 [%rd6], %r3;\nL:\n\tret;\n"
        )
    };
    let load = "\tld.global.u32 %r3, [%rd9];\n";
    vec![
        case(
            &[Mutation::GuardDropped, Mutation::NegationLost],
            "\tsetp.gt.u32 %p1, %r2, 9;\n\tst.global.u32 [%rd6], %r2;\n\tret;\n",
            "\tsetp.gt.u32 %p1, %r2, 9;\n\tst.global.u32 [%rd6], %r2;\n\t@!%p1 st.global.u32 [%rd6+8], %r2;\n\tret;\n",
            |function| {
                let is_test = |opcode: &Opcode| matches!(opcode, Opcode::Op(Op::Compare { .. }));
                let guard = result(function, find(function, 0, is_test));
                let store = find(function, 0, is_store);
                let value = function.inst(store).args[1].into();
                let (mut patch, at) = (Patch::default(), Point::After(store));
                let guard = Some((guard.into(), true));
                stored(function, &mut patch, at, value, guard);
                patch
            },
        ),
        case(
            &[Mutation::RemovedLeft],
            "\tst.global.u32 [%rd6+4], %r2;\n\tst.global.u32 [%rd6], %r2;\n\tret;\n",
            "\tst.global.u32 [%rd6], %r2;\n\tret;\n",
            |function| Patch {
                remove: vec![removal(find(function, 0, is_store))],
                ..Patch::default()
            },
        ),
        case(&[Mutation::OldValueLost], guarded, guarded, |function| {
            let sum = find(function, 0, is_sum);
            relocate(find(function, 0, is_load), Point::Before(sum))
        }),
        case(
            &[Mutation::MovedLeft],
            // Only the first lane's address is that of an array.
            &one_lane(load, ""),
            &one_lane("", load),
            |function| {
                let store = find(function, 0, is_store);
                relocate(find(function, 0, is_load), Point::Before(store))
            },
        ),
    ]
}

/// A clone that threads with an odd number enter, or those for which `condition` holds.
fn cloned(patch: &mut Patch, enter: Point, blocks: &[u32], exits: Vec<Exit>) {
    let condition = odd(patch, &mut 0, enter);
    patch.clones.push(RegionClone {
        id: CloneId(0),
        enter,
        condition,
        after: None,
        blocks: blocks.iter().map(|&block| BlockId(block)).collect(),
        exits,
        settled: Vec::new(),
        together: false,
    });
}

fn clones() -> Vec<Case> {
    let joined = |load: &str| {
        format!(
            "{load}\tsetp.gt.u32 %p2, %r2, 5;\n\t@%p2 bra L;\n\tst.global.u32 [%rd6+4], %r2;\nL:\n\tst.global.u32 [%rd6], %r3;\n\tret;\n"
        )
    };
    let summed = |more: &str| {
        format!(
            "{PARITY}\tand.b32 %r4, %r2, 3;\n\tmov.u32 %r5, 0;\n\tmov.u32 %r6, 0;\nL:\n\tadd.s32 %r6, %r6, %r2;\n{more}\tadd.s32 %r5, %r5, 1;\n\
             \tsetp.le.u32 %p2, %r5, %r4;\n\t@%p2 bra L;\n\tst.global.u32 [%rd6], %r6;\n\tret;\n"
        )
    };
    let stores = |guard: &str| {
        format!(
            "{PARITY}\tst.global.u32 [%rd6], %r2;\n\t{guard}st.global.u32 [%rd6+4], %r2;\n\tret;\n"
        )
    };
    let scope = "\tmov.u32 %r5, 1;\n\t{\n\t.reg .b32 %r5;\n\tadd.s32 %r5, %r2, 7;\n\tst.global.u32 [%rd6+4], %r5;\n\t}\n\
        \tst.global.u32 [%rd6], %r5;\n\tret;\n";
    let by_table = |guard: &str| {
        format!(
            "{PARITY}\tand.b32 %r3, %r2, 2;\n\tshr.u32 %r3, %r3, 1;\n\tbrx.idx %r3, T;\nT:\n\t.branchtargets A, B;\n\
             A:\n\t{guard}st.global.u32 [%rd6], %r2;\nB:\n\tst.global.u32 [%rd6+4], %r2;\n\tret;\n"
        )
    };
    let spaces = format!(
        "\t.shared .align 4 .b8 word[4];\n{PARITY}\tmov.u64 %rd8, word;\n\tsetp.eq.u32 %p2, %r2, 0;\n\t@%p2 st.shared.u32 [%rd8], 7;\n\tbar.sync 0;\n\
         \tcvta.shared.u64 %rd9, %rd8;\n\tadd.s64 %rd10, %rd2, %rd5;\n\tselp.b64 %rd11, %rd10, %rd9, %p1;\n\
         \tld.u32 %r3, [%rd11];\n\tst.global.u32 [%rd6], %r3;\n\tret;\n"
    );
    vec![
        case(
            &[
                Mutation::RedirectedEverywhere,
                Mutation::CloneEnteredInverted,
                Mutation::CloneFallsThrough,
                Mutation::LabelFurtherUp,
            ],
            &joined("K:\n\tld.global.u32 %r3, [%rd7];\n"),
            &joined(&format!(
                "{PARITY}\tld.global.u32 %r3, [%rd7];\n\t@%p1 mov.u32 %r3, 5;\n"
            )),
            |function| {
                let load = find(function, 0, is_load);
                let mut patch = Patch::default();
                cloned(&mut patch, Point::Before(load), &[], vec![]);
                patch.redirect.push(Redirect {
                    clone: Some(CloneId(0)),
                    ..redirect(result(function, load), Ref::Constant(32, 5))
                });
                patch
            },
        ),
        case(
            &[Mutation::CloneBranchesOut],
            &summed(""),
            &summed("\t@%p1 add.s32 %r6, %r6, 100;\n"),
            |function| {
                let sum = find(function, 0, is_sum);
                let clone = Some(CloneId(0));
                let mut patch = Patch::default();
                cloned(&mut patch, Point::End(BlockId(0)), &[1], vec![]);
                let value = result(function, sum);
                let mut next = 10;
                let mut cursor = Cursor::new(&mut next, function.inst(sum).origin);
                let args = [value.into(), Ref::Constant(32, 100)];
                let more = cursor.single(Op::Add { width: 32 }, &args);
                let point = Point::After(sum);
                cursor.done(&mut patch, Location { clone, point });
                patch.redirect.push(Redirect {
                    clone,
                    ..redirect(value, more)
                });
                patch
            },
        ),
        case(
            &[Mutation::CloneExitInverted],
            &stores(""),
            &stores("@!%p1 "),
            |function| {
                let second = find(function, 1, is_store);
                let mut patch = Patch::default();
                let exit = Exit {
                    at: Point::Before(second),
                    stay: Some(Ref::New(ptxasw::ir::patch::NewValue(0))),
                };
                let enter = Point::Before(find(function, 0, is_store));
                cloned(&mut patch, enter, &[], vec![exit]);
                patch.clones[0].condition = Ref::Constant(1, 1);
                patch.remove.push(Removal {
                    clone: Some(CloneId(0)),
                    inst: second,
                });
                patch
            },
        ),
        case(&[Mutation::ScopeLost], scope, scope, |function| {
            let mut patch = Patch::default();
            let first = find(function, 0, |opcode| {
                matches!(opcode, Opcode::Op(Op::Copy { .. }))
            });
            cloned(&mut patch, Point::Before(first), &[], vec![]);
            patch
        }),
        case(
            &[Mutation::TableOfOriginal],
            &by_table(""),
            &by_table("@!%p1 "),
            |function| {
                let mut patch = Patch::default();
                cloned(&mut patch, Point::End(BlockId(0)), &[1], vec![]);
                patch.remove.push(Removal {
                    clone: Some(CloneId(0)),
                    inst: find(function, 0, is_store),
                });
                patch
            },
        ),
        case(&[Mutation::AmendedOriginal], &spaces, &spaces, |function| {
            let load = find(function, 0, is_load);
            let mut patch = Patch::default();
            cloned(&mut patch, Point::Before(load), &[], vec![]);
            patch.amend.push(Amendment {
                clone: Some(CloneId(0)),
                inst: load,
                amend: Amend::Space(Space::Global),
            });
            patch
        }),
    ]
}

fn cases() -> Vec<Case> {
    let parts = [values(), statements(), clones(), chains(), guarded::cases()];
    parts.into_iter().flatten().collect()
}

/// Iterations of a loop in three copies, each of which adds another number.
fn chains() -> Vec<Case> {
    use super::chains::{PLAIN, looping, more_by_turns, more_in_each};
    vec![Case {
        mutations: &[Mutation::ChainCopySkipped],
        text: looping(PLAIN),
        patch: |function| more_in_each(function, 3),
        by_hand: more_by_turns(PLAIN, 3),
    }]
}

/// What is wrong with the text that is written, if anything is.
fn wrong(case: &Case) -> Option<String> {
    let after = match written(&case.text, case.patch) {
        Ok(after) => after,
        Err(error) => return Some(error.to_string()),
    };
    if let Err(error) = verify::Module::read(after.as_bytes()) {
        return Some(format!("{error}\n{after}"));
    }
    let found = verdict(&case.by_hand, &after);
    (!matches!(found, Verdict::Equal)).then(|| format!("{found:?}\n{after}"))
}

#[test]
fn every_mutation_is_reported() {
    let mut missed = Vec::new();
    for case in cases() {
        if let Some(found) = wrong(&case) {
            missed.push(format!("{:?}, unbroken: {found}", case.mutations));
        }
        for &mutation in case.mutations {
            if with(mutation, || wrong(&case)).is_none() {
                missed.push(format!("{mutation:?}"));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn every_mutation_has_a_case() {
    for mutation in WRITER {
        let mut cases = cases().into_iter();
        let tried = cases.any(|case| case.mutations.contains(mutation));
        assert!(tried, "{mutation:?}");
    }
}
