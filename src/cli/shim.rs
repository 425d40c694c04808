//! `ptxasw shim`: a shadow of a CUDA toolkit whose `nvcc` calls us.

use crate::dropin::shim;
use anyhow::Context;
use clap::Args;
use std::env;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// The folder of the shadow; made if it is not there.
    folder: PathBuf,
    /// The toolkit; without it `CUDA_HOME`, `CUDA_PATH`, or the one that `nvcc` on `PATH` belongs to.
    #[arg(long, value_name = "HOME")]
    cuda_home: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let home = home(arguments.cuda_home.clone())
        .context("no CUDA toolkit: give `--cuda-home HOME` or set CUDA_HOME")?;
    let program = env::current_exe().context("cannot find this program")?;
    shim::create(&arguments.folder, &home, &program)?;
    crate::tell!("{}\n", arguments.folder.join("bin/nvcc").display());
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
