//! Parses `launches.jsonl`, which the preloaded library writes.

use serde::Deserialize;
use std::collections::BTreeMap;

/// One line: a recorded launch, or launch counts so far.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Launch(Launch),
    Count(Count),
}

/// A recorded launch.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Launch {
    image: String,
    kernel: String,
    /// Blocks of the grid in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// The compute capability of the device as one number, such as 90.
    compute: Option<u32>,
    /// The block of parameters as hexadecimal digits.
    #[serde(default)]
    pub parameters: String,
    /// Allocations that parameters point into.
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    /// Pointers among the parameters.
    #[serde(default)]
    pub pointers: Vec<Pointer>,
    /// Why the launch could not be recorded.
    pub missing: Option<String>,
}

/// A recorded allocation of device memory.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Buffer {
    /// Its address on the device, which pointers refer to.
    pub start: u64,
    /// What the program asked for, in bytes; the driver may have reserved more.
    pub bytes: u64,
    /// The file with its contents.
    pub file: String,
}

/// A pointer in the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Pointer {
    /// Byte offset in the parameter space.
    pub offset: u64,
    /// Start address of the allocation that it points into.
    pub start: u64,
    /// Byte offset in that allocation.
    pub at: u64,
}

/// Launch counts of a kernel in a process so far.
#[derive(Deserialize)]
struct Count {
    process: String,
    image: String,
    kernel: String,
    launches: u64,
    threads: u64,
}

/// A kernel that was launched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launched {
    /// The image file of its module.
    pub image: String,
    /// Its mangled name, as the PTX of its module has it.
    pub name: String,
    /// How often it was launched, recorded or not.
    pub launches: u64,
    /// Threads of all its launches together.
    pub threads: u64,
    /// The recorded launch, if any.
    pub launch: Option<Launch>,
}

/// The contents of all lines.
pub struct RecordedLines {
    /// Launched kernels, sorted by image and name.
    pub kernels: Vec<Launched>,
    /// The smallest compute capability among the devices.
    pub compute: Option<u32>,
}

/// Saturating sum.
pub fn sum(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, u64::saturating_add)
}

impl RecordedLines {
    /// Parses lines. Malformed ones are skipped: a process may be killed while it writes.
    pub fn of(text: &str) -> Self {
        let mut counts: BTreeMap<(String, String), BTreeMap<String, (u64, u64)>> = BTreeMap::new();
        let mut launches: BTreeMap<(String, String), Launch> = BTreeMap::new();
        for line in text.lines() {
            match serde_json::from_str(line) {
                Ok(Line::Count(count)) => {
                    let of_kernel = counts.entry((count.image, count.kernel)).or_default();
                    let known = of_kernel.entry(count.process).or_default();
                    *known = (*known).max((count.launches, count.threads));
                }
                Ok(Line::Launch(launch)) => {
                    let key = (launch.image.clone(), launch.kernel.clone());
                    let known = launches.entry(key).or_insert_with(|| launch.clone());
                    if known.missing.is_some() && launch.missing.is_none() {
                        *known = launch;
                    }
                }
                Err(_) => {}
            }
        }
        let compute = launches.values().filter_map(|launch| launch.compute).min();
        let kernels = counts.into_iter().map(|((image, name), processes)| {
            let launch = launches.remove(&(image.clone(), name.clone()));
            Launched {
                launch,
                launches: sum(processes.values().map(|count| count.0)),
                threads: sum(processes.values().map(|count| count.1)),
                image,
                name,
            }
        });
        RecordedLines {
            kernels: kernels.collect(),
            compute,
        }
    }
}
