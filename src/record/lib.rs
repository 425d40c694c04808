//! A library that `ptxasw record` puts into a program (`LD_PRELOAD`): it writes down the modules that the program gives to NVIDIA's
//! driver, and one launch of each kernel with all that the kernel can reach by its parameters.
//!
//! The program does what it does without it: every call goes on to the driver, with the same arguments, and its result comes back.
//! What cannot be written down is left out, with the reason.
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
