//! The pass is broken in every way that [`MEMORY`] lists, and the executor must see it. Unbroken, it must find the very same
//! kernels equal.

use super::FILES;
use ptxasw::support::mutation::{MEMORY, Mutation};

/// A mutation, and the file that shows it.
const CASES: &[(Mutation, &str)] = &[
    (Mutation::GuardIgnored, "proofs/not-guard"),
    (Mutation::StopCrossed, "proofs/not-exchange"),
    (Mutation::SignOfLoadLost, "proofs/forward"),
    (Mutation::DeadStoreIsRead, "proofs/not-dead-read"),
    (Mutation::OverlapOfPartIgnored, "proofs/not-forward-part"),
    (Mutation::StaleForward, "proofs/not-again"),
    (Mutation::StaleForward, "proofs/not-generic-into-shared"),
    (Mutation::CoverOfPart, "proofs/not-dead"),
    (Mutation::SkippedWritten, "proofs/not-skipped"),
    (Mutation::DynamicSharedDistinct, "proofs/not-shared"),
    (Mutation::AliasIgnored, "proofs/not-again"),
    (Mutation::GenericIsGlobal, "proofs/not-generic"),
    (Mutation::CheckIgnored, "tested/reload"),
    (Mutation::CheckIgnored, "tested/space-shared"),
    (Mutation::CheckOfOneByte, "tested/part"),
    (Mutation::ReachUnchecked, "tested/stride-wraps"),
    (Mutation::AlignmentIgnored, "wide/record"),
    (Mutation::GapFilled, "wide/not-gap"),
    (Mutation::WidenedOverStore, "wide/not-over-store"),
    (Mutation::HullShort, "../loops/hulls/ends"),
    (Mutation::HullShort, "../loops/hulls/down"),
    (Mutation::HullShort, "../loops/hulls/down-counter"),
    (Mutation::HullWraps, "../loops/hulls/step"),
    (Mutation::HullWraps, "../loops/hulls/unequal"),
    (Mutation::HullStepSign, "../loops/hulls/step"),
    (Mutation::HullOfSeveral, "../loops/hulls/several-one"),
    (Mutation::StepsUnasked, "../loops/hulls/not-several"),
];

#[test]
fn every_mutation_is_seen() {
    FILES.mutations_are_seen(CASES);
}

#[test]
fn every_mutation_has_a_case() {
    for mutation in MEMORY {
        assert!(CASES.iter().any(|case| case.0 == *mutation), "{mutation:?}");
    }
}
