//! The CUDA driver, loaded at run time: the entry points that are used, and owners of what they create.
//!
//! This is the only file of the folder with `unsafe` code: [`context`] calls the driver by its macro `call!`. Types and numbers are those
//! of the "CUDA Driver API" reference. What makes the interface safe:
//! - a [`Context`] borrows the [`Driver`] mutably, so there is one context at a time and it is the current one;
//! - modules, functions, memory and events borrow their context, and nothing can be sent to another thread;
//! - copies take slices and check their length against the allocation;
//! - kernels get their parameters as one block of a stated size, so that the driver never reads past its end.

use super::error::{CallError, GpuError};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

/// The name by which the driver is loaded.
pub const LIBRARY: &str = if cfg!(windows) {
    "nvcuda.dll"
} else {
    "libcuda.so.1"
};

/// The oldest driver that is used, as `cuDriverGetVersion` counts: CUDA 11.0.
const LEAST_VERSION: c_int = 11_000;

const SUCCESS: c_int = 0;
/// `CUDA_ERROR_NO_DEVICE`.
const NO_DEVICE: c_int = 100;

type Handle = *mut c_void;

/// Declares the table of entry points and how it is read from the library.
macro_rules! entry_points {
    ($($name:ident($($argument:ty),*);)*) => {
        /// The entry points, by their exported names.
        #[allow(non_snake_case)]
        struct EntryPoints {
            $($name: unsafe extern "system" fn($($argument),*) -> c_int,)*
        }

        impl EntryPoints {
            /// Looks every name up; the first that is missing is the error.
            fn load(library: &Library) -> Result<Self, &'static str> {
                Ok(EntryPoints {
                    $($name: {
                        let name = stringify!($name);
                        // SAFETY: the driver exports its functions under these names with these signatures ("CUDA Driver
                        // API"); the pointers are used only while `Driver` keeps the library loaded.
                        *unsafe { library.get(name.as_bytes()) }.map_err(|_| name)?
                    },)*
                })
            }
        }
    };
}

