//! File tests: every `llvm-tests/**/*.ll` is a case, with headers and expectations as those of `ptx-tests/` have them:
//!
//! ```text
//! ; ptxasw: opt --wrapping F      or `remarks` or `explain` with options, `dump`, or nothing
//! ; launch: KERNEL grid=4 block=128 args=...
//! ... the module ...
//! ; expect:
//! ; what the command prints
//! ```
//!
//! Every module is read, lowered, and its SSA IR checked; rewritten, compiled, assembled, and executed beside the original.
//! `PTXASW_BLESS=1` writes expectations anew.

#[path = "../../../../tests/files/assemble.rs"]
#[allow(dead_code)]
pub mod assemble;
#[path = "../../../../tests/files/case.rs"]
#[allow(dead_code)]
pub mod case;
#[path = "../../../../tests/files/compare.rs"]
pub mod compare;
mod counts;
mod lines;
mod once;
#[path = "../../../../tests/files/remarks.rs"]
mod remarks;
mod rewritten;
mod twins;
mod versions;

use crate::times::trial;
use case::{Case, Mode};
use inkwell::context::Context;
use libtest_mimic::{Failed, Trial};
use ptxasw::ir::text;
use ptxasw::ir::verify::verify;
use ptxasw_llvm::view::View;
use ptxasw_llvm::{kernels, lower, read};
use remarks::Lines;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// All trials.
pub fn trials() -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../llvm-tests");
    let mut trials = vec![trial("expectations", || Ok(remarks::check()?))];
    for path in files_below(&folder, "ll") {
        match Case::load(&folder, &path) {
            Ok(mut case) => {
                case.text = versions::reworded(&case.text);
                add_case(&mut trials, Arc::new(case));
            }
            Err(error) => trials.push(trial(path.display().to_string(), || Err(error.into()))),
        }
    }
    if versions::reads_all() {
        let folder = folder.clone();
        add(&mut trials, "counts", "kernelgen".to_owned(), move || {
            counts::compare(&folder)
        });
    } else {
        let folder = folder.clone();
        add(&mut trials, "counts", "shuffles".to_owned(), move || {
            shuffles_of_older(&folder)
        });
    }
    if is_of_files() {
        add(&mut trials, "counts", "twins".to_owned(), move || {
            twins::compare(&folder)
        });
    }
    trials
}

/// Whether modules are printed as files expect: by the LLVM of the clang that wrote them.
fn is_of_files() -> bool {
    versions::VERSION == "19"
}

fn add_case(trials: &mut Vec<Trial>, case: Arc<Case>) {
    add(trials, "lower", case.name.clone(), {
        let case = Arc::clone(&case);
        move || lowers(&case)
    });
    add(trials, "rewritten", case.name.clone(), {
        let case = Arc::clone(&case);
        move || rewritten::equal(&case)
    });
    add(trials, "once", case.name.clone(), {
        let case = Arc::clone(&case);
        move || once::check(&case)
    });
    if let Mode::Remarks(_) = case.mode {
        if versions::reads_all() {
            add(trials, "remarks", case.name.clone(), move || {
                case.compare_remarks(&found(&case)?)
            });
        }
    } else if case.mode != Mode::Module && is_of_files() {
        add(trials, "command", case.name.clone(), move || {
            case.compare(&output(&case)?)
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

/// Every body becomes valid SSA form, the same each time.
fn lowers(case: &Case) -> Result<(), String> {
    let context = Context::create();
    let text = case.text.as_bytes();
    let module = read::read(&context, text, &case.name).map_err(|error| error.to_string())?;
    let view = View::new(&module);
    for entry in kernels::functions(view) {
        let function = lower::lower(view, &entry).function;
        if let Some(violation) = verify(&function).first() {
            return Err(format!("`{}`: {violation}\n{function}", entry.name));
        }
        let again = lower::lower(view, &entry).function;
        if function.to_string() != again.to_string() {
            return Err(format!("`{}` is lowered in two ways", entry.name));
        }
        let text = function.to_string();
        let back = text::parse(&text).map_err(|error| format!("{error}\n{text}"))?;
        if back.to_string() != text {
            return Err(format!("{text}\nis read as\n{back}"));
        }
    }
    Ok(())
}

/// Shuffles that older versions have at least in KernelGen.
const LEAST_SHUFFLES: usize = 350;

/// Less is proved where IR says less, but not nothing.
fn shuffles_of_older(folder: &Path) -> Result<(), String> {
    let mut all = 0;
    for path in files_below(&folder.join("kernelgen"), "ll") {
        let mut case = Case::load(folder, &path)?;
        case.text = versions::reworded(&case.text);
        all += rewritten::shuffles(&case)?;
    }
    match all >= LEAST_SHUFFLES {
        true => Ok(()),
        false => Err(format!("{all} shuffles in KernelGen")),
    }
}

/// What becomes of the loads of a case, by line of the file.
fn found(case: &Case) -> Result<Lines, String> {
    let report = output(case)?;
    let context = Context::create();
    let module = read::read(&context, case.text.as_bytes(), &case.name);
    let module = module.map_err(|error| error.to_string())?;
    let printed = View::new(&module).print_bytes();
    let in_file = lines::in_file(&String::from_utf8_lossy(&printed), &case.text)?;
    let line_of = |name: &str| {
        let mut lines = (1..).zip(case.text.lines());
        let head = format!("@{name}(");
        let found = lines.find(|(_, line)| line.starts_with("define") && line.contains(&head));
        found.map(|(line, _)| line)
    };
    remarks::found(&report, line_of, in_file)
}

/// What the command of the case's header prints.
fn output(case: &Case) -> Result<String, String> {
    let (name, options): (&str, &[String]) = match &case.mode {
        Mode::Explain(options) | Mode::Remarks(options) => ("explain", options),
        Mode::Opt(options) => ("opt", options),
        Mode::Dump => ("dump", &[]),
        other => return Err(format!("{other:?} is no command for LLVM IR")),
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw-llvm"));
    command.arg(name).args(options).arg("-");
    if let Mode::Remarks(_) = case.mode {
        command.arg("--json");
    }
    // What is proved is seen, unless a case is about what of that is emitted.
    if name != "dump" && !options.iter().any(|option| option == "--profit") {
        command.args(["--profit", "always"]);
    }
    // The files are about shuffles, unless they name passes.
    let passes = |option: &String| option.starts_with("--passes") || option.starts_with("--loads");
    if name != "dump" && !options.iter().any(passes) {
        command.args(["--passes", "shuffle"]);
    }
    if name == "opt" {
        command.arg("--no-register-check");
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    if let Some(mut input) = child.stdin.take() {
        // All of the input is read before anything is printed.
        input
            .write_all(case.text.as_bytes())
            .map_err(|error| error.to_string())?;
    }
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => {
            let printed = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
            let own = |line: &&str| {
                !line.starts_with("; ModuleID") && !line.starts_with("source_filename")
            };
            Ok(printed
                .lines()
                .filter(own)
                .flat_map(|line| [line, "\n"])
                .collect())
        }
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// All files of a folder and the folders below with that extension, sorted.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let all = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter();
    let files = all.filter_map(|entry| Some(entry.ok()?.into_path()));
    files
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect()
}
