//! A stand-in for `ptxas` and for `nvptx-none-as`: takes their arguments, rewrites copies of their inputs, and runs the
//! real one on them. Whoever calls it sees the real one's output, messages and exit code.
//!
//! Nothing that goes wrong here may break a build:
//!
//! | what | then |
//! | --- | --- |
//! | the arguments are not understood, or ask for nothing that we could change ([`arguments::Pass`]) | this process becomes the real tool |
//! | an input can't be read, or is no PTX | the same |
//! | our work fails, dies by a signal or takes too much memory: it runs in a child ([`process::isolated`]) | the real tool gets the original, and one line of warning follows |
//! | nothing is covered | the real tool gets the original |
//! | the real tool rejects a rewritten text, or dies of it | it gets the original, and a warning follows |
//! | a kernel loses warps by its registers, or spills (`registers`) | that kernel is assembled as it was |
//! | the output can't be written | this process becomes the real tool, which says so itself |
//!
//! Rewritten texts and the assembler's output lie in memory ([`process::MemoryFile`]): no kill leaves a file behind, and the
//! output appears at once, by renaming.

pub mod arguments;
pub(crate) mod call;
mod inputs;
mod optionfile;
pub mod process;
pub mod record;
pub mod registers;
pub mod rewrite;
mod session;
pub mod settings;
pub mod shim;
pub mod table;
pub mod tool;
mod warning;

use arguments::Arguments;
use call::Call;
use settings::Settings;
use std::env;
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;
use tool::Tool;

/// Runs in place of an assembler. `program` is the name by which this program was called, `words` its arguments.
pub fn run(tool: Tool, program: &OsStr, words: Vec<OsString>) -> ExitCode {
    let (settings, words) = match Settings::take(words, env::vars_os()) {
        Ok(taken) => taken,
        Err(error) => return complain(tool, &error),
    };
    let real = match tool.real(program) {
        Ok(real) => real,
        Err(error) => return complain(tool, &error),
    };
    let call = Call { tool, real, words };
    let arguments = match settings.off || tool::is_nested(tool) {
        true => Err(arguments::Pass::Off),
        false => Arguments::read(tool, call.words.clone()),
    };
    match arguments {
        Ok(arguments) => session::run(&call, &arguments, &settings),
        Err(_) => became(&call, call.become_real()),
    }
}

/// After the attempt to become the real tool, which returns only if it failed.
fn became<T>(call: &Call, result: std::io::Result<T>) -> ExitCode {
    match result {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => complain(
            call.tool,
            &format!("cannot run {}: {error}", call.real.display()),
        ),
    }
}

fn complain(tool: Tool, error: &dyn std::fmt::Display) -> ExitCode {
    crate::say!("ptxasw: error: {error}");
    ExitCode::from(tool.failure())
}
