; Two calls of a function that loads: inlined, they are neighbours. (twin: not-inlined)
; ptxasw: explain --full --profit always --llvm-passes gpucc
; launch: pair grid=3 block=128 args=f32[520]:zero,f32[540],300
; launch: pair grid=3 block=48 args=f32[520]:zero,f32[540],140
; launch: pair grid=3 block=16,8 args=f32[520]:zero,f32[540],48

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define internal float @at(ptr readonly %row, i32 %index) {
  %from = getelementptr inbounds float, ptr %row, i32 %index
  %x = load float, ptr %from, align 4
  ret float %x
}

define ptx_kernel void @pair(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %exit

body:
  %next = add nsw i32 %i, 1
  %x = call float @at(ptr %in, i32 %i)
  %y = call float @at(ptr %in, i32 %next)
  %sum = fadd float %x, %y
  %to = getelementptr inbounds float, ptr %out, i32 %i
  store float %sum, ptr %to, align 4
  br label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; expect:
; pair: changed; 1 of 2 loads shuffled
;   pair: no estimate: the module has no `target-cpu`: pass `--arch sm_80`
;
; kernel  loads  stores  shuffled  kept
; pair        2       1         1     2
;
; kernel `pair`
;   1 shuffled, scheme F, mask and clamp at line 21
;       line 22 from 21 (lane i+1)
;   1 kept, shuffle: other loads take its value
;       line 21
;   1 kept: no pass found anything to do with it
;       line 24
;
; note: kept (C1-no-source): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:21:3
;    |
; 21 |   %x.i = load float, ptr %from.i, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ source of others
;
; note: covered: lane i takes what lane i+1 loaded, scheme F
;   --> <stdin>:22:3
;    |
; 21 |   %x.i = load float, ptr %from.i, align 4
;    |   --------------------------------------- source
; 22 |   %x.i2 = load float, ptr %from.i1, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ becomes a shuffle
;    |
;    = note: C1: affine normal form; the range of the index excludes an overflow
;    = note: C2: the source dominates the destination in the same iteration
;    = note: C3: the bytes are constant while the kernel runs
;    = note: C4: `activemask`, read at a point from which all its lanes arrive here together
;    = note: C5: the clamp of the shuffle holds the row's ends
;    = note: C6: the source has no guard of its own and loads all its bytes
;
; assumed: the kernel is free of data races, as CUDA C++ demands
