; A volatile access lies between, and is itself one that no other serves.
; launch: not_volatile grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @not_volatile(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
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
  %p4 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %a = load i32, ptr addrspace(1) %p ; memory: kept: nothing before has loaded or stored these bytes
  %v = load volatile i32, ptr addrspace(1) %p4
  %c = load i32, ptr addrspace(1) %p ; memory: kept: a volatile or ordering access lies between @21
  %w = load volatile i32, ptr addrspace(1) %p
  %x = mul i32 %c, %a
  %y = add i32 %v, %w
  %sum = xor i32 %x, %y
  %end = getelementptr i8, ptr addrspace(1) %q, i64 1024
  store i32 %sum, ptr addrspace(1) %end
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
