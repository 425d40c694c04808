//! The pass is broken in every way that [`LOOPS`] lists but one, and the executor must see it in what LLVM makes of the module. Unbroken, it must
//! find the very same kernels equal.
//!
//! LLVM moves a load whose value is read in an arm alone back into that arm, so that it hides `ConditionalLoadFirst`. PTX has a file
//! for that.

use crate::loops::FILES;
use ptxasw::support::mutation::{LOOPS, Mutation};

/// A mutation, and the file that shows it.
const CASES: &[(Mutation, &str)] = &[
    (Mutation::BatchTooLong, "one-block"),
    (Mutation::BatchTooLong, "two-exits"),
    (Mutation::ExitForgotten, "two-exits"),
    (Mutation::IterationNotCounted, "backwards"),
    (Mutation::LoadsOfOtherIteration, "guarded"),
    (Mutation::LoopStoresIgnored, "not-stored"),
    (Mutation::LoadedExitBatched, "not-loaded-exit"),
];

#[test]
fn every_mutation_is_seen() {
    FILES.mutations_are_seen(CASES);
}

#[test]
fn every_mutation_has_a_case() {
    for mutation in LOOPS {
        let hidden = *mutation == Mutation::ConditionalLoadFirst;
        let has_case = CASES.iter().any(|case| case.0 == *mutation);
        assert!(has_case != hidden, "{mutation:?}");
    }
}
