; The store has one byte of the word that is loaded.
; launch: not_forward_wider grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @not_forward_wider(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
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
  %a = load i32, ptr addrspace(1) %p ; memory: kept: nothing before has loaded or stored these bytes
  %b = trunc i32 %a to i8
  store i8 %b, ptr addrspace(1) %q
  %c = load i32, ptr addrspace(1) %q ; memory: kept: nothing before has loaded or stored these bytes
  %sum = mul i32 %c, 3
  %end = getelementptr i8, ptr addrspace(1) %q, i64 1024
  store i32 %sum, ptr addrspace(1) %end
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
