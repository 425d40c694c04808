//! Modules of `ptx-tests` with something broken in them: any text is rewritten or gives an error that can be shown, and
//! what is rewritten is PTX again. Nothing is ever a panic.
//!
//! `PTXASW_MUTANTS=100000` tries that many instead of the usual thousand (`make soak`), `PTXASW_MUTANTS_SEED=7` starts at another seed.

use std::env;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::passes::shuffle::synthesis;
use ptxasw::pipeline::ssa::Report;
use ptxasw::pipeline::{Error, Options};
use ptxasw::{optimize, ptx};

/// Larger modules are no better, only slower.
const LARGEST: usize = 6000;
/// Mutants of a usual run.
const USUAL: u64 = 1000;
/// Changes of a mutant, at most.
const MOST_CHANGES: u64 = 4;

/// A small generator of numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// The modules, without the expectations after them, in the order of their paths.
fn modules() -> Vec<Vec<u8>> {
    let pattern = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests/**/*.ptx");
    let paths = glob::glob(pattern.to_str().unwrap()).unwrap().flatten();
    let texts = paths.map(|path| fs::read_to_string(path).unwrap());
    let modules = texts.map(|text| text.split("// expect:").next().unwrap().to_owned());
    let modules: Vec<Vec<u8>> = modules
        .map(String::into_bytes)
        .filter(|text| text.len() <= LARGEST)
        .collect();
    assert!(modules.len() > 300);
    modules
}

/// Where words begin and end.
fn words(text: &[u8]) -> Vec<(usize, usize)> {
    let inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"_%$.".contains(byte);
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        while at < text.len() && inside(&text[at]) {
            at += 1;
        }
        if at > start {
            found.push((start, at));
        }
        at += 1;
    }
    found
}

fn mutate(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    const NUMBERS: [&str; 8] = [
        "0",
        "-1",
        "99999999999999999999999",
        "0x8000000000000000",
        "4294967296",
        "0f7fc00000",
        "1e999",
        "0xg",
    ];
    let line = |text: &[u8], at: usize| {
        let start = text[..at].iter().rposition(|&byte| byte == b'\n');
        let end = text[at..].iter().position(|&byte| byte == b'\n');
        (
            start.map_or(0, |start| start + 1),
            end.map_or(text.len(), |end| at + end + 1),
        )
    };
    let at = random.below(text.len());
    match random.below(10) {
        // A line is gone, is there twice, or somewhere else.
        0 => drop(text.drain(line(text, at).0..line(text, at).1)),
        1 => {
            let (start, end) = line(text, at);
            let twice = text[start..end].to_vec();
            text.splice(start..start, twice);
        }
        2 => {
            let (start, end) = line(text, at);
            let moved: Vec<u8> = text.drain(start..end).collect();
            let to = line(text, random.below(text.len()).min(text.len())).0;
            text.splice(to..to, moved);
        }
        // A word becomes another of the text, of another text, or a strange number.
        kind @ 3..=6 => {
            let all = words(text);
            let Some(&(start, end)) = all.get(random.below(all.len())) else {
                return;
            };
            let new = match kind {
                3 | 4 => {
                    let (from, to) = all[random.below(all.len())];
                    text[from..to].to_vec()
                }
                5 => {
                    let all = words(other);
                    let (from, to) = all[random.below(all.len())];
                    other[from..to].to_vec()
                }
                _ => NUMBERS[random.below(NUMBERS.len())].as_bytes().to_vec(),
            };
            text.splice(start..end, new);
        }
        // A byte is another, or gone; the rest is missing.
        7 => text[at] = random.next() as u8,
        8 => drop(text.remove(at)),
        _ => text.truncate(at.max(text.len() * 3 / 4)),
    }
}

/// What is wrong with the answer to a text, if anything.
fn judged(text: &[u8], options: &Options) -> Result<bool, String> {
    match optimize(text, options) {
        Ok(output) => {
            let passes = output.passes.iter();
            // What is found for shuffles can always be written.
            let wrong = |one: &&Report| one.fault().is_some() || one.search.is_some();
            if let Some(refusal) = passes.filter(wrong).find_map(Report::refusal) {
                return Err(refusal);
            }
            let again = ptx::parse(&output.text);
            again
                .map(|_| true)
                .map_err(|error| format!("what was written is no PTX: {error}"))
        }
        Err(Error::Syntax(error)) => {
            error.snippet("input.ptx", text).render();
            Ok(false)
        }
        Err(Error::Decode(_)) => Ok(false),
        Err(error @ Error::Edit(_)) => Err(error.to_string()),
    }
}

#[test]
fn broken_modules_are_rewritten_or_refused() {
    let number = |name: &str, usual| match env::var(name) {
        Ok(text) => text.parse().unwrap(),
        Err(_) => usual,
    };
    let (count, first) = (
        number("PTXASW_MUTANTS", USUAL),
        number("PTXASW_MUTANTS_SEED", 1),
    );
    let modules = modules();
    let options = Options {
        synthesis: synthesis::Options {
            profit: Profit::Always,
            ..Default::default()
        },
        jobs: 1,
        ..Options::default()
    };
    let (mut accepted, mut wrong) = (0, 0);
    for seed in first..first + count {
        let mut random = Random(seed);
        let mut text = modules[random.below(modules.len())].clone();
        for _ in 0..=random.next() % MOST_CHANGES {
            let other = &modules[random.below(modules.len())];
            if !text.is_empty() {
                mutate(&mut text, other, &mut random);
            }
        }
        let answer = catch_unwind(|| judged(&text, &options));
        match answer.unwrap_or_else(|_| Err("a panic".to_string())) {
            Ok(rewritten) => accepted += u64::from(rewritten),
            Err(what) => {
                wrong += 1;
                println!(
                    "==== seed {seed}: {what}\n{}",
                    String::from_utf8_lossy(&text)
                );
            }
        }
    }
    assert_eq!(wrong, 0, "of {count} mutants");
    // Else nothing but the parser was tried.
    assert!(accepted * 10 > count, "{accepted} of {count} are PTX");
}
