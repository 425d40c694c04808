//! Pages in Chromium, by the checks of `page.mjs`.

use ptxasw::toolchain::{Arch, Assembler};
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A module whose names and comments hold markup.
pub const HOSTILE: &str = "// launch: grid=1 block=64 args=i32[64]\n\
    // </script><script id=injected>alert(1)</script><img src=x id=injected onerror=alert(2)>\n\
    .version 8.0\n.target sm_80\n.address_size 64\n\
    .visible .entry _Z4copyIiEvPT_(.param .u64 a)\n{\n.reg .b32 %r<4>;\n.reg .b64 %d<4>;\n\
    .loc 1 2 3\nld.param.u64 %d1, [a];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.u64 %d1, %d1, %d2;\n\
    ld.global.u32 %r2, [%d1]; // <b id=injected>\nst.global.u32 [%d1], %r2;\nret;\n}\n\
    .file 1 \"k.cu\"\n.file 2 \"<img src=x id=injected onerror=alert(3)>.cu\"\n";

/// Says that something is not there; on CI that is a failure.
fn skipped(what: &str) {
    assert!(
        env::var_os("CI").is_none(),
        "CI is set, and there is no {what}"
    );
    println!("skipped: no {what}");
}

pub fn skipped_without_ptxas() -> bool {
    let missing = Assembler::find(Arch::new(80)).is_err();
    if missing {
        skipped("ptxas");
    }
    missing
}

/// The files that a call of the drop-in leaves.
pub struct Build {
    pub folder: TempDir,
}

impl Build {
    /// One module, assembled.
    pub fn of_a_call() -> Option<Self> {
        if skipped_without_ptxas() {
            return None;
        }
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("k.ptx"), HOSTILE).unwrap();
        let ptxas = Assembler::find(Arch::new(80)).unwrap();
        let done = Command::new(env!("CARGO_BIN_EXE_ptxasw"))
            .args([
                "as",
                "--tool",
                "ptxas",
                "--",
                "-arch=sm_80",
                "k.ptx",
                "-o",
                "k.cubin",
            ])
            .env("PTXASW_PTXAS", ptxas.path())
            .env("PTXASW_STATS_DIR", folder.path().join("stats"))
            .env("PTXASW_STATS_MODULES", "1")
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        Some(Build { folder })
    }
}

/// Runs the checks on a page; what is in `expected` must be there.
fn checked(page: &Path, expected: &str) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report");
    let done = Command::new("node")
        .arg(tests.join("page.mjs"))
        .arg(page)
        .args(["--expect", expected])
        .output();
    let done = done.expect("node starts");
    let (out, error) = (
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr),
    );
    assert!(done.status.success(), "{out}{error}");
}

/// Whether there is no browser, or nothing that drives it.
fn skipped_without_browser() -> bool {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report");
    let node = Command::new("node").arg("--version").output().is_ok();
    let missing = [
        (node, "node"),
        (
            Path::new("/usr/bin/chromium").exists() || env::var_os("CHROMIUM").is_some(),
            "chromium",
        ),
        (
            tests.join("node_modules/playwright-core").exists(),
            "playwright-core (npm ci in tests/report)",
        ),
    ];
    let missing: Vec<&str> = missing
        .iter()
        .filter(|(found, _)| !found)
        .map(|(_, what)| *what)
        .collect();
    missing.iter().for_each(|what| skipped(what));
    !missing.is_empty()
}

/// A stencil, a block-tridiagonal solve, a kernel of Triton's, and one that is hostile.
#[test]
fn pages_work_in_a_browser() {
    if skipped_without_browser() || skipped_without_ptxas() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests");
    fs::write(folder.path().join("<b id=injected>.ptx"), HOSTILE).unwrap();
    fs::write(
        folder.path().join("k.cu"),
        "// <b id=injected>\n__global__ void copy(int* a) {}\n",
    )
    .unwrap();
    let modules = [
        "kernelgen/jacobi.sm_80.ptx",
        "loads/openacc/bt.gcc.ptx",
        "producers/conv1d.triton-sm_90.ptx",
    ];
    let done = Command::new(env!("CARGO_BIN_EXE_ptxasw"))
        .args(["report", "--config", "none"])
        .args(modules.map(|module| root.join(module)))
        .args(["<b id=injected>.ptx", "-o", "page.html", "--verify"])
        .args(["--arch", "sm_90"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    checked(
        &folder.path().join("page.html"),
        "lanes,arrows,clock,cycles,code,machine,source,order,why,remarks,evidence,modules",
    );
}

/// The page of a report that was made by hand: all that a report may hold, a kernel of 5,000 lines, figures of a build.
#[test]
fn the_sample_works_in_a_browser() {
    if skipped_without_browser() {
        return;
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report");
    let done = Command::new("node")
        .arg(tests.join("page.mjs"))
        .arg("--sample")
        .output()
        .unwrap();
    let (out, error) = (
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr),
    );
    assert!(done.status.success(), "{out}{error}");
}
