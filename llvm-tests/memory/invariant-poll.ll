; A loop that waits for a flag. Its load is served by the one in front of it, after which no loop is seen to wait: another grid may
; still write what is read behind the loop.

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @poll(ptr addrspace(1) noalias %out, ptr addrspace(1) %flag, ptr addrspace(1) %data, i32 %n) {
entry:
  %before = load i32, ptr addrspace(1) %flag ; memory: kept: nothing before has loaded or stored these bytes
  %closed = icmp eq i32 %before, 0
  br i1 %closed, label %loop, label %end

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %now = load i32, ptr addrspace(1) %flag ; memory: removed, same as the load @9
  %waits = icmp eq i32 %now, 0
  %more = icmp ult i32 %next, %n
  %again = and i1 %waits, %more
  br i1 %again, label %loop, label %end

end:
  %d = load i32, ptr addrspace(1) %data ; memory: kept: nothing before has loaded or stored these bytes
  store i32 %d, ptr addrspace(1) %out
  ret void
}
