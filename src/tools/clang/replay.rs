//! All steps of a call, one after the other, as the driver would run them.

use super::device::Device;
use super::fatbinary;
use super::steps::{Asked, CompilerCommand};
use super::words;
use ptxasw_base::process;
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::report::files;
use ptxasw_driver::report::stats::Figures;
use ptxasw_machine::cache;
use std::ffi::OsString;
use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};

/// Why nothing was started.
#[derive(Debug, thiserror::Error)]
pub enum NotRun {
    /// The program that reads LLVM IR is not installed.
    #[error(
        "no `{}` beside this program or on PATH, which reads LLVM IR",
        super::device::STAGE
    )]
    NoStage,
    /// There is no code generator of the compiler's version.
    #[error("no `llc` beside clang, which makes PTX of LLVM IR")]
    NoGenerator,
    /// No thread, no process.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// What the steps of a call share.
pub struct Call<'a> {
    /// The user's choices.
    pub settings: &'a Settings,
    /// Those of them that are arguments.
    pub own: &'a [OsString],
    /// The program that rewrites bitcode.
    pub stage: PathBuf,
    /// Where temporary files lie.
    pub folder: PathBuf,
}

/// Runs the steps up to the first that fails. The result is the driver's exit code.
///
/// # Errors
/// If nothing was started: then the driver itself may still do all.
pub fn run(asked: &Asked, settings: &Settings, own: &[OsString]) -> Result<ExitCode, NotRun> {
    let folder = asked.folder.path().to_path_buf();
    let devices = asked.steps.iter().filter(|step| words::is_device(step));
    let mut compilers = devices.clone().filter_map(|step| step.words.first());
    let call = Call {
        settings,
        own,
        stage: super::device::stage(compilers.next().map(Path::new)).ok_or(NotRun::NoStage)?,
        folder: folder.clone(),
    };
    if !devices
        .clone()
        .all(|step| super::device::llc(step).is_some())
    {
        return Err(NotRun::NoGenerator);
    }
    process::before_the_end(move || {
        let _ = std::fs::remove_dir_all(folder);
    })?;
    // Whether or not anybody listens.
    let _ = std::io::stderr().write_all(asked.diagnostics.as_bytes());
    let mut devices: Vec<Device> = Vec::new();
    let code = all(asked, &call, &mut devices);
    if call.settings.verbose {
        devices.iter().for_each(Device::say);
    }
    if files::is_wanted(settings) && !devices.is_empty() {
        let mut sum = Figures::default();
        for device in &devices {
            device.record(&call, &mut sum);
        }
        (sum.cached, sum.assembled) = cache::counts();
        files::table(settings, &sum);
    }
    Ok(code)
}

fn all(asked: &Asked, call: &Call, devices: &mut Vec<Device>) -> ExitCode {
    for step in &asked.steps {
        match one(step, &asked.steps, call, devices) {
            Ok(status) if status.success() => {}
            // A compiler that dies is a failure of the driver's, which does not die with it.
            Ok(status) => return ExitCode::from(status.code().map_or(1, |code| code as u8)),
            Err(error) => {
                let program = step.program().to_string_lossy();
                ptxasw_base::say!("ptxasw: error: cannot run {program}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn one(
    step: &CompilerCommand,
    all: &[CompilerCommand],
    call: &Call,
    devices: &mut Vec<Device>,
) -> io::Result<ExitStatus> {
    if words::is_device(step) && !is_debugged(step, all) {
        let assembled = assemblers_of(step, all).next().is_some();
        let mut device = Device::new(step, devices.len(), assembled, call)?;
        let status = device.compile(call)?;
        if status.success() {
            devices.push(device);
        }
        return Ok(status);
    }
    if step.program() == "fatbinary" {
        return process::attached(&mut fatbinary::translated(step.clone()).command());
    }
    let reads = |device: &&mut Device| step.words.iter().any(|word| word == device.output());
    match devices.iter_mut().find(reads) {
        Some(device) if is_assembler(step) => device.assemble(step, call),
        _ => process::attached(&mut step.command()),
    }
}

/// Whether a step assembles PTX.
fn is_assembler(step: &CompilerCommand) -> bool {
    words::value(&step.words, "--gpu-name").is_some()
}

/// Whether a device step's output is assembled without optimisation.
fn is_debugged(step: &CompilerCommand, all: &[CompilerCommand]) -> bool {
    let plain = |word: &OsString| word == "-g" || word == "-O0" || word == "--device-debug";
    assemblers_of(step, all).any(|other| other.words.iter().any(plain))
}

/// The steps that assemble a device step's output.
fn assemblers_of<'a>(
    step: &'a CompilerCommand,
    all: &'a [CompilerCommand],
) -> impl Iterator<Item = &'a CompilerCommand> {
    let output = words::value(&step.words, "-o");
    let assemblers = all.iter().filter(|other| is_assembler(other));
    assemblers.filter(move |other| {
        let mut words = other.words.iter();
        words.any(|word| Some(word.as_os_str()) == output)
    })
}
