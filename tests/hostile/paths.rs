//! Paths that are no files, and texts that look like some.

use crate::hostile::guard::{CERTIFY, HEAD, SHUFFLED, Sandbox, kernel, name};
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::thread;

const LAUNCH: &str = "--launch=guard grid=1 block=32 args=f32[64],f32[64],32";

fn readers(input: &str) -> [Vec<&str>; 6] {
    [
        vec!["opt", input, "-o", "out.ptx"],
        vec!["explain", input],
        vec!["dump", "--ir", input],
        vec!["trace", input],
        vec!["run", input, LAUNCH],
        vec!["verify", input, "a.ptx"],
    ]
}

#[test]
fn inputs_that_are_no_files() {
    let sandbox = Sandbox::new();
    sandbox.file("a.ptx", SHUFFLED);
    fs::create_dir(sandbox.path("folder")).unwrap();
    symlink("loop", sandbox.path("loop")).unwrap();
    symlink("nowhere", sandbox.path("dangling")).unwrap();
    for (input, words) in [
        ("folder", "it is a directory"),
        ("loop", "Too many levels"),
        ("dangling", "No such file"),
        ("none", "No such file"),
        ("a.ptx/b", "Not a directory"),
    ] {
        for command in readers(input) {
            sandbox.refused(&command, &["cannot read", input, words]);
        }
        sandbox.refused(&["corpus", input], &[input]);
        sandbox.refused(&["check", input], &[input]);
        sandbox.refused(&["stats", input], &[input]);
    }
    sandbox.refused(&["opt", "/dev/null"], &["`/dev/null` is empty"]);
}

/// Of an input without an end a limit is read, and no more. It is large: one command shows it.
#[test]
fn an_input_without_an_end() {
    let sandbox = Sandbox::new();
    sandbox.refused(
        &["opt", "/dev/zero", "-o", "out.ptx"],
        &["larger than 512 MiB"],
    );
    let huge = fs::File::create(sandbox.path("huge.ptx")).unwrap();
    huge.set_len((512 << 20) + 1).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_ptxasw"))
        .args(["explain", name(&sandbox.path("huge.ptx"))])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(1) && said.contains("larger than 512 MiB"),
        "{said}"
    );
}

#[test]
fn pipes_are_inputs_and_outputs() {
    let sandbox = Sandbox::new();
    let [input, output] = ["in", "out"].map(|name| sandbox.path(name));
    mkfifo(&input, Mode::S_IRWXU).unwrap();
    mkfifo(&output, Mode::S_IRWXU).unwrap();
    let read = thread::scope(|scope| {
        scope.spawn(|| fs::write(&input, SHUFFLED).unwrap());
        let reader = scope.spawn(|| fs::read(&output).unwrap());
        let status = Command::new(env!("CARGO_BIN_EXE_ptxasw"))
            .args([
                "opt",
                name(&input),
                "-o",
                name(&output),
                "--profit=always",
                "--no-register-check",
            ])
            .status()
            .unwrap();
        assert!(status.success());
        reader.join().unwrap()
    });
    assert!(read.windows(9).any(|nine| nine == b"shfl.sync"));
}

/// Every file that a command may write.
fn writers(output: &str) -> Vec<Vec<String>> {
    let words = |words: &[&str]| {
        words
            .iter()
            .map(|&word| word.to_owned())
            .collect::<Vec<_>>()
    };
    let option = |name: &str| format!("{name}={output}");
    vec![
        words(&[
            "opt",
            "a.ptx",
            "--profit=always",
            "--no-register-check",
            "-o",
            output,
        ]),
        words(&[
            "opt",
            "a.ptx",
            "--profit=always",
            "--no-register-check",
            "-o",
            "/dev/null",
            &option("--plan"),
        ]),
        words(&[
            "opt",
            "a.ptx",
            "--profit=always",
            "--no-register-check",
            "-o",
            "/dev/null",
            &option("--certificates"),
        ]),
        words(&["corpus", "tree", "--no-assemble", &option("--json")]),
        words(&["corpus", "tree", "--no-assemble", &option("--resume")]),
        words(&["check", "proofs", "--solver=z3", &option("--json")]),
        words(&["run", "a.ptx", LAUNCH, &option("--dump")]),
    ]
}

fn with_inputs() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("a.ptx", SHUFFLED);
    sandbox.file("tree/a.ptx", SHUFFLED);
    let status = Command::new(env!("CARGO_BIN_EXE_ptxasw"))
        .args(CERTIFY)
        .current_dir(sandbox.folder())
        .status()
        .unwrap();
    assert!(status.success());
    sandbox
}

