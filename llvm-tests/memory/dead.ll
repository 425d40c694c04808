; A store is overwritten: at once, and on both paths. (twin: not-dead)
; launch: dead grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @dead(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
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
  %q5 = getelementptr i8, ptr addrspace(1) %q, i64 512
  %a = load i32, ptr addrspace(1) %p ; memory: kept: nothing before has loaded or stored these bytes
  store i32 %a, ptr addrspace(1) %q ; memory: removed, overwritten by the store @22
  store i32 %tid, ptr addrspace(1) %q
  store i32 %a, ptr addrspace(1) %q5 ; memory: removed, overwritten by the store @29
  br i1 %big, label %one, label %other
one:
  store i32 1, ptr addrspace(1) %q5
  ret void
other:
  store i32 2, ptr addrspace(1) %q5
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
