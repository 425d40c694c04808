//! Records a launch: its parameters, and the contents of all allocations that they point into.

use super::driver::{self, Address};
use super::folder::{self, PartialFile};
use super::state::{self, Kernel};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint, c_void};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// `CU_LAUNCH_PARAM_BUFFER_POINTER`
const BUFFER: usize = 1;
/// `CU_LAUNCH_PARAM_BUFFER_SIZE`
const SIZE: usize = 2;
/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR`
const MAJOR: c_int = 75;
/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR`
const MINOR: c_int = 76;
/// Most bytes of parameters (PTX ISA, "Kernel function parameters").
const PARAMETERS: usize = 32_764;
/// Default limit on the buffers of a launch, in bytes (`PTXASW_LAUNCHES_BYTES`).
const BYTES: usize = 1 << 30;
/// Limit on the buffers of all launches of a process, as a multiple of that of one launch.
const ALL: usize = 8;
/// Bytes of the staging buffer for copies from the device.
const PIECE: usize = 16 << 20;
/// Time limit for the work that is queued in front of a launch.
const PATIENCE: Duration = Duration::from_secs(5);
/// `CU_POINTER_ATTRIBUTE_MEMORY_TYPE`
const MEMORY_TYPE: c_int = 2;
/// `CU_MEMORYTYPE_HOST`
const HOST: c_int = 1;

/// The arguments of a launch.
pub struct Launch {
    /// `CUfunction` or `CUkernel`.
    pub function: *mut c_void,
    /// Blocks of the grid in x, y, z.
    pub grid: [c_uint; 3],
    /// Threads of a block in x, y, z.
    pub block: [c_uint; 3],
    /// Bytes of dynamic shared memory.
    pub shared: c_uint,
    /// `CUstream`.
    pub stream: *mut c_void,
    /// One pointer for each parameter, or null.
    pub parameters: *mut *mut c_void,
    /// `CU_LAUNCH_PARAM_*` pairs in place of `parameters`, terminated by null.
    pub extra: *mut *mut c_void,
    /// Whether the launch can be replayed as an ordinary one.
    pub kind: Kind,
}

/// The kinds of launches (CUDA Driver API, "Execution Control").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An ordinary launch.
    Usual,
    /// All blocks are resident at the same time.
    Cooperative,
    /// Blocks are scheduled in clusters.
    Clusters,
}

/// Records a launch if it is the first recordable one of its kernel.
///
/// # Safety
/// The pointers are those of a call of the driver.
pub unsafe fn take(launch: &Launch) {
    if folder::root().is_none() {
        return;
    }
    // A panic of the recorder must not unwind into the program.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let sizes = launch.grid.iter().chain(&launch.block);
        let threads = sizes.fold(1, |all: u64, &size| all.saturating_mul(size.into()));
        let mut capturing: c_int = 0;
        // SAFETY: the stream is the caller's.
        let asked = unsafe { driver::is_capturing(launch.stream, &mut capturing) };
        let is_possible = asked == driver::NOT_FOUND || asked == 0 && capturing == 0;
        let counted = state::launched(launch.function as usize, threads, is_possible);
        if let Some(counted) = counted.filter(|counted| counted.takes) {
            let mode = Relaxed::new();
            // SAFETY: as the caller says.
            let what = unsafe { contents(launch, counted.of_library) };
            drop(mode);
            line(launch, &counted.kernel, what);
        }
    }));
}

/// Guard: the thread's stream-capture mode is relaxed, so that our calls do not invalidate captures on other streams.
struct Relaxed(c_int);

impl Relaxed {
    fn new() -> Self {
        // `CU_STREAM_CAPTURE_MODE_RELAXED`
        let mut mode = 2;
        // SAFETY: the mode before comes back in its place.
        match unsafe { driver::exchange_mode(&mut mode) } {
            0 => Relaxed(mode),
            _ => Relaxed(-1),
        }
    }
}

impl Drop for Relaxed {
    fn drop(&mut self) {
        if self.0 >= 0 {
            // SAFETY: as before.
            unsafe { driver::exchange_mode(&mut self.0) };
        }
    }
}

