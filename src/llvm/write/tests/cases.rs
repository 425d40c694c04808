//! Patches, judged by what the kernel writes: the same as before, or exactly what the patch changes.

use super::{
    Names, chains, execute, guarded, lines, module, patched, random, regions, settled, values,
};
use crate::outputs::Kind;
use ptxasw::ir::function::{InstId, Value};
use ptxasw::ir::op::Op;
use ptxasw::ir::opcode::{Access, Opcode, Order, Scope};
use ptxasw::ir::patch::{Cursor, Location, Patch, Redirect, Ref, Removal};
use ptxasw::ir::types::{Space, Special, Type};

pub(super) const THREADS: usize = 32;
/// Words of a thread, of the input and of the output.
pub(super) const ROW: usize = 8;

/// A kernel whose threads have a row of words each to read (`%src`) and to write (`%dst`).
pub(super) fn kernel(body: &str) -> String {
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

/// A patch, and what it does to a row of the output. The row of the input comes with it.
pub(super) struct Case {
    pub name: &'static str,
    pub body: &'static str,
    pub make: fn(&Names) -> Patch,
    pub changed: fn(u32, &[u32], &mut [u32]),
}

pub(super) fn same(_: u32, _: &[u32], _: &mut [u32]) {}

/// One step of a patch that is put together.
pub(super) fn at(
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

pub(super) fn redirect(patch: &mut Patch, value: Value, to: Ref) {
    let clone = None;
    patch.redirect.push(Redirect { clone, value, to });
}

pub(super) fn remove(patch: &mut Patch, inst: InstId) {
    patch.remove.push(Removal { clone: None, inst });
}

pub(super) fn word(value: u32) -> Ref {
    Ref::Constant(32, value.into())
}

pub(super) const TID: Ref = Ref::Special(32, Special::Tid(0));

pub(super) fn add(cursor: &mut Cursor, a: Ref, b: Ref) -> Ref {
    cursor.single(Op::Add { width: 32 }, &[a, b])
}

/// Whether the lowest bit of a word is set.
pub(super) fn odd(cursor: &mut Cursor, a: Ref) -> Ref {
    let low = Op::Extend {
        from: 32,
        to: 1,
        signed: false,
    };
    cursor.single(low, &[a])
}

pub(super) fn access(ty: Type, elements: u8, offset: i64) -> Access {
    Access {
        space: Space::Global,
        ty,
        elements,
        order: Order::Weak,
        scope: Scope::System,
        non_coherent: false,
        offset,
        hints: false,
        skipped: 0,
    }
}

pub(super) fn load(cursor: &mut Cursor, address: Ref, offset: i64) -> Ref {
    let load = Opcode::Load(access(Type::B32, 1, offset));
    cursor.inst(load, &[address], &[32], None)[0].into()
}

pub(super) fn store(cursor: &mut Cursor, address: Ref, offset: i64, value: Ref) {
    let store = Opcode::Store(access(Type::B32, 1, offset));
    cursor.inst(store, &[address, value], &[], None);
}

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
    for (tid, (input, row)) in (0..).zip(
        (0..THREADS)
            .map(|tid| &input_words[ROW * tid..])
            .zip(expected.chunks_mut(ROW)),
    ) {
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

fn all() -> impl Iterator<Item = &'static Case> {
    lines::CASES
        .iter()
        .chain(values::CASES)
        .chain(regions::CASES)
        .chain(chains::CASES)
        .chain(guarded::CASES)
        .chain(settled::CASES)
}

/// Faults in the writer are seen.
pub(super) fn judge() -> Result<(), String> {
    all().try_for_each(wrong)
}

#[test]
fn patches_do_what_they_say() {
    for case in all() {
        if let Err(error) = wrong(case) {
            let ir = patched(&kernel(case.body), &case.make, Kind::Ir);
            panic!("{error}\n{}", ir.unwrap_or_else(|error| error));
        }
    }
}
