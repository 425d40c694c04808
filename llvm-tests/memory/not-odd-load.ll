; A load of a type that no access has reads what is stored before it. (twin: dead)
; launch: opaqueload grid=1 block=32 args=u32[128],u64[128]:zero

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @opaqueload(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %tid to i64
  %p = getelementptr i128, ptr addrspace(1) %in, i64 %w
  %q = getelementptr i128, ptr addrspace(1) %out, i64 %w
  store i64 7, ptr addrspace(1) %p
  %v = load i128, ptr addrspace(1) %p
  store i64 9, ptr addrspace(1) %p
  store i128 %v, ptr addrspace(1) %q
  ret void
}
