//! What the assembler made once is taken from the user's cache folder: whole, by this user, for the same program, words and text.

use crate::dropin::sandbox::{COVERED, LOSING, Sandbox, real_ptxas};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

/// A sandbox with a module.
fn with(text: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", text);
    sandbox
}

/// The drop-in, which prints its figures.
fn command(sandbox: &Sandbox, input: &str, output: &str, more: &[&str]) -> Command {
    let mut command = sandbox.command(sandbox.path("bin/ptxas"));
    command.args(["-arch=sm_80", input, "-o", output, "--ptxasw-stats"]);
    command.args(more);
    command.env("PTXASW_PTXAS", real_ptxas().unwrap());
    command
}

/// How many outputs of the assembler were needed, how many of them the cache had, and a digest of the machine code.
fn run(sandbox: &Sandbox, more: &[&str]) -> (u64, u64, u64) {
    figures(
        sandbox,
        command(sandbox, "k.ptx", "k.cubin", more),
        "k.cubin",
    )
}

fn figures(sandbox: &Sandbox, mut command: Command, made: &str) -> (u64, u64, u64) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let figure = |name: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(name));
        line.map_or(0, |count| count.trim().parse().unwrap())
    };
    let mut code = DefaultHasher::new();
    sandbox.read(made).unwrap().hash(&mut code);
    (
        figure("assemblies"),
        figure("  from the cache"),
        code.finish(),
    )
}

/// The files of the cache that hold machine code.
fn entries(sandbox: &Sandbox) -> Vec<PathBuf> {
    let Ok(folders) = fs::read_dir(sandbox.path("cache/ptxasw/assembled")) else {
        return Vec::new();
    };
    let files = folders.flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap());
    files.map(|file| file.unwrap().path()).collect()
}

#[test]
fn a_second_build_assembles_nothing() {
    if real_ptxas().is_none() {
        return;
    }
    // It loses warps: the original is assembled as well.
    let sandbox = with(LOSING);
    let (needed, known, first) = run(&sandbox, &[]);
    assert!(needed >= 2 && needed > known, "{needed} {known}");
    assert_eq!(entries(&sandbox).len() as u64, needed - known);
    assert_eq!(run(&sandbox, &[]), (needed, needed, first));
    assert_eq!(run(&sandbox, &["--ptxasw-no-cache"]), (0, 0, first));
}

#[test]
fn other_words_and_texts_are_other_entries() {
    if real_ptxas().is_none() {
        return;
    }
    let sandbox = with(COVERED);
    let (needed, ..) = run(&sandbox, &[]);
    for more in ["-O2", "-maxrregcount=64", "-lineinfo", "--ptxasw-scheme=R"] {
        assert!(needed > 0 && run(&sandbox, &[more]).1 == 0, "{more}");
    }
    // Where the output goes and what the input is called is no matter.
    sandbox.file("other.ptx", COVERED);
    let other = command(&sandbox, "other.ptx", "other.cubin", &[]);
    assert_eq!(figures(&sandbox, other, "other.cubin").1, needed);
}

#[test]
fn damaged_entries_are_not_used() {
    if real_ptxas().is_none() {
        return;
    }
    let sandbox = with(COVERED);
    let (needed, _, code) = run(&sandbox, &[]);
    for entry in entries(&sandbox) {
        let mut bytes = fs::read(&entry).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&entry, bytes).unwrap();
    }
    assert_eq!(run(&sandbox, &[]), (needed, 0, code));
    // They are whole again.
    assert_eq!(run(&sandbox, &[]), (needed, needed, code));
    for entry in entries(&sandbox) {
        fs::write(&entry, &fs::read(&entry).unwrap()[..40]).unwrap();
    }
    assert_eq!(run(&sandbox, &[]), (needed, 0, code));
}

/// Another key's entry is whole, and yet not this one's.
#[test]
fn entries_of_other_names_are_not_used() {
    if real_ptxas().is_none() {
        return;
    }
    let sandbox = with(COVERED);
    let (needed, _, code) = run(&sandbox, &[]);
    let mine = entries(&sandbox);
    run(&sandbox, &["-maxrregcount=24"]);
    let other = entries(&sandbox)
        .into_iter()
        .find(|one| !mine.contains(one));
    let other = fs::read(other.unwrap()).unwrap();
    for entry in mine {
        fs::write(&entry, &other).unwrap();
    }
    assert_eq!(run(&sandbox, &[]), (needed, 0, code));
}

