//! Racy kernels and kernels without races, each next to its sibling.

mod barriers;
mod compiled;
mod messages;
mod places;

use crate::tests::{kernel, words};
use crate::*;

/// The races of [`kernel`] of `body`: kinds, both statements, in lockstep. The adversary's interleavings must agree on
/// whether there are any.
fn races_of(body: &str, grid: u32, block: u32) -> Vec<(RaceKind, String, String)> {
    let text = kernel(body);
    let launch = words(grid, block, 1024);
    let races = detect(&text, &launch, Schedule::Lockstep);
    let races = races.expect("no undefined value without a race");
    for seed in 0..6 {
        let harm = |races: &[Race]| races.iter().any(|r| !r.kind.benign());
        match detect(&text, &launch, Schedule::Independent { seed }) {
            Some(others) => assert_eq!(harm(&others), harm(&races), "seed {seed}: {others:#?}"),
            None => assert!(harm(&races), "seed {seed}"),
        }
    }
    let quote = |access: &RacingAccess| text[access.span.range()].to_owned();
    let describe = |race: &Race| (race.kind, quote(&race.first), quote(&race.second));
    races.iter().map(describe).collect()
}

/// Asserts that there is no race.
fn free(body: &str, grid: u32, block: u32) {
    assert_eq!(races_of(body, grid, block), []);
}

/// Asserts that there is one pair of racing statements.
fn one(body: &str, grid: u32, block: u32, expected: (RaceKind, &str, &str)) {
    let races = races_of(body, grid, block);
    let (kind, first, second) = expected;
    assert_eq!(races, [(kind, first.to_owned(), second.to_owned())]);
}

/// The races of the first function of a text; none if a load found an undefined value before the store that races with
/// it.
fn detect(text: &str, launch: &Launch, schedule: Schedule) -> Option<Vec<Race>> {
    let tree = ptxasw_ptx::parse(text.as_bytes()).expect("the text parses");
    let module = ptxasw_ptx::decode::decode(&tree).expect("the text decodes");
    let options = Options {
        step_limit: 1 << 22,
        ..Options::default()
    };
    let (result, races) = find_races(&module, &module.functions[0], launch, schedule, options);
    assert!(races.complete);
    match result {
        Err(error) if races.harmful().next().is_none() => {
            assert_eq!(error.fault, Fault::Undefined(Use::Store), "{error}");
            None
        }
        _ => Some(races.list),
    }
}
