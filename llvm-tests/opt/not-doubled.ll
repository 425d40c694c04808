; A call that may not be doubled can't stand in a copy.
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
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %exit

body:
  %x = load float, ptr %p, align 4 ; kept: C1-no-source
  %a = call float @llvm.fabs.f32(float %x) noduplicate
  %y = load float, ptr %q, align 4 ; kept: C4-uncopyable @25
  %z = fadd float %a, %y
  br label %exit

exit:
  %v = phi float [ %z, %body ], [ 1.0, %entry ]
  store float %v, ptr %o, align 4
  ret void
}

declare float @llvm.fabs.f32(float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
