; The bits of a `bfloat` are loaded as a `half`, also by way of an integer and out of a pair. (twin: not-forward-part)
; launch: bfloat_as_half grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @bfloat_as_half(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 {
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
  %number = uitofp i32 %tid to float
  %h = fptrunc float %number to bfloat
  store bfloat %h, ptr addrspace(1) %q
  %b = load half, ptr addrspace(1) %q
  %pair = insertelement <2 x bfloat> poison, bfloat %h, i32 0
  %both = insertelement <2 x bfloat> %pair, bfloat %h, i32 1
  store <2 x bfloat> %both, ptr addrspace(1) %q8
  %x = load i16, ptr addrspace(1) %q8
  %y = bitcast i16 %x to half
  %z = load <2 x half>, ptr addrspace(1) %q8
  %z1 = extractelement <2 x half> %z, i32 1
  %f1 = fpext half %b to float
  %f2 = fpext half %y to float
  %f3 = fpext half %z1 to float
  %f4 = fadd float %f1, %f2
  %f5 = fadd float %f4, %f3
  store float %f5, ptr addrspace(1) %q4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx73" }
