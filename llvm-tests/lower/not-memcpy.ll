; What copies memory may write what is loaded behind it.
; ptxasw: remarks

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr inbounds float, ptr %in, i64 %i
  %a = load float, ptr %p, align 4 ; kept: C1-no-source
  call void @llvm.memcpy.p0.p0.i64(ptr %in, ptr %out, i64 8, i1 false)
  %q = getelementptr inbounds float, ptr %p, i64 1
  %b = load float, ptr %q, align 4 ; kept: C3-call @12
  %s = fadd float %a, %b
  %r = getelementptr inbounds float, ptr %out, i64 %i
  store float %s, ptr %r, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
