; Where lanes may part and meet again, PTX gets a copy for whole warps; IR does not.
; ptxasw: explain
; launch: row grid=3 block=128 args=f32[520]:zero,f32[520],300
; launch: row grid=3 block=48 args=f32[520]:zero,f32[520],140

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
  %p = getelementptr inbounds float, ptr %in, i64 %wide
  %x = load float, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %y = load float, ptr %q, align 4
  %z = fadd float %x, %y
  %o = getelementptr inbounds float, ptr %out, i64 %wide
  store float %z, ptr %o, align 4
  br label %exit

exit:
  %w2 = sext i32 %i to i64
  %o2 = getelementptr inbounds float, ptr %out, i64 %w2
  %c = load float, ptr %o2, align 4
  %d = fadd float %c, 1.0
  store float %d, ptr %o2, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; expect:
; kernel `row`: 0 of 3 loads become shuffles
;
; note: kept (C1): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:19:3
;    |
; 19 |   %x = load float, ptr %p, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ stays a load
;
; note: kept (C4): lanes may part here other than by a conditional branch
;   --> <stdin>:21:3
;    |
; 21 |   %y = load float, ptr %q, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ stays a load
;    |
;   ::: <stdin>:14:3
;    |
; 14 |   br i1 %inside, label %body, label %exit
;    |   --------------------------------------- lanes part here
;
; note: kept (C1): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:30:3
;    |
; 30 |   %c = load float, ptr %o2, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ stays a load
;
; assumed: the kernel is free of data races, as CUDA C++ demands
