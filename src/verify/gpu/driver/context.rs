//! What lives in a context: modules, kernels, memory, events. Each owner removes what it made.

use super::{Driver, Handle, text};
use crate::gpu::error::{CallError, GpuError};
use std::cell::Cell;
use std::ffi::{CString, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr::{null_mut, without_provenance_mut};
use std::time::{Duration, Instant};

/// `CUDA_ERROR_NOT_READY`: an event that has not happened yet.
const NOT_READY: c_int = 600;
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

impl<'d> Context<'d> {
    /// The owner of a context that was just made.
    pub(super) fn new(driver: &'d Driver, handle: Handle) -> Self {
        Context {
            driver,
            handle,
            abandoned: Cell::new(false),
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
    /// [`super::exit_now`].
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
    /// Puts the event after all that was launched.
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
