//! What is known of modules, functions and launches.

use super::folder;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// A kernel of a module.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// The file of its module.
    pub image: String,
    /// Its name there.
    pub name: String,
}

/// How often a kernel was launched.
#[derive(Clone, Copy, Default)]
struct Count {
    launches: u64,
    threads: u64,
    /// A launch is written down, or is being written.
    taken: bool,
}

/// Handles of the driver by their addresses, and counts.
#[derive(Default)]
struct State {
    images: HashMap<usize, String>,
    kernels: HashMap<usize, Kernel>,
    counts: HashMap<Kernel, Count>,
}

fn state() -> MutexGuard<'static, State> {
    static STATE: LazyLock<Mutex<State>> = LazyLock::new(|| {
        // SAFETY: the function lives as long as the process.
        unsafe { libc::atexit(at_exit) };
        Mutex::default()
    });
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A module or a library was loaded from an image.
pub fn loaded(handle: usize, image: String) {
    state().images.insert(handle, image);
}

/// A handle is another one's: the module of a library, the function of a kernel.
pub fn same(handle: usize, as_other: usize) {
    let mut state = state();
    if let Some(image) = state.images.get(&as_other).cloned() {
        state.images.insert(handle, image);
    }
    if let Some(kernel) = state.kernels.get(&as_other).cloned() {
        state.kernels.insert(handle, kernel);
    }
}

/// A kernel was looked up in a module or a library.
pub fn found(handle: usize, module: usize, name: String) {
    let mut state = state();
    if let Some(image) = state.images.get(&module).cloned() {
        state.kernels.insert(handle, Kernel { image, name });
    }
}

/// Counts a launch. Its kernel, and whether this launch is the one to write down.
pub fn launched(handle: usize, threads: u64, is_possible: bool) -> Option<(Kernel, bool)> {
    let mut state = state();
    let kernel = state.kernels.get(&handle)?.clone();
    let count = state.counts.entry(kernel.clone()).or_default();
    count.launches += 1;
    count.threads = count.threads.saturating_add(threads);
    let takes = is_possible && !count.taken;
    count.taken |= takes;
    // A process may end without a word: what is known is written down again and again, ever more seldom.
    let count = *count;
    drop(state);
    if count.launches.is_power_of_two() {
        write(&kernel, count);
    }
    Some((kernel, takes))
}

fn write(kernel: &Kernel, count: Count) {
    folder::append(&json!({
        "count": {
            "process": std::process::id(),
            "image": kernel.image,
            "kernel": kernel.name,
            "launches": count.launches,
            "threads": count.threads,
        }
    }));
}

extern "C" fn at_exit() {
    for (kernel, count) in &state().counts {
        if !count.launches.is_power_of_two() {
            write(kernel, *count);
        }
    }
}
