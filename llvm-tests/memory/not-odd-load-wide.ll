; The same between two stores that would be one. (twin: not-odd-load)
; launch: opaqueload2 grid=1 block=32 args=u32[128],u32[128]:zero

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @opaqueload2(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %tid to i64
  %p = getelementptr i64, ptr addrspace(1) %in, i64 %w
  %q = getelementptr i64, ptr addrspace(1) %out, i64 %w
  %p4 = getelementptr i8, ptr addrspace(1) %p, i64 4
  store i32 7, ptr addrspace(1) %p
  %v = load {i32,i32}, ptr addrspace(1) %p
  store i32 9, ptr addrspace(1) %p4
  %a = extractvalue {i32,i32} %v, 0
  %b = extractvalue {i32,i32} %v, 1
  %s = add i32 %a, %b
  store i32 %s, ptr addrspace(1) %q
  ret void
}
