//! A device step: the compiler as far as bitcode, our stage, the same compiler from there on; and its assembler, which has
//! the last word on whether a rewritten kernel stays.

use super::replay::Call;
use super::steps::CompilerCommand;
use super::trials::{Trials, target};
use super::words;
use crate::dropin::call;
use crate::dropin::rewrite::{self, Done};
use ptxasw_base::process::{self, Ran};
use ptxasw_driver::guard::{self, SentBack};
use ptxasw_driver::pipeline::ssa::Reversions;
use ptxasw_driver::report::files;
use ptxasw_driver::report::remarks::{self, Format};
use ptxasw_driver::report::stats::Figures;
use ptxasw_driver::report::verdict;
use ptxasw_machine::toolchain::cuda;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// The program that rewrites bitcode.
pub const STAGE: &str = "ptxasw-llvm";

/// That program for the LLVM of a compiler: `ptxasw-llvm-16` for one that is installed in `/usr/lib/llvm-16`, if there is one,
/// else `ptxasw-llvm`. Beside this program, else on `PATH`.
pub fn stage(compiler: Option<&Path>) -> Option<PathBuf> {
    let beside = env::current_exe().ok();
    let beside = beside.and_then(|file| Some(file.parent()?.to_path_buf()));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = beside.into_iter().chain(env::split_paths(&path)).collect();
    let version = compiler.and_then(version);
    let names = version.map(|version| format!("{STAGE}-{version}"));
    names
        .into_iter()
        .chain([STAGE.to_owned()])
        .find_map(|name| {
            let mut files = folders.iter().map(|folder| folder.join(&name));
            files.find(|file| file.is_file())
        })
}

/// The version of LLVM that a compiler belongs to, by the folder that packages have it in.
fn version(compiler: &Path) -> Option<u32> {
    let compiler = fs::canonicalize(compiler).ok()?;
    let mut folders = compiler.iter().rev();
    folders.find_map(|folder| {
        let version = folder.to_str()?.strip_prefix("llvm-")?;
        version.split('.').next()?.parse().ok()
    })
}

/// The code generator beside a step's compiler.
pub fn llc(step: &CompilerCommand) -> Option<PathBuf> {
    let compiler = fs::canonicalize(step.words.first()?).ok()?;
    let file = compiler.parent()?.join("llc");
    file.is_file().then_some(file)
}

/// A note where a compiler fails and the headers are newer than it takes: its own messages name neither.
fn too_new(step: &CompilerCommand) {
    let includes = words::values(&step.words, "-internal-isystem");
    for include in includes.map(Path::new) {
        if let Some((major, minor)) = cuda::header_version(include)
            && major > cuda::NEWEST_FOR_CLANG
        {
            ptxasw_base::say!(
                "ptxasw: note: the headers in `{}` are those of CUDA {major}.{minor}: clang 19 needs CUDA {} (`--cuda-path=HOME`)",
                include.display(),
                cuda::NEWEST_FOR_CLANG
            );
            return;
        }
    }
}

/// One device step.
pub struct Device {
    pub(super) step: CompilerCommand,
    /// LLVM's code generator, of the compiler's own version.
    llc: PathBuf,
    /// Where the driver wants the PTX.
    pub(super) output: OsString,
    /// Where it is made: a file even if the driver wants it on standard output.
    pub(super) made: OsString,
    /// An assembler of the call reads it: what that makes shows the registers.
    assembled: bool,
    /// The compiler's bitcode, and what our stage makes of it.
    pub(super) plain: PathBuf,
    rewritten: PathBuf,
    /// What our stage did in the end, if it did not fail.
    pub(super) done: Option<Done>,
    /// Figures of all kernels, before any went back.
    kernels: Vec<(String, Figures)>,
    /// Kernels that lost, and how.
    sent_back: Vec<SentBack>,
    /// Kernels that stay with fewer warps, and why.
    accepted: Vec<(String, String)>,
}

impl Device {
    /// Of the `number`th device step of a call; whether a later step assembles its output.
    pub fn new(
        step: &CompilerCommand,
        number: usize,
        assembled: bool,
        call: &Call,
    ) -> io::Result<Self> {
        let file = |name: &str| call.folder.join(format!("device{number}.{name}"));
        let output = words::value(&step.words, "-o").ok_or(io::ErrorKind::InvalidInput)?;
        let made = match output == "-" {
            true => file("s").into_os_string(),
            false => output.to_os_string(),
        };
        Ok(Device {
            step: step.clone(),
            llc: llc(step).ok_or(io::ErrorKind::NotFound)?,
            output: output.to_os_string(),
            made,
            assembled,
            plain: file("bc"),
            rewritten: file("shuffled.bc"),
            done: None,
            kernels: Vec::new(),
            sent_back: Vec::new(),
            accepted: Vec::new(),
        })
    }

    /// Whether the PTX is that of the rewritten bitcode.
    fn is_changed(&self) -> bool {
        self.done.as_ref().is_some_and(|done| !done.text.is_empty())
    }

