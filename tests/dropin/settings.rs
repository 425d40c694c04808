//! Options of `ptxasw`: by argument, by variable, and what is reported of those that are wrong.

use crate::dropin::sandbox::{COVERED, Sandbox, said};
use ptxasw::passes::memory::{Loads, MemoryOptions};
use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::pipeline::settings::Settings;
use std::ffi::OsString;

type Taken = Result<(Settings, Vec<OsString>), String>;

fn take(words: &[&str], variables: &[(&str, &str)]) -> Taken {
    let words = words.iter().map(OsString::from).collect();
    let variables = variables
        .iter()
        .map(|(name, value)| (name.into(), value.into()));
    Settings::take(words, variables).map_err(|error| error.to_string())
}

#[test]
fn arguments_are_taken_out_and_win_over_variables() {
    let variables = [
        ("PTXASW_WRAPPING", "R"),
        ("PTXASW_MAX_DELTA", "3"),
        ("HOME", "/"),
        ("PTXASW_J", ""),
    ];
    let words = [
        "-v",
        "--ptxasw-wrapping=f31",
        "--ptxasw-assume=nowrap",
        "--ptxasw-assume=noalias",
        "x.ptx",
    ];
    let (settings, rest) = take(&words, &variables).unwrap();
    let synthesis = settings.options(None, true).synthesis;
    assert_eq!(synthesis.wrapping, Some(Wrapping::WholeRows));
    assert_eq!(synthesis.max_delta, 3);
    assert!(synthesis.assume_no_wrap && synthesis.assume_no_alias);
    assert_eq!(rest, ["-v", "x.ptx"]);
    let (settings, _) = take(&["--ptxasw-kernels=a*,!ab"], &[("PTXASW_KERNELS", "b*")]).unwrap();
    let kernels = settings.options.kernels;
    assert!(kernels.has("ac") && !kernels.has("ab") && !kernels.has("b"));
    let (settings, _) = take(
        &["--ptxasw-verify=0", "--ptxasw-off"],
        &[("PTXASW_VERIFY", "1")],
    )
    .unwrap();
    assert!(!settings.verify && settings.off);
}

#[test]
fn limits_are_settings() {
    let words = [
        "--ptxasw-max-instructions=1000",
        "--ptxasw-solver-gates=7",
        "--ptxasw-solver-queries=0",
        "--ptxasw-max-steps=70",
    ];
    let variables = [("PTXASW_MAX_TERMS", "2000"), ("PTXASW_SOLVER_LIMIT", "300")];
    let (settings, _) = take(&words, &variables).unwrap();
    let limits = settings.options.synthesis.limits;
    assert_eq!(
        (limits.instructions, limits.terms, limits.queries),
        (1000, 2000, 0)
    );
    assert_eq!(limits.steps, Some(70));
    let options = settings.options(None, true);
    assert_eq!((options.solver.rlimit, options.solver.gates), (300, 7));
    assert!(options.solver.kernel_gates >= 7 && options.synthesis.limits == limits);
}

#[test]
fn the_memory_pass_has_settings() {
    let words = ["--ptxasw-loads=bulk", "--ptxasw-assume=noalias"];
    let variables = [("PTXASW_LOADS", "off"), ("PTXASW_MAX_LIVE", "16")];
    let (settings, _) = take(&words, &variables).unwrap();
    let memory = settings.options(None, true).memory;
    assert_eq!((memory.loads, memory.max_live), (Loads::Bulk, 16));
    assert!(memory.assumed.no_alias && settings.options(None, true).synthesis.assume_no_alias);
    let usual = take(&[], &[]).unwrap().0.options(None, true).memory;
    assert_eq!(usual, MemoryOptions::default());
    assert_eq!(usual.loads, Loads::Batches);
}

