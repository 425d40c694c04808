; The same as LLVM IR.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @butterfly(ptr %out, ptr %in, i32 %n) #0 {
entry:
  %block = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %block, %size
  %thread = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %first, %thread
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %end

body:
  %twice = shl nsw i32 %i, 1
  %index = sext i32 %twice to i64
  %even = getelementptr inbounds float, ptr %in, i64 %index
  %odd = getelementptr inbounds i8, ptr %even, i64 4
  %a = load float, ptr %even, align 4
  %b = load float, ptr %odd, align 4
  %sum = fadd float %a, %b
  %low = getelementptr inbounds float, ptr %out, i64 %index
  store float %sum, ptr %low, align 4
  %c = load float, ptr %even, align 4
  %d = load float, ptr %odd, align 4
  %difference = fsub float %c, %d
  %high = getelementptr inbounds i8, ptr %low, i64 4
  store float %difference, ptr %high, align 4
  br label %end

end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { nounwind "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }

!nvvm.annotations = !{!0}
!0 = !{ptr @butterfly, !"kernel", i32 1}
