//! The passes over the SSA IR and those of `examples/pass.rs` on every file of `ptx-tests/` and `llvm-tests/`: no patch is refused, `ptxas` takes the new
//! text, and the executor finds original and new text equal.

#[path = "../../../../examples/pass.rs"]
#[allow(dead_code)]
mod pass;
mod subject;

use crate::files::assemble::{self, Text};
use crate::files::files_below;
use crate::times::trial;
use libtest_mimic::Trial;
use ptxasw::toolchain::{Arch, Assembler, is_part};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use subject::{Sites, Subject};

/// Files that are assembled by one process.
const BATCH: usize = 24;
/// Places that each pass rewrites in the files of PTX, and in those of LLVM IR, at least.
const LEAST: [Sites; 2] = [
    Sites {
        memory: 100,
        scalar: 400,
        division: 3,
        saturate: 150,
        double: 40,
        tested: 4000,
    },
    Sites {
        memory: 20,
        scalar: 0,
        division: 0,
        saturate: 100,
        double: 4,
        tested: 800,
    },
];

/// All trials.
pub fn trials() -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut trials = Vec::new();
    for ((folder, extension), least) in [("ptx-tests", "ptx"), ("llvm-tests", "ll")]
        .iter()
        .zip(LEAST)
    {
        let folder = root.join(folder);
        let mut subjects = Vec::new();
        for path in files_below(&folder, extension) {
            match Subject::load(&folder, &path) {
                Ok(subject) => subjects.extend(subject.map(Arc::new)),
                Err(error) => trials.push(trial(path.display().to_string(), || Err(error.into()))),
            }
        }
        for subject in &subjects {
            let subject = Arc::clone(subject);
            let name = format!("passes::equal::{}.{extension}", subject.case.name);
            trials.push(trial(name, move || Ok(subject.equal()?)));
        }
        add_batches(&mut trials, &subjects, extension);
        trials.push(trial(format!("passes::count::{extension}"), move || {
            Ok(counted(&subjects, least)?)
        }));
    }
    trials
}

/// Neither pass does nothing.
fn counted(subjects: &[Arc<Subject>], least: Sites) -> Result<(), String> {
    let mut sum = Sites::default();
    for subject in subjects {
        let sites = subject.sites()?;
        sum.memory += sites.memory;
        sum.scalar += sites.scalar;
        sum.division += sites.division;
        sum.saturate += sites.saturate;
        sum.double += sites.double;
        sum.tested += sites.tested;
    }
    let enough = sum.memory >= least.memory
        && sum.scalar >= least.scalar
        && sum.division >= least.division
        && sum.saturate >= least.saturate
        && sum.double >= least.double
        && sum.tested >= least.tested;
    match enough {
        true => Ok(()),
        false => Err(format!("{sum:?} are less than {least:?}")),
    }
}

/// The trials that assemble the new texts, those of one target together.
fn add_batches(trials: &mut Vec<Trial>, subjects: &[Arc<Subject>], extension: &str) {
    let mut groups: BTreeMap<(Arch, bool), Vec<Arc<Subject>>> = BTreeMap::new();
    for subject in subjects {
        match subject.target() {
            Ok(arch) => {
                let part = is_part(subject.case.text.as_bytes());
                groups
                    .entry((arch, part))
                    .or_default()
                    .push(Arc::clone(subject));
            }
            Err(error) => trials.push(trial(subject.case.name.clone(), || Err(error.into()))),
        }
    }
    for ((arch, _), group) in groups {
        for (number, batch) in group.chunks(BATCH).enumerate() {
            let batch = batch.to_vec();
            let name = format!("passes::assemble::{extension}::{arch}::{number}");
            trials.push(trial(name, move || Ok(assembled(&batch, arch)?)));
        }
    }
}

fn assembled(batch: &[Arc<Subject>], arch: Arch) -> Result<(), String> {
    let assembler = match Assembler::find(arch) {
        Ok(assembler) => assembler,
        Err(_) if std::env::var_os("CI").is_none() => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let mut texts = Vec::new();
    for subject in batch {
        if let Some(text) = subject.text()? {
            texts.push(Text {
                name: subject.case.name.clone(),
                bytes: text,
            });
        }
    }
    match assemble::refused(&assembler, arch, &texts).first() {
        Some((_, error)) => Err(error.clone()),
        None => Ok(()),
    }
}
