//! Any text is a function of the IR or an error; a function is read back as it is printed: `cargo fuzz run text`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptxasw::ir::text::parse;
use ptxasw::ir::verify::verify;

fuzz_target!(|text: &str| {
    if let Ok(function) = parse(text) {
        let printed = function.to_string();
        let back = parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
        assert_eq!(back.to_string(), printed);
        verify(&function);
    }
});
