//! What the drop-in assembler adds to `ptxas`: paired runs on the same file and the same options.

use crate::process::{Cost, median, run};
use ptxasw::toolchain::{Arch, Assembler};
use std::fmt::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Pairs of runs for each row.
const PAIRS: usize = 60;

/// What is assembled: a name, a file, and what becomes of it.
const ROWS: &[(&str, &str, &str)] = &[
    ("vecadd", "kernelgen/vecadd.sm_80.ptx", "nothing to cover"),
    ("matmul", "kernelgen/matmul.sm_80.ptx", "nothing to cover"),
    ("sincos", "kernelgen/sincos.sm_80.ptx", "nothing to cover"),
    ("gaussblur", "kernelgen/gaussblur.sm_80.ptx", "shuffles"),
    ("wave13pt", "kernelgen/wave13pt.sm_80.ptx", "shuffles"),
    (
        "tricubic",
        "kernelgen/tricubic.sm_80.ptx",
        "shuffles that cost warps: both are assembled, the original is taken",
    ),
];

/// The table.
pub fn table() -> String {
    let Ok(assembler) = Assembler::find(Arch::new(80)) else {
        return "no ptxas\n".to_string();
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let link = folder.path().join("ptxas");
    symlink(env!("CARGO_BIN_EXE_ptxasw"), &link).expect("a link");
    let mut out = String::from(
        "| module | what becomes of it | `ptxas` ms | with ptxasw ms | added ms, median of pairs |\n| --- | --- | ---: | ---: | ---: |\n",
    );
    for (name, file, what) in ROWS {
        let input = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("ptx-tests")
            .join(file);
        let one = |program: &Path| -> f64 {
            let mut command = Command::new(program);
            command
                .arg("-arch=sm_80")
                .arg(&input)
                .arg("-o")
                .arg(folder.path().join("out"))
                .env("PTXASW_PTXAS", assembler.path())
                .env("PTXASW_PROFIT", "always");
            let Cost { wall, .. } = run(&mut command);
            wall.as_secs_f64() * 1e3
        };
        let pairs: Vec<(f64, f64)> = (0..PAIRS)
            .map(|_| (one(assembler.path()), one(&link)))
            .collect();
        let _ = writeln!(
            out,
            "| {name} | {what} | {:.1} | {:.1} | {:.1} |",
            median(pairs.iter().map(|pair| pair.0).collect()),
            median(pairs.iter().map(|pair| pair.1).collect()),
            median(pairs.iter().map(|pair| pair.1 - pair.0).collect()),
        );
    }
    out
}
