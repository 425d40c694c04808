; Inline assembly that neither has side effects nor accesses memory, by its own word, leaves memory alone.
; ptxasw: explain

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr inbounds float, ptr %in, i64 %i
  %a = load float, ptr %p, align 4
  %c = call float asm "abs.f32 $0, $1;", "=f,f"(float %a) #0
  %q = getelementptr inbounds float, ptr %p, i64 1
  %b = load float, ptr %q, align 4
  %s = fadd float %a, %b
  %r = getelementptr inbounds float, ptr %out, i64 %i
  store float %s, ptr %r, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { nounwind memory(none) }
; expect:
; kernel `k`: 1 of 2 loads become shuffles, mean |N| 1.00
;   mask and clamp at line 10, wrapping F
;
; note: kept (C1): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:10:3
;    |
; 10 |   %a = load float, ptr %p, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ source of others
;
; note: covered: lane i takes what lane i+1 loaded, wrapping F
;   --> <stdin>:13:3
;    |
; 10 |   %a = load float, ptr %p, align 4
;    |   -------------------------------- source
; ...
; 13 |   %b = load float, ptr %q, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ becomes a shuffle
;    |
;    = note: C1: affine normal form
;    = note: C2: the source dominates the destination in the same iteration
;    = note: C3: nothing that writes or orders memory lies between
;    = note: C4: `activemask` at a place from which all its lanes get here together
;    = note: C5: the clamp of the shuffle holds the row's ends
;    = note: C6: the source has no guard of its own and loads all its bytes
;
; assumed: the kernel is free of data races, as CUDA C++ demands
