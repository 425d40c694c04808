//! The device that is used, and what is known of it.

use super::driver::{DeviceAttribute, Driver};
use super::error::GpuError;
use serde::Serialize;
use std::fmt;

/// A driver and one of its devices.
pub struct Gpu {
    pub(super) driver: Driver,
    pub(super) device: super::driver::Device,
    description: Description,
}

/// What is known of a device and its driver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Description {
    /// Number of the device.
    pub ordinal: u32,
    /// What the driver calls it: `NVIDIA H200`.
    pub name: String,
    /// Compute capability, major and minor.
    pub compute: (u32, u32),
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Threads that a multiprocessor holds.
    pub threads_per_multiprocessor: u32,
    /// Most dynamic and static shared memory of a block, in bytes.
    pub shared_per_block: u32,
    /// Bytes of device memory.
    pub memory: u64,
    /// Bytes of the L2 cache.
    pub l2: u32,
    /// Most MHz of the multiprocessors; 0 where the driver does not report it.
    pub clock_mhz: u32,
    /// Most MHz of the memory; 0 where the driver does not report it.
    pub memory_clock_mhz: u32,
    /// Bits of the memory's bus.
    pub memory_bus: u32,
    /// The CUDA version that the driver supports.
    pub cuda: (u32, u32),
    /// The driver's own version, where the system reports it.
    pub driver: Option<String>,
}

impl Gpu {
    /// Loads the driver and looks a device up by its number.
    ///
    /// # Errors
    /// [`GpuError::NoGpu`] where there is no driver, no device, or none of this number.
    pub fn open(ordinal: u32) -> Result<Gpu, GpuError> {
        let driver = Driver::load()?;
        let count = driver.devices()?;
        if count == 0 {
            return Err(GpuError::no_gpu("the driver finds no device".to_owned()));
        }
        if ordinal >= count {
            let what = format!("there is no device {ordinal}, only {count}, counted from 0");
            return Err(GpuError::no_gpu(what));
        }
        let device = driver.device(ordinal)?;
        let number = |attribute| driver.attribute(device, attribute);
        // What a driver does not know is not worth an error.
        let clock = |attribute| number(attribute).map_or(0, |khz| khz / 1000);
        let description = Description {
            ordinal,
            name: driver.name(device)?,
            compute: (
                number(DeviceAttribute::ComputeMajor)?,
                number(DeviceAttribute::ComputeMinor)?,
            ),
            multiprocessors: number(DeviceAttribute::Multiprocessors)?,
            threads_per_multiprocessor: number(DeviceAttribute::ThreadsPerMultiprocessor)?,
            shared_per_block: number(DeviceAttribute::SharedMemoryPerBlock)?,
            memory: driver.total_memory(device)?,
            l2: number(DeviceAttribute::L2Cache).unwrap_or(0),
            clock_mhz: clock(DeviceAttribute::ClockRate),
            memory_clock_mhz: clock(DeviceAttribute::MemoryClockRate),
            memory_bus: number(DeviceAttribute::MemoryBusWidth).unwrap_or(0),
            cuda: driver.version(),
            driver: kernel_driver(),
        };
        Ok(Gpu {
            driver,
            device,
            description,
        })
    }

    /// What is known of the device.
    pub fn description(&self) -> &Description {
        &self.description
    }
}

impl Description {
    /// The number of the architecture: 90 for `sm_90`.
    pub fn architecture(&self) -> u16 {
        let (major, minor) = self.compute;
        u16::try_from(major * 10 + minor).unwrap_or(u16::MAX)
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "GPU {}: {} (sm_{}, {} multiprocessors, {}, L2 {}",
            self.ordinal,
            self.name,
            self.architecture(),
            self.multiprocessors,
            size(self.memory),
            size(u64::from(self.l2)),
        )?;
        if self.clock_mhz > 0 {
            write!(f, ", at most {} MHz", self.clock_mhz)?;
        }
        if self.memory_clock_mhz > 0 {
            let (mhz, bits) = (self.memory_clock_mhz, self.memory_bus);
            write!(f, ", memory {mhz} MHz x {bits} bits")?;
        }
        let (major, minor) = self.cuda;
        match &self.driver {
            Some(version) => write!(f, "), driver {version} for CUDA {major}.{minor}"),
            None => write!(f, "), driver for CUDA {major}.{minor}"),
        }
    }
}

/// A number of bytes for people.
pub fn size(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    match unit == 0 || value.fract() == 0.0 {
        true => format!("{value} {}", units[unit]),
        false => format!("{value:.1} {}", units[unit]),
    }
}

/// The version of the kernel's part of the driver: on Linux a file names it.
fn kernel_driver() -> Option<String> {
    let text = std::fs::read_to_string("/proc/driver/nvidia/version").ok()?;
    version_word(&text).map(str::to_owned)
}

/// The first word that looks like `580.126.09`.
fn version_word(text: &str) -> Option<&str> {
    text.split_whitespace().find(|word| {
        let mut parts = 0;
        let numbers = word.split('.').all(|part| {
            parts += 1;
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
        });
        numbers && parts > 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size(12), "12 bytes");
        assert_eq!(size(4 << 30), "4 GiB");
        assert_eq!(size(3 << 19), "1.5 MiB");
        assert_eq!(size(u64::MAX), "17179869184 GiB");
    }

    #[test]
    fn driver_versions() {
        let text = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.126.09  Wed\nGCC 12\n";
        assert_eq!(version_word(text), Some("580.126.09"));
        assert_eq!(version_word("no such word. 12 .5"), None);
    }
}
