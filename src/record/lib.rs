//! A library that `ptxasw record` puts into a program (`LD_PRELOAD`): it writes down the modules that the program gives to NVIDIA's
//! driver, and one launch of each kernel with all that the kernel can reach by its parameters.
//!
//! Every call goes on to the driver, with the same arguments, and its result comes back. In front of a launch that is written down, work
//! of its stream is waited for, at most some seconds. What cannot be written down is left out, with the reason.
//!
//! | file | what |
//! | --- | --- |
//! | `entry` | how calls get here: by name, by `dlsym`, by `cuGetProcAddress` |
//! | `calls` | the calls that are seen |
//! | `driver` | the driver's own functions |
//! | `images` | modules, as files |
//! | `state` | what is known of modules and functions |
//! | `snapshot` | a launch, as files |
//! | `folder` | where all of it is written |

mod calls;
mod driver;
mod entry;
mod folder;
mod images;
mod snapshot;
mod state;

/// Leaves a mark in the folder, by which a program that took the library can be told from one that could not.
extern "C" fn mark() {
    folder::mark();
}

/// The loader calls it when the library is loaded.
#[used]
#[unsafe(link_section = ".init_array")]
static MARK: extern "C" fn() = mark;
