//! What the caller sees is what the real tool does: streams, exit codes, arguments, files.

use crate::place::{COVERED, PLAIN, Place, real_ptxas, said};
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

/// Writes its arguments, one on a line, and the first bytes of its standard input.
const RECORDS: &str =
    r#"for word in "$@"; do echo "<$word>"; done > seen; head -c 20 > seen.stdin"#;

#[test]
fn what_is_not_understood_goes_through_word_for_word() {
    let calls: &[&[&str]] = &[
        &[],
        &["--version"],
        &["-h"],
        &["-arch=sm_80", "k.ptx"],
        &["-arch=compute_80", "k.ptx", "-o", "o"],
        &["-arch=sm_80", "-g", "k.ptx", "-o", "o"],
        &["-arch=sm_80", "-O0", "k.ptx", "-o", "o"],
        &["-arch=sm_80", "no such file", "-o", "o"],
        &["-optf", "no such file", "-o", "o", "a b", ""],
    ];
    for words in calls {
        let place = Place::new();
        place.file("k.ptx", COVERED);
        place.script(RECORDS);
        assert!(place.scripted(words).status.success());
        let expected: String = words.iter().map(|word| format!("<{word}>\n")).collect();
        assert_eq!(
            String::from_utf8(place.read("seen").unwrap()).unwrap(),
            expected
        );
    }
}

#[test]
fn options_keep_their_order_around_a_rewritten_input() {
    let place = Place::new();
    place.file("k.ptx", COVERED);
    place.script(r#"for word in "$@"; do echo "<$word>"; done; echo x > "$5""#);
    let words = [
        "-v",
        "-arch=sm_80",
        "k.ptx",
        "-o",
        "o",
        "-w",
        "--ptxasw-wrapping=R",
        "-O3",
    ];
    let output = place.scripted(&words);
    // Names of ours in what is printed are those of the caller.
    assert_eq!(
        String::from_utf8(output.stdout.clone()).unwrap(),
        "<-v>\n<-arch=sm_80>\n<k.ptx>\n<-o>\n<o>\n<-w>\n<-O3>\n",
        "{}",
        said(&output)
    );
    assert_eq!(place.read("o").unwrap(), b"x\n");
}

#[test]
fn streams_of_megabytes_and_exit_codes_are_the_real_ones() {
    let place = Place::new();
    place.file("k.ptx", COVERED);
    place.script("yes out | head -c 3000000; yes err | head -c 5000000 >&2; echo x > \"$4\"");
    let output = place.scripted(&["-arch=sm_80", "k.ptx", "-o", "o"]);
    assert_eq!(
        (output.stdout.len(), output.stderr.len()),
        (3_000_000, 5_000_000)
    );
    for (end, code, signal) in [("exit 7", Some(7), None), ("kill -KILL $$", None, Some(9))] {
        place.script(&format!("echo said >&2; {end}"));
        let output = place.scripted(&["-arch=sm_80", "k.ptx", "-o", "o"]);
        assert_eq!(
            (output.status.code(), output.status.signal()),
            (code, signal)
        );
        assert_eq!(said(&output), "said\n");
    }
}

#[test]
fn the_order_of_two_streams_into_one_is_kept() {
    let place = Place::new();
    place.file("k.ptx", COVERED);
    place.script("for i in 1 2 3; do echo out; echo err >&2; done; echo x > \"$4\"");
    let log = fs::File::create(place.path("log")).unwrap();
    let path = format!("{}:/usr/bin:/bin", place.path("path").display());
    let status = place
        .command(place.path("bin/ptxas"))
        .args(["-arch=sm_80", "k.ptx", "-o", "o"])
        .env("PATH", path)
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .status();
    assert!(status.unwrap().success());
    assert_eq!(
        place.read("log").unwrap(),
        b"out\nerr\nout\nerr\nout\nerr\n"
    );
}

/// The real tool's output, from the same text rewritten by hand.
fn rewritten(place: &Place, text: &str) -> Vec<u8> {
    place.file("by-hand.ptx", text);
    let status = place
        .command(env!("CARGO_BIN_EXE_ptxasw"))
        .args(["opt", "--arch", "sm_80", "by-hand.ptx", "-o", "by-hand.ptx"])
        .status();
    assert!(status.unwrap().success());
    assert!(
        place
            .real(&["-arch=sm_80", "by-hand.ptx", "-o", "by-hand"])
            .status
            .success()
    );
    place.read("by-hand").unwrap()
}

#[test]
fn every_form_of_input_gives_the_same_machine_code() {
    if real_ptxas().is_none() {
        return;
    }
    let place = Place::new();
    let expected = rewritten(&place, COVERED);
    place.file("k.s", COVERED);
    place.file("options", "-arch=sm_80\n\"k.s\"\n -o o");
    let forms: &[&[&str]] = &[
        &["-arch=sm_80", "k.s", "-o", "o"],
        &["--gpu-name", "sm_80", "--output-file=o", "k.s"],
        &["-optf", "options"],
        &["-arch=sm_80", "/dev/stdin", "-o", "o"],
        &["-arch=sm_80", "--input-as-string", COVERED, "-o", "o"],
        &["-arch=sm_80", "-", "-o", "o"],
    ];
    for words in forms {
        let mut command = place.command(place.path("bin/ptxas"));
        command
            .args(*words)
            .env("PTXASW_PTXAS", real_ptxas().unwrap())
            .stdin(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Whoever does not read it closes it.
        let _ = child.stdin.take().unwrap().write_all(COVERED.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success() && said(&output).is_empty(),
            "{words:?}: {}",
            said(&output)
        );
        assert!(place.read("o").unwrap() == expected, "{}", words[0]);
        fs::remove_file(place.path("o")).unwrap();
    }
    assert!(place.is_clean());
}

#[test]
fn code_without_a_plan_is_byte_for_byte_that_of_the_real_tool() {
    if real_ptxas().is_none() {
        return;
    }
    let place = Place::new();
    place.file("k.ptx", PLAIN);
    let words = ["-v", "-arch=sm_80", "k.ptx", "-o", "o"];
    let steady = |text: String| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.contains("Compile time"));
        lines.map(str::to_string).collect()
    };
    let real = place.real(&words);
    let bytes = place.read("o").unwrap();
    fs::remove_file(place.path("o")).unwrap();
    let ours = place.ours(&words);
    assert_eq!(place.read("o").unwrap(), bytes);
    assert_eq!(steady(said(&ours)), steady(said(&real)));
    // Errors name the files as the caller did.
    place.file("k.ptx", format!("{COVERED}\n.func f() {{ bad; }}\n"));
    let (ours, real) = (place.ours(&words), place.real(&words));
    assert_eq!(ours.status.code(), Some(255));
    assert_eq!(said(&ours), said(&real));
    // An output that can't be written is the real tool's to complain of.
    place.file("k.ptx", COVERED);
    let words = ["-arch=sm_80", "k.ptx", "-o", "no/such/folder"];
    let (ours, real) = (place.ours(&words), place.real(&words));
    assert_eq!(
        (ours.status.code(), said(&ours)),
        (real.status.code(), said(&real))
    );
}

