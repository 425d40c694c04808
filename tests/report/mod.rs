//! `ptxasw report`: the same bytes on every run, its size, what it shows, and the page in a browser.

mod browser;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Most bytes of a page about KernelGen and the kernels of `loads/` together.
const LARGEST: u64 = 1 << 20;
/// Bytes of a page without kernels, at most.
const FRAME: u64 = 160 << 10;

fn report(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
    // Settings of the machine that tests run on are none of theirs.
    command.arg("report").args(["--config", "none"]).args(words);
    command.current_dir(folder).output().unwrap()
}

fn json(words: &[&str]) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let words = [&["--json"], words].concat();
    let done = report(folder, &words);
    assert!(done.status.success(), "{done:?}");
    serde_json::from_slice(&done.stdout).unwrap()
}

/// Modules below `ptx-tests`, as paths from the root of the project.
fn modules(pattern: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let whole = root.join("ptx-tests").join(pattern);
    let paths = glob::glob(whole.to_str().unwrap()).unwrap();
    let paths = paths.map(|path| {
        path.unwrap()
            .strip_prefix(root)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    });
    let mut paths: Vec<String> = paths.collect();
    paths.sort();
    assert!(!paths.is_empty(), "{pattern}");
    paths
}

#[test]
fn lanes_are_shown_as_they_are_executed() {
    let jacobi = "ptx-tests/kernelgen/jacobi.sm_80.ptx";
    let report = json(&[jacobi, "--arch", "sm_80"]);
    let kernel = &report["modules"][0]["kernels"][0];
    assert_eq!(
        (&kernel["verdict"], &kernel["loads"]["declined"]),
        (&"unchanged".into(), &6.into())
    );
    let group = &kernel["groups"][0];
    assert_eq!(group["done"], false);
    let rows = group["rows"].as_array().unwrap();
    let cells = |frame: usize| {
        let cells = group["frames"][frame]["cells"].as_array().unwrap();
        let cells = cells.iter().map(|row| row.as_str().unwrap().to_owned());
        cells.collect::<Vec<String>>()
    };
    // A whole warp inside of the array: sources load, the lane at the warp's end is the corner.
    let (whole, corner) = ("L".repeat(32), "S".repeat(31));
    for (row, cells) in rows.iter().zip(cells(0)) {
        let expected = match row["takes"]["by"].as_i64() {
            None => whole.clone(),
            Some(1) => format!("{corner}C"),
            Some(-1) => format!("C{corner}"),
            by => panic!("{by:?}"),
        };
        assert_eq!(cells, expected, "{row}");
    }
    let frames = group["frames"].as_array().unwrap().len();
    let partial = (0..frames).any(|frame| cells(frame).iter().any(|row| row.contains('.')));
    assert!(partial, "{group}");
}

/// Of a later GPU there are no figures: the page opens on the nearest of which there are, with its verdict.
#[test]
fn a_later_gpu_is_estimated_by_the_nearest() {
    if browser::skipped_without_ptxas() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let text = fs::read_to_string("ptx-tests/loads/cuda/batched.nvcc.ptx").unwrap();
    let module = folder.path().join("k.ptx");
    fs::write(&module, text.replace(".target sm_80", ".target sm_120")).unwrap();
    let report = json(&[module.to_str().unwrap()]);
    assert_eq!(
        (&report["arch"], &report["verdict"]["faster"]),
        (&"sm_90".into(), &1.into())
    );
    let summary = report["modules"][0]["kernels"][0]["summary"]
        .as_str()
        .unwrap();
    assert!(summary.contains(" on sm_90; 36 of 54 loads"), "{summary}");
}

