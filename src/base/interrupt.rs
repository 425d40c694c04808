//! Signals by which users, builders and closed pipes end this program.
//!
//! Ctrl-C has its usual effect: it ends the process at once, and a shell shows 130. So nothing may be lost by that at any
//! moment: files that only this process needs have no name ([`MemoryFile`](super::memory_file::MemoryFile)), children die with it, the
//! solver is not asked to answer Ctrl-C itself, and what is half done in between waits here.

use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, raise, signal};

/// Signals that end a program from outside.
pub const ENDS: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];
/// How a shell shows the end by a closed pipe.
const CLOSED_PIPE: i32 = 128 + Signal::SIGPIPE as i32;

/// Does work that must not be left half done: a signal that comes meanwhile takes effect afterwards. It holds for this
/// thread: others must be at rest.
pub fn held<T>(work: impl FnOnce() -> T) -> T {
    let before = SigSet::from_iter(ENDS).thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let result = work();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    result
}

/// Ends this process without a word, as `SIGPIPE` ends others. Rust's programs begin with that signal ignored.
pub fn end_by_closed_pipe() -> ! {
    // SAFETY: no handler of this program is replaced.
    let _ = unsafe { signal(Signal::SIGPIPE, SigHandler::SigDfl) };
    let _ = raise(Signal::SIGPIPE);
    std::process::exit(CLOSED_PIPE)
}
