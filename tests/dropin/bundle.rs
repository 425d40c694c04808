//! The assembler as one file: it needs nothing else, reads no variables, and shares its unpacked parts safely.

use crate::cells;
use crate::dropin::sandbox::{COVERED, Sandbox, present, real_ptxas, said};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A load that is covered only where the solver answers a question.
const ASKS: &str = include_str!("../../ptx-tests/limits/enough.ptx");
const WORDS: &[&str] = &["-arch=sm_80", "k.ptx", "-o", "o"];

impl Sandbox {
    /// `ptxasw bundle`, with its parts in the cache folder `cache` if the test has made it.
    fn bundle(&self, name: &str, words: &[&str]) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_ptxasw"));
        command.arg("bundle").args(words).args(["-o", name]);
        command.output().unwrap()
    }

    /// A bundle of the real `ptxas`.
    fn bundled(&self, name: &str, words: &[&str]) -> PathBuf {
        let real = real_ptxas().unwrap();
        let all = [words, &["--ptxas", real.to_str().unwrap()]].concat();
        let output = self.bundle(name, &all);
        assert!(output.status.success(), "{}", said(&output));
        let line = String::from_utf8(output.stdout).unwrap();
        assert!(
            line.starts_with(&format!("{name}: bundle of ptxasw ")),
            "{line}"
        );
        let solver = match words.contains(&"--no-solver") {
            true => ", without a solver\n",
            false => ", with Z3 4.",
        };
        assert!(line.contains(solver), "{line}");
        if let ["--profit", profit, ..] = words {
            assert!(
                line.contains(&format!(", --ptxasw-profit={profit}, ")),
                "{line}"
            );
        }
        self.path(name)
    }

    /// A bundle of `echo`, which prints the arguments that it is given.
    fn echo(&self, name: &str) -> PathBuf {
        let output = self.bundle(name, &["--no-solver", "--ptxas", "/bin/echo"]);
        assert!(output.status.success(), "{}", said(&output));
        self.path(name)
    }

    fn runs(&self, program: &Path, words: &[&str], variables: &[(&str, &str)]) -> Output {
        let mut command = self.command(program);
        command.args(words).envs(variables.iter().copied());
        command.output().unwrap()
    }

    /// What a program makes of the kernel `k.ptx`, and what it prints.
    fn assembled(
        &self,
        program: &Path,
        more: &[&str],
        variables: &[(&str, &str)],
    ) -> (Vec<u8>, String) {
        let output = self.runs(program, &[WORDS, more].concat(), variables);
        assert!(output.status.success(), "{}", said(&output));
        let cubin = self.read("o").unwrap();
        fs::remove_file(self.path("o")).unwrap();
        (cubin, said(&output))
    }
}

/// The arguments that lead `bwrap` to a folder `w` and to the libraries that `ldd` names for a program, and to nothing else.
fn confined(program: &Path, folder: &Path) -> Command {
    let ldd = Command::new("ldd").arg(program).output().unwrap();
    let libraries = String::from_utf8(ldd.stdout).unwrap();
    let paths = libraries
        .split_whitespace()
        .filter(|word| word.starts_with('/'));
    let mut command = Command::new("bwrap");
    command.args([
        "--unshare-all",
        "--die-with-parent",
        "--clearenv",
        "--proc",
        "/proc",
    ]);
    for path in paths {
        command.args(["--ro-bind", path, path]);
    }
    // A build server starts it under its own name.
    command.arg("--ro-bind").arg(program).arg("/compiler");
    command
        .arg("--bind")
        .arg(folder)
        .args(["/w", "--chdir", "/w"]);
    command
}

/// Whether this machine lets `bwrap` make namespaces.
fn has_namespaces() -> bool {
    let made = Command::new("bwrap")
        .args([
            "--unshare-all",
            "--ro-bind",
            "/",
            "/",
            "--proc",
            "/proc",
            "true",
        ])
        .output();
    let made = made.ok().filter(|output| output.status.success());
    present("bubblewrap that can make namespaces", made).is_some()
}

