//! Random patches that change nothing of what kernels compute, written into PTX and compared with the originals by the executor.
//!
//! `PTXASW_PATCHES=50` tries that many for each file instead of one for some files (`make soak`), `PTXASW_PATCHES_SEED=7` starts at
//! another seed, `PTXASW_PATCHES_FILE=jacobi` takes the files that have the word in their path, `PTXASW_PATCHES_KEEP=folder` leaves the
//! texts there.

#[path = "../files/assemble.rs"]
mod assemble;
mod generate;
mod random;

use ptxasw::ir::patch::{Patch, verify};
use ptxasw::ptx::ast::Module;
use ptxasw::ptx::decode::{decode, form};
use ptxasw::ptx::lower::{Lowered, lower};
use ptxasw::ptx::text::edit::apply;
use ptxasw::ptx::write::{Signature, Stem, View, WriteError, together, write};
use ptxasw::toolchain::{Arch, Assembler};
use ptxasw::verify::{self, Reason, Verdict, verify_kernel};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Files between two that are tried in a usual run.
const STEP: usize = 6;
/// Bytes of the largest file that is tried.
const LARGEST: u64 = 64 << 10;
/// Edits of a patch at most.
const EDITS: usize = 12;
/// Attempts to find a patch for a kernel.
const ATTEMPTS: u64 = 6;
/// Warp instructions, roughly, that one comparison takes.
const STEPS: u64 = 1 << 15;
/// Texts that one assembler takes.
const BATCH: usize = 12;
/// Of 100 kernels, so many must be compared.
const LEAST_SHARE: usize = 50;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn files() -> Vec<PathBuf> {
    let word = std::env::var("PTXASW_PATCHES_FILE").unwrap_or_default();
    let found = glob::glob("ptx-tests/**/*.ptx").unwrap().flatten();
    let small = |path: &PathBuf| path.metadata().is_ok_and(|data| data.len() <= LARGEST);
    let mut found: Vec<PathBuf> = found
        .filter(|path| path.to_string_lossy().contains(&word))
        .filter(small)
        .collect();
    found.sort();
    let step = if word.is_empty() && number("PTXASW_PATCHES").is_none() {
        STEP
    } else {
        1
    };
    found.into_iter().step_by(step).collect()
}

/// What became of kernels.
#[derive(Default)]
struct Outcomes {
    /// Kernels by outcome.
    counts: BTreeMap<String, usize>,
    /// What was written, beside the original.
    texts: Vec<Written>,
}

