//! `ptxasw tune` without a GPU: what it finds, what it writes, and that all doors read it.

use ptxasw::toolchain::{Arch, Assembler, Search};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A kernel for which another number of registers in flight is better than the default.
const ROWS: &str = include_str!("../ptx-tests/passes/block-row.ptx");
/// One for which the default is best.
const SAXPY: &str = include_str!("../ptx-tests/loads/cuda/saxpy.nvcc.ptx");

struct Sandbox(TempDir);

impl Sandbox {
    fn new() -> Self {
        let sandbox = Sandbox(tempfile::tempdir().unwrap());
        fs::write(sandbox.path("rows.ptx"), ROWS).unwrap();
        fs::write(sandbox.path("saxpy.ptx"), SAXPY).unwrap();
        sandbox
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("PTXASW_")
                && !name.ends_with("PTXAS")
                && !name.ends_with("TOOLCHAIN")
            {
                command.env_remove(&*name);
            }
        }
        if let Ok((ptxas, _)) = Search::from_environment().ptxas(Arch::new(90)) {
            command.env("PTXASW_PTXAS", ptxas);
        }
        command
            .args(words)
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }

    /// Runs a command that has to succeed; what it prints.
    #[track_caller]
    fn prints(&self, words: &[&str]) -> String {
        let done = self.run(words);
        assert!(done.status.success(), "{words:?}: {done:?}");
        String::from_utf8(done.stdout).unwrap()
    }

    /// Runs a command that has to fail by an error with these words.
    #[track_caller]
    fn fails(&self, words: &[&str], code: i32, said: &str) {
        let done = self.run(words);
        let text = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{words:?}: {text}");
        assert!(text.contains(said), "{words:?}: {text}");
    }
}

/// Whether there is no `ptxas`; with `CI` set that is a failure.
fn skipped() -> bool {
    let missing = Assembler::find(Arch::new(80)).is_err();
    if missing {
        println!("skipped: no ptxas");
        assert!(std::env::var_os("CI").is_none(), "on CI nothing is skipped");
    }
    missing
}

/// All runs print the same bytes: rows are in the order in which choices are tried, the original first; none differs from the original.
#[test]
fn what_is_found_is_the_same_on_every_run() {
    if skipped() {
        return;
    }
    let sandbox = Sandbox::new();
    let words = ["tune", "rows.ptx", "--no-gpu", "--json", "--arch", "sm_90"];
    let [one, other] =
        [&["-j1"], &["-j2"]].map(|jobs| sandbox.prints(&[&words[..], jobs].concat()));
    assert_eq!(one, other);
    let found: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(
        (&found["format"], found["version"].is_string()),
        (&1.into(), true)
    );
    let kernel = &found["kernels"][0];
    assert_eq!(
        (&kernel["kernel"], &kernel["target"]),
        (&"block_row".into(), &"sm_90".into())
    );
    let rows = kernel["rows"].as_array().unwrap();
    assert_eq!(rows[0]["choices"][0], "off");
    assert!(rows.len() > 3, "{kernel}");
    let default = rows
        .iter()
        .find(|row| row["choices"].as_array().unwrap().contains(&"".into()));
    let ratio = |row: &Value| row["estimated"]["point"].as_f64().unwrap();
    assert!(ratio(default.unwrap()) > 1.05, "{kernel}");
    let best = &rows[kernel["best"].as_u64().unwrap() as usize];
    assert!(rows.iter().all(|row| ratio(row) <= ratio(best)), "{kernel}");
    for row in &rows[1..] {
        assert!(row["compared"]["equal"].as_u64().unwrap() > 0, "{row}");
        assert!(row["measured"].is_null(), "{row}");
    }
}

