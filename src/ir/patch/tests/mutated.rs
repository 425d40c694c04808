//! Every way to break what a patch makes of a function: by a case of `tests/ir/cases/patch`, whose patched function then does
//! something else, or is refused or accepted where it was not.

use super::*;
use ptxasw_base::mutation::{Mutation, PATCHES, with};
use std::path::Path;

/// A mutation, and the file that shows it.
const CASES: &[(Mutation, &str)] = &[
    (Mutation::JoinOfOnePath, "merged_behind_a_clone"),
    (Mutation::StepReadsRedirected, "its_own_value"),
    (Mutation::RedirectDropped, "its_own_value"),
    (Mutation::RedirectOfOriginal, "merged_behind_a_clone"),
    (Mutation::RemovedExecuted, "removed_store"),
    (Mutation::VolatileRemoved, "not_a_volatile_store"),
    (Mutation::CopyUnguarded, "guards"),
    (Mutation::StepGuardInverted, "guards"),
    (Mutation::MergedSwapped, "decided_at_run_time"),
    (Mutation::InsertionsReversed, "steps_in_their_order"),
    (Mutation::SetDropped, "sets_in_their_order"),
    (Mutation::SetsReversed, "sets_in_their_order"),
    (Mutation::EnteredWhereFalse, "merged_behind_a_clone"),
    (Mutation::ExitNeverTaken, "left_in_mid_block"),
    (Mutation::ExitInverted, "left_in_mid_block"),
    (Mutation::BranchLeavesClone, "clone_of_a_loop"),
    (Mutation::ChainBroken, "chain_of_clones"),
    (Mutation::UniformityUnchecked, "not_a_barrier_of_some_lanes"),
    (
        Mutation::PassersByUnchecked,
        "not_a_barrier_behind_one_side",
    ),
    (Mutation::NotThereUnchecked, "not_there"),
    (Mutation::InsideUnchecked, "not_a_value_inside"),
    (Mutation::ChosenSwapped, "guarded_load"),
    (Mutation::LostGuardUnchecked, "not_without_its_guard"),
    (Mutation::OtherEdgeSettled, "one_edge_of_a_branch"),
];

/// What a function stores for each seed, or why there is none.
type Outcome = Result<Vec<Vec<(u64, u64)>>, String>;

fn stores(function: &Function) -> Outcome {
    Ok((0..16).map(|seed| run(function, seed)).collect())
}

/// The lines of a comment, which begin with `; `.
fn uncommented(block: &str) -> String {
    let lines = block.lines();
    let lines = lines.map(|line| line.trim_start_matches(';').trim_start());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A case's function, its patch, and what is expected.
fn case(file: &str) -> (Function, Patch, Outcome) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ir/cases/patch");
    let text = std::fs::read_to_string(folder.join(file).with_extension("ir")).unwrap();
    let (text, expected) = text.split_once("\n; expect:\n").unwrap();
    let (_, patch) = text.split_once("\n; patch:\n").unwrap();
    let expected = uncommented(expected);
    let expected = match expected.strip_prefix("error: ") {
        Some(error) => Err(error.trim_end().to_owned()),
        None => stores(&parse(&expected).unwrap()),
    };
    let patch = serde_json::from_str(&uncommented(patch)).unwrap();
    (parse(text).unwrap(), patch, expected)
}

#[test]
fn every_mutation_is_reported() {
    let mut missed = Vec::new();
    for &(mutation, file) in CASES {
        let (function, patch, expected) = case(file);
        let found = || match verify(&function, &patch) {
            Ok(verified) => stores(&verified.applied.function),
            Err(error) => Err(error.to_string()),
        };
        assert_eq!(found(), expected, "{file}, unbroken");
        if with(mutation, found) == expected {
            missed.push((mutation, file));
        }
    }
    assert_eq!(missed, []);
}

#[test]
fn every_mutation_has_a_case() {
    for mutation in PATCHES {
        let tried = CASES.iter().any(|case| case.0 == *mutation);
        assert!(tried, "{mutation:?}");
    }
}
