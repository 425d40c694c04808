; Each iteration has memory of its own, which holds what that iteration stores.
; loads: always
; launch: alloca_loop grid=2 block=64 args=u32[512],u32[512],3
; launch: alloca_loop grid=2 block=64 args=u32[512],same0,3
; launch: alloca_loop grid=2 block=64 args=u32[513]@1,u32[512],3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @alloca_loop(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 {
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
  br label %next

next:
  %j = phi i32 [ 0, %entry ], [ %j1, %next ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %next ]
  %mine = alloca i32, align 4
  %a = load i32, ptr addrspace(1) %p ; memory: kept: on some path these bytes were not loaded before
  %v = add i32 %a, %j
  store i32 %v, ptr %mine, align 4
  store i32 %v, ptr addrspace(1) %q
  %b = load i32, ptr %mine, align 4 ; memory: kept: a store between may write these bytes @30; lifted by: declare the pointers `__restrict__`, or pass `--assume noalias`
  %c = load i32, ptr addrspace(1) %p ; memory: moved up over 1 store
  %bc = add i32 %b, %c
  %sum1 = add i32 %sum, %bc
  %j1 = add i32 %j, 1
  %again = icmp ult i32 %j1, %n
  br i1 %again, label %next, label %done

done:
  store i32 %sum1, ptr addrspace(1) %q4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx73" }
