//! Random kernels in the style of compilers and of people: rewritten under random options, executed, compared.
//!
//! `PTXASW_RANDOM=20000` runs that many instead of the usual few hundred (`make soak`), `PTXASW_RANDOM_SEED=7` starts at another seed.
//! A failure prints its seed and a kernel from which all lines were dropped that it does not need.

mod accesses;
mod case;
mod check;
mod compare;
mod generate;
mod loops;
mod memory;
mod numbers;
mod shrink;

use case::Case;
use check::{Verdict, check};
use ptxasw::passes::shuffle::lower::Variant;
use ptxasw::pipeline::Options;
use shrink::Check;
use std::fmt::Write;

/// Kernels of a usual run, on as many threads as there are cores.
const USUAL: u64 = 500;
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
    let found = Counts::of_all(count, Case::new, check);
    let Counts {
        equal,
        found,
        unfit,
        wrong,
        ..
    } = found;
    println!("{count} kernels: {equal} equal with {found} shuffles, {unfit} unfit, {wrong} wrong");
    assert_eq!(wrong, 0);
    assert!(equal * 100 >= count * LEAST_SHARE, "too few shuffles");
}

/// What became of some kernels.
#[derive(Default)]
struct Counts {
    /// Rewritten, and equal.
    equal: u64,
    /// What was looked for in them.
    found: usize,
    /// Those in which it was not found.
    untouched: u64,
    unfit: u64,
    wrong: u64,
}

impl Counts {
    /// Checks so many kernels, from the seed on that is asked for, on as many threads as there are cores.
    fn of_all(count: u64, case: fn(u64) -> Case, check: Check) -> Self {
        let first = number("PTXASW_RANDOM_SEED", 0);
        let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
        std::thread::scope(|scope| {
            let run = |thread| {
                let seeds = (first + thread..first + count).step_by(threads as usize);
                move || Counts::of(seeds, case, check)
            };
            let running: Vec<_> = (0..threads)
                .map(|thread| scope.spawn(run(thread)))
                .collect();
            running.into_iter().fold(Counts::default(), |sum, thread| {
                sum.and(&thread.join().expect("a thread that reports"))
            })
        })
    }

    /// Checks kernels; one that is wrong is printed at once.
    fn of(seeds: impl Iterator<Item = u64>, case: fn(u64) -> Case, check: Check) -> Self {
        let mut counts = Counts::default();
        for seed in seeds {
            let case = case(seed);
            match check(&case, &case.text) {
                Verdict::Unfit => counts.unfit += 1,
                Verdict::Untouched | Verdict::Equal(0) => counts.untouched += 1,
                Verdict::Equal(found) => {
                    counts.equal += 1;
                    counts.found += found;
                }
                Verdict::Wrong(..) => {
                    counts.wrong += 1;
                    report(seed, &case, check);
                }
            }
        }
        counts
    }

    fn and(&self, other: &Counts) -> Self {
        Counts {
            equal: self.equal + other.equal,
            found: self.found + other.found,
            untouched: self.untouched + other.untouched,
            unfit: self.unfit + other.unfit,
            wrong: self.wrong + other.wrong,
        }
    }
}

fn report(seed: u64, case: &Case, check: Check) {
    let Some((text, reason, rewritten)) = shrink::shrink(case, &case.text, check) else {
        return;
    };
    // In one piece: other threads may have something to say.
    let mut told = format!(
        "==== seed {seed}: {reason}\n{:?} {:?}\n",
        case.options.synthesis, case.options.memory
    );
    for launch in &case.launches {
        let _ = writeln!(
            told,
            "{:?} {:?} {:x?}",
            launch.grid, launch.block, launch.arguments
        );
    }
    println!("{told}---- original\n{text}---- rewritten\n{rewritten}");
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
    assert!(told_apart(
        |options| options.synthesis.variant = Variant::NoCorner
    ));
}
