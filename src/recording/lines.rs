//! The lines that the library in a program writes.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A line.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Launch(Launch),
    Count(Count),
}

/// A launch with its memory.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Launch {
    image: String,
    kernel: String,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// The architecture of the device: 90.
    compute: Option<u32>,
    /// The block of parameters as hexadecimal digits.
    #[serde(default)]
    pub parameters: String,
    /// Allocations that parameters point into.
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    /// Words of the parameters that are addresses.
    #[serde(default)]
    pub pointers: Vec<Pointer>,
    /// Why parameters and buffers are not there.
    pub missing: Option<String>,
}

/// An allocation.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Buffer {
    /// Its address.
    pub start: u64,
    /// Its size.
    pub bytes: u64,
    /// The file with its contents.
    pub file: String,
}

/// An address among the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Pointer {
    /// Where it is, in bytes.
    pub offset: u64,
    /// The address of the allocation.
    pub start: u64,
    /// Where it points to in that, in bytes.
    pub at: u64,
}

/// How often a process has launched a kernel so far.
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
    /// The file of its module.
    pub image: String,
    /// Its name.
    pub name: String,
    /// How often.
    pub launches: u64,
    /// In all launches.
    pub threads: u64,
    /// The one that was written down, if any was.
    pub launch: Option<Launch>,
}

/// All that lines say.
pub struct Found {
    /// By image and name.
    pub kernels: Vec<Launched>,
    /// The architecture of the device: 90. The least one, of several.
    pub compute: Option<u32>,
}

/// What is too large is as large as can be.
pub fn sum(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, u64::saturating_add)
}

impl Found {
    /// Reads lines. One that cannot be read is that of a process that ended while it wrote.
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
        Found {
            kernels: kernels.collect(),
            compute,
        }
    }
}
