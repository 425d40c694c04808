//! Single claims: what they rest on, and that the solvers tell right from wrong.

use std::fs;
use std::path::{Path, PathBuf};

use ptxasw::certificate::Kind;

use crate::certificates::run::{Folder, MEMORY, check, index, second, text};

/// The files of a kind in a folder's only kernel.
fn files(folder: &Path, kind: Kind) -> Vec<PathBuf> {
    index(folder)
        .files()
        .filter(|file| file.kind == kind)
        .map(|file| folder.join(&file.file))
        .collect()
}

/// Replaces words of a file that must be there.
fn change(file: &Path, from: &str, to: &str) {
    let before = fs::read_to_string(file).unwrap();
    assert!(before.contains(from), "no `{from}` in {before}");
    fs::write(file, before.replace(from, to)).unwrap();
}

/// Each solver that is installed says `sat` of a file, and the command fails.
fn refuted(folder: &Path, file: &Path) {
    let solvers = ["z3"].into_iter().chain(second());
    for solver in solvers {
        let output = check(&[folder.to_path_buf()], &["--solver", solver]);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let line = format!("failed: {}: {solver}: sat", file.display());
        assert!(said.contains(&line), "{said}");
    }
}

fn holds(folder: &Path) {
    let output = check(&[folder.to_path_buf()], &["--solver", "z3"]);
    assert!(output.status.success(), "{}", text(&output));
}

/// The neighbour is one lane away; with the address of the lane two away the claim is wrong.
#[test]
fn a_wrong_delta_is_refuted() {
    let work = Folder::new();
    let folder = work.certify("address/unsigned.ptx", &[]);
    holds(&folder);
    let file = files(&folder, Kind::SameBytes).remove(0);
    let before = fs::read_to_string(&file).unwrap();
    // The neighbour's index, tid.x + ... + 1, becomes that of the lane after it.
    let (claim, literal) = ("(assert (not (= ", "#x0000000000000001");
    assert!(
        before.contains(claim) && before.contains(literal),
        "{before}"
    );
    change(&file, literal, "#x0000000000000002");
    refuted(&folder, &file);
}

/// A store 4096 bytes away; with as many bytes more it would touch the destination.
#[test]
fn a_store_that_touches_the_bytes_is_refuted() {
    let work = Folder::new();
    let folder = work.certify("certificates/store.ptx", &[]);
    holds(&folder);
    let stores = files(&folder, Kind::OtherBytes);
    assert_eq!(stores.len(), 1);
    let store = fs::read_to_string(&stores[0]).unwrap();
    assert!(
        store.contains("; store, line") && store.contains("st.global.f32"),
        "{store}"
    );
    change(&stores[0], "#x0000000000001000", "#x0000000000000007");
    refuted(&folder, &stores[0]);
}

/// The guard `i < n` is all that keeps `i + 2` from wrapping.
#[test]
fn an_index_rests_on_the_branch_in_all_lanes() {
    let work = Folder::new();
    let folder = work.certify("certificates/guard.ptx", &[]);
    holds(&folder);
    let file = files(&folder, Kind::NoWrap).remove(0);
    let before = fs::read_to_string(&file).unwrap();
    for lane in ["in lane t\n", "in lane t+1\n", "in lane t+2\n"] {
        assert!(before.contains(lane), "{lane}: {before}");
    }
    // Without the lane in between, i = INT_MAX - 1 passes.
    let between = before
        .split("; branch at line ")
        .find(|part| part.contains("in lane t+1\n"))
        .unwrap();
    let assertion = between.lines().nth(1).unwrap();
    change(&file, assertion, "");
    refuted(&folder, &file);
}

