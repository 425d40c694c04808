//! The advice of `ptxasw run-build` where a build did not come to ptxasw: some ways of compiling call no assembler.

use ptxasw_driver::report::stats::Figures;
use ptxasw_machine::toolchain::cuda::{self, NEWEST_FOR_CLANG};
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitStatus;

/// Variables by which builds pass options to compilers.
const FLAGS: &[&str] = &["NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "CUDAFLAGS"];

/// A line for the user, or nothing where all is well.
pub fn of(
    command: &[OsString],
    home: Option<&Path>,
    status: ExitStatus,
    figures: &Figures,
) -> Option<String> {
    let mut words: Vec<String> = command
        .iter()
        .map(|word| word.display().to_string())
        .collect();
    for flags in FLAGS.iter().filter_map(env::var_os) {
        words.extend(
            flags
                .to_string_lossy()
                .split_whitespace()
                .map(str::to_string),
        );
    }
    let version = home.and_then(|home| cuda::header_version(&home.join("include")));
    match status.success() {
        false => too_new(&words, version),
        true if figures.modules == 0 => Some(unseen(&words)),
        true => None,
    }
}

/// A build by clang that fails, with a toolkit that clang does not take.
fn too_new(words: &[String], version: Option<(u32, u32)>) -> Option<String> {
    let (major, minor) = version?;
    let is_clang = words.iter().any(|word| word.contains("clang"));
    (major > NEWEST_FOR_CLANG && is_clang).then(|| {
        format!(
            "note: the toolkit is CUDA {major}.{minor}: clang 19 needs the headers of CUDA {NEWEST_FOR_CLANG} (`--cuda-path=HOME`)"
        )
    })
}

/// Why no module came: what the command shows, else what is likely.
fn unseen(words: &[String]) -> String {
    let has = |test: &dyn Fn(&str) -> bool| words.iter().any(|word| test(word));
    let why = if has(&|word| {
        matches!(word, "-dlto" | "--dlink-time-opt") || word.contains("code=lto_")
    }) {
        "with `-dlto` nvlink generates the code, and calls no ptxas: build without it (`-rdc=true` alone will do)"
    } else if has(&|word| is_virtual(word)) && !has(&|word| is_real(word)) {
        "for a `compute_` target the driver generates the code when the program runs: name a real target (`-arch=sm_80`)"
    } else if has(&|word| matches!(word, "-G" | "--device-debug" | "-O0")) {
        "debug builds are left as they are"
    } else {
        "likely causes: nothing was compiled anew (up to date, or cached); `-dlto` (nvlink generates the code: build without \
         it) or only `compute_` targets (the driver does: name a real target, `-arch=sm_80`); NVRTC to cubin (ask it for PTX); \
         a debug build (`-G`, `-O0`); a compiler that the build names by its path. `ptxasw doctor` tries each compiler"
    };
    format!("warning: no PTX came to ptxasw in this build: {why}")
}

/// An option of nvcc that asks for PTX in the program.
fn is_virtual(word: &str) -> bool {
    word.contains("arch=compute_") || word.starts_with("compute_")
}

/// One that asks for machine code.
fn is_real(word: &str) -> bool {
    word.contains("sm_") || matches!(word, "-arch=native" | "-arch=all" | "-arch=all-major")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(words: &str) -> String {
        unseen(&words.split(' ').map(str::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn what_the_command_shows_is_named_alone() {
        assert!(advice("nvcc -arch=sm_80 -dlto a.cu").contains("`-dlto` nvlink"));
        assert!(
            advice("nvcc -gencode arch=compute_80,code=lto_80 a.cu").contains("`-dlto` nvlink")
        );
        assert!(advice("nvcc -arch=compute_80 a.cu").contains("`compute_` target the driver"));
        assert!(advice("nvcc -arch=sm_80 -G a.cu").contains("debug builds"));
        for other in ["make -j8", "nvcc -gencode arch=compute_80,code=sm_80 a.cu"] {
            assert!(advice(other).contains("likely causes"), "{other}");
        }
    }

    #[test]
    fn clang_is_told_which_headers_it_needs() {
        let words = ["clang++".to_string(), "a.cu".to_string()];
        assert!(
            too_new(&words, Some((13, 5)))
                .unwrap()
                .contains("CUDA 13.5")
        );
        assert_eq!(too_new(&words, Some((12, 9))), None);
        assert_eq!(too_new(&words[1..], Some((13, 5))), None);
        assert_eq!(too_new(&words, None), None);
    }
}
