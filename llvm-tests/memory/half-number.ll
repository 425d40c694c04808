; An integer that a `half` was rounded to has not its bits: it is loaded again as it is, as a `half` and as a `bfloat`. (twin: not-forward-part)
; launch: half_number grid=2 block=64 args=u32[516],u32[516]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @half_number(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 {
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
  %q12 = getelementptr i8, ptr addrspace(1) %q, i64 12
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
  %h = fptrunc float %number to half
  %n16 = fptosi half %h to i16
  store i16 %n16, ptr addrspace(1) %s
  %b = load bfloat, ptr addrspace(1) %l0 ; memory: forwarded from the store @32
  %n32 = fptosi half %h to i32
  %t16 = trunc i32 %n32 to i16
  store i16 %t16, ptr addrspace(1) %s4
  %x = load i16, ptr addrspace(1) %l4 ; memory: forwarded from the store @36
  %v = load half, ptr addrspace(1) %l4 ; memory: removed, same as the load @37
  %f1 = fpext bfloat %b to float
  %f2 = sitofp i16 %x to float
  %f3 = fpext half %v to float
  %f4 = fadd float %f1, %f2
  %f5 = fadd float %f4, %f3
  store float %f5, ptr addrspace(1) %q8 ; memory: kept: its neighbours have no 2, 4, 8 or 16 aligned bytes without a gap
  store i16 %x, ptr addrspace(1) %q12 ; memory: kept: its neighbours have no 2, 4, 8 or 16 aligned bytes without a gap
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx73" }
