; A word of shared memory is loaded again, behind a store to global memory. (twin: not-shared)
; launch: shared grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@words = internal addrspace(3) global [64 x i32] undef, align 4

define ptx_kernel void @shared(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
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
  %mine = getelementptr [64 x i32], ptr addrspace(3) @words, i64 0, i64 %lane
  store i32 %i, ptr addrspace(3) %mine
  store i32 7, ptr addrspace(1) %q
  %a = load i32, ptr addrspace(3) %mine ; memory: forwarded from the store @23
  %sum = mul i32 %a, 5
  %end = getelementptr i8, ptr addrspace(1) %q, i64 512
  store i32 %sum, ptr addrspace(1) %end
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
