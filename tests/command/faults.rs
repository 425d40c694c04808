//! When something is wrong: `--limit`, `bisect`, `reduce`, `bug`.

use super::sandbox::{GUARD, Sandbox, said};
use std::collections::BTreeMap;
use std::io::Read;
use std::process::Output;

/// Six of its loads can be shuffles.
const JACOBI: &str = include_str!("../../ptx-tests/kernelgen/jacobi.sm_80.ptx");

fn shuffles(text: &[u8]) -> usize {
    String::from_utf8_lossy(text).matches("shfl.sync").count()
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_limit_allows_the_first_rewritings() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", JACOBI);
    let with = |more: &[&str]| {
        let output = sandbox.run(&[&["opt", "k.ptx"], more].concat());
        assert!(output.status.success(), "{}", said(&output));
        output
    };
    let all = with(&[]);
    let count = shuffles(&all.stdout);
    assert!(count > 3);
    for limit in 0..=count {
        let output = with(&["--limit", &limit.to_string()]);
        assert_eq!(shuffles(&output.stdout), limit);
    }
    assert_eq!(with(&["--limit", "0"]).stdout, JACOBI.as_bytes());
    assert_eq!(with(&["--limit", "1000"]).stdout, all.stdout);
    assert!(
        said(&with(&["--limit", "0"])).contains("the module may have no more rewritings; --limit")
    );
    sandbox.fails(&["opt", "missing.ptx", "--limit", "1"], &["missing.ptx"]);
    assert_eq!(
        sandbox.run(&["opt", "k.ptx", "--limit", "x"]).status.code(),
        Some(2)
    );
}

/// On sm_60 a kernel is rewritten from four shuffles on: a part of these is carried out all the same.
#[test]
fn a_limit_does_not_ask_what_pays() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", JACOBI.replace(".target sm_80", ".target sm_60"));
    let output = sandbox
        .plain(&["opt", "k.ptx", "--limit", "2"])
        .output()
        .unwrap();
    assert_eq!(shuffles(&output.stdout), 2, "{}", said(&output));
}

#[test]
fn a_limit_counts_over_kernels() {
    let sandbox = Sandbox::new();
    let other = &GUARD[GUARD.find(".visible").unwrap()..];
    let two = format!("{GUARD}{}", other.replace("guard", "other"));
    sandbox.file("k.ptx", &two);
    let output = sandbox.run(&["opt", "k.ptx", "--limit", "1"]);
    let text = words(&output);
    let (first, second) = text.split_once(".entry other").unwrap();
    let counts = [first, second].map(|part| shuffles(part.as_bytes()));
    assert_eq!(counts, [1, 0], "{}", said(&output));
}

/// A build that fails where a module has four shuffles or more.
fn build(sandbox: &Sandbox, names: &[&str]) -> String {
    let own = env!("CARGO_BIN_EXE_ptxasw");
    let lines = names
        .iter()
        .map(|name| format!("{own} opt {name}.ptx -o {name}.out -q --profit always || exit 9\n"));
    let lines: String = lines.collect();
    let test = "for file in *.out; do test $(grep -c shfl.sync $file) -lt 4 || exit 1; done";
    sandbox.script("build", &format!("{lines}{test}"));
    "./build".to_string()
}

#[test]
fn bisect_finds_the_rewriting() {
    let sandbox = Sandbox::new();
    sandbox.file("a.ptx", GUARD);
    sandbox.file("b.ptx", JACOBI);
    sandbox.file("c.ptx", JACOBI.replace("jacobi", "other"));
    for names in [&["b"][..], &["a", "b"], &["a", "b", "c"]] {
        let build = build(&sandbox, names);
        let output = sandbox.plain(&["bisect", "--", &build]).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let found = words(&output);
        let line = found
            .split("line ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next())
            .unwrap();
        let module = String::from_utf8(sandbox.read("ptxasw-bisect.ptx").unwrap()).unwrap();
        assert!(
            module
                .lines()
                .nth(line.parse::<usize>().unwrap() - 1)
                .unwrap()
                .contains("ld.global")
        );
        // The two limits are those of the last good build and of the first bad one.
        let limit = |name: &str| {
            let line = found.lines().find(|line| line.contains(name)).unwrap();
            line.split("PTXASW_LIMIT=").nth(1).unwrap().to_string()
        };
        for (name, code) in [("good", 0), ("bad", 1)] {
            let mut command = std::process::Command::new(sandbox.path("build"));
            command
                .env("PTXASW_LIMIT", limit(name))
                .current_dir(sandbox.path(""));
            assert_eq!(
                command.status().unwrap().code(),
                Some(code),
                "{name}: {found}"
            );
        }
        for name in ["a", "b", "c"] {
            let _ = std::fs::remove_file(sandbox.path(&format!("{name}.out")));
        }
    }
    sandbox.files();
}

#[test]
fn bisect_says_why_it_finds_nothing() {
    let sandbox = Sandbox::new();
    sandbox.file("a.ptx", GUARD);
    let build = build(&sandbox, &["a"]);
    sandbox.fails(
        &["bisect", "--", &build],
        &[
            "with 1 rewritings: the command passes",
            "passes with all rewritings",
        ],
    );
    sandbox.fails(&["bisect", "--", "false"], &["ptxasw rewrote nothing"]);
    sandbox.fails(
        &["bisect", "--", "no-such-command"],
        &["cannot run `no-such-command`"],
    );
    let always = format!("{build}; exit 1");
    sandbox.fails(
        &["bisect", "-q", "--", "sh", "-c", &always],
        &["without any rewriting, too"],
    );
    // Settings that are fixed where ptxasw is called.
    let fixed = format!("PTXASW_LIMIT= {build}; exit 1");
    sandbox.fails(
        &["bisect", "--", "sh", "-c", &fixed],
        &["`PTXASW_LIMIT` has no effect"],
    );
}

#[test]
fn reduce_keeps_what_makes_the_command_fail() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", JACOBI);
    let own = env!("CARGO_BIN_EXE_ptxasw");
    let rewrites = format!("! {own} opt {{}} -q --profit always | grep -q shfl.sync");
    let output = sandbox
        .plain(&["reduce", "k.ptx", "--", "sh", "-c", &rewrites])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let reduced = sandbox.read("ptxasw-reduced.ptx").unwrap();
    assert!(
        reduced.len() < JACOBI.len() / 3,
        "{}",
        String::from_utf8_lossy(&reduced)
    );
    let again = sandbox.run(&["opt", "ptxasw-reduced.ptx"]);
    assert!(shuffles(&again.stdout) > 0);
    assert!(said(&output).contains("exit code 1"));
    sandbox.files();
}

