; A half of a vector's element is stored before the element is loaded.
; launch: not_vector grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @not_vector(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
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
  %p8 = getelementptr i8, ptr addrspace(1) %p, i64 8
  %p10 = getelementptr i8, ptr addrspace(1) %p, i64 10
  %v = load <4 x i32>, ptr addrspace(1) %p, align 16 ; memory: kept: nothing before has loaded or stored these bytes
  store i16 7, ptr addrspace(1) %p10
  %a = load i32, ptr addrspace(1) %p8 ; memory: kept: a store between may write these bytes @22; lifted by: declare the pointers `__restrict__`, or pass `--assume noalias`
  %v0 = extractelement <4 x i32> %v, i32 0
  %x = mul i32 %a, %v0
  %sum = add i32 %x, %tid
  %end = getelementptr i8, ptr addrspace(1) %q, i64 1024
  store i32 %sum, ptr addrspace(1) %end
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
