//! The KernelGen operators of the paper, with launches made up by the command.

use super::folder::Folder;
use std::fs;
use std::path::Path;

/// Warp instructions for an operator: enough for every block shape, and for half of the launches.
const STEPS: &str = "600000";
/// Warp instructions for one of the largest.
const MORE_STEPS: &str = "1200000";

fn check(name: &str, steps: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests/kernelgen");
    let text = fs::read_to_string(folder.join(format!("{name}.sm_80.ptx"))).unwrap();
    let folder = Folder::new(&text, "");
    let ran = folder.run(&["opt", "a.ptx", "-o", "b.ptx"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = folder.verify(&["--steps", steps, "--schedules", "lockstep,its:1"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
}

macro_rules! operators {
    ($steps:ident: $($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name), $steps);
        })*
    };
}

operators! {
    STEPS: divergence gameoflife gaussblur gradient jacobi lapgsrb laplacian matmul
    matvec sincos tricubic tricubic2 uxx1 vecadd wave13pt whispering
    derivative rhs4
}

operators! {
    MORE_STEPS: hypterm
}