/// The settings file is read by `opt` and by the drop-in, which do the same as with the choice by hand.
#[test]
fn command_and_drop_in_read_what_is_written() {
    if skipped() {
        return;
    }
    let sandbox = Sandbox::new();
    let table = sandbox.prints(&["tune", "rows.ptx", "--no-gpu", "--arch", "sm_90,sm_90a"]);
    assert!(
        table.starts_with("block_row on sm_90, grid 2x1x1, block 64x1x1: estimated"),
        "{table}"
    );
    assert!(table.contains("  <- best"), "{table}");
    let settings = sandbox.read("ptxasw.toml");
    assert_eq!(settings.matches("[[tuned]]").count(), 1, "{settings}");
    let live = settings
        .lines()
        .find_map(|line| line.strip_prefix("max-live = "));
    let live = live.unwrap_or_else(|| panic!("{settings}"));
    assert!(settings.contains("figures = { ratio = 1."), "{settings}");
    let chosen = format!("--max-live={live}");
    let arch = "--arch=sm_90";
    sandbox.prints(&["opt", "rows.ptx", "-q", arch, "-o", "tuned.ptx"]);
    sandbox.prints(&[
        "opt",
        "rows.ptx",
        "-q",
        arch,
        "--config=none",
        "-o",
        "plain.ptx",
    ]);
    sandbox.prints(&[
        "opt",
        "rows.ptx",
        "-q",
        arch,
        "--config=none",
        &chosen,
        "-o",
        "chosen.ptx",
    ]);
    assert_eq!(sandbox.read("tuned.ptx"), sandbox.read("chosen.ptx"));
    assert_ne!(sandbox.read("tuned.ptx"), sandbox.read("plain.ptx"));
    // On another target nothing was chosen.
    for (config, output) in [("ptxasw.toml", "a.ptx"), ("none", "b.ptx")] {
        sandbox.prints(&["opt", "rows.ptx", "-q", "--config", config, "-o", output]);
    }
    assert_eq!(sandbox.read("a.ptx"), sandbox.read("b.ptx"));
    let assembled = |config: &str, more: &str, folder: &str| {
        let config = format!("--ptxasw-config={config}");
        let temps = format!("--ptxasw-save-temps={folder}");
        sandbox.prints(&[
            "as",
            "--",
            "-arch=sm_90",
            &config,
            &temps,
            more,
            "rows.ptx",
            "-o",
            "k.cubin",
        ]);
        let kept = fs::read_dir(sandbox.path(folder)).unwrap();
        let mut kept = kept.map(|entry| entry.unwrap().path());
        let kept = kept.find(|path| path.to_string_lossy().ends_with(".rewritten.ptx"));
        kept.map(|path| fs::read_to_string(path).unwrap())
    };
    let ours = assembled("ptxasw.toml", "--ptxasw-verbose=0", "ours");
    let theirs = assembled("none", &format!("--ptxasw-max-live={live}"), "theirs");
    assert!(ours.is_some());
    assert_eq!(ours, theirs);
    // A user's word, for one kernel.
    let off = assembled("none", "--ptxasw-tuned=block_* off", "off");
    assert_eq!(off, None);
}

/// A launch that is made up decides nothing, and a report is no settings file unless one is named.
#[test]
fn what_is_not_written() {
    if skipped() {
        return;
    }
    let sandbox = Sandbox::new();
    let lines = ROWS.lines().filter(|line| !line.starts_with("// launch:"));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    fs::write(sandbox.path("bare.ptx"), text).unwrap();
    let tune = |words: &[&str]| {
        let own = ["tune", "--no-gpu", "--arch=sm_90"];
        let done = sandbox.run(&[&own[..], words].concat());
        assert!(done.status.success(), "{done:?}");
        String::from_utf8([done.stdout, done.stderr].concat()).unwrap()
    };
    let said = tune(&["bare.ptx"]);
    assert!(said.contains("(made up): estimated"), "{said}");
    assert!(said.contains("no settings file is written"), "{said}");
    if said.contains("<- best") {
        assert!(
            said.contains("by a launch that is made up, which decides nothing"),
            "{said}"
        );
        assert!(
            said.contains("--launch 'block_row grid=... block=... args=...'"),
            "{said}"
        );
    }
    assert!(!tune(&["bare.ptx", "-o", "-"]).contains("[[tuned]]"));
    tune(&["rows.ptx", "--json"]);
    tune(&["rows.ptx", "--json=rows.json", "-q"]);
    tune(&["rows.ptx", "--csv=rows.csv"]);
    assert!(!sandbox.path("ptxasw.toml").exists());
    tune(&["rows.ptx", "--json=rows.json", "-o", "named.toml"]);
    assert!(sandbox.read("named.toml").contains("[[tuned]]"));
}

/// What may be tried is counted: what is left out is named, and is the same on every run.
#[test]
fn tuning_ends() {
    if skipped() {
        return;
    }
    let sandbox = Sandbox::new();
    let tune = |effort: &str, jobs: &str| {
        sandbox.prints(&[
            "tune",
            "rows.ptx",
            "--no-gpu",
            "--arch=sm_90",
            "-q",
            effort,
            jobs,
        ])
    };
    let none = tune("--effort=1", "-j1");
    assert!(none.contains("  not tried: `"), "{none}");
    assert!(none.contains(": `--effort` allows no more work"), "{none}");
    let some = tune("--effort=20000000", "-j1");
    assert_eq!(some, tune("--effort=20000000", "-j2"));
    let all = tune("--effort=1000000000000", "-j2");
    assert!(!all.contains("not tried"), "{all}");
    let rows = |table: &str| table.lines().count();
    assert!(rows(&none) < rows(&all), "{none}{all}");
}

