//! What the caller sees is what the real tool does: streams, exit codes, arguments, files.

use crate::dropin::sandbox::{COVERED, PLAIN, Sandbox, real_ptxas, said};
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
        let sandbox = Sandbox::new();
        sandbox.file("k.ptx", COVERED);
        sandbox.script(RECORDS);
        assert!(sandbox.scripted(words).status.success());
        let expected: String = words.iter().map(|word| format!("<{word}>\n")).collect();
        assert_eq!(
            String::from_utf8(sandbox.read("seen").unwrap()).unwrap(),
            expected
        );
    }
}

#[test]
fn options_keep_their_order_around_a_rewritten_input() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", COVERED);
    sandbox.script(r#"for word in "$@"; do echo "<$word>"; done; echo x > "$5""#);
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
    let output = sandbox.scripted(&words);
    // Names of `ptxasw` in what is printed are those of the caller.
    assert_eq!(
        String::from_utf8(output.stdout.clone()).unwrap(),
        "<-v>\n<-arch=sm_80>\n<k.ptx>\n<-o>\n<o>\n<-w>\n<-O3>\n",
        "{}",
        said(&output)
    );
    assert_eq!(sandbox.read("o").unwrap(), b"x\n");
}

#[test]
fn unknown_options_go_through_and_the_input_is_rewritten() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", COVERED);
    let words = ["--new", "2", "-arch=sm_80", "--newer", "k.ptx", "-o", "o"];
    sandbox.script(r#"for word in "$@"; do echo "<$word>"; done; cp "$5" "$7""#);
    let output = sandbox.scripted(&words);
    let expected: String = words.iter().map(|word| format!("<{word}>\n")).collect();
    assert_eq!(String::from_utf8(output.stdout.clone()).unwrap(), expected);
    assert!(output.status.success() && said(&output).is_empty());
    let text = String::from_utf8(sandbox.read("o").unwrap()).unwrap();
    assert_eq!(text.matches("shfl.sync").count(), 4);
    // Where the real tool does not take it, its own words and its exit code are all that is seen.
    fs::remove_file(sandbox.path("o")).unwrap();
    sandbox.script("echo \"ptxas fatal   : Unknown option '-new'\" >&2; cp \"$5\" seen; exit 255");
    let output = sandbox.scripted(&words);
    assert_eq!(output.status.code(), Some(255));
    assert_eq!(said(&output), "ptxas fatal   : Unknown option '-new'\n");
    assert!(sandbox.read("o").is_none() && sandbox.read("seen").unwrap() == COVERED.as_bytes());
}

