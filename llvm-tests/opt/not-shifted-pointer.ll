; The distance to the other pointer, shifted down and up again: the store is based on both, and writes what is read again.
; ptxasw: remarks --profit always
; launch: row grid=1 block=32 args=f32[64]:zero,f32[64],32
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @row(ptr noalias %out, ptr noalias %in, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %tid to i64
  %p = getelementptr float, ptr %in, i64 %w
  %o = getelementptr float, ptr %out, i64 %w
  %pi = ptrtoint ptr %p to i64
  %oi = ptrtoint ptr %o to i64
  %d = sub i64 %pi, %oi
  %dh = ashr exact i64 %d, 2
  %d2 = shl i64 %dh, 2
  %e = add i64 %oi, %d2
  %ep = inttoptr i64 %e to ptr
  %x = load float, ptr %p ; kept: C1-no-source
  %x2 = fadd float %x, 1.0
  store float %x2, ptr %ep
  %y = load float, ptr %p ; kept: C3-store @21
  store float %y, ptr %o
  ret void
}
