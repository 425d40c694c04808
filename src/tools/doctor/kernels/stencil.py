# The stencil for Triton; no GPU is needed.
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget


@triton.jit
def stencil(out, x, n, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    m = i < n - 2
    tl.store(out + i, tl.load(x + i, m) + tl.load(x + i + 1, m) + tl.load(x + i + 2, m), m)


source = triton.compiler.ASTSource(
    fn=stencil,
    signature={"out": "*fp32", "x": "*fp32", "n": "i32", "SIZE": "constexpr"},
    constexprs={"SIZE": 128},
)
triton.compile(source, target=GPUTarget("cuda", 80, 32), options={"num_warps": 4})
