; A frozen value is one value: the second load is the first.
; ptxasw: explain

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = freeze i64 undef
  %p = getelementptr inbounds float, ptr %in, i64 %u
  %q = getelementptr inbounds float, ptr %in, i64 %u
  %a = load float, ptr %p, align 4
  %b = load float, ptr %q, align 4
  %s = fadd float %a, %b
  %i = zext i32 %t to i64
  %r = getelementptr inbounds float, ptr %out, i64 %i
  store float %s, ptr %r, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; expect:
; kernel `k`: 1 of 2 loads become shuffles, mean |N| 0.00
;
; note: kept (C1): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:11:3
;    |
; 11 |   %a = load float, ptr %p, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ source of others
;
; note: covered: the thread has loaded this value before
;   --> <stdin>:12:3
;    |
; 11 |   %a = load float, ptr %p, align 4
;    |   -------------------------------- source
; 12 |   %b = load float, ptr %q, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ becomes a shuffle
;    |
;    = note: C1: affine normal form
;    = note: C2: the source dominates the destination in the same iteration
;    = note: C3: nothing that writes or orders memory lies between
;    = note: C4: the thread's own value
;    = note: C5: the thread's own value
;    = note: C6: the source has no guard of its own and loads all its bytes
;
; assumed: the kernel is free of data races, as CUDA C++ demands
