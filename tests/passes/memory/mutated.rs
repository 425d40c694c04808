//! The pass is broken in every way that [`MEMORY`] lists, and the executor must see it. Unbroken, it must find the very same
//! kernels equal.

use super::{compared, memory_of, passed, text_of};
use ptxasw::support::mutation::{MEMORY, Mutation, with};
use ptxasw::verify::Verdict;

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
    (Mutation::HullShort, "hulls/ends"),
    (Mutation::HullShort, "hulls/down"),
    (Mutation::HullShort, "hulls/down-counter"),
    (Mutation::HullWraps, "hulls/step"),
    (Mutation::HullWraps, "hulls/unequal"),
    (Mutation::HullStepSign, "hulls/step"),
];

#[test]
fn every_mutation_is_seen() {
    for &(mutation, name) in CASES {
        let text = text_of(name);
        let good = passed(&text, memory_of(name));
        assert_eq!(
            compared(&text, good.text()).verdict,
            Verdict::Equal,
            "{name}, unbroken"
        );
        let broken = with(mutation, || passed(&text, memory_of(name)).text().to_vec());
        assert!(
            broken != good.text(),
            "{mutation:?}, {name}: nothing is broken"
        );
        let report = compared(&text, &broken);
        assert!(
            matches!(
                report.verdict,
                Verdict::Different(_) | Verdict::UndefinedBehaviour(_)
            ),
            "{mutation:?}, {name}: {:?}",
            report.verdict
        );
    }
}

#[test]
fn every_mutation_has_a_case() {
    for mutation in MEMORY {
        assert!(CASES.iter().any(|case| case.0 == *mutation), "{mutation:?}");
    }
}
