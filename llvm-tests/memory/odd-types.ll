; Three floats at once: each of them is loaded again, and a bit between them is not their matter. (twin: not-odd-types)
; loads: always
; launch: odd_types grid=2 block=64 args=u32[512],u32[512],3
; launch: odd_types grid=2 block=64 args=u32[512],same0,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @odd_types(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %own = mul i64 %wide, 16
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %own
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %own
  %p4 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %q4 = getelementptr i8, ptr addrspace(1) %q, i64 4
  %p8 = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load <3 x float>, ptr addrspace(1) %p, align 16 ; memory: kept: nothing before has loaded or stored these bytes
  %v1 = extractelement <3 x float> %v, i32 1
  %bit = fcmp ogt float %v1, 1.0
  store i1 %bit, ptr addrspace(1) %q
  %a = load float, ptr addrspace(1) %p8 ; memory: removed, same as the load @22
  %b = load i32, ptr addrspace(1) %p4 ; memory: removed, same as the load @22
  %c = load <3 x float>, ptr addrspace(1) %p, align 16 ; memory: removed, same as the load @22
  %c0 = extractelement <3 x float> %c, i32 0
  %d = fadd float %a, %c0
  %e = bitcast float %d to i32
  %f = add i32 %b, %e
  store i32 %f, ptr addrspace(1) %q4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
