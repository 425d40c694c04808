//! The command line on good and bad input: exit code, message, and an output file that is whole or untouched.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use tempfile::TempDir;

/// A kernel in which one of two loads becomes a shuffle.
const GUARD: &str = include_str!("../ptx-tests/participation/guard.ptx");

/// What an output file holds before a command that must fail.
const BEFORE: &[u8] = b"as before";

/// A folder for the files of one test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
    command.args(arguments);
    // All that is proved is to be seen, and no assembler is needed for that.
    if let ["opt" | "explain", ..] = arguments {
        command.args(["--profit", "always"]);
    }
    if let ["opt", ..] = arguments {
        command.arg("--no-register-check");
    }
    command
}

fn opt(input: &Path, output: &Path, more: &[&str]) -> Output {
    let mut command = command(&["opt"]);
    command.arg(input).arg("-o").arg(output).args(more);
    command.output().unwrap()
}

/// Runs a command with bytes on its standard input.
fn piped(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap()
    })
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn rewritten(text: &[u8]) -> Vec<u8> {
    let output = piped(&["opt", "-"], text);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output.stdout
}

/// The module is refused with a message that holds `words`, and the output file stays as it is.
fn refused(module: impl AsRef<[u8]>, words: &[&str]) {
    let folder = Folder::new();
    let input = folder.file("in.ptx", module);
    let output = folder.file("out.ptx", BEFORE);
    let result = opt(&input, &output, &[]);
    let message = stderr(&result);
    assert_eq!(result.status.code(), Some(1), "{message}");
    for word in words {
        assert!(message.contains(word), "no `{word}` in: {message}");
    }
    assert_eq!(fs::read(&output).unwrap(), BEFORE);
    let left = fs::read_dir(folder.0.path()).unwrap().count();
    assert_eq!(left, 2, "a temporary file is left");
}

#[test]
fn a_module_is_rewritten() {
    let text = String::from_utf8(rewritten(GUARD.as_bytes())).unwrap();
    assert_eq!(text.matches("shfl.sync.down.b32").count(), 1);
    assert_ne!(text, GUARD);
}

#[test]
fn garbage_is_refused() {
    refused([0xff; 64], &["expected a directive", "in.ptx:1:1"]);
    let noise: Vec<u8> = (0..4096u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 23) as u8 | 0x80)
        .collect();
    refused(noise, &["error"]);
}

/// In the library at every place: no panic, and no change where no body has begun; by the command at some: no half-written
/// file.
#[test]
fn truncated_modules() {
    let module = GUARD;
    let open = module.find("{\n").unwrap();
    for end in 0..module.trim_end().len() {
        let text = &module.as_bytes()[..end];
        match ptxasw::optimize(text, &Default::default()) {
            Ok(output) => assert!(end <= open && output.text == text, "{end}"),
            Err(error) => assert!(!error.to_string().contains("internal"), "{end}: {error}"),
        }
    }
    for end in (open + 1..module.len() - 4).step_by(60) {
        refused(&module[..end], &["error"]);
    }
}

#[test]
fn what_is_not_declared_is_refused() {
    refused(
        GUARD.replace("$L_end:", "$L_other:"),
        &["`$L_end` is not a label", "in.ptx:"],
    );
    refused(
        GUARD.replace("%f2, [", "%none, ["),
        &["undeclared register `%none`", "^"],
    );
}

#[test]
fn what_is_declared_twice_is_refused() {
    refused(
        GUARD.replace("$L_end:", "$L_end:\n$L_end:"),
        &["duplicate label `$L_end`", "first here"],
    );
    refused(
        GUARD.replace("\t.reg .b64", "\t.reg .f32 %f<4>;\n\t.reg .b64"),
        &["already declared"],
    );
}

/// An old version has no `shfl.sync`, and is not raised.
#[test]
fn versions() {
    let old = GUARD.replace(".version 9.0", ".version 6.0");
    assert_eq!(rewritten(old.as_bytes()), old.as_bytes());
    let reasons = piped(&["explain", "-"], old.as_bytes());
    assert!(String::from_utf8_lossy(&reasons.stdout).contains("PTX 6.2"));
}

