//! Loads that fewer threads execute, and branches with one edge.

use super::super::clones::settled;
use super::super::guarded::{PARITY, THREAD, elsewhere, guard};
use super::super::*;
use super::{Case, LOADED, case, stored};
use ptxasw::ir::op::Op;
use ptxasw::support::mutation::Mutation;

/// The ways to break them.
pub(super) fn cases() -> Vec<Case> {
    let own = |load: &str| {
        format!(
            "\tmov.u32 %r3, 9;\n\tsetp.gt.u32 %p2, %r2, 3;\n{load}\tst.global.u32 [%rd6], %r3;\n\tret;\n"
        )
    };
    let address = |load: &str| format!("{load}\tst.global.u64 [%rd6], %rd7;\n\tret;\n");
    let settled_by = |more: &str| {
        format!(
            "\tsetp.gt.u32 %p2, %r2, 5;\n{PARITY}{more}\t@%p2 bra L;\n\tst.global.u32 [%rd6], %r2;\nL:\n\tst.global.u32 [%rd6+4], %r2;\n\tret;\n"
        )
    };
    let numbers = |function: &Function| guard(function, &elsewhere(function, 5), false);
    vec![
        case(
            &[
                Mutation::LoadUnguarded,
                Mutation::LoadGuardInverted,
                Mutation::ChosenLost,
            ],
            LOADED,
            &format!(
                "{PARITY}\tmov.u32 %r3, 5;\n\t@%p1 ld.global.u32 %r3, [%rd7];\n\tst.global.u32 [%rd6], %r3;\n\tret;\n"
            ),
            numbers,
        ),
        case(
            &[Mutation::ChosenForAll],
            &own("\t@%p2 ld.global.u32 %r3, [%rd7];\n"),
            &own(&format!(
                "{PARITY}\tand.pred %p1, %p1, %p2;\n\t@%p2 mov.u32 %r3, 5;\n\t@%p1 ld.global.u32 %r3, [%rd7];\n"
            )),
            numbers,
        ),
        case(
            &[Mutation::AddressOverwritten],
            &address("\tld.global.u64 %rd7, [%rd7];\n"),
            &address(&format!(
                "{PARITY}\t@%p1 ld.global.u64 %rd7, [%rd7];\n\t@!%p1 mov.u64 %rd7, 5;\n"
            )),
            numbers,
        ),
        case(
            &[Mutation::SettledDecided, Mutation::SettledOtherWay],
            &settled_by(""),
            &settled_by("\tor.pred %p2, %p2, %p1;\n"),
            |_| settled(true, &[]),
        ),
        case(
            &[Mutation::CoalescedThoughRead],
            LOADED,
            &format!(
                "{PARITY}\tadd.s32 %r8, %r2, 5;\n\tmov.u32 %r3, %r8;\n\t@%p1 ld.global.u32 %r3, [%rd7];\n\tst.global.u32 [%rd6], %r3;\n\tst.global.u32 [%rd6+8], %r8;\n\tret;\n"
            ),
            |function| {
                let load = find(function, 0, is_load);
                let (mut patch, mut next) = (Patch::default(), 50);
                let mut cursor = Cursor::new(&mut next, function.inst(load).origin);
                let args = [THREAD, Ref::Constant(32, 5)];
                let sum = cursor.single(Op::Add { width: 32 }, &args);
                cursor.done(&mut patch, Point::Before(load));
                let guarded = guard(function, &[(result(function, load), sum)], false);
                patch.insert.extend(guarded.insert);
                patch.guard = guarded.guard;
                let at = Point::After(find(function, 0, is_store));
                stored(function, &mut patch, at, sum, None);
                patch
            },
        ),
    ]
}