struct Written {
    name: String,
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Outcomes {
    fn count(&mut self, what: impl Into<String>) {
        *self.counts.entry(what.into()).or_default() += 1;
    }
}

#[test]
fn patched_kernels_do_what_the_originals_do() {
    let (rounds, first) = (
        number("PTXASW_PATCHES").unwrap_or(1),
        number("PTXASW_PATCHES_SEED").unwrap_or(0),
    );
    let all = files();
    let outcomes = all
        .par_iter()
        .map(|path| {
            let mut outcomes = Outcomes::default();
            for seed in first..first + rounds {
                one_file(path, seed, &mut outcomes);
            }
            outcomes
        })
        .reduce(Outcomes::default, |mut all, one| {
            for (what, count) in one.counts {
                *all.counts.entry(what).or_default() += count;
            }
            all.texts.extend(one.texts);
            all
        });
    let counts = &outcomes.counts;
    println!("{counts:#?}");
    let of = |what: &str| counts.get(what).copied().unwrap_or(0);
    assert_eq!(of("wrong"), 0);
    assembled(&outcomes.texts);
    assert!(
        of("equal") * 100 >= of("kernels") * LEAST_SHARE,
        "too few kernels are compared"
    );
}

fn one_file(path: &PathBuf, seed: u64, outcomes: &mut Outcomes) {
    let text = std::fs::read(path).unwrap();
    // Some files are not PTX, on purpose.
    let Ok(module) = ptxasw::ptx::parse(&text) else {
        return;
    };
    let Ok(form) = decode(&module) else { return };
    for (number, function) in form.functions.iter().enumerate() {
        if !function.entry || !function.defined {
            continue;
        }
        outcomes.count("kernels");
        let seed = seed * 1000 + number as u64;
        let what = match patched(&module, &form, function, seed) {
            Ok((patch, after)) => {
                if let Some(folder) = std::env::var_os("PTXASW_PATCHES_KEEP") {
                    let name = path.file_stem().unwrap_or_default().to_string_lossy();
                    let name = format!("{name}-{seed}.ptx");
                    std::fs::write(PathBuf::from(folder).join(name), &after).unwrap();
                }
                outcomes.texts.push(Written {
                    name: format!("{} {} seed {seed}", path.display(), function.name),
                    before: text.clone(),
                    after: after.clone(),
                });
                let said = compared(&text, &after, &function.name);
                if said == "wrong" {
                    println!(
                        "{} {} seed {seed}\n{}\n{patch:?}",
                        path.display(),
                        function.name,
                        String::from_utf8_lossy(&after)
                    );
                }
                said
            }
            Err(what) => what,
        };
        outcomes.count(what);
    }
}

/// A patch that the function takes, and the text with it.
fn patched(
    module: &Module,
    form: &form::Module,
    function: &form::Function,
    seed: u64,
) -> Result<(Patch, Vec<u8>), String> {
    let lowered: Lowered = lower(form, function).map_err(|error| error.to_string())?;
    let view = View::new(module, function, &lowered);
    let mut last = String::new();
    for attempt in 0..ATTEMPTS {
        let seed = seed * ATTEMPTS + attempt;
        let patch = generate::patch(&lowered.function, &view, seed, 1 + seed as usize % EDITS);
        if generate::edits(&patch) == 0 {
            last = "nothing to change".into();
            continue;
        }
        let verified = match verify(&lowered.function, &patch) {
            Ok(verified) => verified,
            Err(error) => {
                last = format!("patch: {}", variant(&format!("{error:?}")));
                continue;
            }
        };
        let signature = Signature {
            stem: Stem::Pass,
            mark: None,
        };
        match write(&view, &verified, signature) {
            Ok(written) => {
                let edits = together(module, [&written]);
                let text = apply(module.text(), &edits).map_err(|error| error.to_string())?;
                drop(verified);
                return Ok((patch, text));
            }
            Err(error) => last = format!("written: {}", variant(&written(error))),
        }
    }
    Err(last)
}

fn written(error: WriteError) -> String {
    match error {
        WriteError::Uncopyable(one) => format!("uncopyable, {}", one.what),
        other => format!("{other:?}"),
    }
}

/// The first word of what `Debug` prints.
fn variant(text: &str) -> String {
    text.chars()
        .take_while(|one| *one != '(' && *one != '{')
        .collect()
}

fn compared(before: &[u8], after: &[u8], name: &str) -> String {
    let read = |text| verify::Module::read(text);
    let before = read(before).expect("the original is read");
    let after = match read(after) {
        Ok(module) => module,
        Err(error) => {
            println!("{error}");
            return "wrong".into();
        }
    };
    let options = verify::Options {
        jobs: 1,
        steps: STEPS,
        ..verify::Options::default()
    };
    let (Some(before), Some(after)) = (before.kernel(name), after.kernel(name)) else {
        return "wrong".into();
    };
    match verify_kernel(before, after, &options).verdict {
        // Some copies are entered under a condition that never holds.
        Verdict::Equal | Verdict::CouldNotRun(Reason::Unreached) => "equal".into(),
        Verdict::CouldNotRun(Reason::Race { .. }) => "races".into(),
        Verdict::CouldNotRun(reason) => format!("not run: {}", variant(&format!("{reason:?}"))),
        found => {
            println!("{found:?}");
            "wrong".into()
        }
    }
}

/// The real assembler takes what is written, where it takes the original.
fn assembled(texts: &[Written]) {
    let found = [Arch::new(80), Arch::OLDEST_OF_CUDA_12].map(|arch| Assembler::find(arch).ok());
    let [Some(new), Some(old)] = found else {
        assert!(std::env::var_os("CI").is_none(), "no ptxas");
        println!("skipped: no ptxas");
        return;
    };
    let mut by_target: BTreeMap<Arch, Vec<&Written>> = BTreeMap::new();
    for text in texts {
        if let Ok(arch) = assemble::target(&text.after) {
            by_target.entry(arch).or_default().push(text);
        }
    }
    let batches = by_target.iter();
    let batches: Vec<(Arch, &[&Written])> = batches
        .flat_map(|(&arch, texts)| texts.chunks(BATCH).map(move |chunk| (arch, chunk)))
        .collect();
    let refused: Vec<String> = batches
        .par_iter()
        .flat_map_iter(|&(arch, chunk)| {
            let assembler = if arch < Arch::OLDEST_OF_CUDA_13 {
                &old
            } else {
                &new
            };
            let as_text = |one: &Written, bytes| assemble::Text {
                name: one.name.clone(),
                bytes,
            };
            let after: Vec<_> = chunk.iter().map(|one| as_text(one, &one.after)).collect();
            let refused = assemble::refused(assembler, arch, &after).into_iter();
            let new = refused.filter(|(number, _)| {
                let before = [as_text(chunk[*number], &chunk[*number].before)];
                assemble::refused(assembler, arch, &before).is_empty()
            });
            new.map(|(_, said)| said).collect::<Vec<_>>()
        })
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
