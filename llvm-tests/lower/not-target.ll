; The PTX that this target needs is older than `activemask`, and no later one is asked for.
; ptxasw: explain --full

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in) #0 {
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
attributes #0 = { "target-cpu"="sm_70" "target-features"="+ptx60,+sm_70" }
; expect:
; row: declined; `+ptx60`: `activemask` needs PTX 6.2
;
; kernel  loads  stores  kept
; row         2       1     3
;
; kernel `row`
;   left as it is, limit-ir-version: `+ptx60`: `activemask` needs PTX 6.2
;       lifted by: `--cuda-feature=+ptx62` or later for clang
;
; assumed: the kernel is free of data races, as CUDA C++ demands
