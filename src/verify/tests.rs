//! Kernels as compilers give them, with launches made up for them, and comparisons.

use super::*;
use ptxasw_executor::Fault;
use ptxasw_executor::launch::parse_line;
use rayon::prelude::*;
use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

/// A text of `ptx-tests/kernelgen`.
fn load(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ptx-tests/kernelgen");
    std::fs::read_to_string(folder.join(name)).expect("the kernel is there")
}

/// Few schedules and steps: the tests are many.
fn options() -> Options {
    Options {
        schedules: vec![Schedule::Lockstep, Schedule::Independent { seed: 5 }],
        steps: 1 << 18,
        ..Options::default()
    }
}

/// Compares the only kernels of two texts.
fn compare_texts(a: &str, b: &str, options: &Options) -> KernelReport {
    let (a, b) = (
        Module::read(a.as_bytes()).unwrap(),
        Module::read(b.as_bytes()).unwrap(),
    );
    let mut reports = verify(&a, &b, options).expect("the parameters are the same");
    assert_eq!(reports.len(), 1);
    reports.remove(0)
}

#[test]
fn compiled_stencils_run() {
    for name in ["jacobi", "laplacian", "gaussblur", "vecadd", "matmul"] {
        for compiler in ["sm_80", "clang"] {
            let text = load(&format!("{name}.{compiler}.ptx"));
            let report = compare_texts(&text, &text, &options());
            assert_eq!(report.verdict, Verdict::Equal, "{name}.{compiler}");
            let [a, b] = report.counts;
            assert!(a.global_loads > 0 && a == b, "{name}.{compiler}");
        }
    }
}

#[test]
fn a_difference_is_found_and_named() {
    let text = load("jacobi.sm_80.ptx");
    let position = text.rfind("fma.rn.f32").unwrap();
    let mut broken = text.clone();
    broken.replace_range(position..position + 10, "fma.rz.f32");
    let report = compare_texts(&text, &broken, &options());
    let Verdict::Different(difference) = report.verdict else {
        panic!("{report:?}")
    };
    assert_ne!(difference.original, difference.rewritten);
    assert_eq!(difference.memory, Memory::Buffer(1));
    assert_eq!(difference.load, None);
    let store = difference.store.unwrap();
    assert!(store.rewritten);
    assert!(broken[store.span.range()].contains("st.global"));
}

/// A kernel that stores thread numbers, after one more statement.
fn store(first: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .b32 %r<2>;\n.reg .b64 %rd<4>;\n{first}\nld.param.u64 %rd1, [out];\n\
         mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n\
         st.global.u32 [%rd3], %r1;\nret;\n}}\n"
    )
}

#[test]
fn faults_of_the_rewritten_kernel_only() {
    let (good, bad) = (store(""), store("bar.warp.sync 0;"));
    let report = compare_texts(&good, &bad, &options());
    let Verdict::UndefinedBehaviour(fault) = report.verdict else {
        panic!("{report:?}")
    };
    assert_eq!(fault.error.fault, Fault::MaskWithoutSelf { mask: 0 });
    // A fault of the original shows nothing about the rewritten one.
    let report = compare_texts(&bad, &bad, &options());
    assert_eq!(report.compared(), 0);
    assert!(matches!(
        report.verdict,
        Verdict::CouldNotRun(Reason::Original(_))
    ));
}

#[test]
fn parameters_that_differ() {
    let a = store("");
    let b = a.replace(".u64 out)", ".u64 out, .param .u32 more)");
    let (a, b) = (
        Module::read(a.as_bytes()).unwrap(),
        Module::read(b.as_bytes()).unwrap(),
    );
    let mismatch = verify(&a, &b, &options()).unwrap_err();
    assert_eq!(&*mismatch.kernel, "k");
    assert_eq!(&b.tree.text()[mismatch.span.range()], b"k");
}

