//! Any words are an assembler's arguments or passed on: `cargo fuzz run arguments`. One word a line; a line `optf` and those
//! after it are an option file. What is understood names places among the words.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptxasw::dropin::{arguments::Arguments, tool::Tool};
use ptxasw::pipeline::settings::Settings;
use std::{ffi::OsString, fs, os::unix::ffi::OsStringExt, path::PathBuf, sync::LazyLock};

/// The option file; the input names no other.
static FILE: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("ptxasw-optf-{}", std::process::id())));

fuzz_target!(|text: &[u8]| {
    let lines = text.split(|&byte| byte == b'\n');
    let mut words: Vec<OsString> = Vec::new();
    let mut rest = lines.clone();
    for line in rest.by_ref() {
        match line {
            b"optf" => {
                let file: Vec<&[u8]> = rest.collect();
                if file.iter().any(|line| {
                    line.windows(4)
                        .any(|four| four == b"optf" || four == b"-opt")
                }) {
                    return;
                }
                fs::write(&*FILE, file.join(&b'\n')).expect("a temporary file");
                words.push(format!("-optf={}", FILE.display()).into());
                break;
            }
            // No file of this machine is read.
            line if line
                .windows(4)
                .any(|four| four == b"-opt" || four == b"file") =>
            {
                return;
            }
            line => words.push(OsString::from_vec(line.to_vec())),
        }
    }
    let Ok((settings, words)) = Settings::take(words, []) else {
        return;
    };
    settings.options(Some(80), true);
    for tool in [Tool::Ptxas, Tool::NvptxAs] {
        if let Ok(arguments) = Arguments::read(tool, words.clone()) {
            assert_eq!(arguments.with(&[]), arguments.words);
            for input in &arguments.inputs {
                input.name();
            }
        }
    }
});
