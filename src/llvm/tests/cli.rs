//! `ptxasw-llvm`, and `ptxasw`, which hands LLVM IR over to it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const KERNEL: &str = "define ptx_kernel void @k(ptr %p) {\n  ret void\n}\n";

fn ours() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ptxasw-llvm"))
}

/// The program of the other package, which a build of everything puts next to `ptxasw-llvm`.
fn other() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_BIN_EXE_ptxasw-llvm")).with_file_name("ptxasw");
    if !path.is_file() {
        assert!(std::env::var_os("CI").is_none(), "no `ptxasw` was built");
        eprintln!("skipped: no `ptxasw` was built");
        return None;
    }
    Some(path)
}

fn piped(mut command: Command, input: &[u8]) -> Output {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_error_has_llvms_message_and_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ll");
    fs::write(&path, "define void @f() {\n  ret i32 %x\n}\n").unwrap();
    let output = ours().arg("dump").arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    let place = format!("{}:2:7: error: ", path.display());
    assert!(message.starts_with(&place), "{message}");
}

#[test]
fn ir_is_handed_over_with_its_words() {
    let Some(other) = other() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ll");
    fs::write(&path, KERNEL).unwrap();
    let direct = ours().arg("dump").arg(&path).output().unwrap();
    assert!(direct.status.success(), "{}", text(&direct.stderr));
    assert!(text(&direct.stdout).contains('k'));
    let handed = Command::new(&other)
        .arg("dump")
        .arg(&path)
        .output()
        .unwrap();
    assert_eq!(text(&handed.stdout), text(&direct.stdout));
    let mut command = Command::new(&other);
    command.args(["dump", "-"]);
    assert_eq!(
        text(&piped(command, KERNEL.as_bytes()).stdout),
        text(&direct.stdout)
    );
}

#[test]
fn without_the_program_there_is_a_clear_message() {
    let Some(other) = other() else { return };
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("ptxasw");
    fs::copy(&other, &alone).unwrap();
    let path = folder.path().join("a.ll");
    fs::write(&path, KERNEL).unwrap();
    let output = Command::new(&alone)
        .arg("dump")
        .arg(&path)
        .env("PATH", folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.contains("`ptxasw-llvm` is needed"), "{message}");
}

/// `opt` and the commands that print refuse a module with a message.
fn refused(module: &str, more: &[&str], parts: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.ll"), module).unwrap();
    fs::write(path("out.ll"), "as before").unwrap();
    let mut opt = ours();
    opt.args(["opt", "-o"]).arg(path("out.ll")).args(more);
    let mut explain = ours();
    explain.arg("explain").args(more);
    for mut command in [opt, explain] {
        let output = command.arg(path("a.ll")).output().unwrap();
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(output.stdout.is_empty());
        for part in parts {
            assert!(message.contains(part), "no `{part}` in: {message}");
        }
    }
    assert_eq!(fs::read(path("out.ll")).unwrap(), b"as before");
}

#[test]
fn modules_for_other_machines_are_refused() {
    let host = "target triple = \"x86_64-pc-linux-gnu\"\ndefine void @f() {\n  ret void\n}\n";
    refused(host, &[], &["`x86_64-pc-linux-gnu`, not nvptx64", "a.ll"]);
    let future = "target triple = \"nvptx64-nvidia-cuda\"\n\
                  define void @f() #0 {\n  ret void\n}\nattributes #0 = { \"target-cpu\"=\"sm_999\" }\n";
    refused(future, &[], &["unknown target `sm_999`"]);
    refused(KERNEL, &["--arch", "sm_999"], &["unknown target `sm_999`"]);
}

/// A module with nothing to rewrite is no error of `opt`, as for PTX.
#[test]
fn a_module_without_functions_comes_out_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ll");
    fs::write(
        &path,
        "target triple = \"nvptx64-nvidia-cuda\"\ndeclare void @f()\n",
    )
    .unwrap();
    let output = ours().arg("opt").arg(&path).output().unwrap();
    let message = text(&output.stderr);
    assert!(output.status.success(), "{message}");
    assert!(
        message.ends_with("no kernel and no function: nothing is rewritten\n"),
        "{message}"
    );
    assert!(text(&output.stdout).contains("declare void @f()"));
    let output = ours().arg("explain").arg(&path).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        message.contains("a.ll` defines no kernel and no function"),
        "{message}"
    );
}

#[test]
fn a_glob_without_a_match_lists_the_names() {
    let words = [
        "`--kernel none` matches nothing in",
        "a.ll`, which has:\n  k",
    ];
    refused(KERNEL, &["--kernel", "none"], &words);
}

#[test]
fn the_output_may_be_the_input_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ll");
    let run = |more: &[&str]| {
        fs::write(&path, KERNEL).unwrap();
        let mut command = ours();
        command.current_dir(folder.path());
        command.args(["opt", "a.ll"]).args(more).output().unwrap()
    };
    let output = run(&["-o", "a.ll"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(fs::read(&path).unwrap(), run(&["-o", "-"]).stdout);
    for option in ["--plan", "--certificates"] {
        let output = run(&["-o", "b.ll", option, "a.ll"]);
        assert_eq!(output.status.code(), Some(1));
        let message = text(&output.stderr);
        assert!(message.contains("the input are the same file"), "{message}");
        assert_eq!(fs::read(&path).unwrap(), KERNEL.as_bytes());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn passes_are_chosen_and_the_ir_after_one_is_printed() {
    let module = include_str!("../../../llvm-tests/kernelgen/jacobi.ll");
    let run = |more: &[&str]| {
        let mut command = ours();
        command.args(["opt", "-", "-q", "--profit=always", "--no-register-check"]);
        command.args(more);
        piped(command, module.as_bytes())
    };
    let without = text(&run(&["--passes=-shuffle"]).stdout);
    let output = run(&["--print-after=shuffle"]);
    let rewritten = text(&output.stdout);
    assert!(rewritten.contains("llvm.nvvm.shfl.sync") && !without.contains("llvm.nvvm.shfl.sync"));
    let printed = text(&output.stderr);
    let function = ptxasw::ir::text::parse(&printed);
    let function = function.unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(&*function.name, "jacobi");
}