fn line(launch: &Launch, kernel: &Kernel, what: Result<Contents, String>) {
    let mut line = json!({
        "image": kernel.image,
        "kernel": kernel.name,
        "grid": launch.grid,
        "block": launch.block,
        "shared": launch.shared,
        "compute": compute(),
    });
    match what {
        Ok(contents) => {
            line["parameters"] = hexadecimal(&contents.parameters).into();
            line["buffers"] = contents.buffers;
            line["pointers"] = contents.pointers;
        }
        Err(reason) => line["missing"] = reason.into(),
    }
    folder::append(&json!({ "launch": line }));
}

/// Parameters and memory of a launch.
struct Contents {
    parameters: Vec<u8>,
    buffers: Value,
    pointers: Value,
}

unsafe fn contents(launch: &Launch, of_library: bool) -> Result<Contents, String> {
    match launch.kind {
        Kind::Usual => {}
        Kind::Cooperative => return Err("it is launched as a cooperative kernel".to_owned()),
        Kind::Clusters => return Err("it is launched in clusters of blocks".to_owned()),
    }
    // SAFETY: as the caller says.
    let parameters = unsafe { parameters(launch, of_library) }?;
    wait(launch.stream)?;
    let mut ranges: BTreeMap<Address, usize> = BTreeMap::new();
    let mut pointers = Vec::new();
    for (number, word) in parameters.chunks_exact(8).enumerate() {
        let address = Address::from_ne_bytes(word.try_into().unwrap_or_default());
        if let Some((start, bytes)) = range(address)? {
            ranges.insert(start, bytes);
            pointers.push(json!({ "offset": 8 * number, "start": start, "at": address - start }));
        }
    }
    let bytes = ranges
        .values()
        .fold(0, |all: usize, &bytes| all.saturating_add(bytes));
    let most = std::env::var("PTXASW_LAUNCHES_BYTES").ok();
    let most = most.and_then(|text| text.parse().ok()).unwrap_or(BYTES);
    if bytes > most {
        return Err(format!("it reaches {bytes} bytes, more than {most}"));
    }
    let before = WRITTEN.fetch_add(bytes, Ordering::Relaxed);
    if before.saturating_add(bytes) > most.saturating_mul(ALL) {
        return Err(format!("the record has {before} bytes already"));
    }
    let stream = Stream::new()?;
    let buffers: Result<Vec<Value>, String> =
        ranges.into_iter().map(|one| stream.keep(one)).collect();
    Ok(Contents {
        parameters,
        buffers: buffers?.into(),
        pointers: pointers.into(),
    })
}

/// Total bytes of recorded buffers of this process.
static WRITTEN: AtomicUsize = AtomicUsize::new(0);

/// Polls until a stream is idle. Its work may itself depend on what the program does after the launch, hence the time limit.
fn wait(stream: *mut c_void) -> Result<(), String> {
    let start = Instant::now();
    loop {
        // SAFETY: the stream is the caller's.
        match unsafe { driver::query(stream) } {
            0 => return Ok(()),
            driver::NOT_READY if start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_micros(200));
            }
            driver::NOT_READY => {
                return Err(format!(
                    "what was launched before it takes more than {} s",
                    PATIENCE.as_secs()
                ));
            }
            code => {
                return Err(format!(
                    "the driver does not say whether its stream is done: error {code}"
                ));
            }
        }
    }
}

/// The compute capability of the current device as one number, such as 90.
fn compute() -> Option<c_int> {
    let (mut device, mut major, mut minor) = (0, 0, 0);
    // SAFETY: all of them are there to be written to.
    let codes = unsafe {
        let asked = driver::device(&mut device);
        [
            asked,
            driver::attribute(&mut major, MAJOR, device),
            driver::attribute(&mut minor, MINOR, device),
        ]
    };
    (codes == [0; 3]).then_some(10 * major + minor)
}

/// The allocation that contains an address or ends at it, as one-past-the-end pointers do.
fn range(address: Address) -> Result<Option<(Address, usize)>, String> {
    if address == 0 {
        return Ok(None);
    }
    for inside in [address, address - 1] {
        let (mut start, mut bytes) = (0, 0);
        // SAFETY: any number may be asked for.
        let asked = unsafe { driver::range(&mut start, &mut bytes, inside) };
        if asked == 0 && bytes > 0 {
            return Ok(Some((start, bytes)));
        }
    }
    let mut kind = 0;
    // SAFETY: as before. What is no address is an error.
    match unsafe { driver::pointer(&mut kind, MEMORY_TYPE, address) } {
        0 if kind == HOST => Err("a parameter points to memory of the host".to_owned()),
        _ => Ok(None),
    }
}

