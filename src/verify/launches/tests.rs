//! What is guessed of kernels, and what launches that are made up show.

use super::counters::Part;
use super::usage::Usage;
use super::{blocks, filling};
use crate::{Kernel, KernelReport, Module, Options, Reason, Tally, Verdict, verify};
use ptxasw_executor::launch::Fill;

/// A module of one kernel.
fn module(parameters: &str, bounds: &str, body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k({parameters}) {bounds}\n{{\n\
        .reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .f32 %f<8>;\n.reg .b64 %d<16>;\n{body}\nret;\n}}\n"
    )
}

/// Blocks for a kernel that reverses what a block holds, by a constant.
fn reversed(last: u32, bounds: &str) -> Vec<[u32; 3]> {
    let body = format!(
        ".shared .align 4 .b8 s[{}];\nld.param.u64 %d1, [a];\nmov.u32 %r1, %tid.x;\n\
        mul.wide.u32 %d2, %r1, 4;\nadd.u64 %d1, %d1, %d2;\nld.global.f32 %f1, [%d1];\n\
        mov.u32 %r2, s;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r3, %r2, %r3;\nst.shared.f32 [%r3], %f1;\n\
        bar.sync 0;\nsub.u32 %r4, {last}, %r1;\nshl.b32 %r4, %r4, 2;\nadd.u32 %r4, %r2, %r4;\n\
        ld.shared.f32 %f2, [%r4];\nst.global.f32 [%d1], %f2;",
        4 * (last + 1)
    );
    let text = module(".param .u64 a", bounds, &body);
    with(&text, |kernel, usage| blocks::blocks(kernel, usage, 1))
}

fn with<R>(text: &str, ask: impl FnOnce(Kernel, &Usage) -> R) -> R {
    let module = Module::read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let kernel = module.kernels().next().expect("there is one");
    ask(kernel, &Usage::of(kernel.module, kernel.function))
}

fn compared(a: &str, b: &str) -> KernelReport {
    let [a, b] = [a, b].map(|text| Module::read(text.as_bytes()).unwrap());
    let options = Options {
        steps: 1 << 20,
        ..Options::default()
    };
    verify(&a, &b, &options).unwrap().remove(0)
}

#[test]
fn blocks_that_the_code_speaks_of() {
    // Fewer threads leave holes, more leave the array.
    assert_eq!(reversed(255, "")[0], [256, 1, 1]);
    assert_eq!(reversed(95, "")[0], [96, 1, 1]);
    assert_eq!(reversed(95, ".reqntid 96"), [[96, 1, 1]]);
    assert!(!reversed(255, "").contains(&[128, 1, 1]));
}

#[test]
fn blocks_of_a_tile() {
    let body = ".shared .align 4 .b8 s[1024];\nld.param.u64 %d1, [a];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\n\
        shl.b32 %r3, %r2, 4;\nadd.u32 %r3, %r3, %r1;\nmul.wide.u32 %d2, %r3, 4;\nadd.u64 %d1, %d1, %d2;\n\
        ld.global.f32 %f1, [%d1];\nmov.u32 %r4, s;\nshl.b32 %r5, %r3, 2;\nadd.u32 %r5, %r4, %r5;\n\
        st.shared.f32 [%r5], %f1;\nbar.sync 0;\nshl.b32 %r6, %r1, 4;\nadd.u32 %r6, %r6, %r2;\n\
        shl.b32 %r6, %r6, 2;\nadd.u32 %r6, %r4, %r6;\nld.shared.f32 %f2, [%r6];\nst.global.f32 [%d1], %f2;";
    let text = module(".param .u64 a", "", body);
    let found = with(&text, |kernel, usage| blocks::blocks(kernel, usage, 1));
    assert_eq!(found[0], [16, 16, 1], "{found:?}");
}

/// A kernel of one dimension gets no rows.
#[test]
fn blocks_have_the_dimensions_that_the_kernel_knows() {
    let body = "ld.param.u64 %d1, [a];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\n\
        add.u64 %d1, %d1, %d2;\nst.global.u32 [%d1], %r1;";
    let text = module(".param .u64 a", "", body);
    let found = with(&text, |kernel, usage| blocks::blocks(kernel, usage, 1));
    assert!(
        found.len() > 3 && found.iter().all(|block| block[1] == 1),
        "{found:?}"
    );
}

/// All arguments lie in a structure that the only parameter points to, as GCC hands them over.
const BEHIND: &str = "ld.param.u64 %d1, [a];\nld.u64 %d2, [%d1];\nld.u32 %r2, [%d1+8];\n\
    mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, %r2;\n@%p1 bra END;\nmul.wide.u32 %d3, %r1, 4;\n\
    add.u64 %d2, %d2, %d3;\nst.u32 [%d2], %r1;\nEND:";

