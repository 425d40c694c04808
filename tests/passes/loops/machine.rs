//! What the assembler makes of loops in batches, kernel by kernel of `ptx-tests/loops/batches`: what is loaded in a round, code, spills.

use super::real::{files, name_of};
use crate::passes::annotated::passed_by;
use crate::sass::listing;
use ptxasw::cost::sass::{self, KernelCode};
use ptxasw::passes::Fate;
use ptxasw::passes::loops::Batches;
use ptxasw::passes::memory::{Memory, MemoryOptions};
use ptxasw::toolchain::Arch;
use std::collections::BTreeMap;

/// A kernel of which a loop runs in batches.
struct Batched {
    name: String,
    /// Bytes that a thread waits for at once in the loop that does most of the work: before, and where all tests hold.
    bytes: [f64; 2],
    /// How often the code is as long as before, with what is executed where a test fails.
    longer: f64,
    spills: bool,
}

/// The kernels of a module as the assembler translates them.
fn kernels(text: &[u8]) -> Option<BTreeMap<String, KernelCode>> {
    let arch: Arch = "sm_90".parse().expect("an architecture");
    let assembler = listing::assembler(arch)?;
    let cubin = listing::cubin(&assembler, text, arch).expect("PTX that ptxas takes");
    let all = sass::kernels(&cubin).expect("a cubin");
    Some(all.into_iter().map(|one| (one.name.clone(), one)).collect())
}

fn instructions(code: &KernelCode) -> f64 {
    let counts = code.static_counts().expect("a target that is decoded");
    f64::from(counts.instructions)
}

fn bytes_of_a_round(code: &KernelCode) -> f64 {
    let hot = code.path_counts().expect("a path").hot();
    hot.loaded_bytes as f64 / f64::from(hot.rounds.max(1))
}

fn of_file(name: &str, text: &str, all: &mut Vec<Batched>) -> Option<()> {
    let passes: [&'static dyn ptxasw::passes::Pass; 2] = [&Batches, &Memory];
    let passed = passed_by(&passes, text, MemoryOptions::default());
    let fast = MemoryOptions {
        tests_hold: true,
        ..MemoryOptions::default()
    };
    let fast = passed_by(&passes, text, fast);
    let before = kernels(text.as_bytes())?;
    let (after, fast) = (kernels(passed.text())?, kernels(fast.text())?);
    for report in &passed.reports {
        if !report.remarks.iter().any(|one| one.fate == Fate::Batched) {
            continue;
        }
        let of = |codes: &BTreeMap<String, KernelCode>| codes[&*report.function].clone();
        let (before, after, fast) = (of(&before), of(&after), of(&fast));
        all.push(Batched {
            name: format!("{name}: {}", report.function),
            bytes: [&before, &fast].map(bytes_of_a_round),
            longer: instructions(&after) / instructions(&before),
            spills: after.frame > before.frame,
        });
    }
    Some(())
}

/// In three of four kernels half as much again is in flight, in none less, and nothing spills.
#[test]
fn batches_have_more_in_flight() {
    let mut all = Vec::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("the file is there");
        if of_file(&name_of(&path), &text, &mut all).is_none() {
            return;
        }
    }
    all.sort_by_key(|one| one.name.clone());
    all.dedup_by_key(|one| one.name.clone());
    for one in &all {
        let [before, after] = one.bytes;
        println!(
            "{}: {before:.1} -> {after:.1} bytes in a round, code {:.2} times",
            one.name, one.longer
        );
        assert!(!one.spills && after >= before, "{}", one.name);
    }
    let more = all.iter().filter(|one| one.bytes[1] >= 1.5 * one.bytes[0]);
    let mut longer: Vec<f64> = all.iter().map(|one| one.longer).collect();
    longer.sort_by(f64::total_cmp);
    let (more, median) = (more.count(), longer[longer.len() / 2]);
    println!(
        "{more} of {} kernels, code {median:.2} times in the median",
        all.len()
    );
    assert!(4 * more >= 3 * all.len(), "{more} of {}", all.len());
}
