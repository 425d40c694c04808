; Loads that state less than their natural alignment are not written anew. (twin: not-again)
; launch: align grid=1 block=8 args=u8[4097]@1,u32[1024]:zero
; launch: align grid=1 block=8 args=u32[1024],u32[1024]:zero
; launch: align grid=1 block=8 args=u32[1024]@4,u32[1024]:zero

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @align(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %tid to i64
  %o = mul i64 %w, 128
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %o
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %o
  %a = load i32, ptr addrspace(1) %p, align 1 ; memory: kept: nothing before has loaded or stored these bytes
  %a1 = add i32 %a, 5
  store i32 %a1, ptr addrspace(1) %q, align 4
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 8
  %b = load <2 x i32>, ptr addrspace(1) %p2, align 1 ; memory: kept: nothing before has loaded or stored these bytes
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 8
  store <2 x i32> %b, ptr addrspace(1) %q2, align 4
  %p3 = getelementptr i8, ptr addrspace(1) %p, i64 20
  %c = load i32, ptr addrspace(1) %p3, align 1 ; memory: kept: nothing before has loaded or stored these bytes
  %q3 = getelementptr i8, ptr addrspace(1) %q, i64 20
  store i32 %c, ptr addrspace(1) %q3, align 4
  ret void
}
