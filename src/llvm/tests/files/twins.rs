//! What is covered in LLVM IR beside what is covered in the PTX that `llc` makes of it: `twins.md`. Where the two differ the
//! one that covers less has its reason, or the file says why, in a comment `; differs: ...`.

use crate::files::case::Case;
use inkwell::context::Context;
use ptxasw::Options;
use ptxasw::passes::shuffle::Search;
use ptxasw::passes::shuffle::synthesis::Outcome;
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::read;
use ptxasw_llvm::stage::{self, Extras};
use std::cmp::Ordering;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// Folders of what compilers made.
const FOLDERS: [&str; 6] = [
    "carried",
    "copies",
    "kernelgen",
    "loads",
    "producers",
    "wild",
];
/// What modules are compiled for that don't say it.
const ARCH: &str = "sm_80";
/// How a reason begins.
const REASON: &str = "; differs: ";

/// Refusals that say that there was nothing to find.
const NOTHING: &str = "no earlier load reads these bytes";

const HEAD: &str = "# Twins

Modules that compilers made, as LLVM IR and as the PTX that `llc` makes of the same module: covered loads and all loads of each. The twin is the file of `ptx-tests/` that comes from
the same source, by clang or, where that is not there, by nvcc. Where IR and its PTX differ the last column has the first reason of the one that covers less. This table is made by `make bless`, and a test compares it.

| file | IR | its PTX | twin | why they differ |
| --- | ---: | ---: | --- | --- |
";

/// Compares with the committed table, or writes it anew.
pub fn compare(folder: &Path) -> Result<(), String> {
    let path = folder.join("twins.md");
    let actual = table(folder)?;
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if actual == expected {
        return Ok(());
    }
    if env::var_os("PTXASW_BLESS").is_some() {
        return fs::write(&path, actual).map_err(|error| error.to_string());
    }
    let wrong = actual
        .lines()
        .zip(expected.lines().chain(std::iter::repeat("")))
        .find(|(actual, expected)| actual != expected);
    Err(format!("{} is out of date: {wrong:#?}", path.display()))
}

fn table(folder: &Path) -> Result<String, String> {
    let mut table = String::from(HEAD);
    let mut wrong = String::new();
    for name in FOLDERS {
        for path in super::files_below(&folder.join(name), "ll") {
            let case = Case::load(folder, &path)?;
            match row(folder, &case) {
                Ok(row) => table.push_str(&row),
                Err(error) => {
                    let _ = writeln!(wrong, "{}: {error}", case.name);
                }
            }
        }
    }
    match wrong.is_empty() {
        true => Ok(table),
        false => Err(wrong),
    }
}

fn row(folder: &Path, case: &Case) -> Result<String, String> {
    let context = Context::create();
    let module = read::read(&context, case.text.as_bytes(), &case.name);
    let module = module.map_err(|error| error.to_string())?;
    let options = Options {
        synthesis: case.synthesis(),
        jobs: 1,
        ..Options::of_shuffles()
    };
    let decided = stage::decided(&module, &options, &Extras::default());
    let (_, decided) = decided.map_err(|error| error.to_string())?;
    let ir: Vec<Search> = decided.searches().cloned().collect();
    let text = outputs::write(&module, Kind::Ptx, Some(ARCH)).map_err(|error| error.to_string())?;
    let ptx = of_ptx(&text, &options)?;
    let given = case.text.lines().find_map(|line| line.strip_prefix(REASON));
    let reason = match (counts(&ir) == counts(&ptx), given) {
        (true, Some(_)) => return Err(format!("there is a reason, but both are {}", shown(&ir))),
        (true, None) => String::new(),
        (false, Some(given)) => given.to_owned(),
        (false, None) => found_reason(&ir, &ptx).ok_or_else(|| {
            let (ir, ptx) = (shown(&ir), shown(&ptx));
            format!("{ir} in IR, {ptx} in its PTX, and no reason: say `{REASON}...`")
        })?,
    };
    let (name, ir, ptx) = (&case.name, shown(&ir), shown(&ptx));
    let twin = twin(folder, name, &options)?;
    Ok(format!("| {name} | {ir} | {ptx} | {twin} | {reason} |\n"))
}

/// Why the one that covers less keeps a load that another load could have served.
fn found_reason(ir: &[Search], ptx: &[Search]) -> Option<String> {
    let ((in_ir, loads_of_ir), (in_ptx, loads_of_ptx)) = (counts(ir), counts(ptx));
    let (where_, kernels) = match in_ir.cmp(&in_ptx) {
        Ordering::Less => ("IR", ir),
        Ordering::Greater => ("PTX", ptx),
        Ordering::Equal => {
            return Some(format!("`llc` makes {loads_of_ptx} loads of {loads_of_ir}"));
        }
    };
    let kept = kernels.iter().flat_map(|kernel| &kernel.loads);
    let mut refusals = kept.filter_map(|load| match &load.outcome {
        Outcome::Kept(refusal) if !refusal.text().contains(NOTHING) => Some(refusal),
        _ => None,
    });
    let refusal = refusals.next()?;
    let condition = refusal.condition().name();
    Some(format!("{where_} ({condition}): {}", refusal.text()))
}

/// The file of the same source, with its counts.
fn twin(folder: &Path, name: &str, options: &Options) -> Result<String, String> {
    let folder = folder.join("../ptx-tests");
    // The modules of one folder here are in several there.
    let places = match name.strip_prefix("loads/") {
        Some(name) => vec![
            format!("loads/cuda/{name}"),
            format!("loads/records/{name}"),
        ],
        None => vec![name.to_owned()],
    };
    let by = [".clang", ".sm_80", ""].into_iter();
    let names = by.flat_map(|by| places.iter().map(move |place| format!("{place}{by}")));
    let names: Vec<String> = names.collect();
    let Some(name) = names
        .iter()
        .find(|name| folder.join(format!("{name}.ptx")).is_file())
    else {
        return Ok(String::new());
    };
    let text = fs::read(folder.join(format!("{name}.ptx"))).map_err(|error| error.to_string())?;
    Ok(format!("{name}: {}", shown(&of_ptx(&text, options)?)))
}

fn of_ptx(text: &[u8], options: &Options) -> Result<Vec<Search>, String> {
    let output = ptxasw::optimize(text, options).map_err(|error| error.to_string())?;
    Ok(output.searches().cloned().collect())
}

/// Covered loads, and all.
fn counts(kernels: &[Search]) -> (usize, usize) {
    let loads = || kernels.iter().flat_map(|kernel| &kernel.loads);
    let covered = loads().filter(|load| matches!(load.outcome, Outcome::Covered(_)));
    (covered.count(), loads().count())
}

/// `4 of 9`.
fn shown(kernels: &[Search]) -> String {
    let (covered, loads) = counts(kernels);
    format!("{covered} of {loads}")
}
