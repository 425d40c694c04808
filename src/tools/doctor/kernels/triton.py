# The same for Triton; no GPU is needed.
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget


@triton.jit
def butterfly(out, x, n, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    m = i < n
    tl.store(out + 2 * i, tl.load(x + 2 * i, m) + tl.load(x + 2 * i + 1, m), m)
    tl.store(out + 2 * i + 1, tl.load(x + 2 * i, m) - tl.load(x + 2 * i + 1, m), m)


source = triton.compiler.ASTSource(
    fn=butterfly,
    signature={"out": "*fp32", "x": "*fp32", "n": "i32", "SIZE": "constexpr"},
    constexprs={"SIZE": 128},
)
triton.compile(source, target=GPUTarget("cuda", 80, 32), options={"num_warps": 4})
