//! Rewritten kernels that are broken afterwards: where the difference is said to come from.

use ptxasw::executor::Schedule;
use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::pipeline;
use ptxasw::verify::{KernelReport, Module, Options, Verdict, verify};

/// A text as passes leave it, wherever that pays or not.
fn rewritten(text: &str) -> String {
    let mut options = pipeline::Options::default();
    options.synthesis.profit = Profit::Always;
    let output = pipeline::optimize(text.as_bytes(), &options).expect("a module");
    String::from_utf8(output.text).expect("a text")
}

/// Compares the only kernels of two texts.
fn compare(a: &str, b: &str, options: &Options) -> KernelReport {
    let read = |text| Module::read(str::as_bytes(text)).expect("a module");
    let mut reports = verify(&read(a), &read(b), options).expect("the same parameters");
    assert_eq!(reports.len(), 1);
    reports.remove(0)
}

/// The broken delta of a rewritten kernel is found, with the load that it stands for.
#[test]
fn the_load_that_causes_a_difference() {
    let text = include_str!("../../ptx-tests/kernelgen/jacobi.sm_80.ptx");
    let options = Options {
        schedules: vec![Schedule::Lockstep, Schedule::Independent { seed: 5 }],
        steps: 1 << 18,
        ..Options::default()
    };
    let rewritten = rewritten(text);
    let report = compare(text, &rewritten, &options);
    assert_eq!(report.verdict, Verdict::Equal);
    let at = rewritten.find("shfl.sync.down.b32").unwrap();
    let end = at + rewritten[at..].find(';').unwrap();
    let shuffle = rewritten[at..end].replace(", 1, ", ", 2, ");
    assert_ne!(shuffle, rewritten[at..end]);
    let broken = format!("{}{shuffle}{}", &rewritten[..at], &rewritten[end..]);
    let report = compare(text, &broken, &options);
    let Verdict::Different(difference) = report.verdict else {
        panic!("{report:?}")
    };
    let load = difference.load.expect("there is a load behind it");
    assert!(text[load.original.range()].starts_with("ld.global"));
    assert!(broken[load.rewritten.range()].contains(&shuffle));
    let [a, b] = load.values.unwrap();
    assert_ne!(a, b);
}

/// Pairs of one launch that all differ ask at once how the original behaves.
#[test]
fn differences_on_several_threads_end() {
    let text = include_str!("../../ptx-tests/participation/guard.ptx");
    let rewritten = rewritten(text);
    let broken = rewritten.replacen(", %f1, 1,", ", %f1, 2,", 1);
    assert_ne!(broken, rewritten);
    let options = Options {
        jobs: 4,
        ..Options::default()
    };
    for _ in 0..20 {
        let report = compare(text, &broken, &options);
        assert!(matches!(report.verdict, Verdict::Different(_)));
    }
}
