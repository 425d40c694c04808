//! A launch, with all that its kernel reaches by its parameters.

use super::driver::{self, Address};
use super::folder;
use super::state::{self, Kernel};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint, c_void};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

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
}

/// Writes down a launch, if it is the first of its kernel that can be.
///
/// # Safety
/// The pointers are those of a call of the driver.
pub unsafe fn take(launch: &Launch) {
    if folder::root().is_none() {
        return;
    }
    let threads = launch.grid.iter().chain(&launch.block);
    let threads = threads.map(|&size| u64::from(size)).product();
    let mut capturing: c_int = 0;
    // SAFETY: the stream is the caller's.
    let asked = unsafe { driver::is_capturing(launch.stream, &mut capturing) };
    let is_possible = asked == driver::NOT_FOUND || asked == 0 && capturing == 0;
    let taken = state::launched(launch.function as usize, threads, is_possible);
    if let Some((kernel, true)) = taken {
        // A fault of ours is none of the program's.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            // SAFETY: as the caller says.
            let what = unsafe { contents(launch) };
            line(launch, &kernel, what);
        }));
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

unsafe fn contents(launch: &Launch) -> Result<Contents, String> {
    // SAFETY: as the caller says.
    let parameters = unsafe { parameters(launch) }?;
    // SAFETY: the stream is the caller's.
    let waited = unsafe { driver::wait(launch.stream) };
    if waited != 0 {
        return Err(format!(
            "the driver does not wait for the stream: error {waited}"
        ));
    }
    let mut ranges: BTreeMap<Address, usize> = BTreeMap::new();
    let mut pointers = Vec::new();
    for (number, word) in parameters.chunks_exact(8).enumerate() {
        let address = Address::from_ne_bytes(word.try_into().unwrap_or_default());
        if let Some((start, bytes)) = range(address) {
            ranges.insert(start, bytes);
            pointers.push(json!({ "offset": 8 * number, "start": start, "at": address - start }));
        }
    }
    let bytes: usize = ranges.values().sum();
    let most = std::env::var("PTXASW_RECORD_BYTES").ok();
    let most = most.and_then(|text| text.parse().ok()).unwrap_or(BYTES);
    if bytes > most {
        return Err(format!("it reaches {bytes} bytes, more than {most}"));
    }
    let buffers: Result<Vec<Value>, String> = ranges.into_iter().map(|one| keep(one)).collect();
    Ok(Contents {
        parameters,
        buffers: buffers?.into(),
        pointers: pointers.into(),
    })
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

/// The allocation around an address.
fn range(address: Address) -> Option<(Address, usize)> {
    let (mut start, mut bytes) = (0, 0);
    // SAFETY: any number may be asked for.
    let asked = unsafe { driver::range(&mut start, &mut bytes, address) };
    (address != 0 && asked == 0 && bytes > 0).then_some((start, bytes))
}

/// Copies an allocation into a file.
fn keep((start, bytes): (Address, usize)) -> Result<Value, String> {
    let mut copy = vec![0u8; bytes];
    // SAFETY: the driver says that the allocation has so many bytes.
    let read = unsafe { driver::read(copy.as_mut_ptr().cast(), start, bytes) };
    if read != 0 {
        return Err(format!("{bytes} bytes cannot be read: error {read}"));
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("{}-{number}.buffer", std::process::id());
    match folder::write(&name, &copy) {
        Ok(()) => Ok(json!({ "start": start, "bytes": bytes, "file": name })),
        Err(error) => Err(format!("{bytes} bytes cannot be written: {error}")),
    }
}

/// Buffers of this process so far.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// The block of parameters.
unsafe fn parameters(launch: &Launch) -> Result<Vec<u8>, String> {
    // SAFETY: as the caller says.
    unsafe {
        match launch.parameters.is_null() {
            false => gathered(launch),
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
unsafe fn gathered(launch: &Launch) -> Result<Vec<u8>, String> {
    let mut block = Vec::new();
    for number in 0.. {
        let (mut offset, mut bytes) = (0, 0);
        // SAFETY: a number beyond the last parameter is an error of the driver.
        let code = unsafe {
            let own = driver::function_parameter(launch.function, number, &mut offset, &mut bytes);
            match own {
                0 => 0,
                // A kernel of a library may be launched without its function.
                _ => {
                    match driver::kernel_parameter(launch.function, number, &mut offset, &mut bytes)
                    {
                        driver::NOT_FOUND => own,
                        code => code,
                    }
                }
            }
        };
        match code {
            0 => {}
            driver::NOT_FOUND => {
                return Err(
                    "the driver does not say where parameters are: it is older than 12.4"
                        .to_owned(),
                );
            }
            _ => break,
        }
        if offset + bytes > PARAMETERS {
            return Err(format!("a parameter at byte {offset}"));
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
