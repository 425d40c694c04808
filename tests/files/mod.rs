//! File tests: every `ptx-tests/**/*.ptx` is a case.
//!
//! A case is a PTX module. Comment lines at its head say how it is tested, and
//! a block at its end what is expected:
//!
//! ```text
//! // ptxasw: parse                      what is run; see `case::Mode`
//! // launch: k grid=2 block=128 args=f32[200],200
//! // lockstep: deadlock               only independent lanes get through
//! ... the module ...
//! // expect:
//! // 3:1: expected `;`, found `}`
//! ```
//!
//! What becomes of loads is expected on their own lines: see [`remarks`].
//!
//! Every module that has a meaning is lowered and rewritten by its schemes (`Case::schemes`); the results are compared, assembled,
//! and, where a launch is given, executed.
//!
//! `PTXASW_BLESS=1` writes the block anew. Without `ptxas` or `nvcc` the checks
//! that need them are left out, with a line that says so; with `CI` set that
//! is a failure.

mod assemble;
mod batch;
mod case;
mod checks;
mod command;
mod compare;
mod counts;
mod execute;
mod fates;
mod forms;
mod generated;
mod limit;
mod remarks;
mod rewrite;
mod shapes;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

use case::{Case, Mode};
use generated::Generated;
use rewrite::Subject;
use tools::Tools;

use crate::times::trial;

/// All trials; without tools only their list.
pub fn trials(arguments: &Arguments) -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tools = Arc::new(Tools::find());
    if !arguments.list {
        tools.print();
    }
    let mut trials = vec![trial("tools", {
        let tools = Arc::clone(&tools);
        move || Ok(tools.complete()?)
    })];
    trials.push(trial("expectations", || Ok(remarks::check()?)));
    let folder = root.join("ptx-tests");
    let mut subjects = Vec::new();
    for path in files_below(&folder, "ptx") {
        match Case::load(&folder, &path) {
            Ok(case) => subjects.push(Arc::new(Subject::new(case))),
            Err(error) => trials.push(trial(path.display().to_string(), || Err(error.into()))),
        }
    }
    for subject in &subjects {
        add_case(&mut trials, subject);
    }
    if tools.ptxas.is_some() {
        subjects.retain(|subject| subject.case.mode.is_module());
        add_batches(&mut trials, &subjects, &tools);
    }
    let tables: [(&str, counts::Table); 2] = [
        ("kernelgen", counts::operators),
        ("producers", counts::producers),
    ];
    for (name, table) in tables {
        let folder = folder.join(name);
        add(&mut trials, "counts", name.to_owned(), move || {
            counts::compare(&folder, table)
        });
    }
    add(&mut trials, "counts", "readme".to_owned(), {
        let folder = folder.join("producers");
        move || counts::readme(&folder)
    });
    trials.push(trial("shapes", {
        let folder = folder.clone();
        move || Ok(shapes::compare(&folder)?)
    }));
    for chapter in files_below(&folder.join("forms"), "txt") {
        let tools = Arc::clone(&tools);
        add(&mut trials, "forms", stem(&chapter), move || {
            forms::check(&chapter, &tools)
        });
    }
    if let Some(nvcc) = &tools.nvcc {
        let generated = Arc::new(Generated::new(root, nvcc));
        for source in files_below(&folder, "cu") {
            // Options of its own make a source record paths of the machine.
            if fs::read_to_string(&source).is_ok_and(|text| text.contains("\n// nvcc:")) {
                continue;
            }
            add(&mut trials, "generated", stem(&source), {
                let generated = Arc::clone(&generated);
                move || generated.check(&source)
            });
        }
    }
    trials
}

/// The trials of one case, but for the assembler.
fn add_case(trials: &mut Vec<Trial>, subject: &Arc<Subject>) {
    let mut add_check = |kind, check: fn(&Subject) -> Result<(), String>| {
        let subject = Arc::clone(subject);
        let name = subject.case.name.clone();
        add(trials, kind, name, move || check(&subject));
    };
    if subject.case.mode == Mode::Parse {
        return add_check("parse", |one| {
            one.case.compare(&checks::diagnostic(&one.case.text))
        });
    }
    add_check("syntax", |one| checks::syntax(&one.case));
    if !subject.case.mode.is_module() {
        return;
    }
    add_check("lower", |one| checks::lowers(&one.case.text));
    add_check("rewrite", rewrite::stable);
    add_check("once", rewrite::once);
    add_check("fates", fates::agree);
    add_check("limit", limit::prefixes);
    if !subject.case.launches.is_empty() {
        add_check("execute", execute::equal);
    }
    add_check("verify", execute::equal_by_itself);
    if let Mode::Remarks(_) = subject.case.mode {
        add_check("remarks", |one| {
            one.case.compare_remarks(&command::remarks(&one.case)?)
        });
    }
    if let Mode::Opt(_) | Mode::Explain(_) | Mode::Run(_) = subject.case.mode {
        add_check("command", |one| {
            one.case.compare(&command::output(&one.case)?)
        });
    }
}

/// The trials of all cases that need the assembler.
fn add_batches(trials: &mut Vec<Trial>, subjects: &[Arc<Subject>], tools: &Arc<Tools>) {
    let batches = match batch::batches(subjects) {
        Ok(batches) => batches,
        Err(error) => return trials.push(trial("assemble", || Err(error.into()))),
    };
    for (subject, batch) in batches {
        let tools = Arc::clone(tools);
        add(trials, "assemble", subject.case.name.clone(), move || {
            batch.accepts(&tools, &subject)
        });
    }
}

fn add(
    trials: &mut Vec<Trial>,
    kind: &str,
    name: String,
    check: impl FnOnce() -> Result<(), String> + Send + 'static,
) {
    trials.push(trial(format!("{kind}::{name}"), || {
        check().map_err(Failed::from)
    }));
}

/// All files of a folder and the folders below with that extension, sorted.
fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
