; The same from `bfloat` to `half`, of which two are a pair themselves. (twin: not-forward-part)
; launch: bfloat_as_half grid=2 block=64 args=u32[516],u32[516]:zero,3

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
  %q8 = getelementptr i8, ptr addrspace(1) %q, i64 8
  %k = and i32 %i, 127
  %k1 = add i32 %k, 1
  %z = zext i32 %k to i64
  %z1 = zext i32 %k1 to i64
  %s = getelementptr [4 x i32], ptr addrspace(1) %out, i64 %z1
  %s4 = getelementptr i8, ptr addrspace(1) %s, i64 4
  %l = getelementptr [4 x i32], ptr addrspace(1) %out, i64 %z
  %l0 = getelementptr i8, ptr addrspace(1) %l, i64 16
  %l4 = getelementptr i8, ptr addrspace(1) %l, i64 20
  %l6 = getelementptr i8, ptr addrspace(1) %l, i64 22
  %number = uitofp i32 %tid to float
  %h = fptrunc float %number to bfloat
  store bfloat %h, ptr addrspace(1) %s
  %b = load half, ptr addrspace(1) %l0 ; memory: forwarded from the store @30
  %pair = insertelement <2 x bfloat> poison, bfloat %h, i32 0
  %both = insertelement <2 x bfloat> %pair, bfloat %h, i32 1
  store <2 x bfloat> %both, ptr addrspace(1) %s4
  %x = load i16, ptr addrspace(1) %l4 ; memory: forwarded from the store @34
  %y = bitcast i16 %x to half
  %v = load <2 x half>, ptr addrspace(1) %l4 ; memory: removed, same as the load @35
  %v1 = extractelement <2 x half> %v, i32 1
  %f1 = fpext half %b to float
  %f2 = fpext half %y to float
  %f3 = fpext half %v1 to float
  %f4 = fadd float %f1, %f2
  %f5 = fadd float %f4, %f3
  store float %f5, ptr addrspace(1) %q8
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx73" }
