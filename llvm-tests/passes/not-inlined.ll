; One load in a function that is called twice: there is no second one.
; ptxasw: remarks --profit always
; launch: pair grid=3 block=128 args=f32[520]:zero,f32[540],300
; launch: pair grid=3 block=48 args=f32[520]:zero,f32[540],140
; launch: pair grid=3 block=16,8 args=f32[520]:zero,f32[540],48

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define internal float @at(ptr readonly %row, i32 %index) {
  %from = getelementptr inbounds float, ptr %row, i32 %index
  %x = load float, ptr %from, align 4 ; kept: C1-generic
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