#[test]
fn outputs_that_cannot_be_written() {
    let sandbox = with_inputs();
    sandbox.file("full/x", "");
    for output in ["none/x", "a.ptx/x", "/proc/self/none", "/dev/full"] {
        for words in writers(output) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            // Certificates and buffers go into folders, which are made.
            let folder = words.iter().any(|word| word.starts_with("--dump"));
            if folder && output == "none/x" {
                continue;
            }
            let message = sandbox.refused(&words, &[]);
            assert!(message.contains("cannot "), "{words:?}: {message}");
            assert!(
                !message.contains(".ptxasw-"),
                "a name of our own: {message}"
            );
        }
    }
    for words in writers("full") {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if !words.iter().any(|word| word.starts_with("--dump")) {
            sandbox.refused(&words, &["full"]);
        }
    }
}

/// A link's target is replaced, and nothing else; a link that leads nowhere becomes the file.
#[test]
fn outputs_through_links() {
    let sandbox = with_inputs();
    sandbox.file("target", "as before");
    symlink("target", sandbox.path("link")).unwrap();
    let answer = sandbox.run(&["opt", "a.ptx", "-o", "link"], &["target"]);
    assert_eq!(answer.code, 0);
    assert!(
        fs::symlink_metadata(sandbox.path("link"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(
        fs::read(sandbox.path("target")).unwrap(),
        SHUFFLED.as_bytes()
    );
    for (link, target) in [("loop", "loop"), ("dangling", "../nowhere")] {
        symlink(target, sandbox.path(link)).unwrap();
        assert_eq!(sandbox.run(&["opt", "a.ptx", "-o", link], &[link]).code, 0);
        assert_eq!(fs::read(sandbox.path(link)).unwrap(), SHUFFLED.as_bytes());
    }
}

/// What a module says of files is not looked at.
#[test]
fn files_that_modules_name() {
    let sandbox = Sandbox::new();
    for path in [
        "../outside",
        "/etc/passwd",
        "",
        "a\u{7f}\u{1b}[2J",
        "%s%n",
        "$(id)",
        "; id",
        &"../".repeat(100_000),
    ] {
        let lines = format!(
            "{HEAD}.file 1 \"{path}\"\n.file 1 \"{path}\", 1, 1\n@@DWARF .file 1 \"{path}\"\n.file 4294967296 \"{path}\"\n\
             .section .debug_str\n{{\n.b8 1\n}}\n"
        );
        let text = lines
            + &kernel(
                ".loc 1 1 1\n.loc 9 4294967295 0\n.loc 1 1 1, function_name L, inlined_at 1 1 1\n",
            )[HEAD.len()..];
        sandbox.file("a.ptx", &text);
        for words in [
            &["opt", "a.ptx", "-o", "b.ptx"][..],
            &["explain", "a.ptx"],
            &["run", "a.ptx", "--launch=grid=1 block=32 args=u64:0"],
        ] {
            let answer = sandbox.run(words, &["b.ptx"]);
            assert_eq!(answer.code, 0, "{}", answer.message);
        }
        assert_eq!(fs::read(sandbox.path("b.ptx")).unwrap(), text.as_bytes());
    }
    for bad in [
        ".file 1 \"a\nb\"\n\"",
        ".file 1 \"a",
        ".file 1 a\n.version",
        ".loc \"a\" 1 1",
    ] {
        sandbox.file("a.ptx", format!("{HEAD}.func f() {{ ret; }}\n{bad}"));
        let answer = sandbox.run(&["opt", "a.ptx", "-o", "b.ptx"], &["b.ptx"]);
        assert!(
            answer.code == 0 || answer.message.contains("a.ptx:"),
            "{}",
            answer.message
        );
    }
}

/// The assembler's arguments and the inputs they name.
#[test]
fn in_place_of_the_assembler() {
    let sandbox = Sandbox::new();
    sandbox.file("a.ptx", SHUFFLED);
    fs::create_dir(sandbox.path("folder")).unwrap();
    symlink("loop", sandbox.path("loop")).unwrap();
    let ours = |real: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
        command.env("PTXASW_PTXAS", real);
        command
    };
    for input in [
        "folder",
        "loop",
        "none",
        "a.ptx/b",
        "/dev/zero",
        "/dev/full",
        "/dev/null",
    ] {
        for output in ["out.cubin", "none/x", "folder"] {
            let words = ["as", "--", "-arch=sm_80", input, "-o", output];
            let answer = sandbox.run_as(ours("/bin/false"), &words, &["out.cubin"]);
            assert_eq!(answer.code, 1, "{}", answer.message);
        }
    }
}
