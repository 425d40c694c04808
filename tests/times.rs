//! How long trials took.

use libtest_mimic::{Failed, Trial};
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

static TIMES: Mutex<Vec<(String, Duration)>> = Mutex::new(Vec::new());

/// A trial whose time is kept.
pub fn trial(
    name: impl Into<String>,
    check: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    let name = name.into();
    let own = name.clone();
    Trial::test(name, move || {
        let start = Instant::now();
        let outcome = check();
        let mut times = TIMES.lock().unwrap_or_else(|broken| broken.into_inner());
        times.push((own, start.elapsed()));
        outcome
    })
}

/// Writes a line for each trial that has run, `SECONDS NAME`, to the file that `TEST_TIMES` names.
pub fn write() {
    let Some(file) = std::env::var_os("TEST_TIMES") else {
        return;
    };
    let times = TIMES.lock().unwrap_or_else(|broken| broken.into_inner());
    let mut text = String::new();
    for (name, time) in times.iter() {
        let _ = writeln!(text, "{:.3} {name}", time.as_secs_f64());
    }
    if let Err(error) = std::fs::write(Path::new(&file), text) {
        eprintln!("{}: {error}", Path::new(&file).display());
    }
}
