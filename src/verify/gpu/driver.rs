//! The CUDA driver, loaded at run time: the entry points that are used, and owners of what they create.
//!
//! This is the only file with `unsafe` code. Types and numbers are those of the "CUDA Driver API" reference. What makes
//! the interface safe:
//! - a [`Context`] borrows the [`Driver`] mutably, so there is one context at a time and it is the current one;
//! - modules, functions, memory and events borrow their context, and nothing can be sent to another thread;
//! - copies take slices and check their length against the allocation;
//! - kernels get their parameters as one block of a stated size, so that the driver never reads behind it.

use super::error::{CallError, GpuError};
use libloading::Library;
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr::{null, null_mut, without_provenance_mut};
use std::time::{Duration, Instant};

/// The name by which the driver is loaded.
pub const LIBRARY: &str = if cfg!(windows) {
    "nvcuda.dll"
} else {
    "libcuda.so.1"
};

/// The oldest driver that is used, as `cuDriverGetVersion` counts: CUDA 11.0.
const LEAST_VERSION: c_int = 11_000;

const SUCCESS: c_int = 0;
/// `CUDA_ERROR_NOT_READY`: an event that has not happened yet.
const NOT_READY: c_int = 600;
/// `CUDA_ERROR_NO_DEVICE`.
const NO_DEVICE: c_int = 100;

const JIT_ERROR_LOG_BUFFER: c_int = 5;
const JIT_ERROR_LOG_BUFFER_SIZE_BYTES: c_int = 6;
/// Bytes of the log of the driver's compiler that are kept.
const LOG_BYTES: usize = 16 << 10;

/// `CU_LAUNCH_PARAM_END`, `_BUFFER_POINTER`, `_BUFFER_SIZE`.
const LAUNCH_PARAM: [*mut c_void; 3] = [
    null_mut(),
    without_provenance_mut(1),
    without_provenance_mut(2),
];

/// Between two looks at an event.
const POLL: Duration = Duration::from_micros(100);

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

/// What can be asked of a kernel (`CUfunction_attribute`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[allow(missing_docs)]
pub enum FunctionAttribute {
    ThreadsPerBlock = 0,
    /// In bytes.
    StaticShared = 1,
    /// Bytes per thread.
    Local = 3,
    /// Per thread.
    Registers = 4,
}

/// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
const MAX_DYNAMIC_SHARED: c_int = 8;

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
        Ok(Context {
            driver: self,
            handle,
            abandoned: Cell::new(false),
        })
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

/// A context: all that was loaded and allocated for a device.
///
/// After a fault of a kernel every call on it fails, and only a new one can go on.
pub struct Context<'d> {
    driver: &'d Driver,
    handle: Handle,
    /// A kernel does not end: any call that waits for it would hang, so that nothing is freed any more.
    abandoned: Cell<bool>,
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        if !self.abandoned.get() {
            // Nothing can be done about a failure, and a faulty context is gone anyway.
            let _ = call!(self.driver, cuCtxDestroy_v2(self.handle));
        }
    }
}

impl Context<'_> {
    /// Bytes of device memory that are free.
    pub fn free_memory(&self) -> Result<u64, CallError> {
        let (mut free, mut total) = (0, 0);
        call!(self.driver, cuMemGetInfo_v2(&mut free, &mut total))?;
        Ok(free as u64)
    }

    /// Allocates device memory; at least a byte, so that every buffer has an address of its own.
    pub fn allocate(&self, bytes: u64) -> Result<Memory<'_>, CallError> {
        let size = usize::try_from(bytes.max(1)).unwrap_or(usize::MAX);
        let mut address = 0;
        call!(self.driver, cuMemAlloc_v2(&mut address, size))?;
        Ok(Memory {
            context: self,
            address,
            bytes,
        })
    }

    /// Loads a module: PTX text, which the driver compiles, or what `ptxas` made of it.
    ///
    /// # Errors
    /// [`GpuError::Load`] with what the driver's compiler printed.
    pub fn load(&self, image: &Image) -> Result<Module<'_>, GpuError> {
        let mut log = vec![0u8; LOG_BYTES];
        let mut names = [JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        // Values that are numbers are passed in the place of the pointer.
        let mut values = [
            log.as_mut_ptr().cast::<c_void>(),
            without_provenance_mut(LOG_BYTES - 1),
        ];
        let mut handle = null_mut();
        let result = call!(
            self.driver,
            cuModuleLoadDataEx(
                &mut handle,
                image.pointer(),
                names.len() as c_uint,
                names.as_mut_ptr(),
                values.as_mut_ptr()
            )
        );
        match result {
            Ok(()) => Ok(Module {
                context: self,
                handle,
            }),
            Err(error) => Err(GpuError::Load {
                error,
                log: text(&log).trim().to_owned(),
            }),
        }
    }

    /// Makes an event.
    pub fn event(&self) -> Result<Event<'_>, CallError> {
        let mut handle = null_mut();
        call!(self.driver, cuEventCreate(&mut handle, 0))?;
        Ok(Event {
            context: self,
            handle,
        })
    }

    /// Waits until all that was launched has ended.
    ///
    /// # Errors
    /// The fault of a kernel, or [`GpuError::Timeout`]: the context is then given up, and the process should end by
    /// [`exit_now`].
    pub fn wait(&self, limit: Duration) -> Result<(), GpuError> {
        let event = self.event()?;
        event.record()?;
        event.wait(limit)
    }
}

