; An index whose sum says whether it wraps, and one that stops at zero: both are sums.
; ptxasw: explain
; launch: row grid=1 block=128 args=f32[128]:zero,f32[300],u32:9
; launch: row grid=1 block=40 args=f32[128]:zero,f32[300],u32:70

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %left = call i32 @llvm.usub.sat.i32(i32 %n, i32 8)
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
  %x = load float, ptr %p, align 4
  %y = load float, ptr %q, align 4
  %z = fsub float %x, %y
  %t = zext i32 %tid to i64
  %place = getelementptr float, ptr %out, i64 %t
  store float %z, ptr %place, align 4
  br label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.usub.sat.i32(i32, i32)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
; expect:
; kernel `row`: 1 of 2 loads become shuffles, mean |N| 1.00
;   mask and clamp at line 21, wrapping F
;
; note: kept (C1): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:21:3
;    |
; 21 |   %x = load float, ptr %p, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ source of others
;
; note: covered: lane i takes what lane i+1 loaded, wrapping F
;   --> <stdin>:22:3
;    |
; 21 |   %x = load float, ptr %p, align 4
;    |   -------------------------------- source
; 22 |   %y = load float, ptr %q, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ becomes a shuffle
;    |
;    = note: C1: affine normal form
;    = note: C2: the source dominates the destination in the same iteration
;    = note: C3: the bytes are constant while the kernel runs
;    = note: C4: `activemask` at a place from which all its lanes get here together
;    = note: C5: the clamp of the shuffle holds the row's ends
;    = note: C6: the source has no guard of its own and loads all its bytes
;
; assumed: the kernel is free of data races, as CUDA C++ demands
