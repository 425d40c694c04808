//! The table of shapes, `ptx-tests/README.md`: what each file shows, how much of it is covered, and why the rest is not.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use crate::files::case::{Case, Mode, split_twin};
use crate::files::command;
use rayon::prelude::*;
use serde_json::Value;

/// Folders of shapes and what they are about.
const FOLDERS: &[(&str, &str)] = &[
    (
        "address",
        "Addresses (C1): which sums a lane and its neighbour have in common",
    ),
    ("wrap", "32-bit indices (C1): where they may wrap"),
    ("instance", "Instances (C2): which execution of the source"),
    (
        "carried",
        "Carried values (C2): what a loop keeps in a register for its next iteration",
    ),
    (
        "copies",
        "Divergent loops and branches (C2, C4): copies for whole warps",
    ),
    (
        "tracked",
        "Divergent loops and branches (C4): masks tracked by ballots, on request",
    ),
    ("participation", "Participation (C4): who is there"),
    (
        "waiting",
        "Waiting (C4): what a shuffle must not make a lane wait for",
    ),
    ("memory", "Memory (C3): what lies between"),
    ("neighbour", "Neighbours (C5): rows and warps"),
    ("lanes", "Other lane maps than a shift"),
    ("predicated", "Predicated loads"),
    ("widths", "Widths, vectors and forms of loads"),
    ("limits", "Limits"),
    ("modules", "Modules"),
    ("wrapping", "Wrappings"),
];

const HEAD: &str = "# Shapes

Each file is one behaviour. Its twin must be refused: the file `not-...` of its name beside it, or the one that its first line
names at its end, `(twin: not-...)`. This table is made by `make bless` from the files: covered loads and all loads, what the
file's first line says, its twin, and the reason for which a load stays that another load could have served
(`ptxasw explain CODE`).
";

/// The reason of loads for which there was nothing to find.
const NOTHING: &str = "C1-no-source";

