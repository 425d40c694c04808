//! Triton, which compiles without a GPU.

use super::{figures, home13, toolchain};
use crate::dropin::sandbox::{Sandbox, present, said};
use ptxasw::toolchain::Search;
use std::path::PathBuf;
use std::process::Command;

/// Compiles for the targets of its arguments, each into a file.
const CONVOLUTION: &str = "
import sys, triton, triton.language as tl
from triton.backends.compiler import GPUTarget
@triton.jit
def convolution(x, y, n, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    m = i < n - 2
    tl.store(y + i, tl.load(x + i, m) + tl.load(x + i + 1, m) + tl.load(x + i + 2, m), m)
source = triton.compiler.ASTSource(fn=convolution, signature={'x': '*fp32', 'y': '*fp32', 'n': 'i32', 'SIZE': 'constexpr'},
                                   constexprs={'SIZE': 128})
for target in sys.argv[1:]:
    kernel = triton.compile(source, target=GPUTarget('cuda', int(target), 32), options={'num_warps': 4})
    open(target + '.cubin', 'wb').write(kernel.asm['cubin'])
";

/// The Python that has Triton.
fn python() -> Option<PathBuf> {
    let python = toolchain().map(|folder| folder.join("bin/python"));
    let has_triton = |path: &PathBuf| {
        let import = Command::new(path).args(["-c", "import triton"]).output();
        import.is_ok_and(|output| output.status.success())
    };
    present("triton", python.filter(has_triton))
}

/// Compiles the stencil with the drop-in under both of Triton's variables: modules that it assembled, and kernels with
/// shuffles.
fn compile(sandbox: &Sandbox, python: &PathBuf, targets: &[&str], profit: &str) -> (u64, u64) {
    let output = sandbox
        .command(python)
        .arg("conv.py")
        .args(targets)
        .env("TRITON_CACHE_DIR", sandbox.path("cache"))
        .env("TRITON_PTXAS_PATH", sandbox.path("bin/ptxas"))
        .env("TRITON_PTXAS_BLACKWELL_PATH", sandbox.path("bin/ptxas"))
        .env("PTXASW_PTXAS", home13().unwrap().join("bin/ptxas"))
        .env("PTXASW_STATS_DIR", sandbox.path("stats"))
        .env("PTXASW_PROFIT", profit)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    figures(sandbox)
}

/// Shuffles in the machine code for a target.
fn shuffles(sandbox: &Sandbox, target: &str) -> usize {
    let (nvdisasm, _) = Search::from_environment().program("nvdisasm").unwrap();
    let cubin = sandbox.path(&format!("{target}.cubin"));
    let output = Command::new(nvdisasm)
        .arg("-c")
        .arg(cubin)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    String::from_utf8_lossy(&output.stdout)
        .matches("SHFL")
        .count()
}

/// Targets before and from Blackwell on, for which Triton has two assemblers. Its cache is keyed on what they say of their
/// version: other settings compile anew, the same ones are a hit.
#[test]
fn triton_compiles_through_us_and_its_cache_sees_settings() {
    let Some(python) = python() else { return };
    let sandbox = Sandbox::new();
    sandbox.file("conv.py", CONVOLUTION);
    assert_eq!(compile(&sandbox, &python, &["80", "100"], "always"), (2, 2));
    assert_eq!(
        (shuffles(&sandbox, "80"), shuffles(&sandbox, "100")),
        (2, 2)
    );
    assert_eq!(compile(&sandbox, &python, &["80"], "auto"), (1, 0));
    assert_eq!(shuffles(&sandbox, "80"), 0);
    assert_eq!(compile(&sandbox, &python, &["80", "100"], "always"), (0, 0));
    assert_eq!(
        (shuffles(&sandbox, "80"), shuffles(&sandbox, "100")),
        (2, 2)
    );
}
