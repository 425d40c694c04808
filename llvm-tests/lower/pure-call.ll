; A function that reads nothing and returns leaves memory alone.
; ptxasw: remarks

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr inbounds float, ptr %in, i64 %i
  %a = load float, ptr %p, align 4 ; mask: F | kept: C1-no-source, source
  %c = call float @pure(float %a)
  %q = getelementptr inbounds float, ptr %p, i64 1
  %b = load float, ptr %q, align 4 ; covered: N=+1 from @11, F
  %s = fadd float %a, %b
  %r = getelementptr inbounds float, ptr %out, i64 %i
  store float %s, ptr %r, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @pure(float) #0
attributes #0 = { nosync nounwind willreturn memory(none) }
