//! The paper's section 8, for `docs/when-it-pays.md`: what warps wait for, means over twelve operators, beside what the paper's authors
//! published.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::published;

/// GPUs of ours: a name, and the target.
const MODELS: [(&str, &str); 3] = [("V100", "sm_70"), ("A100", "sm_80"), ("H200", "sm_90")];
/// Published ones: a name, and what the file calls it.
const PUBLISHED: [(&str, &str); 3] = [("K80", "Kepler"), ("P100", "Pascal"), ("V100", "Volta")];
const VARIANTS: [&str; 4] = ["original", "no load", "no corner", "rewritten"];

/// Columns of the table: what `cost` and what the published logs count there.
const COLUMNS: [(&str, &[&str], &[&str]); 3] = [
    (
        "memory",
        &["memory", "L2", "L1"],
        &["memory dependency", "texture", "constant memory dependency"],
    ),
    (
        "busy pipes",
        &["busy pipes"],
        &["memory throttle", "pipe busy", "not selected"],
    ),
    (
        "other results, issue",
        &["instructions", "shared memory", "slow pipes", "barriers"],
        &["exec dependency", "sync", "inst fetch", "other"],
    ),
];

/// The order of the shares that `cost --json` has.
const CAUSES: [&str; 8] = [
    "instructions",
    "memory",
    "L2",
    "L1",
    "shared memory",
    "slow pipes",
    "busy pipes",
    "barriers",
];

/// Times by the original's (geometric mean), and shares by column, of several kernels.
#[derive(Default)]
struct Sum {
    kernels: f64,
    logarithms: f64,
    shares: [f64; COLUMNS.len()],
}

/// The table, in Markdown.
pub fn table() -> Result<String> {
    let rows = published::rows()?;
    let mut kernels: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["kernel"].as_str())
        .collect();
    kernels.sort_unstable();
    kernels.dedup();
    let mut out = String::from("| GPU | | variant | speed |");
    for (name, ..) in COLUMNS {
        let _ = write!(out, " {name} |");
    }
    out.push_str("\n| --- | --- | --- | ---: |");
    out.push_str(&" ---: |".repeat(COLUMNS.len()));
    out.push('\n');
    for (name, gpu) in PUBLISHED {
        let sums = published_sums(&rows, gpu)?;
        print(&mut out, name, "published", &sums);
    }
    for (name, target) in MODELS {
        let sums = model(&kernels, target)?;
        print(&mut out, name, "`cost`", &sums);
    }
    Ok(out)
}

fn print(out: &mut String, gpu: &str, source: &str, sums: &BTreeMap<&str, Sum>) {
    for variant in VARIANTS {
        let Some(sum) = sums.get(variant) else {
            continue;
        };
        let speed = (sum.logarithms / sum.kernels).exp();
        let _ = write!(out, "| {gpu} | {source} | {variant} | {speed:.2} |");
        for share in sum.shares {
            let _ = write!(out, " {:.0} % |", share / sum.kernels);
        }
        out.push('\n');
    }
}

fn published_sums(rows: &[Value], gpu: &str) -> Result<BTreeMap<&'static str, Sum>> {
    let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
    let of_gpu = rows.iter().filter(|row| row["gpu"] == gpu);
    for row in of_gpu.clone() {
        let name = match row["variant"].as_str() {
            Some("paper") => "rewritten",
            other => other.context("a variant")?,
        };
        let variant = VARIANTS.into_iter().find(|one| *one == name);
        let variant = variant.context("a variant")?;
        let mut originals = of_gpu.clone().filter(|one| one["variant"] == "original");
        let original = originals.find(|one| one["kernel"] == row["kernel"]);
        let time = |row: &Value| row["time"].as_f64().context("a time");
        let sum = sums.entry(variant).or_default();
        sum.kernels += 1.0;
        sum.logarithms += (time(original.context("an original")?)? / time(row)?).ln();
        let stalls = row["stalls"].as_object().context("stalls")?;
        let all: f64 = stalls.values().filter_map(Value::as_f64).sum();
        for (share, (_, _, names)) in sum.shares.iter_mut().zip(COLUMNS) {
            let some: f64 = names
                .iter()
                .filter_map(|name| stalls.get(*name)?.as_f64())
                .sum();
            *share += 100.0 * some / all;
        }
    }
    Ok(sums)
}

fn model(kernels: &[&str], target: &str) -> Result<BTreeMap<&'static str, Sum>> {
    let folder = tempfile::tempdir()?;
    let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
    for kernel in kernels {
        let module = published::retargeted(kernel, "sm_70", folder.path())?;
        let done = Command::new(env!("CARGO_BIN_EXE_ptxasw"))
            .args([
                "cost",
                "--breakdown",
                "--json",
                "--arch",
                target,
                "--launch",
            ])
            .arg(format!("benches/gpu/{kernel}.toml"))
            .arg(&module)
            .output()?;
        let report: Value =
            serde_json::from_slice(&done.stdout).context(module.display().to_string())?;
        let rows = report["variants"].as_array().context("no variants")?;
        let times: Option<Vec<f64>> = rows
            .iter()
            .map(|row| row["estimate"]["time"].as_f64())
            .collect();
        let Some(times) = times else {
            eprintln!("{kernel} {target}: {}", rows[0]["no_prediction"]);
            continue;
        };
        for (row, time) in rows.iter().zip(&times) {
            let variant = VARIANTS.into_iter().find(|one| row["variant"] == *one);
            let sum = sums.entry(variant.context("a variant")?).or_default();
            sum.kernels += 1.0;
            sum.logarithms += (times[0] / time).ln();
            let shares = row["estimate"]["shares"].as_array().context("shares")?;
            let shares = CAUSES.into_iter().zip(shares);
            for (cause, share) in shares {
                let column = COLUMNS
                    .iter()
                    .position(|(_, names, _)| names.contains(&cause));
                sum.shares[column.context("a column")?] += 100.0 * share.as_f64().unwrap_or(0.0);
            }
        }
    }
    Ok(sums)
}
