; Three of 64 bits.
; ptxasw: explain
; launch: row grid=3 block=128 args=u32[2624]:zero,u32[2624],300
; launch: row grid=3 block=48 args=u32[2624]:zero,u32[2624],140
; launch: row grid=3 block=64,2 args=u32[2624]:zero,u32[2624],190
; launch: row grid=3 block=16,8 args=u32[2624]:zero,u32[2624],48

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %exit

body:
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds <3 x i64>, ptr %in, i64 %wide
  %x = load <3 x i64>, ptr %p, align 32
  %q = getelementptr inbounds i8, ptr %p, i64 32
  %y = load <3 x i64>, ptr %q, align 32
  %z = add <3 x i64> %x, %y
  %o = getelementptr inbounds <3 x i64>, ptr %out, i64 %wide
  store <3 x i64> %z, ptr %o, align 32
  br label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; expect:
; kernel `row`: 1 of 2 loads become shuffles, mean |N| 1.00
;   mask and clamp at line 19, wrapping F
;
; note: kept (C1): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:19:3
;    |
; 19 |   %x = load <3 x i64>, ptr %p, align 32
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ source of others
;
; note: covered: lane i takes what lane i+1 loaded, wrapping F
;   --> <stdin>:21:3
;    |
; 19 |   %x = load <3 x i64>, ptr %p, align 32
;    |   ------------------------------------- source
; 20 |   %q = getelementptr inbounds i8, ptr %p, i64 32
; 21 |   %y = load <3 x i64>, ptr %q, align 32
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ becomes a shuffle
;    |
;    = note: C1: affine normal form; the index' range excludes a wrap
;    = note: C2: the source dominates the destination in the same iteration
;    = note: C3: the bytes are constant while the kernel runs
;    = note: C4: `activemask` at a place from which all its lanes get here together
;    = note: C5: the clamp of the shuffle holds the row's ends
;    = note: C6: the source has no guard of its own and loads all its bytes
;
; assumed: the kernel is free of data races, as CUDA C++ demands
