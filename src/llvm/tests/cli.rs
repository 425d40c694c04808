//! `ptxasw-llvm`, and `ptxasw`, which hands LLVM IR over to it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const KERNEL: &str = "define ptx_kernel void @k(ptr %p) {\n  ret void\n}\n";

fn ours() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ptxasw-llvm"))
}

/// The program of the other package, which a build of everything puts next to ours.
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