    /// How messages name it.
    fn name(&self) -> String {
        let name = self.step.words.last().unwrap_or(&self.output);
        name.to_string_lossy().into_owned()
    }

    /// Where its PTX goes.
    pub fn output(&self) -> &OsStr {
        &self.output
    }

    /// From source to PTX. An exit status that is no success is the compiler's own.
    pub fn compile(&mut self, call: &Call) -> io::Result<ExitStatus> {
        let step = words::to_bitcode(&self.step, self.plain.as_os_str());
        let step = step.ok_or(io::ErrorKind::InvalidInput)?;
        let status = process::attached(&mut step.command())?;
        if !status.success() {
            too_new(&step);
            return Ok(status);
        }
        if let Err(cause) = self.rewrite(call) {
            return self.without(call, &cause);
        }
        self.kernels = self
            .done
            .as_ref()
            .map_or_else(Vec::new, |done| done.kernels.clone());
        let status = match self.is_changed() {
            false => self.generate(&self.plain)?,
            true => {
                let ran = process::captured(&mut self.generator(&self.rewritten, &self.made)?)?;
                if !ran.status.success() {
                    let cause =
                        first_error("the compiler does not take the rewritten bitcode", &ran);
                    return self.without(call, &cause);
                }
                call::replay(&ran)?;
                ran.status
            }
        };
        self.hand_over(status)
    }

    /// Our stage. An error is one line.
    fn rewrite(&mut self, call: &Call) -> Result<(), String> {
        self.done = None;
        let ran = self.stage(call, &Reversions::default(), &[])?;
        let _ = call::replay(&ran);
        self.done = Some(handed_over(call, &self.rewritten)?);
        Ok(())
    }

    /// The program that rewrites, but for what goes back.
    pub(super) fn stage(
        &self,
        call: &Call,
        back: &Reversions,
        words: &[&str],
    ) -> Result<Ran, String> {
        let handed = handed(call);
        let _ = fs::remove_file(&handed);
        let mut command = Command::new(&call.stage);
        command.arg("stage").arg(&self.plain).arg(&handed);
        command.arg("--name").arg(self.name()).args(words);
        for (function, tried) in &back.levels {
            let steps = tried.iter().map(|_| ["--step-back", function]);
            command.args(steps.flatten());
        }
        for function in back.out.keys() {
            command.arg("--leave-out").arg(function);
        }
        for function in back.arithmetic.keys() {
            command.arg("--plain-arithmetic").arg(function);
        }
        command.arg("--").args(call.own);
        if self.assembled {
            command.arg("--ptxasw-no-register-check");
        }
        let ran = process::captured(&mut command);
        let ran = ran.map_err(|error| format!("cannot run {STAGE}: {error}"))?;
        match ran.status.success() {
            true => Ok(ran),
            false => Err(first_error(STAGE, &ran)),
        }
    }

    /// Goes on with what clang itself makes.
    fn without(&mut self, call: &Call, cause: &str) -> io::Result<ExitStatus> {
        let input = self.name();
        if call.settings.strict {
            ptxasw_base::say!("ptxasw: error: `{input}`: {cause}; nothing is compiled");
            return Ok(std::os::unix::process::ExitStatusExt::from_raw(1 << 8));
        }
        ptxasw_base::say!("ptxasw: warning: `{input}`: {cause}; it is compiled as it was");
        self.done = None;
        let status = self.generate(&self.plain)?;
        self.hand_over(status)
    }

    /// Makes PTX of bitcode where the driver wants it.
    fn generate(&self, bitcode: &Path) -> io::Result<ExitStatus> {
        process::attached(&mut self.generator(bitcode, &self.made)?)
    }

    pub(super) fn generator(&self, bitcode: &Path, output: &OsStr) -> io::Result<Command> {
        let step = words::from_bitcode(&self.step, &self.llc, bitcode.as_os_str(), output);
        Ok(step.ok_or(io::ErrorKind::InvalidInput)?.command())
    }

    /// PTX that is wanted on standard output.
    fn hand_over(&self, status: ExitStatus) -> io::Result<ExitStatus> {
        if status.success() && self.made != self.output {
            io::copy(&mut fs::File::open(&self.made)?, &mut io::stdout())?;
        }
        Ok(status)
    }

