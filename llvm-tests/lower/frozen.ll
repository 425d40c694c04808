; A frozen value is one value: the second load is the first.
; ptxasw: remarks

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = freeze i64 undef
  %p = getelementptr inbounds float, ptr %in, i64 %u
  %q = getelementptr inbounds float, ptr %in, i64 %u
  %a = load float, ptr %p, align 4 ; kept: C1-no-source, source
  %b = load float, ptr %q, align 4 ; covered: N=0 from @12
  %s = fadd float %a, %b
  %i = zext i32 %t to i64
  %r = getelementptr inbounds float, ptr %out, i64 %i
  store float %s, ptr %r, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
