//! The driver's own functions.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

/// An address on the device.
pub type Address = u64;

type Dlsym = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;

/// The loader's `dlsym`, which the one of this library hides.
pub fn loader() -> Option<Dlsym> {
    static FOUND: OnceLock<Option<Dlsym>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        // glibc has had it under this version since it moved into libc, and under the first of its architecture before.
        let versions = [c"GLIBC_2.34", c"GLIBC_2.2.5", c"GLIBC_2.17"];
        let found = versions.into_iter().map(|version| {
            // SAFETY: both texts end with a NUL.
            unsafe { libc::dlvsym(libc::RTLD_NEXT, c"dlsym".as_ptr(), version.as_ptr()) }
        });
        let mut found = found.filter(|function| !function.is_null());
        // SAFETY: this is its type.
        found
            .next()
            .map(|function| unsafe { std::mem::transmute::<*mut c_void, Dlsym>(function) })
    })
}

/// A function of a library that comes behind this one; null if there is none.
pub fn next(name: &CStr) -> *mut c_void {
    // SAFETY: the name is a text.
    let found = loader().map(|loader| unsafe { loader(libc::RTLD_NEXT, name.as_ptr()) });
    found.unwrap_or(ptr::null_mut())
}

/// A function of the driver that the program has loaded; null if there is none.
pub fn function(name: &CStr) -> *mut c_void {
    // SAFETY: the texts end with a NUL. A driver that is loaded stays loaded.
    unsafe {
        let flags = libc::RTLD_LAZY | libc::RTLD_NOLOAD;
        let handle = libc::dlopen(c"libcuda.so.1".as_ptr(), flags);
        match (handle.is_null(), loader()) {
            (false, Some(loader)) => loader(handle, name.as_ptr()),
            _ => ptr::null_mut(),
        }
    }
}

/// Declares functions of the driver that are called from here: each gives an error where the driver lacks it.
macro_rules! functions {
    ($($(#[$doc:meta])* $rust:ident = $name:literal ($($argument:ident: $of:ty),*);)*) => {
        $($(#[$doc])*
        ///
        /// # Safety
        /// As the driver's.
        pub unsafe fn $rust($($argument: $of),*) -> c_int {
            static FOUND: OnceLock<usize> = OnceLock::new();
            let found = *FOUND.get_or_init(|| function($name) as usize);
            if found == 0 {
                return NOT_FOUND;
            }
            // SAFETY: this is its type.
            let function = unsafe { std::mem::transmute::<usize, unsafe extern "C" fn($($of),*) -> c_int>(found) };
            // SAFETY: the arguments are the caller's.
            unsafe { function($($argument),*) }
        })*
    };
}

/// An argument makes no sense.
pub const INVALID_VALUE: c_int = 1;
/// The driver has no such function.
pub const NOT_FOUND: c_int = 500;
/// Work is not done yet.
pub const NOT_READY: c_int = 600;

functions! {
    /// Start and bytes of the allocation around an address.
    range = c"cuMemGetAddressRange_v2" (start: *mut Address, bytes: *mut usize, address: Address);
    /// The device of the context.
    device = c"cuCtxGetDevice" (device: *mut c_int);
    /// A number that a device has.
    attribute = c"cuDeviceGetAttribute" (value: *mut c_int, attribute: c_int, device: c_int);
    /// A number that says what an address is.
    pointer = c"cuPointerGetAttribute" (value: *mut c_int, attribute: c_int, address: Address);
    /// Copies from the device, within a stream.
    read = c"cuMemcpyDtoHAsync_v2" (to: *mut c_void, from: Address, bytes: usize, stream: *mut c_void);
    /// Makes a stream.
    make_stream = c"cuStreamCreate" (stream: *mut *mut c_void, flags: c_uint);
    /// Removes a stream.
    remove_stream = c"cuStreamDestroy_v2" (stream: *mut c_void);
    /// Whether all work of a stream is done.
    query = c"cuStreamQuery" (stream: *mut c_void);
    /// Waits for a stream.
    wait = c"cuStreamSynchronize" (stream: *mut c_void);
    /// What calls of this thread may do while a graph is written down elsewhere.
    exchange_mode = c"cuThreadExchangeStreamCaptureMode" (mode: *mut c_int);
    /// Whether calls are written down into a graph, in place of being made.
    is_capturing = c"cuStreamIsCapturing" (stream: *mut c_void, capturing: *mut c_int);
    /// Place and bytes of a function's parameter.
    function_parameter = c"cuFuncGetParamInfo" (function: *mut c_void, number: usize, offset: *mut usize, bytes: *mut usize);
    /// The same of a kernel of a library.
    kernel_parameter = c"cuKernelGetParamInfo" (kernel: *mut c_void, number: usize, offset: *mut usize, bytes: *mut usize);
}

/// `CUlaunchConfig`, up to what is read of it.
#[repr(C)]
pub struct LaunchConfig {
    /// Blocks.
    pub grid: [c_uint; 3],
    /// Threads of a block.
    pub block: [c_uint; 3],
    /// Bytes of shared memory besides what the kernel declares.
    pub shared: c_uint,
    /// Where it is launched.
    pub stream: *mut c_void,
    /// How it is launched besides.
    pub attributes: *const Attribute,
    /// How many of them.
    pub count: c_uint,
}

/// `CUlaunchAttribute`
#[repr(C, align(8))]
pub struct Attribute {
    /// Which one.
    pub id: c_uint,
    padding: [u8; 4],
    value: [u64; 8],
}

/// `CU_LAUNCH_ATTRIBUTE_COOPERATIVE`
pub const COOPERATIVE: c_uint = 2;
/// `CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION`
pub const CLUSTER: c_uint = 4;
