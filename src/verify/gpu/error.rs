//! What can go wrong on a GPU.

use std::time::Duration;

/// A call of the driver that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{call}: {meaning} ({name})")]
pub struct CallError {
    /// The entry point.
    pub call: &'static str,
    /// `CUresult`.
    pub code: i32,
    /// `CUDA_ERROR_...`.
    pub name: String,
    /// The driver's words for it.
    pub meaning: String,
}

/// `CUDA_ERROR_OUT_OF_MEMORY`.
const OUT_OF_MEMORY: i32 = 2;
/// `CUDA_ERROR_UNSUPPORTED_PTX_VERSION`: the text is of a later `.version` than the driver knows.
const UNSUPPORTED_PTX_VERSION: i32 = 222;
/// `CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES`.
const OUT_OF_RESOURCES: i32 = 701;
/// Errors of a kernel that is running: `CUDA_ERROR_ILLEGAL_ADDRESS`, `_LAUNCH_TIMEOUT`, `_ASSERT`, `_HARDWARE_STACK_ERROR`,
/// `_ILLEGAL_INSTRUCTION`, `_MISALIGNED_ADDRESS`, `_INVALID_ADDRESS_SPACE`, `_INVALID_PC`, `_LAUNCH_FAILED`.
const FAULTS: [i32; 9] = [700, 702, 710, 714, 715, 716, 717, 718, 719];

impl CallError {
    /// There is not so much device memory.
    pub fn out_of_memory(&self) -> bool {
        self.code == OUT_OF_MEMORY
    }

    /// The driver is older than the PTX.
    pub fn ptx_too_new(&self) -> bool {
        self.code == UNSUPPORTED_PTX_VERSION
    }

    /// The block needs more registers, threads or shared memory than a multiprocessor has.
    pub fn out_of_resources(&self) -> bool {
        self.code == OUT_OF_RESOURCES
    }

    /// The kernel failed while it ran: nothing more can be done in its context.
    pub fn fault(&self) -> bool {
        FAULTS.contains(&self.code)
    }
}

/// Why something could not be run on a GPU.
#[derive(Clone, Debug, thiserror::Error)]
pub enum GpuError {
    /// No driver, an old one, or no device.
    #[error("no GPU: {0}")]
    NoGpu(String),
    /// The driver did not take a module.
    #[error("the driver does not load the module: {error}{}", shown(.log))]
    Load {
        /// The error of the call.
        error: CallError,
        /// What the driver's compiler printed.
        log: String,
    },
    /// `ptxas` did not take a module, or is missing.
    #[error("the module cannot be compiled: {0}")]
    Assemble(String),
    /// The launch does not fit the kernel or the device.
    #[error("{0}")]
    Launch(String),
    /// A kernel did not end.
    #[error("the kernel has not ended after {} s", .limit.as_secs_f64())]
    Timeout {
        /// How long it was waited for.
        limit: Duration,
    },
    /// Any other call that failed.
    #[error(transparent)]
    Call(#[from] CallError),
}

impl GpuError {
    /// There is no GPU to use.
    pub(super) fn no_gpu(reason: String) -> Self {
        GpuError::NoGpu(reason)
    }

    /// The kernel failed while it ran, or did not end: nothing more can be done in its context.
    pub fn fault(&self) -> bool {
        match self {
            GpuError::Timeout { .. } => true,
            GpuError::Call(error) => error.fault(),
            _ => false,
        }
    }

    /// The kernel still runs: see [`super::driver::exit_now`].
    pub fn hangs(&self) -> bool {
        matches!(self, GpuError::Timeout { .. })
    }
}

fn shown(log: &str) -> String {
    match log.is_empty() {
        true => String::new(),
        false => format!("\n{log}"),
    }
}
