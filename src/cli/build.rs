//! `ptxasw run-build`: one build command with every compiler that it may call set up to call us.

use super::{shim, stats};
use anyhow::Context;
use clap::Args;
use ptxasw::dropin::shim as shadow;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::symlink;
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
    /// The build command.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Folders with GCC's own programs by target and version.
const GCC_FOLDERS: &[&str] = &["/usr/lib/gcc", "/usr/lib64/gcc", "/usr/local/lib/gcc"];

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let home = shim::home(arguments.cuda_home.clone());
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => cache(home.as_deref()).context("no home folder: give `--folder DIR`")?,
    };
    fs::create_dir_all(&folder).with_context(|| format!("`{}`", folder.display()))?;
    let folder = folder.canonicalize()?;
    let program = env::current_exe().context("cannot find this program")?;
    let (name, words) = arguments.command.split_first().context("no command")?;
    let mut command = Command::new(name);
    command.args(words);
    let tools = folder.join("tools");
    assemblers(&tools, &program, home.as_deref())?;
    command.env("COMPILER_PATH", prepended("COMPILER_PATH", &tools)?);
    if let Some(home) = &home {
        let toolkit = folder.join("cuda");
        shadow::create(&toolkit, home, &program)?;
        command
            .env("PATH", prepended("PATH", &toolkit.join("bin"))?)
            .env("CUDA_HOME", &toolkit)
            .env("CUDA_PATH", &toolkit)
            .env("TRITON_PTXAS_PATH", toolkit.join("bin/ptxas"));
        if toolkit.join("bin/nvcc").is_file() && env::var_os("CUDACXX").is_none() {
            command.env("CUDACXX", toolkit.join("bin/nvcc"));
        }
    }
    let collected = match arguments.stats {
        true => Some(tempfile::tempdir().context("cannot make a temporary folder")?),
        false => None,
    };
    if let Some(folder) = &collected {
        command.env("PTXASW_STATS_DIR", folder.path());
    }
    let status = command
        .status()
        .with_context(|| format!("cannot run {}", Path::new(name).display()))?;
    if let Some(folder) = &collected {
        eprint!("{}", stats::sum(folder.path())?.table());
    }
    Ok(ptxasw::dropin::process::end_like(status))
}

/// A folder for clang, which finds `ptxas` in `COMPILER_PATH`, and for GCC.
fn assemblers(folder: &Path, program: &Path, home: Option<&Path>) -> anyhow::Result<()> {
    let link = |target: &Path, path: PathBuf| -> anyhow::Result<()> {
        let context = || format!("`{}`", path.display());
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(context)?;
        }
        if path.is_symlink() {
            fs::remove_file(&path).with_context(context)?;
        }
        symlink(target, &path).with_context(context)
    };
    link(program, folder.join("ptxas"))?;
    if let Some(home) = home {
        let real = home.canonicalize()?.join("bin/ptxas");
        link(&real, folder.join("ptxas.real"))?;
    }
    for compiler in offload_compilers() {
        link(program, folder.join(compiler).join("as"))?;
    }
    Ok(())
}

/// Where GCC's compilers for nvptx, and no others, look for their assembler below a folder of `COMPILER_PATH`:
/// `x86_64-linux-gnu/12/accel/nvptx-none`.
fn offload_compilers() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for root in GCC_FOLDERS {
        let pattern = format!("{root}/*/*/accel/nvptx-none");
        let folders = glob::glob(&pattern).into_iter().flatten().flatten();
        found.extend(
            folders.filter_map(|folder| Some(folder.strip_prefix(root).ok()?.to_path_buf())),
        );
    }
    found
}

/// A search path of the environment with a folder in front.
fn prepended(variable: &str, folder: &Path) -> anyhow::Result<OsString> {
    let old = env::var_os(variable).unwrap_or_default();
    let old: Vec<PathBuf> = match old.is_empty() {
        true => Vec::new(),
        false => env::split_paths(&old).collect(),
    };
    let folders = std::iter::once(folder.to_path_buf()).chain(old);
    env::join_paths(folders).with_context(|| format!("`{}`", folder.display()))
}

/// A folder of the user's cache for a toolkit.
fn cache(home: Option<&Path>) -> Option<PathBuf> {
    let root = match env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty()) {
        Some(root) => PathBuf::from(root),
        None => PathBuf::from(env::var_os("HOME")?).join(".cache"),
    };
    let name = home.map_or(OsStr::new("none"), Path::as_os_str);
    let hash = xxhash_rust::xxh3::xxh3_64(name.as_encoded_bytes());
    Some(root.join("ptxasw").join(format!("{hash:016x}")))
}