#[test]
fn a_hundred_megabytes() {
    let folder = Folder::new();
    let mut text = vec![b'/'; 100 << 20];
    text.push(b'\n');
    text.extend(GUARD.as_bytes());
    let input = folder.file("in.ptx", &text);
    let output = folder.path("out.ptx");
    assert!(opt(&input, &output, &[]).status.success());
    let written = fs::read(&output).unwrap();
    assert!(written.len() > text.len() && written.starts_with(&text[..100 << 20]));
}

#[test]
fn paths_that_cannot_be_read() {
    let folder = Folder::new();
    let output = folder.file("out.ptx", BEFORE);
    for (input, words) in [
        (folder.path("none.ptx"), "cannot read"),
        (folder.0.path().to_owned(), "it is a directory"),
    ] {
        let result = opt(&input, &output, &[]);
        assert_eq!(result.status.code(), Some(1));
        assert!(stderr(&result).contains(words), "{}", stderr(&result));
        assert_eq!(fs::read(&output).unwrap(), BEFORE);
    }
}

#[test]
fn paths_that_cannot_be_written() {
    let folder = Folder::new();
    let input = folder.file("in.ptx", GUARD);
    let read_only = folder.file("read-only.ptx", BEFORE);
    let mut permissions = fs::metadata(&read_only).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&read_only, permissions).unwrap();
    for (output, words) in [
        (folder.path("none/out.ptx"), "cannot write"),
        (folder.0.path().to_owned(), "it is a directory"),
        (read_only.clone(), "it is read-only"),
    ] {
        let result = opt(&input, &output, &[]);
        assert_eq!(result.status.code(), Some(1));
        assert!(stderr(&result).contains(words), "{}", stderr(&result));
    }
    assert_eq!(fs::read(&read_only).unwrap(), BEFORE);
}

#[test]
fn bytes_that_are_no_text_in_comments() {
    let mut text = b"// \xff\xfe\x80\n/* \xc3 */\n".to_vec();
    text.extend(GUARD.as_bytes());
    let plain = rewritten(GUARD.as_bytes());
    let result = rewritten(&text);
    assert!(result.starts_with(b"// \xff\xfe\x80\n/* \xc3 */\n") && result.ends_with(&plain));
}

#[test]
fn other_line_ends() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let plain = String::from_utf8(rewritten(GUARD.as_bytes())).unwrap();
    let result = String::from_utf8(rewritten(crlf(GUARD).as_bytes())).unwrap();
    assert_eq!(result, crlf(&plain));
}

#[test]
fn measuring_variants_warn() {
    for variant in ["--no-load", "--no-corner"] {
        let output = piped(&["opt", variant, "-"], GUARD.as_bytes());
        assert_eq!(output.status.code(), Some(0));
        assert!(stderr(&output).contains("wrong on purpose"));
        assert_ne!(output.stdout, rewritten(GUARD.as_bytes()));
        let quiet = piped(&["opt", variant, "-q", "-"], GUARD.as_bytes());
        assert_eq!(stderr(&quiet), "");
        assert_eq!(quiet.stdout, output.stdout);
    }
}

#[test]
fn passes_of_llvm_do_not_run_on_ptx() {
    for command in ["opt", "explain"] {
        let output = piped(&[command, "--llvm-passes=gpucc", "-"], GUARD.as_bytes());
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("the input is PTX"));
    }
}

/// Two kernels, `guard` and `other`.
fn two_kernels() -> String {
    let kernel = GUARD[GUARD.find(".visible").unwrap()..].replace("guard", "other");
    format!("{GUARD}{kernel}")
}

