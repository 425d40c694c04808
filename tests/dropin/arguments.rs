//! Argument lists: those that compilers really give, every option of the table, and any order of them.

use crate::dropin::sandbox::present;
use proptest::prelude::*;
use ptxasw::dropin::arguments::{Arguments, Pass};
use ptxasw::dropin::table::{self, Arity, Meaning, OPTIONS};
use ptxasw::dropin::tool::Tool;
use ptxasw::toolchain::{Arch, Search};
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;

const RECORDED: &str = include_str!("argv.txt");

fn words(all: &[&str]) -> Vec<OsString> {
    all.iter().map(OsString::from).collect()
}

fn read(all: &[&str]) -> Result<Arguments, Pass> {
    Arguments::read(Tool::Ptxas, words(all))
}

/// What is made of an argument list, in words.
fn described(result: &Result<Arguments, Pass>) -> String {
    match result {
        Ok(arguments) => {
            let inputs: Vec<String> = arguments.inputs.iter().map(|one| one.name()).collect();
            let output = arguments.value(arguments.output).to_string_lossy();
            let target = arguments.target.map_or("-".into(), |sm| format!("sm_{sm}"));
            format!("{} -> {output} for {target}", inputs.join(", "))
        }
        Err(pass) => format!("through: {pass}"),
    }
}

/// `PTXASW_BLESS=1` renews the expectations.
#[test]
fn recorded_argument_lists() {
    let mut renewed = String::new();
    let mut lists = 0;
    for line in RECORDED.lines() {
        if let Ok(list) = serde_json::from_str::<Vec<String>>(line) {
            let tool = Tool::named(OsStr::new(&list[0])).unwrap();
            let list: Vec<OsString> = list[1..].iter().map(OsString::from).collect();
            let result = Arguments::read(tool, list.clone());
            // Nothing is lost or moved.
            if let Ok(arguments) = &result {
                assert_eq!(arguments.words, list);
                assert_eq!(arguments.with(&[]), list);
            }
            let _ = writeln!(renewed, "{}\n{line}", described(&result));
            lists += 1;
        } else if line.is_empty() || line.starts_with('#') {
            let _ = writeln!(renewed, "{line}");
        }
    }
    assert!(lists > 50, "{lists}");
    if std::env::var_os("PTXASW_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dropin/argv.txt");
        std::fs::write(path, &renewed).unwrap();
    } else {
        assert_eq!(renewed, RECORDED);
    }
}

/// Every option by both names, in both forms: what follows it is its value, and the input is found after it.
#[test]
fn every_option_has_its_arity() {
    for option in OPTIONS {
        for name in [option.long, option.short] {
            let mut forms = match option.arity {
                Arity::Flag => vec![vec![name.to_string()]],
                Arity::Value => vec![
                    vec![name.to_string(), "sm_90".to_string()],
                    vec![format!("{name}=sm_90")],
                ],
            };
            for form in &mut forms {
                let mut list = form.clone();
                list.extend(["in.ptx", "-o", "out"].map(str::to_string));
                let list: Vec<&str> = list.iter().map(String::as_str).collect();
                let expected = match option.meaning {
                    Meaning::LeaveAlone => Err(Pass::Forbidden),
                    Meaning::Asks => Err(Pass::Question),
                    Meaning::Version => Err(Pass::Version),
                    Meaning::OptionsFile => Err(Pass::OptionFile),
                    Meaning::InputAsString => Ok("in.ptx, <string> -> out for -"),
                    Meaning::Target => Ok("in.ptx -> out for sm_90"),
                    Meaning::Output | Meaning::Level | Meaning::Aside | Meaning::Other => {
                        Ok("in.ptx -> out for -")
                    }
                };
                let result = read(&list);
                if let Ok(arguments) = &result {
                    let is_closed = option.meaning != Meaning::Aside;
                    assert_eq!(arguments.is_closed, is_closed, "{list:?}");
                }
                match expected {
                    Ok(text) => assert_eq!(described(&result), text, "{list:?}"),
                    Err(pass) => assert_eq!(result, Err(pass), "{list:?}"),
                }
            }
            if option.arity == Arity::Flag {
                let attached = format!("{name}=x");
                assert_eq!(
                    read(&[&attached, "in.ptx", "-o", "out"]),
                    Err(Pass::Unknown)
                );
            }
        }
    }
}

