; A sum that stops at the greatest number with a sign is not modelled.
; ptxasw: remarks
; launch: row grid=1 block=128 args=f32[128]:zero,f32[300],u32:9
; launch: row grid=1 block=40 args=f32[128]:zero,f32[300],u32:70

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %left = call i32 @llvm.sadd.sat.i32(i32 %n, i32 %tid)
  %both = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %tid, i32 %left)
  %wraps = extractvalue { i32, i1 } %both, 1
  br i1 %wraps, label %exit, label %body

body:
  %i = extractvalue { i32, i1 } %both, 0
  %j = add i32 %i, 1
  %wide.i = zext i32 %i to i64
  %wide.j = zext i32 %j to i64
  %p = getelementptr float, ptr %in, i64 %wide.i
  %q = getelementptr float, ptr %in, i64 %wide.j
  %x = load float, ptr %p, align 4 ; kept: C1-no-source
  %y = load float, ptr %q, align 4 ; kept: C1-no-source
  %z = fsub float %x, %y
  %t = zext i32 %tid to i64
  %place = getelementptr float, ptr %out, i64 %t
  store float %z, ptr %place, align 4
  br label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.sadd.sat.i32(i32, i32)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
