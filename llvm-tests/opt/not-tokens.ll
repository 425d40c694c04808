; Convergence is controlled by tokens: calls without one may not stand beside those with one.
; ptxasw: remarks --profit always
; launch: row grid=3 block=128 args=f32[520]:zero,f32[520],300
; launch: row grid=3 block=48 args=f32[520]:zero,f32[520],140
; launch: row grid=2 block=16,8 args=f32[520]:zero,f32[520],48
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare token @llvm.experimental.convergence.entry() convergent memory(none)
declare void @g() convergent nounwind memory(none) willreturn nosync
define ptx_kernel void @row(ptr noalias %out, ptr noalias %in, i32 %n) convergent { ; left alone: limit-tokens
entry:
  %t = call token @llvm.experimental.convergence.entry()
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
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %o = getelementptr inbounds float, ptr %out, i64 %wide
  %x = load float, ptr %p
  %y = load float, ptr %q
  call void @g() [ "convergencectrl"(token %t) ]
  %z = fadd float %x, %y
  store float %z, ptr %o
  br label %exit
exit:
  ret void
}
