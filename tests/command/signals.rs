//! Ctrl-C, and readers that go away.

use super::sandbox::{GUARD, Sandbox, said};
use nix::sys::signal::{SigHandler, Signal, killpg, signal};
use nix::unistd::Pid;
use std::fs;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a test waits for what must happen.
const PATIENCE: Duration = Duration::from_secs(60);
/// No process is ended so late that Z3 could have come to its end by itself.
const SOON: Duration = Duration::from_secs(5);

/// A kernel of which the solver is asked whether a number of 32 bits is a prime. It takes minutes.
const PRIME: &str = include_str!("prime.ptx");

/// Starts a command in a process group of its own, as an interactive shell does. A shell without job control starts what
/// runs in the background with SIGINT ignored, and these tests may be such a command.
fn start(command: &mut Command) -> Child {
    // SAFETY: `signal` is safe to call between fork and exec, and no handler of this process is replaced.
    unsafe {
        command.pre_exec(|| {
            signal(Signal::SIGINT, SigHandler::SigDfl)?;
            Ok(())
        });
    }
    command.process_group(0).stdin(Stdio::null());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    child.spawn().unwrap()
}

/// Waits until something holds.
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}: waited in vain");
        sleep(Duration::from_millis(10));
    }
}

/// Presses Ctrl-C: the command dies by the signal at once, without a word.
fn interrupted(child: Child) {
    let group = Pid::from_raw(child.id() as i32);
    let start = Instant::now();
    killpg(group, Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed() < SOON, "it took {:?}", start.elapsed());
    assert_eq!(output.status.signal(), Some(Signal::SIGINT as i32));
    assert_eq!((said(&output).as_str(), output.stdout.len()), ("", 0));
    // The last of the group may take a moment to disappear.
    wait_until("the process group is gone", || killpg(group, None).is_err());
}

#[test]
fn ctrl_c_inside_the_solver() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", PRIME);
    sandbox.file("out.ptx", "as before");
    let solver = ["--solver-limit", "0", "--solver-gates", "1000000000"];
    let records = ["--plan", "plan.json", "--certificates", "proofs"];
    let words = [&["opt", "k.ptx", "-o", "out.ptx"], &solver[..], &records].concat();
    let child = start(&mut sandbox.command(&words));
    let maps = format!("/proc/{}/maps", child.id());
    wait_until("Z3 is loaded", || {
        fs::read_to_string(&maps).is_ok_and(|maps| maps.contains("libz3"))
    });
    // Well into the search.
    sleep(Duration::from_millis(500));
    interrupted(child);
    assert_eq!(sandbox.read("out.ptx").unwrap(), b"as before");
    assert_eq!(sandbox.files(), ["k.ptx", "out.ptx"]);
}

/// An assembler that takes its time, and does not hear signals of the terminal, is gone with the command.
#[test]
fn ctrl_c_ends_the_assembler() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("tree")).unwrap();
    sandbox.file("tree/k.ptx", GUARD);
    // It answers the question whether it works, about a kernel `nothing`.
    let text = "for word; do case $word in /proc/*) grep -q nothing $word && exit 0;; esac; done\n\
                trap '' INT\necho $$ > started\nexec sleep 600";
    let slow = sandbox.script("slow", text);
    let mut command = sandbox.command(&["corpus", "tree", "--quiet"]);
    let child = start(command.env("PTXASW_PTXAS", &slow));
    // Its whole number: the file is there before what is written to it.
    let started = || sandbox.read("started").filter(|text| text.ends_with(b"\n"));
    wait_until("the assembler runs", || started().is_some());
    let number = String::from_utf8(started().unwrap()).unwrap();
    let group = Pid::from_raw(child.id() as i32);
    killpg(group, Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.signal(), Some(Signal::SIGINT as i32));
    let shell = format!("/proc/{}", number.trim());
    wait_until("the assembler is gone", || !fs::exists(&shell).unwrap());
    let _ = killpg(group, Signal::SIGKILL);
    assert_eq!(sandbox.files(), ["slow", "started", "tree"]);
}

/// As of other programs, so that `ptxasw explain k.ptx | head -1` says nothing more.
#[test]
fn a_closed_pipe_ends_the_command_without_a_word() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", GUARD);
    fs::create_dir(sandbox.path("tree")).unwrap();
    sandbox.file("tree/k.ptx", GUARD);
    let launch = "grid=1 block=32 args=f32[64]@8,f32[64],32";
    for words in [
        &["opt", "k.ptx"][..],
        &["explain", "k.ptx"],
        &["dump", "k.ptx"],
        &["trace", "k.ptx"],
        &["run", "k.ptx", "--launch", launch],
        &["verify", "k.ptx", "k.ptx", "--launch", launch],
        &["verify", "k.ptx", "k.ptx", "--launch", launch, "--json"],
        &["corpus", "tree", "--quiet", "--no-assemble", "--json"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = sandbox.command(words).stdout(writer).output().unwrap();
        let signal = output.status.signal();
        assert_eq!(signal, Some(Signal::SIGPIPE as i32), "{words:?}");
        assert_eq!(said(&output), "", "{words:?}");
    }
    // What is printed on the way is nobody's loss.
    for words in [
        &["--help"][..],
        &["opt", "--help"],
        &["--version"],
        &["corpus", "tree", "--quiet", "--no-assemble"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = sandbox.command(words).stdout(writer).output().unwrap();
        assert_eq!(
            (said(&output).as_str(), output.status.code()),
            ("", Some(0))
        );
    }
}

/// A reader that takes the first line of much.
#[test]
fn a_reader_that_takes_one_line() {
    let sandbox = Sandbox::new();
    let mut text = vec![b'/'; 1 << 20];
    text.push(b'\n');
    text.extend(GUARD.as_bytes());
    sandbox.file("k.ptx", text);
    let mut child = start(&mut sandbox.command(&["opt", "k.ptx"]));
    let mut first = [0; 80];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut first).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.signal(), Some(Signal::SIGPIPE as i32));
    assert_eq!(said(&output), "");
}
