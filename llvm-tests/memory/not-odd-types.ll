; Integers of 24 bits and of one: nothing is served across them, as nobody knows here what they touch. (twin: odd-types)
; loads: always
; launch: not_odd_types grid=2 block=64 args=u32[512],u32[512],3
; launch: not_odd_types grid=2 block=64 args=u32[512],same0,3
; launch: not_odd_types grid=2 block=64 args=u32[513]@1,u32[512],3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @not_odd_types(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %own = mul i64 %wide, 16
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %own
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %own
  %q4 = getelementptr i8, ptr addrspace(1) %q, i64 4
  %p8 = getelementptr i8, ptr addrspace(1) %p, i64 8
  %q8 = getelementptr i8, ptr addrspace(1) %q, i64 8
  %a = load i32, ptr addrspace(1) %p8 ; memory: kept: nothing before has loaded or stored these bytes
  %w = load i24, ptr addrspace(1) %p, align 4
  store i24 %w, ptr addrspace(1) %q, align 4
  %b = load i32, ptr addrspace(1) %p8 ; memory: kept: an instruction lies between that waits, orders memory, or reads a clock @25
  %bit = icmp ugt i32 %a, 77
  store i1 %bit, ptr addrspace(1) %q4
  %c = load i1, ptr addrspace(1) %q4 ; memory: kept: no register holds the value any more @28
  %x = load i24, ptr addrspace(1) %q, align 4
  %y = zext i24 %x to i32
  %k = zext i1 %c to i32
  %s1 = add i32 %y, %k
  %s2 = add i32 %b, %s1
  store i32 %s2, ptr addrspace(1) %q8
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
