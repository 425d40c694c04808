//! `--kernel` where it matches nothing.

use super::sandbox::{GUARD, Sandbox, said};

/// Two kernels, `guard` and `other`.
fn two_kernels() -> String {
    let kernel = GUARD[GUARD.find(".visible").unwrap()..].replace("guard", "other");
    format!("{GUARD}{kernel}")
}

#[test]
fn a_glob_without_a_match_lists_the_names() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", two_kernels());
    sandbox.file("out.ptx", "as before");
    let names = [
        "`--kernel gaurd` matches nothing in `k.ptx`",
        "\n  guard\n  other",
    ];
    let opt = ["opt", "k.ptx", "-o", "out.ptx", "--kernel", "gaurd"];
    sandbox.fails(&opt, &names);
    sandbox.fails(&[&opt[..], &["--kernel", "other"]].concat(), &names);
    sandbox.fails(&["explain", "k.ptx", "--kernel", "gaurd"], &names);
    sandbox.fails(&["verify", "k.ptx", "k.ptx", "--kernel", "gaurd"], &names);
    sandbox.fails(
        &["run", "k.ptx", "--launch", "grid=1", "--kernel", "gaurd"],
        &names,
    );
    let corpus = ["corpus", ".", "--no-assemble", "--quiet", "--kernel"];
    let words = [
        "`--kernel gaurd` matches nothing in `.`",
        "\n  guard\n  other",
    ];
    sandbox.fails(&[&corpus[..], &["gaurd"]].concat(), &words);
    assert_eq!(sandbox.read("out.ptx").unwrap(), b"as before");
    // What is left out need not be there, and one file of a tree is enough.
    let left_out = sandbox.run(&["opt", "k.ptx", "-o", "out.ptx", "--kernel", "!gaurd"]);
    assert!(left_out.status.success(), "{}", said(&left_out));
    assert!(
        sandbox
            .run(&[&corpus[..], &["g*"]].concat())
            .status
            .success()
    );
}

#[test]
fn long_lists_are_cut() {
    let sandbox = Sandbox::new();
    let kernels = (0..60).map(|number| format!(".entry k{number}() {{ ret; }}\n"));
    let kernels: String = kernels.collect();
    let header = ".version 8.0\n.target sm_80\n.address_size 64\n";
    sandbox.file("k.ptx", format!("{header}{kernels}"));
    let words = ["\n  k49\n", "and 10 more"];
    sandbox.fails(&["opt", "k.ptx", "--kernel", "none"], &words);
}

/// A kernel of C++, `ns::scale<float>(float*, int)`.
const MANGLED: &str = "_ZN2ns5scaleIfEEvPT_i";

#[test]
fn names_of_the_source_select_as_well() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", two_kernels().replace("other", MANGLED));
    let selected = |words: &[&str]| {
        let output = sandbox.run(&[&["opt", "k.ptx", "--no-register-check"], words].concat());
        assert!(output.status.success(), "{}", said(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        let other = text.find(MANGLED).unwrap();
        [&text[..other], &text[other..]].map(|text| text.matches("shfl.sync").count())
    };
    for glob in [
        "ns::scale",
        "ns::scale<float>",
        "ns::*",
        "void ns::scale<float>*",
        MANGLED,
    ] {
        assert_eq!(selected(&["--kernel", glob]), [0, 1], "{glob}");
        assert_eq!(
            selected(&["--kernel", &format!("!{glob}")]),
            [1, 0],
            "{glob}"
        );
    }
    sandbox.file(
        "ptxasw.toml",
        "[[tuned]]\nkernel = \"ns::scale< float >\"\noff = true\n",
    );
    assert_eq!(selected(&[]), [1, 0]);
    sandbox.fails(
        &["opt", "k.ptx", "--kernel", "ns::scal"],
        &[
            "did you mean `_ZN2ns5scaleIfEEvPT_i`?",
            "(void ns::scale<float>(float*, int))",
        ],
    );
}

#[test]
fn choices_for_kernels_that_are_not_there_are_a_warning() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", two_kernels());
    let words = |tuned: &str, more: &[&str]| {
        let tuned = format!("--tuned={tuned}");
        let words = [&["opt", "k.ptx", "--no-register-check", &tuned], more].concat();
        said(&sandbox.run(&words))
    };
    let warning = "warning: `tuned`: no kernel of `k.ptx` matches `gard`; did you mean `guard`?";
    assert!(words("gard off", &[]).contains(warning));
    assert!(!words("gard off", &["-q"]).contains("warning"));
    // A settings file speaks of all modules of a project.
    assert!(!words("gard off; other off", &[]).contains("warning"));
}
