//! What parses and decodes has an SSA form without a violation: `cargo fuzz run lower`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptxasw::{
    ir::verify::verify,
    pipeline::prepare_all,
    ptx::{decode, parse},
};

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