/// Without a guard the lane checks its index at run time: the claim rests on the check as it is emitted.
#[test]
fn an_index_rests_on_the_emitted_check() {
    let work = Folder::new();
    let folder = work.certify("certificates/check.ptx", &[]);
    holds(&folder);
    let file = files(&folder, Kind::NoWrap).remove(0);
    let before = fs::read_to_string(&file).unwrap();
    let check = before
        .lines()
        .find_map(|line| line.strip_prefix("; checked at run time in lane t: "))
        .unwrap_or_else(|| panic!("no check in {before}"));
    let emitted = fs::read_to_string(work.path("out.ptx")).unwrap();
    let register = check.split(' ').next().unwrap();
    assert!(
        emitted
            .lines()
            .any(|line| line.contains("add") && line.contains(register)),
        "{check}: {emitted}"
    );
    // One more than the check lets through.
    let limit = check
        .split("<= ")
        .nth(1)
        .unwrap()
        .trim_end_matches(", unsigned");
    let limit = u32::from_str_radix(limit.trim_start_matches("0x"), 16).unwrap();
    assert!(
        before.contains(&format!("#x{:08x}", limit.wrapping_add(1))),
        "{before}"
    );
    change(
        &file,
        &format!("#x{:08x}", limit.wrapping_add(1)),
        "#xffffffff",
    );
    refuted(&folder, &file);
}

/// A branch that always takes one edge decides what a join holds: that is a claim, too.
#[test]
fn a_branch_that_is_never_taken_is_a_claim() {
    let work = Folder::new();
    let folder = work.certify("certificates/branch.ptx", &[]);
    holds(&folder);
    let branches = files(&folder, Kind::Branch);
    assert_eq!(branches.len(), 1, "{:?}", index(&folder));
    let before = fs::read_to_string(&branches[0]).unwrap();
    let fact = before
        .split("; branch at line ")
        .nth(1)
        .and_then(|part| part.lines().nth(1))
        .unwrap_or_else(|| panic!("no hypothesis in {before}"));
    change(&branches[0], fact, "");
    refuted(&folder, &branches[0]);
}

/// A claim under hypotheses that contradict each other is proved, but of nothing: that is reported, and is not a failure.
#[test]
fn contradicting_hypotheses_are_named() {
    let work = Folder::new();
    let folder = work.certify("wrap/guarded.ptx", &[]);
    let file = files(&folder, Kind::SameBytes).remove(0);
    change(
        &file,
        "; the claim, negated\n",
        "(assert (bvult #x1 #x0))\n; the claim, negated\n",
    );
    let output = check(&[folder], &["--solver", "z3"]);
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    let line = format!("warning: {}: its hypotheses contradict", file.display());
    assert!(said.contains(&line) && said.contains("1 vacuous"), "{said}");
}

/// In rows of 16 no lane has a neighbour 31 lanes away: the shuffle never gives a value, and its claim is about nothing.
#[test]
fn a_neighbour_that_never_is_there_is_named() {
    let work = Folder::new();
    let folder = work.certify("neighbour/square.ptx", &[]);
    let output = check(&[folder], &["--solver", "z3"]);
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("0004-C1.smt2: its hypotheses contradict"),
        "{said}"
    );
}

/// A load that is served over a store 1024 bytes away; with as many bytes more the store would touch it.
#[test]
fn a_store_that_touches_what_is_loaded_once_is_refuted() {
    let work = Folder::new();
    let folder = work.certify("loads/proofs/dead.ptx", &MEMORY);
    holds(&folder);
    let file = files(&folder, Kind::Apart).remove(0);
    change(&file, "#x0000000000000400", "#x0000000000000003");
    refuted(&folder, &file);
}

/// Removes the hypothesis that a comment introduces.
fn without_hypothesis(file: &Path, comment: &str) {
    let before = fs::read_to_string(file).unwrap();
    let rest = before.split(comment).nth(1);
    let rest = rest.unwrap_or_else(|| panic!("no `{comment}` in {before}"));
    change(file, rest.lines().nth(1).unwrap(), "");
}

/// The test at the entry is all that keeps two pointers apart.
#[test]
fn pointers_without_their_test_are_refuted() {
    let work = Folder::new();
    let folder = work.certify("loads/tested/dead.ptx", &MEMORY);
    holds(&folder);
    let file = files(&folder, Kind::Tested).remove(0);
    without_hypothesis(&file, "; tested at the entry");
    refuted(&folder, &file);
}

/// An address is aligned only because the entry tests it.
#[test]
fn a_wide_access_without_its_test_is_refuted() {
    let work = Folder::new();
    let folder = work.certify("loads/records/record4.nvcc.ptx", &MEMORY);
    holds(&folder);
    let file = files(&folder, Kind::Wide).remove(0);
    without_hypothesis(&file, "; tested at the entry");
    refuted(&folder, &file);
}
