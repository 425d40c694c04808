//! What parses and decodes has an SSA form without a violation: `cargo fuzz run lower`.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use ptxasw::{
    ir::verify::verify,
    pipeline::prepare_all,
    ptx::{decode, parse},
};
use ptxasw_fuzz::{mutate::mutate, words::PTX};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match seed % 10 {
        0 => fuzzer_mutate(data, size, max_size),
        _ => mutate(&PTX, data, size, max_size, seed),
    }
});

fuzz_target!(|text: &[u8]| {
    let Ok(module) = parse(text) else { return };
    // Errors of single bodies are errors of all; both are fine.
    let Ok(prepared) = prepare_all(&module, &decode::headers(&module)) else {
        return;
    };
    for one in prepared {
        let violations = verify(&one.body.lowered.function);
        assert!(violations.is_empty(), "{violations:?}");
    }
});