#[test]
fn forms_that_ptxas_takes() {
    let same = [
        &["-O2", "-m64", "-arch=sm_90a", "a.o", "-o", "b"][..],
        &["-O", "2", "--machine=64", "-arch", "sm_90a", "a.o", "-o=b"],
        &[
            "a.o",
            "-o",
            "x",
            "--output-file",
            "b",
            "-arch=sm_75",
            "--gpu-name=sm_90a",
        ],
    ];
    for list in same {
        assert_eq!(described(&read(list)), "a.o -> b for sm_90", "{list:?}");
    }
    assert_eq!(
        described(&read(&["-", "b.ptx", "-o", "o"])),
        "<stdin>, b.ptx -> o for -"
    );
    assert_eq!(read(&[]), Err(Pass::Nothing));
    assert_eq!(read(&["-o"]), Err(Pass::Unknown));
    assert_eq!(read(&["-o", "o"]), Err(Pass::NoInput));
    assert_eq!(read(&["a.ptx"]), Err(Pass::NoOutput));
    assert_eq!(read(&["a.ptx", "-o", ""]), Err(Pass::NoOutput));
    assert_eq!(read(&["-", "-", "-o", "o"]), Err(Pass::StdinTwice));
    assert_eq!(read(&["a.ptx", "-O0", "-o", "o"]), Err(Pass::Unoptimized));
    assert_eq!(
        read(&["a.ptx", "-arch=compute_80", "-o", "o"]),
        Err(Pass::Virtual)
    );
    assert_eq!(
        read(&["a.ptx", "-arch=gfx90a", "-o", "o"]),
        Err(Pass::Unknown)
    );
}

#[test]
fn forms_that_the_assembler_of_gcc_takes() {
    let read = |all: &[&str]| described(&Arguments::read(Tool::NvptxAs, words(all)));
    assert_eq!(
        read(&["-m", "sm_80", "--no-verify", "-o", "a.o", "a.s"]),
        "a.s -> a.o for sm_80"
    );
    assert_eq!(
        read(&["-msm_35", "-v", "-oa.o", "-"]),
        "<stdin> -> a.o for sm_35"
    );
    assert_eq!(read(&["--version"]), "through: a question");
    assert_eq!(
        read(&["a.s", "b.s", "-o", "a.o"]),
        "through: an unknown option"
    );
    assert_eq!(
        read(&["--64", "-o", "a.o", "a.s"]),
        "through: an unknown option"
    );
}

/// An option that the table lacks goes through; its value is no input, and no input is its value.
#[test]
fn unknown_options_leave_the_input_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, ".version 8.0\n").unwrap();
        path.to_str().unwrap().to_string()
    };
    let (k, other) = (file("k.ptx"), file("other.ptx"));
    let (k, other) = (k.as_str(), other.as_str());
    let forms: &[&[&str]] = &[
        &["--new=2", k],
        &["--new=a.ptx", k],
        &["--new", "-arch=sm_80", k],
        &["-new", "2", "-arch=sm_80", k],
        // A flag, or an option whose value is a name: the only word that can be the input is one.
        &["--new", k],
        &["-arch=sm_80", "--new", k, "-v"],
        &["--new", "2", "--newer", k],
        &["--new", "2", "--newer", "a.ptx", k],
        // Values that look like inputs, and files that an option may write.
        &["--new", "a.ptx", k],
        &["--new", other, k],
        &[k, "--new", other],
        &["--new", "-", k],
        &["--new", other, "-v", k, "--newer", other],
        &["--new", "/dev/null", "--newer", k],
        // Values that look like options.
        &["--new", "-1", k],
        &["--new\u{fc}", "2", k],
    ];
    for form in forms {
        let mut list = form.to_vec();
        list.extend(["-o", "out"]);
        let arguments = read(&list).unwrap();
        let text = described(&Ok(arguments.clone()));
        assert!(
            text.starts_with(&format!("{k} -> out for ")),
            "{list:?}: {text}"
        );
        // Only this word is replaced.
        let changed = arguments.with(&[(arguments.inputs[0].slot, "new".into())]);
        let expected = list
            .iter()
            .map(|&word| if word == k { "new" } else { word });
        assert_eq!(changed, words(&expected.collect::<Vec<_>>()), "{list:?}");
    }
    // An input that does not exist, and standard input.
    let only = |list: &[&str]| described(&read(list));
    assert_eq!(only(&["--new", "a.ptx", "-o", "o"]), "a.ptx -> o for -");
    assert_eq!(only(&["--new", "-", "-o", "o"]), "<stdin> -> o for -");
    // Two words that may be it.
    for list in [[k, other], ["a.ptx", "b.ptx"], ["-", "a.ptx"]] {
        let list = ["--new", list[0], "--newer", list[1], "-o", "o"];
        assert_eq!(read(&list), Err(Pass::Ambiguous), "{list:?}");
    }
    // What forbids changes still does, and what is known keeps its arity.
    assert_eq!(read(&["--new", "-g", k, "-o", "o"]), Err(Pass::Forbidden));
    assert_eq!(
        read(&["--new=1", "-O0", k, "-o", "o"]),
        Err(Pass::Unoptimized)
    );
    assert_eq!(only(&["--new", "2", "-o", "o"]), "2 -> o for -");
    assert_eq!(read(&["--new", "-o", "o"]), Err(Pass::NoInput));
}

