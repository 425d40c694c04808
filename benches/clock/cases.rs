//! Measured pairs of modules, and what `ptxasw cost` says of each.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// A set of measurements: its title, its file, how modules are named, bytes of shared memory that its launches have.
struct Set {
    title: &'static str,
    file: &'static str,
    modules: &'static [&'static str],
    shared: Option<u32>,
}

/// Where modules of the memory pass by one compiler are.
const NVCC: &[&str] = &[
    "benches/gpu/loads/NAME.gcc.ptx",
    "ptx-tests/loads/openacc/NAME.gcc.ptx",
    "ptx-tests/loads/cuda/NAME.nvcc.ptx",
    "ptx-tests/loads/records/NAME.nvcc.ptx",
];
const CLANG: &[&str] = &[
    "ptx-tests/loads/cuda/NAME.clang.ptx",
    "ptx-tests/loads/records/NAME.clang.ptx",
];
const KERNELGEN: &[&str] = &["ptx-tests/kernelgen/NAME.sm_80.ptx"];

const SETS: [Set; 7] = [
    Set::new("loads", "loads", NVCC, None),
    Set::new("loads, clang", "clang", CLANG, None),
    Set::new("28000 bytes", "occupancy.28000", NVCC, Some(28000)),
    Set::new("56000 bytes", "occupancy.56000", NVCC, Some(56000)),
    Set::new("113000 bytes", "occupancy.113000", NVCC, Some(113_000)),
    Set::new("shuffles", "kernelgen", KERNELGEN, None),
    Set::new("loads, KernelGen", "kernelgen-loads", KERNELGEN, None),
];

impl Set {
    const fn new(
        title: &'static str,
        file: &'static str,
        modules: &'static [&'static str],
        shared: Option<u32>,
    ) -> Self {
        Set {
            title,
            file,
            modules,
            shared,
        }
    }
}

/// A pair.
pub struct Case {
    pub set: &'static str,
    pub kernel: String,
    pub change: String,
    /// The original's time by that of the other.
    pub measured: f64,
    /// By `ptxasw cost`: the point, the least, the largest.
    pub predicted: [f64; 3],
    /// By the instructions of a warp alone.
    pub instructions: f64,
    /// By the resident warps alone.
    pub warps: f64,
}

/// All pairs that can be made as they were measured, and how many cannot.
pub fn all() -> Result<(Vec<Case>, usize)> {
    let mut cases = Vec::new();
    let mut left_out = 0;
    for set in &SETS {
        let path = format!("benches/gpu/h200/{}.json", set.file);
        let all: Value = serde_json::from_slice(&std::fs::read(&path).context(path)?)?;
        for launch in all["launches"].as_array().context("launches")? {
            let name = launch["name"].as_str().context("a name")?;
            let report = &launch["report"];
            let Some(rewritten) = report["rewritten"].as_array() else {
                continue;
            };
            for other in rewritten {
                let label = other["label"].as_str().unwrap_or_default();
                match case(set, name, &report["original"], other, label)? {
                    Some(case) => cases.push(case),
                    None => left_out += 1,
                }
            }
        }
    }
    ensure!(cases.len() > left_out, "most rewritings are others today");
    Ok((cases, left_out))
}

fn case(
    set: &Set,
    name: &str,
    original: &Value,
    other: &Value,
    label: &str,
) -> Result<Option<Case>> {
    let module = set.modules.iter().map(|path| path.replace("NAME", name));
    let module = module.map(PathBuf::from).find(|path| path.exists());
    let module = module.with_context(|| format!("no module of {name}"))?;
    let folder = tempfile::tempdir()?;
    let Some((change, rewritten)) = rewriting(&module, label, folder.path())? else {
        return Ok(None);
    };
    let kind = if set.modules == KERNELGEN {
        ""
    } else {
        "loads/"
    };
    let launch = std::fs::read_to_string(format!("benches/gpu/{kind}{name}.toml"))?;
    let launch = match set.shared {
        Some(bytes) => launch.replace("\nblock =", &format!("\nshared = {bytes}\nblock =")),
        None => launch,
    };
    let file = folder.path().join("launch.toml");
    std::fs::write(&file, launch)?;
    let found = cost(&module, Some(&file), Some(&rewritten), "sm_90")?;
    let Some(there) = cost(&rewritten, Some(&file), None, "sm_90")? else {
        return Ok(None);
    };
    let Some(here) = found else { return Ok(None) };
    let same = |row: &Value, report: &Value| row["registers"] == report["resources"]["registers"];
    let speedup = other["timing"]["speedup"]["median"].as_f64();
    let (Some(measured), true, true) = (speedup, same(&here, original), same(&there, other)) else {
        return Ok(None);
    };
    let Some(predicted) = ratios(&here) else {
        eprintln!("{name} {change}: {}", here["no_prediction"]);
        return Ok(None);
    };
    let case = Case::new(set.title, name, &change, measured, predicted, &here);
    Ok(Some(case))
}

