//! Loads and shuffles of every KernelGen operator, as the table `counts.txt` has them.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use ptxasw::{Options, optimize};

/// The table, made anew.
fn table(folder: &Path) -> Result<String, String> {
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

/// Compares with the committed table, or writes it anew.
pub fn compare(folder: &Path) -> Result<(), String> {
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