/// A kernel that one module lacks is not equal to anything.
#[test]
fn a_kernel_that_is_missing() {
    let one = store("");
    let second = &one[one.find(".visible").unwrap()..];
    let two = format!("{one}{}", second.replace(" k(", " second("));
    let (two, one) = (
        Module::read(two.as_bytes()).unwrap(),
        Module::read(one.as_bytes()).unwrap(),
    );
    let reports = verify(&two, &one, &options()).unwrap();
    let verdicts: Vec<&Verdict> = reports.iter().map(|report| &report.verdict).collect();
    let missing = Verdict::CouldNotRun(Reason::Missing);
    assert_eq!(verdicts, [&Verdict::Equal, &missing]);
}

/// A shuffle under a guard that no launch passes is reported.
#[test]
fn shuffles_that_no_run_executes() {
    let shuffle = |compare: &str| {
        store(&format!(
            ".reg .pred %p<2>;\n.reg .b32 %s<3>;\nmov.u32 %s1, %tid.x;\n\
             setp.{compare}.u32 %p1, %s1, 5000;\n@%p1 shfl.sync.down.b32 %s2, %s1, 1, 31, -1;"
        ))
        // Whole warps: the mask names all lanes.
        .replace("out)\n", "out) .reqntid 64\n")
    };
    let never = shuffle("gt");
    let report = compare_texts(&never, &never, &options());
    assert_eq!(report.verdict, Verdict::Equal);
    let [span] = report.unreached[..] else {
        panic!("{report:?}")
    };
    assert!(never[span.range()].contains("shfl.sync"));
    let always = shuffle("le");
    let report = compare_texts(&always, &always, &options());
    assert_eq!(report.verdict, Verdict::Equal);
    assert_eq!(report.unreached, []);
}

/// A launch of the user in which the original fails is not passed over because others are equal.
#[test]
fn a_given_launch_that_fails() {
    let text = store("");
    let module = Module::read(text.as_bytes()).unwrap();
    let verdict = |lines: &[&str]| {
        let launches = lines.iter().map(|&line| NamedLaunch {
            name: line.to_owned(),
            kernel: None,
            launch: parse_line(line).unwrap().instantiate().unwrap(),
        });
        let options = Options {
            launches: launches.collect(),
            ..options()
        };
        verify(&module, &module, &options)
            .unwrap()
            .remove(0)
            .verdict
    };
    let (good, bad) = (
        "grid=1 block=32 args=u32[32]",
        "grid=1 block=64 args=u32[32]",
    );
    assert_eq!(verdict(&[good]), Verdict::Equal);
    let Verdict::CouldNotRun(Reason::GivenLaunch { launch, .. }) = verdict(&[good, bad]) else {
        panic!("passed over")
    };
    assert_eq!(launch, bad);
}

/// A race of the original must not hide a shuffle that gives other values where it can give any.
#[test]
fn equal_but_for_races_tells_nothing_of_a_shuffle() {
    let text = |shuffle: &str| {
        store(&format!(
            ".reg .pred %p<2>;\n.reg .b32 %s<3>;\nmov.u32 %s1, %nctaid.x;\nmov.u32 %s2, %ctaid.x;\n\
             setp.gt.u32 %p1, %s1, 1;\n{shuffle}"
        ))
        .replace("st.global.u32 [%rd3], %r1;", "st.global.u32 [%rd3], %s2;")
        .replace("out)\n", "out) .reqntid 64\n")
    };
    let (a, b) = (
        text(""),
        text("@%p1 shfl.sync.down.b32 %s2, %s2, 1, 31, -1;\n@%p1 add.u32 %s2, %s2, 7;"),
    );
    let report = compare_texts(&a, &b, &options());
    assert_ne!(report.verdict, Verdict::Equal, "{report:?}");
}

