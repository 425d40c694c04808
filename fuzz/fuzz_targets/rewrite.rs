//! Any module is rewritten or refused: `cargo fuzz run rewrite`. What is written is PTX again; the same input gives the same
//! bytes; where no shuffle is allowed no byte changes; and the rewritten kernels end with the same memory under the
//! executor. Modules are changed by lines and words, so that many are still valid; the first line may choose how they are
//! rewritten, as in the file tests: `// ptxasw: opt --wrapping F`.
//!
//! With `PTXASW_FUZZ_PTXAS` set to the path of a `ptxas`, some of what is written is assembled; it has to be taken if the input
//! is.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target, fuzzer_mutate};
use ptxasw::{
    Error, Options, optimize,
    passes::shuffle::{plan::Wrapping, profit::Profit, synthesis},
    ptx,
    solver::Limits,
};
use ptxasw_fuzz::{judge, mutate::mutate, words::PTX};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    io::Write,
    process::{Command, Stdio},
    sync::LazyLock,
};

static PTXAS: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("PTXASW_FUZZ_PTXAS").ok());

/// Of so many texts the assembler sees one: it takes longer than all the rest.
const ASSEMBLED: u64 = 16;
/// What Z3 may spend on a question, and how many it is asked: other questions are no better, only slower.
const RLIMIT: u32 = 20_000;
const QUERIES: u32 = 4;
/// Of a hundred changes so many are of bytes.
const BYTES: u32 = 5;

/// How a text is rewritten: what its first line says.
fn options(text: &[u8]) -> Options {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = str::from_utf8(line).unwrap_or_default();
    let line = line.strip_prefix("// ptxasw:").unwrap_or_default();
    let words: Vec<&str> = line.split([' ', '=']).collect();
    let after = |option: &str| {
        let place = words.iter().position(|&word| word == option)?;
        words.get(place + 1).copied()
    };
    let wrapping = after("--wrapping").and_then(|name| {
        let mut all = Wrapping::ALL.into_iter();
        all.find(|&wrapping| wrapping.name() == name)
    });
    let mut synthesis = synthesis::Options {
        wrapping,
        profit: match after("--profit") {
            Some("auto") => Profit::Auto,
            _ => Profit::Always,
        },
        shared: after("--space") == Some("shared"),
        ..synthesis::Options::default()
    };
    let delta = after("--max-delta").and_then(|delta| delta.parse().ok());
    synthesis.max_delta = delta
        .filter(|&delta| delta <= synthesis.max_delta)
        .unwrap_or(synthesis.max_delta);
    synthesis.limits.queries = QUERIES;
    Options {
        synthesis,
        solver: Limits {
            rlimit: RLIMIT,
            ..Limits::default()
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

/// The assembler is asked about this text.
fn is_assembled(text: &[u8]) -> bool {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish().is_multiple_of(ASSEMBLED)
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match seed % 100 {
        0..BYTES => fuzzer_mutate(data, size, max_size),
        _ => mutate(&PTX, data, size, max_size, seed),
    }
});

fuzz_target!(|text: &[u8]| -> Corpus {
    let options = options(text);
    let output = match optimize(text, &options) {
        Ok(output) => output,
        Err(Error::Syntax(_)) => return Corpus::Reject,
        Err(Error::Decode(_)) => return Corpus::Keep,
        Err(error) => panic!("{error}"),
    };
    for report in &output.passes {
        assert_eq!(report.fault(), None);
    }
    if output.text == text {
        return Corpus::Keep;
    }
    let shown = || String::from_utf8_lossy(&output.text);
    let mut none = options.clone();
    none.synthesis.max_shuffles = 0;
    let none = optimize(text, &none).expect("with shuffles it can be done");
    assert!(none.text == text, "no shuffle, but a change");
    if let Err(error) = ptx::parse(&output.text) {
        panic!("{error}\n{}", shown());
    }
    let again = optimize(text, &options).expect("it could be done before");
    assert!(output.text == again.text, "not the same bytes");
    if let Some(difference) = judge::difference(text, text, &output.text) {
        panic!("{difference}\n{}", shown());
    }
    if let Some(ptxas) = &*PTXAS
        && is_assembled(text)
        && assembles(ptxas, &output.text) == Some(false)
    {
        assert_ne!(assembles(ptxas, text), Some(true), "{}", shown());
    }
    Corpus::Keep
});
