//! `ptxasw run-build`: one build command with every compiler that it may call set up to call us.

use super::bundle::{self, Baked};
use super::{build_advice, shim, stats};
#[cfg(feature = "report")]
use super::{in_one_line, report};
use crate::dropin::bundle::Carried;
use crate::dropin::{shim as shadow, tool::Tool};
use anyhow::Context;
use clap::Args;
use ptxasw_base::{atomic_file, process};
use ptxasw_machine::cache::folder;
use ptxasw_machine::toolchain::offload_compilers;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

#[derive(Args)]
pub struct Arguments {
    /// The toolkit; without it `CUDA_HOME`, `CUDA_PATH`, or the one that `nvcc` on `PATH` belongs to.
    #[arg(long, value_name = "HOME")]
    cuda_home: Option<PathBuf>,
    /// Where the links are made that compilers are led to. It must outlive the build tree: CMake remembers it.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Prints the figures of the whole build at its end.
    #[arg(long)]
    stats: bool,
    /// Makes a page of the whole build at its end: see `ptxasw report`.
    #[cfg_attr(feature = "report", arg(long, value_name = "FILE"))]
    #[cfg_attr(not(feature = "report"), arg(skip))]
    report: Option<PathBuf>,
    /// No line that sums the build up.
    #[arg(short, long, conflicts_with = "stats")]
    quiet: bool,
    /// The build command.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// What Triton takes its assemblers from: that for newer GPUs has a variable of its own since 3.6, from sm_100 on, and since
/// 3.9 from sm_90 on.
const TRITON: [&str; 2] = ["TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"];

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let home = shim::home(arguments.cuda_home.clone());
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => cache(home.as_deref()).context("no home directory: pass `--folder DIR`")?,
    };
    // The unpacked assembler lies beside it, and no folder is used for that which others can write.
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)
        .with_context(|| format!("`{}`", folder.display()))?;
    let folder = folder.canonicalize()?;
    let program = env::current_exe().context("cannot find this program")?;
    let (name, words) = arguments.command.split_first().context("no command")?;
    let mut command = Command::new(name);
    command.args(words);
    let tools = folder.join("tools");
    assemblers(&tools, &program, home.as_deref())?;
    command.env(
        "COMPILER_PATH",
        prepended("COMPILER_PATH", std::slice::from_ref(&tools))?,
    );
    let mut front = vec![tools.clone()];
    if let Some(home) = &home {
        let toolkit = folder.join("cuda");
        link(&tools.join("ptxas"), &shadow::create(&toolkit, home)?)?;
        front.push(toolkit.join("bin"));
        command
            .env("CUDA_HOME", &toolkit)
            .env("CUDA_PATH", &toolkit);
        if toolkit.join("bin/nvcc").is_file() && env::var_os("CUDACXX").is_none() {
            command.env("CUDACXX", toolkit.join("bin/nvcc"));
        }
    }
    let ptxas = tools.join("ptxas");
    if ptxas.is_file() {
        command.envs(TRITON.map(|variable| (variable, &ptxas)));
    }
    command.env("PATH", prepended("PATH", &front)?);
    // Where the user collects figures already, the build adds to them, and says nothing of its own.
    let reports = arguments.stats || arguments.report.is_some();
    if let Some(folder) = env::var_os("PTXASW_STATS_DIR").filter(|_| reports) {
        let folder = Path::new(&folder).display();
        ptxasw_base::say!(
            "ptxasw: warning: `{folder}` of PTXASW_STATS_DIR gets no figures of this build: they are summed up here"
        );
    }
    let collects = !reports && env::var_os("PTXASW_STATS_DIR").is_some();
    let collected = match collects {
        false => Some(tempfile::tempdir().context("cannot make a temporary folder")?),
        true => None,
    };
    if let Some(folder) = &collected {
        command.env("PTXASW_STATS_DIR", folder.path());
        if arguments.report.is_some() {
            command.env("PTXASW_STATS_MODULES", "1");
        }
    }
    let status = match command.status() {
        Ok(status) => status,
        Err(error) => {
            let name = Path::new(name).display();
            ptxasw_base::say!("ptxasw: error: cannot run `{name}`: {error}");
            return Ok(process::not_started(&error).into());
        }
    };
    if let Some(folder) = &collected {
        let figures = stats::sum(folder.path())?;
        if arguments.stats {
            ptxasw_base::say!("{}", figures.table().to_string().trim_end());
        } else if figures.modules > 0 && !arguments.quiet {
            ptxasw_base::say!("ptxasw: {}", figures.line());
        }
        #[cfg(feature = "report")]
        if let Some(page) = &arguments.report {
            // The build is what was asked for: its exit code stays its own.
            if let Err(error) = report::of_build(folder.path(), page, arguments.quiet) {
                ptxasw_base::say!("ptxasw: warning: no report: {}", in_one_line(&error));
            }
        }
        if let Some(advice) =
            build_advice::of(&arguments.command, home.as_deref(), status, &figures)
        {
            ptxasw_base::say!("ptxasw: {advice}");
        }
    }
    Ok(process::end_like(status))
}

