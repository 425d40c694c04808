//! Other programs: run to their end on our streams or on pipes, and ended with this process.
//!
//! The `unsafe` code is what runs between `fork` and `exec`.

use super::interrupt::ENDS;
use nix::sys::prctl;
use nix::sys::signal::{SigSet, Signal};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

/// What a program printed and how it ended.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code, or the signal that ended it.
    pub status: ExitStatus,
    /// Standard output, and standard error where both go to the same file.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

/// Runs a program to its end on our own streams. It dies with this process.
pub fn attached(command: &mut Command) -> io::Result<ExitStatus> {
    dies_with_us(command);
    command.status()
}

/// Does some work before one of the signals by which users and builders end programs ends this one. To be called while
/// there is one thread; programs are then started by [`attached`] and [`captured`], which let them have the signals.
pub fn before_the_end(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let signals = SigSet::from_iter(ENDS);
    signals.thread_block()?;
    thread::Builder::new().spawn(move || {
        let Ok(signal) = signals.wait() else { return };
        work();
        let _ = signals.thread_unblock();
        let _ = nix::sys::signal::raise(signal);
    })?;
    Ok(())
}

/// A program that is ended when this process ends, and by the signals that this one holds back.
pub fn dies_with_us(command: &mut Command) {
    let prepare = || {
        SigSet::from_iter(ENDS).thread_unblock()?;
        prctl::set_pdeathsig(Signal::SIGKILL).map_err(io::Error::from)
    };
    // SAFETY: `prctl` and `sigprocmask` may be called between `fork` and `exec`.
    unsafe { command.pre_exec(prepare) };
}

/// Runs a program to its end and keeps what it prints. It dies with this process.
pub fn captured(command: &mut Command) -> io::Result<Ran> {
    let (mut reader, writer) = io::pipe()?;
    match streams_are_one() {
        true => command.stderr(writer.try_clone()?),
        false => command.stderr(Stdio::piped()),
    };
    command.stdout(writer);
    dies_with_us(command);
    let mut child = command.spawn()?;
    // The writing ends in `command` would keep the reader waiting.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let stderr = child.stderr.take();
    let (stdout, stderr) = thread::scope(|scope| {
        let stderr = stderr.map(|mut pipe| scope.spawn(move || all(&mut pipe)));
        let stdout = all(&mut reader);
        let stderr = stderr.map_or_else(
            || Ok(Vec::new()),
            |thread| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
            },
        );
        (stdout, stderr)
    });
    Ok(Ran {
        status: child.wait()?,
        stdout: stdout?,
        stderr: stderr?,
    })
}

fn all(pipe: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether standard output and standard error end in the same file.
pub fn streams_are_one() -> bool {
    same_file(&io::stdout(), &io::stderr())
}

/// Whether two streams end in the same file, pipe or terminal: then their order is part of what is printed.
fn same_file(one: &impl AsFd, other: &impl AsFd) -> bool {
    match (nix::sys::stat::fstat(one), nix::sys::stat::fstat(other)) {
        (Ok(one), Ok(other)) => (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino),
        _ => false,
    }
}

/// The exit code for a program that could not be started, as shells have it.
pub fn not_started(error: &io::Error) -> u8 {
    match error.kind() {
        io::ErrorKind::NotFound => 127,
        _ => 126,
    }
}

/// Ends this process the way another one ended.
pub fn end_like(status: ExitStatus) -> std::process::ExitCode {
    use std::os::unix::process::ExitStatusExt;
    if let Some(signal) = status
        .signal()
        .and_then(|number| Signal::try_from(number).ok())
    {
        let _ = nix::sys::signal::raise(signal);
    }
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    std::process::ExitCode::from(code.unwrap_or(u8::MAX))
}
