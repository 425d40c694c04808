//! What is found, and how it is reported.

use super::folder::{Folder, golden};
use super::{
    COPIES, GUARD, PARTIAL, POINTERS, RACE, SHUFFLED, SPIN, changed, empty_mask, wrong_delta,
};
use serde_json::Value;

#[test]
fn equal() {
    let ran = Folder::new(GUARD, SHUFFLED).verify(&["--launch", PARTIAL]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    golden("equal.txt", &ran.out);
}

#[test]
fn equal_with_launches_of_its_own() {
    let ran = Folder::new(GUARD, SHUFFLED).verify(&[]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    for block in ["128 (", "48 (", "1000 (", "32 ("] {
        assert!(ran.out.contains(block), "{block} in {}", ran.out);
    }
    // It knows one dimension.
    assert!(!ran.out.contains("16x8 ("), "{}", ran.out);
}

#[test]
fn different() {
    let ran = Folder::new(GUARD, &wrong_delta()).verify(&["--launch", PARTIAL]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""), "{}", ran.out);
    golden("different.txt", &ran.out);
}

#[test]
fn different_as_json() {
    let ran = Folder::new(GUARD, &wrong_delta()).verify(&["--launch", PARTIAL, "--json"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    golden("different.json", &ran.out);
}

#[test]
fn undefined_behaviour_of_the_rewritten_module() {
    let ran = Folder::new(GUARD, &empty_mask()).verify(&["--launch", PARTIAL]);
    assert_eq!((ran.code, ran.err.as_str()), (4, ""), "{}", ran.out);
    golden("undefined.txt", &ran.out);
    // The original's own says nothing.
    let ran = Folder::new(&empty_mask(), &empty_mask()).verify(&["--launch", PARTIAL]);
    assert_eq!(ran.code, 3, "{}", ran.out);
}

#[test]
fn a_race_of_the_original() {
    let other = changed(RACE, "%r1, 0;", "%r1, 1;");
    let launch = "grid=1 block=32 args=u32[1]:zero";
    let ran = Folder::new(RACE, &other).verify(&["--launch", launch]);
    assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{}", ran.out);
    golden("race.txt", &ran.out);
    let ran = Folder::new(RACE, &other).verify(&["--launch", launch, "--json"]);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        report["kernels"][0]["reason"]["kind"],
        "race in the original"
    );
}

/// Where most launches say nothing, the others say too little.
#[test]
fn equal_in_few_launches() {
    let other = changed(RACE, "xor.b32 %r2, %r1, 0;", "and.b32 %r2, %r1, 30;");
    let folder = Folder::new(RACE, &other);
    let alone = ["--launch", "grid=1 block=1 args=u32[1]:zero"];
    let racing = ["--launch", "grid=1 block=32 args=u32[1]:zero"];
    let half = folder.verify(&[alone, racing].concat());
    let words = "kernel `last`: equal in 1 of 2 launches; 1 left out: data race of the original\n";
    assert_eq!((half.code, half.err.as_str()), (0, ""), "{}", half.out);
    assert!(half.out.starts_with(words), "{}", half.out);
    let third = folder.verify(&[alone, racing, racing].concat());
    assert_eq!(third.code, 3, "{}", third.out);
    for words in [
        "equal in 1 of 3 launches; 2 left out: data race of the original\n",
        "fewer than half of the launches were compared",
    ] {
        assert!(third.out.contains(words), "{}", third.out);
    }
    let json = folder.verify(&[&[alone, racing, racing].concat()[..], &["--json"]].concat());
    let report: Value = serde_json::from_str(&json.out).unwrap();
    let kernel = &report["kernels"][0];
    assert_eq!((json.code, &kernel["enough"]), (3, &Value::Bool(false)));
    assert_eq!(
        (&kernel["equal_launches"], &kernel["of_launches"]),
        (&1.into(), &3.into())
    );
    assert_eq!(kernel["reasons_left_out"]["data race of the original"], 2);
    // Launches that no steps are left for do not count as run.
    let ran = Folder::new(GUARD, GUARD).verify(&["--steps", "100"]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(
        ran.out.contains("left out: beyond `--steps`"),
        "{}",
        ran.out
    );
}

/// Where the original may spin for ever, a rewritten kernel that does so is no finding, and nothing is waited for until the
/// end of all steps.
#[test]
fn an_original_that_may_not_end() {
    let launch = "grid=1 block=32 args=u32[32]:zero";
    let asks = changed(
        SPIN,
        "mov.u32 %r1, %tid.x;",
        "mov.u32 %r1, %tid.x;\n\tactivemask.b32 %r3;",
    );
    let folder = Folder::new(SPIN, &asks);
    // Here the original ends, as it does not under others.
    let ran = folder.verify(&["--launch", launch, "--schedules", "its:7"]);
    assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{}", ran.out);
    golden("may-not-end.txt", &ran.out);
    let ran = folder.verify(&["--launch", launch, "--schedules", "its:7", "--json"]);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let kernel = &report["kernels"][0];
    assert_eq!(kernel["reason"]["kind"], "the original may not end");
    assert_eq!(kernel["launches"][0]["may_not_end"], 1);
    let ran = folder.verify(&["--launch", launch, "--schedules", "lockstep,its:1..12"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    golden("spin.txt", &ran.out);
    // With launches of its own.
    let ran = folder.verify(&[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
}

/// One that always ends is another thing.
#[test]
fn a_rewritten_kernel_that_does_not_end() {
    let spins = changed(
        GUARD,
        "sub.f32 \t%f9",
        "$L_spin:\n\tbra.uni $L_spin;\n\tsub.f32 \t%f9",
    );
    let ran = Folder::new(GUARD, &spins).verify(&["--launch", PARTIAL]);
    assert_eq!(ran.code, 4, "{}", ran.out);
    let ran = Folder::new(GUARD, &spins).verify(&[]);
    assert_eq!(ran.code, 4, "{}", ran.out);
}

#[test]
fn what_the_executor_does_not_know() {
    let unknown = changed(
        GUARD,
        "sub.f32 \t%f9, %f1, %f2;",
        "frobnicate.f32 %f9, %f1, %f2;",
    );
    let ran = Folder::new(&unknown, &unknown).verify(&["--launch", PARTIAL]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    golden("not-supported.txt", &ran.out);
    // In the rewritten module alone as well.
    let ran = Folder::new(GUARD, &unknown).verify(&["--launch", PARTIAL]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(ran.out.contains("not supported") && ran.out.contains("b.ptx:"));
}

#[test]
fn the_same_report_on_any_number_of_threads() {
    let broken = wrong_delta();
    for (rewritten, code) in [(SHUFFLED, 0), (broken.as_str(), 1)] {
        let folder = Folder::new(GUARD, rewritten);
        let [one, four] = ["1", "4"].map(|jobs| folder.verify(&["-v", "-j", jobs]));
        assert_eq!(one.code, code, "{}", one.out);
        assert_eq!(one.out, four.out);
    }
}

/// The launch of a difference is what `run` and `verify` take.
#[test]
fn the_reported_launch_can_be_run() {
    let folder = Folder::new(GUARD, &wrong_delta());
    let report: Value = serde_json::from_str(&folder.verify(&["--json"]).out).unwrap();
    let difference = &report["kernels"][0]["difference"];
    let launch = difference["launch"].as_str().unwrap();
    let schedule = difference["schedule"].as_str().unwrap();
    let ran = folder.run(&["run", "a.ptx", "--launch", launch, "--schedule", schedule]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let again = folder.verify(&["--json", "--launch", launch, "--schedules", schedule]);
    let again: Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(&again["kernels"][0]["difference"], difference);
}

#[test]
fn structures_with_pointers_and_variables() {
    let ran = Folder::new(POINTERS, POINTERS).verify(&[]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    let twice = changed(POINTERS, "[%rd9], 1;", "[%rd9], 2;");
    let folder = Folder::new(POINTERS, &twice);
    let report: Value = serde_json::from_str(&folder.verify(&["--json"]).out).unwrap();
    let difference = &report["kernels"][0]["difference"];
    assert_eq!(difference["memory"]["variable"], "done");
    // A launch with pointers in a structure takes a file.
    folder.write("launch.toml", difference["launch"].as_str().unwrap());
    let again = folder.verify(&["--launch", "launch.toml"]);
    assert_eq!(again.code, 1, "{}{}", again.out, again.err);
    assert!(
        again.out.contains("variable `done`, element 0"),
        "{}",
        again.out
    );
}

#[test]
fn arrays_that_only_asynchronous_copies_read() {
    let ran = Folder::new(COPIES, COPIES).verify(&[]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(!ran.out.contains("the original fails"), "{}", ran.out);
    for (from, to) in [("[%rd7+4], 4", "[%rd7], 4"), ("[%rd8], 4", "[%rd8+4], 4")] {
        let ran = Folder::new(COPIES, &changed(COPIES, from, to)).verify(&[]);
        assert_eq!(ran.code, 1, "{}", ran.out);
    }
}

#[test]
fn strict_masks() {
    // The first lane has gone, from which nobody takes anything.
    let exits = changed(
        SHUFFLED,
        "\tshfl.sync",
        "\tsetp.eq.s32 %p2, %r5, 0;\n\t@%p2 exit;\n\tshfl.sync",
    );
    let original = changed(
        GUARD,
        "\tld.global.nc.f32 \t%f2",
        "\tsetp.eq.s32 %p2, %r5, 0;\n\t@%p2 exit;\n\tld.global.nc.f32 \t%f2",
    );
    let folder = Folder::new(&original, &exits);
    let usual = folder.verify(&["--launch", PARTIAL]);
    assert!(usual.out.contains("warning: member mask"), "{}", usual.out);
    let strict = folder.verify(&["--launch", PARTIAL, "--strict-masks"]);
    assert_eq!(strict.code, 4, "{}", strict.out);
}