/// Every option in the help of a `ptxas` is in the table, by both names; one whose help shows a value takes one.
#[test]
fn the_table_has_what_ptxas_lists() {
    for arch in [50, 80] {
        let found = Search::from_environment().ptxas(Arch::new(arch));
        let Some((ptxas, _)) = present("ptxas", found.ok()) else {
            return;
        };
        let output = std::process::Command::new(&ptxas).arg("--help").output();
        let help = String::from_utf8(output.unwrap().stdout).unwrap();
        let mut count = 0;
        for line in help.lines().filter(|line| line.starts_with("--")) {
            let (long, rest) = line.split_once(' ').unwrap();
            let (value, short) = rest.rsplit_once('(').unwrap();
            let short = short.trim_end().trim_end_matches(')');
            let option = table::find(long).unwrap_or_else(|| panic!("{}: {line}", ptxas.display()));
            assert_eq!((option.long, option.short), (long, short), "{line}");
            if value.contains('<') {
                assert_eq!(option.arity, Arity::Value, "{line}");
            }
            count += 1;
        }
        assert!(count >= 50, "{}: {count} options", ptxas.display());
    }
}

/// Options that neither ask nor forbid, with a value where they take one, in one of the forms.
fn harmless() -> impl Strategy<Value = Vec<String>> {
    let all: Vec<_> = OPTIONS
        .iter()
        .filter(|option| option.meaning == Meaning::Other)
        .collect();
    (prop::sample::select(all), any::<bool>(), any::<bool>()).prop_map(
        |(option, long, attached)| {
            let name = if long { option.long } else { option.short };
            match (option.arity, attached) {
                (Arity::Flag, _) => vec![name.to_string()],
                (Arity::Value, true) => vec![format!("{name}=a.ptx")],
                (Arity::Value, false) => vec![name.to_string(), "a.ptx".to_string()],
            }
        },
    )
}

proptest! {
    /// Wherever input, output and target are among other options, they are found, and nothing else changes.
    #[test]
    fn any_order_is_understood(
        options in prop::collection::vec(harmless(), 0..8),
        places in prop::collection::vec(any::<prop::sample::Index>(), 3),
    ) {
        let mut groups = options;
        let own = [vec!["in.ptx"], vec!["-o", "out"], vec!["-arch=sm_80"]];
        for (group, place) in own.iter().zip(places) {
            let at = place.index(groups.len() + 1);
            groups.insert(at, group.iter().map(|word| word.to_string()).collect());
        }
        let list: Vec<OsString> = groups.iter().flatten().map(OsString::from).collect();
        let arguments = Arguments::read(Tool::Ptxas, list.clone()).unwrap();
        prop_assert_eq!(described(&Ok(arguments.clone())), "in.ptx -> out for sm_80");
        let changed = arguments.with(&[
            (arguments.inputs[0].slot, "new.ptx".into()),
            (arguments.output, "new".into()),
        ]);
        let expected: Vec<OsString> = list
            .iter()
            .map(|word| match word.to_str() {
                Some("in.ptx") => "new.ptx".into(),
                Some("out") => "new".into(),
                _ => word.clone(),
            })
            .collect();
        prop_assert_eq!(changed, expected);
    }

    /// No list of words is too strange.
    #[test]
    fn any_words_are_read_without_a_panic(words in prop::collection::vec("[-=a-zO0-9@,]{0,8}", 0..8)) {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        for tool in [Tool::Ptxas, Tool::NvptxAs] {
            if let Ok(arguments) = Arguments::read(tool, words.clone()) {
                prop_assert_eq!(arguments.with(&[]), arguments.words);
            }
        }
    }
}
