//! A module whose kernels are to be predicted, with its machine code for a target.

use super::arch::Gpu;
use super::estimate::{self, Executed, Kernel};
use super::sass::{self, KernelCode};
use super::trace::Work;
use crate::toolchain::{Arch, Assembled, Assembler, ToolchainError};
use ptxasw_base::lines::LineIndex;
use ptxasw_ptx::decode::form;

/// A module that can be executed.
pub struct PredictedModule<'a> {
    /// The PTX text.
    pub text: &'a [u8],
    /// The decoded text.
    pub form: form::Module,
    /// Maps byte offsets of the text to lines.
    pub lines: LineIndex<'a>,
}

impl<'a> PredictedModule<'a> {
    /// A text with what was decoded from it.
    pub fn new(text: &'a [u8], form: form::Module) -> Self {
        PredictedModule {
            text,
            form,
            lines: LineIndex::new(text),
        }
    }

    /// The kernels that have a body.
    pub fn kernels(&self) -> impl Iterator<Item = &form::Function> {
        let functions = self.form.functions.iter();
        functions.filter(|one| one.entry && one.defined)
    }

    /// The kernel of a name.
    pub fn kernel(&self, name: &str) -> Option<&form::Function> {
        self.kernels().find(|one| *one.name == *name)
    }

    /// The machine code for a target, each instruction with its line; why there is none.
    ///
    /// # Errors
    /// In words.
    pub fn assembled(&self, arch: Arch) -> Result<(Assembler, Assembled), String> {
        assembled(self.text, arch)
    }

    /// The kernels' machine code for a target of which cycles can be predicted; why there is none.
    ///
    /// # Errors
    /// In words.
    pub fn codes(&self, arch: Arch) -> Result<Vec<KernelCode>, String> {
        if Gpu::of(u32::from(arch.number)).is_none() {
            let known: Vec<String> = Gpu::targets()
                .map(|target| format!("sm_{target}"))
                .collect();
            return Err(format!(
                "no figures of a GPU of {arch} (known: {})",
                known.join(", ")
            ));
        }
        let (_, mut assembled) = self.assembled(arch)?;
        let code = assembled.cubin.bytes().map_err(|error| error.to_string())?;
        sass::kernels(&code).map_err(|error| error.to_string())
    }

    /// What a kernel does in a launch, by its machine code; `steps` bounds the run.
    ///
    /// # Errors
    /// In words.
    pub fn prediction(&self, code: &KernelCode, work: &Work, steps: u64) -> Result<Kernel, String> {
        let function = self.kernel(&code.name);
        let function = function.ok_or("the module has no such kernel")?;
        let line = |at| self.lines.line(at);
        Kernel::new(code, &self.form, function, work, line, steps)
            .map_err(|error| error.to_string())
    }

    /// The machine instructions that a launch executes.
    pub fn executed(&self, code: &KernelCode, work: &Work, steps: u64) -> Option<Executed> {
        let function = self.kernel(&code.name)?;
        let line = |at| self.lines.line(at);
        estimate::executed(code, &self.form, function, work, line, steps).ok()?
    }
}

/// The machine code of a text for a target, each instruction with its line; why there is none.
///
/// # Errors
/// In words.
pub fn assembled(text: &[u8], arch: Arch) -> Result<(Assembler, Assembled), String> {
    let target = Arch::of_module(&String::from_utf8_lossy(text));
    if let Some(target) = target
        && !target.runs_on(arch)
    {
        return Err(format!("the module is for {target}, not for {arch}"));
    }
    let words = |error: ToolchainError| error.in_one_line();
    let assembler = Assembler::find(arch).map_err(words)?;
    let assembled = assembler.assemble_with_lines(text, arch);
    let assembled = assembled.map_err(words)?;
    Ok((assembler, assembled))
}
