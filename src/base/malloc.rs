//! How this process takes memory from the system.

/// What a heap takes at once, and keeps when it is not in use: as much as one of glibc's has room for. Pages that nobody
/// touches take no memory, only addresses.
#[cfg(target_env = "gnu")]
const AT_ONCE: nix::libc::c_int = 64 << 20;
/// Blocks from this size on are mapped, and go back to the system one by one.
#[cfg(target_env = "gnu")]
const MAPPED: nix::libc::c_int = 1 << 20;

/// To be called before there are threads, by programs that end when their work is done. Without it glibc grows the heap of
/// a second thread page by page, by a call of the system for each, while the first one waits for its own pages. Where
/// addresses are limited (`ulimit -v`, `ulimit -d`) all stays as it is.
#[cfg(target_env = "gnu")]
pub fn prepare() {
    use nix::libc::{M_MMAP_THRESHOLD, M_TOP_PAD, M_TRIM_THRESHOLD, mallopt};
    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    let is_free = |what| getrlimit(what).is_ok_and(|(soft, _)| soft == RLIM_INFINITY);
    if !is_free(Resource::RLIMIT_AS) || !is_free(Resource::RLIMIT_DATA) {
        return;
    }
    for (what, bytes) in [
        (M_TOP_PAD, AT_ONCE),
        (M_TRIM_THRESHOLD, AT_ONCE),
        (M_MMAP_THRESHOLD, MAPPED),
    ] {
        // SAFETY: there is one thread; a value that is refused changes nothing.
        unsafe { mallopt(what, bytes) };
    }
}

/// Other allocators are left as they are.
#[cfg(not(target_env = "gnu"))]
pub fn prepare() {}