#[test]
fn a_bundle_needs_nothing_but_the_libraries_that_it_names() {
    if real_ptxas().is_none() || !has_namespaces() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", ASKS);
    let bundle = sandbox.bundled("ptxas", &["--profit", "always"]);
    let (outside, _) = sandbox.assembled(&bundle, &[], &[]);
    fs::create_dir(sandbox.path("w")).unwrap();
    sandbox.file("w/k.ptx", ASKS);
    let output = confined(&bundle, &sandbox.path("w"))
        .arg("/compiler")
        .args(WORDS)
        .arg("--ptxasw-stats")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let figures = said(&output);
    for row in ["shuffled 1\n", "solver queries 1\n"] {
        assert!(cells(&figures).contains(row), "{figures}");
    }
    assert!(sandbox.read("w/o").unwrap() == outside);
    // The linked drop-in makes the same of the same settings.
    let real = real_ptxas().unwrap();
    let variables = [
        ("PTXASW_PTXAS", real.to_str().unwrap()),
        ("PTXASW_PROFIT", "always"),
    ];
    let (linked, _) = sandbox.assembled(&sandbox.path("bin/ptxas"), &[], &variables);
    assert!(linked == outside);
    // Without a solver the question stays open, also on a host that has one.
    let bundle = sandbox.bundled("ptxas", &["--profit", "always", "--no-solver"]);
    let (open, _) = sandbox.assembled(&bundle, &[], &[]);
    let (original, _) = sandbox.assembled(&real, &[], &[]);
    assert!(open == original && open != outside);
}

#[test]
fn settings_are_those_of_the_bundle() {
    if real_ptxas().is_none() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", COVERED);
    let always = sandbox.bundled("always", &["--profit", "always"]);
    let (expected, log) = sandbox.assembled(&always, &[], &[]);
    assert_eq!(log, "");
    let (original, _) = sandbox.assembled(&real_ptxas().unwrap(), &[], &[]);
    assert!(expected != original);
    let others = [
        ("PTXASW_PROFIT", "auto"),
        ("PTXASW_OFF", "1"),
        ("PTXASW_PTXAS", "/bin/true"),
        ("PTXASW_CHAIN", "ptxas@/bin/true"),
    ];
    let (cubin, log) = sandbox.assembled(&always, &[], &others);
    assert!(cubin == expected);
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(
        log.starts_with("ptxasw: warning: PTXASW_OFF, PTXASW_PROFIT, PTXASW_PTXAS are ignored: "),
        "{log}"
    );
    // Nothing is assembled, so nothing is printed.
    let version = sandbox.runs(&always, &["--version"], &others);
    assert!(version.status.success() && said(&version).is_empty());
    // A variable that agrees, and those that change nothing in what is emitted.
    let harmless = [
        ("PTXASW_PROFIT", "always"),
        ("PTXASW_J", "1"),
        ("PTXASW_STATS_DIR", "figures"),
    ];
    let (cubin, log) = sandbox.assembled(&always, &[], &harmless);
    assert!(cubin == expected && log.is_empty(), "{log}");
    assert_eq!(fs::read_dir(sandbox.path("figures")).unwrap().count(), 1);
    // Arguments are in every cache's key.
    let (cubin, log) = sandbox.assembled(&always, &["--ptxasw-off"], &[]);
    assert!(cubin == original && log.is_empty(), "{log}");
}

