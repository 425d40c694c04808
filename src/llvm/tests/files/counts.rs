//! Loads and shuffles of every KernelGen operator, beside those of the PTX that the same clang makes of it: `counts.txt`.

use inkwell::context::Context;
use ptxasw::Options;
use ptxasw_llvm::read;
use ptxasw_llvm::stage::{Extras, decided};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// Compares the table with what is found, or writes it anew.
pub fn compare(folder: &Path) -> Result<(), String> {
    let path = folder.join("kernelgen/counts.txt");
    let actual = table(folder)?;
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if actual == expected {
        return Ok(());
    }
    if env::var_os("PTXASW_BLESS").is_some() {
        return fs::write(&path, actual).map_err(|error| error.to_string());
    }
    Err(format!("expected\n{expected}\nfound\n{actual}"))
}

fn table(folder: &Path) -> Result<String, String> {
    let ptx = folder.join("../ptx-tests/kernelgen/counts.txt");
    let ptx = fs::read_to_string(ptx).map_err(|error| error.to_string())?;
    let of_ptx: BTreeMap<&str, &str> = ptx
        .lines()
        .filter_map(|line| line.split_once(" clang "))
        .collect();
    let mut table = String::from("operator loads shuffles mean-|N| of-PTX\n");
    for path in super::files_below(&folder.join("kernelgen"), "ll") {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let bytes = fs::read(&path).map_err(|error| error.to_string())?;
        let context = Context::create();
        let module =
            read::read(&context, &bytes, &name).map_err(|error| format!("{name}: {error}"))?;
        let (_, found) = decided(&module, &Options::of_shuffles(), &Extras::default())
            .map_err(|error| format!("{name}: {error}"))?;
        let loads: usize = found.searches().map(|one| one.loads.len()).sum();
        let shuffles: Vec<u32> = found
            .searches()
            .flat_map(|one| &one.plan.shuffles)
            .map(|shuffle| shuffle.lanes.distance())
            .collect();
        let mean = match shuffles.len() {
            0 => "-".to_owned(),
            count => format!(
                "{:.2}",
                f64::from(shuffles.iter().sum::<u32>()) / count as f64
            ),
        };
        let beside = of_ptx.get(&*name).copied().unwrap_or("-");
        let _ = writeln!(table, "{name} {loads} {} {mean} {beside}", shuffles.len());
    }
    Ok(table)
}
