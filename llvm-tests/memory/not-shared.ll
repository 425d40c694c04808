; Two names of dynamic shared memory are one variable.
; launch: not_shared grid=2 block=64 shared=256 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@first = external addrspace(3) global [0 x i32], align 4
@second = external addrspace(3) global [0 x i32], align 4

define ptx_kernel void @not_shared(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
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
  %lane = zext i32 %tid to i64
  %x = getelementptr [0 x i32], ptr addrspace(3) @first, i64 0, i64 %lane
  %y = getelementptr [0 x i32], ptr addrspace(3) @second, i64 0, i64 %lane
  store i32 %i, ptr addrspace(3) %x
  store i32 99, ptr addrspace(3) %y
  %a = load i32, ptr addrspace(3) %x ; memory: kept: a store between may write these bytes @26; lifted by: declare the pointers `__restrict__`, or pass `--assume noalias`
  %sum = mul i32 %a, 5
  %end = getelementptr i8, ptr addrspace(1) %q, i64 512
  store i32 %sum, ptr addrspace(1) %end
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