#[test]
fn bytes_change_with_the_settings_and_with_nothing_else() {
    let sandbox = Sandbox::new();
    let make = |name: &str, words: &[&str]| {
        let all = [words, &["--no-solver", "--ptxas", "/bin/echo"]].concat();
        let output = sandbox.bundle(name, &all);
        assert!(output.status.success(), "{}", said(&output));
        sandbox.path(name)
    };
    let lists = ["--profit=always", "--kernels=a", "--kernels=b"];
    let first = make("first", &lists);
    let second = make("second", &["--kernels=a,b", "--profit", "always"]);
    assert!(fs::read(&first).unwrap() == fs::read(&second).unwrap());
    let made = fs::metadata(&first).unwrap().ino();
    make("first", &lists);
    assert_eq!(
        fs::metadata(&first).unwrap().ino(),
        made,
        "it was made anew"
    );
    let other = make("second", &["--profit", "always", "--off"]);
    assert!(fs::read(&first).unwrap() != fs::read(other).unwrap());
    // A variable at the time of making counts as an option; afterwards it agrees.
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    command.args([
        "bundle",
        "--no-solver",
        "--ptxas",
        "/bin/echo",
        "-o",
        "third",
        "--kernels=a,b",
    ]);
    let output = command.env("PTXASW_PROFIT", "always").output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(fs::read(&first).unwrap() == sandbox.read("third").unwrap());
}

#[test]
fn what_cannot_be_made_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.script("exit 0");
    sandbox.file("mine", "text");
    let bundle = sandbox.echo("echo");
    let script = sandbox.path("path/ptxas");
    let cases: &[(&str, &[&str], &str)] = &[
        (
            "o",
            &["--ptxas", script.to_str().unwrap()],
            "` is not a program but a script",
        ),
        (
            "o",
            &["--ptxas", bundle.to_str().unwrap()],
            "` is ptxasw itself",
        ),
        (
            "o",
            &["--ptxas", env!("CARGO_BIN_EXE_ptxasw")],
            "` is ptxasw itself",
        ),
        ("o", &["--ptxas", "no such file"], "No such file"),
        (
            "o",
            &["--profit=x"],
            "`--profit`: expected one of auto, always, not `x`",
        ),
        (
            "mine",
            &["--ptxas", "/bin/echo"],
            "`mine` exists and is not a bundle",
        ),
    ];
    for (output, words, expected) in cases {
        let made = sandbox.bundle(output, words);
        assert_eq!(made.status.code(), Some(1));
        assert!(said(&made).contains(expected), "{}", said(&made));
    }
    assert_eq!(sandbox.read("o"), None);
    assert_eq!(sandbox.read("mine").unwrap(), b"text");
    // A link is replaced; what it leads to stays.
    symlink("mine", sandbox.path("link")).unwrap();
    sandbox.echo("link");
    assert_eq!(sandbox.read("mine").unwrap(), b"text");
    assert!(!sandbox.path("link").is_symlink());
}

