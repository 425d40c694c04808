//! The memory pass on random kernels: what it leaves does what the original does, however the two pointers are apart.

use crate::random::accesses::{self, Kernel, ptx};
use crate::random::case::Case;
use crate::random::check::{Verdict, check_passed};
use crate::random::{Counts, number};
use ptxasw::passes::memory::Memory;
use ptxasw::pipeline::Options;

/// Kernels of a usual run.
const USUAL: u64 = 400;
/// Kernels among which a broken rewriting must show.
const TOLD_APART: u64 = 400;
/// Of 100 kernels, so many must be rewritten, or the test is worth little.
const LEAST_SHARE: u64 = 50;

fn case(seed: u64) -> Case {
    let kernel = Kernel::new(seed);
    let options = Options {
        jobs: 1,
        memory: accesses::options(seed),
        ..Options::of_passes(&[&Memory])
    };
    Case {
        text: ptx::text(&kernel),
        launches: kernel.launches,
        options,
    }
}

#[test]
fn accesses_that_go_are_not_missed() {
    let count = number("PTXASW_RANDOM", USUAL);
    let found = Counts::of_all(count, case, check_passed);
    let Counts {
        equal,
        found: removed,
        unfit,
        wrong,
        ..
    } = found;
    println!(
        "{count} kernels: {equal} equal without {removed} accesses, {unfit} unfit, {wrong} wrong"
    );
    assert_eq!(wrong, 0);
    assert!(
        equal * 100 >= count * LEAST_SHARE,
        "too few are rewritten: {equal}"
    );
}

/// Pointers that are one are executed: to assume that they are not shows.
#[test]
fn pointers_that_are_one_are_executed() {
    let wrong = |seed| {
        let mut case = case(seed);
        case.options.memory.assumed.no_alias = true;
        matches!(check_passed(&case, &case.text), Verdict::Wrong(..))
    };
    assert!((0..TOLD_APART).any(wrong));
}
