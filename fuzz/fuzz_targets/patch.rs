//! A function of the IR and a patch of it, as in `tests/ir/cases/patch`: `cargo fuzz run patch`. A patch is refused, or makes a
//! well-formed function, which is read back as it is printed.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use ptxasw::ir::patch::{Patch, verify};
use ptxasw::ir::text::parse;
use ptxasw::ir::verify::verify as violations;
use ptxasw_fuzz::{mutate::mutate, words::PATCH};

/// What is in front of a patch, which is written in comments.
const MARK: &str = "\n; patch:\n";

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match seed % 20 {
        0 => fuzzer_mutate(data, size, max_size),
        _ => mutate(&PATCH, data, size, max_size, seed),
    }
});

fuzz_target!(|text: &str| {
    let Some((function, patch)) = text.split_once(MARK) else {
        return;
    };
    let Ok(function) = parse(function) else {
        return;
    };
    let json: String = patch
        .lines()
        .map(|line| line.trim_start_matches(';'))
        .collect();
    let Ok(patch) = serde_json::from_str::<Patch>(&json) else {
        return;
    };
    if !violations(&function).is_empty() {
        return;
    }
    match verify(&function, &patch) {
        Ok(verified) => {
            let changed = verified.applied.function;
            assert_eq!(violations(&changed), [], "{changed}");
            let printed = changed.to_string();
            let back = parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
            assert_eq!(back.to_string(), printed);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
