; As disjoint, in 64 bits.
; ptxasw: explain --full
; launch: row grid=3 block=128 args=f32[384]:zero,f32[1200],u32[3]:value=512
; launch: row grid=3 block=40 args=f32[120]:zero,f32[1200],u32[3]:value=128

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, ptr noalias readonly %starts) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %which = zext i32 %block to i64
  %s = getelementptr inbounds i32, ptr %starts, i64 %which
  %start = load i32, ptr %s, align 4
  %far = zext i32 %start to i64
  %near = zext i32 %tid to i64
  %wide = or disjoint i64 %far, %near
  %p = getelementptr float, ptr %in, i64 %wide
  %q = getelementptr float, ptr %p, i64 1
  %r = getelementptr float, ptr %p, i64 2
  %x = load float, ptr %p, align 4
  %y = load float, ptr %q, align 4
  %z = load float, ptr %r, align 4
  %sum = fadd float %x, %y
  %all = fmul float %sum, %z
  %first = mul i32 %block, %size
  %place = add i32 %first, %tid
  %cell = zext i32 %place to i64
  %o = getelementptr inbounds float, ptr %out, i64 %cell
  store float %all, ptr %o, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; expect:
; row: changed; 2 of 4 loads shuffled
;   row: no estimate: the module has no `target-cpu`: pass `--arch sm_80`
;
; kernel  loads  stores  shuffled  kept
; row         4       1         2     3
;
; kernel `row`
;   2 shuffled, scheme F, mask and clamp at line 19
;       lines 20 from 19 (lane i+1), 21 from 19 (lane i+2)
;   1 kept, C1-no-source: no earlier load reads these bytes in a lane at most 31 away
;       line 12
;   1 kept, shuffle: other loads take its value
;       line 19
;   1 kept: no pass found anything to do with it
;       line 28
;
; note: kept (C1-no-source): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:12:3
;    |
; 12 |   %start = load i32, ptr %s, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ stays a load
;
; note: kept (C1-no-source): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:19:3
;    |
; 19 |   %x = load float, ptr %p, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ source of others
;
; note: covered: lane i takes what lane i+1 loaded, scheme F
;   --> <stdin>:20:3
;    |
; 19 |   %x = load float, ptr %p, align 4
;    |   -------------------------------- source
; 20 |   %y = load float, ptr %q, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ becomes a shuffle
;    |
;    = note: C1: affine normal form; no bits in common: promised at line 15
;    = note: C2: the source dominates the destination in the same iteration
;    = note: C3: the bytes are constant while the kernel runs
;    = note: C4: `activemask`, read at a point from which all its lanes arrive here together
;    = note: C5: the clamp of the shuffle holds the row's ends
;    = note: C6: the source has no guard of its own and loads all its bytes
;
; note: covered: lane i takes what lane i+2 loaded, scheme F
;   --> <stdin>:21:3
;    |
; 19 |   %x = load float, ptr %p, align 4
;    |   -------------------------------- source
; 20 |   %y = load float, ptr %q, align 4
; 21 |   %z = load float, ptr %r, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ becomes a shuffle
;    |
;    = note: C1: affine normal form; no bits in common: promised at line 15
;    = note: C2: the source dominates the destination in the same iteration
;    = note: C3: the bytes are constant while the kernel runs
;    = note: C4: `activemask`, read at a point from which all its lanes arrive here together
;    = note: C5: the clamp of the shuffle holds the row's ends
;    = note: C6: the source has no guard of its own and loads all its bytes
;
; assumed: the kernel is free of data races, as CUDA C++ demands