#[test]
fn reduce_asks_for_the_same_end_and_the_text() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD);
    // Its text is wanted, not just any failure.
    let says = [
        "reduce",
        "k.ptx",
        "-o",
        "r.ptx",
        "--says",
        "ld.global.nc.f32",
        "--",
        "grep",
        "-n",
        "global",
    ];
    let output = sandbox.run(&says);
    assert!(output.status.success(), "{}", said(&output));
    let reduced = String::from_utf8(sandbox.read("r.ptx").unwrap()).unwrap();
    assert!(
        reduced.contains("ld.global.nc.f32") && reduced.lines().count() < 20,
        "{reduced}"
    );
    sandbox.fails(
        &["reduce", "k.ptx", "--says", "nonsense", "--", "cat"],
        &["`--says`"],
    );
    sandbox.fails(
        &[
            "reduce",
            "k.ptx",
            "--timeout",
            "1",
            "--",
            "sh",
            "-c",
            "sleep 60",
        ],
        &["takes too long"],
    );
    sandbox.fails(
        &["reduce", "k.ptx", "-o", "k.ptx", "--", "cat"],
        &["same file"],
    );
    sandbox.fails(&["reduce", "none.ptx", "--", "cat"], &["none.ptx"]);
    sandbox.file("k.ll", "define void @f() { ret void }\n");
    sandbox.fails(&["reduce", "k.ll", "--", "cat"], &["llvm-reduce"]);
}

/// The files of an archive.
fn members(bytes: &[u8]) -> BTreeMap<String, String> {
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes));
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        let path = entry.path().unwrap();
        (
            path.file_name().unwrap().to_str().unwrap().to_string(),
            text,
        )
    });
    entries.collect()
}

#[test]
fn a_bug_report_knows_nothing_of_the_machine() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("").display().to_string();
    let module = format!("// made in {folder}work\n{GUARD}\n.file 9 \"{folder}my work/a.cu\"\n");
    sandbox.file("k.ptx", &module);
    sandbox.file("ptxasw.toml", "profit = \"always\"\n");
    let words = ["bug", "k.ptx", "--", "--scheme", "F", "--stats"];
    let output = sandbox.plain(&words).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(
        said(&output).contains("exit status: 0"),
        "{}",
        said(&output)
    );
    let bytes = sandbox.read("ptxasw-bug.tar.gz").unwrap();
    let files = members(&bytes);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let expected = [
        "README.txt",
        "explain.txt",
        "input.ptx",
        "messages.txt",
        "output.ptx",
        "settings.txt",
        "versions.txt",
    ];
    assert_eq!(names, expected);
    for (name, text) in &files {
        let part = folder.trim_end_matches('/').rsplit('/').next().unwrap();
        assert!(!text.contains(part), "{name}: {text}");
    }
    assert!(files["input.ptx"].contains(".file 9 \"a.cu\""));
    assert!(files["output.ptx"].contains("shfl.sync"));
    assert!(
        files["settings.txt"].contains("profit = always (ptxasw.toml:1)"),
        "{}",
        files["settings.txt"]
    );
    assert!(files["README.txt"].starts_with("ptxasw opt input.ptx --scheme F --stats\n"));
    // A second report has the same bytes.
    sandbox.plain(&words).output().unwrap();
    let again = members(&sandbox.read("ptxasw-bug.tar.gz").unwrap());
    assert_eq!(again["output.ptx"], files["output.ptx"]);
}

#[test]
fn a_module_that_does_not_parse_is_packed_all_the_same() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", "nonsense\n");
    let output = sandbox
        .plain(&["bug", "k.ptx", "-o", "b.tar.gz"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let files = members(&sandbox.read("b.tar.gz").unwrap());
    assert_eq!(
        (&*files["input.ptx"], &*files["output.ptx"]),
        ("nonsense\n", "")
    );
    assert!(files["messages.txt"].contains("error"));
    sandbox.file("k.bc", b"BC\xc0\xde\xff\xfe");
    sandbox.fails(&["bug", "k.bc"], &["llvm-dis"]);
}