#[test]
fn a_structure_behind_a_pointer() {
    let text = module(".param .u64 a", "", BEHIND);
    let report = compared(&text, &text);
    assert_eq!(report.verdict, Verdict::Equal);
    assert!(
        Tally::of(&report).is_enough() && report.reach.is_complete(),
        "{report:?}"
    );
    let wrong = text.replace("st.u32 [%d2], %r1", "st.u32 [%d2], %r2");
    assert!(matches!(
        compared(&text, &wrong).verdict,
        Verdict::Different(_)
    ));
}

#[test]
fn an_array_of_pointers() {
    let body = "ld.param.u64 %d1, [a];\nmov.u32 %r1, %ctaid.x;\nmul.wide.u32 %d2, %r1, 8;\nadd.u64 %d1, %d1, %d2;\n\
        ld.global.u64 %d3, [%d1];\nmov.u32 %r2, %tid.x;\nmul.wide.u32 %d4, %r2, 4;\nadd.u64 %d3, %d3, %d4;\n\
        st.global.u32 [%d3], %r2;";
    let report = compared(
        &module(".param .u64 a", "", body),
        &module(".param .u64 a", "", body),
    );
    assert_eq!(report.verdict, Verdict::Equal);
}

/// A launch of no elements shows nothing, and what only one thread in thousands does was not reached.
#[test]
fn what_launches_did_not_reach() {
    let body = "ld.param.u64 %d1, [a];\nld.param.u32 %r2, [n];\nmov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, %r2;\n\
        @%p1 bra END;\nmul.wide.u32 %d2, %r1, 4;\nadd.u64 %d1, %d1, %d2;\nst.global.u32 [%d1], %r1;\n\
        setp.ne.u32 %p2, %r2, 77777;\n@%p2 bra END;\nst.global.u32 [%d1+4], %r1;\nEND:";
    let text = module(".param .u64 a, .param .u32 n", "", body);
    let report = compared(&text, &text);
    assert_eq!(report.verdict, Verdict::Equal);
    let [place] = report.reach.unreached[..] else {
        panic!("{:?}", report.reach)
    };
    assert!(text[place.range()].contains("[%d1+4]"));
    assert!(
        report
            .launches
            .iter()
            .any(|launch| launch.idle && launch.equal > 0)
    );
    // An access that was written anew, where launches come by and no lane takes it.
    let other = text.replace("77777;\n", "77777;\n@!%p2 st.global.u32 [%d1+8], %r2;\n");
    let verdict = compared(&text, &other).verdict;
    assert_eq!(verdict, Verdict::CouldNotRun(Reason::Unreached));
    // Where launches do not come by, neither what is changed nor what is removed.
    for other in ["st.global.u32 [%d1+4], %r2;", ""] {
        let other = text.replace("st.global.u32 [%d1+4], %r1;", other);
        let verdict = compared(&text, &other).verdict;
        assert_eq!(verdict, Verdict::CouldNotRun(Reason::Unreached));
    }
}

/// A scalar that selects gets the constants that it is compared with, and memory numbers of any magnitude.
#[test]
fn values_that_comparisons_ask_for() {
    let body = "ld.param.u64 %d1, [a];\nld.param.u32 %r2, [n];\nld.param.u32 %r3, [m];\nmov.u32 %r1, %tid.x;\n\
        setp.ge.u32 %p1, %r1, %r2;\n@%p1 bra END;\nmul.wide.u32 %d2, %r1, 4;\nadd.u64 %d1, %d1, %d2;\nld.global.f32 %f1, [%d1];\n\
        setp.ne.u32 %p2, %r3, 777;\n@%p2 bra MORE;\nst.global.u32 [%d1], %r1;\nMORE:\n\
        setp.gt.u32 %p2, %r3, 500;\n@%p2 bra LARGE;\nst.global.u32 [%d1], %r2;\nLARGE:\n\
        setp.lt.f32 %p2, %f1, 0f47CE4780;\n@%p2 bra END;\nst.global.f32 [%d1], %f1;\nEND:";
    let text = module(".param .u64 a, .param .u32 n, .param .u32 m", "", body);
    let report = compared(&text, &text);
    assert_eq!(report.verdict, Verdict::Equal);
    assert!(report.reach.is_complete(), "{:?}", report.reach);
}

/// The body of a loop may change only where launches come round to it again.
#[test]
fn a_changed_loop_is_repeated() {
    let body = "ld.param.u64 %d1, [a];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.u64 %d1, %d1, %d2;\n\
        LOOP: ld.global.u32 %r2, [%d1];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%d1], %r2;\n\
        setp.eq.u32 %p1, %r2, 123456789;\n@%p1 bra LOOP;";
    let text = module(".param .u64 a", "", body);
    let report = compared(&text, &text);
    assert_eq!(report.verdict, Verdict::Equal);
    assert!(report.reach.loops[0].never_again, "{:?}", report.reach);
    let other = text.replace("add.u32 %r2, %r2, 1;", "add.u32 %r2, 1, %r2;");
    let verdict = compared(&text, &other).verdict;
    assert_eq!(verdict, Verdict::CouldNotRun(Reason::Unreached));
}

