; Pointers that are kept in memory of the thread, as `clang -O0` writes them: what they lead to is known once they are forwarded.
; launch: stored_pointer grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @stored_pointer(ptr %in, ptr %out, i32 %n) {
entry:
  %in.addr = alloca ptr, align 8
  %out.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %place = alloca ptr, align 8
  store ptr %in, ptr %in.addr, align 8
  store ptr %out, ptr %out.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %from = load ptr, ptr %in.addr, align 8 ; memory: forwarded from the store @13
  %p = getelementptr i32, ptr %from, i64 %wide
  %a = load i32, ptr %p, align 4 ; memory: kept: nothing before has loaded or stored these bytes
  %to = load ptr, ptr %out.addr, align 8 ; memory: forwarded from the store @14
  %q = getelementptr i32, ptr %to, i64 %wide
  store ptr %q, ptr %place, align 8
  %sum = add i32 %a, 1
  %q1 = load ptr, ptr %place, align 8 ; memory: forwarded from the store @26
  store i32 %sum, ptr %q1, align 4 ; memory: removed, overwritten by the store @35
  %q2 = load ptr, ptr %place, align 8 ; memory: forwarded from the store @26
  %b = load i32, ptr %q2, align 4 ; memory: forwarded from the store @29
  %limit = load i32, ptr %n.addr, align 4 ; memory: forwarded from the store @15
  %more = add i32 %b, %limit
  %q3 = load ptr, ptr %place, align 8 ; memory: removed, same as the load @30
  store i32 %more, ptr %q3, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
