//! Modules that are run on a GPU: how they are compiled, what their kernels need.

use super::device::Description;
use super::driver::{Context, Function, FunctionAttribute, Image, Module};
use super::error::GpuError;
use ptxasw_base::named::named;
use ptxasw_executor::launch::LaunchSpec;
use ptxasw_machine::toolchain::{Arch, Assembler};
use ptxasw_ptx::decode::form;
use serde::Serialize;
use std::fs;

/// A module to run.
#[derive(Debug)]
pub struct Program {
    /// For messages and tables.
    pub label: String,
    /// The PTX.
    pub text: Vec<u8>,
    /// The decoded PTX.
    pub module: form::Module,
    /// Its results should be those of the original: not so for the measuring variants, which are wrong on purpose.
    pub compared: bool,
}

/// Who makes machine code of the PTX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compiler {
    /// The driver, and `ptxas` where the driver is older than the PTX.
    #[default]
    Auto,
    /// The compiler in the driver.
    Driver,
    /// `ptxas -O3`, for the architecture of the device.
    Ptxas,
}

named!(Compiler {
    "auto" = Compiler::Auto, "The driver, and ptxas where the driver is older than the PTX";
    "driver" = Compiler::Driver, "The compiler in the driver";
    "ptxas" = Compiler::Ptxas, "ptxas -O3 for the GPU's architecture";
});

/// Who made the machine code of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CompiledBy {
    /// The driver.
    Driver,
    /// `ptxas`.
    Ptxas,
}

/// What a kernel needs, and how much of it a multiprocessor holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Resources {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of local memory of a thread: the stack and what was spilled.
    pub local: u32,
    /// Bytes of static shared memory of a block.
    pub shared: u32,
    /// Blocks of the launch that a multiprocessor holds at a time.
    pub blocks: u32,
    /// Their threads, as a part of what a multiprocessor can hold.
    pub occupancy: f64,
}

impl Program {
    /// Loads the module into a context.
    ///
    /// # Errors
    /// The driver or `ptxas` refuses it.
    pub(super) fn load<'c>(
        &self,
        context: &'c Context<'c>,
        device: &Description,
        compiler: Compiler,
    ) -> Result<(Module<'c>, CompiledBy), GpuError> {
        if compiler != Compiler::Ptxas {
            match context.load(&Image::ptx(&self.text)) {
                Err(GpuError::Load { error, log })
                    if error.ptx_too_new() && compiler == Compiler::Auto =>
                {
                    let refused = GpuError::Load { error, log };
                    let image = self.assemble(device).map_err(|other| {
                        GpuError::Assemble(format!("{refused}; `ptxas` instead: {other}"))
                    })?;
                    return Ok((context.load(&image)?, CompiledBy::Ptxas));
                }
                result => return Ok((result?, CompiledBy::Driver)),
            }
        }
        let module = context.load(&self.assemble(device)?)?;
        Ok((module, CompiledBy::Ptxas))
    }

    /// Machine code by `ptxas`.
    fn assemble(&self, device: &Description) -> Result<Image, GpuError> {
        let wrong = |error: &dyn std::fmt::Display| GpuError::Assemble(error.to_string());
        let text = String::from_utf8_lossy(&self.text);
        // Code for `sm_90a` runs on no other device, and cannot be assembled for `sm_90`.
        let arch = Arch::of_module(&text)
            .filter(|arch| arch.suffix.is_some())
            .unwrap_or(Arch::new(device.architecture()));
        let assembler = Assembler::find(arch).map_err(|error| wrong(&error))?;
        let assembled = assembler
            .assemble(&self.text, arch)
            .map_err(|error| wrong(&error))?;
        let code = fs::read(assembled.cubin.path()).map_err(|error| wrong(&error))?;
        Ok(Image::Cubin(code))
    }
}

/// What the kernel needs for a launch.
///
/// # Errors
/// The launch does not fit the kernel or the device: the message shows what is too much.
pub(super) fn resources(
    function: Function,
    device: &Description,
    spec: &LaunchSpec,
) -> Result<Resources, GpuError> {
    let threads = spec
        .block
        .iter()
        .fold(1u64, |all, &n| all.saturating_mul(n.into()));
    let registers = function.attribute(FunctionAttribute::Registers)?;
    let most = function.attribute(FunctionAttribute::ThreadsPerBlock)?;
    if threads == 0 || threads > u64::from(most) {
        return Err(GpuError::Launch(format!(
            "a block of {threads} threads does not fit: the kernel, with {registers} registers per thread, \
             allows 1 to {most}"
        )));
    }
    let shared = function.attribute(FunctionAttribute::StaticShared)?;
    let all = u64::from(shared) + u64::from(spec.dynamic_shared);
    if all > u64::from(device.shared_per_block) {
        return Err(GpuError::Launch(format!(
            "a block does not fit: it needs {all} bytes of shared memory, and the device has {}",
            device.shared_per_block
        )));
    }
    function.allow_dynamic_shared(spec.dynamic_shared)?;
    let threads = threads as u32;
    let blocks = function.blocks_per_multiprocessor(threads, spec.dynamic_shared)?;
    let held = f64::from(blocks) * f64::from(threads);
    Ok(Resources {
        registers,
        local: function.attribute(FunctionAttribute::Local)?,
        shared,
        blocks,
        occupancy: held / f64::from(device.threads_per_multiprocessor.max(1)),
    })
}
