//! Any text is a launch or gives an error that can be shown, as TOML, as JSON and as a line: `cargo fuzz run launch`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptxasw::executor::launch::{Format, LaunchError, parse, parse_line};
use std::path::Path;

fuzz_target!(|text: &str| {
    let show = |error: LaunchError| {
        assert!(error.span.start <= error.span.end);
        error.render("input", text.as_bytes());
    };
    // No folder has this name, so no file is found.
    let folder = Path::new("/dev/null/none");
    for format in [Format::Toml, Format::Json] {
        if let Err(error) = parse(text, format, folder) {
            show(error);
        }
    }
    if let Err(error) = parse_line(text) {
        assert!(error.span.range().end <= text.len());
        show(error);
    }
});