/// A non-blocking stream for the recorder's own copies: it does not synchronize with the legacy default stream.
struct Stream(*mut c_void);

impl Stream {
    fn new() -> Result<Self, String> {
        let mut stream = ptr::null_mut();
        // SAFETY: the stream is there to be written to. 1 is `CU_STREAM_NON_BLOCKING`.
        match unsafe { driver::make_stream(&mut stream, 1) } {
            0 => Ok(Stream(stream)),
            code => Err(format!("the driver makes no stream: error {code}")),
        }
    }

    /// Copies an allocation into a file of the folder, piece by piece.
    fn keep(&self, (start, bytes): (Address, usize)) -> Result<Value, String> {
        let unwritten = |error| format!("{bytes} bytes cannot be written: {error}");
        let mut part = PartialFile::new().map_err(unwritten)?;
        let mut piece = vec![0_u8; bytes.min(PIECE)];
        for at in (0..bytes).step_by(PIECE) {
            let piece = &mut piece[..PIECE.min(bytes - at)];
            // SAFETY: the driver says that the allocation has so many bytes, and the piece is not used until they are there.
            let code = unsafe {
                let to = piece.as_mut_ptr().cast();
                match driver::read(to, start + at as Address, piece.len(), self.0) {
                    0 => driver::wait(self.0),
                    code => code,
                }
            };
            if code != 0 {
                return Err(format!("{bytes} bytes cannot be read: error {code}"));
            }
            part.write(piece).map_err(unwritten)?;
        }
        let name = part.finish("buffer").map_err(unwritten)?;
        Ok(json!({ "start": start, "bytes": bytes, "file": name }))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: it is ours.
        unsafe { driver::remove_stream(self.0) };
    }
}

/// The parameters in the layout of the kernel's parameter space.
unsafe fn parameters(launch: &Launch, of_library: bool) -> Result<Vec<u8>, String> {
    // SAFETY: as the caller says.
    unsafe {
        match launch.parameters.is_null() {
            false => gathered(launch, of_library),
            true if launch.extra.is_null() => Ok(Vec::new()),
            true => Ok(block(launch.extra)),
        }
    }
}

unsafe fn block(extra: *mut *mut c_void) -> Vec<u8> {
    let (mut start, mut size) = (ptr::null::<u8>(), 0);
    // SAFETY: the driver reads the same words.
    unsafe {
        let mut at = extra;
        while !(*at).is_null() {
            match *at as usize {
                BUFFER => start = (*at.add(1)).cast(),
                SIZE => size = *(*at.add(1)).cast::<usize>(),
                _ => {}
            }
            at = at.add(2);
        }
        match start.is_null() {
            true => Vec::new(),
            false => std::slice::from_raw_parts(start, size).to_vec(),
        }
    }
}

/// Gathers `kernelParams` by the offsets and sizes that the driver reports.
unsafe fn gathered(launch: &Launch, of_library: bool) -> Result<Vec<u8>, String> {
    let mut block = Vec::new();
    for number in 0.. {
        let (mut offset, mut bytes) = (0, 0);
        // SAFETY: the handle is of the kind that the function takes.
        let code = unsafe {
            match of_library {
                true => driver::kernel_parameter(launch.function, number, &mut offset, &mut bytes),
                false => {
                    driver::function_parameter(launch.function, number, &mut offset, &mut bytes)
                }
            }
        };
        match code {
            0 if offset.saturating_add(bytes) <= PARAMETERS => {}
            0 => return Err(format!("a parameter at byte {offset}")),
            // The index is past the last parameter.
            driver::INVALID_VALUE => break,
            driver::NOT_FOUND => {
                return Err(
                    "the driver does not say where parameters are: it is older than 12.4"
                        .to_owned(),
                );
            }
            code => {
                return Err(format!(
                    "the driver does not say where parameters are: error {code}"
                ));
            }
        }
        block.resize(block.len().max(offset + bytes), 0);
        // SAFETY: there is a pointer for each parameter, to as many bytes.
        unsafe {
            let from = (*launch.parameters.add(number)).cast::<u8>();
            ptr::copy_nonoverlapping(from, block[offset..].as_mut_ptr(), bytes);
        }
    }
    Ok(block)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