/// Code to load.
#[derive(Clone, Debug)]
pub enum Image {
    /// PTX text.
    Ptx(CString),
    /// An object file of `ptxas`.
    Cubin(Vec<u8>),
}

impl Image {
    /// PTX text; what follows a zero byte (the padding of texts that were cut from binaries) is dropped.
    pub fn ptx(text: &[u8]) -> Image {
        let end = text.iter().position(|&b| b == 0).unwrap_or(text.len());
        Image::Ptx(CString::new(&text[..end]).unwrap_or_default())
    }

    fn pointer(&self) -> *const c_void {
        match self {
            Image::Ptx(text) => text.as_ptr().cast(),
            Image::Cubin(bytes) => bytes.as_ptr().cast(),
        }
    }
}

/// A loaded module.
pub struct Module<'c> {
    context: &'c Context<'c>,
    handle: Handle,
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        if !self.context.abandoned.get() {
            let _ = call!(self.context.driver, cuModuleUnload(self.handle));
        }
    }
}

impl<'c> Module<'c> {
    /// A kernel of the module.
    pub fn function(&self, name: &str) -> Result<Function<'_>, CallError> {
        let name = CString::new(name).unwrap_or_default();
        let mut handle = null_mut();
        call!(
            self.context.driver,
            cuModuleGetFunction(&mut handle, self.handle, name.as_ptr())
        )?;
        Ok(Function {
            context: self.context,
            handle,
            module: PhantomData,
        })
    }

    /// Address and size of a variable; none if the module does not export it.
    pub fn global(&self, name: &str) -> Option<View<'_>> {
        let name = CString::new(name).ok()?;
        let (mut address, mut bytes) = (0, 0);
        call!(
            self.context.driver,
            cuModuleGetGlobal_v2(&mut address, &mut bytes, self.handle, name.as_ptr())
        )
        .ok()?;
        Some(View {
            driver: self.context.driver,
            address,
            bytes: bytes as u64,
            owner: PhantomData,
        })
    }
}

/// A kernel.
#[derive(Clone, Copy)]
pub struct Function<'m> {
    context: &'m Context<'m>,
    handle: Handle,
    module: PhantomData<&'m ()>,
}

impl Function<'_> {
    /// A property.
    pub fn attribute(&self, attribute: FunctionAttribute) -> Result<u32, CallError> {
        let mut value = 0;
        call!(
            self.context.driver,
            cuFuncGetAttribute(&mut value, attribute as c_int, self.handle)
        )?;
        Ok(value.max(0).unsigned_abs())
    }

    /// Allows so much dynamic shared memory: more than 48 KiB must be asked for.
    pub fn allow_dynamic_shared(&self, bytes: u32) -> Result<(), CallError> {
        let bytes = c_int::try_from(bytes).unwrap_or(c_int::MAX);
        call!(
            self.context.driver,
            cuFuncSetAttribute(self.handle, MAX_DYNAMIC_SHARED, bytes)
        )
    }

    /// Blocks of so many threads that a multiprocessor holds at a time.
    pub fn blocks_per_multiprocessor(
        &self,
        threads: u32,
        dynamic_shared: u32,
    ) -> Result<u32, CallError> {
        let mut blocks = 0;
        let threads = c_int::try_from(threads).unwrap_or(c_int::MAX);
        call!(
            self.context.driver,
            cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut blocks,
                self.handle,
                threads,
                dynamic_shared as usize
            )
        )?;
        Ok(blocks.max(0).unsigned_abs())
    }

    /// Launches the kernel with a block of parameters; it runs on after this returns.
    pub fn launch(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
        parameters: &[u8],
    ) -> Result<(), CallError> {
        let mut size = parameters.len();
        let [end, pointer, bytes] = LAUNCH_PARAM;
        // The driver copies the block before it returns, and writes to none of it.
        let mut extra = [
            pointer,
            parameters.as_ptr().cast_mut().cast(),
            bytes,
            (&raw mut size).cast(),
            end,
        ];
        call!(
            self.context.driver,
            cuLaunchKernel(
                self.handle,
                grid[0],
                grid[1],
                grid[2],
                block[0],
                block[1],
                block[2],
                dynamic_shared,
                null_mut(),
                null_mut(),
                if size == 0 {
                    null_mut()
                } else {
                    extra.as_mut_ptr()
                }
            )
        )
    }
}

