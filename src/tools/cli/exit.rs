//! Exit codes, the same for all commands.

use std::process::ExitCode;

/// How a command ends. `ptxasw --help-all` prints the table; the drop-in returns what the assembler returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything that was asked for is done, and what was compared is equal.
    Done = 0,
    /// An error: an input that cannot be read or makes no sense, a file that cannot be written; for commands that compare or
    /// examine, a difference or a complaint.
    Failed = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// No verdict: the kernel cannot be run here, too few launches can be compared, no GPU is there.
    Unknown = 3,
    /// The kernel has no defined result: undefined behaviour, a trap, a deadlock, a data race.
    Undefined = 4,
}

impl Exit {
    /// The table as users read it.
    pub const TABLE: &str = "\
Exit codes:
  0    done; what was compared is equal
  1    an error: unreadable or wrong input, an output that cannot be written; a difference or a complaint
  2    the command line makes no sense
  3    nothing can be said: a kernel that cannot be run here, too few launches to compare, no GPU
  4    no defined result: undefined behaviour, a trap, a deadlock, a data race
  130  ended by Ctrl-C (any other signal: 128 and its number)
As `ptxas` or `as`, and for `ptxasw as`, `clang`, `run-build`: the code of the program that is called\n\
(127: there is none, 126: it cannot be started).";

    /// As a number.
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}
