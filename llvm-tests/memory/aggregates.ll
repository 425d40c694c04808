; Structures and arrays are loaded and stored as values.
; loads: always
; launch: aggregates grid=2 block=64 args=u32[512],u32[512],3
; launch: aggregates grid=2 block=64 args=u32[512],same0,3
; launch: aggregates grid=2 block=64 args=u32[513]@1,u32[512],3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @aggregates(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %own = mul i64 %wide, 16
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %own
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %own
  %p4 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %q4 = getelementptr i8, ptr addrspace(1) %q, i64 4
  %q8 = getelementptr i8, ptr addrspace(1) %q, i64 8
  %q12 = getelementptr i8, ptr addrspace(1) %q, i64 12
  %s = load { i32, i32 }, ptr addrspace(1) %p
  %s0 = extractvalue { i32, i32 } %s, 0
  %s1 = extractvalue { i32, i32 } %s, 1
  %t = insertvalue { i32, i32 } %s, i32 %tid, 0
  store { i32, i32 } %t, ptr addrspace(1) %q ; memory: kept: the statement does more than to load, and kept: the statement does more than to load
  %a = load i32, ptr addrspace(1) %q4 ; memory: forwarded from the store @28
  %b = load i32, ptr addrspace(1) %p4 ; memory: moved up over 2 stores
  %pair = insertvalue [2 x i32] poison, i32 %a, 0
  %both = insertvalue [2 x i32] %pair, i32 %b, 1
  store [2 x i32] %both, ptr addrspace(1) %q8 ; memory: kept: the statement does more than to load, and kept: the statement does more than to load
  %c = load i32, ptr addrspace(1) %q12 ; memory: forwarded from the store @33
  %d = load i32, ptr addrspace(1) %p4 ; memory: removed, same as the load @30
  %e = add i32 %s0, %s1
  %f = add i32 %c, %d
  %g = add i32 %e, %f
  store i32 %g, ptr addrspace(1) %q4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
