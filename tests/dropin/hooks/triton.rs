//! Triton, which compiles without a GPU.

use super::{figures, home13, toolchain};
use crate::place::{Place, present, said};

const CONVOLUTION: &str = "
import triton, triton.language as tl
from triton.backends.compiler import GPUTarget
@triton.jit
def convolution(x, y, n, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    m = i < n - 2
    tl.store(y + i, tl.load(x + i, m) + tl.load(x + i + 1, m) + tl.load(x + i + 2, m), m)
source = triton.compiler.ASTSource(fn=convolution, signature={'x': '*fp32', 'y': '*fp32', 'n': 'i32', 'SIZE': 'constexpr'},
                                   constexprs={'SIZE': 128})
kernel = triton.compile(source, target=GPUTarget('cuda', 80, 32), options={'num_warps': 4})
assert kernel.asm['cubin'][:4] == b'\\x7fELF'
";

#[test]
fn triton_compiles_through_us() {
    let python = toolchain().map(|folder| folder.join("bin/python"));
    let has_triton = |path: &std::path::PathBuf| {
        let import = std::process::Command::new(path)
            .args(["-c", "import triton"])
            .output();
        import.is_ok_and(|output| output.status.success())
    };
    let Some(python) = present("triton", python.filter(has_triton)) else {
        return;
    };
    let place = Place::new();
    place.file("conv.py", CONVOLUTION);
    let output = place
        .command(&python)
        .arg("conv.py")
        .env("TRITON_CACHE_DIR", place.path("cache"))
        .env("TRITON_PTXAS_PATH", place.path("bin/ptxas"))
        .env("PTXASW_PTXAS", home13().unwrap().join("bin/ptxas"))
        .env("PTXASW_STATS_DIR", place.path("stats"))
        .env("PTXASW_PROFIT", "always")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let (modules, _) = figures(&place);
    assert_eq!(modules, 1);
}
