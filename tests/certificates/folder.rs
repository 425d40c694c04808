//! The folder: what is replaced, what is left alone, and that a replay trusts no file.

use std::fs;

use crate::certificates::run::{Folder, check, index, text};

const KERNEL: &str = "wrap/guarded.ptx";

#[test]
fn a_folder_of_ours_is_replaced_and_no_other() {
    let work = Folder::new();
    let folder = work.certify(KERNEL, &[]);
    let before = index(&folder);
    // Again, with fewer shuffles: no file of the first run is left.
    work.certify(KERNEL, &["--max-shuffles", "0"]);
    assert_eq!(index(&folder).files().count(), 0);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    work.certify(KERNEL, &[]);
    assert_eq!(index(&folder), before);
    let mine = folder.join("mine.txt");
    fs::write(&mine, "mine").unwrap();
    let input = crate::certificates::run::ptx_tests().join(KERNEL);
    let error = work.certify_file(&input, &[]).unwrap_err();
    assert!(error.contains("mine.txt"), "{error}");
    assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    work.certify(KERNEL, &[]);
    fs::remove_file(folder.join("index.json")).unwrap();
    let error = work.certify_file(&input, &[]).unwrap_err();
    assert!(error.contains("index.json"), "{error}");
}

#[test]
fn index_and_folder_must_agree() {
    let work = Folder::new();
    let folder = work.certify(KERNEL, &[]);
    let run = || {
        let output = check(std::slice::from_ref(&folder), &["--solver", "z3"]);
        (output.status.code(), text(&output))
    };
    assert_eq!(run().0, Some(0));
    let file = folder.join("guarded/0001-C1.smt2");
    let kept = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    let (code, said) = run();
    assert!(code == Some(1) && said.contains("is not there"), "{said}");
    fs::write(&file, kept).unwrap();
    fs::write(folder.join("guarded/0002-C1.smt2"), "").unwrap();
    let (code, said) = run();
    assert!(
        code == Some(1) && said.contains("does not list it"),
        "{said}"
    );
    fs::remove_file(folder.join("index.json")).unwrap();
    let (code, said) = run();
    assert!(code == Some(1) && said.contains("index.json"), "{said}");
}

#[test]
fn no_file_is_trusted() {
    let work = Folder::new();
    let folder = work.certify(KERNEL, &[]);
    let file = folder.join("guarded/0001-C1.smt2");
    let good = fs::read_to_string(&file).unwrap();
    let lie = good.replace(":status unsat", ":status sat");
    assert_ne!(lie, good);
    for (text_of_file, expected) in [
        (lie, None),
        (good.replace("(check-sat)", ""), Some("0 `check-sat`")),
        (format!("{good}(check-sat)\n"), Some("2 `check-sat`")),
        (
            good.replace("(check-sat)", "(push 1)\n(check-sat)"),
            Some("`push`"),
        ),
        (
            good.replace("(check-sat)", "(reset)\n(check-sat)"),
            Some("`reset`"),
        ),
        (
            "(set-logic QF_BV)\n(check-sat)\n".into(),
            Some("nothing is asserted"),
        ),
        (
            good.replace("(check-sat)", "(assert nonsense)\n(check-sat)"),
            Some("not understood"),
        ),
        (String::new(), Some("0 `check-sat`")),
    ] {
        fs::write(&file, &text_of_file).unwrap();
        let output = check(std::slice::from_ref(&folder), &["--solver", "z3"]);
        let said = text(&output);
        match expected {
            None => assert!(output.status.success(), "{said}"),
            Some(words) => {
                assert_eq!(output.status.code(), Some(1), "{said}");
                let name = file.display().to_string();
                let line = said.lines().find(|line| line.contains(&name));
                assert!(
                    line.is_some_and(|line| line.contains(words)),
                    "{words}: {said}"
                );
            }
        }
    }
}

/// A missing second solver is reported; where one was asked for, that is an error.
#[test]
fn a_missing_second_solver_is_said() {
    let work = Folder::new();
    let folder = work.certify(KERNEL, &[]);
    let empty = work.path("empty");
    fs::create_dir(&empty).unwrap();
    let run = |more: &[&str]| {
        std::process::Command::new(env!("CARGO_BIN_EXE_ptxasw"))
            .arg("check")
            .arg(&folder)
            .args(more)
            .env("PATH", &empty)
            .env("PTXASW_TOOLCHAIN", &empty)
            .output()
            .unwrap()
    };
    let output = run(&[]);
    assert!(output.status.success());
    assert!(
        text(&output).contains("no second solver"),
        "{}",
        text(&output)
    );
    for more in [&["--require-second"][..], &["--solver", "bitwuzla"]] {
        assert_eq!(run(more).status.code(), Some(1));
    }
}

#[test]
fn answers_as_json() {
    let work = Folder::new();
    let folder = work.certify(KERNEL, &[]);
    let output = check(&[folder], &["--solver", "z3", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&json["format"], json["version"].is_string()),
        (&1.into(), true)
    );
    let files = json["files"].as_array().unwrap();
    assert!(
        files
            .iter()
            .all(|file| file["answers"][0]["answer"] == "unsat")
    );
}

#[test]
fn a_shuffle_of_which_nothing_is_said_is_not_proved() {
    let work = Folder::new();
    let folder = work.certify(KERNEL, &[]);
    let mut index = index(&folder);
    for shuffle in index.kernels.iter_mut().flat_map(|one| &mut one.shuffles) {
        shuffle.structural.retain(|one| one.condition != "C4");
    }
    let json = serde_json::to_vec(&index).unwrap();
    fs::write(folder.join("index.json"), json).unwrap();
    let output = check(std::slice::from_ref(&folder), &["--solver", "z3"]);
    let said = text(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("no record of how C4 was met"), "{said}");
}
