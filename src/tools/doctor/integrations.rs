//! A small kernel by each compiler that is present, with ptxasw where its assembler or its code generator was.

use super::tools::{InstalledTools, LLVM, python_command};
use super::trial::{Trial, reason};
use ptxasw_machine::toolchain::Python;
use ptxasw_machine::toolchain::cuda::{Cuda, NEWEST_FOR_CLANG};
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How the trials compile.
const ARCH: &str = "sm_80";
/// In the verdict that `opt` prints, what is before the changes.
const CHANGED: &str = ": changed; ";

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The kernel was rewritten, or came where it can be.
    Ok,
    /// All that it needs is there, and it was not.
    Fails,
    /// Something that it needs is not there.
    Missing,
}

/// One way of calling ptxasw.
#[derive(Debug, Serialize)]
pub struct Integration {
    /// The compiler and the door, as the report lists them.
    pub name: &'static str,
    /// What came of it.
    pub outcome: Outcome,
    /// What was rewritten, why it was not, or what is missing.
    pub detail: String,
}

/// Why there is nothing to show.
enum Stop {
    Missing(String),
    Fails(String),
}

impl From<String> for Stop {
    fn from(reason: String) -> Self {
        Stop::Fails(reason)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Fails(error.to_string())
    }
}

/// A trial that is not made yet.
pub struct Untried {
    /// That of the [`Integration`] which becomes of it.
    pub name: &'static str,
    run: fn(&InstalledTools, &Trial) -> Result<String, Stop>,
}

/// All of them; the slow ones first.
pub const ALL: [Untried; 12] = [
    Untried {
        name: "Triton",
        run: triton,
    },
    Untried {
        name: "opt, PTX of Numba",
        run: numba,
    },
    Untried {
        name: "opt, PTX of CuPy's NVRTC",
        run: cupy,
    },
    Untried {
        name: "nvcc, through a shadow toolkit",
        run: nvcc,
    },
    Untried {
        name: "clang --ptxas-path",
        run: clang,
    },
    Untried {
        name: "clang with the plugin",
        run: plugin,
    },
    Untried {
        name: "ptxasw clang",
        run: wrapper,
    },
    Untried {
        name: "GCC, OpenACC",
        run: gcc,
    },
    Untried {
        name: "in place of ptxas",
        run: drop_in,
    },
    Untried {
        name: "opt, PTX",
        run: opt_ptx,
    },
    Untried {
        name: "opt, LLVM IR",
        run: opt_ir,
    },
    Untried {
        name: "opt --profit always",
        run: shuffles,
    },
];

impl Untried {
    /// Makes the trial.
    pub fn tried(&self, found: &InstalledTools, trial: Trial) -> Integration {
        let (outcome, detail) = match (self.run)(found, &trial) {
            Ok(detail) => (Outcome::Ok, detail),
            Err(Stop::Fails(reason)) => (Outcome::Fails, reason),
            Err(Stop::Missing(what)) => (Outcome::Missing, what),
        };
        Integration {
            name: self.name,
            outcome,
            detail,
        }
    }
}

fn missing<T>(found: Option<T>, what: &str) -> Result<T, Stop> {
    found.ok_or_else(|| Stop::Missing(format!("no {what}")))
}

/// The assembler for a command that calls ptxasw as `ptxas`, and what the user has to set for that.
fn assembler(found: &InstalledTools, command: &mut Command) -> Result<String, Stop> {
    let (path, by_itself) = missing(found.ptxas.as_ref(), "ptxas")?;
    if *by_itself {
        return Ok(String::new());
    }
    command.env("PTXASW_PTXAS", path);
    Ok(format!(", with PTXASW_PTXAS={}", path.display()))
}

/// What the assemblers that ran have done; `printed` is the compiler's output.
fn rewritten(trial: &Trial, printed: &str) -> Result<String, Stop> {
    let figures = trial.figures();
    if let Some(changed) = figures.verdicts.iter().find(|one| one.is_changed()) {
        return Ok(changed.done());
    }
    let why = match figures.modules {
        0 => "the compiler did not call ptxasw".to_string(),
        _ => "ptxasw was called and rewrote nothing".to_string(),
    };
    Err(Stop::Fails(own_line(printed).unwrap_or(why)))
}

/// The line that ptxasw itself printed, if any.
fn own_line(printed: &str) -> Option<String> {
    reason(printed).filter(|line| line.starts_with("ptxasw: "))
}

/// A word of a command line.
fn joined(option: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut word = OsString::from(option);
    word.push(value);
    word
}

