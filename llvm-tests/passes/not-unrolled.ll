; In each iteration of the loop there is one tap: no neighbour has it in the same iteration.
; ptxasw: remarks --profit always
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
  %x = load float, ptr %from, align 4 ; kept: C1-no-source
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
