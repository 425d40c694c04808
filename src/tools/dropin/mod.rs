//! A stand-in for `ptxas` and for `nvptx-none-as`: takes their arguments, rewrites copies of their inputs, and runs the
//! real `ptxas` on them. Whoever calls it sees the output of `ptxas`, messages and exit code.
//!
//! Nothing that goes wrong here may break a build:
//!
//! | what | then |
//! | --- | --- |
//! | the arguments are not understood, or ask for nothing that we could change ([`arguments::Pass`]) | this process becomes the real tool |
//! | an input can't be read, or is no PTX | the same |
//! | our work fails, dies by a signal or takes too much memory: it runs in a child ([`isolation::isolated`]) | the real tool gets the original, and one line of warning follows |
//! | nothing is covered | the real tool gets the original |
//! | the real tool rejects a rewritten text, or dies of it | it gets the original, and a warning follows |
//! | a kernel loses warps by its registers, or spills ([`ptxasw_driver::guard`]) | that kernel is assembled as it was |
//! | the output can't be written | this process becomes the real tool, which says so itself |
//!
//! A link to this program finds the real tool on the machine and reads variables; a [`bundle`] has all that in one file.
//!
//! Rewritten texts and the assembler's output lie in memory ([`MemoryFile`](ptxasw_base::memory_file::MemoryFile)): a kill leaves no file, and the
//! output appears at once, by renaming.

pub mod arguments;
pub mod bundle;
pub(crate) mod call;
pub mod called;
mod doubtful;
mod inputs;
pub mod isolation;
mod optionfile;
pub mod rewrite;
mod session;
pub mod shim;
mod stale;
pub mod table;
pub mod tool;
mod trials;
mod version;
mod warning;

use arguments::{Arguments, Pass};
use bundle::Bundle;
use call::Call;
use ptxasw_driver::pipeline::settings::words::{BadSetting, without_own};
use ptxasw_driver::pipeline::settings::{Settings, config};
use ptxasw_machine::cache;
use std::env;
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;
use std::sync::Arc;
use tool::{NoTool, Tool};

/// Runs in place of an assembler. `program` is the name by which this program was called, `words` its arguments.
pub fn run(tool: Tool, program: &OsStr, words: Vec<OsString>) -> ExitCode {
    let call = |words| {
        let real = tool.real(program)?;
        Ok::<_, NoTool>(Call {
            tool,
            real,
            open: None,
            words,
        })
    };
    let variables = match config::variables(&words) {
        Ok(variables) => variables,
        Err(error) => return misused(tool, words, &error.into(), call),
    };
    let (settings, rest) = match Settings::take(words.clone(), variables.clone()) {
        Ok(taken) => taken,
        Err(error) => return misused(tool, words, &error, call),
    };
    let call = match call(rest) {
        Ok(call) => call,
        Err(error) => return complain(tool, &error),
    };
    cache::switch(!settings.no_cache);
    let warning = || stale::warning(&words, &variables);
    assemble(&call, &settings, tool::is_nested(tool), warning, None)
}

/// Runs in place of `ptxas`, as the bundle that this process was started from.
pub fn run_bundle(bundle: Bundle, words: Vec<OsString>) -> ExitCode {
    let tool = Tool::Ptxas;
    // A settings file in the folders above changes nothing, not even an invalid one.
    let environment = config::variables(&words).unwrap_or_else(|_| env::vars_os().collect());
    let (variables, ignored) = bundle.variables(environment);
    let call = |words| {
        let (open, real) = bundle.assembler()?;
        Ok::<_, std::io::Error>(Call {
            tool,
            real,
            open: Some(open),
            words,
        })
    };
    let (settings, rest) = match Settings::take(words.clone(), variables) {
        Ok(taken) => taken,
        Err(error) => return misused(tool, words, &error, call),
    };
    let call = match call(rest) {
        Ok(call) => call,
        Err(error) => return complain(tool, &format!("cannot unpack `ptxas`: {error}")),
    };
    let bundle = Arc::new(bundle);
    bundle.use_solver();
    let ignored = config::origins(ignored);
    let warning = || warning::ignored(&ignored);
    assemble(&call, &settings, false, warning, Some(&bundle))
}

/// `nested`: another stand-in called this one as the real tool. `warning` is printed where something is assembled.
fn assemble(
    call: &Call,
    settings: &Settings,
    nested: bool,
    warning: impl FnOnce() -> Option<String>,
    bundle: Option<&Bundle>,
) -> ExitCode {
    let arguments = match nested {
        true => Err(Pass::Off),
        false => Arguments::read(call.tool, call.words.clone()),
    };
    let warning = arguments.is_ok().then(warning);
    if let Some(warning) = warning.flatten() {
        ptxasw_base::say!("{warning}");
    }
    match arguments {
        _ if settings.off => became(call, call.become_real()),
        Ok(arguments) => session::run(call, &arguments, settings),
        Err(Pass::Version) => version::answer(call, settings, bundle)
            .unwrap_or_else(|error| became(call, Err::<(), _>(error))),
        Err(_) => became(call, call.become_real()),
    }
}

/// A wrong setting: an error, but questions are answered. Triton takes an assembler that does not answer for none, and one of
/// its own instead without a word; the error is seen when it compiles.
fn misused<E>(
    tool: Tool,
    words: Vec<OsString>,
    error: &BadSetting,
    call: impl FnOnce(Vec<OsString>) -> Result<Call, E>,
) -> ExitCode {
    let code = complain(tool, error);
    let words = without_own(words);
    let asks = Arguments::read(tool, words.clone());
    if !matches!(asks, Err(Pass::Version | Pass::Question)) {
        return code;
    }
    match call(words) {
        Ok(call) => became(&call, call.become_real()),
        Err(_) => code,
    }
}

/// After the attempt to become the real tool, which returns only if it failed.
fn became<T>(call: &Call, result: std::io::Result<T>) -> ExitCode {
    match result {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => complain(call.tool, &format!("cannot run {}: {error}", call.name())),
    }
}

fn complain(tool: Tool, error: &dyn std::fmt::Display) -> ExitCode {
    ptxasw_base::say!("ptxasw: error: {error}");
    ExitCode::from(tool.failure())
}