impl Case {
    /// `row` is what `ptxasw cost` printed.
    pub fn new(
        set: &'static str,
        kernel: &str,
        change: &str,
        measured: f64,
        predicted: [f64; 3],
        row: &Value,
    ) -> Self {
        let number = |row: &Value, key: &str| row[key].as_f64().unwrap_or(f64::NAN);
        let ratio = |key: &str| number(&row["estimate"], key) / number(&row["against"], key);
        Case {
            set,
            kernel: kernel.to_owned(),
            change: change.to_owned(),
            measured,
            predicted,
            instructions: ratio("instructions"),
            warps: 1.0 / ratio("warps"),
        }
    }
}

/// The predicted ratio: the point, the least, the largest.
pub fn ratios(row: &Value) -> Option<[f64; 3]> {
    let ratio = row["ratio"].as_array()?;
    match [0, 1, 2].map(|at| ratio.get(at)?.as_f64()) {
        [Some(point), Some(least), Some(largest)] => Some([point, least, largest]),
        _ => None,
    }
}

/// The label of a rewriting that is still made, and its module; the labels are those of `ptxasw time`.
fn rewriting(module: &Path, label: &str, folder: &Path) -> Result<Option<(String, PathBuf)>> {
    if label.ends_with(".ptx") {
        return Ok(Some(("`restrict`".to_owned(), PathBuf::from(label))));
    }
    let Some((name, options)) = label.split(" = ").find_map(options) else {
        return Ok(None);
    };
    Ok(Some((name.to_owned(), rewritten(module, options, folder)?)))
}

/// What `ptxasw opt` makes of a module.
pub fn rewritten(module: &Path, options: &str, folder: &Path) -> Result<PathBuf> {
    rewrite(module, &format!("--no-register-check {options}"), folder)
}

/// What `ptxasw opt` makes of a module, where kernels that lose warps may go back.
pub fn rewrite(module: &Path, options: &str, folder: &Path) -> Result<PathBuf> {
    let out = folder.join("rewritten.ptx");
    let done = Command::new(env!("CARGO_BIN_EXE_ptxasw"))
        .args(["opt", "-q"])
        .args(options.split_whitespace())
        .arg(module)
        .arg("-o")
        .arg(&out)
        .stdout(Stdio::null())
        .status()?;
    ensure!(done.success(), "ptxasw opt {options} {}", module.display());
    Ok(out)
}

/// What a label of `ptxasw time` stands for, and what it is called today.
fn options(label: &str) -> Option<(&'static str, &'static str)> {
    Some(match label {
        "proofs" => ("proofs", "--passes -shuffle --loads proofs"),
        "checked" => ("checked", "--passes -shuffle --loads checked"),
        "bulk, few warps" => ("bulk", "--passes -shuffle --loads bulk"),
        "bulk, few warps, 16" => ("bulk, 16", "--passes -shuffle --loads bulk --max-live 16"),
        "bulk, few warps, 64" => ("bulk, 64", "--passes -shuffle --loads bulk --max-live 64"),
        "always" => ("always", "--passes -shuffle --loads always"),
        "auto" => ("auto", "--passes -memory --profit always"),
        "full" => ("full", "--passes -memory --profit always --scheme full"),
        "R" => ("R", "--passes -memory --profit always --scheme R"),
        "paper" => ("paper", "--passes -memory --profit always --scheme paper"),
        "halo" => ("halo", "--passes -memory --profit always --scheme halo"),
        "halo, nowrap" => (
            "halo, nowrap",
            "--passes -memory --profit always --scheme halo --assume nowrap",
        ),
        "F, nowrap" => (
            "F, nowrap",
            "--passes -memory --profit always --scheme F --assume nowrap",
        ),
        "no-load" => ("no load", "--passes -memory --profit always --no-load"),
        "no-corner" => ("no corner", "--passes -memory --profit always --no-corner"),
        _ => return None,
    })
}

/// The first row of `ptxasw cost`.
pub fn cost(
    module: &Path,
    launch: Option<&Path>,
    against: Option<&Path>,
    arch: &str,
) -> Result<Option<Value>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
    command.args(["cost", "--json", "--arch", arch]).arg(module);
    if let Some(launch) = launch {
        command.arg("--launch").arg(launch);
    }
    if let Some(against) = against {
        command.arg("--against").arg(against);
    }
    let done = command.stderr(Stdio::inherit()).output()?;
    let rows: Value = serde_json::from_slice(&done.stdout)
        .with_context(|| format!("ptxasw cost {}", module.display()))?;
    Ok(rows["kernels"].get(0).cloned())
}
