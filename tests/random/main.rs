//! Random kernels in the style of compilers and of people: rewritten under random options, executed, compared.
//!
//! `PTXASW_RANDOM=20000` runs that many instead of the usual few hundred, `PTXASW_RANDOM_SEED=7` starts at another seed.
//! A failure prints its seed and a kernel from which all lines were dropped that it does not need.

mod case;
mod check;
mod generate;
mod random;
mod shrink;

use case::Case;
use check::{Verdict, check};
use ptxasw::pipeline::Options;
use ptxasw::ptx::emit::Variant;

/// Kernels of a usual run.
const USUAL: u64 = 300;
/// Kernels among which a broken rewriting must show.
const TOLD_APART: u64 = 200;
/// Of 100 kernels, so many must get a shuffle and be compared, or the test is worth little.
const LEAST_SHARE: u64 = 30;

fn number(name: &str, otherwise: u64) -> u64 {
    let set = std::env::var(name).ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn rewritten_kernels_do_what_the_originals_do() {
    let count = number("PTXASW_RANDOM", USUAL);
    let first = number("PTXASW_RANDOM_SEED", 0);
    let (mut equal, mut shuffles, mut unfit, mut wrong) = (0u64, 0, 0u64, 0);
    for seed in first..first + count {
        let case = Case::new(seed);
        match check(&case, &case.text) {
            Verdict::Unfit => unfit += 1,
            Verdict::Untouched => {}
            Verdict::Equal(found) => {
                equal += 1;
                shuffles += found;
            }
            Verdict::Wrong(..) => {
                wrong += 1;
                report(seed, &case);
            }
        }
    }
    println!(
        "{count} kernels: {equal} equal with {shuffles} shuffles, {unfit} unfit, {wrong} wrong"
    );
    assert_eq!(wrong, 0);
    assert!(equal * 100 >= count * LEAST_SHARE, "too few shuffles");
}

fn report(seed: u64, case: &Case) {
    let Some((text, reason, rewritten)) = shrink::shrink(case, &case.text) else {
        return;
    };
    println!("==== seed {seed}: {reason}");
    println!("{:?}", case.options.synthesis);
    for launch in &case.launches {
        println!(
            "{:?} {:?} {:x?}",
            launch.grid, launch.block, launch.arguments
        );
    }
    println!("---- original\n{text}---- rewritten\n{rewritten}");
}

/// Whether one of the first kernels shows that rewriting with changed options is wrong.
fn told_apart(change: impl Fn(&mut Options)) -> bool {
    (0..TOLD_APART).any(|seed| {
        let mut case = Case::new(seed);
        change(&mut case.options);
        matches!(check(&case, &case.text), Verdict::Wrong(..))
    })
}

#[test]
fn indices_that_wrap_are_executed() {
    assert!(told_apart(|options| options.synthesis.assume_no_wrap = true));
}

#[test]
fn corner_lanes_are_executed() {
    assert!(told_apart(|options| options.variant = Variant::NoCorner));
}
