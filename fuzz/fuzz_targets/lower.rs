//! What parses and decodes has an SSA form without a violation: `cargo fuzz run lower`.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use ptxasw::{
    ir::verify::verify,
    pipeline::{Module, read_all},
};
use ptxasw_fuzz::{mutate::mutate, words::PTX};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match seed % 10 {
        0 => fuzzer_mutate(data, size, max_size),
        _ => mutate(&PTX, data, size, max_size, seed),
    }
});

fuzz_target!(|text: &[u8]| {
    let Ok(module) = Module::read(text, 1) else {
        return;
    };
    // Errors of single bodies are errors of all; both are fine.
    let Ok(readings) = read_all(&module) else {
        return;
    };
    for reading in readings {
        let violations = verify(reading.function());
        assert!(violations.is_empty(), "{violations:?}");
    }
});