/// A kernel after `first`, which may define functions: its body ends in a store to `out`, of what made-up launches must
/// reach.
fn guessed(first: &str, parameters: &str, body: &str) -> KernelReport {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n{first}\n\
         .visible .entry k(.param .u64 in, .param .u64 out{parameters})\n{{\n\
         .reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<16>;\n\
         ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n\
         mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;\n\
         mul.wide.s32 %rd3, %r4, 4;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n\
         {body}\nEND:\nret;\n}}\n"
    );
    compare_texts(&text, &text, &options())
}

/// Launches are found under which a kernel stores.
#[test]
fn guesses_from_how_parameters_are_used() {
    let border = guessed(
        "",
        ", .param .u32 n, .param .u32 width",
        "ld.param.u32 %r5, [n];\nld.param.u32 %r6, [width];\nsub.s32 %r7, %r5, %r6;\n\
         setp.ge.s32 %p1, %r4, %r7;\n@%p1 bra END;\nst.global.u32 [%rd5], %r4;",
    );
    assert_eq!(border.verdict, Verdict::Equal);
    let colour = guessed(
        "",
        ", .param .u32 colour",
        "ld.param.u32 %r5, [colour];\nand.b32 %r6, %r4, 1;\n\
         setp.ne.s32 %p1, %r5, %r6;\n@%p1 bra END;\nst.global.u32 [%rd5], %r4;",
    );
    assert_eq!(colour.verdict, Verdict::Equal);
    let index = guessed(
        "",
        "",
        "ld.global.b32 %r5, [%rd4];\nmul.wide.s32 %rd6, %r5, 4;\nadd.s64 %rd7, %rd2, %rd6;\n\
         st.global.u32 [%rd7], 7;",
    );
    assert_eq!(index.verdict, Verdict::Equal);
    // The only access through the pointer is the callee's, and that of a function that it calls.
    let function = |name: &str, body: &str| {
        format!(
            ".func {name}(.param .b64 {name}_p)\n{{\n.reg .b64 %q<2>;\n\
             ld.param.u64 %q1, [{name}_p];\n{body}\nret;\n}}\n"
        )
    };
    let call = |callee: &str, register: &str| {
        format!(
            "{{\n.param .b64 a0;\nst.param.b64 [a0+0], {register};\ncall.uni {callee}, (a0);\n}}"
        )
    };
    let functions =
        function("add", "red.add.u32 [%q1], 1;") + &function("pass", &call("add", "%q1"));
    let called = guessed(&functions, "", &call("pass", "%rd5"));
    assert_eq!(called.verdict, Verdict::Equal);
}

/// What is read from a clock depends on the schedule, and is nothing to compare.
#[test]
fn clocks_tell_nothing() {
    let timed = |more: &str| {
        format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out) .reqntid 32\n{{\n\
             .reg .b32 %r<4>;\n.reg .b64 %rd<6>;\nld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n\
             mul.wide.u32 %rd2, %r1, 8;\nadd.s64 %rd3, %rd1, %rd2;\nmov.u64 %rd4, %clock64;\n{more}\n\
             mov.u64 %rd5, %clock64;\nsub.s64 %rd4, %rd5, %rd4;\nst.global.u64 [%rd3], %rd4;\nret;\n}}\n"
        )
    };
    let report = compare_texts(&timed(""), &timed("add.u32 %r1, %r1, 1;"), &options());
    assert!(
        matches!(report.verdict, Verdict::CouldNotRun(Reason::Race { .. })),
        "{report:?}"
    );
}

/// Work in a pool of its own, from workers of another one: a worker that waits does not begin its next item on top.
#[test]
fn workers_that_wait_begin_nothing() {
    thread_local! {
        static DEPTH: Cell<u32> = const { Cell::new(0) };
    }
    let outer = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let deepest = outer.expect("threads").install(|| {
        let one = |_| {
            let depth = DEPTH.get() + 1;
            DEPTH.set(depth);
            in_pool(1, || thread::sleep(Duration::from_millis(1)));
            DEPTH.set(depth - 1);
            depth
        };
        (0..100).into_par_iter().map(one).max()
    });
    assert_eq!(deepest, Some(1));
}