#[test]
fn a_launch_that_fills_a_gpu() {
    let body = "ld.param.u64 %d1, [a];\nld.param.u32 %r4, [n];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n\
        mad.lo.u32 %r1, %r1, %r2, %r3;\nsetp.ge.u32 %p1, %r1, %r4;\n@%p1 bra END;\nmul.wide.u32 %d2, %r1, 8;\n\
        add.u64 %d1, %d1, %d2;\nld.global.f32 %f1, [%d1+4];\nst.global.f32 [%d1], %f1;\nEND:";
    let text = module(".param .u64 a, .param .u32 n", "", body);
    let spec = with(&text, |kernel, _| filling(kernel, 1 << 20, 1 << 20)).unwrap();
    let threads = u64::from(spec.grid[0]) * u64::from(spec.block[0]);
    assert_eq!(threads, 1 << 20);
    // As large as the accesses reach.
    assert!(spec.buffer_bytes() >= 8 << 20, "{spec:?}");
    assert!(!matches!(spec.buffers[0].fill, Fill::Structure { .. }));
}

/// Two modules with a branch that no launch takes, and code behind it.
fn rare(before: &str, after: &str) -> Verdict {
    let module = |body: &str| {
        let body = format!(
            "ld.param.u64 %d1, [a];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\n\
            add.u64 %d1, %d1, %d2;\nmov.u32 %r2, %r1;\nmul.lo.u32 %r8, %r9, -1640531535;\n\
            setp.ne.u32 %p1, %r8, 777777;\n{body}\nst.global.u32 [%d1], %r2;"
        );
        module(".param .u64 a, .param .u32 n", "", &body)
    };
    compared(&module(before), &module(after)).verdict
}

/// Whatever a rewriting inserts, changes or removes must be executed, not only accesses.
#[test]
fn changes_that_no_launch_executes_have_no_verdict() {
    let block = "@%p1 bra END;\nshl.b32 %r2, %r1, 1;\nEND:";
    for (before, after) in [
        (
            block,
            "@%p1 bra END;\nshl.b32 %r2, %r1, 1;\nadd.u32 %r2, %r2, 5;\nEND:",
        ),
        (
            block,
            "@%p1 bra END;\nmov.u32 %r1, 7;\nshl.b32 %r2, %r1, 1;\nEND:",
        ),
        (block, "@%p1 bra END;\nEND:"),
        ("", "@!%p1 mov.u32 %r2, 7;"),
        ("@!%p1 mov.u32 %r2, 7;", "@!%p1 mov.u32 %r2, 8;"),
        ("", "@%p1 bra END;\nmov.u32 %r2, 7;\nEND:"),
    ] {
        let verdict = rare(before, after);
        assert_eq!(verdict, Verdict::CouldNotRun(Reason::Unreached), "{after}");
        assert_eq!(rare(before, before), Verdict::Equal, "{before}");
    }
}

/// A loop from `lo` to `hi` by `s`, through copies, and one that begins at the thread's index.
#[test]
fn scalars_that_count() {
    let body = "ld.param.u64 %d1, [a];\nld.param.u32 %r1, [lo];\nld.param.u32 %r2, [hi];\nld.param.u32 %r3, [s];\n\
        mov.u32 %r4, %r1;\nLOOP: setp.eq.s32 %p1, %r4, %r2;\n@%p1 bra NEXT;\nst.global.u32 [%d1], %r4;\n\
        add.s32 %r5, %r4, %r3;\nmov.u32 %r4, %r5;\nbra LOOP;\nNEXT: mov.u32 %r6, %tid.x;\nld.param.u32 %r7, [n];\n\
        AGAIN: setp.ge.s32 %p2, %r6, %r7;\n@%p2 bra END;\nadd.s32 %r6, %r6, 32;\nbra AGAIN;\nEND:";
    let parameters = ".param .u64 a, .param .u32 lo, .param .u32 hi, .param .u32 s, .param .u32 n";
    let text = module(parameters, "", body);
    let (parts, strided) = with(&text, |_, usage| {
        let part = |parameter| usage.field(parameter, 0).and_then(|field| field.part);
        ([0, 1, 2, 3, 4].map(part), usage.strided)
    });
    let [start, bound, step] = [Part::Start, Part::Bound, Part::Step].map(Some);
    assert_eq!((parts, strided), ([None, start, bound, step, None], true));
    // Where the step leads over the bound, the loop does not end; launches are found in which it does.
    let report = compared(&text, &text);
    assert!(report.reach.loops.is_empty(), "{:?}", report.reach);
}
