//! Where the tools of a CUDA toolkit are.

use std::env;
use std::path::{Path, PathBuf};

use super::{Arch, ToolchainError};

/// Which of the places of the search a tool was found in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Named by the user, by `--ptxas`.
    Argument,
    /// Named by the environment, for example by `PTXASW_PTXAS`.
    Environment,
    /// The wheels that the set-up script installs.
    Toolchain,
    /// `$CUDA_HOME/bin`.
    CudaHome,
    /// A folder of `PATH`.
    Path,
}

/// The places that are searched for a tool, in this order: an explicit path,
/// the tool's own environment variable (`PTXASW_PTXAS` for `ptxas`), the
/// installed wheels, `CUDA_HOME`, `PATH`.
#[derive(Clone, Default, Debug)]
pub struct Search {
    /// A `ptxas` that the user named.
    pub ptxas: Option<PathBuf>,
    /// The virtual environment with NVIDIA's wheels.
    pub toolchain: Option<PathBuf>,
    /// Root of a CUDA toolkit.
    pub cuda_home: Option<PathBuf>,
    /// Folders of `PATH`, in order.
    pub path: Vec<PathBuf>,
}

/// Folder of CUDA 13's programs under `site-packages`.
const CUDA_13_BIN: &str = "nvidia/cu13/bin";
/// Folder of CUDA 12's `ptxas` under `site-packages`.
const CUDA_12_BIN: &str = "nvidia/cuda_nvcc/bin";

impl Search {
    /// The search that the environment describes. The wheels are those of
    /// `PTXASW_TOOLCHAIN`, else of the folder `toolchain` beside the build
    /// folder that this program runs from, else of the virtual environment
    /// that it is installed in.
    pub fn from_environment() -> Self {
        Search {
            ptxas: None,
            toolchain: env::var_os("PTXASW_TOOLCHAIN")
                .map(PathBuf::from)
                .or_else(|| toolchain_of(&env::current_exe().ok()?)),
            cuda_home: env::var_os("CUDA_HOME").map(PathBuf::from),
            path: env::var_os("PATH")
                .map(|path| env::split_paths(&path).collect())
                .unwrap_or_default(),
        }
    }

    /// The `ptxas` for an architecture. Below sm_75 that is the one of CUDA
    /// 12.9, where the wheels are searched.
    pub fn ptxas(&self, arch: Arch) -> Result<(PathBuf, Origin), ToolchainError> {
        let bin = if arch < Arch::OLDEST_OF_CUDA_13 {
            CUDA_12_BIN
        } else {
            CUDA_13_BIN
        };
        match &self.ptxas {
            Some(named) => Ok((named.clone(), Origin::Argument)),
            None => self.tool("ptxas", bin),
        }
    }

    /// Another program of the toolkit: `nvcc`, `nvdisasm`, `cuobjdump`.
    pub fn program(&self, name: &str) -> Result<(PathBuf, Origin), ToolchainError> {
        self.tool(name, CUDA_13_BIN)
    }

    /// The `nvdisasm` that reads machine code for an architecture. CUDA 13.1 and later read none below sm_75: there it is
    /// the one that `PTXASW_NVDISASM_12` names.
    pub fn disassembler(&self, arch: Arch) -> Result<PathBuf, ToolchainError> {
        let named = env::var_os(variable("nvdisasm_12")).filter(|value| !value.is_empty());
        match named {
            Some(named) if arch < Arch::OLDEST_OF_CUDA_13 => Ok(named.into()),
            _ => Ok(self.program("nvdisasm")?.0),
        }
    }

    /// A program that is no part of a CUDA toolkit: where its environment variable (`PTXASW_CVC5` for `cvc5`) says, else
    /// on `PATH`.
    pub fn solver(&self, name: &str) -> Option<PathBuf> {
        if let Some(named) = env::var_os(variable(name)).filter(|value| !value.is_empty()) {
            return Some(named.into());
        }
        self.on_path(name)
    }

    /// A program on `PATH`.
    pub fn on_path(&self, name: &str) -> Option<PathBuf> {
        let mut files = self.path.iter().map(|folder| folder.join(name));
        files.find(|file| file.is_file())
    }

