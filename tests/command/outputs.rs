//! Where outputs may go, and where they would destroy something.

use super::sandbox::{GUARD, Sandbox, said};
use std::fs;
use std::os::unix::fs::symlink;

#[test]
fn the_output_may_be_the_input_by_any_name() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD);
    let wanted = sandbox.run(&["opt", "k.ptx"]).stdout;
    for (input, output) in [
        ("k.ptx", "k.ptx"),
        ("k.ptx", "./k.ptx"),
        ("k.ptx", "soft.ptx"),
        ("soft.ptx", "k.ptx"),
    ] {
        sandbox.file("k.ptx", GUARD);
        let _ = fs::remove_file(sandbox.path("soft.ptx"));
        symlink("k.ptx", sandbox.path("soft.ptx")).unwrap();
        let result = sandbox.run(&["opt", input, "-o", output]);
        assert!(result.status.success(), "{}", said(&result));
        assert_eq!(sandbox.read("k.ptx").unwrap(), wanted, "{input} {output}");
        assert!(sandbox.path("soft.ptx").is_symlink());
    }
    // A second name of the same file is replaced, like any output; the first keeps the input.
    sandbox.file("k.ptx", GUARD);
    fs::hard_link(sandbox.path("k.ptx"), sandbox.path("hard.ptx")).unwrap();
    let result = sandbox.run(&["opt", "k.ptx", "-o", "hard.ptx"]);
    assert!(result.status.success(), "{}", said(&result));
    assert_eq!(sandbox.read("k.ptx").unwrap(), GUARD.as_bytes());
    assert_eq!(sandbox.read("hard.ptx").unwrap(), wanted);
}

#[test]
fn records_are_not_written_over_other_files() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD);
    symlink("k.ptx", sandbox.path("soft.ptx")).unwrap();
    fs::hard_link(sandbox.path("k.ptx"), sandbox.path("hard.ptx")).unwrap();
    for option in ["--plan", "--certificates"] {
        for name in ["k.ptx", "./k.ptx", "soft.ptx", "hard.ptx"] {
            let words = ["opt", "k.ptx", "-o", "out.ptx", option, name];
            let same = format!("`{option}` and the input are the same file, `{name}`");
            sandbox.fails(&words, &[&same]);
        }
        let words = ["opt", "k.ptx", "-o", "out.ptx", option, "./out.ptx"];
        sandbox.fails(&words, &["and the output are the same file"]);
    }
    sandbox.fails(&["opt", "k.ptx", "--plan", "-"], &["and the output are"]);
    let words = ["--plan", "x", "--certificates", "x"];
    let opt = ["opt", "k.ptx", "-o", "out.ptx"];
    sandbox.fails(
        &[&opt[..], &words].concat(),
        &["`--plan` and `--certificates`"],
    );
    assert_eq!(sandbox.read("k.ptx").unwrap(), GUARD.as_bytes());
    assert_eq!(sandbox.files(), ["hard.ptx", "k.ptx", "soft.ptx"]);
    let both = [&opt[..], &["--plan", "/dev/null"]].concat();
    assert!(sandbox.run(&both).status.success());
}

/// An error names a path once, and no file of this program's own beside it.
#[test]
fn errors_name_a_path_once() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD);
    let path = "no/such/folder/ptxas";
    let real = sandbox.path("real");
    std::fs::copy("/bin/true", &real).unwrap();
    let real = real.to_str().unwrap();
    for words in [
        &["bundle", "--no-solver", "--ptxas", real, "-o", path][..],
        &["bundle", "--no-solver", "--ptxas", path, "-o", "b"],
        &["opt", "k.ptx", "-o", path],
        &["opt", "k.ptx", "--plan", path],
        &["opt", "k.ptx", "--certificates", path],
        &["opt", path],
        &["opt", "k.ptx", "--config", path],
        &["cost", path],
        &["stats", path],
        &["check", path],
        &["corpus", path],
        &["bug", "k.ptx", "-o", path],
        &["clang", "--", path],
        &["run-build", "--", path],
    ] {
        let output = sandbox
            .plain(words)
            .env("PTXASW_PTXAS", real)
            .output()
            .unwrap();
        let words_said = said(&output);
        assert!(!output.status.success(), "{words:?}");
        assert_eq!(
            words_said.matches(path).count(),
            1,
            "{words:?}: {words_said}"
        );
        assert_eq!(
            words_said.matches("os error").count(),
            1,
            "{words:?}: {words_said}"
        );
        assert!(!words_said.contains(".ptxasw-"), "{words:?}: {words_said}");
    }
}
