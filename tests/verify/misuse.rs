//! Wrong input: a message on standard error, no report.

use super::folder::Folder;
use super::{GUARD, PARTIAL, POINTERS, changed};

/// The command fails with words on standard error.
fn fails(folder: &Folder, more: &[&str], code: i32, words: &[&str]) {
    let ran = folder.verify(more);
    assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "no `{word}` in: {}", ran.err);
    }
}

#[test]
fn modules() {
    let folder = Folder::new(GUARD, "nonsense");
    fails(&folder, &[], 1, &["error", "b.ptx:1:1", "^"]);
    let folder = Folder::new(&GUARD.replace("%f2, [", "%none, ["), GUARD);
    fails(&folder, &[], 1, &["undeclared register", "a.ptx:", "^"]);
    let ran = folder.run(&["verify", "a.ptx", "none.ptx"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("cannot read `none.ptx`"), "{}", ran.err);
}

#[test]
fn parameters_that_differ() {
    let more = changed(
        GUARD,
        ".param .u32 guard_param_2",
        ".param .u32 guard_param_2,\n\t.param .u32 more",
    );
    let folder = Folder::new(GUARD, &more);
    let words = [
        "error: kernel `guard`: 4 parameters here, 3",
        "b.ptx:5:17",
        "^",
    ];
    fails(&folder, &[], 1, &words);
    let wide = changed(GUARD, ".u32 guard_param_2", ".u64 guard_param_2");
    let folder = Folder::new(GUARD, &wide);
    fails(&folder, &[], 1, &["parameter `guard_param_2` has 8 bytes"]);
}

#[test]
fn launches_and_schedules() {
    let folder = Folder::new(GUARD, GUARD);
    let launch = |text| ["--launch", text];
    fails(&folder, &launch("none.toml"), 1, &["error", "none.toml"]);
    fails(&folder, &launch("grid=x"), 1, &["error", "grid=x"]);
    fails(
        &folder,
        &launch("other grid=1"),
        1,
        &["error", "`other`", "guard"],
    );
    fails(
        &folder,
        &launch("guard grid=1 args=1"),
        1,
        &["error", "3 parameters"],
    );
    fails(&folder, &["--schedules", "warp"], 2, &["error", "its:SEED"]);
    fails(&folder, &["--schedules", ""], 2, &["error", "no schedule"]);
}

#[test]
fn kernels_that_are_not_there() {
    let ran = Folder::new(GUARD, POINTERS).verify(&[]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(ran.out.contains("has no such kernel"), "{}", ran.out);
    for words in [
        "kernels that only `a.ptx` has: `guard`\n",
        "kernels that only `b.ptx` has: `gather`\n",
    ] {
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    let device = ".version 8.0\n.target sm_80\n.address_size 64\n.func f() { ret; }\n";
    fails(&Folder::new(device, GUARD), &[], 3, &["nothing to compare"]);
    let folder = Folder::new(GUARD, GUARD);
    let ran = folder.verify(&["--kernel", "g*", "--launch", PARTIAL]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}
