//! Our own work in a child process that may die: `fork`, and what runs between it and the end of the child.

use nix::libc;
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, dup2_stderr, dup2_stdout, fork};
use ptxasw_base::atomic_file;
use ptxasw_driver::pipeline::ssa::panic_message;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Address space that our own work may take, beyond which it is given up: a build machine's memory is not ours.
const MAX_MEMORY: u64 = 16 << 30;
/// In front of what a child has to say: what it is, and its length in bytes.
const HEADER: usize = 1 + size_of::<u64>();
/// A result.
const RESULT: u8 = b'+';
/// The message of a panic.
const PANIC: u8 = b'-';
/// Room that is made for what a child says before it has come.
const ROOM: u64 = 1 << 20;

/// How our own work failed.
#[derive(Debug, thiserror::Error)]
pub enum Crash {
    /// It panicked.
    #[error("internal error: {0}")]
    Panic(String),
    /// It was ended by a signal: a stack overflow, no memory, a kill.
    #[error("ended by {0}")]
    Signal(Signal),
    /// It ended without a result.
    #[error("ended without a result")]
    Silent,
    /// No child, no pipe.
    #[error("cannot start a process: {0}")]
    Start(#[from] io::Error),
}

/// A child whose message is complete. It is waited for when this is dropped: until then the system gives back its memory, while
/// the real tool begins.
#[derive(Debug)]
pub struct Child(Pid);

impl Drop for Child {
    fn drop(&mut self) {
        let _ = waitpid(self.0, None);
    }
}

/// Does work in a child process and hands over the bytes that it gives. Whatever happens to the child happens to it alone.
///
/// # Errors
/// The child died, or could not be made.
pub fn isolated(work: impl FnOnce() -> Vec<u8>) -> Result<(Vec<u8>, Child), Crash> {
    let (mut reader, writer) = io::pipe()?;
    // SAFETY: this process has one thread so far; the child may do all that this one may.
    match unsafe { fork() }.map_err(io::Error::from)? {
        ForkResult::Child => {
            drop(reader);
            child(work, writer);
            // SAFETY: it ends the child without running what the parent will run at its own end.
            unsafe { libc::_exit(0) }
        }
        ForkResult::Parent { child } => {
            drop(writer);
            let message = message(&mut reader);
            drop(reader);
            match message {
                Ok((RESULT, bytes)) => Ok((bytes, Child(child))),
                message => {
                    let status = waitpid(child, None).map_err(io::Error::from)?;
                    Err(match (message, status) {
                        (Ok((_, panic)), _) => {
                            Crash::Panic(String::from_utf8_lossy(&panic).into_owned())
                        }
                        (Err(_), WaitStatus::Signaled(_, signal, _)) => Crash::Signal(signal),
                        (Err(_), _) => Crash::Silent,
                    })
                }
            }
        }
    }
}

/// What a child says, to its last byte.
fn message(reader: &mut impl Read) -> io::Result<(u8, Vec<u8>)> {
    let mut header = [0; HEADER];
    reader.read_exact(&mut header)?;
    let [kind, length @ ..] = header;
    let length = u64::from_le_bytes(length);
    let mut bytes = Vec::with_capacity(length.min(ROOM) as usize);
    reader.take(length).read_to_end(&mut bytes)?;
    match bytes.len() as u64 == length {
        true => Ok((kind, bytes)),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

fn child(work: impl FnOnce() -> Vec<u8>, mut writer: io::PipeWriter) {
    // An orphan would only burn time.
    let _ = prctl::set_pdeathsig(Signal::SIGKILL);
    if let Ok(null) = File::options().write(true).open("/dev/null") {
        let _ = dup2_stdout(null.as_fd());
        let _ = dup2_stderr(null.as_fd());
    }
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_AS) {
        let _ = setrlimit(Resource::RLIMIT_AS, soft.min(MAX_MEMORY), hard);
    }
    // No core file for a crash that the parent deals with.
    let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
    let (kind, bytes) = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(bytes) => (RESULT, bytes),
        Err(panic) => (PANIC, panic_message(&*panic).into_bytes()),
    };
    let length = (bytes.len() as u64).to_le_bytes();
    // A parent that is gone needs nothing.
    let _ = atomic_file::write_to(&mut writer, &[&[kind], &length, &bytes]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_ends_hands_over_its_bytes() {
        let much = vec![7; 1 << 20];
        assert_eq!(isolated(|| much.clone()).unwrap().0, much);
        assert!(isolated(Vec::new).unwrap().0.is_empty());
    }

    #[test]
    fn no_child_is_left() {
        let (_, child) = isolated(Vec::new).unwrap();
        let number = child.0;
        drop(child);
        assert_eq!(waitpid(number, None), Err(nix::errno::Errno::ECHILD));
    }

    #[test]
    fn a_message_that_is_cut_is_none() {
        let whole = [&b"+"[..], &3_u64.to_le_bytes(), b"abc"].concat();
        assert_eq!(message(&mut &whole[..]).unwrap(), (RESULT, b"abc".to_vec()));
        for end in 0..whole.len() {
            assert!(message(&mut &whole[..end]).is_err(), "{end} bytes");
        }
        let endless = [&b"+"[..], &u64::MAX.to_le_bytes(), b"abc"].concat();
        assert!(message(&mut &endless[..]).is_err());
    }

    /// Runs a test of this file again in a process with one thread, which the drop-in has, too: a child inherits the locks
    /// that other tests hold at that moment, such as that of the panic handler, and nobody releases them.
    fn alone(name: &str) -> bool {
        const ALONE: &str = "PTXASW_TEST_ALONE";
        if std::env::var_os(ALONE).is_some() {
            return true;
        }
        let test = format!("{}::{name}", module_path!().split_once("::").unwrap().1);
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args([&*test, "--exact", "--test-threads=1"]);
        let output = command.env(ALONE, "1").output().unwrap();
        let message = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && message.contains("1 passed"),
            "{message}"
        );
        false
    }

    #[test]
    fn work_that_dies_dies_alone() {
        if !alone("work_that_dies_dies_alone") {
            return;
        }
        let panic = isolated(|| panic!("on purpose"));
        assert!(matches!(panic, Err(Crash::Panic(message)) if message == "on purpose"));
        let killed = isolated(|| {
            let _ = nix::sys::signal::raise(Signal::SIGKILL);
            Vec::new()
        });
        assert!(matches!(killed, Err(Crash::Signal(Signal::SIGKILL))));
        assert!(matches!(
            isolated(|| std::process::abort()),
            Err(Crash::Signal(_))
        ));
        let silent = isolated(|| {
            // SAFETY: this is the child; nothing of it is used afterwards.
            unsafe { libc::_exit(0) }
        });
        assert!(matches!(silent, Err(Crash::Silent)));
    }

    #[test]
    fn memory_and_stack_have_an_end() {
        if !alone("memory_and_stack_have_an_end") {
            return;
        }
        let memory = isolated(|| vec![1; MAX_MEMORY as usize]);
        assert!(matches!(memory, Err(Crash::Signal(_))));
        fn deep(number: u64) -> u64 {
            let here = std::hint::black_box([number; 1024]);
            match number {
                u64::MAX => 0,
                _ => here[0].wrapping_add(deep(number + 1)),
            }
        }
        assert!(matches!(
            isolated(|| vec![deep(0) as u8]),
            Err(Crash::Signal(_))
        ));
    }
}
