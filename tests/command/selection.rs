//! `--kernel` where it matches nothing.

use super::place::{GUARD, Place, said};

/// Two kernels, `guard` and `other`.
fn two_kernels() -> String {
    let kernel = GUARD[GUARD.find(".visible").unwrap()..].replace("guard", "other");
    format!("{GUARD}{kernel}")
}

#[test]
fn a_glob_without_a_match_lists_the_names() {
    let place = Place::new();
    place.file("k.ptx", two_kernels());
    place.file("out.ptx", "as before");
    let names = [
        "`--kernel gaurd` matches nothing in `k.ptx`",
        "\n  guard\n  other",
    ];
    let opt = ["opt", "k.ptx", "-o", "out.ptx", "--kernel", "gaurd"];
    place.fails(&opt, &names);
    place.fails(&[&opt[..], &["--kernel", "other"]].concat(), &names);
    place.fails(&["explain", "k.ptx", "--kernel", "gaurd"], &names);
    place.fails(&["verify", "k.ptx", "k.ptx", "--kernel", "gaurd"], &names);
    place.fails(
        &["run", "k.ptx", "--launch", "grid=1", "--kernel", "gaurd"],
        &names,
    );
    let corpus = ["corpus", ".", "--no-assemble", "--quiet", "--kernel"];
    let words = [
        "`--kernel gaurd` matches nothing in `.`",
        "\n  guard\n  other",
    ];
    place.fails(&[&corpus[..], &["gaurd"]].concat(), &words);
    assert_eq!(place.read("out.ptx").unwrap(), b"as before");
    // What is left out need not be there, and one file of a tree is enough.
    let left_out = place.run(&["opt", "k.ptx", "-o", "out.ptx", "--kernel", "!gaurd"]);
    assert!(left_out.status.success(), "{}", said(&left_out));
    assert!(place.run(&[&corpus[..], &["g*"]].concat()).status.success());
}

#[test]
fn long_lists_are_cut() {
    let place = Place::new();
    let kernels = (0..60).map(|number| format!(".entry k{number}() {{ ret; }}\n"));
    let kernels: String = kernels.collect();
    let header = ".version 8.0\n.target sm_80\n.address_size 64\n";
    place.file("k.ptx", format!("{header}{kernels}"));
    let words = ["\n  k49\n", "and 10 more"];
    place.fails(&["opt", "k.ptx", "--kernel", "none"], &words);
}
