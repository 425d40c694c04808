//! The settings file, variables and arguments, in that order.

use super::sandbox::{GUARD, Sandbox, ptxas, said};
use std::fs;

/// The scheme of the rewritten kernel, and what else standard error holds.
fn rewritten(
    sandbox: &Sandbox,
    folder: &str,
    words: &[&str],
    variables: &[(&str, &str)],
) -> (usize, String) {
    let input = sandbox.path("k.ptx");
    let words = [
        &["opt", input.to_str().unwrap(), "--no-register-check"],
        words,
    ]
    .concat();
    let mut command = sandbox.plain(&words);
    command
        .current_dir(sandbox.path(folder))
        .envs(variables.iter().copied());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text.matches("shfl.sync").count(), said(&output))
}

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD);
    fs::create_dir_all(sandbox.path("src/deep")).unwrap();
    sandbox.file("ptxasw.toml", "# of the project\nprofit = \"always\"\n");
    sandbox
}

#[test]
fn the_nearest_file_holds_and_variables_and_arguments_win() {
    let sandbox = project();
    let count = |folder, words: &[&str], variables: &[(&str, &str)]| {
        rewritten(&sandbox, folder, words, variables).0
    };
    assert_eq!(count("src/deep", &[], &[]), 1);
    assert_eq!(count("src/deep", &[], &[("PTXASW_PROFIT", "auto")]), 0);
    assert_eq!(count("src/deep", &["--profit", "auto"], &[]), 0);
    assert_eq!(
        count(
            "src/deep",
            &["--profit=always"],
            &[("PTXASW_PROFIT", "auto")]
        ),
        1
    );
    assert_eq!(count("src/deep", &["--config", "none"], &[]), 0);
    assert_eq!(count("src/deep", &[], &[("PTXASW_CONFIG", "none")]), 0);
    sandbox.file("src/ptxasw.toml", "profit = \"auto\"\n");
    assert_eq!(count("src/deep", &[], &[]), 0);
    assert_eq!(count("src/deep", &["--config=../../ptxasw.toml"], &[]), 1);
    // A list is replaced, not added to.
    sandbox.file(
        "src/ptxasw.toml",
        "profit = \"always\"\nkernel = [\"other\"]\n",
    );
    assert_eq!(count("src", &["--kernel", "guard"], &[]), 1);
    // Other names of the same settings.
    assert_eq!(
        count(
            "src",
            &["--kernel", "guard", "--wrapping", "R"],
            &[("PTXASW_WRAPPING", "F")]
        ),
        1
    );
}

#[test]
fn config_names_where_values_come_from() {
    let sandbox = project();
    let mut command = sandbox.plain(&["config"]);
    let output = command.env("PTXASW_SCHEME", "R").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let file = sandbox.path("ptxasw.toml").canonicalize().unwrap();
    assert_eq!(
        line("profit"),
        ["profit", "always", &format!("{}:2", file.display())]
    );
    assert_eq!(line("scheme"), ["scheme", "R", "PTXASW_SCHEME"]);
    for (name, value) in [
        ("verify", "0"),
        ("loads", "batches"),
        ("passes", "loops,memory,shuffle"),
        // With `profit = "always"`.
        ("solver-gates", "100000"),
        ("kernel", "all"),
    ] {
        assert_eq!(line(name), [name, value, "default"]);
    }
    assert!(!text.contains("  -  "), "{text}");
    let output = sandbox
        .plain(&["config", "--json", "--config=none"])
        .output()
        .unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let profit = serde_json::json!({ "origin": "default", "value": "auto" });
    assert_eq!(json["settings"]["profit"], profit);
    assert_eq!(json["settings"]["kernel"]["value"], serde_json::Value::Null);
}

/// A file that is wrong is an error with its place, for commands as for the assembler, and nothing is written.
#[test]
fn a_wrong_file_is_an_error_with_a_place() {
    let sandbox = project();
    sandbox.file("ptxasw.toml", "profit = [1]\n");
    sandbox.fails(
        &["opt", "k.ptx", "-o", "out.ptx"],
        &["ptxasw.toml:1:", "expected a text"],
    );
    sandbox.file("ptxasw.toml", "proft = \"always\"\n");
    sandbox.fails(
        &["opt", "k.ptx", "-o", "out.ptx"],
        &["ptxasw.toml:1:1", "did you mean `profit`?"],
    );
    let Some(ptxas) = ptxas() else { return };
    let mut command = sandbox.plain(&["as", "--", "-arch=sm_80", "k.ptx", "-o", "out.cubin"]);
    let output = command.env("PTXASW_PTXAS", &ptxas).output().unwrap();
    assert!(
        !output.status.success() && said(&output).contains("ptxasw.toml:1:1"),
        "{}",
        said(&output)
    );
    assert_eq!(sandbox.files(), ["k.ptx", "ptxasw.toml", "src"]);
}

/// The assembler reads the file, too, and is silent unless it is asked.
#[test]
fn the_assembler_reads_the_file() {
    let Some(ptxas) = ptxas() else { return };
    let sandbox = project();
    let call = |words: &[&str]| {
        let words = [
            &["as", "--", "-arch=sm_80", "k.ptx", "-o", "out.cubin"],
            words,
        ]
        .concat();
        let mut command = sandbox.plain(&words);
        let output = command.env("PTXASW_PTXAS", &ptxas).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        said(&output)
    };
    assert_eq!(call(&[]), "");
    let line = call(&["--ptxasw-verbose"]);
    assert_eq!(line, "ptxasw: guard: changed; 1 of 2 loads shuffled\n");
    let line = call(&["--ptxasw-verbose", "--ptxasw-config=none"]);
    assert!(
        line.contains("unchanged; 1 of 2 loads is in a neighbouring lane's register: sm_80: "),
        "{line}"
    );
}
