//! A launch, with all that its kernel reaches by its parameters.

use super::driver::{self, Address};
use super::folder::{self, Part};
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
/// Most bytes of buffers that are kept of a launch, where `PTXASW_RECORD_BYTES` says no other number.
const BYTES: usize = 1 << 30;
/// How many times as many are kept of all launches of a process.
const ALL: usize = 8;
/// Bytes that are copied at one time.
const PIECE: usize = 16 << 20;
/// How long work in front of a launch is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// `CU_POINTER_ATTRIBUTE_MEMORY_TYPE`
const MEMORY_TYPE: c_int = 2;
/// `CU_MEMORYTYPE_HOST`
const HOST: c_int = 1;

/// A launch as the driver gets it.
pub struct Launch {
    /// Function or kernel.
    pub function: *mut c_void,
    /// Blocks.
    pub grid: [c_uint; 3],
    /// Threads of a block.
    pub block: [c_uint; 3],
    /// Bytes of shared memory besides what the kernel declares.
    pub shared: c_uint,
    /// Where it is launched.
    pub stream: *mut c_void,
    /// One pointer for each parameter, or null.
    pub parameters: *mut *mut c_void,
    /// Else the parameters as one block: pairs of a word and a value, up to a zero.
    pub extra: *mut *mut c_void,
    /// How blocks are started.
    pub kind: Kind,
}

/// How the blocks of a launch are started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Each by itself.
    Usual,
    /// All at one time.
    Cooperative,
    /// In groups.
    Clusters,
}

/// Writes down a launch, if it is the first of its kernel that can be.
///
/// # Safety
/// The pointers are those of a call of the driver.
pub unsafe fn take(launch: &Launch) {
    if folder::root().is_none() {
        return;
    }
    // A fault of ours is none of the program's.
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

/// While it lives, calls of this thread spoil no graph that is written down elsewhere.
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
    let most = std::env::var("PTXASW_RECORD_BYTES").ok();
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

/// Bytes of buffers of all launches so far.
static WRITTEN: AtomicUsize = AtomicUsize::new(0);

/// Waits for what was launched before. That may itself wait for what the program does next, so there is an end to it.
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

/// The architecture of the device: 90.
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

/// The allocation around an address, or in front of it: a pointer may be that of an end.
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

/// A stream of ours, which waits for no other.
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

    /// Copies an allocation into a file.
    fn keep(&self, (start, bytes): (Address, usize)) -> Result<Value, String> {
        let unwritten = |error| format!("{bytes} bytes cannot be written: {error}");
        let mut part = Part::new().map_err(unwritten)?;
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

/// The block of parameters.
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

/// The parameters that pointers lead to, at the places that the driver names.
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
            // Behind the last one.
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
