//! Straight lines: inserted code, redirected values, statements that go.

use super::Names;
use super::cases::*;
use ptxasw::ir::op::Op;
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::patch::{Amend, Amendment, Cursor, Patch, Point, Ref};
use ptxasw::ir::types::{Kind, Type};

pub(super) const STRAIGHT: &str = "
  %double = mul nsw i32 %a, 2
  %b = load i32, ptr %src1, align 4
  %sum = add i32 %double, %b
  store i32 %sum, ptr %dst, align 4
  store i32 %b, ptr %dst1, align 4
  ret void
";

/// The IR has no instruction for the vector: it is the loaded values.
const PACKED: &str = "
  %b = load i32, ptr %src1, align 4
  %first = insertelement <2 x i32> poison, i32 %b, i32 0
  %both = insertelement <2 x i32> %first, i32 %a, i32 1
  %sum = add i32 %a, 1
  store <2 x i32> %both, ptr %dst, align 8
  store i32 %sum, ptr %dst2, align 4
  ret void
";

pub(super) const VECTOR: &str = "
  %v = load <4 x i32>, ptr %src, align 16
  %w = load <2 x float>, ptr %src, align 8
  %x = extractelement <2 x float> %w, i32 1
  store <4 x i32> %v, ptr %dst, align 16
  %dst4 = getelementptr inbounds i32, ptr %dst, i64 4
  store float %x, ptr %dst4, align 4
  ret void
";

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

/// What LLVM packs is what is read.
fn before_it_is_packed(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let b = names.value("%b");
    let before = Point::Before(names.inst("%sum"));
    let more = at(&mut patch, before, |cursor| add(cursor, b.into(), word(1)));
    redirect(&mut patch, b, more);
    patch
}

/// The step reads what the instruction gives, all others what the step makes of it.
fn five_more(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let b = names.value("%b");
    let after = Point::After(names.inst("%b"));
    let more = at(&mut patch, after, |cursor| add(cursor, b.into(), word(5)));
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

/// A guarded load of a narrow number, and the choice after it.
fn predicated_overwrite(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let sum = names.value("%sum");
    let chosen = at(&mut patch, Point::After(names.inst("%sum")), |cursor| {
        let condition = odd(cursor, names.value("%a").into());
        let narrow = Opcode::Load(access(Type::new(Kind::Signed, 8), 1, 9));
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
    let after = Point::After(names.inst("%v"));
    let more = at(&mut patch, after, |cursor| {
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
    let after = Point::After(v);
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
    cursor.done(&mut patch, after);
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

/// LLVM folds what it is given: only what it gives no meaning stays unknown.
fn long_shift(names: &Names) -> Patch {
    let mut patch = Patch::default();
    let sum = names.value("%sum");
    let after = Point::After(names.inst("%sum"));
    let none = at(&mut patch, after, |cursor| {
        let shifted = cursor.single(Op::Shl { width: 32 }, &[sum.into(), word(40)]);
        let zero = cursor.single(Op::Xor { width: 32 }, &[shifted, word(9)]);
        add(cursor, zero, sum.into())
    });
    redirect(&mut patch, sum, none);
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
        name: "a shift by too much",
        body: STRAIGHT,
        make: long_shift,
        changed: |_, _, row| row[0] = row[0].wrapping_add(9),
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
        name: "a value that LLVM packs",
        body: PACKED,
        make: before_it_is_packed,
        changed: |_, _, row| row[0] = row[0].wrapping_add(1),
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
];
