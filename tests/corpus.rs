//! `ptxasw corpus` over a small tree: what counts, what is left out, what is taken over from an earlier run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use ptxasw::corpus::{Assembly, Record, Summary};
use tempfile::TempDir;

/// A kernel in which one of two loads becomes a shuffle.
const GUARD: &str = include_str!("../ptx-tests/participation/guard.ptx");

/// Two modules, one in a folder of its own, a text that is none, and what is no file to look at.
fn tree() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("guard.ptx"), GUARD).unwrap();
    fs::create_dir(path("deeper")).unwrap();
    fs::write(path("deeper/guard.ptx"), GUARD).unwrap();
    fs::write(path("broken.ptx"), "no module at all {{{").unwrap();
    fs::write(path("notes.txt"), "nor is this").unwrap();
    let pipe = Command::new("mkfifo").arg(path("pipe.ptx")).status();
    assert!(pipe.unwrap().success());
    std::os::unix::fs::symlink(folder.path(), path("round")).unwrap();
    std::os::unix::fs::symlink(path("guard.ptx"), path("link.ptx")).unwrap();
    folder
}

fn corpus(folder: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
    command.args(["corpus", "--quiet", "--profit", "always"]);
    command.args(more).arg(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn files_are_counted_and_compared() {
    let folder = tree();
    let output = corpus(folder.path(), &["--no-assemble", "--verify", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for (name, count) in [
        ("files", 3),
        ("parsed", 2),
        ("identical", 2),
        ("rewritten", 2),
        ("assembled", 0),
        ("equal", 2),
        ("different", 0),
    ] {
        assert_eq!(json[name], count, "{name}");
    }
    assert_eq!(json["figures"]["fates"]["loads"]["Shuffled"], 2);
    assert_eq!(json["folders"]["deeper"]["files"], 1);
    assert_eq!(json["folders"]["deeper"]["gone"], 1);
    assert_eq!(
        json["folders"].as_object().map(serde_json::Map::len),
        Some(1)
    );
    assert_eq!(json["complaints"].as_array().map(Vec::len), Some(0));
}

#[test]
fn the_assembler_is_asked() {
    let folder = tree();
    let output = corpus(folder.path(), &[]);
    let table = text(&output.stdout);
    assert!(output.status.success(), "{table}{}", text(&output.stderr));
    if !table.contains("originals that ptxas takes") {
        assert!(std::env::var_os("CI").is_none(), "{table}");
        eprintln!("skipped: no ptxas");
        return;
    }
    let line = |words: &str| {
        let found = table.lines().find(|line| line.contains(words));
        let words = found.unwrap_or_default().split_whitespace();
        words.rev().take(3).collect::<Vec<_>>()
    };
    assert_eq!(line("originals that ptxas takes"), ["2", "of", "2"]);
    assert_eq!(line("that ptxasw reads as PTX"), ["3", "of", "2"]);
    assert_eq!(line("whose rewritten text it takes"), ["2", "of", "2"]);
}

#[test]
fn a_run_goes_on_where_it_was_cut_off() {
    let folder = tree();
    let records = folder.path().join("records");
    let run = || {
        let named = records.to_str().unwrap();
        let output = corpus(folder.path(), &["--no-assemble", "--resume", named]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let lines = || fs::read_to_string(&records).unwrap();
    let first = run();
    assert_eq!(lines().lines().count(), 3);
    // Times are of the earlier run, too.
    assert_eq!(run(), first);
    assert_eq!(lines().lines().count(), 3);
    let whole = lines();
    fs::write(&records, &whole[..whole.len() - 20]).unwrap();
    run();
    assert_eq!(lines().lines().count(), 4, "the one that was cut off");
    run();
    assert_eq!(lines().lines().count(), 4);
    // Another text, and then other options.
    fs::write(folder.path().join("guard.ptx"), format!("{GUARD}\n")).unwrap();
    run();
    assert_eq!(lines().lines().count(), 5);
    let named = records.to_str().unwrap();
    let more = ["--no-assemble", "--resume", named, "--wrapping", "R"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
    let output = command.arg("corpus").args(more).arg(folder.path()).output();
    assert!(output.unwrap().status.success());
    assert_eq!(lines().lines().count(), 8);
}

#[test]
fn bad_arguments_are_errors() {
    let folder = tree();
    let missing = corpus(&folder.path().join("missing"), &[]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("cannot read"));
    let empty = tempfile::tempdir().unwrap();
    let nothing = corpus(empty.path(), &[]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(text(&nothing.stderr).contains("no `.ptx` file"));
    let resume = corpus(folder.path(), &["--resume", "/nowhere/records"]);
    assert_eq!(resume.status.code(), Some(1));
    assert!(text(&resume.stderr).contains("cannot use `/nowhere/records`"));
}

#[test]
fn what_is_wrong_with_us_is_said() {
    let good = Record {
        path: "good.ptx".into(),
        identical: true,
        rewritten: true,
        original: Assembly::Accepted,
        output: Assembly::Accepted,
        equal: 1,
        ..Record::default()
    };
    let broken = |change: fn(&mut Record)| {
        let mut record = good.clone();
        change(&mut record);
        record
    };
    let records = [
        good.clone(),
        broken(|one| one.error = Some("unknown word".into())),
        broken(|one| one.fault = Some("panic".into())),
        broken(|one| one.identical = false),
        broken(|one| one.output = Assembly::Refused("syntax".into())),
        broken(|one| {
            one.path = "deeper/bad.ptx".into();
            one.different = vec!["k".into()];
        }),
        // Nothing reads it; that is not an error of ptxasw.
        broken(|one| {
            one.error = Some("unknown word".into());
            one.original = Assembly::Refused("syntax".into());
        }),
    ];
    let complaints: Vec<usize> = records.iter().map(|one| one.complaints().len()).collect();
    assert_eq!(complaints, [0, 1, 1, 1, 1, 1, 0]);
    let summary = Summary::of(&records);
    assert_eq!(
        (summary.files, summary.parsed, summary.identical),
        (7, 4, 3)
    );
    assert_eq!((summary.accepted, summary.accepted_and_parsed), (6, 4));
    assert_eq!((summary.equal, summary.different), (7, 1));
    assert_eq!(summary.folders["deeper"].complaints, 1);
    let table = summary.table();
    assert!(table.contains("gives other results") && table.contains("\ndeeper "));
}

/// Before a tree of files is reported as refused by an assembler that does not work.
#[test]
fn a_dead_assembler_ends_the_run_at_once() {
    let folder = tree();
    let failing = folder.path().join("failing");
    fs::write(&failing, "#!/bin/sh\necho 'no licence' >&2\nexit 1\n").unwrap();
    fs::set_permissions(&failing, fs::Permissions::from_mode(0o755)).unwrap();
    let missing = folder.path().join("missing");
    for (ptxas, words) in [(&failing, "no licence"), (&missing, "cannot run")] {
        let run = |more: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
            command.args(["corpus", "--quiet"]).args(more);
            let output = command
                .arg(folder.path())
                .env("PTXASW_PTXAS", ptxas)
                .output();
            output.unwrap()
        };
        let output = run(&[]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(output.stdout.is_empty());
        for part in ["`ptxas` does not work", words, "--no-assemble"] {
            assert!(message.contains(part), "no `{part}` in: {message}");
        }
        assert!(run(&["--no-assemble"]).status.success());
    }
}

/// The records of all shards, one after the other, are those of a run over all.
#[test]
fn parts_are_joined_by_their_records() {
    let folder = tree();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |records: &str, more: &[&str]| {
        let usual = ["--no-assemble", "--verify", "--json", "--resume", records];
        let output = corpus(folder.path(), &[&usual, more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let mut json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        // Times are those of the run.
        let times = ["milliseconds", "assembler_milliseconds"];
        json["figures"].as_object_mut().unwrap().remove(times[0]);
        json.as_object_mut().unwrap().remove("slowest");
        for folder in json["folders"].as_object_mut().unwrap().values_mut() {
            let folder = folder.as_object_mut().unwrap();
            folder.retain(|name, _| !times.contains(&name.as_str()));
        }
        json
    };
    let whole = run(&path("whole"), &[]);
    let mut all = String::new();
    let mut files = 0;
    // There are more parts than files.
    for number in 1..=4 {
        let records = path(&format!("part-{number}"));
        let part = run(&records, &["--shard", &format!("{number}/4")]);
        files += part["files"].as_u64().unwrap();
        all += &fs::read_to_string(&records).unwrap();
    }
    assert_eq!((whole["files"].as_u64(), files), (Some(3), 3));
    let joined = path("all");
    fs::write(&joined, &all).unwrap();
    assert_eq!(run(&joined, &[]), whole);
    let records = fs::read_to_string(&joined).unwrap();
    assert_eq!(records, all, "nothing was examined again");
}

#[test]
fn a_part_that_there_is_not() {
    let output = corpus(tree().path(), &["--no-assemble", "--shard", "5/4"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("such as `3/16`"));
}

/// The commands of the manual, as they are printed there: 16 parts by GNU parallel, joined.
#[test]
fn the_recipe_for_gnu_parallel() {
    if Command::new("parallel").arg("--version").output().is_err() {
        println!("skipped: no GNU parallel");
        assert!(std::env::var_os("CI").is_none(), "on CI nothing is skipped");
        return;
    }
    let page = include_str!("../docs/scale-out.md");
    let code = page.lines().filter_map(|line| line.strip_prefix("    "));
    let code = code.filter(|line| !line.starts_with("sbatch"));
    // What the tree's machine has is no part of the recipe.
    let code = code.map(|line| line.replace("corpus tree", "corpus tree --no-assemble"));
    let script: Vec<String> = code.collect();
    assert_eq!(script.len(), 3, "{script:?}");
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    let tree = tree();
    std::os::unix::fs::symlink(tree.path(), path("tree")).unwrap();
    fs::create_dir(path("bin")).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_ptxasw"), path("bin/ptxasw")).unwrap();
    let run = |script: &str| {
        let variable = std::env::var("PATH").unwrap();
        let mut command = Command::new("sh");
        command.args(["-ec", script]).current_dir(place.path());
        command.env("PATH", format!("{}:{variable}", path("bin").display()));
        let output = command.env("HOME", place.path()).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    run(&script[..2].join("\n"));
    let joined = run(&script[2]);
    let records = fs::read_dir(place.path()).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().ends_with(".jsonl")
    });
    assert_eq!(records.count(), 16 + 1);
    // Figures are those that one machine prints, but for times.
    let figures = |printed: &str| {
        let lines = printed.lines().take_while(|line| !line.contains("slowest"));
        let words = lines.flat_map(str::split_whitespace);
        // Times have a fraction, counts have none.
        let words = words.filter(|word| !(word.contains('.') && word.parse::<f64>().is_ok()));
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let whole = run("ptxasw corpus tree --no-assemble --quiet");
    assert!(joined.contains("2 of 3"), "{joined}");
    assert_eq!(figures(&joined), figures(&whole));
}