/// Whatever the output depends on is in the digest, by argument as by variable; nothing else is.
#[test]
fn the_digest_has_what_the_output_depends_on() {
    let digest = |words: &[&str], variables: &[(&str, &str)]| {
        let (settings, _) = take(words, variables).unwrap();
        settings.digest()
    };
    let usual = digest(&[], &[]);
    let mut seen = vec![usual];
    for (name, value) in [
        ("assume", "nowrap"),
        ("assume", "noalias"),
        ("assume", "contract"),
        ("assume", "reassoc"),
        ("assume", "nsz"),
        ("assume", "arcp"),
        ("assume", "nnan"),
        ("assume", "ninf"),
        ("cost", "paper"),
        ("extract", "exact"),
        ("kernels", "a*"),
        ("kernels", "!a*"),
        ("loads", "off"),
        ("loads", "checked"),
        ("max-delta", "3"),
        ("max-instructions", "7"),
        ("max-live", "7"),
        ("max-terms", "7"),
        ("off", "1"),
        ("passes", "-memory"),
        ("passes", "-shuffle"),
        ("passes", "+saturate"),
        ("passes", "cse"),
        ("passes", "cse,sat,bulk"),
        ("profit", "always"),
        ("raise-version", "1"),
        ("solver-gates", "7"),
        ("solver-limit", "7"),
        ("solver-queries", "7"),
        ("space", "shared"),
        ("verify", "1"),
        ("wrapping", "R"),
        ("wrapping", "paper"),
    ] {
        let changed = digest(&[&format!("--ptxasw-{name}={value}")], &[]);
        let variable = format!("PTXASW_{}", name.to_uppercase().replace('-', "_"));
        assert_eq!(digest(&[], &[(&variable, value)]), changed, "{name}");
        assert!(!seen.contains(&changed), "{name}={value}");
        seen.push(changed);
    }
    for (name, value) in [
        ("j", "2"),
        ("loads", "batches"),
        ("cost", "target"),
        ("extract", "greedy"),
        ("max-live", "32"),
        ("passes", "loops,memory,shuffle"),
        ("profit", "auto"),
        ("off", "0"),
        ("remarks", "x.yaml"),
        ("save-temps", "x"),
        ("stats", "1"),
        ("strict", "1"),
        ("wrapping", "auto"),
    ] {
        let word = format!("--ptxasw-{name}={value}");
        assert_eq!(digest(&[&word], &[]), usual, "{name}");
    }
}

/// Caches do not see variables: one line, and only where one changes the output of a call that assembles.
#[test]
fn stale_hits_are_warned_of_once() {
    let sandbox = Sandbox::new();
    sandbox.script("cp \"$2\" \"${4:-seen}\"");
    sandbox.file("k.ptx", COVERED);
    let warned = |words: &[&str], variables: &[(&str, &str)]| {
        let mut command = sandbox.command(sandbox.path("bin/ptxas"));
        let path = format!("{}:/usr/bin:/bin", sandbox.path("path").display());
        command.args(words).env("PATH", path);
        command.env_remove("PTXASW_PROFIT");
        let output = command.envs(variables.iter().copied()).output().unwrap();
        said(&output)
    };
    let words = ["-arch=sm_80", "k.ptx", "-o", "o"];
    let (cache, off) = (("CCACHE_DISABLE", "1"), ("PTXASW_OFF", "1"));
    let line = warned(&words, &[cache, off]);
    assert!(
        line.starts_with("ptxasw: warning: PTXASW_OFF changes the output")
            && line.lines().count() == 1,
        "{line}"
    );
    assert_eq!(warned(&words, &[off]), "");
    assert_eq!(warned(&words, &[cache]), "");
    assert_eq!(warned(&["-arch=sm_80", "k.ptx"], &[cache, off]), "");
}

