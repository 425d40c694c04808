//! `ptxas --version`: what `ptxas` prints, and one more line, so that a cache whose key has this text (Triton's) compiles anew
//! when ptxasw or a setting is another.
//!
//! The line comes last and has neither `release` nor a number such as `V13.5`: Triton, JAX, TensorFlow and CUDA.jl take the
//! first match of a pattern with one of them.

use super::bundle::Bundle;
use super::call::{self, Call};
use ptxasw_base::process;
use ptxasw_driver::pipeline::settings::Settings;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;
use xxhash_rust::xxh3::xxh3_64;

/// Answers the question for the version.
///
/// # Errors
/// `ptxas` can't be run.
pub fn answer(call: &Call, settings: &Settings, bundle: Option<&Bundle>) -> io::Result<ExitCode> {
    let ran = call.captured()?;
    // A reader that has gone away is no failure.
    let _ = call::replay(&ran);
    if ran.status.success() {
        let parted = match ran.stdout.last() {
            None | Some(b'\n') => "",
            Some(_) => "\n",
        };
        let _ = writeln!(io::stdout(), "{parted}{}", line(settings, bundle));
    }
    Ok(process::end_like(ran.status))
}

/// The line: two builds of one version differ, too.
fn line(settings: &Settings, bundle: Option<&Bundle>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let build = match bundle {
        Some(bundle) => Some(bundle.identity()),
        None => env::current_exe()
            .and_then(fs::read)
            .map(|program| xxh3_64(&program))
            .ok(),
    };
    let build = build.map_or_else(String::new, |build| format!(", build {build:016x}"));
    let carries = bundle.map_or_else(String::new, |bundle| format!(", {}", bundle.carries()));
    let settings = settings.digest();
    format!("ptxasw {version}{build}, settings {settings:016x}{carries}")
}
