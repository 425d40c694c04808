//! Every fault on purpose is seen.

use super::{cases, guarded, operations};
use crate::mutation::{Mutation, with};

#[test]
fn every_mutation_is_caught() {
    assert_eq!(operations::judge(), Ok(()));
    assert_eq!(cases::judge(), Ok(()));
    assert_eq!(guarded::judge(), Ok(()));
    let judged = |mutation: &&Mutation| {
        with(**mutation, || {
            operations::judge().is_ok() && cases::judge().is_ok() && guarded::judge().is_ok()
        })
    };
    let missed: Vec<&Mutation> = Mutation::ALL.iter().filter(judged).collect();
    assert!(
        Mutation::ALL.len() >= 15 && missed.is_empty(),
        "not seen: {missed:?}"
    );
}