/// Allocated device memory.
pub struct Memory<'c> {
    context: &'c Context<'c>,
    address: u64,
    bytes: u64,
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        if !self.context.abandoned.get() {
            let _ = call!(self.context.driver, cuMemFree_v2(self.address));
        }
    }
}

impl Memory<'_> {
    /// All of it.
    pub fn view(&self) -> View<'_> {
        View {
            driver: self.context.driver,
            address: self.address,
            bytes: self.bytes,
            owner: PhantomData,
        }
    }
}

/// Device memory that somebody else owns.
#[derive(Clone, Copy)]
pub struct View<'m> {
    driver: &'m Driver,
    address: u64,
    bytes: u64,
    owner: PhantomData<&'m ()>,
}

impl View<'_> {
    /// The address on the device.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The size in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The address of a byte, if `length` bytes from there on are inside.
    fn at(&self, offset: u64, length: usize) -> u64 {
        let end = offset.checked_add(length as u64);
        assert!(
            end.is_some_and(|end| end <= self.bytes),
            "a copy of {length} bytes at {offset} of {}",
            self.bytes
        );
        self.address + offset
    }

    /// Writes bytes from `offset` on.
    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), CallError> {
        let address = self.at(offset, bytes.len());
        if bytes.is_empty() {
            return Ok(());
        }
        call!(
            self.driver,
            cuMemcpyHtoD_v2(address, bytes.as_ptr().cast(), bytes.len())
        )
    }

    /// Reads bytes from `offset` on.
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<(), CallError> {
        let address = self.at(offset, bytes.len());
        if bytes.is_empty() {
            return Ok(());
        }
        call!(
            self.driver,
            cuMemcpyDtoH_v2(bytes.as_mut_ptr().cast(), address, bytes.len())
        )
    }

    /// Sets all bytes.
    pub fn set(&self, value: u8) -> Result<(), CallError> {
        if self.bytes == 0 {
            return Ok(());
        }
        let size = usize::try_from(self.bytes).unwrap_or(usize::MAX);
        call!(self.driver, cuMemsetD8_v2(self.address, value, size))
    }
}

/// A point in the order of what the device does.
pub struct Event<'c> {
    context: &'c Context<'c>,
    handle: Handle,
}

impl Drop for Event<'_> {
    fn drop(&mut self) {
        if !self.context.abandoned.get() {
            let _ = call!(self.context.driver, cuEventDestroy_v2(self.handle));
        }
    }
}

impl Event<'_> {
    /// Puts the event behind all that was launched.
    pub fn record(&self) -> Result<(), CallError> {
        call!(self.context.driver, cuEventRecord(self.handle, null_mut()))
    }

    /// Waits for the event: see [`Context::wait`].
    ///
    /// # Errors
    /// As there.
    pub fn wait(&self, limit: Duration) -> Result<(), GpuError> {
        let start = Instant::now();
        loop {
            match call!(self.context.driver, cuEventQuery(self.handle)) {
                Err(error) if error.code == NOT_READY => {}
                result => return Ok(result?),
            }
            if start.elapsed() > limit {
                self.context.abandoned.set(true);
                return Err(GpuError::Timeout { limit });
            }
            std::thread::sleep(POLL);
        }
    }

    /// Milliseconds of the device from `start` to this event; both have happened.
    pub fn since(&self, start: &Event) -> Result<f64, CallError> {
        let mut milliseconds = 0f32;
        call!(
            self.context.driver,
            cuEventElapsedTime(&mut milliseconds, start.handle, self.handle)
        )?;
        Ok(f64::from(milliseconds))
    }
}

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
