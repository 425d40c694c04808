//! What a module is written as: IR, bitcode, or PTX and machine code by LLVM's code generator and `ptxas`. Both run as
//! children: an error in LLVM's code generator ends its process.

use crate::version::MAJOR;
use crate::view::View;
use inkwell::module::Module;
use inkwell::targets::TargetTriple;
use ptxasw_base::memory_file::MemoryFile;
use ptxasw_base::process;
use ptxasw_machine::toolchain::{Arch, Assembler, ToolchainError};
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that names the code generator.
const VARIABLE: &str = "PTXASW_LLC";
/// Its usual name, and where Debian's packages have it.
const NAME: &str = concat!("llc-", env!("BUILT_FOR_LLVM"));
const PLACE: &str = concat!("/usr/lib/llvm-", env!("BUILT_FOR_LLVM"), "/bin/llc");
/// The first PTX with `activemask` that this LLVM has, and the first target whose default is later.
const LEAST_PTX: &str = match MAJOR >= 19 {
    true => "+ptx62",
    false => "+ptx63",
};
const LATER_BY_DEFAULT: u16 = 75;
/// How the triple of modules for NVIDIA's GPUs begins.
const TRIPLE: &str = "nvptx";

/// The kind of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Text.
    Ir,
    /// Bitcode.
    Bitcode,
    /// By `llc`.
    Ptx,
    /// By `llc` and `ptxas`.
    Cubin,
}

impl Kind {
    /// By the extension of a file.
    pub fn of(path: &Path) -> Option<Kind> {
        Some(match path.extension()?.to_str()? {
            "ll" => Kind::Ir,
            "bc" => Kind::Bitcode,
            "ptx" => Kind::Ptx,
            "cubin" => Kind::Cubin,
            _ => return None,
        })
    }
}

/// Why an output can't be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is for another target.
    #[error("the module's target is `{0}`, not nvptx64: no PTX can be made of it")]
    Target(String),
    /// Nothing says for which GPU.
    #[error("the module has no `target-cpu`: pass `--arch sm_80`")]
    NoCpu,
    /// It is no GPU's name.
    #[error("`{0}` is not a target")]
    Cpu(String),
    /// The code generator can't be run.
    #[error("cannot run `{0}`, LLVM's code generator (set {VARIABLE}): {1}")]
    NoGenerator(String, io::Error),
    /// It does not take the module.
    #[error("llc does not take the module: {0}")]
    Generator(String),
    /// `ptxas` is missing, or does not take the PTX.
    #[error(transparent)]
    Assembler(#[from] ToolchainError),
    /// A file can't be written or read.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// The bytes of an output. `arch` is the target in place of the module's own: `sm_80`.
///
/// # Errors
/// A tool is missing or does not take the module.
pub fn write(module: &Module, kind: Kind, arch: Option<&str>) -> Result<Vec<u8>, Error> {
    let bitcode = || module.write_bitcode_to_memory().as_slice().to_vec();
    match kind {
        Kind::Ir => Ok(View::new(module).print_bytes()),
        Kind::Bitcode => Ok(bitcode()),
        Kind::Ptx => ptx(&bitcode(), &Target::of(module, arch)?),
        Kind::Cubin => {
            let target = Target::of(module, arch)?;
            let text = ptx(&bitcode(), &target)?;
            let arch: Arch = target.cpu.parse().map_err(|_| Error::Cpu(target.cpu))?;
            let assembled = Assembler::find(arch)?.assemble(&text, arch)?;
            Ok(std::fs::read(assembled.cubin.path())?)
        }
    }
}

/// The target that code is generated for.
///
/// # Errors
/// Nothing says which.
pub fn target(module: &Module, arch: Option<&str>) -> Result<Arch, Error> {
    let target = Target::of(module, arch)?;
    target.cpu.parse().map_err(|_| Error::Cpu(target.cpu))
}

/// What code is generated for.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Target {
    cpu: String,
    /// As `-mattr` takes them.
    features: String,
}

impl Target {
    /// As the module's functions say, which clang leaves there.
    fn of(module: &Module, arch: Option<&str>) -> Result<Self, Error> {
        let triple: TargetTriple = module.get_triple();
        let triple = triple.as_str().to_string_lossy().into_owned();
        if !triple.starts_with(TRIPLE) {
            return Err(Error::Target(triple));
        }
        let functions = View::new(module).functions();
        let text = |name| {
            functions
                .iter()
                .find_map(|function| function.text_attribute(name))
        };
        let cpu = arch
            .map(str::to_owned)
            .or_else(|| text("target-cpu"))
            .ok_or(Error::NoCpu)?;
        let number: Arch = cpu.parse().map_err(|_| Error::Cpu(cpu.clone()))?;
        let features = text("target-features").unwrap_or_default();
        // A feature `+sm_80` would win over another target.
        let mut features: Vec<&str> = features
            .split(',')
            .filter(|feature| !feature.is_empty() && (arch.is_none() || !feature.contains("sm_")))
            .collect();
        let version = |feature: &&str| feature.starts_with("+ptx");
        if number.number < LATER_BY_DEFAULT && !features.iter().any(version) {
            features.push(LEAST_PTX);
        }
        let features = features.join(",");
        Ok(Target { cpu, features })
    }
}

/// PTX as clang makes it of optimised bitcode.
fn ptx(bitcode: &[u8], target: &Target) -> Result<Vec<u8>, Error> {
    let input = MemoryFile::new(bitcode)?;
    let program = generator();
    let mut command = Command::new(&program);
    command
        .args(["-O3", "-fp-contract=fast", "-discard-value-names"])
        .arg(format!("-mcpu={}", target.cpu));
    if !target.features.is_empty() {
        command.arg(format!("-mattr={}", target.features));
    }
    command.arg(input.path()).args(["-o", "-"]);
    let name = program.display().to_string();
    process::dies_with_us(&mut command);
    let output = command
        .output()
        .map_err(|error| Error::NoGenerator(name, error))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => {
            let text = String::from_utf8_lossy(&output.stderr);
            let line = text
                .lines()
                .find(|line| line.contains("rror"))
                .or_else(|| text.lines().next());
            let line = line.map_or_else(|| output.status.to_string(), str::to_owned);
            Err(Error::Generator(line))
        }
    }
}

/// LLVM's code generator: the one that the environment names, else the one that is installed.
pub fn generator() -> PathBuf {
    if let Some(named) = env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        return named.into();
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path)
        .map(|folder| folder.join(NAME))
        .find(|file| file.is_file());
    found.unwrap_or_else(|| match Path::new(PLACE).is_file() {
        true => PLACE.into(),
        false => NAME.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use inkwell::context::Context;

    /// LLVM prints names of attributes as they are.
    #[test]
    fn text_goes_on_after_a_nul() {
        let text = "target triple = \"nvptx64-nvidia-cuda\"\n\
                    define void @f() #0 {\n  ret void\n}\n\
                    attributes #0 = { \"one\\00name\"=\"a\" \"target-cpu\"=\"sm_80\" }\n";
        let context = Context::create();
        let module = read::read(&context, text.as_bytes(), "a.ll").unwrap();
        let written = write(&module, Kind::Ir, None).unwrap();
        let nul = written.iter().position(|&byte| byte == 0);
        assert!(nul.is_some_and(|nul| written[nul..].ends_with(b" \"target-cpu\"=\"sm_80\" }\n")));
        let again = read::read(&context, &written, "b.ll").unwrap();
        assert_eq!(write(&again, Kind::Ir, None).unwrap().len(), written.len());
    }
}
