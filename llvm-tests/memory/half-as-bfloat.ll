; The bits of a `half` are loaded as a `bfloat`, also by way of an integer. LLVM has no instruction for that: it goes through a pair. (twin: not-forward-part)
; launch: half_as_bfloat grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @half_as_bfloat(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %own = mul i64 %wide, 16
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %own
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %own
  %q4 = getelementptr i8, ptr addrspace(1) %q, i64 4
  %q8 = getelementptr i8, ptr addrspace(1) %q, i64 8
  %q12 = getelementptr i8, ptr addrspace(1) %q, i64 12
  %number = uitofp i32 %tid to float
  %h = fptrunc float %number to half
  store half %h, ptr addrspace(1) %q
  %b = load bfloat, ptr addrspace(1) %q
  %v = load half, ptr addrspace(1) %p
  %w = load bfloat, ptr addrspace(1) %p
  store half %v, ptr addrspace(1) %q4
  %x = load i16, ptr addrspace(1) %q4
  %y = bitcast i16 %x to bfloat
  %f1 = fpext bfloat %b to float
  %f2 = fpext bfloat %w to float
  %f3 = fpext bfloat %y to float
  %f4 = fadd float %f1, %f3
  store float %f4, ptr addrspace(1) %q8
  store float %f2, ptr addrspace(1) %q12
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx73" }
