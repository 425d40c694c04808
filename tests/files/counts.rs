//! Loads and shuffles of every KernelGen operator and of every producer, as the tables `counts.txt` have them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use ptxasw::pipeline::Kernel;
use ptxasw::shuffle::refusal::{ConditionName, Refusal};
use ptxasw::shuffle::synthesis::Outcome;
use ptxasw::{Options, Output, optimize};

/// Makes a table anew.
pub type Table = fn(&Path) -> Result<String, String>;

/// Operators by compiler: loads, shuffles, their mean distance.
pub fn operators(folder: &Path) -> Result<String, String> {
    let mut table = String::from("operator compiler loads shuffles mean-|N|\n");
    for path in crate::files_below(folder, "ptx") {
        let name = crate::stem(&path);
        let (operator, compiler) = name.split_once('.').unwrap_or((&name, ""));
        let text = fs::read(&path).map_err(|error| error.to_string())?;
        let output =
            optimize(&text, &Options::default()).map_err(|error| format!("{name}: {error}"))?;
        let loads: usize = output.kernels.iter().map(|kernel| kernel.loads.len()).sum();
        let shuffles = output
            .kernels
            .iter()
            .flat_map(|kernel| &kernel.plan.shuffles);
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
    for path in crate::files_below(folder, "ptx") {
        let name = crate::stem(&path);
        let text = fs::read(&path).map_err(|error| error.to_string())?;
        let output =
            optimize(&text, &Options::default()).map_err(|error| format!("{name}: {error}"))?;
        let loads: usize = output.kernels.iter().map(|kernel| kernel.loads.len()).sum();
        let _ = writeln!(table, "{name} {loads} {}", output.shuffles());
        for ((condition, reason), count) in refusals(&output) {
            let _ = writeln!(table, "    {count} {}: {reason}", condition.name());
        }
    }
    Ok(table)
}

/// Refusals by condition and reason; a kernel that was not tried counts as one.
fn refusals(output: &Output) -> BTreeMap<(ConditionName, &str), usize> {
    let mut counts = BTreeMap::new();
    for refusal in output.kernels.iter().flat_map(kept) {
        *counts
            .entry((refusal.condition, refusal.reason.as_str()))
            .or_insert(0) += 1;
    }
    counts
}

/// Why a kernel was not tried, and why its loads stay loads.
fn kept(kernel: &Kernel) -> impl Iterator<Item = &Refusal> {
    let of_loads = kernel.loads.iter().filter_map(|load| match &load.outcome {
        Outcome::Kept(refusal) => Some(refusal),
        Outcome::Covered(_) => None,
    });
    kernel.skipped.iter().chain(of_loads)
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