/// Choices of other kernels and what the user wrote stay; where the default is best no table is written.
#[test]
fn a_settings_file_is_brought_up_to_date() {
    if skipped() {
        return;
    }
    let sandbox = Sandbox::new();
    let tune = |more: &[&str]| {
        sandbox.run(&[&["tune", "saxpy.ptx", "--no-gpu", "--arch=sm_80"], more].concat())
    };
    let said = String::from_utf8(tune(&[]).stderr).unwrap();
    assert!(said.contains("no settings file is written"), "{said}");
    assert!(!sandbox.path("ptxasw.toml").exists());
    let kept = "# mine\nloads = \"bulk\"\n\n[[tuned]]\nkernel = \"other\"\noff = true\n";
    let own = "\n[[tuned]]\nkernel = \"saxpy\"\ntarget = \"sm_80\"\nloads = \"checked\"\nfigures = { source = \"estimated\" }\n";
    fs::write(sandbox.path("ptxasw.toml"), format!("{kept}{own}")).unwrap();
    assert!(tune(&[]).status.success());
    assert_eq!(sandbox.read("ptxasw.toml"), kept);
    // Where nothing is learnt nothing goes.
    fs::write(sandbox.path("ptxasw.toml"), format!("{kept}{own}")).unwrap();
    let blind = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
        command.args(["tune", "saxpy.ptx", "--no-gpu", "--arch=sm_80"]);
        let command = command
            .current_dir(sandbox.0.path())
            .env("PTXASW_PTXAS", name);
        command.output().unwrap()
    };
    assert!(blind("/none").status.success());
    assert_eq!(sandbox.read("ptxasw.toml"), format!("{kept}{own}"));
    // A level that loses: the original's choice is another one than that of the user's settings.
    fs::write(sandbox.path("ptxasw.toml"), "loads = \"proofs\"\n").unwrap();
    assert!(tune(&[]).status.success());
    let text = sandbox.read("ptxasw.toml");
    assert!(
        text.contains("kernel = \"saxpy\"\ntarget = \"sm_80\"\nloads = \"moderate\"\n"),
        "{text}"
    );
    fs::write(sandbox.path("ptxasw.toml"), "tuned = \"a off\"\n").unwrap();
    assert_eq!(
        tune(&["--config=none"]).status.code(),
        Some(0),
        "nothing is to be written"
    );
    sandbox.fails(
        &["tune", "rows.ptx", "--no-gpu", "--arch=sm_90"],
        1,
        "make it tables",
    );
    assert_eq!(sandbox.read("ptxasw.toml"), "tuned = \"a off\"\n");
}

/// Tables for programs, and what is to be gone on with.
#[test]
fn reports_are_read_again() {
    if skipped() {
        return;
    }
    let sandbox = Sandbox::new();
    let words = ["tune", "rows.ptx", "--no-gpu", "--arch=sm_90", "-q"];
    sandbox.prints(&[&words[..], &["--json=first.json"]].concat());
    let first = sandbox.read("first.json");
    let again = sandbox.prints(&[
        "tune",
        "rows.ptx",
        "--no-gpu",
        "-q",
        "--resume=first.json",
        "--json",
    ]);
    let [first_value, again]: [Value; 2] =
        [&first, &again].map(|text| serde_json::from_str(text).unwrap());
    assert_eq!(first_value, again);
    let csv = sandbox.prints(&[&words[..], &["--csv"]].concat());
    let rows: Vec<&str> = csv.lines().collect();
    assert!(
        rows[0].starts_with("kernel,target,choice,registers,"),
        "{csv}"
    );
    let count = first_value["kernels"][0]["rows"].as_array().unwrap().len();
    assert_eq!(rows.len(), count + 1, "{csv}");
    assert_eq!(
        rows.iter().filter(|row| row.ends_with(",true")).count(),
        1,
        "{csv}"
    );
    let tables = sandbox.prints(&[&words[..], &["-o", "-"]].concat());
    assert!(
        tables.contains("[[tuned]]\nkernel = \"block_row\"\n"),
        "{tables}"
    );
    sandbox.fails(
        &["tune", "saxpy.ptx", "--no-gpu", "--resume=first.json"],
        1,
        "about another module: `rows.ptx`",
    );
    fs::write(
        sandbox.path("old.json"),
        first.replacen("\"version\": \"", "\"version\": \"0.0.", 1),
    )
    .unwrap();
    sandbox.fails(
        &["tune", "rows.ptx", "--no-gpu", "--resume=old.json"],
        1,
        "of another version: 0.0.",
    );
    sandbox.fails(
        &[
            "tune",
            "rows.ptx",
            "--no-gpu",
            "--resume=first.json",
            "--assume=noalias",
        ],
        1,
        "under other options",
    );
    // On another target all is tried.
    let other = [
        "tune",
        "rows.ptx",
        "--no-gpu",
        "--arch=sm_80",
        "-q",
        "--json",
    ];
    let [fresh, resumed] = [None, Some("--resume=first.json")].map(|more| {
        let words = other.into_iter().chain(more);
        sandbox.prints(&words.collect::<Vec<_>>())
    });
    assert_eq!(fresh, resumed);
    fs::write(sandbox.path("old.json"), "{}").unwrap();
    sandbox.fails(
        &["tune", "rows.ptx", "--no-gpu", "--resume=old.json"],
        1,
        "is not what `ptxasw tune --json` writes",
    );
}

