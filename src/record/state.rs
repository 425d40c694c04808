//! What is known of modules, functions and launches.

use super::folder;
use serde_json::json;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
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

/// What a handle leads to.
#[derive(Clone)]
struct Handle {
    kernel: Kernel,
    /// `CUkernel`, which a library has; else `CUfunction`.
    of_library: bool,
}

/// Handles of the driver by their addresses, and counts.
#[derive(Default)]
struct State {
    images: HashMap<usize, String>,
    kernels: HashMap<usize, Handle>,
    counts: HashMap<Kernel, Count>,
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(|| {
    // SAFETY: the function lives as long as the process.
    unsafe { libc::atexit(at_exit) };
    OWNER.store(std::process::id(), Ordering::Relaxed);
    Mutex::default()
});

/// The process whose counts these are; not one that was forked.
static OWNER: AtomicU32 = AtomicU32::new(0);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets or forgets: a handle may have been another one's, before that was unloaded.
fn set<T>(map: &mut HashMap<usize, T>, handle: usize, value: Option<T>) {
    match value {
        Some(value) => map.insert(handle, value),
        None => map.remove(&handle),
    };
}

/// A module or a library was loaded from an image, if that could be kept.
pub fn loaded(handle: usize, image: Option<String>) {
    set(&mut state().images, handle, image);
}

/// A module is that of a library.
pub fn module_of(module: usize, library: usize) {
    let mut state = state();
    let image = state.images.get(&library).cloned();
    set(&mut state.images, module, image);
}

/// A function is that of a kernel.
pub fn function_of(function: usize, kernel: usize) {
    let mut state = state();
    let handle = state.kernels.get(&kernel).cloned();
    let handle = handle.map(|handle| Handle {
        of_library: false,
        ..handle
    });
    set(&mut state.kernels, function, handle);
}

/// A kernel was looked up in a module or a library.
pub fn found(handle: usize, module: usize, name: String, of_library: bool) {
    let mut state = state();
    let image = state.images.get(&module).cloned();
    let found = image.map(|image| Handle {
        kernel: Kernel { image, name },
        of_library,
    });
    set(&mut state.kernels, handle, found);
}

/// A launch that is counted.
pub struct Counted {
    /// Its kernel.
    pub kernel: Kernel,
    /// Its handle is that of a library's kernel.
    pub of_library: bool,
    /// It is the one to write down.
    pub takes: bool,
}

/// Counts a launch.
pub fn launched(handle: usize, threads: u64, is_possible: bool) -> Option<Counted> {
    let mut state = state();
    let Handle { kernel, of_library } = state.kernels.get(&handle)?.clone();
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
    Some(Counted {
        kernel,
        of_library,
        takes,
    })
}

fn write(kernel: &Kernel, count: Count) {
    folder::append(&json!({
        "count": {
            "process": folder::process(),
            "image": kernel.image,
            "kernel": kernel.name,
            "launches": count.launches,
            "threads": count.threads,
        }
    }));
}

extern "C" fn at_exit() {
    // A process may end while it counts.
    let (true, Ok(state)) = (
        OWNER.load(Ordering::Relaxed) == std::process::id(),
        STATE.try_lock(),
    ) else {
        return;
    };
    for (kernel, count) in &state.counts {
        if !count.launches.is_power_of_two() {
            write(kernel, *count);
        }
    }
}
