//! Original against rewritten on a real GPU: results bit for bit, and times.
//!
//! Needs an NVIDIA driver when it runs and nothing of NVIDIA's when it is built: the driver is loaded by its name.
//!
//! | file | what |
//! | --- | --- |
//! | `driver`, `error` | the driver's functions, made safe; all of the `unsafe` code |
//! | `device` | which GPU |
//! | `program` | modules: compiling, loading, what kernels need |
//! | `arguments`, `buffers`, `helpers` | parameters and memory of a launch |
//! | `run` | one launch of all modules |
//! | `timing` | alternating launches between events |
//! | `report` | tables |

mod arguments;
mod buffers;
mod device;
mod driver;
mod error;
mod helpers;
mod program;
mod report;
mod run;
mod timing;
mod variables;

pub use buffers::Difference;
pub use device::{Description, Gpu, size};
pub use driver::exit_now;
pub use error::{CallError, GpuError};
pub use program::{CompiledBy, Compiler, Program, Resources};
pub use report::{markdown, result, table};
pub use run::{LaunchReport, Options, Subject, Verdict, run, small};
pub use timing::{Counts, Spread, Timing};
