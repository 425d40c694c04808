//! KernelGen as clang compiles it, rewritten as LLVM IR and as the PTX that `llc` makes of it: what is covered, and what
//! the real assembler makes of both. A table in Markdown for `benches/README.md`.
//!
//! `cargo bench -p ptxasw-llvm --bench ir`

#[path = "../../tests/listing/mod.rs"]
#[allow(dead_code, unused_imports)]
mod listing;

use anyhow::{Context as _, Result};
use inkwell::context::Context;
use ptxasw::Options;
use ptxasw::passes::shuffle::Search;
use ptxasw::toolchain::{Arch, Assembler};
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::{read, stage};
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    println!("| operator | S/L in IR | in PTX | hot path | IR | PTX | registers | IR | PTX |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for path in operators()? {
        row(&path)?;
    }
    Ok(())
}

fn operators() -> Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../llvm-tests/kernelgen");
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "ll") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn row(path: &Path) -> Result<()> {
    let options = Options {
        jobs: 1,
        ..Default::default()
    };
    let name = path.file_stem().context("a name")?.to_string_lossy();
    let context = Context::create();
    let module = read::read(&context, &fs::read(path)?, &name)?;
    let original = outputs::write(&module, Kind::Ptx, None)?;
    let in_ir = counted(stage::rewrite(&module, &options)?.searches());
    let from_ir = outputs::write(&module, Kind::Ptx, None)?;
    let from_ptx = ptxasw::optimize(&original, &options)?;
    let in_ptx = counted(from_ptx.searches());
    let mut hot = Vec::new();
    let mut registers = Vec::new();
    for text in [&original, &from_ir, &from_ptx.text] {
        let arch = Arch::of_module(&String::from_utf8_lossy(text)).context("a target")?;
        let assembler = Assembler::find(arch)?;
        let assembled = assembler.assemble(text, arch)?;
        let sass = listing::counted(&assembler, &assembled)?;
        hot.push(
            sass.first()
                .context("a kernel")?
                .hot
                .instructions
                .to_string(),
        );
        let first = assembled.kernels.first().context("a kernel")?;
        registers.push(first.registers.to_string());
    }
    let (hot, registers) = (hot.join(" | "), registers.join(" | "));
    println!("| {name} | {in_ir} | {in_ptx} | {hot} | {registers} |");
    Ok(())
}

/// Shuffles and loads.
fn counted<'s>(searches: impl Iterator<Item = &'s Search>) -> String {
    let counts = searches.map(|one| (one.plan.shuffles.len(), one.loads.len()));
    let (shuffles, loads) = counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    format!("{shuffles}/{loads}")
}