/// What the real tool prints comes first, so that whoever looks for `release 13.5` or `V13.5.37` finds those of CUDA.
#[test]
fn the_version_ends_with_a_line_on_the_settings() {
    let sandbox = Sandbox::new();
    let real = "Cuda compilation tools, release 13.5, V13.5.37\n";
    let answer = |words: &[&str], variables: &[(&str, &str)]| {
        let mut command = sandbox.command(sandbox.path("bin/ptxas"));
        let path = format!("{}:/usr/bin:/bin", sandbox.path("path").display());
        command.args(words).env("PATH", path);
        command.env_remove("PTXASW_PROFIT");
        let output = command.envs(variables.iter().copied()).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let line = |words: &[&str], variables: &[(&str, &str)]| {
        let (code, text) = answer(words, variables);
        assert_eq!(code, Some(0));
        let line = text.strip_prefix(real).unwrap().to_string();
        assert!(
            line.starts_with("ptxasw 0.") && line.ends_with('\n'),
            "{line}"
        );
        assert!(line.lines().count() == 1 && !line.contains("release") && !line.contains('V'));
        line
    };
    for end in ["echo", "printf %s"] {
        sandbox.script(&format!("{end} '{}'", real.trim_end()));
        let usual = line(&["--version"], &[]);
        let always = line(&["-V"], &[("PTXASW_PROFIT", "always")]);
        assert_ne!(usual, always);
        assert_eq!(line(&["-V", "--ptxasw-profit=always"], &[]), always);
        assert_eq!(line(&["-V"], &[("PTXASW_PROFIT", "auto")]), usual);
        assert_eq!(line(&["-V"], &[("PTXASW_STATS", "1")]), usual);
    }
    sandbox.script(&format!("echo '{}'", real.trim_end()));
    // Switched off it is the real tool and nothing else; and what failed has no version.
    let off = answer(&["--version"], &[("PTXASW_OFF", "1")]);
    assert_eq!(off, (Some(0), real.to_string()));
    sandbox.script("echo broken; exit 3");
    assert_eq!(answer(&["-V"], &[]), (Some(3), "broken\n".to_string()));
}

/// Triton takes an assembler that does not answer for none. GCC's assembler has no line of `ptxasw`.
#[test]
fn questions_are_answered_whatever_the_settings() {
    let sandbox = Sandbox::new();
    let script = sandbox.script("echo answer");
    for (name, word) in [
        ("bin/ptxas", "--version"),
        ("bin/ptxas", "-h"),
        ("bin/as", "--version"),
    ] {
        let mut command = sandbox.command(sandbox.path(name));
        command
            .args([word, "--ptxasw-profit=alway"])
            .env("PTXASW_PTXAS", &script)
            .env("PTXASW_NVPTX_AS", &script);
        let output = command.output().unwrap();
        assert!(
            said(&output).contains("did you mean `always`?"),
            "{}",
            said(&output)
        );
        assert!(output.status.success() && output.stdout == b"answer\n");
    }
    let mut command = sandbox.command(sandbox.path("bin/as"));
    command.arg("--version").env("PTXASW_NVPTX_AS", &script);
    assert_eq!(command.output().unwrap().stdout, b"answer\n");
}

/// A distributed build starts a copy under a name of its own.
#[test]
fn a_program_of_another_name_is_taken_for_what_it_is_asked() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", COVERED);
    sandbox.script("for word; do last=$word; done; cp k.ptx \"$last\"; echo called");
    let run = |name: &str, words: &[&str]| {
        let _ = std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_ptxasw"), sandbox.path(name));
        let mut command = sandbox.command(sandbox.path(name));
        let path = format!("{}:/usr/bin:/bin", sandbox.path("path").display());
        let output = command.args(words).env("PATH", path).output().unwrap();
        assert!(
            output.status.success(),
            "{name} {words:?}: {}",
            said(&output)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    for name in ["3f2a9c", "my-ptxas", "ptxasw"] {
        let words = ["-m64", "-arch=sm_80", "k.ptx", "-o", "o"];
        assert_eq!(run(name, &words), "called\n");
        assert_eq!(run(name, &["k.ptx", "-o", "o.cubin"]), "called\n");
        let words = [
            "k.ptx",
            "--profit",
            "always",
            "--no-register-check",
            "-o",
            "out.ptx",
        ];
        run(name, &[&["opt"], &words[..]].concat());
        let text = String::from_utf8(sandbox.read("out.ptx").unwrap()).unwrap();
        assert_eq!(text.matches("shfl.sync").count(), 4);
        assert!(run(name, &["help"]).contains("Usage:"));
    }
    for word in ["--help", "--version", "-h", "-V"] {
        assert!(run("ptxasw", &[word]).contains("ptxasw"), "{word}");
    }
}

#[test]
fn streams_of_megabytes_and_exit_codes_are_the_real_ones() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", COVERED);
    sandbox.script("yes out | head -c 3000000; yes err | head -c 5000000 >&2; echo x > \"$4\"");
    let output = sandbox.scripted(&["-arch=sm_80", "k.ptx", "-o", "o"]);
    assert_eq!(
        (output.stdout.len(), output.stderr.len()),
        (3_000_000, 5_000_000)
    );
    for (end, code, signal) in [("exit 7", Some(7), None), ("kill -KILL $$", None, Some(9))] {
        sandbox.script(&format!("echo said >&2; {end}"));
        let output = sandbox.scripted(&["-arch=sm_80", "k.ptx", "-o", "o"]);
        assert_eq!(
            (output.status.code(), output.status.signal()),
            (code, signal)
        );
        assert_eq!(said(&output), "said\n");
    }
}

#[test]
fn the_order_of_two_streams_into_one_is_kept() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", COVERED);
    sandbox.script("for i in 1 2 3; do echo out; echo err >&2; done; echo x > \"$4\"");
    let log = fs::File::create(sandbox.path("log")).unwrap();
    let path = format!("{}:/usr/bin:/bin", sandbox.path("path").display());
    let status = sandbox
        .command(sandbox.path("bin/ptxas"))
        .args(["-arch=sm_80", "k.ptx", "-o", "o"])
        .env("PATH", path)
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .status();
    assert!(status.unwrap().success());
    assert_eq!(
        sandbox.read("log").unwrap(),
        b"out\nerr\nout\nerr\nout\nerr\n"
    );
}

