//! The pass is broken in every way that [`LOOPS`] lists, and the executor must see it. Unbroken, it must find the very same
//! kernels equal.

use super::FILES;
use ptxasw::support::mutation::{LOOPS, Mutation};

/// A mutation, and the file that shows it.
const CASES: &[(Mutation, &str)] = &[
    (Mutation::BatchTooLong, "shapes/zero-trips"),
    (Mutation::BatchTooLong, "shapes/step-over"),
    (Mutation::ExitForgotten, "shapes/two-exits"),
    (Mutation::ExitForgotten, "shapes/second-exit"),
    (Mutation::IterationNotCounted, "shapes/bound-largest"),
    (Mutation::IterationNotCounted, "shapes/step-negative"),
    (Mutation::LoadsOfOtherIteration, "shapes/lanes-arms"),
    (Mutation::LoadsOfOtherIteration, "shapes/bytes-arms"),
    (Mutation::LoopStoresIgnored, "shapes/not-arm-store"),
    (Mutation::ConditionalLoadFirst, "shapes/not-guarded-load"),
    (Mutation::LoadedExitBatched, "shapes/not-exit-loaded"),
];

#[test]
fn every_mutation_is_seen() {
    FILES.mutations_are_seen(CASES);
}

#[test]
fn every_mutation_has_a_case() {
    for mutation in LOOPS {
        assert!(CASES.iter().any(|case| case.0 == *mutation), "{mutation:?}");
    }
}
