; A sum is kept in memory: each iteration loads what the one before has stored. (twin: not-loop)
; launch: loop grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @loop(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
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
  store i32 %a, ptr addrspace(1) %q
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %b = load i32, ptr addrspace(1) %q ; memory: forwarded from the store @26
  %c = add i32 %b, %k
  store i32 %c, ptr addrspace(1) %q
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  %d = load i32, ptr addrspace(1) %q ; memory: forwarded from the store @26
  %sum = mul i32 %d, 3
  %last = getelementptr i8, ptr addrspace(1) %q, i64 1024
  store i32 %sum, ptr addrspace(1) %last
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
