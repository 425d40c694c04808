//! Random loops, rewritten as the command does by default, or up to another level of loads: loops in batches, and tests over iterations.
//!
//! A thread stores to no byte that another one loads or stores, however the arrays overlap: elements are the thread's own, and an index
//! gets no further than there is room (`shape`).

mod frame;
mod launches;
mod shape;
mod steps;
mod text;

use crate::random::case::Case;
use crate::random::check::check_optimized;
use crate::random::numbers::Random;
use crate::random::{Counts, number};
use ptxasw::passes::memory::{Loads, MemoryOptions};
use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::pipeline::Options;
use shape::Shape;

/// Kernels of a usual run.
const USUAL: u64 = 200;
/// Of 100 kernels, so many must have a batch or a test over iterations, and be compared, or the test is worth little.
const LEAST_SHARE: u64 = 30;
/// Launches of a kernel.
const LAUNCHES: u64 = 3;

fn case(seed: u64) -> Case {
    let mut random = Random::new(seed ^ 0x5eed_1009);
    let shape = Shape::new(&mut random);
    let text = text::text(&mut random, &shape);
    let launches = (0..LAUNCHES).map(|_| launches::launch(&mut random, &shape));
    let launches = launches.collect();
    let loads = match random.below(12) {
        0 => Loads::Checked,
        1 | 2 => Loads::Bulk,
        3 => Loads::Always,
        _ => Loads::default(),
    };
    let mut options = Options {
        jobs: 1,
        memory: MemoryOptions {
            loads,
            ..MemoryOptions::default()
        },
        ..Options::default()
    };
    // Where shuffles are made whatever they cost, loops stay as they are.
    options.synthesis.profit = Profit::Auto;
    Case {
        text,
        launches,
        options,
    }
}

#[test]
fn loops_in_batches_do_what_the_originals_do() {
    let count = number("PTXASW_RANDOM", USUAL);
    let found = Counts::of_all(count, case, check_optimized);
    let Counts {
        equal,
        found,
        untouched,
        unfit,
        wrong,
    } = found;
    println!(
        "{count} loops: {equal} equal with {found} batches and tests over iterations, {untouched} without any, {unfit} unfit, {wrong} wrong"
    );
    assert_eq!(wrong, 0);
    assert!(equal * 100 >= count * LEAST_SHARE, "too few batches");
}

#[cfg(debug_assertions)]
mod mutated {
    use super::{case, check_optimized};
    use crate::random::check::Verdict;
    use ptxasw::support::mutation::{LOOPS, Mutation, with};

    /// Mutations, and the first kernels that show them: a soak test prints which these are.
    const SHOWN: &[(Mutation, u64)] = &[
        (Mutation::BatchTooLong, 6),
        (Mutation::ExitForgotten, 2),
        (Mutation::IterationNotCounted, 6),
        (Mutation::LoadsOfOtherIteration, 102),
        (Mutation::LoopStoresIgnored, 170),
        (Mutation::ConditionalLoadFirst, 129),
        (Mutation::LoadedExitBatched, 2802),
        (Mutation::HullShort, 378),
        (Mutation::HullWraps, 4794),
    ];
    /// Kernels among which a soak test looks for the first one.
    const LOOKED_AT: u64 = 10_000;

    fn shows(mutation: Mutation, seed: u64) -> bool {
        let case = case(seed);
        let verdict = with(mutation, || check_optimized(&case, &case.text));
        matches!(verdict, Verdict::Wrong(..))
    }

    #[test]
    fn broken_batches_and_hulls_are_told_apart() {
        let mut missed = Vec::new();
        for &(mutation, seed) in SHOWN {
            if crate::soak() {
                let first = (0..LOOKED_AT).find(|&seed| shows(mutation, seed));
                println!("{mutation:?}: kernel {first:?}");
            }
            if !shows(mutation, seed) {
                missed.push(mutation);
            }
        }
        assert!(missed.is_empty(), "{missed:?}");
        for mutation in LOOPS {
            let is_shown = SHOWN.iter().any(|one| one.0 == *mutation);
            assert!(is_shown, "{mutation:?}");
        }
    }
}
