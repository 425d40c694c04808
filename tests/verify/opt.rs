//! `ptxasw opt --verify`.

use super::folder::Folder;
use super::{GUARD, PARTIAL, SHUFFLED, changed};

/// An index that wraps, which `--assume nowrap` takes for granted not to happen.
const WRAPS: &str = include_str!("../../ptx-tests/mutations/wrapping-index.ptx");
/// A launch in which it does.
const WRAPPING: &str =
    "k grid=1 block=64 spacing=even args=u32[2048],u32[2048]@512,u32[2048],u32[64],2147483600";

/// The verdict.
const VERDICT: &str = "ptxasw: guard: changed; 1 of 2 loads shuffled\n";

#[test]
fn what_is_equal_stays_rewritten() {
    let folder = Folder::new(GUARD, "");
    for more in [&[][..], &["--launch", PARTIAL], &["--verify=strict"]] {
        let mut arguments = vec!["opt", "a.ptx", "-o", "b.ptx", "--verify"];
        arguments.retain(|word| *word != "--verify" || !more.contains(&"--verify=strict"));
        arguments.extend(more);
        let ran = folder.run(&arguments);
        let verified = ran.err.strip_suffix(VERDICT).unwrap_or_default();
        assert_eq!(ran.code, 0);
        assert!(
            verified.starts_with("ptxasw: guard: verified: equal in ")
                && verified.lines().count() == 1,
            "{}",
            ran.err
        );
        assert_eq!(folder.read("b.ptx"), SHUFFLED);
    }
}

/// Two kernels, one of them wrong: only that one is given back.
#[test]
fn what_differs_is_given_back() {
    let wraps = WRAPS;
    let start = GUARD.find(".visible").unwrap();
    let both = format!("{wraps}\n{}", &GUARD[start..]);
    let folder = Folder::new(&both, "");
    let opt = ["opt", "a.ptx", "-o", "b.ptx", "--assume", "nowrap"];
    let ran = folder.run(&opt);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(folder.read("b.ptx").matches("shfl.sync").count(), 2);
    let verify = ["--verify", "--launch", WRAPPING, "--launch", PARTIAL];
    let ran = folder.run(&[&opt[..], &verify].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let warning = "gives other results, the original is kept";
    assert_eq!(ran.err.matches("warning").count(), 1, "{}", ran.err);
    assert!(ran.err.contains(warning), "{}", ran.err);
    let text = folder.read("b.ptx");
    assert_eq!(text.matches("shfl.sync").count(), 1);
    assert!(text.starts_with(wraps));
    let quiet = folder.run(&[&opt[..], &verify, &["-q"]].concat());
    assert_eq!((quiet.code, quiet.err.as_str()), (0, ""));
}

/// A launch in which the original fails says nothing.
#[test]
fn what_could_not_be_run() {
    let folder = Folder::new(GUARD, "");
    let launch = "guard grid=1 block=40 args=f32[3],f32[300],33";
    let opt = ["opt", "a.ptx", "-o", "b.ptx", "--launch", launch];
    let usual = folder.run(&[&opt[..], &["--verify"]].concat());
    assert_eq!(usual.code, 0);
    assert!(usual.err.contains("stays rewritten"), "{}", usual.err);
    assert_eq!(folder.read("b.ptx"), SHUFFLED);
    let strict = folder.run(&[&opt[..], &["--verify=strict"]].concat());
    assert_eq!(strict.code, 0);
    assert!(
        strict.err.contains("the original is kept"),
        "{}",
        strict.err
    );
    assert_eq!(folder.read("b.ptx"), GUARD);
}

/// All threads store to one word, and the last of them wins: only `strict` minds.
#[test]
fn a_race_of_the_original() {
    let racy = changed(GUARD, "[%rd7], %f9", "[%rd4], %f9");
    let folder = Folder::new(&racy, "");
    let ran = folder.run(&["opt", "a.ptx", "-o", "b.ptx", "--verify"]);
    let verified = ran.err.strip_suffix(VERDICT).unwrap_or_default();
    assert_eq!(ran.code, 0);
    assert!(
        verified.starts_with("ptxasw: guard: verified: equal in ") && verified.lines().count() == 1,
        "{}",
        ran.err
    );
    assert!(folder.read("b.ptx").contains("shfl.sync"));
    let ran = folder.run(&["opt", "a.ptx", "-o", "b.ptx", "--verify=strict"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("compared in part, the original is kept"));
    assert_eq!(folder.read("b.ptx"), racy);
}

#[test]
fn misuse() {
    let folder = Folder::new(GUARD, "");
    let ran = folder.run(&["opt", "a.ptx", "--launch", PARTIAL]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--verify"), "{}", ran.err);
    let ran = folder.run(&["opt", "a.ptx", "--verify", "--no-corner"]);
    assert_eq!(ran.code, 2);
    let ran = folder.run(&["opt", "a.ptx", "--verify", "--launch", "none.toml"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("none.toml"), "{}", ran.err);
}
