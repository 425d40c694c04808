//! The pass is broken in every way that [`MEMORY`] lists, and the executor must see it. Unbroken, it must find the very same
//! kernels equal.

use super::{compared, passed, text_of};
use crate::mutation::{MEMORY, Mutation, with};
use crate::passes::memory::MemoryOptions;
use crate::verify::Verdict;

/// A mutation, and the file that shows it.
const CASES: &[(Mutation, &str)] = &[
    (Mutation::GuardIgnored, "not-guard"),
    (Mutation::StopCrossed, "not-exchange"),
    (Mutation::SignOfLoadLost, "forward"),
    (Mutation::DeadStoreIsRead, "not-dead-read"),
    (Mutation::OverlapOfPartIgnored, "not-forward-part"),
    (Mutation::StaleForward, "not-again"),
    (Mutation::StaleForward, "not-generic-into-shared"),
    (Mutation::CoverOfPart, "not-dead"),
    (Mutation::DynamicSharedDistinct, "not-shared"),
    (Mutation::AliasIgnored, "not-again"),
    (Mutation::GenericIsGlobal, "not-generic"),
];

#[test]
fn every_mutation_is_seen() {
    for &(mutation, name) in CASES {
        let text = text_of(name);
        let good = passed(&text, MemoryOptions::default());
        assert_eq!(
            compared(&text, &good.text).verdict,
            Verdict::Equal,
            "{name}, unbroken"
        );
        let broken = with(mutation, || {
            passed(&text, MemoryOptions::default()).text.into_owned()
        });
        assert!(
            broken != *good.text,
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