#[test]
fn first_starts_may_be_parallel() {
    if real_ptxas().is_none() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", COVERED);
    let bundle = sandbox.bundled("ptxas", &["--profit", "always", "--no-solver"]);
    // Made elsewhere: this user has no copy yet.
    fs::remove_dir_all(sandbox.path("cache")).unwrap();
    let (expected, _) = sandbox.assembled(&bundle, &[], &[]);
    fs::create_dir(sandbox.path("cache")).unwrap();
    let start = |number: usize| {
        let mut command = sandbox.command(&bundle);
        command.args(["-arch=sm_80", "k.ptx", "-o", &format!("o{number}")]);
        command.stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<_> = (0..6).map(start).collect();
    for (number, child) in children.into_iter().enumerate() {
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success() && said(&output).is_empty(),
            "{}",
            said(&output)
        );
        assert!(sandbox.read(&format!("o{number}")).unwrap() == expected);
    }
    let parts: Vec<PathBuf> = files(&sandbox.path("cache/ptxasw"));
    let [part] = &parts[..] else {
        panic!("{parts:?}")
    };
    let mut names: Vec<_> = files(part)
        .iter()
        .map(|path| path.file_name().unwrap().to_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["checked", "lock", "ptxas"]);
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_damaged_bundle_says_so() {
    let sandbox = Sandbox::new();
    let bundle = sandbox.echo("ptxas");
    // A copy would serve in place of damaged bytes.
    fs::remove_dir_all(sandbox.path("cache")).unwrap();
    let says = |expected: &str| {
        let output = sandbox.runs(&bundle, &["word"], &[]);
        assert_eq!(output.status.code(), Some(255), "{expected}");
        assert!(output.stdout.is_empty());
        let line = said(&output);
        assert!(
            line.starts_with("ptxasw: error: ") && line.contains(expected),
            "{line}"
        );
        assert_eq!(line.lines().count(), 1, "{line}");
    };
    assert_eq!(sandbox.runs(&bundle, &["word"], &[]).stdout, b"word\n");
    let length = fs::metadata(&bundle).unwrap().len();
    let echo = fs::metadata("/bin/echo").unwrap().len();
    // The byte so far from the end, flipped, and flipped back.
    let flipped = |from_end: u64, expected: &str| {
        let flip = || {
            let file = File::options()
                .read(true)
                .write(true)
                .open(&bundle)
                .unwrap();
            let mut byte = [0];
            file.read_exact_at(&mut byte, length - from_end).unwrap();
            file.write_all_at(&[!byte[0]], length - from_end).unwrap();
        };
        flip();
        says(expected);
        flip();
    };
    flipped(1, "it has no trailer");
    flipped(20, "another version of ptxasw made it");
    flipped(30, "its index has other bytes");
    flipped(37, "its index is longer than the file");
    flipped(100, "its index has other bytes");
    flipped(2000, "the bytes of `ptxas` in it are damaged");
    let cut = |by: u64| {
        let file = File::options().write(true).open(&bundle).unwrap();
        file.set_len(length - by).unwrap();
    };
    for by in [1, 44, 200, 1000, echo] {
        cut(by);
        says("it has no trailer; make the file anew with `ptxasw bundle`");
    }
    // Hardly anything is left after the program.
    cut(echo + 250);
    says("it is cut; make the file anew with `ptxasw bundle`");
}

#[test]
fn no_copy_is_used_that_others_could_have_written() {
    let sandbox = Sandbox::new();
    let bundle = sandbox.echo("ptxas");
    let runs = || {
        let output = sandbox.runs(&bundle, &["word"], &[]);
        assert_eq!(
            (&output.stdout[..], said(&output)),
            (&b"word\n"[..], String::new())
        );
    };
    runs();
    let folder = sandbox.path("cache/ptxasw");
    let part = files(&folder).pop().unwrap();
    let copy = part.join("ptxas");
    assert!(fs::read(&copy).unwrap() == fs::read("/bin/echo").unwrap());
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(
        (mode(&folder), mode(&part), mode(&copy)),
        (0o700, 0o700, 0o500)
    );
    let change =
        |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    // Another program of the same length, as someone could put there who may write: it fails, and prints nothing.
    let mut other = fs::read("/bin/false").unwrap();
    other.resize(fs::metadata(&copy).unwrap().len() as usize, 0);
    let plant = || {
        change(&copy, 0o700);
        fs::write(&copy, &other).unwrap();
    };
    for open in [&folder, &part] {
        for bits in [0o777, 0o720] {
            plant();
            change(open, bits);
            runs();
            assert!(fs::read(&copy).unwrap() == other, "the folder was used");
            change(open, 0o700);
        }
    }
    // What is damaged, or is another file by now, is noticed by its bytes, and made anew.
    runs();
    assert!(fs::read(&copy).unwrap() == fs::read("/bin/echo").unwrap());
    fs::remove_file(&copy).unwrap();
    symlink("/bin/false", &copy).unwrap();
    runs();
    assert!(!copy.is_symlink());
    // A folder that is a link is not followed.
    fs::rename(&part, sandbox.path("elsewhere")).unwrap();
    symlink(sandbox.path("elsewhere"), &part).unwrap();
    fs::write(sandbox.path("elsewhere/checked"), "").unwrap();
    runs();
    assert_eq!(sandbox.read("elsewhere/checked").unwrap(), b"");
}