#[test]
fn wrong_ones_are_named_with_what_may_have_been_meant() {
    let said = |words: &[&str], variables: &[(&str, &str)]| take(words, variables).unwrap_err();
    assert_eq!(
        said(&["--ptxasw-wraping=R"], &[]),
        "unknown option `--ptxasw-wraping`, did you mean `--ptxasw-wrapping`?"
    );
    assert_eq!(
        said(&["--ptxasw-xyz"], &[]),
        "unknown option `--ptxasw-xyz`"
    );
    assert_eq!(
        said(&[], &[("PTXASW_STRICTT", "1")]),
        "unknown option `PTXASW_STRICTT`, did you mean `PTXASW_STRICT`?"
    );
    assert_eq!(
        said(&["--ptxasw-remarks"], &[]),
        "`--ptxasw-remarks`: expected a value: `--ptxasw-remarks=...`"
    );
    assert_eq!(
        said(&["--ptxasw-max-delta=40"], &[]),
        "`--ptxasw-max-delta`: expected a number of at most 31, not `40`"
    );
    assert_eq!(
        said(&["--ptxasw-assume=nowrp"], &[]),
        "`--ptxasw-assume`: expected one of nowrap, noalias, contract, reassoc, nsz, arcp, nnan, ninf, not `nowrp`, did you mean `nowrap`?"
    );
    assert_eq!(
        said(&["--ptxasw-loads=proof"], &[]),
        "`--ptxasw-loads`: expected one of off, proofs, checked, moderate, bulk, pairs, batches, always, not `proof`, did you mean `proofs`?"
    );
    assert_eq!(
        said(&[], &[("PTXASW_OFF", "maybe")]),
        "`PTXASW_OFF`: expected one of 0, 1, not `maybe`"
    );
}

#[test]
fn a_wrong_option_is_an_error_and_nothing_is_assembled() {
    let sandbox = Sandbox::new();
    sandbox.script("echo x > \"$4\"");
    sandbox.file("k.ptx", COVERED);
    let output = sandbox.scripted(&["-arch=sm_80", "k.ptx", "-o", "o", "--ptxasw-wraping=R"]);
    assert_eq!(output.status.code(), Some(255));
    assert!(said(&output).starts_with("ptxasw: error: unknown option"));
    assert_eq!(sandbox.read("o"), None);
}

#[test]
fn what_is_switched_off_is_not_touched() {
    let sandbox = Sandbox::new();
    sandbox.script("cp \"$2\" \"$4\"");
    sandbox.file("k.ptx", COVERED);
    let output = sandbox.scripted(&["-arch=sm_80", "k.ptx", "-o", "o"]);
    assert!(output.status.success());
    assert!(sandbox.read("o").unwrap() != COVERED.as_bytes());
    for word in [
        "--ptxasw-off",
        "--ptxasw-kernels=!wave*",
        "--ptxasw-kernels=other",
    ] {
        assert!(
            sandbox
                .scripted(&["-arch=sm_80", "k.ptx", "-o", "o", word])
                .status
                .success()
        );
        assert!(sandbox.read("o").unwrap() == COVERED.as_bytes(), "{word}");
    }
}

/// The target of the machine code decides, not the module's own.
#[test]
fn by_default_the_target_decides() {
    let sandbox = Sandbox::new();
    sandbox.script("cp \"$2\" \"$4\"");
    sandbox.file("k.ptx", COVERED.replace(".target sm_80", ".target sm_60"));
    let shuffles = |arch: &str, more: &[&str]| {
        let words = [arch, "k.ptx", "-o", "o", "--ptxasw-profit=auto"];
        let output = sandbox.scripted(&[&words[..], more].concat());
        assert!(output.status.success(), "{}", said(&output));
        let text = String::from_utf8(sandbox.read("o").unwrap()).unwrap();
        text.matches("shfl.sync").count()
    };
    assert_eq!(shuffles("-arch=sm_61", &[]), 4);
    for arch in ["-arch=sm_70", "-arch=sm_80", "-arch=sm_90a"] {
        assert_eq!(shuffles(arch, &[]), 0, "{arch}");
        assert_eq!(shuffles(arch, &["--ptxasw-profit=always"]), 4, "{arch}");
    }
}
