//! LLVM IR: any text is rewritten or refused by `ptxasw-llvm`, which never dies of a signal or a panic of ours:
//! `cargo fuzz run ir`. It runs in a child process, LLVM being what it is; `PTXASW_LLVM` is its path. What LLVM's own reader
//! aborts on is not ours: a text counts only if `opt-19` (`PTXASW_OPT`) verifies it. The first line may choose how a module is
//! rewritten: one of the heads in `words`.
//!
//! Where there are shuffles, `llc-19` (`PTXASW_LLC`) makes PTX of the original and of what was written, and the executor
//! compares the two. A difference is a finding unless the original breaks a promise (`promises`).
//!
//! What a child process covers is not seen here, so no corpus grows: each text is a module of `llvm-tests` with changes.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use ptxasw_fuzz::{judge, mutate::mutate, promises, words::IR};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::LazyLock,
};

/// Larger modules are no better, only slower.
const LARGEST: usize = 12_000;
/// How both modules become PTX. Products are fused with sums inside of a block: another block, another result.
const GENERATED: [&str; 6] = [
    "-mcpu=sm_80",
    "-mattr=+ptx71",
    "-fp-contract=off",
    "-",
    "-o",
    "-",
];
/// Where a value may be any, two compilations may choose two.
const ANY: [&str; 2] = ["undef", "poison"];
/// The layout of nearly all modules. Another promises other alignments.
const LAYOUT: &str = "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"";

/// The modules, without the expectations after them and without what allows other results of floating-point operations, in
/// the order of their paths.
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
    let modules = texts.map(|text| {
        let text = text.split("; expect:").next().unwrap_or_default();
        text.replace(" contract ", " ").into_bytes()
    });
    modules.filter(|text| text.len() <= LARGEST).collect()
});

fn path(variable: &str, usual: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| usual.into())
}

static OURS: LazyLock<String> = LazyLock::new(|| path("PTXASW_LLVM", "ptxasw-llvm"));
static OPT: LazyLock<String> = LazyLock::new(|| path("PTXASW_OPT", "opt-19"));
static LLC: LazyLock<String> = LazyLock::new(|| path("PTXASW_LLC", "llc-19"));

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

/// The module that is written, or why there is none.
fn rewritten(text: &[u8]) -> Output {
    let mut words = vec![
        "opt",
        "-",
        "-o",
        "-",
        "--emit",
        "ll",
        "--profit",
        "always",
        "--no-register-check",
        "-j",
        "1",
        "-q",
    ];
    let first = text.split(|&byte| byte == b'\n').next();
    let chosen = IR
        .heads
        .iter()
        .find(|head| Some(head.as_bytes()) == first)
        .and_then(|head| head.strip_prefix("; ptxasw: opt"));
    words.extend(chosen.unwrap_or_default().split_whitespace());
    run(&OURS, &words, text)
}

fn verifies(text: &[u8]) -> bool {
    let output = run(&OPT, &["-passes=verify", "-disable-output", "-"], text);
    output.status.success()
}

/// PTX, if LLVM makes some.
fn generated(text: &[u8]) -> Option<Vec<u8>> {
    let output = run(&LLC, &GENERATED, text);
    output.status.success().then_some(output.stdout)
}

/// LLVM reads what it prints of a module: not if it holds certain bytes.
fn can_be_printed(text: &[u8]) -> bool {
    verifies(&run(&OPT, &["-passes=verify", "-S", "-"], text).stdout)
}

fn contains(text: &[u8], word: &str) -> bool {
    text.windows(word.len()).any(|some| some == word.as_bytes())
}

/// What the module that was written does otherwise than the original, which breaks no promise.
fn difference(text: &[u8], written: &[u8]) -> Option<String> {
    if ANY.iter().any(|word| contains(text, word)) || !contains(text, LAYOUT) {
        return None;
    }
    let (original, written) = (generated(text)?, generated(written));
    let written = written.expect("LLVM makes PTX of the original");
    judge::difference(text, &original, &written)?;
    let plain = promises::without_unchecked(str::from_utf8(text).ok()?);
    let written = generated(&rewritten(plain.as_bytes()).stdout)?;
    let trapping = generated(promises::trapping(&plain).as_bytes())?;
    judge::difference(text, &trapping, &written)
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = fastrand::Rng::with_seed(seed.into());
    let head = random.choice(IR.heads).copied().unwrap_or_default();
    let module = random.choice(&*MODULES).map_or(&[][..], Vec::as_slice);
    let module = [head.as_bytes(), b"\n", module].concat();
    let size = match data.get_mut(..module.len()) {
        Some(place) => {
            place.copy_from_slice(&module);
            module.len()
        }
        None => size,
    };
    match random.u32(..20) {
        0 => fuzzer_mutate(data, size, max_size),
        _ => mutate(&IR, data, size, max_size, seed),
    }
});

fuzz_target!(|text: &[u8]| {
    let output = rewritten(text);
    match output.status.code() {
        Some(0) if output.stdout == text => {}
        Some(0) => {
            assert!(
                verifies(&output.stdout) || !verifies(text) || !can_be_printed(text),
                "what was written does not verify"
            );
            if !contains(&output.stdout, "shfl.sync") {
                return;
            }
            if let Some(difference) = difference(text, &output.stdout) {
                panic!("{difference}");
            }
        }
        Some(1) => {}
        code => assert!(
            !verifies(text),
            "exit code {code:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        ),
    }
});