/// A home folder that does not exist is not made.
#[test]
fn no_home_is_made() {
    if real_ptxas().is_none() {
        return;
    }
    let sandbox = with(COVERED);
    for home in [sandbox.path("none/home"), PathBuf::from("relative")] {
        let mut command = command(&sandbox, "k.ptx", "k.cubin", &[]);
        command.env_remove("XDG_CACHE_HOME").env("HOME", &home);
        assert_eq!(figures(&sandbox, command, "k.cubin").1, 0);
        assert!(!sandbox.path("none").exists() && !sandbox.path("relative").exists());
    }
}

#[test]
fn what_others_can_write_is_not_used() {
    if real_ptxas().is_none() {
        return;
    }
    let sandbox = with(COVERED);
    let (needed, _, code) = run(&sandbox, &[]);
    let mode = |path: &PathBuf, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for entry in entries(&sandbox) {
        mode(&entry, 0o666);
    }
    assert_eq!(run(&sandbox, &[]), (needed, 0, code));
    let folder = sandbox.path("cache/ptxasw");
    mode(&folder, 0o777);
    assert_eq!(run(&sandbox, &[]), (0, 0, code));
    mode(&folder, 0o700);
    assert_eq!(run(&sandbox, &[]), (needed, needed, code));
}

#[test]
fn builds_at_the_same_time_share_it() {
    if real_ptxas().is_none() {
        return;
    }
    let sandbox = with(LOSING);
    let (needed, ..) = run(&sandbox, &["--ptxasw-no-cache"]);
    let code = sandbox.read("k.cubin").unwrap();
    let all: Vec<_> = (0..8)
        .map(|number| {
            let output = format!("{number}.cubin");
            let child = command(&sandbox, "k.ptx", &output, &[]).spawn().unwrap();
            (output, child)
        })
        .collect();
    for (output, mut child) in all {
        assert!(child.wait().unwrap().success());
        assert!(sandbox.read(&output).unwrap() == code, "{output}");
    }
    let left = entries(&sandbox);
    let whole = |path: &PathBuf| path.file_name().unwrap().len() == 64;
    assert!(needed == 0 && !left.is_empty() && left.iter().all(whole));
}

/// A script may start anything, and a stand-in does.
#[test]
fn only_assemblers_are_remembered() {
    if real_ptxas().is_none() {
        return;
    }
    let real = real_ptxas().unwrap();
    let sandbox = with(COVERED);
    sandbox.script(&format!("exec {} \"$@\"", real.display()));
    let words = ["-arch=sm_80", "k.ptx", "-o", "k.cubin"];
    assert!(sandbox.scripted(&words).status.success());
    assert_eq!(entries(&sandbox), Vec::<PathBuf>::new());
    // So does a program that only starts another one.
    let source =
        "#include <unistd.h>\nint main(int n, char **words) { return execv(REAL, words); }\n";
    sandbox.file("start.c", source);
    let mut compiler = Command::new("cc");
    compiler.arg(format!("-DREAL=\"{}\"", real.display()));
    compiler
        .arg(sandbox.path("start.c"))
        .arg("-o")
        .arg(sandbox.path("path/ptxas"));
    assert!(compiler.status().unwrap().success());
    assert!(sandbox.scripted(&words).status.success());
    assert_eq!(entries(&sandbox), Vec::<PathBuf>::new());
    // `opt` takes a link to ptxasw for its `ptxas`, which finds the real one on the path.
    let path = format!("{}:/usr/bin:/bin", real.parent().unwrap().display());
    let opt = |home: &str| {
        let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
        command
            .args(["opt", "k.ptx", "-o", "new.ptx"])
            .env("PATH", &path);
        command.env("PTXASW_TOOLCHAIN", sandbox.path("none"));
        command.env("CUDA_HOME", sandbox.path(home));
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && !said.contains("warning"),
            "{said}"
        );
        entries(&sandbox).len()
    };
    assert_eq!(opt(""), 0);
    assert!(opt("none") > 0);
}
