//! Processes and what they cost.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a process cost.
#[derive(Clone, Copy, Default, Debug)]
pub struct Cost {
    /// From start to end.
    pub wall: Duration,
    /// Time on processors.
    pub processor: Duration,
    /// Largest resident set, in bytes.
    pub peak: u64,
}

/// Runs a command to its end, its output thrown away. The peak of a process counts from before its program was loaded, so
/// that our own peak is forgotten first.
pub fn run(command: &mut Command) -> Cost {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    // Linux: `5` resets the peak of the resident set (proc(5), clear_refs).
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let start = Instant::now();
    #[allow(clippy::zombie_processes)] // `wait4` below waits for it, and tells what it used.
    let child = command.spawn().expect("the program starts");
    let mut status = 0;
    // SAFETY: plain data, for which zeros are a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the child is ours, both pointers are valid, and nobody else waits for it.
    let waited = unsafe { libc::wait4(child.id() as i32, &raw mut status, 0, &raw mut usage) };
    let wall = start.elapsed();
    assert!(waited == child.id() as i32 && status == 0, "{command:?}");
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    Cost {
        wall,
        processor: time(usage.ru_utime) + time(usage.ru_stime),
        peak: usage.ru_maxrss as u64 * 1024,
    }
}

/// From the start of the first to the end of the last of commands that run at the same time, their output thrown away.
pub fn side_by_side<const N: usize>(mut commands: [Command; N]) -> Duration {
    let start = Instant::now();
    let children = commands.each_mut().map(|command| {
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("the program starts")
    });
    for mut child in children {
        assert!(child.wait().expect("a child").success(), "{commands:?}");
    }
    start.elapsed()
}

/// Time of this thread on a processor.
pub fn thread_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is valid.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(result, 0);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// `ptxasw opt`, of all that can be proved.
pub fn ptxasw(input: &std::path::Path, output: &std::path::Path) -> Command {
    opt("always", input, output)
}

/// `ptxasw opt --profit PROFIT`, without an assembler's time.
pub fn opt(profit: &str, input: &std::path::Path, output: &std::path::Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
    command
        .args(["opt", "--profit", profit, "--no-register-check"])
        .arg(input)
        .arg("-o")
        .arg(output);
    command
}

/// The middle of some numbers.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    match numbers.len() % 2 {
        0 => (numbers[half - 1] + numbers[half]) / 2.0,
        _ => numbers[half],
    }
}
