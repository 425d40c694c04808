//! Folders from elsewhere: certificates, records, figures, trees of modules.

use crate::hostile::guard::{CERTIFY, SHUFFLED, Sandbox, kernel, name};
use ptxasw::certificate::index::{FORMAT, Index};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;

/// A folder of certificates that are proved.
fn certified() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("a.ptx", SHUFFLED);
    let outputs = [
        "proofs",
        "proofs/index.json",
        "proofs/guard",
        "proofs/guard/0001-C1.smt2",
        "proofs/guard/0001-C1-wrap.smt2",
    ];
    assert_eq!(sandbox.run(&CERTIFY, &outputs).code, 0);
    sandbox
}

fn check(sandbox: &Sandbox) -> (i32, String) {
    let answer = sandbox.run(
        &["check", "proofs", "--solver=z3", "--timeout=1", "-j1"],
        &[],
    );
    let control = |c: char| c.is_control() && c != '\n';
    assert!(
        !answer.out.contains(control),
        "a terminal would obey it: {:?}",
        answer.out
    );
    assert!(answer.out.len() < 100_000);
    (answer.code, answer.out + &answer.message)
}

/// The index with one change.
fn change(sandbox: &Sandbox, change: impl Fn(&mut Value)) {
    let path = sandbox.path("proofs/index.json");
    let mut index: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut index);
    fs::write(path, serde_json::to_vec(&index).unwrap()).unwrap();
}

#[test]
fn certificates_name_no_file_of_others() {
    for listed in [
        "../../outside",
        "../a.ptx",
        "/etc/passwd",
        "guard/../../../outside",
        "guard",
        "",
        ".",
        "\u{1b}[2Jguard\n0 failed",
        &"x".repeat(1_000_000),
    ] {
        let sandbox = certified();
        change(&sandbox, |index| {
            let files = &mut index["kernels"][0]["shuffles"][0]["obligations"];
            let mut one = files[0].clone();
            one["file"] = json!(listed);
            one["about"] = json!("\u{1b}[31m as proved");
            files.as_array_mut().unwrap().push(one);
        });
        let (code, said) = check(&sandbox);
        assert!(code == 1 && said.contains("but it is not there"), "{said}");
        assert!(!said.contains("root:"));
    }
}

#[test]
fn certificates_that_are_no_files() {
    let special = |make: &dyn Fn(&Sandbox, &str)| {
        for file in ["index.json", "guard/0001-C1.smt2"] {
            let sandbox = certified();
            let path = sandbox.path("proofs").join(file);
            fs::remove_file(&path).unwrap();
            make(&sandbox, name(&path));
            let (code, said) = check(&sandbox);
            assert_eq!(code, 1, "{said}");
        }
    };
    special(&|_, path| symlink("/dev/zero", path).unwrap());
    special(&|_, path| symlink("nowhere", path).unwrap());
    special(&|_, path| symlink(path, path).unwrap());
    special(&|sandbox, path| symlink(sandbox.path("a.ptx"), path).unwrap());
    special(&|_, path| fs::create_dir(path).unwrap());
    special(&|_, path| nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).unwrap());
}

#[test]
fn certificates_of_any_size_and_depth() {
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let numbers = r#"{"format": 1e999}"#.to_string();
    for index in [
        nested,
        numbers,
        "\0".repeat(1000),
        "{".into(),
        String::new(),
    ] {
        let sandbox = certified();
        sandbox.file("proofs/index.json", &index);
        let (code, said) = check(&sandbox);
        assert!(code == 1 && said.contains("is not an index"), "{said}");
    }
    let sandbox = certified();
    let file = "proofs/guard/0001-C1.smt2";
    let good = fs::read_to_string(sandbox.path(file)).unwrap();
    let deep = format!(
        "(assert {}true{})",
        "(not ".repeat(50_000),
        ")".repeat(50_000)
    );
    let name = format!("(declare-const {} Bool)", "n".repeat(1_000_000));
    for (text, words) in [
        (";".repeat(17 << 20), "too large"),
        (
            good.replace("(check-sat)", &format!("{deep}(check-sat)")),
            "1 failed",
        ),
        (
            good.replace("(check-sat)", &format!("{name}{name}(check-sat)")),
            "declared twice",
        ),
        ("(".repeat(1 << 20), "1 failed"),
        (")".repeat(1 << 20), "1 failed"),
        ("\"".repeat(1 << 20 | 1), "1 failed"),
        ("\0".into(), "1 failed"),
        (
            good.replace("(check-sat)", "(get-info :all)(check-sat)"),
            "is not allowed",
        ),
        (
            good.replace(
                "(check-sat)",
                "(set-option :produce-models true)(check-sat)",
            ),
            "is not allowed",
        ),
        (
            good.replace("(check-sat)", "(check-sat)(check-sat)"),
            "2 `check-sat`",
        ),
    ] {
        sandbox.file(file, &text);
        let (code, said) = check(&sandbox);
        assert!(code == 1 && said.contains(words), "no `{words}` in {said}");
    }
}

