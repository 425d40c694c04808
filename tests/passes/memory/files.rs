//! What becomes of each load and store, as comments on their lines.

use super::{FILES, compared, memory_of, passed, text_of};
use ptxasw::verify::Verdict;

#[test]
fn every_access_is_decided_as_its_line_says() {
    FILES.decided();
}

#[test]
fn twins_stay_as_they_are() {
    FILES.twins_stay(66);
}

/// The twins that comments name, and the files of the table of traps.
#[test]
fn what_is_named_is_there() {
    FILES.twins_are_there();
    FILES.table_is_right("README", |name| {
        name.replace("w/", "wide/").replace("t/", "tested/")
    });
}

#[test]
fn results_stay() {
    for name in FILES.names() {
        let text = text_of(&name);
        let passed = passed(&text, memory_of(&name));
        let report = compared(&text, passed.text());
        assert_eq!(report.verdict, Verdict::Equal, "{name}");
        assert!(report.compared() > 0, "{name}: nothing was compared");
    }
}

/// What is assumed by choice of the user is named among the claims.
#[test]
fn an_assumption_is_a_claim() {
    let text = text_of("proofs/not-again");
    let mut memory = memory_of("proofs/not-again");
    memory.assumed.no_alias = true;
    let passed = passed(&text, memory);
    let claims: Vec<&str> = passed.reports[0]
        .claims
        .iter()
        .map(|claim| claim.evidence.as_str())
        .collect();
    assert!(
        claims
            .iter()
            .any(|claim| claim.contains("by choice of the user")),
        "{claims:?}"
    );
}
