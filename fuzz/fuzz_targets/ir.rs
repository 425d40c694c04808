//! LLVM IR: any text is rewritten or refused by `ptxasw-llvm`, which never dies of a signal or a panic of ours:
//! `cargo fuzz run ir`. It runs in a child process, LLVM being what it is; `PTXASW_LLVM` is its path. What LLVM's own reader
//! aborts on is not ours: a text counts only if `opt-19` (`PTXASW_OPT`) verifies it.
//!
//! What a child process covers is not seen here, so no corpus grows: each text is a module of `llvm-tests` with changes.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use ptxasw_fuzz::{mutate::mutate, words::IR};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::LazyLock,
};

/// Larger modules are no better, only slower.
const LARGEST: usize = 12_000;

/// The modules, without the expectations behind them, in the order of their paths.
static MODULES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../llvm-tests")];
    let mut paths: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(end) if end == "ll" => paths.push(path),
                _ => {}
            }
        }
    }
    paths.sort();
    let texts = paths
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok());
    let modules = texts.map(|text| text.split("; expect:").next().unwrap_or_default().into());
    modules
        .filter(|text: &Vec<u8>| text.len() <= LARGEST)
        .collect()
});

fn path(variable: &str, usual: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| usual.into())
}

static OURS: LazyLock<String> = LazyLock::new(|| path("PTXASW_LLVM", "ptxasw-llvm"));
static LLVM: LazyLock<String> = LazyLock::new(|| path("PTXASW_OPT", "opt-19"));

fn run(program: &str, words: &[&str], text: &[u8]) -> Output {
    let mut child = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let mut input = child.stdin.take().expect("a pipe");
    let text = text.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&text));
    let output = child.wait_with_output().expect("it runs");
    let _ = writer.join();
    output
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let module = &MODULES[seed as usize % MODULES.len()];
    let size = match data.get_mut(..module.len()) {
        Some(place) => {
            place.copy_from_slice(module);
            module.len()
        }
        None => size,
    };
    match seed % 20 {
        0 => fuzzer_mutate(data, size, max_size),
        _ => mutate(&IR, data, size, max_size, seed),
    }
});

fuzz_target!(|text: &[u8]| {
    let output = run(
        &OURS,
        &[
            "opt", "-", "-o", "-", "--emit", "ll", "--profit", "always", "-j", "1",
        ],
        text,
    );
    let verified = |text: &[u8]| {
        run(&LLVM, &["-passes=verify", "-disable-output", "-"], text)
            .status
            .success()
    };
    match output.status.code() {
        Some(0) => assert!(
            output.stdout == text || verified(&output.stdout) || !verified(text),
            "what was written does not verify"
        ),
        Some(1) => {}
        code => assert!(
            !verified(text),
            "exit code {code:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        ),
    }
});