fn drop_in(found: &InstalledTools, trial: &Trial) -> Result<String, Stop> {
    let input = trial.file("butterfly.ptx", include_str!("kernels/butterfly.ptx"))?;
    let mut command = trial.command(trial.link("ptxas")?);
    let more = assembler(found, &mut command)?;
    command.args(["-arch", ARCH, "-o", "butterfly.cubin"]);
    let printed = trial.run(command.arg(input))?;
    Ok(rewritten(trial, &printed)? + &more)
}

fn nvcc(found: &InstalledTools, trial: &Trial) -> Result<String, Stop> {
    let nvcc = missing(found.nvcc.as_ref(), "nvcc")?;
    let source = trial.file("butterfly.cu", include_str!("kernels/butterfly.cu"))?;
    // What `PATH` has may be a link into the toolkit.
    let program = nvcc.canonicalize()?;
    let home = program.parent().and_then(Path::parent);
    let home = missing(home, "toolkit around nvcc")?;
    let shadow = trial.path("cuda");
    let mut command = trial.own();
    command
        .arg("shim")
        .arg(&shadow)
        .arg("--cuda-home")
        .arg(home);
    trial.run(&mut command)?;
    let mut command = trial.command(shadow.join("bin/nvcc"));
    command.args(["-arch", ARCH, "-cubin", "-o", "butterfly.cubin"]);
    let printed = trial.run(command.arg(source))?;
    rewritten(trial, &printed)
}

/// clang for the device alone, with headers that it takes.
fn device(found: &InstalledTools, trial: &Trial) -> Result<(Command, PathBuf), Stop> {
    let (clang, cuda) = clang_and_headers(found)?;
    let source = trial.file("butterfly.cu", include_str!("kernels/butterfly.cu"))?;
    let mut command = trial.command(clang);
    on_device(&mut command, cuda);
    Ok((command, source))
}

fn clang_and_headers(found: &InstalledTools) -> Result<(&Path, &Cuda), Stop> {
    let (clang, _) = missing(found.clang.as_ref(), "clang")?;
    let cuda = missing(found.cuda.as_ref(), "CUDA headers for clang")?;
    let (major, minor) = cuda.version;
    if major > NEWEST_FOR_CLANG {
        let home = cuda.home.display();
        return Err(Stop::Missing(format!(
            "no headers of CUDA {NEWEST_FOR_CLANG}: `{home}` is CUDA {major}.{minor}, which clang {LLVM} does not accept"
        )));
    }
    Ok((clang, cuda))
}

fn on_device(command: &mut Command, cuda: &Cuda) {
    command.arg(joined("--cuda-path=", &cuda.home));
    command.arg(format!("--cuda-gpu-arch={ARCH}"));
    command.args(["-Wno-unknown-cuda-version", "-O2", "--cuda-device-only"]);
}

fn clang(found: &InstalledTools, trial: &Trial) -> Result<String, Stop> {
    let (mut command, source) = device(found, trial)?;
    let more = assembler(found, &mut command)?;
    command.arg(joined("--ptxas-path=", trial.link("ptxas")?));
    command.args(["-o", "butterfly.o", "-c"]);
    let printed = trial.run(command.arg(source))?;
    Ok(rewritten(trial, &printed)? + &more)
}

fn plugin(found: &InstalledTools, trial: &Trial) -> Result<String, Stop> {
    let plugin = missing(found.plugin.as_ref(), "libptxasw_llvm.so beside ptxasw")?;
    let (mut command, source) = device(found, trial)?;
    llvm(found)?;
    command
        .arg("-Xarch_device")
        .arg(joined("-fpass-plugin=", plugin));
    command.args(["-o", "butterfly.s", "-S"]);
    let printed = trial.run(command.arg(source))?;
    rewritten(trial, &printed)
}

fn wrapper(found: &InstalledTools, trial: &Trial) -> Result<String, Stop> {
    missing(found.stage.as_ref(), "ptxasw-llvm beside ptxasw")?;
    let (clang, cuda) = clang_and_headers(found)?;
    let source = trial.file("butterfly.cu", include_str!("kernels/butterfly.cu"))?;
    let mut command = trial.own();
    command.args(["clang", "--"]).arg(clang);
    on_device(&mut command, cuda);
    command.args(["-o", "butterfly.s", "-S"]);
    let printed = trial.run(command.arg(source))?;
    rewritten(trial, &printed)
}

/// That clang is of the version that can read what ptxasw writes.
fn llvm(found: &InstalledTools) -> Result<(), Stop> {
    match found.clang {
        Some((_, LLVM)) => Ok(()),
        _ => Err(Stop::Missing(format!("no clang {LLVM}"))),
    }
}

