; LLVM writes the PTX that a target needs, if less is asked for: `activemask` is there.
; ptxasw: remarks

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  %p = getelementptr float, ptr %in, i64 %wide
  %q = getelementptr float, ptr %p, i64 1
  %x = load float, ptr %p, align 4 ; mask: F | kept: C1-no-source, source
  %y = load float, ptr %q, align 4 ; covered: N=+1 from @12, F
  %z = fadd float %x, %y
  %place = getelementptr float, ptr %out, i64 %wide
  store float %z, ptr %place, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_75" "target-features"="+ptx42,+sm_75" }
