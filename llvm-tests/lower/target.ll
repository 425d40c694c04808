; LLVM writes the PTX that a target needs, if less is asked for: `activemask` is there.
; ptxasw: explain

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  %p = getelementptr float, ptr %in, i64 %wide
  %q = getelementptr float, ptr %p, i64 1
  %x = load float, ptr %p, align 4
  %y = load float, ptr %q, align 4
  %z = fadd float %x, %y
  %place = getelementptr float, ptr %out, i64 %wide
  store float %z, ptr %place, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_75" "target-features"="+ptx42,+sm_75" }
; expect:
; kernel `row`: 1 of 2 loads become shuffles, mean |N| 1.00
;   mask and clamp at line 11, wrapping F
;
; note: kept (C1): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:11:3
;    |
; 11 |   %x = load float, ptr %p, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ source of others
;
; note: covered: lane i takes what lane i+1 loaded, wrapping F
;   --> <stdin>:12:3
;    |
; 11 |   %x = load float, ptr %p, align 4
;    |   -------------------------------- source
; 12 |   %y = load float, ptr %q, align 4
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
