//! Statements that go, move, or get a modifier.

use super::*;
use ptxasw::ir::op::Op;
use ptxasw::ir::patch::{Amend, Amendment, Point, Relocation};
use ptxasw::ir::types::Space;

fn amend(inst: InstId, amend: Amend) -> Patch {
    Patch {
        amend: vec![Amendment {
            clone: None,
            inst,
            amend,
        }],
        ..Patch::default()
    }
}

fn moved(inst: InstId, to: Point) -> Patch {
    Patch {
        relocate: vec![Relocation {
            inst,
            to: Location::from(to),
        }],
        ..Patch::default()
    }
}

#[test]
fn modifiers_go_where_the_grammar_has_them() {
    for (before, change, after) in [
        (
            "ld.global.ca.v2.u32 {%r3, %r4}, [%rd7];",
            Amend::NonCoherent,
            "ld.global.nc.ca.v2.u32 {%r3, %r4}, [%rd7];",
        ),
        (
            "ld.global.L1::evict_last.u32 %r3, [%rd7];",
            Amend::NonCoherent,
            "ld.global.nc.L1::evict_last.u32 %r3, [%rd7];",
        ),
        (
            "ld.u32 %r3, [%rd2];",
            Amend::Space(Space::Global),
            "ld.global.u32 %r3, [%rd2];",
        ),
        (
            "ld.relaxed.gpu.u32 %r3, [%rd2];",
            Amend::Space(Space::Global),
            "ld.relaxed.gpu.global.u32 %r3, [%rd2];",
        ),
        (
            "ld.weak.u32 %r3, [%rd2];",
            Amend::Space(Space::Global),
            "ld.weak.global.u32 %r3, [%rd2];",
        ),
    ] {
        let text = kernel(&format!(
            "\t{before}\n\tst.global.u32 [%rd6], %r3;\n\tret;\n"
        ));
        let written = same(&text, |function| amend(find(function, 0, is_load), change));
        assert!(written.contains(after), "{written}");
    }
    let volatile =
        kernel("\tld.global.lu.u32 %r3, [%rd7];\n\tst.global.u32 [%rd6], %r3;\n\tret;\n");
    let refused = written(&volatile, |function| {
        amend(find(function, 0, is_load), Amend::NonCoherent)
    });
    assert!(matches!(refused, Err(WriteError::Statement(_))));
}

#[test]
fn a_load_moves_up() {
    for load in [
        "ld.global.u32 %r3, [%rd7+4];",
        "ld.global.nc.f32 %f1, [%rd7+4]; // hot\n\tmov.b32 %r3, %f1;",
        "ld.global.v2.u32 {%r3, %r9}, [%rd7];\n\tadd.s32 %r3, %r3, %r9;",
        "setp.gt.u32 %p1, %r2, 3;\n\tmov.u32 %r3, 9;\n\tadd.s32 %r8, %r2, 1;\n\t@%p1 ld.global.u32 %r3, [%rd7];",
        "setp.gt.u32 %p1, %r2, 3;\n\tmov.u32 %r3, 9;\n\tadd.s32 %r8, %r2, 1;\n\t@!%p1 ld.global.s8 %r3, [%rd7];",
        ".pragma \"used_bytes_mask 0xff0f\";\n\tld.global.v4.u32 {%r3, _, %r9, %r10}, [%rd7];\n\tadd.s32 %r3, %r10, %r9;",
        ".pragma \"used_bytes_mask 0xff0f\";\n\t.pragma \"nounroll\";\n\tld.global.v4.u32 {%r3, _, %r9, %r10}, [%rd7];\n\tadd.s32 %r3, %r10, %r9;",
    ] {
        let guarded = load.contains('@');
        let text = kernel(&format!(
            "\tadd.s32 %r8, %r2, 1;\n\t{load}\n\tst.global.u32 [%rd6], %r3;\n\tst.global.u32 [%rd6+4], %r8;\n\tret;\n"
        ));
        let after = same(&text, |function| {
            let sums = |opcode: &Opcode| matches!(opcode, Opcode::Op(Op::Add { width: 32 }));
            moved(
                find(function, 0, is_load),
                Point::Before(find(function, usize::from(guarded), sums)),
            )
        });
        let line = |what: &str| after.lines().position(|line| line.contains(what)).unwrap();
        if load.contains("used_bytes") {
            assert_eq!(line("used_bytes") + 1, line("ld.global"), "{after}");
            assert_eq!(after.matches("used_bytes").count(), 1, "{after}");
        }
        assert!(
            line("ld.global") < line("add.s32 %r8, %r2, 1;") || guarded,
            "{after}"
        );
    }
}

#[test]
fn a_store_that_nobody_misses_goes() {
    let text =
        kernel("\tst.global.u32 [%rd6], %r1; // first\n\tst.global.u32 [%rd6], %r2;\n\tret;\n");
    let after = same(&text, |function| Patch {
        remove: vec![removal(find(function, 0, is_store))],
        ..Patch::default()
    });
    assert_eq!(after.matches("st.global").count(), 1, "{after}");
}

/// One lane of a vector is another value; the rest stays as the load gives it.
#[test]
fn a_lane_of_a_vector_is_replaced() {
    let text = kernel(
        "\tld.global.v2.u32 {%r3, %r4}, [%rd7];\n\tadd.s32 %r5, %r3, %r4;\n\tst.global.u32 [%rd6], %r5;\n\tret;\n",
    );
    let after = written(&text, |function| {
        let load = find(function, 0, is_load);
        Patch {
            redirect: vec![redirect(
                function.inst(load).results[1],
                Ref::Constant(32, 5),
            )],
            ..Patch::default()
        }
    });
    let after = after.unwrap();
    let by_hand = text.replace("%r3, %r4;\n", "%r3, 5;\n");
    assert!(
        matches!(verdict(&by_hand, &after), Verdict::Equal),
        "{after}"
    );
}
