//! Patches, judged by what the kernel writes: the same as before, or exactly what the patch changes.

use super::{Names, execute, module, patched, random};
use crate::outputs::Kind;
use ptxasw::ir::function::BlockId;
use ptxasw::ir::op::{Comparison, Op};
use ptxasw::ir::opcode::{Access, Opcode, Order, Scope};
use ptxasw::ir::patch::{
    Amend, Amendment, CloneId, Cursor, Exit, Location, Patch, Point, Redirect, Ref, RegionClone,
    Relocation, Removal, Variable, VariableId,
};
use ptxasw::ir::types::{Kind as TypeKind, Space, Special, Type};

const THREADS: usize = 32;
/// Words of a thread, of the input and of the output.
const ROW: usize = 8;

/// A kernel whose threads have a row of words each to read (`%src`) and to write (`%dst`).
fn kernel(body: &str) -> String {
    module(&format!(
        "define ptx_kernel void @k(ptr %out, ptr %in) #0 {{
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %src = getelementptr inbounds [8 x i32], ptr %in, i64 %i
  %dst = getelementptr inbounds [8 x i32], ptr %out, i64 %i
  %src1 = getelementptr inbounds i32, ptr %src, i64 1
  %dst1 = getelementptr inbounds i32, ptr %dst, i64 1
  %dst2 = getelementptr inbounds i32, ptr %dst, i64 2
  %a = load i32, ptr %src, align 16
{body}}}
"
    ))
}

const STRAIGHT: &str = "
  %double = mul nsw i32 %a, 2
  %b = load i32, ptr %src1, align 4
  %sum = add i32 %double, %b
  store i32 %sum, ptr %dst, align 4
  store i32 %b, ptr %dst1, align 4
  ret void
";

const VECTOR: &str = "
  %v = load <4 x i32>, ptr %src, align 16
  %w = load <2 x float>, ptr %src, align 8
  %x = extractelement <2 x float> %w, i32 1
  store <4 x i32> %v, ptr %dst, align 16
  %dst4 = getelementptr inbounds i32, ptr %dst, i64 4
  store float %x, ptr %dst4, align 4
  ret void
";

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

const LOOP: &str = "
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

/// A patch, and what it does to a row of the output. The row of the input comes with it.
pub(super) struct Case {
    name: &'static str,
    body: &'static str,
    make: fn(&Names) -> Patch,
    changed: fn(u32, &[u32], &mut [u32]),
}

fn same(_: u32, _: &[u32], _: &mut [u32]) {}

/// One step of a patch that is put together.
fn at(
    patch: &mut Patch,
    point: impl Into<Location>,
    write: impl FnOnce(&mut Cursor) -> Ref,
) -> Ref {
    let mut next = patch.insert.len() as u32 * 100;
    let mut cursor = Cursor::new(&mut next, 3);
    let result = write(&mut cursor);
    cursor.done(patch, point);
    result
}

fn redirect(patch: &mut Patch, value: ptxasw::ir::function::Value, to: Ref) {
    let clone = None;
    patch.redirect.push(Redirect { clone, value, to });
}

fn remove(patch: &mut Patch, inst: ptxasw::ir::function::InstId) {
    patch.remove.push(Removal { clone: None, inst });
}

fn word(value: u32) -> Ref {
    Ref::Constant(32, value.into())
}

const TID: Ref = Ref::Special(32, Special::Tid(0));

fn add(cursor: &mut Cursor, a: Ref, b: Ref) -> Ref {
    cursor.single(Op::Add { width: 32 }, &[a, b])
}

/// Whether the lowest bit of a word is set.
fn odd(cursor: &mut Cursor, a: Ref) -> Ref {
    let low = Op::Extend {
        from: 32,
        to: 1,
        signed: false,
    };
    cursor.single(low, &[a])
}

fn access(ty: Type, elements: u8, offset: i64) -> Access {
    Access {
        space: Space::Global,
        ty,
        elements,
        order: Order::Weak,
        scope: Scope::System,
        non_coherent: false,
        offset,
        hints: false,
    }
}

fn load(cursor: &mut Cursor, address: Ref, offset: i64) -> Ref {
    let load = Opcode::Load(access(Type::B32, 1, offset));
    cursor.inst(load, &[address], &[32], None)[0].into()
}

fn store(cursor: &mut Cursor, address: Ref, offset: i64, value: Ref) {
    let store = Opcode::Store(access(Type::B32, 1, offset));
    cursor.inst(store, &[address, value], &[], None);
}

fn another_way(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let a: Ref = names.value("%a").into();
    let double = names.inst("%double");
    let sum = at(&mut patch, Point::Before(double), |cursor| {
        add(cursor, a, a)
    });
    redirect(&mut patch, names.value("%double"), sum);
    remove(&mut patch, double);
    patch
}

