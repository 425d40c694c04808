//! `ptxasw run`: what it writes, and how it ends where files are missing. What it prints is in `ptx-tests/run/`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Stores three times its thread's number into one buffer; the other keeps its contents.
const KERNEL: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [a];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    mul.lo.u32 %r2, %r1, 3;
    st.global.u32 [%rd3], %r2;
    ret;
}
";

/// The command in a folder with `k.ptx` and a launch file, whose only buffer with a name is `result`.
fn run(folder: &Path, options: &[&str]) -> Output {
    fs::write(folder.join("k.ptx"), KERNEL).unwrap();
    let launch = "block = 3\nargs = [{ buffer = 'u32', count = 4, name = 'result', uninit = true }, 'f32[2]:ramp']";
    fs::write(folder.join("l.toml"), launch).unwrap();
    Command::new(env!("CARGO_BIN_EXE_ptxasw"))
        .args(["run", "k.ptx"])
        .args(options)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn assert_code(output: &Output, code: i32) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
}

#[test]
fn buffers_are_dumped() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--launch", "l.toml", "--dump", "new/out", "--dump-text"];
    assert_code(&run(folder.path(), &options), 0);
    let read = |name: &str| fs::read(folder.path().join("new/out").join(name)).unwrap();
    let words = [0u32, 3, 6, 0].map(u32::to_le_bytes);
    assert_eq!(read("result.bin"), words.concat());
    assert_eq!(read("result.txt"), b"0\n3\n6\n?\n");
    assert_eq!(read("1.bin"), [0f32, 1.0].map(f32::to_le_bytes).concat());
    assert_eq!(read("1.txt"), b"0.0\n1.0\n");
    // Without text, and one folder for each launch.
    let options = ["--launch", "l.toml", "--launch", "l.toml", "--dump", "two"];
    assert_code(&run(folder.path(), &options), 0);
    let names = |name: &str| {
        let entries = fs::read_dir(folder.path().join("two").join(name)).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names("0"), ["1.bin", "result.bin"]);
    assert_eq!(names("1"), ["1.bin", "result.bin"]);
}

#[test]
fn a_dump_is_what_the_digest_is_of() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--launch", "l.toml", "--dump", "out"];
    let output = run(folder.path(), &options);
    assert_code(&output, 0);
    let dumped = fs::read(folder.path().join("out/result.bin")).unwrap();
    let digest = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&dumped));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains(&digest), "{digest} in {printed}");
}

/// The digest of no bytes, as the XXH3 specification's own tool prints it.
#[test]
fn the_digest_of_an_empty_buffer() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["--launch", "block=1 args=u32[1],u8[0]"]);
    assert_code(&output, 0);
    let printed = String::from_utf8(output.stdout).unwrap();
    let line = "buffer 1: u8[0] 99aa06d3014798d86001c324468d497f";
    assert!(printed.contains(line), "{printed}");
}

#[test]
fn names_of_buffers_do_not_lead_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let launch = "args = [{ buffer = 'u32', count = 1, name = '../out' }, { buffer = 'u8', count = 1, name = '0' }]";
    fs::write(folder.path().join("odd.toml"), launch).unwrap();
    let options = ["--launch", "odd.toml", "--dump", "out"];
    assert_code(&run(folder.path(), &options), 0);
    assert!(folder.path().join("out/0.bin").is_file());
    assert!(folder.path().join("out/1.bin").is_file());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

#[test]
fn files_that_are_not_there() {
    let folder = tempfile::tempdir().unwrap();
    for options in [
        &["--launch", "nowhere.toml"][..],
        &["--launch", "l.toml", "--dump", "k.ptx/out"],
    ] {
        let output = run(folder.path(), options);
        assert_code(&output, 1);
        assert!(!output.stderr.is_empty(), "{options:?}");
    }
    let output = run(folder.path(), &["--launch", "l.toml", "--kernel", "j"]);
    assert_code(&output, 1);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("`--kernel j` matches nothing"),
        "{message}"
    );
}

#[test]
fn modules_that_are_wrong() {
    let folder = tempfile::tempdir().unwrap();
    for (text, message) in [
        (KERNEL.replace("ret;", "ret"), "expected"),
        (KERNEL.replace("%r2;", "%r9;"), "%r9"),
    ] {
        fs::write(folder.path().join("bad.ptx"), text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_ptxasw"))
            .args(["run", "bad.ptx", "--launch", "block=3 args=u32[3],0"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_code(&output, 1);
        let shown = String::from_utf8_lossy(&output.stderr);
        assert!(
            shown.contains("bad.ptx:") && shown.contains(message),
            "{shown}"
        );
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn options_that_make_no_sense() {
    let folder = tempfile::tempdir().unwrap();
    for options in [
        &[][..],
        &["--launch", "l.toml", "--schedule", "its"],
        &["--launch", "l.toml", "--trace=lanes=40"],
        &["--launch", "l.toml", "--dump-text"],
        &["--launch", "l.toml", "--trace-limit", "3"],
    ] {
        assert_code(&run(folder.path(), options), 2);
    }
}