/// Its kernels read through generic addresses: it is enough that they come by.
fn gcc(found: &InstalledTools, trial: &Trial) -> Result<String, Stop> {
    let gcc = missing(found.gcc.as_ref(), "gcc that offloads to nvptx")?;
    let source = trial.file("butterfly.c", include_str!("kernels/butterfly.c"))?;
    let link = trial.link("as")?;
    let folder = link.parent().unwrap_or(&link);
    let mut command = trial.command(gcc);
    command.args(["-O2", "-fopenacc", "-foffload=nvptx-none", "-o", "program"]);
    command.arg(format!(
        "-foffload-options=nvptx-none=-B{} -misa={ARCH} -mptx=7.0",
        folder.display()
    ));
    let printed = trial.run(command.arg(source))?;
    let figures = trial.figures();
    match (figures.modules, figures.rewritten) {
        (0, _) => rewritten(trial, &printed),
        (_, 0) => Ok(format!(
            "reached, but none of {} loads is changed: GCC loads its pointers from memory, so that their state space is unknown",
            figures.fates.all_loads()
        )),
        _ => rewritten(trial, &printed),
    }
}

fn triton(found: &InstalledTools, trial: &Trial) -> Result<String, Stop> {
    let (python, _) = missing(found.triton.as_ref(), "Triton")?;
    let script = trial.file("butterfly.py", include_str!("kernels/triton.py"))?;
    let link = trial.link("ptxas")?;
    let mut command = in_python(python, trial);
    // The older assembler of the two that Triton brings would do, but the user's is the one to try.
    let (ptxas, _) = missing(found.ptxas.as_ref(), "ptxas")?;
    command
        .env("PTXASW_PTXAS", ptxas)
        .env("TRITON_CACHE_DIR", trial.path("cache"))
        .env("TRITON_PTXAS_PATH", &link)
        .env("TRITON_PTXAS_BLACKWELL_PATH", &link);
    let printed = trial.run(command.arg(script))?;
    rewritten(trial, &printed)
}

/// An interpreter that finds its modules.
fn in_python(python: &Python, trial: &Trial) -> Command {
    let mut command = trial.command(&python.program);
    let variables = python_command(python);
    let variables = variables.get_envs();
    command.envs(variables.filter_map(|(name, value)| Some((name, value?))));
    command
}

fn numba(found: &InstalledTools, trial: &Trial) -> Result<String, Stop> {
    let (python, _) = missing(found.numba.as_ref(), "Numba")?;
    made_in_python(python, include_str!("kernels/numba.py"), trial)
}

fn cupy(found: &InstalledTools, trial: &Trial) -> Result<String, Stop> {
    let (python, _) = missing(found.cupy.as_ref(), "CuPy")?;
    trial.file("butterfly.cu", include_str!("kernels/butterfly.cu"))?;
    made_in_python(python, include_str!("kernels/cupy.py"), trial)
}

/// The PTX that a script writes, by `opt`: what `ptxasw.rewrite` does in the same process.
fn made_in_python(python: &Python, script: &str, trial: &Trial) -> Result<String, Stop> {
    let script = trial.file("make.py", script)?;
    trial.run(in_python(python, trial).arg(script))?;
    opt(trial, &trial.path("made.ptx"), "out.ptx", &[])
}

fn opt_ptx(_: &InstalledTools, trial: &Trial) -> Result<String, Stop> {
    let input = trial.file("butterfly.ptx", include_str!("kernels/butterfly.ptx"))?;
    opt(trial, &input, "out.ptx", &[])
}

fn opt_ir(found: &InstalledTools, trial: &Trial) -> Result<String, Stop> {
    missing(found.stage.as_ref(), "ptxasw-llvm beside ptxasw")?;
    let input = trial.file("butterfly.ll", include_str!("kernels/butterfly.ll"))?;
    opt(trial, &input, "out.ll", &[])
}

/// Values of neighbouring lanes, which are not known to pay on most GPUs.
fn shuffles(_: &InstalledTools, trial: &Trial) -> Result<String, Stop> {
    let input = trial.file("stencil.ptx", include_str!("kernels/stencil.ptx"))?;
    opt(trial, &input, "out.ptx", &["--profit", "always"])
}

fn opt(trial: &Trial, input: &Path, output: &str, options: &[&str]) -> Result<String, Stop> {
    let mut command = trial.own();
    command.arg("opt").arg(input).args(["-o", output]);
    let printed = trial.run(command.args(options))?;
    let verdict = printed.lines().find_map(|line| line.split_once(CHANGED));
    match verdict {
        Some((_, done)) => Ok(done.to_owned()),
        None => Err(Stop::Fails(
            own_line(&printed).unwrap_or_else(|| "`opt` rewrote nothing".to_string()),
        )),
    }
}