    fn tool(&self, name: &str, bin: &str) -> Result<(PathBuf, Origin), ToolchainError> {
        if let Some(named) = env::var_os(variable(name)).filter(|value| !value.is_empty()) {
            return Ok((named.into(), Origin::Environment));
        }
        let wheels = self
            .toolchain
            .iter()
            .flat_map(|root| site_packages(root))
            .map(|site| (site.join(bin), Origin::Toolchain));
        let cuda_home = self
            .cuda_home
            .iter()
            .map(|root| (root.join("bin"), Origin::CudaHome));
        let path = self
            .path
            .iter()
            .map(|folder| (folder.clone(), Origin::Path));
        wheels
            .chain(cuda_home)
            .chain(path)
            .map(|(folder, origin)| (folder.join(name), origin))
            .find(|(file, _)| file.is_file())
            .ok_or_else(|| ToolchainError::NotFound(name.to_owned()))
    }
}

/// Finds a shared library of this project for the program `own`: in the same folder, in `deps` of a build folder (`cargo test` does not
/// copy it from there), or in `lib/ptxasw` beside `bin`, where packages install it.
pub fn library(own: &Path, name: &str) -> Option<PathBuf> {
    let folder = own.parent()?;
    let places = ["", "deps", "../lib/ptxasw"];
    let mut files = places
        .into_iter()
        .map(|place| folder.join(place).join(name));
    files.find(|file| file.is_file())
}

/// The environment variable that names a tool's program.
fn variable(name: &str) -> String {
    format!("PTXASW_{}", name.to_uppercase())
}

/// `lib/python3*/site-packages` of a virtual environment, in name order.
pub(super) fn site_packages(root: &Path) -> Vec<PathBuf> {
    let Ok(entries) = root.join("lib").read_dir() else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path().join("site-packages"))
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

/// Programs of a build lie in `target/release` or `target/debug/deps`, the
/// wheels in `target/toolchain`. An installed program lies in `bin` of a
/// virtual environment, which has the wheels or not.
fn toolchain_of(program: &Path) -> Option<PathBuf> {
    let beside = program.ancestors().skip(2).take(2);
    let built = beside
        .map(|folder| folder.join("toolchain"))
        .find(|folder| folder.is_dir());
    let has_wheels = |root: &&Path| {
        let sites = site_packages(root);
        sites.iter().any(|site| site.join("nvidia").is_dir())
    };
    let installed = program.ancestors().nth(2).filter(has_wheels);
    built.or_else(|| installed.map(Path::to_path_buf))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn touch(file: PathBuf) -> PathBuf {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "").unwrap();
        file
    }

    /// `nvdisasm` stands for all programs: no test may depend on variables of
    /// the machine that runs it, and nobody sets `PTXASW_NVDISASM`.
    #[test]
    fn places_are_searched_in_order() {
        let root = tempfile::tempdir().unwrap();
        let search = Search {
            ptxas: None,
            toolchain: Some(root.path().join("venv")),
            cuda_home: Some(root.path().join("cuda")),
            path: vec![root.path().join("a"), root.path().join("b")],
        };
        let found = || search.program("nvdisasm").map(|(_, origin)| origin);
        assert!(matches!(found(), Err(ToolchainError::NotFound(_))));
        touch(root.path().join("b/nvdisasm"));
        assert_eq!(found().unwrap(), Origin::Path);
        touch(root.path().join("cuda/bin/nvdisasm"));
        assert_eq!(found().unwrap(), Origin::CudaHome);
        let wheel = touch(
            root.path()
                .join("venv/lib/python3.11/site-packages/nvidia/cu13/bin/nvdisasm"),
        );
        let (path, origin) = search.program("nvdisasm").unwrap();
        assert_eq!((path, origin), (wheel, Origin::Toolchain));
    }

    #[test]
    fn wheels_of_its_own_environment_are_found() {
        let root = tempfile::tempdir().unwrap();
        let program = touch(root.path().join("venv/bin/ptxasw"));
        let site = root.path().join("venv/lib/python3.11/site-packages");
        fs::create_dir_all(&site).unwrap();
        assert_eq!(toolchain_of(&program), None);
        touch(site.join("nvidia/cu13/bin/ptxas"));
        assert_eq!(toolchain_of(&program), Some(root.path().join("venv")));
    }

    #[test]
    fn a_named_assembler_wins() {
        let search = Search {
            ptxas: Some("elsewhere/ptxas".into()),
            ..Search::from_environment()
        };
        let (path, origin) = search.ptxas(Arch::new(80)).unwrap();
        assert_eq!((path, origin), ("elsewhere/ptxas".into(), Origin::Argument));
    }
}
