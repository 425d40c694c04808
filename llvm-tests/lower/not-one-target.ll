; All functions of a module are compiled for one target: that of the first is too old for all.
; ptxasw: remarks

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @first(ptr %out) #1 { ; left alone: limit-ir-version
  store i32 1, ptr %out, align 4
  ret void
}

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in) #0 { ; left alone: limit-ir-version
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  %p = getelementptr float, ptr %in, i64 %wide
  %q = getelementptr float, ptr %p, i64 1
  %x = load float, ptr %p, align 4
  %y = load float, ptr %q, align 4
  %z = fadd float %x, %y
  %place = getelementptr float, ptr %out, i64 %wide
  store float %z, ptr %place, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx78,+sm_80" }
attributes #1 = { "target-cpu"="sm_60" "target-features"="+ptx50,+sm_60" }