entry_points! {
    cuInit(c_uint);
    cuDriverGetVersion(*mut c_int);
    cuGetErrorName(c_int, *mut *const c_char);
    cuGetErrorString(c_int, *mut *const c_char);
    cuDeviceGetCount(*mut c_int);
    cuDeviceGet(*mut c_int, c_int);
    cuDeviceGetName(*mut c_char, c_int, c_int);
    cuDeviceGetAttribute(*mut c_int, c_int, c_int);
    cuDeviceTotalMem_v2(*mut usize, c_int);
    cuCtxCreate_v2(*mut Handle, c_uint, c_int);
    cuCtxDestroy_v2(Handle);
    cuMemGetInfo_v2(*mut usize, *mut usize);
    cuMemAlloc_v2(*mut u64, usize);
    cuMemFree_v2(u64);
    cuMemcpyHtoD_v2(u64, *const c_void, usize);
    cuMemcpyDtoH_v2(*mut c_void, u64, usize);
    cuMemsetD8_v2(u64, u8, usize);
    cuModuleLoadDataEx(*mut Handle, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
    cuModuleUnload(Handle);
    cuModuleGetFunction(*mut Handle, Handle, *const c_char);
    cuModuleGetGlobal_v2(*mut u64, *mut usize, Handle, *const c_char);
    cuFuncGetAttribute(*mut c_int, c_int, Handle);
    cuFuncSetAttribute(Handle, c_int, c_int);
    cuOccupancyMaxActiveBlocksPerMultiprocessor(*mut c_int, Handle, c_int, usize);
    cuLaunchKernel(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void);
    cuEventCreate(*mut Handle, c_uint);
    cuEventDestroy_v2(Handle);
    cuEventRecord(Handle, Handle);
    cuEventQuery(Handle);
    cuEventElapsedTime(*mut f32, Handle, Handle);
}

/// Calls an entry point: `call!(driver, cuInit(0))` is a `Result<(), CallError>`.
macro_rules! call {
    ($driver:expr, $name:ident($($argument:expr),*)) => {{
        let driver: &Driver = $driver;
        // SAFETY: each use passes pointers to live places of the types that the function's signature names, and handles
        // of objects that their owners below keep alive.
        let code = unsafe { (driver.calls.$name)($($argument),*) };
        driver.check(stringify!($name), code)
    }};
}

mod context;

pub use context::{Context, Event, Function, FunctionAttribute, Image, Memory, Module, View};

/// What can be asked of a device (`CUdevice_attribute`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[allow(missing_docs)]
pub enum DeviceAttribute {
    /// In kilohertz, at most.
    ClockRate = 13,
    Multiprocessors = 16,
    /// In kilohertz, at most.
    MemoryClockRate = 36,
    /// In bits.
    MemoryBusWidth = 37,
    /// In bytes.
    L2Cache = 38,
    ThreadsPerMultiprocessor = 39,
    ComputeMajor = 75,
    ComputeMinor = 76,
    /// Bytes of shared memory that a block may ask for.
    SharedMemoryPerBlock = 97,
}

/// The loaded and initialised driver.
pub struct Driver {
    calls: EntryPoints,
    /// CUDA version that the driver supports, major and minor.
    version: (u32, u32),
    /// Keeps the entry points valid.
    _library: Library,
}

impl Driver {
    /// Loads and initialises the driver.
    ///
    /// # Errors
    /// [`GpuError::NoGpu`] if there is none, if it is older than CUDA 11.0, or if it finds no device.
    pub fn load() -> Result<Driver, GpuError> {
        // SAFETY: loading the driver runs its initialisers, as it does for every CUDA program.
        let library = unsafe { Library::new(LIBRARY) }
            .map_err(|_| GpuError::no_gpu(format!("{LIBRARY} could not be loaded")))?;
        let calls = EntryPoints::load(&library)
            .map_err(|name| GpuError::no_gpu(format!("{LIBRARY} is too old: it has no {name}")))?;
        let mut driver = Driver {
            calls,
            version: (0, 0),
            _library: library,
        };
        let mut version = 0;
        call!(&driver, cuDriverGetVersion(&mut version))?;
        driver.version = (
            (version / 1000).unsigned_abs(),
            (version % 1000 / 10).unsigned_abs(),
        );
        if version < LEAST_VERSION {
            let (major, minor) = driver.version;
            return Err(GpuError::no_gpu(format!(
                "the driver supports CUDA {major}.{minor}, and 11.0 is the least"
            )));
        }
        match call!(&driver, cuInit(0)) {
            Ok(()) => Ok(driver),
            Err(error) if error.code == NO_DEVICE => {
                Err(GpuError::no_gpu("the driver finds no device".to_owned()))
            }
            Err(error) => Err(GpuError::no_gpu(error.to_string())),
        }
    }

    /// The CUDA version that the driver supports, major and minor.
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// Number of devices.
    pub fn devices(&self) -> Result<u32, CallError> {
        let mut count = 0;
        call!(self, cuDeviceGetCount(&mut count))?;
        Ok(count.max(0).unsigned_abs())
    }

    /// Handle of device number `ordinal`.
    pub fn device(&self, ordinal: u32) -> Result<Device, CallError> {
        let mut device = 0;
        let ordinal = c_int::try_from(ordinal).unwrap_or(c_int::MAX);
        call!(self, cuDeviceGet(&mut device, ordinal))?;
        Ok(Device(device))
    }

    /// The device's name.
    pub fn name(&self, device: Device) -> Result<String, CallError> {
        let mut bytes = [0u8; 256];
        let room = bytes.len() as c_int - 1;
        call!(
            self,
            cuDeviceGetName(bytes.as_mut_ptr().cast(), room, device.0)
        )?;
        Ok(text(&bytes))
    }

    /// A property of the device.
    pub fn attribute(&self, device: Device, attribute: DeviceAttribute) -> Result<u32, CallError> {
        let mut value = 0;
        call!(
            self,
            cuDeviceGetAttribute(&mut value, attribute as c_int, device.0)
        )?;
        Ok(value.max(0).unsigned_abs())
    }

    /// The device's memory in bytes.
    pub fn total_memory(&self, device: Device) -> Result<u64, CallError> {
        let mut bytes = 0;
        call!(self, cuDeviceTotalMem_v2(&mut bytes, device.0))?;
        Ok(bytes as u64)
    }

    /// Makes a context on the device.
    pub fn context(&mut self, device: Device) -> Result<Context<'_>, CallError> {
        let mut handle = null_mut();
        call!(self, cuCtxCreate_v2(&mut handle, 0, device.0))?;
        Ok(Context::new(self, handle))
    }

    fn check(&self, call: &'static str, code: c_int) -> Result<(), CallError> {
        if code == SUCCESS {
            return Ok(());
        }
        let (mut name, mut meaning) = (null(), null());
        // SAFETY: both take any number and write a pointer to a static string, or null for a number they don't know.
        unsafe {
            (self.calls.cuGetErrorName)(code, &mut name);
            (self.calls.cuGetErrorString)(code, &mut meaning);
        }
        let owned = |pointer: *const c_char| match pointer.is_null() {
            true => format!("error {code}"),
            // SAFETY: a string of the driver: terminated and never changed.
            false => unsafe { CStr::from_ptr(pointer) }
                .to_string_lossy()
                .into_owned(),
        };
        Err(CallError {
            call,
            code,
            name: owned(name),
            meaning: owned(meaning),
        })
    }
}

/// A device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device(c_int);

/// Text up to the first zero byte.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

unsafe extern "C" {
    /// Of the C library: ends the process and runs none of its exit handlers.
    safe fn _exit(code: c_int) -> !;
}

/// Ends the process at once. The driver's exit handlers wait for running kernels: after [`GpuError::Timeout`] for ever.
pub fn exit_now(code: u8) -> ! {
    _exit(c_int::from(code))
}
