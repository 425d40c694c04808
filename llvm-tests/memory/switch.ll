; A block that a switch reaches by several cases has a phi with an operand for each: so it has in both copies.
; loads: always
; launch: switch grid=2 block=64 args=u32[512],u32[512],3
; launch: switch grid=2 block=64 args=u32[512],same0,3
; launch: switch grid=2 block=64 args=u32[513]@1,u32[512],3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @switch(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
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
  %a = load i32, ptr addrspace(1) %p ; memory: kept: nothing before has loaded or stored these bytes
  store i32 %a, ptr addrspace(1) %q
  %which = and i32 %tid, 7
  switch i32 %which, label %none [
    i32 1, label %some
    i32 2, label %some
    i32 5, label %other
  ]

some:
  %s = phi i32 [ %a, %entry ], [ %a, %entry ]
  %b = load i32, ptr addrspace(1) %p ; memory: removed, same as the load @21
  %sb = add i32 %s, %b
  br label %none

other:
  %c = load i32, ptr addrspace(1) %p ; memory: removed, same as the load @21
  %oc = mul i32 %c, 3
  switch i32 %n, label %none [
    i32 3, label %none
    i32 4, label %none
  ]

none:
  %r = phi i32 [ %tid, %entry ], [ %sb, %some ], [ %oc, %other ], [ %oc, %other ], [ %oc, %other ]
  %d = load i32, ptr addrspace(1) %p ; memory: removed, same as the load @37
  %e = add i32 %d, %r
  store i32 %e, ptr addrspace(1) %q4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