/// The real tool's output, from the same text rewritten by hand.
fn rewritten(sandbox: &Sandbox, text: &str) -> Vec<u8> {
    sandbox.file("by-hand.ptx", text);
    let status = sandbox
        .command(env!("CARGO_BIN_EXE_ptxasw"))
        .args([
            "opt",
            "--arch",
            "sm_80",
            "--profit",
            "always",
            "--no-register-check",
        ])
        .args(["by-hand.ptx", "-o", "by-hand.ptx"])
        .status();
    assert!(status.unwrap().success());
    assert!(
        sandbox
            .real(&["-arch=sm_80", "by-hand.ptx", "-o", "by-hand"])
            .status
            .success()
    );
    sandbox.read("by-hand").unwrap()
}

#[test]
fn every_form_of_input_gives_the_same_machine_code() {
    if real_ptxas().is_none() {
        return;
    }
    let sandbox = Sandbox::new();
    let expected = rewritten(&sandbox, COVERED);
    sandbox.file("k.s", COVERED);
    sandbox.file("options", "-arch=sm_80\n\"k.s\"\n -o o");
    let forms: &[&[&str]] = &[
        &["-arch=sm_80", "k.s", "-o", "o"],
        &["--gpu-name", "sm_80", "--output-file=o", "k.s"],
        &["-optf", "options"],
        &["-arch=sm_80", "/dev/stdin", "-o", "o"],
        &["-arch=sm_80", "--input-as-string", COVERED, "-o", "o"],
        &["-arch=sm_80", "-", "-o", "o"],
    ];
    for words in forms {
        let mut command = sandbox.command(sandbox.path("bin/ptxas"));
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
        assert!(sandbox.read("o").unwrap() == expected, "{}", words[0]);
        fs::remove_file(sandbox.path("o")).unwrap();
    }
    assert!(sandbox.is_clean());
}

#[test]
fn code_without_a_plan_is_byte_for_byte_that_of_the_real_tool() {
    if real_ptxas().is_none() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", PLAIN);
    let words = ["-v", "-arch=sm_80", "k.ptx", "-o", "o"];
    let steady = |text: String| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.contains("Compile time"));
        lines.map(str::to_string).collect()
    };
    let real = sandbox.real(&words);
    let bytes = sandbox.read("o").unwrap();
    fs::remove_file(sandbox.path("o")).unwrap();
    let ours = sandbox.ours(&words);
    assert_eq!(sandbox.read("o").unwrap(), bytes);
    assert_eq!(steady(said(&ours)), steady(said(&real)));
    // Errors name the files as the caller did.
    sandbox.file("k.ptx", format!("{COVERED}\n.func f() {{ bad; }}\n"));
    let (ours, real) = (sandbox.ours(&words), sandbox.real(&words));
    assert_eq!(ours.status.code(), Some(255));
    assert_eq!(said(&ours), said(&real));
    // An output that can't be written is the real tool's to complain of.
    sandbox.file("k.ptx", COVERED);
    let words = ["-arch=sm_80", "k.ptx", "-o", "no/such/folder"];
    let (ours, real) = (sandbox.ours(&words), sandbox.real(&words));
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
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("elsewhere")).unwrap();
    sandbox.file("k.ptx", COVERED);
    sandbox.file("elsewhere/other-name.s", COVERED);
    assert!(
        sandbox
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
    assert!(sandbox.ours(&words).status.success());
    assert!(sandbox.read("one") == sandbox.read("two"));
}

#[test]
fn a_slow_tool_is_waited_for() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", COVERED);
    sandbox.script("exec 2>&-; echo out; exec 1>&-; sleep 0.3; echo x > \"$4\"");
    let output = sandbox.scripted(&["-arch=sm_80", "k.ptx", "-o", "o"]);
    assert!(output.status.success() && output.stdout == b"out\n");
    assert_eq!(sandbox.read("o").unwrap(), b"x\n");
}

#[test]
fn verified_kernels_stay_rewritten() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", COVERED);
    sandbox.script("cp \"$2\" \"$4\"");
    let words = ["-arch=sm_80", "k.ptx", "-o", "o", "--ptxasw-verify"];
    let output = sandbox.scripted(&words);
    assert!(
        output.status.success() && said(&output).is_empty(),
        "{}",
        said(&output)
    );
    let text = String::from_utf8(sandbox.read("o").unwrap()).unwrap();
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