/// Compares with the committed table, or writes it anew.
pub fn compare(folder: &Path) -> Result<(), String> {
    let actual = table(folder)?;
    let file = folder.join("README.md");
    if env::var_os("PTXASW_BLESS").is_some() {
        return fs::write(&file, actual).map_err(|error| error.to_string());
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    let wrong = actual
        .lines()
        .zip(expected.lines().chain(std::iter::repeat("")))
        .find(|(actual, expected)| actual != expected);
    match wrong {
        None if actual.len() == expected.len() => Ok(()),
        _ => Err(format!("{} is out of date: {wrong:#?}", file.display())),
    }
}

fn table(folder: &Path) -> Result<String, String> {
    let mut table = String::from(HEAD);
    for (name, title) in FOLDERS {
        let below = folder.join(name);
        if !below.is_dir() {
            continue;
        }
        let _ = writeln!(table, "\n## {title}\n");
        table.push_str("| file | covered | what it shows | twin | what stays, and why |\n| --- | ---: | --- | --- | --- |\n");
        let rows = crate::files::files_below(&below, "ptx")
            .into_par_iter()
            .map(|path| {
                let case = Case::load(folder, &path)?;
                match case.mode.is_module() {
                    true => {
                        row(folder, case).map_err(|error| format!("{}: {error}", path.display()))
                    }
                    false => Ok(String::new()),
                }
            });
        table.push_str(&rows.collect::<Result<String, String>>()?);
    }
    Ok(table)
}

fn row(folder: &Path, case: Case) -> Result<String, String> {
    let options = match &case.mode {
        Mode::Opt(options) => shared_options(options),
        Mode::Explain(options) | Mode::Remarks(options) => {
            let options = options.iter().filter(|option| *option != "--full");
            options.cloned().collect()
        }
        _ => Vec::new(),
    };
    let report = command::report(&case, &options)?;
    let report: Value = serde_json::from_str(&report).map_err(|error| error.to_string())?;
    let list = |key: &str| report[key].as_array().cloned().unwrap_or_default();
    let kernels = list("kernels");
    let source = source(folder, &case);
    let text = source.as_deref().unwrap_or(&case.text);
    let what = text
        .lines()
        .filter_map(|line| line.strip_prefix("// "))
        .find(|line| !is_header(line))
        .unwrap_or_default();
    let (what, _) = split_twin(what);
    let tried = kernels
        .iter()
        .filter(|kernel| kernel["left_alone"].is_null() && kernel["loads"] != 0);
    let covered: Vec<String> = tried
        .map(|kernel| format!("{} of {}", gone(kernel), kernel["loads"]))
        .collect();
    let remarks = list("remarks");
    let code = |value: &Value| value.as_str().map(str::to_owned);
    let mut codes = remarks.iter().filter_map(|remark| {
        let others = remark["others"].as_array().into_iter().flatten();
        let mut all = std::iter::once(remark).chain(others);
        all.find_map(|one| code(&one["code"]))
    });
    let why = codes.find(|code| code != NOTHING && !code.starts_with("profit"));
    let why = why.or_else(|| {
        kernels
            .iter()
            .find_map(|kernel| code(&kernel["left_alone"]))
    });
    let covers = covered.iter().any(|counts| !counts.starts_with("0 "));
    Ok(format!(
        "| {} | {} | {} | {} | {} |\n",
        case.name,
        covered.join(", "),
        cell(what),
        twins(folder, &case, covers)?.join(", "),
        why.unwrap_or_default(),
    ))
}

/// What a compiler made a file of, if that is here: `loop.cu` of `loop.clang.ptx`.
fn source(folder: &Path, case: &Case) -> Option<String> {
    let (below, name) = case.name.split_once('/')?;
    let (stem, _) = name.split_once('.').unwrap_or((name, ""));
    let path = folder.join(below).join("src").join(format!("{stem}.cu"));
    fs::read_to_string(path).ok()
}

/// Loads of a kernel that are no longer executed.
fn gone(kernel: &Value) -> u64 {
    let fates = &kernel["fates"]["loads"];
    let names = ["LoadRemoved", "StoreForwarded", "LoadBecomesShuffle"];
    names.iter().filter_map(|name| fates[name].as_u64()).sum()
}

/// The twins of a file that covers loads: the one of its name, or those that it names.
fn twins(folder: &Path, case: &Case, covers: bool) -> Result<Vec<String>, String> {
    let (below, name) = case.name.split_once('/').unwrap_or_default();
    if is_twin(&case.name) {
        return Ok(Vec::new());
    }
    let exists = |twin: &String| folder.join(format!("{twin}.ptx")).is_file();
    let own = ["not-", "not_"].map(|not| format!("{below}/{not}{name}"));
    let mut found: Vec<String> = own.into_iter().filter(exists).collect();
    let wrong = case
        .twins
        .iter()
        .find(|twin| !is_twin(twin) || !exists(twin));
    if let Some(wrong) = wrong {
        return Err(format!("'{wrong}' is no twin that exists"));
    }
    found.extend(case.twins.iter().cloned());
    match found.is_empty() && covers && !case.is_generated() {
        true => Err("has no twin: write one, or name one by `(twin: not-...)`".into()),
        false => Ok(found),
    }
}

/// Whether loads of this file must be refused, as its name says.
fn is_twin(name: &str) -> bool {
    let (_, name) = name.rsplit_once('/').unwrap_or_default();
    name.starts_with("not-") || name.starts_with("not_")
}

/// Options of `opt` that `explain` has, too: all that come in pairs, but those that name files.
fn shared_options(options: &[String]) -> Vec<String> {
    let mut shared = Vec::new();
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        match option.as_str() {
            "--no-load" | "--no-corner" | "-q" | "--quiet" | "-v" | "--verify" => {}
            "-o" | "--plan" | "--certificates" => {
                rest.next();
            }
            _ => shared.push(option.clone()),
        }
    }
    shared
}

fn is_header(line: &str) -> bool {
    ["ptxasw:", "launch:", "lockstep:"]
        .iter()
        .any(|key| line.starts_with(key))
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
