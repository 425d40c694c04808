//! The timings of a V100 that the paper's authors published (CC 2023), and what `ptxasw cost` says of our kernels for the same operators.
//! Theirs were compiled by NVHPC 22.3, ours by nvcc, so registers and code differ.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::cases::{Case, cost, ratios, rewritten};

/// The published variants and the options that make them.
const VARIANTS: [(&str, &str, &str); 3] = [
    ("paper", "V100, rewritten", ""),
    ("no corner", "V100, no corner", "--no-corner"),
    ("no load", "V100, no load", "--no-load"),
];

/// All rows of the file.
pub fn rows() -> Result<Vec<Value>> {
    let path = "benches/clock/published.json";
    let all: Value = serde_json::from_slice(&std::fs::read(path).context(path)?)?;
    Ok(all.as_array().context("rows")?.clone())
}

/// Original and rewriting of each operator.
pub fn cases() -> Result<Vec<Case>> {
    let rows = rows()?;
    let volta = rows.iter().filter(|row| row["gpu"] == "Volta");
    let time = |kernel: &str, variant: &str| {
        let mut rows = volta.clone();
        let row = rows.find(|row| row["kernel"] == kernel && row["variant"] == variant);
        row.and_then(|row| row["time"].as_f64()).context("a time")
    };
    let folder = tempfile::tempdir()?;
    let mut cases = Vec::new();
    for (variant, set, options) in VARIANTS {
        for row in volta.clone().filter(|row| row["variant"] == variant) {
            let kernel = row["kernel"].as_str().context("a kernel")?;
            let module = retargeted(kernel, "sm_70", folder.path())?;
            let options = format!("--passes -memory --profit always --scheme paper {options}");
            let other = rewritten(&module, &options, folder.path())?;
            let launch = format!("benches/gpu/{kernel}.toml");
            let found = cost(&module, Some(launch.as_ref()), Some(&other), "sm_70")?;
            let Some(predicted) = found.as_ref().and_then(ratios) else {
                eprintln!("{kernel} {variant}: {found:?}");
                continue;
            };
            let measured = time(kernel, "original")? / time(kernel, variant)?;
            cases.push(Case::new(
                set,
                kernel,
                variant,
                measured,
                predicted,
                &found.unwrap_or_default(),
            ));
        }
    }
    Ok(cases)
}

/// Our kernel of an operator for an older target.
pub fn retargeted(kernel: &str, target: &str, folder: &Path) -> Result<std::path::PathBuf> {
    let text = std::fs::read_to_string(format!("ptx-tests/kernelgen/{kernel}.sm_80.ptx"))?;
    let lines = text.lines().map(|line| match line.split_once(' ') {
        Some((".version", _)) => ".version 8.0".to_owned(),
        Some((".target", _)) => format!(".target {target}"),
        _ => line.to_owned(),
    });
    let path = folder.join(format!("{kernel}.{target}.ptx"));
    std::fs::write(&path, lines.map(|line| line + "\n").collect::<String>())?;
    Ok(path)
}
