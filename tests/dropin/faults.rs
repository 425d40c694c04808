//! Whatever fails, the build goes on: with the original, and one line of warning.

use crate::cells;
use crate::dropin::sandbox::{COVERED, Sandbox, said};
use std::fs;

/// Copies its input to its output, but fails where the text has a shuffle.
const NO_SHUFFLES: &str = r#"for word in "$@"; do
  case $last in -o) out=$word ;; *) case $word in -*) ;; *) in=$word ;; esac ;; esac
  last=$word
done
if grep -q shfl "$in"; then echo "ptxas $in, line 7; error   : no shuffles here" >&2; FAIL; fi
echo plain
cp "$in" "$out""#;

/// One warning, and the original's output, exit code and messages.
fn falls_back(script: &str, text: &str, cause: &str) {
    let sandbox = Sandbox::new();
    sandbox.script(script);
    sandbox.file("k.ptx", text);
    let output = sandbox.scripted(&["-arch=sm_80", "k.ptx", "-o", "k.cubin"]);
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    assert_eq!(sandbox.read("k.cubin").as_deref(), Some(text.as_bytes()));
    assert_eq!(output.stdout, b"plain\n");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("ptxasw: warning: `k.ptx`: "), "{said}");
    assert!(
        said.contains(cause)
            && said.contains("to reproduce: ptxasw opt --arch sm_80 --profit always k.ptx"),
        "{said}"
    );
    assert!(sandbox.is_clean());
}

#[test]
fn a_text_that_the_real_tool_rejects_goes_back() {
    let cause = "ptxas does not take the rewritten text (exit status: 255): ptxas k.ptx, line 7; error   : no shuffles here";
    falls_back(&NO_SHUFFLES.replace("FAIL", "exit 255"), COVERED, cause);
}

#[test]
fn a_text_that_kills_the_real_tool_goes_back() {
    let script = NO_SHUFFLES.replace("FAIL", "kill -SEGV $$");
    falls_back(
        &script,
        COVERED,
        "ptxas does not take the rewritten text (signal: 11 (SIGSEGV)",
    );
}

#[test]
fn a_real_tool_that_writes_nothing_is_not_believed() {
    let script = NO_SHUFFLES.replace("FAIL", "exit 0");
    falls_back(&script, COVERED, "ptxas wrote no output");
}

#[test]
fn a_text_that_we_do_not_understand_goes_through() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k( { }\n";
    falls_back(&NO_SHUFFLES.replace("FAIL", "exit 1"), text, "line 4: ");
}

#[test]
fn where_the_input_is_at_fault_only_the_real_tool_speaks() {
    let sandbox = Sandbox::new();
    sandbox.script("echo 'ptxas fatal : bad' >&2; exit 255");
    sandbox.file("k.ptx", ".version 8.0\n.target sm_80\n{{{");
    sandbox.file("k.cubin", "as before");
    let output = sandbox.scripted(&["-arch=sm_80", "k.ptx", "-o", "k.cubin"]);
    assert_eq!(output.status.code(), Some(255));
    assert_eq!(said(&output), "ptxas fatal : bad\n");
    assert_eq!(sandbox.read("k.cubin").unwrap(), b"as before");
}

#[test]
fn strictness_makes_a_failure_an_error() {
    let sandbox = Sandbox::new();
    sandbox.script(&NO_SHUFFLES.replace("FAIL", "exit 255"));
    sandbox.file("k.ptx", COVERED);
    let output = sandbox.scripted(&["-arch=sm_80", "k.ptx", "-o", "k.cubin", "--ptxasw-strict"]);
    assert_eq!(output.status.code(), Some(255));
    assert!(
        said(&output).starts_with("ptxasw: error: `k.ptx`: ptxas does not take"),
        "{}",
        said(&output)
    );
    assert_eq!(sandbox.read("k.cubin"), None);
}

#[test]
fn rejected_texts_are_kept_where_that_is_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.script(&NO_SHUFFLES.replace("FAIL", "exit 255"));
    sandbox.file("k.ptx", COVERED);
    let words = [
        "-arch=sm_80",
        "k.ptx",
        "-o",
        "k.cubin",
        "--ptxasw-save-temps=kept here",
    ];
    let output = sandbox.scripted(&words);
    assert_eq!(
        sandbox.read("kept here/k.cubin.input.ptx").unwrap(),
        COVERED.as_bytes()
    );
    let rewritten = sandbox.read("kept here/k.cubin.rewritten.ptx").unwrap();
    assert!(String::from_utf8(rewritten).unwrap().contains("shfl.sync"));
    let command =
        "ptxasw opt --arch sm_80 --profit always 'kept here/k.cubin.input.ptx' -o /dev/null";
    assert!(said(&output).contains(command), "{}", said(&output));
}

