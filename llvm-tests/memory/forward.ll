; A stored word is loaded: whole, its upper half, and bytes that are extended with and without their sign. (twin: not-forward-part)
; launch: forward grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @forward(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
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
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 2
  %a = load i32, ptr addrspace(1) %p ; memory: kept: nothing before has loaded or stored these bytes
  %b = add i32 %a, 2139062143
  store i32 %b, ptr addrspace(1) %q
  %c = load i32, ptr addrspace(1) %q ; memory: forwarded from the store @23
  %h = load i16, ptr addrspace(1) %q2 ; memory: removed, same as the load @24
  %s = load i8, ptr addrspace(1) %q1 ; memory: removed, same as the load @24
  %u = load i8, ptr addrspace(1) %q ; memory: removed, same as the load @24
  %hw = zext i16 %h to i32
  %sw = sext i8 %s to i32
  %uw = zext i8 %u to i32
  %x = mul i32 %c, 3
  %y = mul i32 %sw, 5
  %z = mul i32 %uw, 7
  %xy = add i32 %x, %y
  %zh = add i32 %z, %hw
  %sum = add i32 %xy, %zh
  %end = getelementptr i8, ptr addrspace(1) %q, i64 1024
  store i32 %sum, ptr addrspace(1) %end
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
