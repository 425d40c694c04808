//! A stand-in for clang's driver: `ptxasw clang -- clang++ ARGS...`, for a clang that can't load our plugin.
//!
//! The driver is asked for its steps (`-###`), and they are run one after the other as it would run them, but for one: where
//! it compiles for the device to PTX, the compiler stops at bitcode, after its own optimisation; our stage rewrites that;
//! and the same compiler with the same options makes PTX of it. So PTX is what clang makes of it also where nothing is
//! rewritten.
//!
//! - [`steps`]: what the driver would do;
//! - [`words`]: arguments of the compiler proper;
//! - `device`: the device step in three, and what goes back of it;
//! - `trials`: what its machine code says;
//! - `fatbinary`: the words of CUDA 13's `fatbinary`;
//! - `replay`: all steps of a call.
//!
//! Whatever is not understood is left to clang.

mod device;
mod fatbinary;
mod replay;
pub mod steps;
mod trials;
pub mod words;

pub use device::{STAGE, stage};

use ptxasw_base::process;
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::pipeline::settings::config;
use ptxasw_driver::pipeline::settings::words::{BadSetting, is_own};
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// Runs in place of a driver: its name, then its arguments; ours among them (`--ptxasw-scheme=R`).
pub fn run(words: Vec<OsString>) -> ExitCode {
    let own: Vec<OsString> = words.iter().filter(|word| is_own(word)).cloned().collect();
    let taken = config::variables(&words).map_err(BadSetting::from);
    let taken = taken.and_then(|variables| Settings::take(words, variables));
    let (settings, words) = match taken {
        Ok(taken) => taken,
        Err(error) => return complain(&error),
    };
    let Some((driver, arguments)) = words.split_first() else {
        return complain(&"no compiler: `ptxasw clang -- clang++ ...`");
    };
    let mut call = Command::new(driver);
    call.args(arguments);
    ptxasw_machine::cache::switch(!settings.no_cache);
    if settings.off {
        return become_real(call);
    }
    let why = match steps::ask(driver, arguments) {
        Ok(asked) if !asked.steps.iter().any(words::is_device) => None,
        Ok(asked) => match replay::run(&asked, &settings, &own) {
            Ok(code) => return code,
            Err(error) => Some(error.to_string()),
        },
        Err(steps::NotAsked::Nothing) => None,
        // It cannot be run either, which is said then.
        Err(steps::NotAsked::Run(error)) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => Some(error.to_string()),
    };
    // The folder of temporary files is gone by now: nothing of this process survives what follows.
    if let Some(why) = why {
        ptxasw_base::say!("ptxasw: warning: {why}; clang runs as it is");
    }
    become_real(call)
}

/// clang itself, with what it was meant to get.
fn become_real(mut call: Command) -> ExitCode {
    let error = call.exec();
    let name = call.get_program().to_string_lossy().into_owned();
    complain(&format!("cannot run `{name}`: {error}"));
    process::not_started(&error).into()
}

fn complain(error: &dyn std::fmt::Display) -> ExitCode {
    ptxasw_base::say!("ptxasw: error: {error}");
    ExitCode::FAILURE
}
