//! The library that `ptxasw record` preloads into a program (`LD_PRELOAD`). It hooks functions of NVIDIA's driver, and records the modules
//! that the program loads and one launch of each kernel with all allocations that its parameters point into.
//!
//! Every call is forwarded to the driver with the same arguments, and its result is returned. A launch that is recorded first waits until
//! its stream is idle, at most some seconds. What cannot be recorded is omitted, with the reason.
//!
//! | file | what |
//! | --- | --- |
//! | `entry` | interposition: exported symbols, `dlsym`, `cuGetProcAddress` |
//! | `calls` | the hooks |
//! | `driver` | functions of the driver that the recorder calls |
//! | `images` | module images |
//! | `state` | handles and launch counts |
//! | `snapshot` | a launch and its memory |
//! | `folder` | the output folder |

mod calls;
mod driver;
mod entry;
mod folder;
mod images;
mod snapshot;
mod state;

/// Shows `ptxasw record` that the library was loaded: static and setuid programs ignore `LD_PRELOAD`.
extern "C" fn mark() {
    folder::mark();
}

/// Runs when the library is loaded.
#[used]
#[unsafe(link_section = ".init_array")]
static MARK: extern "C" fn() = mark;