/// The step reads what the instruction gives, all others what the step makes of it.
fn five_more(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let b = names.value("%b");
    let behind = Point::Behind(names.inst("%b"));
    let more = at(&mut patch, behind, |cursor| add(cursor, b.into(), word(5)));
    redirect(&mut patch, b, more);
    let end = Point::Before(names.store(1));
    at(&mut patch, end, |cursor| {
        store(cursor, names.value("%dst").into(), 8, b.into());
        b.into()
    });
    patch
}

fn load_under_a_test(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let b = names.inst("%b");
    let loaded = at(&mut patch, Point::Before(b), |cursor| {
        let condition = odd(cursor, TID);
        let src = names.value("%src").into();
        let side = |cursor: &mut Cursor| load(cursor, src, 4);
        cursor.either(condition, 32, side, |_| word(7))
    });
    redirect(&mut patch, names.value("%b"), loaded);
    remove(&mut patch, b);
    patch
}

/// A guarded load of a narrow number, and the choice behind it.
fn predicated_overwrite(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let sum = names.value("%sum");
    let chosen = at(&mut patch, Point::Behind(names.inst("%sum")), |cursor| {
        let condition = odd(cursor, names.value("%a").into());
        let narrow = Opcode::Load(access(Type::new(TypeKind::Signed, 8), 1, 9));
        let src = names.value("%src").into();
        let guard = Some((condition, true));
        let loaded = cursor.inst(narrow, &[src], &[8], guard)[0];
        #[rustfmt::skip]
        let extend = Op::Extend { from: 8, to: 32, signed: true };
        let loaded = cursor.single(extend, &[loaded.into()]);
        let args = [sum.into(), loaded, condition];
        let chosen = cursor.single(Op::Select { width: 32 }, &args);
        let dst = names.value("%dst").into();
        let store = Opcode::Store(access(Type::B32, 1, 16));
        cursor.inst(store, &[dst, word(9)], &[], Some((condition, false)));
        chosen
    });
    redirect(&mut patch, sum, chosen);
    patch
}

fn one_lane(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let lane = names.scalar("%v", 2);
    let behind = Point::Behind(names.inst("%v"));
    let more = at(&mut patch, behind, |cursor| {
        add(cursor, lane.into(), word(1))
    });
    redirect(&mut patch, lane, more);
    redirect(&mut patch, names.scalar("%w", 1), word(0x3f80_0000));
    patch
}

/// All of a vector: the load is not needed any more.
fn vector_of_parts(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let v = names.inst("%v");
    let behind = Point::Behind(v);
    let mut next = 0;
    let mut cursor = Cursor::new(&mut next, 3);
    let src = names.value("%src").into();
    let pair = |cursor: &mut Cursor, offset| {
        let load = Opcode::Load(access(Type::B32, 2, offset));
        cursor.inst(load, &[src], &[32, 32], None)
    };
    let parts = [pair(&mut cursor, 0), pair(&mut cursor, 8)].concat();
    let dst = names.value("%dst").into();
    let both = Opcode::Store(access(Type::B32, 2, 24));
    cursor.inst(both, &[dst, parts[1].into(), parts[0].into()], &[], None);
    cursor.done(&mut patch, behind);
    for (scalar, part) in (0..).zip(parts) {
        redirect(&mut patch, names.scalar("%v", scalar), part.into());
    }
    remove(&mut patch, v);
    patch
}

fn non_coherent(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let amend = |name, amend| Amendment {
        clone: None,
        inst: names.inst(name),
        amend,
    };
    patch.amend = vec![
        amend("%a", Amend::NonCoherent),
        amend("%b", Amend::NonCoherent),
    ];
    patch
}

fn without_a_store(names: &Names) -> Patch {
    let mut patch = Patch::default();
    remove(&mut patch, names.store(1));
    patch
}

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
    let last = names.value("%k");
    let inst = names.inst("%k");
    let to = Point::Before(names.inst("%c")).into();
    patch.relocate.push(Relocation { inst, to });
    redirect(&mut patch, last, Ref::Special(32, Special::Tid(0)));
    patch
}

fn region(names: &Names, enter: Point, condition: Ref, blocks: &[&str]) -> RegionClone {
    RegionClone {
        id: CloneId(0),
        enter,
        condition,
        blocks: blocks.iter().map(|name| names.block(name)).collect(),
        exits: Vec::new(),
    }
}

fn in_clone(point: Point) -> Location {
    let clone = Some(CloneId(0));
    Location { clone, point }
}

