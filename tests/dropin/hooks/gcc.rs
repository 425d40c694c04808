//! GCC's offloading to nvptx, whose assembler is `nvptx-none-as`.

use super::figures;
use crate::place::{Place, present, said};
use std::path::PathBuf;

const SOURCE: &str = "void f(int n, float *restrict a, float *restrict b) {
#pragma acc parallel loop copyin(b[0:n]) copyout(a[0:n])
  for (int i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i] + b[i + 1];
}
int main() { static float a[100], b[100]; f(100, a, b); return (int)a[3]; }
";

/// A gcc that offloads to nvptx: the newest.
fn gcc() -> Option<PathBuf> {
    let found = glob::glob("/usr/lib/gcc/*/*/accel/nvptx-none/mkoffload").unwrap();
    let versions = found.flatten().filter_map(|path| {
        let version = path.ancestors().nth(3)?.file_name()?.to_str()?.to_string();
        Some(PathBuf::from(format!("/usr/bin/gcc-{version}")))
    });
    present(
        "gcc for nvptx",
        versions.filter(|path| path.is_file()).max(),
    )
}

#[test]
fn gcc_assembles_through_us() {
    let Some(gcc) = gcc() else { return };
    let place = Place::new();
    place.file("acc.c", SOURCE);
    for (folder, modules) in [(Some(place.path("bin")), 1), (None, 0)] {
        let mut options = "nvptx-none=-misa=sm_80 -mptx=7.0".to_string();
        if let Some(folder) = folder {
            options += &format!(" -B{}", folder.display());
        }
        let output = place
            .command(&gcc)
            .args([
                "-O2",
                "-fopenacc",
                "-foffload=nvptx-none",
                "acc.c",
                "-o",
                "acc",
            ])
            .arg(format!("-foffload-options={options}"))
            .env("PTXASW_STATS_DIR", place.path("stats"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", said(&output));
        assert!(!said(&output).contains("ptxasw"), "{}", said(&output));
        assert_eq!(figures(&place).0, modules);
        assert!(place.is_clean());
    }
}

#[test]
fn an_assembler_that_is_asked_for_its_version_answers() {
    let Some(_) = gcc() else { return };
    let place = Place::new();
    let output = place
        .command(place.path("bin/as"))
        .arg("--version")
        .output()
        .unwrap();
    let real = place
        .command("nvptx-none-as")
        .arg("--version")
        .output()
        .unwrap();
    assert_eq!(
        (output.stdout, output.status.code()),
        (real.stdout, Some(0))
    );
}
