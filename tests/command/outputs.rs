//! Where outputs may go, and where they would destroy something.

use super::place::{GUARD, Place, said};
use std::fs;
use std::os::unix::fs::symlink;

#[test]
fn the_output_may_be_the_input_by_any_name() {
    let place = Place::new();
    place.file("k.ptx", GUARD);
    let wanted = place.run(&["opt", "k.ptx"]).stdout;
    for (input, output) in [
        ("k.ptx", "k.ptx"),
        ("k.ptx", "./k.ptx"),
        ("k.ptx", "soft.ptx"),
        ("soft.ptx", "k.ptx"),
    ] {
        place.file("k.ptx", GUARD);
        let _ = fs::remove_file(place.path("soft.ptx"));
        symlink("k.ptx", place.path("soft.ptx")).unwrap();
        let result = place.run(&["opt", input, "-o", output]);
        assert!(result.status.success(), "{}", said(&result));
        assert_eq!(place.read("k.ptx").unwrap(), wanted, "{input} {output}");
        assert!(place.path("soft.ptx").is_symlink());
    }
    // A second name of the same file is replaced, like any output; the first keeps the input.
    place.file("k.ptx", GUARD);
    fs::hard_link(place.path("k.ptx"), place.path("hard.ptx")).unwrap();
    let result = place.run(&["opt", "k.ptx", "-o", "hard.ptx"]);
    assert!(result.status.success(), "{}", said(&result));
    assert_eq!(place.read("k.ptx").unwrap(), GUARD.as_bytes());
    assert_eq!(place.read("hard.ptx").unwrap(), wanted);
}

#[test]
fn records_are_not_written_over_other_files() {
    let place = Place::new();
    place.file("k.ptx", GUARD);
    symlink("k.ptx", place.path("soft.ptx")).unwrap();
    fs::hard_link(place.path("k.ptx"), place.path("hard.ptx")).unwrap();
    for option in ["--plan", "--certificates"] {
        for name in ["k.ptx", "./k.ptx", "soft.ptx", "hard.ptx"] {
            let words = ["opt", "k.ptx", "-o", "out.ptx", option, name];
            let same = format!("`{option}` and the input are the same file, `{name}`");
            place.fails(&words, &[&same]);
        }
        let words = ["opt", "k.ptx", "-o", "out.ptx", option, "./out.ptx"];
        place.fails(&words, &["and the output are the same file"]);
    }
    place.fails(&["opt", "k.ptx", "--plan", "-"], &["and the output are"]);
    let words = ["--plan", "x", "--certificates", "x"];
    let opt = ["opt", "k.ptx", "-o", "out.ptx"];
    place.fails(
        &[&opt[..], &words].concat(),
        &["`--plan` and `--certificates`"],
    );
    assert_eq!(place.read("k.ptx").unwrap(), GUARD.as_bytes());
    assert_eq!(place.files(), ["hard.ptx", "k.ptx", "soft.ptx"]);
    let both = [&opt[..], &["--plan", "/dev/null"]].concat();
    assert!(place.run(&both).status.success());
}

/// A path in an error stands there once, and no file of this program's own beside it.
#[test]
fn errors_name_a_path_once() {
    let place = Place::new();
    place.file("k.ptx", GUARD);
    let path = "no/such/folder/ptxas";
    let real = place.path("real");
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
        let output = place
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
