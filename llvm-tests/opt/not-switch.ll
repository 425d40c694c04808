; Lanes may part at a `switch`: a vote about it is not written.
; ptxasw: remarks
; launch: row grid=3 block=128 args=f32[520]:zero,f32[520],300
; launch: row grid=3 block=48 args=f32[520]:zero,f32[520],140
; launch: row grid=1 block=64,2 args=f32[520]:zero,f32[520],40
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %in, i64 %wide
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %o = getelementptr inbounds float, ptr %out, i64 %wide
  %s = and i32 %i, 7
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %exit

body:
  %x = load float, ptr %p, align 4 ; kept: C1-no-source
  switch i32 %s, label %other [
    i32 0, label %exit
    i32 1, label %one
    i32 2, label %two
    i32 3, label %two
    i32 7, label %exit
  ]

one:
  %y1 = load float, ptr %q, align 4 ; kept: C4-branch @26
  %z1 = fmul float %x, %y1
  br label %two

two:
  %w = phi float [ %z1, %one ], [ %x, %body ], [ %x, %body ]
  %y2 = load float, ptr %q, align 4 ; kept: C4-branch @26
  %z2 = fsub float %w, %y2
  br label %exit

other:
  %z3 = fadd float %x, 3.0
  br label %exit

exit:
  %v = phi float [ 1.0, %entry ], [ %x, %body ], [ %x, %body ], [ %z2, %two ], [ %z3, %other ]
  store float %v, ptr %o, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