fn shuffles(arguments: &[&str], text: &str) -> usize {
    let mut all = vec!["opt", "-"];
    all.extend(arguments);
    let output = piped(&all, text.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    String::from_utf8(output.stdout)
        .unwrap()
        .matches("shfl.sync")
        .count()
}

#[test]
fn limits_on_what_is_rewritten() {
    let two = two_kernels();
    assert_eq!(shuffles(&[], &two), 2);
    assert_eq!(shuffles(&["--kernel", "gu*"], &two), 1);
    assert_eq!(shuffles(&["--max-shuffles", "0"], &two), 0);
    let far = GUARD.replace("[%rd6+4]", "[%rd6+20]");
    assert_eq!(shuffles(&["--max-delta", "5"], &far), 1);
    assert_eq!(shuffles(&["--max-delta", "4"], &far), 0);
}

#[test]
fn the_plan_is_json() {
    let folder = Folder::new();
    let input = folder.file("in.ptx", GUARD);
    let plan = folder.path("plan.json");
    let more = ["--plan", plan.to_str().unwrap()];
    assert!(opt(&input, &folder.path("out.ptx"), &more).status.success());
    let json: serde_json::Value = serde_json::from_slice(&fs::read(&plan).unwrap()).unwrap();
    let kernel = &json.as_array().unwrap()[0];
    assert_eq!(kernel["kernel"], "guard");
    let shuffle = &kernel["shuffles"][0];
    assert_eq!(shuffle["delta"], 1);
    assert_eq!(shuffle["conditions"].as_array().unwrap().len(), 6);
    assert!(
        shuffle["certificate"]["obligations"][0]["smt"]
            .as_str()
            .unwrap()
            .contains("check-sat")
    );
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let two = two_kernels();
    let [one, eight] = ["1", "8"].map(|jobs| piped(&["opt", "-", "-j", jobs], two.as_bytes()));
    assert!(one.status.success() && one.stdout == eight.stdout);
}

#[test]
fn wrong_options_are_told_from_wrong_input() {
    for options in [
        &["--no-load", "--no-corner"][..],
        &["--max-delta", "32"],
        &["--wrapping", "none"],
        &["--arch", "80"],
        &["-v", "-q"],
        &["--unheard-of"],
    ] {
        let mut arguments = vec!["opt", "-"];
        arguments.extend(options);
        let output = piped(&arguments, GUARD.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(output.stdout.is_empty());
    }
    let output = piped(&["opt", "-", "--kernel", "["], GUARD.as_bytes());
    assert!(!output.status.success() && output.stdout.is_empty());
}

#[test]
fn nobody_has_to_listen() {
    let folder = Folder::new();
    let input = folder.file("in.ptx", GUARD);
    let wanted = opt(&input, &folder.path("heard.ptx"), &["-v", "--stats"]);
    assert!(!wanted.stderr.is_empty());
    let output = folder.path("out.ptx");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = command(&["opt"]);
    command.arg(&input).arg("-o").arg(&output);
    let status = command.args(["-v", "--stats"]).stderr(writer).status();
    assert_eq!(status.unwrap().code(), Some(0));
    assert_eq!(
        fs::read(&output).unwrap(),
        fs::read(folder.path("heard.ptx")).unwrap()
    );
}

#[test]
fn the_demo_shows_both_defaults_and_the_lanes() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/ptx-tests/demo.sh");
    let mut command = Command::new(script);
    let output = command
        .arg("pascal")
        .env("PTXASW", env!("CARGO_BIN_EXE_ptxasw"))
        .output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("sm_80: shuffles are not known to pay"),
        "{text}"
    );
    assert_eq!(text.matches("3 loads: from lane i+1").count(), 2, "{text}");
    assert_eq!(text.matches("28   29   30   31 load").count(), 2, "{text}");
}

#[test]
fn the_demo_shows_the_default() {
    let folder = Folder::new();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/ptx-tests/demo.sh");
    let mut command = Command::new(script);
    command.env("PTXASW", env!("CARGO_BIN_EXE_ptxasw"));
    let output = command.env("DEMO_OUT", folder.path("out")).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "36 of 63 loads and 18 of 27 stores removed",
        "waits for memory 27 -> 2",
        "verified: equal in ",
        "your own kernel:",
    ] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}
