//! `--json`: one object, which begins in the same way for every command, and nothing beside it.

use super::sandbox::{GUARD, Sandbox, said};
use serde_json::Value;

/// A module in which nothing is a kernel.
const NO_KERNEL: &str =
    ".version 7.0\n.target sm_80\n.address_size 64\n.visible .func f()\n{\n\tret;\n}\n";

/// What a command prints, and its format.
fn printed(sandbox: &Sandbox, words: &[&str]) -> (u64, Value) {
    let output = sandbox
        .plain(words)
        .arg("--json")
        .env("PTXASW_STATS_DIR", sandbox.path("figures"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let found: Value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{words:?}: {error}: {text}{}", said(&output)));
    let format = found["format"].as_u64().unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let head = format!("{{\n  \"format\": {format},\n  \"version\": \"{version}\",\n");
    assert!(text.starts_with(&head), "{words:?}: {text}");
    (format, found)
}

#[test]
fn every_command_begins_with_format_and_version() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD);
    sandbox.file("f.ptx", NO_KERNEL);
    std::fs::create_dir(sandbox.path("figures")).unwrap();
    let figures = r#"{"modules":1,"failed":0,"kernels":0,"rewritten":0,"reverted":0,"kept":{},"queries":0,"milliseconds":0.0}"#;
    sandbox.file("figures/0.json", figures);
    for (words, format, field) in [
        (&["explain", "k.ptx"][..], 3, "kernels"),
        (&["explain", "f.ptx"], 3, "kernels"),
        (&["explain", "C3"], 3, "text"),
        (&["report", "k.ptx", "--arch=sm_80"], 3, "modules"),
        (&["report", "f.ptx", "--arch=sm_80"], 3, "modules"),
        (&["cost", "k.ptx", "--arch=sm_80"], 1, "kernels"),
        (&["cost", "f.ptx", "--arch=sm_80"], 1, "kernels"),
        (
            &["cost", "f.ptx", "--breakdown", "--arch=sm_80"],
            1,
            "variants",
        ),
        (&["verify", "k.ptx", "k.ptx"], 1, "kernels"),
        (&["verify", "f.ptx", "f.ptx"], 1, "kernels"),
        (&["tune", "f.ptx", "--no-gpu", "--gpu=sm_80"], 1, "kernels"),
        (&["config"], 1, "settings"),
        (&["corpus", ".", "--no-assemble"], 1, "files"),
        (&["stats", "figures"], 1, "fates"),
    ] {
        let (found, value) = printed(&sandbox, words);
        assert_eq!(found, format, "{words:?}");
        assert!(value.get(field).is_some(), "{words:?}: {value}");
    }
}

/// Where there is an error there is no object, and where there is nothing to tell an empty list.
#[test]
fn nothing_but_the_object_is_on_standard_output() {
    let sandbox = Sandbox::new();
    sandbox.file("f.ptx", NO_KERNEL);
    let (_, found) = printed(&sandbox, &["verify", "f.ptx", "f.ptx"]);
    assert_eq!(found["kernels"], Value::Array(Vec::new()));
    let (_, found) = printed(&sandbox, &["cost", "f.ptx"]);
    assert_eq!(found["kernels"], Value::Array(Vec::new()));
    sandbox.fails(&["stats", ".", "--json"], &["holds no figures"]);
    sandbox.fails(&["explain", "none.ptx", "--json"], &["none.ptx"]);
    assert_eq!(sandbox.files(), ["f.ptx"]);
}
