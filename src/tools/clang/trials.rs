//! What the machine code of a device step says of what was rewritten in it.

use super::device::{Device, first_error, handed_over, number};
use super::replay::Call;
use super::steps::CompilerCommand;
use super::words;
use crate::dropin::arguments::names_entries;
use crate::dropin::call;
use crate::dropin::rewrite::Done;
use ptxasw_base::process::{self, Ran};
use ptxasw_driver::guard::{Code, Door, Purpose, Rewritten};
use ptxasw_driver::pipeline::ssa::Reversions;
use ptxasw_machine::toolchain::cubin;
use ptxasw_passes::memory::Loads;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A device step whose kernels are tried out.
pub struct Trials<'d> {
    device: &'d Device,
    /// Its assembler.
    step: &'d CompilerCommand,
    call: &'d Call<'d>,
    target: u32,
    output: PathBuf,
    /// The last rewriting that may be the output, and what was taken back for it.
    pub last: Option<(Reversions, Done)>,
}

/// What the assembler made.
pub struct Made {
    /// How it ended and what it printed.
    pub ran: Ran,
    /// Of this text.
    pub text: Vec<u8>,
    /// The machine code.
    pub cubin: Vec<u8>,
    /// Where that goes.
    pub output: PathBuf,
}

impl<'d> Trials<'d> {
    /// None where registers are not looked at.
    pub fn of(device: &'d Device, step: &'d CompilerCommand, call: &'d Call) -> Option<Self> {
        let target = words::value(&step.words, "--gpu-name")?;
        let output = words::value(&step.words, "--output-file")?;
        let is_wanted = !call.settings.no_register_check;
        Some(Trials {
            device,
            step,
            call,
            target: number(&target.to_string_lossy()).filter(|_| is_wanted)?,
            output: PathBuf::from(output),
            last: None,
        })
    }

    /// What the stage did.
    pub fn first(&self) -> io::Result<Rewritten> {
        let text = fs::read(&self.device.made)?;
        let done = self.device.done.iter();
        Ok(done.fold(Rewritten::default(), |_, done| {
            rewritten(done, text.clone())
        }))
    }

    fn file(&self, extension: &str) -> PathBuf {
        self.call.folder.join(format!("trial.{extension}"))
    }
}

fn rewritten(done: &Done, text: Vec<u8>) -> Rewritten {
    Rewritten {
        texts: vec![text],
        changed: done.changed.clone(),
        arithmetic: done.arithmetic.clone(),
        independent: done.independent.iter().cloned().collect(),
        least: done.least.iter().cloned().collect(),
    }
}

impl Trials<'_> {
    /// The PTX that the code generator makes of bitcode.
    fn generated(&self, bitcode: &Path) -> Result<Vec<u8>, String> {
        let text = self.file("s");
        let words = |error: io::Error| error.to_string();
        let mut generator = self
            .device
            .generator(bitcode, text.as_os_str())
            .map_err(words)?;
        let ran = process::captured(&mut generator).map_err(words)?;
        match ran.status.success() {
            true => fs::read(text).map_err(words),
            false => Err(first_error(
                "the compiler does not take the rewritten bitcode",
                &ran,
            )),
        }
    }
}

impl Door for Trials<'_> {
    type Made = Made;

    fn target(&self) -> u32 {
        self.target
    }

    fn loads(&self, function: &str) -> Loads {
        self.call
            .settings
            .loads(function, target(&self.device.step))
    }

    fn original(&self) -> Result<Vec<Vec<u8>>, String> {
        Ok(vec![self.generated(&self.device.plain)?])
    }

    fn rewritten(&mut self, back: &Reversions, purpose: Purpose) -> Result<Rewritten, String> {
        let words: &[&str] = match purpose {
            Purpose::Output => &[],
            Purpose::Compared => &["--trial"],
            Purpose::TestsHold => &["--trial", "--tests-hold"],
        };
        let ran = self.device.stage(self.call, back, words)?;
        if purpose == Purpose::Output {
            let _ = call::replay(&ran);
        }
        let bitcode = self.file("bc");
        let done = handed_over(self.call, &bitcode)?;
        let text = match done.text.is_empty() {
            true => Vec::new(),
            false => self.generated(&bitcode)?,
        };
        let made = rewritten(&done, text);
        if purpose == Purpose::Output {
            self.last = Some((back.clone(), done));
        }
        Ok(made)
    }

    /// The step itself where it may be the output: its messages are those that the user would see. Else with files of its own.
    fn assembled(&self, texts: &[Vec<u8>], purpose: Purpose) -> Result<(Made, Code), String> {
        let words = |error: io::Error| error.to_string();
        let text = match texts {
            [text] if text.is_empty() => self.original()?.remove(0),
            [text] => text.clone(),
            _ => return Err("it is no single text".to_owned()),
        };
        let mut step = self.step.clone();
        let (input, output) = match purpose {
            Purpose::Output => (PathBuf::from(&self.device.made), self.output.clone()),
            Purpose::Compared | Purpose::TestsHold => (self.file("s"), self.file("o")),
        };
        words::set_value(&mut step.words, "--output-file", output.as_os_str());
        for word in &mut step.words {
            if *word == self.device.output {
                *word = input.clone().into_os_string();
            }
        }
        fs::write(&input, &text).map_err(words)?;
        let ran = step.assembled().map_err(words)?;
        if !ran.status.success() {
            let what = "ptxas does not take the rewritten text";
            return Err(first_error(what, &ran));
        }
        let cubin = fs::read(&output).map_err(words)?;
        let resources = cubin::resources(&cubin).unwrap_or_default();
        let code = Code::of(cubin.clone(), resources);
        let output = self.output.clone();
        Ok((
            Made {
                ran,
                text,
                cubin,
                output,
            },
            code,
        ))
    }

    fn takes_other_entries(&self) -> bool {
        !names_entries(&self.step.words)
    }
}

/// The number of the target that a step compiles for.
pub fn target(step: &CompilerCommand) -> Option<u32> {
    let target = words::value(&step.words, "-target-cpu");
    target.and_then(|name| number(&name.to_string_lossy()))
}