#[test]
fn the_same_call_gives_the_same_bytes() {
    if real_ptxas().is_none() {
        return;
    }
    let place = Place::new();
    fs::create_dir(place.path("elsewhere")).unwrap();
    place.file("k.ptx", COVERED);
    place.file("elsewhere/other-name.s", COVERED);
    assert!(
        place
            .ours(&["-arch=sm_80", "-lineinfo", "k.ptx", "-o", "one"])
            .status
            .success()
    );
    let words = [
        "-arch=sm_80",
        "-lineinfo",
        "elsewhere/other-name.s",
        "-o",
        "two",
        "--ptxasw-j=1",
    ];
    assert!(place.ours(&words).status.success());
    assert!(place.read("one") == place.read("two"));
}

#[test]
fn a_slow_tool_is_waited_for() {
    let place = Place::new();
    place.file("k.ptx", COVERED);
    place.script("exec 2>&-; echo out; exec 1>&-; sleep 0.3; echo x > \"$4\"");
    let output = place.scripted(&["-arch=sm_80", "k.ptx", "-o", "o"]);
    assert!(output.status.success() && output.stdout == b"out\n");
    assert_eq!(place.read("o").unwrap(), b"x\n");
}

#[test]
fn verified_kernels_stay_rewritten() {
    let place = Place::new();
    place.file("k.ptx", COVERED);
    place.script("cp \"$2\" \"$4\"");
    let words = ["-arch=sm_80", "k.ptx", "-o", "o", "--ptxasw-verify"];
    let output = place.scripted(&words);
    assert!(
        output.status.success() && said(&output).is_empty(),
        "{}",
        said(&output)
    );
    let text = String::from_utf8(place.read("o").unwrap()).unwrap();
    assert_eq!(text.matches("shfl.sync").count(), 4);
}

/// What is loaded costs time at every call: LLVM would cost more than the assembler itself.
#[test]
fn llvm_is_not_loaded() {
    let output = std::process::Command::new("ldd")
        .arg(env!("CARGO_BIN_EXE_ptxasw"))
        .output()
        .unwrap();
    let libraries = String::from_utf8(output.stdout).unwrap();
    assert!(libraries.contains("libc.so"), "{libraries}");
    assert!(!libraries.contains("LLVM"), "{libraries}");
}
