//! Functions of the driver that the recorder calls, resolved at their first use.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

/// An address on the device.
pub type Address = u64;

type Dlsym = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;

/// The loader's `dlsym`, which this library's own one shadows.
pub fn loader() -> Option<Dlsym> {
    static FOUND: OnceLock<Option<Dlsym>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        // Symbol versions: glibc 2.34, which moved it into libc, and before that the base versions of x86-64 and AArch64.
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

/// The next definition of a symbol in load order after this library; null if there is none.
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

/// Declares wrappers that return [`NOT_FOUND`] if the driver lacks the function.
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

/// `CUDA_ERROR_INVALID_VALUE`
pub const INVALID_VALUE: c_int = 1;
/// `CUDA_ERROR_NOT_FOUND`; also: the driver lacks the function.
pub const NOT_FOUND: c_int = 500;
/// `CUDA_ERROR_NOT_READY`
pub const NOT_READY: c_int = 600;

functions! {
    /// Base address and size of the allocation that contains an address.
    range = c"cuMemGetAddressRange_v2" (start: *mut Address, bytes: *mut usize, address: Address);
    /// The device of the context.
    device = c"cuCtxGetDevice" (device: *mut c_int);
    /// An attribute of a device, such as its compute capability.
    attribute = c"cuDeviceGetAttribute" (value: *mut c_int, attribute: c_int, device: c_int);
    /// An attribute of a pointer, such as its memory type.
    pointer = c"cuPointerGetAttribute" (value: *mut c_int, attribute: c_int, address: Address);
    /// Copies from device to host, asynchronously in a stream.
    read = c"cuMemcpyDtoHAsync_v2" (to: *mut c_void, from: Address, bytes: usize, stream: *mut c_void);
    /// Creates a stream; flag 1 is `CU_STREAM_NON_BLOCKING`.
    make_stream = c"cuStreamCreate" (stream: *mut *mut c_void, flags: c_uint);
    /// Destroys a stream once its work is complete.
    remove_stream = c"cuStreamDestroy_v2" (stream: *mut c_void);
    /// [`NOT_READY`] if a stream has pending work.
    query = c"cuStreamQuery" (stream: *mut c_void);
    /// Blocks until a stream is idle.
    wait = c"cuStreamSynchronize" (stream: *mut c_void);
    /// Swaps the stream-capture mode of the calling thread.
    exchange_mode = c"cuThreadExchangeStreamCaptureMode" (mode: *mut c_int);
    /// The capture status of a stream: 0 if it is not being captured into a graph.
    is_capturing = c"cuStreamIsCapturing" (stream: *mut c_void, capturing: *mut c_int);
    /// Offset and size of a parameter of a `CUfunction`.
    function_parameter = c"cuFuncGetParamInfo" (function: *mut c_void, number: usize, offset: *mut usize, bytes: *mut usize);
    /// Offset and size of a parameter of a `CUkernel`.
    kernel_parameter = c"cuKernelGetParamInfo" (kernel: *mut c_void, number: usize, offset: *mut usize, bytes: *mut usize);
}

/// `CUlaunchConfig`, up to what is read of it.
#[repr(C)]
pub struct LaunchConfig {
    /// Blocks of the grid in x, y, z.
    pub grid: [c_uint; 3],
    /// Threads of a block in x, y, z.
    pub block: [c_uint; 3],
    /// Bytes of dynamic shared memory.
    pub shared: c_uint,
    /// `CUstream`.
    pub stream: *mut c_void,
    /// Launch attributes, such as the dimensions of clusters.
    pub attributes: *const Attribute,
    /// Number of attributes.
    pub count: c_uint,
}

/// `CUlaunchAttribute` of `cuda.h`: 72 bytes.
#[repr(C, align(8))]
pub struct Attribute {
    /// `CUlaunchAttributeID`.
    pub id: c_uint,
    padding: [u8; 4],
    value: [u64; 8],
}

/// `CU_LAUNCH_ATTRIBUTE_COOPERATIVE`
pub const COOPERATIVE: c_uint = 2;
/// `CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION`
pub const CLUSTER: c_uint = 4;