/// Both copies of the branch: in the clone the loaded value is one more, and behind it each lane has its own.
fn cloned(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let enter = Point::Before(names.inst("%c"));
    let condition = at(&mut patch, enter, |cursor| odd(cursor, TID));
    patch.clones = vec![region(names, enter, condition, &["then"])];
    let b = names.value("%b");
    let behind = in_clone(Point::Behind(names.inst("%b")));
    let more = at(&mut patch, behind, |cursor| add(cursor, b.into(), word(1)));
    patch.redirect.push(Redirect {
        clone: Some(CloneId(0)),
        value: b,
        to: more,
    });
    // What a step behind both reads is that of the copy that ran.
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

/// Some lanes leave the clone in the middle of its last block.
fn exit_in_mid_block(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let enter = Point::End(BlockId(0));
    let mut clone = region(names, enter, Ref::Constant(1, 1), &["then", "join"]);
    let leave = Point::Behind(names.store(1));
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
        in_clone(Point::Behind(names.inst("%z"))),
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
    at(&mut patch, Point::Behind(names.inst("%z")), |cursor| {
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
    let leave = Point::Behind(names.inst("%t"));
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
    at(&mut patch, Point::Behind(names.store(0)), |cursor| {
        store(cursor, names.value("%dst").into(), 12, word(1));
        word(0)
    });
    patch
}

pub(super) const CASES: &[Case] = &[
    Case {
        name: "a value is computed in another way",
        body: STRAIGHT,
        make: another_way,
        changed: same,
    },
    Case {
        name: "a redirected value is still there for steps",
        body: STRAIGHT,
        make: five_more,
        changed: |_, input, row| {
            row[0] = row[0].wrapping_add(5);
            row[1] = row[1].wrapping_add(5);
            row[2] = input[1];
        },
    },
    Case {
        name: "a load under a test at run time",
        body: STRAIGHT,
        make: load_under_a_test,
        changed: |tid, input, row| {
            if tid & 1 == 0 {
                row[0] = input[0].wrapping_mul(2).wrapping_add(7);
                row[1] = 7;
            }
        },
    },
    Case {
        name: "a predicated load, and what it overwrites",
        body: STRAIGHT,
        make: predicated_overwrite,
        changed: |_, input, row| match input[0] & 1 {
            0 => row[0] = (input[2] >> 8) as u8 as i8 as u32,
            _ => row[4] = 9,
        },
    },
    Case {
        name: "one element of a vector",
        body: VECTOR,
        make: one_lane,
        changed: |_, _, row| {
            row[2] = row[2].wrapping_add(1);
            row[4] = 0x3f80_0000;
        },
    },
    Case {
        name: "all elements of a vector",
        body: VECTOR,
        make: vector_of_parts,
        changed: |_, input, row| (row[6], row[7]) = (input[1], input[0]),
    },
    Case {
        name: "loads through the other path",
        body: STRAIGHT,
        make: non_coherent,
        changed: same,
    },
    Case {
        name: "a store goes",
        body: STRAIGHT,
        make: without_a_store,
        changed: |_, _, row| row[1] = 0,
    },
    Case {
        name: "a load is executed earlier",
        body: DIAMOND,
        make: hoisted,
        changed: |_, input, row| row[3] = input[1],
    },
    Case {
        name: "what moves is redirected at its new place",
        body: DIAMOND,
        make: sunk,
        changed: |tid, input, row| {
            let x = match tid & 3 {
                0 => input[0],
                _ => {
                    row[1] = input[1].wrapping_add(tid);
                    row[1] ^ 77
                }
            };
            row[0] = x.wrapping_add(tid);
            row[2] = row[0].wrapping_add(tid & 3);
        },
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

fn words(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks(4);
    words
        .map(|word| u32::from_le_bytes(word.try_into().expect("four")))
        .collect()
}

/// What is wrong with a case.
fn wrong(case: &Case) -> Result<(), String> {
    let text = kernel(case.body);
    let input: Vec<u8> = random(5, THREADS * ROW / 2)
        .iter()
        .flat_map(|one| one.to_le_bytes())
        .collect();
    let run = |ptx: &str| execute(ptx, THREADS as u32, &input, 4 * ROW * THREADS);
    let before = patched(&text, &|_| Patch::default(), Kind::Ptx)?;
    let after = patched(&text, &case.make, Kind::Ptx)?;
    let input_words = words(&input);
    let mut expected = words(&run(&before)?);
    for (tid, (input, row)) in (0..).zip(input_words.chunks(ROW).zip(expected.chunks_mut(ROW))) {
        (case.changed)(tid, input, row);
    }
    let found = words(&run(&after)?);
    match found == expected {
        true => Ok(()),
        false => Err(format!(
            "{}: {found:?} for {expected:?}\n{after}",
            case.name
        )),
    }
}

/// Faults in the writer are seen.
pub(super) fn judge() -> Result<(), String> {
    CASES.iter().try_for_each(wrong)
}

#[test]
fn patches_do_what_they_say() {
    for case in CASES {
        if let Err(error) = wrong(case) {
            let ir = patched(&kernel(case.body), &case.make, Kind::Ir);
            panic!("{error}\n{}", ir.unwrap_or_else(|error| error));
        }
    }
}
