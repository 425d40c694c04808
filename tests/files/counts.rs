//! Loads and shuffles of every KernelGen operator and of every producer, as the tables `counts.txt` have them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use ptxasw::passes::shuffle::Search;
use ptxasw::passes::shuffle::refusal::Refusal;
use ptxasw::passes::shuffle::synthesis::Outcome;
use ptxasw::{Options, Output, optimize};

/// Makes a table anew.
pub type Table = fn(&Path) -> Result<String, String>;

/// Operators by compiler: loads, shuffles, their mean distance.
pub fn operators(folder: &Path) -> Result<String, String> {
    let mut table = String::from("operator compiler loads shuffles mean-|N|\n");
    for path in crate::files::files_below(folder, "ptx") {
        let name = crate::files::stem(&path);
        let (operator, compiler) = name.split_once('.').unwrap_or((&name, ""));
        let text = fs::read(&path).map_err(|error| error.to_string())?;
        let output =
            optimize(&text, &Options::of_shuffles()).map_err(|error| format!("{name}: {error}"))?;
        let loads: usize = output.searches().map(|one| one.loads.len()).sum();
        let shuffles = output.searches().flat_map(|one| &one.plan.shuffles);
        let distances: u32 = shuffles.map(|shuffle| shuffle.lanes.distance()).sum();
        let count = output.shuffles();
        let mean = match count {
            0 => "-".to_owned(),
            _ => format!("{:.2}", f64::from(distances) / count as f64),
        };
        let _ = writeln!(table, "{operator} {compiler} {loads} {count} {mean}");
    }
    Ok(table)
}

/// Files by producer: loads, shuffles, and how many of the others failed for which reason.
pub fn producers(folder: &Path) -> Result<String, String> {
    let mut table = String::from("file loads shuffles refused\n");
    for path in crate::files::files_below(folder, "ptx") {
        let name = crate::files::stem(&path);
        let text = fs::read(&path).map_err(|error| error.to_string())?;
        let output =
            optimize(&text, &Options::of_shuffles()).map_err(|error| format!("{name}: {error}"))?;
        let loads: usize = output.searches().map(|one| one.loads.len()).sum();
        let _ = writeln!(table, "{name} {loads} {}", output.shuffles());
        for (code, count) in refusals(&output) {
            let _ = writeln!(table, "    {count} {code}");
        }
    }
    Ok(table)
}

/// Refusals by the code of their reason; a kernel that was not tried counts as one.
fn refusals(output: &Output) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for refusal in output.searches().flat_map(kept) {
        *counts.entry(refusal.reason.code).or_insert(0) += 1;
    }
    counts
}

/// The rows of a table in Markdown that begin with a file's name, loads and shuffles: `` | `NAME` | 9 | 6 | ... | ``, with
/// these two as `counts` has them.
fn rows(readme: &str, counts: &str) -> String {
    let mut numbers = BTreeMap::new();
    for line in counts.lines().filter(|line| !line.starts_with(' ')) {
        if let [name, loads, shuffles] = line.split(' ').take(3).collect::<Vec<_>>()[..] {
            numbers.insert(format!("`{name}`"), (loads, shuffles));
        }
    }
    let row = |line: &str| {
        let mut cells: Vec<&str> = line.split(" | ").collect();
        let name = cells[0].strip_prefix("| ").unwrap_or_default();
        if let (Some(&(loads, shuffles)), true) = (numbers.get(name), cells.len() > 3) {
            cells[1] = loads;
            cells[2] = shuffles;
        }
        cells.join(" | ") + "\n"
    };
    readme.lines().map(row).collect()
}

/// Compares the numbers in the producers' README with those of their table, or writes them anew.
pub fn readme(folder: &Path) -> Result<(), String> {
    let counts = producers(folder)?;
    let file = folder.join("README.md");
    let old = fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let new = rows(&old, &counts);
    if env::var_os("PTXASW_BLESS").is_some() {
        return fs::write(&file, new).map_err(|error| error.to_string());
    }
    let names = counts.lines().filter(|line| !line.starts_with(' ')).skip(1);
    let missing: Vec<&str> = names
        .filter_map(|line| line.split(' ').next())
        .filter(|name| !old.contains(&format!("| `{name}` | ")))
        .collect();
    match (old == new, missing.is_empty()) {
        (true, true) => Ok(()),
        (true, false) => Err(format!("{} lacks rows for {missing:?}", file.display())),
        (false, _) => Err(format!(
            "the numbers in {} are old ('make bless')",
            file.display()
        )),
    }
}

/// Why a kernel was not tried, and why its loads stay loads.
fn kept(search: &Search) -> impl Iterator<Item = &Refusal> {
    let of_loads = search.loads.iter().filter_map(|load| match &load.outcome {
        Outcome::Kept(refusal) => Some(refusal.as_ref()),
        Outcome::Covered(_) => None,
    });
    search.skipped.iter().chain(of_loads)
}

/// Compares with the committed table, or writes it anew.
pub fn compare(folder: &Path, table: Table) -> Result<(), String> {
    let file = folder.join("counts.txt");
    let actual = table(folder)?;
    if env::var_os("PTXASW_BLESS").is_some() {
        return fs::write(&file, actual).map_err(|error| error.to_string());
    }
    let expected = fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let wrong: Vec<&str> = actual
        .lines()
        .filter(|line| expected.lines().all(|other| other != *line))
        .collect();
    if actual == expected {
        Ok(())
    } else {
        Err(format!(
            "{} has other lines than {wrong:#?}",
            file.display()
        ))
    }
}