/// What the table and the pages of kernels are made of.
#[test]
fn costs_and_reasons_are_told() {
    if browser::skipped_without_ptxas() {
        return;
    }
    let report = json(&[
        "ptx-tests/loads/cuda/batched.nvcc.ptx",
        "--arch",
        "sm_90,sm_100",
    ]);
    let kernel = &report["modules"][0]["kernels"][0];
    assert_eq!(
        (&kernel["verdict"], &report["arch"]),
        (&"faster".into(), &"sm_90".into())
    );
    let [known, other] = &kernel["targets"].as_array().unwrap()[..] else {
        panic!("{kernel}");
    };
    assert_eq!(
        (&known["verdict"], &other["verdict"]),
        (&"faster".into(), &"changed".into())
    );
    let figure = |version: &str, name: &str| known[version][name].as_f64().unwrap();
    assert!(figure("after", "rounds") < figure("before", "rounds"));
    assert!(figure("after", "memory") < figure("before", "memory"));
    let waits = known["before"]["waits"].as_array().unwrap();
    let sum: f64 = waits.iter().map(|one| one["share"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 0.01, "{waits:?}");
    // No figures of that GPU, but its machine code, along the path that the launch takes.
    assert!(other["unknown"].is_string() && other["ratio"].is_null());
    assert_eq!(other["after"]["memory"], known["after"]["memory"]);
    // The machine code of the first GPU, with lines.
    let code = &known["after"]["code"];
    let lines = code["lines"].as_array().unwrap();
    let named = lines.iter().filter(|line| line.as_u64() > Some(0));
    assert!(named.count() > lines.len() / 2);
    let text = code["text"].as_str().unwrap();
    assert_eq!(text.lines().count(), lines.len());
    assert!(!kernel["evidence"]["claims"].as_array().unwrap().is_empty());
}

#[test]
fn names_are_demangled_and_sources_read() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("k.cu"), "a\nb <i>\n").unwrap();
    // A module may name any file, and a page is handed on.
    fs::write(folder.path().join("secret.txt"), "secret").unwrap();
    let text =
        browser::HOSTILE.to_owned() + ".file 3 \"secret.txt\"\n.file 4 \"/proc/self/environ\"\n";
    fs::write(folder.path().join("k.ptx"), text).unwrap();
    let done = report(folder.path(), &["k.ptx", "--json", "--no-register-check"]);
    assert!(done.status.success(), "{done:?}");
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    let module = &report["modules"][0];
    let sources = module["sources"].as_array().unwrap();
    let texts: Vec<&Value> = sources.iter().map(|source| &source["text"]).collect();
    assert_eq!(texts[0], "a\nb <i>\n");
    assert!(sources.len() == 4 && texts[1..].iter().all(|text| text.is_null()));
    assert_eq!(module["kernels"][0]["title"], "void copy<int>(int*)");
    assert_eq!(module["kernels"][0]["position"]["source_line"], 2);
}

#[test]
fn the_same_bytes_on_every_run() {
    let folder = TempDir::new().unwrap();
    let copy = "ptx-tests/kernelgen/divergence.sm_80.ptx";
    let copy = Path::new(env!("CARGO_MANIFEST_DIR")).join(copy);
    fs::copy(copy, folder.path().join("k.ptx")).unwrap();
    let page = || {
        let done = report(folder.path(), &["k.ptx", "-o", "k.html", "--arch", "sm_80"]);
        assert!(done.status.success(), "{done:?}");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let line = "1 kernel: 1 unchanged";
        assert_eq!(said, format!("ptxasw: k.html: {line}\n"));
        fs::read(folder.path().join("k.html")).unwrap()
    };
    assert_eq!(page(), page());
    let on = |jobs: &str| {
        let modules = [
            "ptx-tests/loads/cuda/outputs.clang.ptx",
            "ptx-tests/loads/cuda/fir.nvcc.ptx",
        ];
        let mut report = json(&[&modules[..], &["--arch", "sm_80", "-j", jobs]].concat());
        report["command"] = Value::Null;
        report
    };
    assert_eq!(on("1"), on("8"));
}

/// A page that nobody can send is none. Every fourth module has a quarter of the bytes, unless it is a soak test.
#[test]
fn a_page_is_small() {
    if browser::skipped_without_ptxas() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = [
        "kernelgen/*.sm_80.ptx",
        "loads/*/*.nvcc.ptx",
        "loads/*/*.gcc.ptx",
    ];
    let all: Vec<String> = all.iter().flat_map(|pattern| modules(pattern)).collect();
    let share = if crate::soak() { 1 } else { 4 };
    let all: Vec<String> = all.into_iter().step_by(share).collect();
    let page = folder.path().join("all.html");
    let mut words: Vec<&str> = all.iter().map(|path| &**path).collect();
    // Times are not what makes a page large, and take long.
    words.extend([
        "-o",
        page.to_str().unwrap(),
        "--arch",
        "sm_90",
        "--steps",
        "65536",
    ]);
    let done = report(root, &words);
    assert!(done.status.success(), "{done:?}");
    let bytes = fs::metadata(&page).unwrap().len();
    assert!(
        bytes < FRAME + (LARGEST - FRAME) / share as u64,
        "{bytes} bytes"
    );
}

#[test]
fn bad_input_leaves_no_page() {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("k.ptx"),
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { add.u32; }\n",
    )
    .unwrap();
    let done = report(folder.path(), &["k.ptx", "-o", "k.html"]);
    assert_eq!(done.status.code(), Some(1));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("k.ptx:4:14"), "{said}");
    assert!(!folder.path().join("k.html").exists());
    let done = report(folder.path(), &["k.ptx", "-o", "k.ptx"]);
    assert_eq!(done.status.code(), Some(1));
}

/// The figures of a build, with the modules that were left beside them.
#[test]
fn a_build_has_a_page() {
    let Some(build) = browser::Build::of_a_call() else {
        return;
    };
    let done = report(build.folder.path(), &["stats", "--json", "--arch", "sm_80"]);
    assert!(done.status.success(), "{done:?}");
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(report["build"]["modules"], 1);
    let kernels = report["modules"][0]["kernels"].as_array().unwrap();
    assert_eq!(kernels.len(), 1);
    assert!(
        report["modules"][0]["path"]
            .as_str()
            .unwrap()
            .contains("k.")
    );
}
