//! Random kernels as LLVM IR: the memory pass, LLVM's code generator, and the executor. `PTXASW_RANDOM` and `PTXASW_RANDOM_SEED` are
//! those of `tests/random`, whose kernels these are.

#[path = "../../../../tests/random/accesses/mod.rs"]
#[allow(dead_code)]
mod accesses;
mod case;
mod check;
#[path = "../../../../tests/random/compare.rs"]
mod compare;
mod ir;
#[path = "../../../../tests/random/numbers.rs"]
#[allow(dead_code)]
mod numbers;
#[path = "../../../../tests/random/shrink.rs"]
mod shrink;

use accesses::Kernel;
use case::Case;
use check::{Verdict, check};
use ptxasw::Options;
use ptxasw::passes::memory::Memory;

/// Kernels of a usual run: `llc` runs twice for each.
const USUAL: u64 = 60;
/// Of so many kernels of `tests/random` in a soak test, one is run here.
const SHARE: u64 = 10;
/// Kernels among which a broken rewriting must show.
const TOLD_APART: u64 = 200;
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
        text: ir::text(&kernel),
        launches: kernel.launches,
        options,
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Rewritten kernels, accesses that went, kernels that can't be compared, and wrong ones.
type Counts = [u64; 4];

fn counted(seeds: impl Iterator<Item = u64>) -> Counts {
    let [mut equal, mut gone, mut unfit, mut wrong] = [0; 4];
    for seed in seeds {
        let case = case(seed);
        match check(&case, &case.text) {
            Verdict::Unfit => unfit += 1,
            Verdict::Untouched => {}
            Verdict::Equal(found) => {
                equal += 1;
                gone += found as u64;
            }
            Verdict::Wrong(..) => {
                wrong += 1;
                let found = shrink::shrink(&case, &case.text, check);
                let (text, reason, rewritten) = found.unwrap_or_default();
                println!(
                    "==== seed {seed}: {reason}\n---- original\n{text}---- rewritten\n{rewritten}"
                );
            }
        }
    }
    [equal, gone, unfit, wrong]
}

#[test]
fn accesses_that_go_are_not_missed() {
    let count = number("PTXASW_RANDOM").map_or(USUAL, |count| count.div_ceil(SHARE));
    let first = number("PTXASW_RANDOM_SEED").unwrap_or(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let found = std::thread::scope(|scope| {
        let run =
            |thread| move || counted((first + thread..first + count).step_by(threads as usize));
        let running: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(run(thread)))
            .collect();
        running.into_iter().fold(Counts::default(), |sum, thread| {
            let found = thread.join().expect("a thread that reports");
            std::array::from_fn(|at| sum[at] + found[at])
        })
    });
    let [equal, gone, unfit, wrong] = found;
    println!(
        "{count} kernels: {equal} equal without {gone} accesses, {unfit} unfit, {wrong} wrong"
    );
    assert_eq!(wrong, 0);
    assert!(
        equal * 100 >= count * LEAST_SHARE,
        "too few are rewritten: {equal}, {unfit} unfit"
    );
}

/// Pointers that are one are executed: to assume that they are not shows.
#[test]
fn pointers_that_are_one_are_executed() {
    let wrong = |seed| {
        let mut case = case(seed);
        case.options.memory.assumed.no_alias = true;
        matches!(check(&case, &case.text), Verdict::Wrong(..))
    };
    assert!((0..TOLD_APART).any(wrong));
}