#[test]
fn a_kernel_that_loses_warps_is_assembled_as_it_was() {
    if crate::dropin::sandbox::real_ptxas().is_none() {
        return;
    }
    let sandbox = Sandbox::new();
    // Two kernels: one of them keeps its shuffles.
    let second = crate::dropin::sandbox::LOSING
        .find(".visible .entry")
        .unwrap();
    sandbox.file(
        "k.ptx",
        format!("{COVERED}\n{}", &crate::dropin::sandbox::LOSING[second..]),
    );
    let words = [
        "-arch=sm_80",
        "k.ptx",
        "-o",
        "k.cubin",
        "--ptxasw-stats",
        "--ptxasw-remarks=k.json",
    ];
    let output = sandbox.ours(&words);
    assert!(output.status.success(), "{}", said(&output));
    let remarks = fs::read_to_string(sandbox.path("k.json")).unwrap();
    assert!(
        remarks.contains(r#""name":"KernelReverted","module":"k.ptx","function":"tricubic""#),
        "{remarks}"
    );
    assert!(
        remarks.contains(r#""name":"LoadBecomesShuffle","module":"k.ptx","function":"wave13pt""#)
    );
    assert!(
        cells(&said(&output)).contains("gone back to their original 1\n"),
        "{}",
        said(&output)
    );
}

/// By the pass `memory`: GCC's kernel of LU loses a step of occupancy, that of BT nothing.
#[test]
fn a_kernel_whose_pass_costs_warps_is_assembled_as_it_was() {
    if crate::dropin::sandbox::real_ptxas().is_none() {
        return;
    }
    let sandbox = Sandbox::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/ptx-tests/loads/openacc");
    let words = |name: &'static str| {
        let text = fs::read(format!("{folder}/{name}.gcc.ptx")).unwrap();
        sandbox.file(&format!("{name}.ptx"), text);
        [
            "-arch=sm_80".to_owned(),
            format!("{name}.ptx"),
            "-o".to_owned(),
            format!("{name}.cubin"),
            "--ptxasw-stats".to_owned(),
            format!("--ptxasw-remarks={name}.json"),
            "--ptxasw-passes=memory".to_owned(),
            "--ptxasw-loads=proofs".to_owned(),
        ]
    };
    let ours = |name, more: &[&str]| {
        let words = words(name);
        let words: Vec<&str> = words
            .iter()
            .map(String::as_str)
            .chain(more.iter().copied())
            .collect();
        let output = sandbox.ours(&words);
        assert!(output.status.success(), "{}", said(&output));
        let remarks = fs::read_to_string(sandbox.path(&format!("{name}.json"))).unwrap();
        fs::remove_file(sandbox.path(&format!("{name}.json"))).unwrap();
        (
            sandbox.read(&format!("{name}.cubin")).unwrap(),
            remarks,
            said(&output),
        )
    };
    let plain = |name: &str| {
        let (input, output) = (format!("{name}.ptx"), format!("{name}.plain.cubin"));
        let ran = sandbox.real(&["-arch=sm_80", &input, "-o", &output]);
        assert!(ran.status.success(), "{}", said(&ran));
        sandbox.read(&output).unwrap()
    };
    let (cubin, remarks, table) = ours("lu", &[]);
    assert!(cubin == plain("lu"));
    let why = "the original is kept: 64 registers instead of 55, 32 instead of 36 warps would fit";
    assert!(
        remarks.contains(why) && !remarks.contains("LoadRemoved"),
        "{remarks}"
    );
    for line in [
        "gone back to their original 1\n",
        "1 it lost warps by its registers, or spilled\n",
        "loads 147\nkept 147\n",
    ] {
        assert!(cells(&table).contains(line), "{line}: {table}");
    }
    let (cubin, remarks, _) = ours("lu", &["--ptxasw-no-register-check"]);
    assert!(
        cubin != plain("lu") && remarks.contains("LoadRemoved"),
        "{remarks}"
    );
    let (cubin, remarks, table) = ours("bt", &[]);
    assert!(cubin != plain("bt"), "{table}");
    assert!(
        remarks.contains("SpaceResolved") && !remarks.contains("KernelReverted"),
        "{remarks}"
    );
    // 20 warps that wait 207 times are slower than 8 that wait 7 times.
    let (cubin, remarks, table) = ours("bt", &["--ptxasw-loads=bulk"]);
    assert!(cubin != plain("bt"), "{table}");
    let figures = [
        r#""name":"FewerWarps""#,
        "it stays rewritten: ",
        "warps would fit, and each waits for memory ",
    ];
    for figure in figures {
        assert!(remarks.contains(figure), "{figure}: {remarks}");
    }
}

#[test]
fn without_a_real_tool_there_is_an_error() {
    let sandbox = Sandbox::new();
    let words = ["-arch=sm_80", "k.ptx", "-o", "k.cubin"];
    // Links to `ptxasw` and copies of it are not a real tool.
    std::os::unix::fs::symlink(sandbox.path("bin/ptxas"), sandbox.path("path/ptxas")).unwrap();
    let output = sandbox.scripted(&words);
    assert_eq!(output.status.code(), Some(255));
    // All places are named, each with what is there.
    let place_of = |name: &str| sandbox.path(name).display().to_string();
    let message = format!(
        "ptxasw: error: cannot find `ptxas`; searched:\n  PTXASW_PTXAS: not set\n  {} (beside ptxasw): not there\n",
        place_of("bin/ptxas.real")
    );
    let text = said(&output);
    assert!(text.starts_with(&message), "{text}");
    for line in [
        format!("  {} (PATH): ptxasw itself\n", place_of("path/ptxas")),
        "  /usr/bin/ptxas (PATH): not there\n".to_string(),
        "  CUDA_HOME: not set\n".to_string(),
    ] {
        assert!(text.contains(&line), "{line} in {text}");
    }
    assert!(
        text.ends_with("\n  set PTXASW_PTXAS to its path\n"),
        "{text}"
    );
    fs::remove_file(sandbox.path("path/ptxas")).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_ptxasw"), sandbox.path("path/ptxas")).unwrap();
    assert_eq!(sandbox.scripted(&words).status.code(), Some(255));
}

#[test]
fn another_version_of_ours_is_no_real_tool_for_ever() {
    let sandbox = Sandbox::new();
    // Another file, the same program: each is the only other `ptxas` that the other one finds.
    let mut program = fs::read(env!("CARGO_BIN_EXE_ptxasw")).unwrap();
    program.push(0);
    fs::remove_file(sandbox.path("bin/ptxas")).unwrap();
    for name in ["bin/ptxas", "path/ptxas"] {
        fs::copy(env!("CARGO_BIN_EXE_ptxasw"), sandbox.path(name)).unwrap();
    }
    fs::write(sandbox.path("path/ptxas"), &program).unwrap();
    let mut command = sandbox.command(sandbox.path("bin/ptxas"));
    let path = format!(
        "{}:{}",
        sandbox.path("bin").display(),
        sandbox.path("path").display()
    );
    let output = command.arg("--version").env("PATH", path).output().unwrap();
    assert_eq!(output.status.code(), Some(255));
    assert!(
        said(&output).contains("cannot find `ptxas`"),
        "{}",
        said(&output)
    );
}

/// Wherever the output or the temporary folder can't be written, or the input not be read, the caller sees what the real tool
/// says of it.
#[test]
fn the_real_tool_complains_of_files() {
    if crate::dropin::sandbox::real_ptxas().is_none() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", COVERED);
    fs::create_dir(sandbox.path("folder")).unwrap();
    // A disk without space, folders, files that are not there.
    for (input, output) in [
        ("k.ptx", "/dev/full"),
        ("k.ptx", "folder"),
        ("k.ptx", "no/such/file"),
        ("folder", "o"),
        ("no-such.ptx", "o"),
    ] {
        let words = ["-arch=sm_80", input, "-o", output];
        let (ours, real) = (sandbox.ours(&words), sandbox.real(&words));
        assert_eq!(ours.status.code(), real.status.code(), "{words:?}");
        assert_eq!(said(&ours), said(&real), "{words:?}");
    }
}

/// Nothing to rewrite, or a target that nobody knows: what there is to say about it, the assembler says.
#[test]
fn an_empty_text_and_an_unknown_target_are_the_assemblers_matter() {
    for (text, words) in [
        ("".to_owned(), "Missing .version directive"),
        (COVERED.replace("sm_80", "sm_999"), "Unsupported .target"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.script(&format!("echo 'fatal   : {words}' >&2; exit 255"));
        sandbox.file("k.ptx", text);
        let output = sandbox.scripted(&["-arch=sm_80", "k.ptx", "-o", "k.cubin"]);
        assert_eq!(output.status.code(), Some(255));
        assert_eq!(said(&output), format!("fatal   : {words}\n"));
        assert!(sandbox.is_clean() && sandbox.read("k.cubin").is_none());
    }
}
