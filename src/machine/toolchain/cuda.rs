//! CUDA toolkits as a compiler other than nvcc wants them: headers and libdevice.

use super::Search;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// A toolkit and its version, major and minor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cuda {
    /// Its root.
    pub home: PathBuf,
    /// As `cuda.h` has it.
    pub version: (u32, u32),
}

/// The newest CUDA whose headers clang takes, up to and including clang 19: those of CUDA 13 lack files that it includes.
pub const NEWEST_FOR_CLANG: u32 = 12;

/// The version of the headers in a folder, major and minor.
pub fn header_version(include: &Path) -> Option<(u32, u32)> {
    let text = fs::read(include.join("cuda.h")).ok()?;
    let text = String::from_utf8_lossy(&text);
    let number: u32 = text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let is_it = words.next() == Some("#define") && words.next() == Some("CUDA_VERSION");
        is_it.then(|| words.next()?.parse().ok())?
    })?;
    Some((number / 1000, number % 1000 / 10))
}

impl Search {
    /// The toolkits with headers and libdevice, in the order in which one would be meant: those of the environment, the usual
    /// folders, the one that the set-up script makes for clang.
    pub fn toolkits(&self) -> Vec<Cuda> {
        let named = ["CUDA_HOME", "CUDA_PATH"]
            .into_iter()
            .filter_map(env::var_os);
        let mut homes: Vec<PathBuf> = named.map(PathBuf::from).collect();
        homes.push("/usr/local/cuda".into());
        let mut versioned: Vec<PathBuf> = glob::glob("/usr/local/cuda-*")
            .into_iter()
            .flatten()
            .flatten()
            .collect();
        versioned.reverse();
        homes.extend(versioned);
        homes.push("/usr/lib/cuda".into());
        homes.extend(self.toolchain.iter().map(|root| root.join("cuda12")));
        let has_library = |home: &PathBuf| home.join("nvvm/libdevice/libdevice.10.bc").is_file();
        let homes = homes.into_iter().filter(has_library);
        homes
            .filter_map(|home| {
                let version = header_version(&home.join("include"))?;
                Some(Cuda { home, version })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_the_header() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(header_version(folder.path()), None);
        let text = "/* CUDA_VERSION */\n#define CUDA_H\n#define CUDA_VERSION 12090\n";
        fs::write(folder.path().join("cuda.h"), text).unwrap();
        assert_eq!(header_version(folder.path()), Some((12, 9)));
    }
}
