; The same as LLVM IR.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @stencil(ptr noalias writeonly %out, ptr noalias readonly %in, i32 %n) #0 {
entry:
  %block = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %block, %size
  %thread = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %first, %thread
  %low = icmp sgt i32 %i, 0
  %last = add nsw i32 %n, -1
  %high = icmp slt i32 %i, %last
  %inside = select i1 %low, i1 %high, i1 false
  br i1 %inside, label %body, label %end

body:
  %index = zext nneg i32 %i to i64
  %here = getelementptr float, ptr %in, i64 %index
  %before = getelementptr i8, ptr %here, i64 -4
  %a = load float, ptr %before, align 4
  %b = load float, ptr %here, align 4
  %ab = fadd contract float %a, %b
  %behind = getelementptr inbounds i8, ptr %here, i64 4
  %c = load float, ptr %behind, align 4
  %sum = fadd contract float %ab, %c
  %to = getelementptr inbounds float, ptr %out, i64 %index
  store float %sum, ptr %to, align 4
  br label %end

end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { nounwind "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }

!nvvm.annotations = !{!0}
!0 = !{ptr @stencil, !"kernel", i32 1}
