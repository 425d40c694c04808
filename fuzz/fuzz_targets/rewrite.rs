//! Any module is rewritten or refused: `cargo fuzz run rewrite`. What is written is PTX again; the same input gives the same
//! bytes; and where no shuffle is allowed no byte changes.
//!
//! With `PTXASW_FUZZ_PTXAS` set to the path of a `ptxas`, it has to take what is written if it takes the input.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use ptxasw::{
    Error, Options, optimize, ptx,
    shuffle::{profit::Profit, synthesis},
};
use std::{
    io::Write,
    process::{Command, Stdio},
    sync::LazyLock,
};

static PTXAS: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("PTXASW_FUZZ_PTXAS").ok());

fn options(max_shuffles: Option<u32>) -> Options {
    let usual = synthesis::Options::default();
    Options {
        synthesis: synthesis::Options {
            profit: Profit::Always,
            max_shuffles: max_shuffles.unwrap_or(usual.max_shuffles),
            ..usual
        },
        jobs: 1,
        ..Options::default()
    }
}

/// Whether the assembler takes a text; nothing where it can't be asked.
fn assembles(ptxas: &str, text: &[u8]) -> Option<bool> {
    let mut child = Command::new(ptxas)
        .args(["-arch=sm_90", "-c", "-", "-o", "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    // One that does not read to the end has refused.
    let _ = child.stdin.take()?.write_all(text);
    Some(child.wait().ok()?.success())
}

fuzz_target!(|text: &[u8]| -> Corpus {
    let output = match optimize(text, &options(None)) {
        Ok(output) => output,
        Err(Error::Syntax(_)) => return Corpus::Reject,
        Err(Error::Decode(_)) => return Corpus::Keep,
        Err(error) => panic!("{error}"),
    };
    for kernel in &output.kernels {
        assert_eq!(kernel.fault, None);
    }
    let none = optimize(text, &options(Some(0))).expect("with shuffles it can be done");
    assert!(none.text == text, "no shuffle, but a change");
    if output.text != text {
        if let Err(error) = ptx::parse(&output.text) {
            panic!("{error}\n{}", String::from_utf8_lossy(&output.text));
        }
        let again = optimize(text, &options(None)).expect("it could be done before");
        assert!(output.text == again.text, "not the same bytes");
        if let Some(ptxas) = &*PTXAS
            && assembles(ptxas, text) == Some(true)
        {
            let shown = String::from_utf8_lossy(&output.text);
            assert_ne!(assembles(ptxas, &output.text), Some(false), "{shown}");
        }
    }
    Corpus::Keep
});
