; What is overwritten was read, is overwritten in part, or on one path only.
; launch: not_dead grid=1 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @not_dead(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
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
  %p9 = getelementptr i8, ptr addrspace(1) %p, i64 1024
  %q5 = getelementptr i8, ptr addrspace(1) %q, i64 512
  %q15 = getelementptr i8, ptr addrspace(1) %q, i64 1536
  %a = load i32, ptr addrspace(1) %p ; memory: kept: nothing before has loaded or stored these bytes
  store i32 %a, ptr addrspace(1) %q
  %b = load i32, ptr addrspace(1) %p9 ; memory: kept: nothing before has loaded or stored these bytes
  store i32 %b, ptr addrspace(1) %q
  store i32 %a, ptr addrspace(1) %q5
  store i16 3, ptr addrspace(1) %q5
  %c = add i32 %a, %b
  store i32 %c, ptr addrspace(1) %q15
  br i1 %big, label %end, label %over
over:
  store i32 %a, ptr addrspace(1) %q15
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
