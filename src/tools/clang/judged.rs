//! What the machine code of a device step says of what was rewritten in it.

use super::device::{Device, Reversions, handed_over, number};
use super::replay::Call;
use super::steps::CompilerCommand;
use super::words;
use ptxasw_base::process;
use ptxasw_driver::guard::arithmetic::losing;
use ptxasw_driver::guard::launch::Blocks;
use ptxasw_driver::guard::registers::{self, Independent, Judged, Original};
use ptxasw_driver::guard::worth::{Codes, judge};
use ptxasw_machine::toolchain::cubin;
use std::fs;
use std::io;
use std::path::Path;

impl Device {
    /// Functions whose machine code does not gain by what was done to their arithmetic. What they are without it is assembled for
    /// that.
    pub(super) fn plain_arithmetic(
        &self,
        step: &CompilerCommand,
        call: &Call,
        back: &Reversions,
    ) -> Vec<String> {
        let changed = self.done.iter().flat_map(|done| done.arithmetic.clone());
        let changed: Vec<(String, bool)> = changed.collect();
        if changed.is_empty() || call.settings.no_register_check {
            return Vec::new();
        }
        let codes = || {
            let with = fs::read(words::value(&step.words, "--output-file")?).ok()?;
            self.stage(call, back, &["--trial", "--no-arithmetic"])
                .ok()?;
            let bitcode = call.folder.join("arithmetic.bc");
            let is_changed = !handed_over(call, &bitcode).ok()?.text.is_empty();
            let bitcode = if is_changed { &bitcode } else { &self.plain };
            let without = self.assembled_bitcode(bitcode, "arithmetic", step, call);
            Some((without.ok()??.1, with))
        };
        // Where there is no machine code nothing is known, and nothing goes back.
        let losing = codes().map(|(without, with)| losing(&changed, &without, &with));
        let losing = losing.unwrap_or_default().into_iter();
        losing.map(|(function, _)| function).collect()
    }

    /// Kernels that no longer fit as well as they did, and how. The original is assembled for that, once and only if it
    /// matters.
    pub(super) fn judged(
        &self,
        step: &CompilerCommand,
        call: &Call,
        back: &Reversions,
        original: &mut Option<Original>,
    ) -> io::Result<Judged> {
        let target = words::value(&step.words, "--gpu-name");
        let target = target.and_then(|name| number(&name.to_string_lossy()));
        let output = words::value(&step.words, "--output-file");
        let (Some(target), Some(output), false) = (target, output, call.settings.no_register_check)
        else {
            return Ok(Judged::default());
        };
        let Ok(rewritten) = fs::read(output) else {
            return Ok(Judged::default());
        };
        let mut failed = None;
        let before = || {
            if original.is_none() {
                match self.assembled_original(step, call) {
                    Ok(found) => *original = found,
                    Err(error) => failed = Some(error),
                }
            }
            let independent = self.done.iter().flat_map(|done| &done.independent);
            let original = original.clone();
            original.map(|original| Original {
                independent: independent.cloned().collect(),
                ..original
            })
        };
        let codes = || {
            Some(Codes {
                original: fs::read(call.folder.join("original.o")).ok()?,
                fast: self.without_fallbacks(step, call, back)?,
            })
        };
        let judged = registers::judged(target, &rewritten, before, judge(codes));
        failed.map_or(Ok(judged), Err)
    }

    /// What the assembler makes of the kernels as they came.
    fn assembled_original(
        &self,
        step: &CompilerCommand,
        call: &Call,
    ) -> io::Result<Option<Original>> {
        let Some((text, cubin)) = self.assembled_bitcode(&self.plain, "original", step, call)?
        else {
            return Ok(None);
        };
        let resources = cubin::resources(&cubin);
        Ok(resources.map(|resources| Original {
            resources,
            blocks: Blocks::of(&text),
            independent: Independent::default(),
        }))
    }

    /// What it makes of bitcode in which tests at run time are taken to hold.
    fn without_fallbacks(
        &self,
        step: &CompilerCommand,
        call: &Call,
        back: &Reversions,
    ) -> Option<Vec<u8>> {
        self.stage(call, back, &["--trial", "--tests-hold"]).ok()?;
        let bitcode = call.folder.join("fast.bc");
        handed_over(call, &bitcode).ok()?;
        let made = self.assembled_bitcode(&bitcode, "fast", step, call);
        Some(made.ok()??.1)
    }

    /// The PTX and the machine code of bitcode, in files of this name.
    fn assembled_bitcode(
        &self,
        bitcode: &Path,
        name: &str,
        step: &CompilerCommand,
        call: &Call,
    ) -> io::Result<Option<(Vec<u8>, Vec<u8>)>> {
        let text = call.folder.join(format!("{name}.s"));
        let cubin = call.folder.join(format!("{name}.o"));
        let mut generator = self.generator(bitcode, text.as_os_str())?;
        if !process::captured(&mut generator)?.status.success() {
            return Ok(None);
        }
        let mut step = step.clone();
        words::set_value(&mut step.words, "--output-file", cubin.as_os_str());
        for word in &mut step.words {
            if *word == self.output {
                *word = text.clone().into_os_string();
            }
        }
        step.assembled()?;
        let Ok(cubin) = fs::read(&cubin) else {
            return Ok(None);
        };
        Ok(Some((fs::read(&text)?, cubin)))
    }
}