/// A folder for clang, which finds `ptxas` in `COMPILER_PATH`, and with drivers for GCC.
fn assemblers(folder: &Path, program: &Path, home: Option<&Path>) -> anyhow::Result<()> {
    let ptxas = folder.join("ptxas");
    match assembler(program, home)? {
        Some(real) => {
            let carried = Carried {
                assembler: real,
                settings: Baked::default().with_variables()?,
                solver: bundle::has_solver(false),
            };
            fs::create_dir_all(folder).with_context(|| format!("`{}`", folder.display()))?;
            bundle::write(&ptxas, &carried)?;
        }
        // GCC's assembler takes any `ptxas` for one that works; an older one would be none.
        None => drop(fs::remove_file(&ptxas)),
    }
    // An earlier version, whose `ptxas` was a link to ptxasw, found the assembler of the toolkit by this link.
    let _ = fs::remove_file(folder.join("ptxas.real"));
    for compiler in offload_compilers() {
        link(program, &folder.join("nvptx/as"))?;
        drivers(folder, &compiler)?;
    }
    Ok(())
}

/// Makes, or renews, a link.
fn link(target: &Path, path: &Path) -> anyhow::Result<()> {
    let context = || format!("`{}`", path.display());
    if fs::read_link(path).is_ok_and(|old| old == target) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(context)?;
    }
    if path.is_symlink() {
        fs::remove_file(path).with_context(context)?;
    }
    symlink(target, path).with_context(context)
}

/// The real `ptxas`: what its variable names, else the toolkit's, else the one that the drop-in finds.
fn assembler(program: &Path, home: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    let named = env::var_os(Tool::Ptxas.variable()).is_some_and(|value| !value.is_empty());
    Ok(match home {
        Some(home) if !named => Some(home.canonicalize()?.join("bin/ptxas")),
        _ if named => Some(Tool::Ptxas.real(program.as_os_str())?),
        _ => Tool::Ptxas.real(program.as_os_str()).ok(),
    })
}

/// Scripts under the names of GCC's drivers that add the folder of our assembler for nvptx. No variable can do that: GCC
/// clears `COMPILER_PATH` before it calls the compiler for the accelerator.
fn drivers(folder: &Path, version: &str) -> anyhow::Result<()> {
    let assembler = folder.join("nvptx");
    // GCC splits the option at blanks, and the script is for a shell.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte);
    if !assembler
        .as_os_str()
        .as_encoded_bytes()
        .iter()
        .all(|&byte| plain(byte))
    {
        return Ok(());
    }
    for language in ["gcc", "g++", "gfortran"] {
        for name in [format!("{language}-{version}"), language.to_string()] {
            let path = env::var_os("PATH").unwrap_or_default();
            let mut found = env::split_paths(&path)
                .filter(|place| place != folder)
                .map(|place| place.join(&name));
            let Some(real) = found.find(|file| file.is_file()) else {
                continue;
            };
            // `gcc` is a link to the version that it stands for.
            let target = real.canonicalize()?;
            if !target.to_string_lossy().ends_with(&format!("-{version}")) {
                continue;
            }
            let script = DRIVER
                .replace("FOLDER", &assembler.display().to_string())
                .replace("REAL", &real.display().to_string());
            let path = folder.join(&name);
            atomic_file::write(&path, script.as_bytes())?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

/// The option is an error for compilers without offloading, so that only calls that may offload get it.
const DRIVER: &str = "#!/bin/sh
# Leads GCC's compiler for nvptx to ptxasw; made by `ptxasw run-build`.
for word; do
  case $word in -fopenacc|-fopenmp) set -- \"$@\" -foffload-options=nvptx-none=-BFOLDER; break ;; esac
done
exec 'REAL' \"$@\"
";

/// A search path of the environment with folders in front.
fn prepended(variable: &str, folders: &[PathBuf]) -> anyhow::Result<OsString> {
    let old = env::var_os(variable).unwrap_or_default();
    let old: Vec<PathBuf> = match old.is_empty() {
        true => Vec::new(),
        false => env::split_paths(&old).collect(),
    };
    env::join_paths(folders.iter().chain(&old)).with_context(|| format!("`{variable}`"))
}

/// A folder of the user's cache for a toolkit.
fn cache(home: Option<&Path>) -> Option<PathBuf> {
    let root = folder::root()?;
    let name = home.map_or(OsStr::new("none"), Path::as_os_str);
    let hash = xxhash_rust::xxh3::xxh3_64(name.as_encoded_bytes());
    Some(root.join("ptxasw").join(format!("{hash:016x}")))
}
