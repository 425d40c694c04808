//! One set of functions, compiled for the device by real compilers and run by the executor, and compiled for the host and
//! run there: the same words must come out, bit for bit.
//!
//! The functions keep to what C fixes: integers, shifts, conversions in range, IEEE 754 operations without contraction,
//! directed rounding by the host's floating-point environment. They are in `functions.cu` and its headers.

mod compilers;
mod inputs;

use compilers::{Compiled, Compiler, Unavailable, host};
use ptxasw::executor::{Buffer, Launch, Schedule, run};
use ptxasw::ptx;
use ptxasw::ptx::decode::decode;
use std::collections::BTreeMap;

/// Threads of a block.
const BLOCK: usize = 128;
/// Functions of which each compiler makes a kernel, at least.
const FUNCTIONS: usize = 205;

/// Runs every kernel of a compiler and compares it with the host.
fn compare(compiler: Compiler) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let words = inputs::words();
    let found = compiler
        .compile(folder.path())
        .and_then(|text| Ok((text, host(folder.path(), &words)?)));
    let (text, Compiled { names, results }) = match found {
        Ok(found) => found,
        Err(Unavailable(what)) => {
            assert!(
                std::env::var_os("CI").is_none(),
                "CI is set, and there is no {what}"
            );
            println!("skipped: no {what}");
            return;
        }
    };
    let device = device(&text, &words);
    assert!(names.len() >= FUNCTIONS, "{} functions", names.len());
    let rows = words.len() / 3;
    let mut wrong = Vec::new();
    for (name, expected) in names.iter().zip(results.chunks(rows)) {
        let Some(found) = device.get(name) else {
            panic!("{compiler:?} made no kernel of {name}");
        };
        let differing = (0..rows).filter(|&row| found[row] != expected[row]);
        for row in differing.take(2) {
            let operands = &words[3 * row..3 * row + 3];
            wrong.push(format!(
                "{name} of {operands:x?}: {:#x} on the host, {:#x} executed",
                expected[row], found[row]
            ));
        }
    }
    assert!(wrong.is_empty(), "{compiler:?}\n{}", wrong.join("\n"));
    println!("{} functions of {rows} rows", names.len());
}

/// The results of each kernel, by the name of its function.
fn device(text: &str, words: &[u64]) -> BTreeMap<String, Vec<u64>> {
    let tree = ptx::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let module = decode(&tree).unwrap_or_else(|e| panic!("{e}"));
    let rows = words.len() / 3;
    assert_eq!(rows % BLOCK, 0);
    let launch = Launch::new([(rows / BLOCK) as u32, 1, 1], [BLOCK as u32, 1, 1])
        .with_buffer(buffer(words))
        .with_buffer(buffer(&vec![0; rows]));
    let kernels = module.functions.iter().filter(|f| f.entry && f.defined);
    let results = kernels.map(|function| {
        let name = function.name.trim_start_matches("kernel_").to_owned();
        let outcome = run(&module, function, &launch, Schedule::Lockstep)
            .unwrap_or_else(|e| panic!("{name}: {e} at {:?}", &text[e.span.range()]));
        // Lanes diverge at calls in more ways than at branches.
        if !function.calls.is_empty() {
            let schedule = Schedule::Independent { seed: 1 };
            let other = run(&module, function, &launch, schedule).expect("it ran before");
            assert_eq!(other.buffers[1].bytes, outcome.buffers[1].bytes, "{name}");
        }
        let bytes = outcome.buffers[1].bytes.chunks_exact(8);
        let words = bytes.map(|c| u64::from_le_bytes(c.try_into().unwrap()));
        (name, words.collect())
    });
    results.collect()
}

fn buffer(words: &[u64]) -> Buffer {
    Buffer {
        bytes: words.iter().flat_map(|w| w.to_le_bytes()).collect(),
        initialised: true,
        element: 8,
    }
}

#[test]
fn nvcc() {
    compare(Compiler::Nvcc);
}

#[test]
fn clang() {
    compare(Compiler::Clang);
}
