; A pair of halves is loaded that lies across two elements of the vector before. (twin: not-vector)
; launch: vector_halves grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @vector_halves(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %row = mul i64 %wide, 16
  %own = and i64 %row, 1023
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %own
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %big = icmp ugt i32 %tid, 20
  %p6 = getelementptr i8, ptr addrspace(1) %p, i64 6
  %v = load <4 x i32>, ptr addrspace(1) %p, align 16 ; memory: kept: nothing before has loaded or stored these bytes
  %a = load <2 x i16>, ptr addrspace(1) %p6, align 2 ; memory: removed, same as the load @20
  %v0 = extractelement <4 x i32> %v, i32 0
  %w = bitcast <2 x i16> %a to i32
  %sum = mul i32 %w, %v0
  %end = getelementptr i8, ptr addrspace(1) %q, i64 1024
  store i32 %sum, ptr addrspace(1) %end
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
