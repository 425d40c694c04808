; Five taps in a loop are neighbours once it is unrolled. (twin: not-unrolled)
; ptxasw: explain --full --profit always --unroll-threshold 1000
; launch: taps grid=3 block=128 args=f32[520]:zero,f32[540],300
; launch: taps grid=3 block=48 args=f32[520]:zero,f32[540],140
; launch: taps grid=3 block=16,8 args=f32[520]:zero,f32[540],48

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @taps(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %loop, label %exit

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = add nsw i32 %i, %k
  %from = getelementptr inbounds float, ptr %in, i32 %index
  %x = load float, ptr %from, align 4
  %more = fadd float %sum, %x
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 5
  br i1 %done, label %end, label %loop

end:
  %to = getelementptr inbounds float, ptr %out, i32 %i
  store float %more, ptr %to, align 4
  br label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; expect:
; taps: changed; 4 of 5 loads shuffled
;   taps: no estimate: the module has no `target-cpu`: pass `--arch sm_80`
;
; kernel  loads  stores  shuffled  kept
; taps        5       1         4     2
;
; kernel `taps`
;   4 shuffled, scheme F, mask and clamp at line 19
;       lines 22 from 19 (lane i+1), 25 from 19 (lane i+2), 28 from 19 (lane i+3),
;             31 from 19 (lane i+4)
;   1 kept, shuffle: other loads take its value
;       line 19
;   1 kept: no pass found anything to do with it
;       line 34
;
; note: kept (C1-no-source): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:19:3
;    |
; 19 |   %x = load float, ptr %from, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ source of others
;
; note: covered: lane i takes what lane i+1 loaded, scheme F
;   --> <stdin>:22:3
;    |
; 19 |   %x = load float, ptr %from, align 4
;    |   ----------------------------------- source
; ...
; 22 |   %x.1 = load float, ptr %from.1, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ becomes a shuffle
;    |
;    = note: C1: affine normal form; the range of the index excludes an overflow
;    = note: C2: the source dominates the destination in the same iteration
;    = note: C3: the bytes are constant while the kernel runs
;    = note: C4: `activemask`, read at a point from which all its lanes arrive here together
;    = note: C5: the clamp of the shuffle holds the row's ends
;    = note: C6: the source has no guard of its own and loads all its bytes
;
; note: covered: lane i takes what lane i+2 loaded, scheme F
;   --> <stdin>:25:3
;    |
; 25 |   %x.2 = load float, ptr %from.2, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ becomes a shuffle
;    |
;   ::: <stdin>:19:3
;    |
; 19 |   %x = load float, ptr %from, align 4
;    |   ----------------------------------- source
;    |
;    = note: C1: affine normal form; the guard excludes an overflow
;    = note: C2: the source dominates the destination in the same iteration
;    = note: C3: the bytes are constant while the kernel runs
;    = note: C4: `activemask`, read at a point from which all its lanes arrive here together
;    = note: C5: the clamp of the shuffle holds the row's ends
;    = note: C6: the source has no guard of its own and loads all its bytes
;
; note: covered: lane i takes what lane i+3 loaded, scheme F
;   --> <stdin>:28:3
;    |
; 28 |   %x.3 = load float, ptr %from.3, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ becomes a shuffle
;    |
;   ::: <stdin>:19:3
;    |
; 19 |   %x = load float, ptr %from, align 4
;    |   ----------------------------------- source
;    |
;    = note: C1: affine normal form; the guard excludes an overflow
;    = note: C2: the source dominates the destination in the same iteration
;    = note: C3: the bytes are constant while the kernel runs
;    = note: C4: `activemask`, read at a point from which all its lanes arrive here together
;    = note: C5: the clamp of the shuffle holds the row's ends
;    = note: C6: the source has no guard of its own and loads all its bytes
;
; note: covered: lane i takes what lane i+4 loaded, scheme F
;   --> <stdin>:31:3
;    |
; 31 |   %x.4 = load float, ptr %from.4, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ becomes a shuffle
;    |
;   ::: <stdin>:19:3
;    |
; 19 |   %x = load float, ptr %from, align 4
;    |   ----------------------------------- source
;    |
;    = note: C1: affine normal form; the guard excludes an overflow
;    = note: C2: the source dominates the destination in the same iteration
;    = note: C3: the bytes are constant while the kernel runs
;    = note: C4: `activemask`, read at a point from which all its lanes arrive here together
;    = note: C5: the clamp of the shuffle holds the row's ends
;    = note: C6: the source has no guard of its own and loads all its bytes
;
; assumed: the kernel is free of data races, as CUDA C++ demands
