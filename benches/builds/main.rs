//! What builds pay: `ptxas` over modules of many producers alone, through the drop-in, and with `ptxasw opt` before it.
//!
//! `cargo bench --bench builds [-- FOLDER [EVERY]]`: each `EVERY`th (1) module below a folder (`target/corpus`, which `make corpus`
//! fills). What it prints is in `benches/README.md`.

#[path = "../table/process.rs"]
#[allow(dead_code)]
mod process;

mod measure;
mod modules;
mod table;

use measure::{Tools, counted, makespan, measured};
use std::path::PathBuf;

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let folder = words.next().map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/target/corpus")),
        PathBuf::from,
    );
    let every = words
        .next()
        .map_or(1, |word| word.parse().expect("a number"));
    let tools = match Tools::new() {
        Ok(tools) => tools,
        Err(error) => return println!("skipped: {error}"),
    };
    let modules = modules::below(&folder, every, &tools);
    let mut all = Vec::new();
    for module in &modules {
        let times = measured(&tools, module);
        let assemblies = counted(&tools, module);
        eprint!("\r{} of {}", all.len() + 1, modules.len());
        all.push((module, times, assemblies));
    }
    eprintln!();
    print!("{}", table::of(&all));
    for jobs in [1, 2] {
        let [plain, ours] = makespan(&tools, &modules, jobs);
        println!(
            "All of them as one build, -j{jobs}: {plain:.1} s by `ptxas` alone, {:.2} times that through the drop-in.",
            ours / plain
        );
    }
}