/// Sums and products that the module allows to be fused are rounded another way: that is no fault, and not chosen by itself.
#[test]
fn other_rounding_is_not_chosen() {
    if skipped() {
        return;
    }
    let sandbox = Sandbox::new();
    let lattice = include_str!("../ptx-tests/loads/cuda/lattice.nvcc.ptx");
    fs::write(sandbox.path("lattice.ptx"), lattice).unwrap();
    let table = sandbox.prints(&["tune", "lattice.ptx", "--no-gpu", "--arch=sm_90"]);
    let rounded = table.lines().find(|line| line.contains("other rounding"));
    let rounded = rounded.unwrap_or_else(|| panic!("{table}"));
    assert!(
        rounded.contains("saturate") && !rounded.contains("best"),
        "{table}"
    );
    let tolerant = [
        "tune",
        "lattice.ptx",
        "--no-gpu",
        "--arch=sm_90",
        "--tolerance=100000",
    ];
    let table = sandbox.prints(&tolerant);
    assert!(!table.contains("other rounding"), "{table}");
}

/// A kernel that only others call has the choice of no kernel.
#[test]
fn choices_are_those_of_kernels() {
    if skipped() {
        return;
    }
    let sandbox = Sandbox::new();
    let called = ROWS.replace(".visible .entry block_row", ".visible .func block_row");
    let caller = "\n.visible .entry caller()\n{\n\tret;\n}\n";
    fs::write(sandbox.path("called.ptx"), format!("{called}{caller}")).unwrap();
    let found = sandbox.prints(&["tune", "called.ptx", "--no-gpu", "--arch=sm_90", "-o", "-"]);
    assert!(!found.contains("[[tuned]]"), "{found}");
}

#[test]
fn what_cannot_be_tuned_is_an_error() {
    let sandbox = Sandbox::new();
    fs::write(
        sandbox.path("bad.ptx"),
        ".version 8.0\n.target sm_80\nnonsense\n",
    )
    .unwrap();
    sandbox.fails(&["tune", "bad.ptx", "--no-gpu"], 1, "bad.ptx:3:1");
    sandbox.fails(&["tune", "none.ptx", "--no-gpu"], 1, "none.ptx");
    sandbox.fails(
        &["tune", "rows.ptx", "--no-gpu", "--json", "-o", "-"],
        1,
        "both be standard output",
    );
    sandbox.fails(
        &["tune", "rows.ptx", "--no-gpu", "--kernel=none"],
        1,
        "none",
    );
    sandbox.fails(
        &["tune", "rows.ptx", "--no-gpu", "--require-gpu"],
        2,
        "cannot be used with",
    );
    sandbox.fails(
        &["tune", "rows.ptx", "--no-gpu", "--launch=nonsense"],
        1,
        "nonsense",
    );
    assert!(!sandbox.path("ptxasw.toml").exists());
    // Where there is a GPU, this is what it is for.
    if Path::new("/dev/nvidiactl").exists() {
        return;
    }
    sandbox.fails(&["tune", "rows.ptx", "--require-gpu"], 3, "no GPU");
}
