; As stored-pointer, where one of two pointers is stored, to memory of the thread or to global memory: what it leads to stays unknown.
; launch: stored_choice grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @stored_choice(ptr %in, ptr %out, i32 %n) {
entry:
  %place = alloca ptr, align 8
  %own = alloca i32, align 4
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %q = getelementptr i32, ptr %out, i64 %wide
  %big = icmp ugt i32 %tid, 20
  %one = select i1 %big, ptr %own, ptr %q
  store ptr %one, ptr %place, align 8
  store i32 %i, ptr %own, align 4
  %p = load ptr, ptr %place, align 8 ; memory: forwarded from the store @19
  store i32 77, ptr %p, align 4
  %a = load i32, ptr %own, align 4 ; memory: kept: a store between may write these bytes @22; lifted by: declare the pointers `__restrict__`, or pass `--assume noalias`
  %b = load i32, ptr %p, align 4 ; memory: forwarded from the store @22
  %sum = add i32 %a, %b
  store i32 %sum, ptr %q, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
