; A table that nobody writes and one that the kernel writes, and a function that has a second name.
; loads: always
; launch: constants grid=2 block=64 args=u32[512],u32[512],3
; launch: constants grid=2 block=64 args=u32[512],same0,3
; launch: constants grid=2 block=64 args=u32[513]@1,u32[512],3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@table = internal addrspace(1) constant [4 x i32] [i32 3, i32 1, i32 4, i32 1], align 16
@sums = addrspace(1) global [4 x i32] zeroinitializer, align 16
@second = alias i32 (i32), ptr @first

define i32 @first(i32 %x) noinline {
  %y = mul i32 %x, 3
  ret i32 %y
}

define ptx_kernel void @constants(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %own = mul i64 %wide, 16
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %own
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %own
  %q4 = getelementptr i8, ptr addrspace(1) %q, i64 4
  %q8 = getelementptr i8, ptr addrspace(1) %q, i64 8
  %which = and i64 %wide, 3
  %c = getelementptr [4 x i32], ptr addrspace(1) @table, i64 0, i64 %which
  %d = getelementptr [4 x i32], ptr addrspace(1) @sums, i64 0, i64 0
  %a = load i32, ptr addrspace(1) %c ; memory: kept: nothing before has loaded or stored these bytes
  %e = load i32, ptr addrspace(1) %p ; memory: kept: nothing before has loaded or stored these bytes
  store i32 %a, ptr addrspace(1) %q
  %b = load i32, ptr addrspace(1) %c ; memory: removed, same as the load @33
  %z = load i32, ptr addrspace(1) %d ; memory: kept: it waits for a store that may write these bytes @35; lifted by: declare the pointers `__restrict__`, or pass `--assume noalias`
  %g = load i32, ptr addrspace(1) %p ; memory: removed, same as the load @34
  %x = call i32 @first(i32 %b)
  store i32 %x, ptr addrspace(1) %q4 ; memory: kept: its neighbours have no 2, 4, 8 or 16 aligned bytes without a gap
  %y = load i32, ptr addrspace(1) %c ; memory: moved up over 1 store
  %h = add i32 %y, %z
  %k = add i32 %g, %e
  %l = add i32 %h, %k
  store i32 %l, ptr addrspace(1) %q8 ; memory: kept: its neighbours have no 2, 4, 8 or 16 aligned bytes without a gap
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx73" }
