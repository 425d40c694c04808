; One statement stores several numbers: a load of them stays behind all. (twin: not-again)
; launch: structstore grid=1 block=8 args=u32[1024],u32[1024]:zero

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @structstore(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %tid to i64
  %o = mul i64 %w, 64
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %o
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %o
  %s0 = insertvalue {i16, i16, i32} undef, i16 7, 0
  %s1 = insertvalue {i16, i16, i32} %s0, i16 8, 1
  %s2 = insertvalue {i16, i16, i32} %s1, i32 %tid, 2
  store {i16, i16, i32} %s2, ptr addrspace(1) %p, align 4 ; memory: kept: no test at the entry shows that its address and its neighbours' are aligned; lifted by: declare the type `alignas(16)`, and kept: no test at the entry shows that its address and its neighbours' are aligned; lifted by: declare the type `alignas(16)`, and kept: no test at the entry shows that its address and its neighbours' are aligned; lifted by: declare the type `alignas(16)`
  %b = load i32, ptr addrspace(1) %p, align 4 ; memory: kept: nothing before has loaded or stored these bytes
  store i32 %b, ptr addrspace(1) %q, align 4
  ret void
}
