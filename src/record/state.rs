//! Maps driver handles to modules and kernels, and counts launches.

use super::folder;
use serde_json::json;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// A kernel of a module.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// The image file of its module.
    pub image: String,
    /// Its mangled name, by which the program asks the driver for it.
    pub name: String,
}

/// Launch statistics of a kernel.
#[derive(Clone, Copy, Default)]
struct Count {
    launches: u64,
    threads: u64,
    /// A launch has been recorded, or is being recorded.
    taken: bool,
}

/// The kernel of a handle.
#[derive(Clone)]
struct Handle {
    kernel: Kernel,
    /// The handle is a `CUkernel` of a `CUlibrary`; otherwise a `CUfunction`.
    of_library: bool,
}

/// Images and kernels by handle, and launch counts by kernel.
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

/// ID of the process that counted; a forked child must not report its parent's counts.
static OWNER: AtomicU32 = AtomicU32::new(0);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Replaces an entry, or removes it: the driver reuses handles after an unload.
fn set<T>(map: &mut HashMap<usize, T>, handle: usize, value: Option<T>) {
    match value {
        Some(value) => map.insert(handle, value),
        None => map.remove(&handle),
    };
}

/// Records that a module or library was loaded; `image` is none if it could not be saved.
pub fn loaded(handle: usize, image: Option<String>) {
    set(&mut state().images, handle, image);
}

/// Records the result of `cuLibraryGetModule`.
pub fn module_of(module: usize, library: usize) {
    let mut state = state();
    let image = state.images.get(&library).cloned();
    set(&mut state.images, module, image);
}

/// Records the result of `cuKernelGetFunction`.
pub fn function_of(function: usize, kernel: usize) {
    let mut state = state();
    let handle = state.kernels.get(&kernel).cloned();
    let handle = handle.map(|handle| Handle {
        of_library: false,
        ..handle
    });
    set(&mut state.kernels, function, handle);
}

/// Records the result of `cuModuleGetFunction` or `cuLibraryGetKernel`.
pub fn found(handle: usize, module: usize, name: String, of_library: bool) {
    let mut state = state();
    let image = state.images.get(&module).cloned();
    let found = image.map(|image| Handle {
        kernel: Kernel { image, name },
        of_library,
    });
    set(&mut state.kernels, handle, found);
}

/// The result of counting a launch.
pub struct Counted {
    /// The kernel that was launched.
    pub kernel: Kernel,
    /// The handle is a `CUkernel`.
    pub of_library: bool,
    /// This launch is to be recorded.
    pub takes: bool,
}

/// Counts a launch; none if the handle is unknown.
pub fn launched(handle: usize, threads: u64, is_possible: bool) -> Option<Counted> {
    let mut state = state();
    let Handle { kernel, of_library } = state.kernels.get(&handle)?.clone();
    let count = state.counts.entry(kernel.clone()).or_default();
    count.launches += 1;
    count.threads = count.threads.saturating_add(threads);
    let takes = is_possible && !count.taken;
    count.taken |= takes;
    // A process may be killed, so counts are written at powers of two, too, and not only at exit.
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
    // `exit` may be called while the lock is held.
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
