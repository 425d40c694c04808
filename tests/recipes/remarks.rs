//! The script of the GitHub action: one log of several modules.

use serde_json::Value;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

fn log(modules: &[&str], options: &[&str]) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ptxasw.sarif");
    let program = Path::new(env!("CARGO_BIN_EXE_ptxasw")).parent().unwrap();
    let system = env::var_os("PATH").unwrap();
    let all = [program.to_path_buf()]
        .into_iter()
        .chain(env::split_paths(&system));
    let output = Command::new("python3")
        .arg(root.join("examples/github-action/remarks.py"))
        .arg(&path)
        .args(
            modules
                .iter()
                .map(|module| root.join("ptx-tests").join(module)),
        )
        .args(options)
        .env("PATH", env::join_paths(all).unwrap())
        .output()
        .expect("python3");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn remarks_on_several_modules_are_one_run() {
    let modules = ["kernelgen/jacobi.sm_80.ptx", "passes/block-row.ptx"];
    let options = ["--", "--profit=always", "--no-register-check"];
    let log = log(&modules, &options);
    let known: serde_sarif::sarif::Sarif =
        serde_json::from_value(log.clone()).expect("it is SARIF");
    assert_eq!(serde_json::to_value(&known).unwrap(), log);
    let runs = log["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let rules = runs[0]["tool"]["driver"]["rules"].as_array().unwrap();
    let rules: BTreeSet<&str> = rules
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    let results = runs[0]["results"].as_array().unwrap();
    let used: BTreeSet<&str> = results
        .iter()
        .map(|one| one["ruleId"].as_str().unwrap())
        .collect();
    assert_eq!(rules, used);
    let of = |module: &str| {
        let place = |one: &&Value| {
            let place = &one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            place.as_str().unwrap().ends_with(module)
        };
        results.iter().filter(place).count()
    };
    // Nine loads, of which six are rewritten; thirty that stay as they are.
    assert!(of(modules[0]) >= 9 && of(modules[1]) >= 30, "{log:#}");
    let done = results
        .iter()
        .filter(|one| one["properties"]["done"] == true);
    assert!(done.count() >= 6);
}