/// The product of two large primes has factors that no solver finds in a second.
#[test]
fn a_question_without_an_end() {
    let sandbox = certified();
    let question = "(set-logic QF_BV)\n(declare-const a (_ BitVec 128))\n(declare-const b (_ BitVec 128))\n\
                    (assert (bvult a (_ bv18446744073709551616 128)))\n(assert (bvult b (_ bv18446744073709551616 128)))\n\
                    (assert (bvugt a (_ bv1 128)))\n(assert (bvugt b (_ bv1 128)))\n\
                    (assert (= (bvmul a b) (_ bv340282366920938461120638132973980614201 128)))\n(check-sat)\n";
    sandbox.file("proofs/guard/0001-C1.smt2", question);
    let (code, said) = check(&sandbox);
    assert!(code == 1 && said.contains("1 failed"), "{said}");
}

#[test]
fn kernels_with_names_like_paths() {
    let sandbox = Sandbox::new();
    let long = "n".repeat(100_000);
    let start = SHUFFLED.find(".visible").unwrap();
    let (head, body) = SHUFFLED.split_at(start);
    let mut text = head.to_string();
    for name in ["guard", "GUARD", "$guard", "%guard", "_", &long, "index"] {
        text += &body.replace("guard(", &format!("{name}("));
    }
    sandbox.file("a.ptx", &text);
    let before = sandbox.listing();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ptxasw"));
    let status = command
        .args(CERTIFY)
        .current_dir(sandbox.folder())
        .status()
        .unwrap();
    assert!(status.success());
    let made = sandbox.listing();
    let mut made = made.keys().filter(|path| !before.contains_key(*path));
    assert!(made.all(|path| path.starts_with(sandbox.path("proofs"))));
    let index: Index =
        serde_json::from_slice(&fs::read(sandbox.path("proofs/index.json")).unwrap()).unwrap();
    assert_eq!((index.format.as_str(), index.kernels.len()), (FORMAT, 7));
    assert_eq!(check(&sandbox).0, 0);
}

/// Figures that say anything, files that are none.
#[test]
fn figures_of_others() {
    let sandbox = Sandbox::new();
    sandbox.file("a.ptx", SHUFFLED);
    assert_eq!(
        sandbox
            .run(
                &["corpus", ".", "--no-assemble", "--resume=records"],
                &["records"]
            )
            .code,
        0
    );
    let line = fs::read_to_string(sandbox.path("records")).unwrap();
    let record: Value = serde_json::from_str(&line).unwrap();
    let mut figures = record["figures"].clone();
    for (_, value) in figures.as_object_mut().unwrap() {
        if value.is_u64() {
            *value = json!(u64::MAX);
        }
    }
    figures["kept"] = json!({"one": u64::MAX, "two": u64::MAX});
    for file in ["one.json", "two.json"] {
        sandbox.file(&format!("figures/{file}"), figures.to_string());
    }
    assert_eq!(sandbox.run(&["stats", "figures"], &[]).code, 0);
    for text in [
        "",
        "\0",
        "{}",
        "[[[",
        "null",
        "{\"modules\": -1}",
        "{\"modules\": 1e99}",
    ] {
        sandbox.file("figures/one.json", text);
        sandbox.refused(&["stats", "figures"], &["one.json"]);
    }
    fs::remove_file(sandbox.path("figures/one.json")).unwrap();
    symlink("/dev/zero", sandbox.path("figures/one.json")).unwrap();
    sandbox.refused(&["stats", "figures"], &["one.json"]);
    // Records that are none are made anew.
    for text in [
        &line.repeat(3),
        "\0\n{}\n[",
        &"[".repeat(100_000),
        &line[..line.len() / 2],
    ] {
        sandbox.file("records", text);
        let words = ["corpus", ".", "--no-assemble", "--resume=records"];
        assert_eq!(sandbox.run(&words, &["records"]).code, 0);
    }
}

/// Links are not followed, and nothing is read that is no file.
#[test]
fn a_tree_of_traps() {
    let sandbox = Sandbox::new();
    sandbox.file("tree/a.ptx", SHUFFLED);
    sandbox.file("tree/b.ptx", kernel("\u{1b}"));
    for (link, target) in [
        ("tree/loop.ptx", "loop.ptx"),
        ("tree/up", ".."),
        ("tree/zero.ptx", "/dev/zero"),
        ("tree/none.ptx", "nowhere"),
    ] {
        symlink(target, sandbox.path(link)).unwrap();
    }
    fs::create_dir(sandbox.path("tree/folder.ptx")).unwrap();
    nix::unistd::mkfifo(
        &sandbox.path("tree/fifo.ptx"),
        nix::sys::stat::Mode::S_IRWXU,
    )
    .unwrap();
    let answer = sandbox.run(&["corpus", "tree", "--no-assemble", "--json=-"], &[]);
    let summary: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(summary["files"], 2, "{summary}");
}
