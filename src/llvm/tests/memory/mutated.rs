//! The pass is broken, and the executor must see it in what LLVM makes of the module. Unbroken, it must find the very same
//! kernels equal.
//!
//! LLVM IR has nothing of two faults: accesses under predicates (`GuardIgnored`), and loads that extend what they load
//! (`SignOfLoadLost`); and LLVM itself takes two names of dynamic shared memory for two variables (`DynamicSharedDistinct`). PTX has
//! files for all three.

use crate::memory::FILES;
use ptxasw::support::mutation::Mutation;

/// A mutation, and the file that shows it.
const CASES: &[(Mutation, &str)] = &[
    (Mutation::StopCrossed, "not-exchange"),
    (Mutation::DeadStoreIsRead, "not-dead-read"),
    (Mutation::OverlapOfPartIgnored, "not-forward-part"),
    (Mutation::StaleForward, "not-again"),
    (Mutation::StaleForward, "not-generic"),
    (Mutation::StaleForward, "not-index"),
    (Mutation::CoverOfPart, "not-dead"),
    (Mutation::AliasIgnored, "not-again"),
    (Mutation::GenericIsGlobal, "not-generic"),
    (Mutation::HullShort, "hull"),
    (Mutation::HullWraps, "hull"),
    (Mutation::HullStepSign, "hull"),
    (Mutation::HullOfSeveral, "hull-several"),
];

#[test]
fn every_mutation_is_seen() {
    FILES.mutations_are_seen(CASES);
}
