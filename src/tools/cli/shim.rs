//! `ptxasw shim`: a shadow of a CUDA toolkit whose `nvcc` calls us.

use super::bundle::{self, Made};
use crate::dropin::bundle::Carried;
use crate::dropin::shim;
use anyhow::Context;
use clap::Args;
use std::env;
use std::path::PathBuf;

/// Makes a shadow of a CUDA toolkit whose `nvcc` calls ptxasw in place of `ptxas`.
///
/// Every entry is a link into the toolkit, but for `bin/ptxas`, which is a file as `ptxasw bundle` makes it: it does not read
/// `PTXASW_*` variables that change what is emitted, it contains NVIDIA's ptxas, and it is not for passing on.
#[derive(Args)]
pub struct Arguments {
    /// The folder of the shadow; made if it is not there.
    folder: PathBuf,
    /// The toolkit; without it `CUDA_HOME`, `CUDA_PATH`, or the one that `nvcc` on `PATH` belongs to.
    #[arg(long, value_name = "HOME")]
    cuda_home: Option<PathBuf>,
    #[command(flatten)]
    made: Made,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let home = home(arguments.cuda_home.clone())
        .context("no CUDA toolkit: pass `--cuda-home HOME` or set CUDA_HOME")?;
    let made = &arguments.made;
    let carried = Carried {
        assembler: made.ptxas.clone().unwrap_or(home.join("bin/ptxas")),
        settings: made.settings.with_variables()?,
        solver: bundle::has_solver(made.no_solver),
    };
    let assembler = shim::create(&arguments.folder, &home)?;
    bundle::write(&assembler, &carried)?;
    ptxasw_base::tell!("{}\n", arguments.folder.join("bin/nvcc").display());
    Ok(())
}

/// The toolkit that is meant.
pub fn home(named: Option<PathBuf>) -> Option<PathBuf> {
    let variables = ["CUDA_HOME", "CUDA_PATH"]
        .into_iter()
        .filter_map(env::var_os);
    let on_path = || {
        let path = env::var_os("PATH")?;
        let nvcc = env::split_paths(&path)
            .map(|folder| folder.join("nvcc"))
            .find(|file| file.is_file())?;
        // `/usr/bin/nvcc` may be a link into the toolkit.
        let nvcc = nvcc.canonicalize().ok()?;
        Some(nvcc.parent()?.parent()?.to_path_buf())
    };
    named
        .or_else(|| variables.map(PathBuf::from).find(|home| home.is_dir()))
        .or_else(on_path)
}
