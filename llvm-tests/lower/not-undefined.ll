; Two uses of an undefined value need not agree.
; ptxasw: remarks

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %in, i64 undef
  %q = getelementptr inbounds float, ptr %in, i64 undef
  %a = load float, ptr %p, align 4 ; kept: C1-no-source
  %b = load float, ptr %q, align 4 ; kept: C1-no-source
  %s = fadd float %a, %b
  %i = zext i32 %t to i64
  %r = getelementptr inbounds float, ptr %out, i64 %i
  store float %s, ptr %r, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