    /// Its assembler. Kernels that lose by their registers go back to what they were, and keep their arithmetic where they do not
    /// gain by another.
    pub fn assemble(&mut self, step: &CompilerCommand, call: &Call) -> io::Result<ExitStatus> {
        if !self.is_changed() {
            return process::attached(&mut step.command());
        }
        let Some(mut trials) = Trials::of(self, step, call) else {
            let ran = step.assembled()?;
            return match ran.status.success() {
                true => call::replay(&ran).map(|()| ran.status),
                false => self.rejected(step, call, &ran),
            };
        };
        let first = trials.first()?;
        let kernels = first.changed.clone();
        let choice = guard::choose(&mut trials, first);
        let last = trials.last.take();
        if let Some(cause) = choice.rejected {
            return self.assembled_without(step, call, &cause);
        }
        if let Some((_, done)) = last.filter(|(back, _)| *back == choice.back) {
            self.done = Some(done);
        }
        let is_kernel = |name: &str| !kernels.iter().any(|(one, entry)| one == name && !entry);
        let target = target(&self.step);
        let loads = |name: &str| call.settings.loads(name, target);
        self.sent_back = guard::sent_back(&choice.back, loads, is_kernel);
        self.accepted = choice.accepted;
        match choice.made {
            Some(made) => {
                fs::write(&self.made, &made.text)?;
                fs::write(made.output, &made.cubin)?;
                call::replay(&made.ran)?;
                Ok(made.ran.status)
            }
            // All is as it was.
            None => {
                self.done.take_if(|done| !done.text.is_empty());
                match self.generate(&self.plain)? {
                    status if status.success() => process::attached(&mut step.command()),
                    status => Ok(status),
                }
            }
        }
    }

    fn rejected(
        &mut self,
        step: &CompilerCommand,
        call: &Call,
        ran: &Ran,
    ) -> io::Result<ExitStatus> {
        let cause = first_error("ptxas does not take the rewritten text", ran);
        self.assembled_without(step, call, &cause)
    }

    fn assembled_without(
        &mut self,
        step: &CompilerCommand,
        call: &Call,
        cause: &str,
    ) -> io::Result<ExitStatus> {
        let status = self.without(call, cause)?;
        match status.success() {
            true => process::attached(&mut step.command()),
            false => Ok(status),
        }
    }

    /// Whether what was done to a function is in the output.
    fn keeps(&self, name: &str) -> bool {
        let done = self.done.as_ref();
        done.is_some_and(|done| done.has_changed(name))
    }

    /// Says what was done.
    pub fn say(&self) {
        for line in verdict::lines(&self.name(), &self.figures().verdicts) {
            ptxasw_base::say!("ptxasw: {line}");
        }
    }

    /// Adds its figures to those of the call, and leaves its remarks where the settings ask for them.
    pub fn record(&self, call: &Call, sum: &mut Figures) {
        let settings = call.settings;
        if let (Some(path), Some(done)) = (&settings.remarks, &self.done) {
            let format = Format::of(path);
            let mut all = done.remarks.clone();
            let keeps = |name: &str| self.keeps(name);
            let back = guard::messages(&self.sent_back, keeps);
            let accepted = self.accepted.iter().filter(|(name, _)| keeps(name));
            let accepted: Vec<_> = accepted.collect();
            all.extend(remarks::write_judged(
                format,
                &self.name(),
                &back,
                &accepted,
            ));
            files::remarks(settings, &all);
        }
        let figures = self.figures();
        let plain = fs::read(&self.plain).ok();
        let digest = plain.as_deref().map_or(0, xxhash_rust::xxh3::xxh3_128);
        files::figures(settings, &figures, digest);
        if let Some(plain) = plain {
            files::module(settings, &self.name(), &plain);
        }
        sum.add(&figures);
    }

    fn figures(&self) -> Figures {
        let done = self.done.as_ref();
        let mut sum = Figures {
            modules: 1,
            failed: (done.is_none() && self.sent_back.is_empty()).into(),
            milliseconds: done.map_or(0.0, |done| done.milliseconds),
            ..Figures::default()
        };
        let last = done.iter().flat_map(|done| &done.kernels);
        let why = |name: &str| guard::why(&self.sent_back, name);
        sum.add_kept(&self.kernels, last, |name| self.keeps(name), why);
        sum
    }
}

/// Where our stage leaves what it did.
fn handed(call: &Call) -> PathBuf {
    call.folder.join("handed")
}

/// What it did; the bitcode goes into a file.
pub(super) fn handed_over(call: &Call, bitcode: &Path) -> Result<Done, String> {
    let bytes = fs::read(handed(call)).unwrap_or_default();
    let done = rewrite::decode(&bytes).and_then(|all| all.into_iter().next());
    let done = done.ok_or_else(|| format!("{STAGE} hands over nothing"))?;
    let written = fs::write(bitcode, &done.text);
    written.map_err(|error| format!("cannot write bitcode: {error}"))?;
    Ok(done)
}

/// The number of `sm_90a`.
pub(super) fn number(target: &str) -> Option<u32> {
    let digits = target.strip_prefix("sm_")?;
    let digits = digits.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    digits.parse().ok()
}

/// The first line of a program's output that reports an error.
pub(super) fn first_error(what: &str, ran: &Ran) -> String {
    let printed = [&ran.stdout[..], &ran.stderr].concat();
    let printed = String::from_utf8_lossy(&printed);
    let line = printed.lines().find(|line| line.contains("error"));
    let line = line.or_else(|| printed.lines().next());
    match line {
        Some(line) => format!("{what} ({}): {line}", ran.status),
        None => format!("{what} ({})", ran.status),
    }
}
